/* SPDX-License-Identifier: Apache-2.0 */
/* Curves of lists in the results: a distribution over its cumulative sum (cdf), or a value over time (timeline). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "plot.h"

enum { BINS = 100, PANEL_WIDTH = 420 };

typedef struct curves {
    const tl_results *results;
    const tl_figure *figure;
    tl_dimension series, panels;
    tl_curve *all; /* panel after panel, of all series */
    double x_max;
} curves;

static void free_all(curves *c)
{
    for (unsigned n = 0; c->all != NULL && n < c->panels.count * c->series.count; n++) {
        tl_curve_free(&c->all[n]);
    }
    free(c->all);
}

/* @return 0, or 2 after a line on stderr */
static int load_all(curves *c)
{
    int status = 0;
    c->all = calloc((size_t)c->panels.count * c->series.count, sizeof *c->all);
    if (c->all == NULL) {
        return tl_fail("%s: plot: found too little memory, expected some for its curves", c->figure->path);
    }
    for (unsigned n = 0; n < c->panels.count * c->series.count && status == 0; n++) {
        tl_plot_place place = tl_plot_start(c->figure);
        tl_plot_choose(&place, &c->panels, n / c->series.count);
        tl_plot_choose(&place, &c->series, n % c->series.count);
        status = tl_results_curve(c->results, tl_figure_run_at(c->figure, place.points), &c->all[n]);
        for (size_t point = 0; point < c->all[n].count; point++) {
            c->all[n].x[point] *= c->figure->plot.x_scale;
            c->x_max = fmax(c->x_max, c->all[n].x[point]);
        }
    }
    c->x_max = c->figure->plot.x_max > 0 ? c->figure->plot.x_max : c->x_max > 0 ? c->x_max : 1;
    return status;
}

/* $curveN */
static void write_curve(const curves *c, unsigned n, FILE *to)
{
    (void)fprintf(to, "$curve%u << END_OF_DATA\n", n);
    for (size_t point = 0; point < c->all[n].count; point++) {
        tl_plot_number(c->all[n].x[point], to);
        (void)fputc('\t', to);
        tl_plot_number(c->all[n].y[point], to);
        (void)fputc('\n', to);
    }
    (void)fputs("END_OF_DATA\n", to);
}

/* $sharesN: what part of the cumulative sum falls into each bin of x, in percent. */
static void write_shares(const curves *c, unsigned n, FILE *to)
{
    double shares[BINS] = {0};
    double before = 0;
    for (size_t point = 0; point < c->all[n].count; point++) {
        const double bin = c->all[n].x[point] / c->x_max * BINS;
        if (bin >= 0 && bin < BINS) {
            shares[(unsigned)bin] += 100 * (c->all[n].y[point] - before);
        }
        before = c->all[n].y[point];
    }
    (void)fprintf(to, "$shares%u << END_OF_DATA\n", n);
    for (unsigned bin = 0; bin < BINS; bin++) {
        tl_plot_number((bin + 0.5) * c->x_max / BINS, to);
        (void)fputc('\t', to);
        tl_plot_number(shares[bin], to);
        (void)fputc('\n', to);
    }
    (void)fputs("END_OF_DATA\n", to);
}

/* The data blocks `name` of a panel. */
static void write_plot(const curves *c, unsigned panel, const char *name, const char *style, const char *y_label,
                       FILE *to)
{
    (void)fputs("set ylabel ", to);
    tl_plot_quote(y_label, to);
    (void)fputc('\n', to);
    for (unsigned series = 0; series < c->series.count; series++) {
        (void)fprintf(to, "%s$%s%u with %s linetype %u", series == 0 ? "plot " : ", ", name,
                      panel * c->series.count + series, style, series % 8 + 1);
    }
    (void)fputc('\n', to);
}

static void write_script(const curves *c, FILE *to)
{
    const tl_plot *plot = &c->figure->plot;
    const bool cdf = plot->kind == TL_PLOT_CDF;
    const tl_plot_grid grid = tl_plot_grid_size(c->figure, c->panels.count, cdf ? 2 : 1, PANEL_WIDTH, &c->series);
    for (unsigned n = 0; n < c->panels.count * c->series.count; n++) {
        write_curve(c, n, to);
        if (cdf) {
            write_shares(c, n, to);
        }
    }
    tl_plot_grid_start(c->figure, &grid, &c->series, to);
    (void)fprintf(to, "set xrange [0:%.9g]\nset xlabel ", c->x_max);
    tl_plot_quote(plot->x_label, to);
    (void)fputc('\n', to);
    for (unsigned panel = 0; panel < c->panels.count; panel++) {
        tl_plot_panel(&grid, panel, 0, c->panels.labels[panel], to);
        if (cdf) {
            write_plot(c, panel, "shares", "lines", "share (%)", to);
            tl_plot_panel(&grid, panel, 1, "", to);
        }
        write_plot(c, panel, "curve", "steps", plot->y_label, to);
    }
    (void)fputs("unset multiplot\n", to);
}

int tl_plot_write_curves(const tl_results *results, FILE *to)
{
    curves c = {.results = results, .figure = results->figure->figure};
    tl_dimension_make(c.figure, c.figure->plot.series, &c.series);
    tl_dimension_make(c.figure, c.figure->plot.panels, &c.panels);
    const int status = load_all(&c);
    if (status == 0) {
        write_script(&c, to);
    }
    free_all(&c);
    return status;
}
