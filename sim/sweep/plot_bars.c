/* SPDX-License-Identifier: Apache-2.0 */
/* Bars, stacked bars and lines: one number a place of x, series and panel. */
#include <math.h>

#include "plot.h"

enum { BAR_WIDTH = 15, PANEL_WIDTH_MIN = 200 }; /* pixels */

typedef struct bars {
    const tl_results *results;
    const tl_figure *figure;
    tl_dimension x, series, panels;
} bars;

static double value_at(const bars *b, unsigned panel, unsigned series, unsigned x)
{
    tl_plot_place place = tl_plot_start(b->figure);
    tl_plot_choose(&place, &b->panels, panel);
    tl_plot_choose(&place, &b->series, series);
    tl_plot_choose(&place, &b->x, x);
    return tl_results_value(b->results, place.metric, tl_figure_run_at(b->figure, place.points));
}

static double geomean_at(const bars *b, unsigned panel, unsigned series)
{
    double sum = 0;
    for (unsigned x = 0; x < b->x.count; x++) {
        sum += log(value_at(b, panel, series, x));
    }
    return exp(sum / b->x.count);
}

/* $panelN: a row an x, a column a series. */
static void write_data(const bars *b, unsigned panel, FILE *to)
{
    const bool geomean = b->figure->plot.geomean;
    (void)fprintf(to, "$panel%u << END_OF_DATA\n", panel);
    for (unsigned x = 0; x < b->x.count + geomean; x++) {
        const bool last = x == b->x.count;
        (void)fputs(last ? "geomean" : b->x.labels[x], to);
        for (unsigned series = 0; series < b->series.count; series++) {
            (void)fputc('\t', to);
            tl_plot_number(last ? geomean_at(b, panel, series) : value_at(b, panel, series, x), to);
        }
        (void)fputc('\n', to);
    }
    (void)fputs("END_OF_DATA\n", to);
}

static void write_plot(const bars *b, unsigned panel, FILE *to)
{
    const bool lines = b->figure->plot.kind == TL_PLOT_LINES;
    for (unsigned series = 0; series < b->series.count; series++) {
        (void)fprintf(to, series == 0 ? "plot $panel%u using " : ", $panel%u using ", panel);
        (void)fprintf(to, lines ? "0:%u:xtic(1) with linespoints " : "%u:xtic(1) ", series + 2);
        (void)fprintf(to, "linetype %u", series % 8 + 1);
    }
    (void)fputc('\n', to);
}

static void write_style(const bars *b, FILE *to)
{
    const tl_plot *plot = &b->figure->plot;
    if (plot->kind == TL_PLOT_LINES) {
        (void)fputs("set offsets 0.3, 0.3, 0, 0\nset pointsize 0.6\n", to);
    } else {
        (void)fputs("set style data histograms\n", to);
        (void)fputs(plot->kind == TL_PLOT_BARS ? "set style histogram clustered gap 1\n"
                                               : "set style histogram rowstacked\nset boxwidth 0.6\n",
                    to);
    }
    if (b->figure->metrics[plot->y[0]].over.given && !b->figure->metrics[plot->y[0]].minus.given) {
        (void)fprintf(to,
                      "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead dashtype 2 linecolor '#555555' "
                      "back\n",
                      b->figure->metrics[plot->y[0]].scale, b->figure->metrics[plot->y[0]].scale);
    }
    (void)fputs("set ylabel ", to);
    tl_plot_quote(plot->y_label, to);
    (void)fputs("\nset xlabel ", to);
    tl_plot_quote(plot->x_label, to);
    (void)fputc('\n', to);
}

/* Room for the bars and for the names under them. */
static unsigned panel_width(const bars *b)
{
    const unsigned side_by_side = b->figure->plot.kind == TL_PLOT_BARS ? b->series.count : 2;
    unsigned group = (side_by_side + 1) * BAR_WIDTH;
    for (unsigned x = 0; x < b->x.count; x++) {
        const unsigned label = tl_plot_text_width(b->x.labels[x]) + BAR_WIDTH;
        group = label > group ? label : group;
    }
    const unsigned width = (b->x.count + b->figure->plot.geomean + 1) * group;
    return width < PANEL_WIDTH_MIN ? PANEL_WIDTH_MIN : width;
}

int tl_plot_write_bars(const tl_results *results, FILE *to)
{
    bars b = {.results = results, .figure = results->figure->figure};
    const tl_plot *plot = &b.figure->plot;
    tl_dimension_make(b.figure, plot->x, &b.x);
    tl_dimension_make(b.figure, plot->series, &b.series);
    tl_dimension_make(b.figure, plot->panels, &b.panels);
    const unsigned columns = b.panels.count < plot->panel_columns ? b.panels.count : plot->panel_columns;
    const unsigned rows = (b.panels.count + columns - 1) / columns;
    const tl_plot_grid grid = tl_plot_grid_size(b.figure, columns, rows, panel_width(&b), &b.series);
    for (unsigned panel = 0; panel < b.panels.count; panel++) {
        write_data(&b, panel, to);
    }
    tl_plot_grid_start(b.figure, &grid, &b.series, to);
    write_style(&b, to);
    for (unsigned panel = 0; panel < b.panels.count; panel++) {
        tl_plot_panel(&grid, panel % columns, panel / columns, b.panels.labels[panel], to);
        write_plot(&b, panel, to);
    }
    (void)fputs("unset multiplot\n", to);
    return 0;
}
