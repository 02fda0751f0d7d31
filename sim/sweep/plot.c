/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include <math.h>

enum {
    LEFT = 84, /* beside a panel: numbers and label of y */
    RIGHT = 15,
    ABOVE = 30,    /* over a panel: its title */
    BELOW = 72,    /* under a panel: numbers and label of x */
    HEAD = 60,     /* title and legend of the figure */
    TITLE = 16,    /* middle of the title from the top */
    LEGEND = 40,   /* middle of the legend from the top */
    SWATCH = 14,   /* side of a colour in the legend */
    CHARACTER = 8, /* width on average */
    PANEL_HEIGHT = 190,
    COLOURS = 8
};

/* Distinct to colour-blind readers too (Okabe and Ito). */
static const char *const colours[COLOURS] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                             "#56B4E9", "#D55E00", "#999999", "#000000"};

void tl_dimension_make(const tl_figure *figure, int by, tl_dimension *out)
{
    const tl_plot *plot = &figure->plot;
    *out = (tl_dimension){.by = by, .count = 1, .labels = {""}};
    if (by == TL_BY_METRIC) {
        out->count = plot->y_count;
        for (unsigned n = 0; n < plot->y_count; n++) {
            out->index[n] = plot->y[n];
            out->labels[n] = figure->metrics[plot->y[n]].label;
        }
    } else if (by != TL_BY_NOTHING) {
        const tl_axis *axis = &figure->axes[by];
        out->count = 0;
        for (unsigned n = 0; n < axis->point_count; n++) {
            if (plot->at.axis[by] >> n & 1) {
                out->index[out->count] = n;
                out->labels[out->count++] = axis->points[n].label;
            }
        }
    }
}

tl_plot_place tl_plot_start(const tl_figure *figure)
{
    tl_plot_place place = {.metric = figure->plot.y[0]};
    for (unsigned a = 0; a < figure->axis_count; a++) {
        while ((figure->plot.at.axis[a] >> place.points[a] & 1) == 0) {
            place.points[a]++;
        }
    }
    return place;
}

void tl_plot_choose(tl_plot_place *place, const tl_dimension *dimension, unsigned entry)
{
    if (dimension->by == TL_BY_METRIC) {
        place->metric = dimension->index[entry];
    } else if (dimension->by != TL_BY_NOTHING) {
        place->points[dimension->by] = dimension->index[entry];
    }
}

void tl_plot_quote(const char *text, FILE *to)
{
    (void)fputc('\'', to);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '\'' ? "''" : (char[2]){*text, '\0'}, to);
    }
    (void)fputc('\'', to);
}

void tl_plot_number(double value, FILE *to)
{
    if (isfinite(value)) {
        (void)fprintf(to, "%.9g", value);
    } else {
        (void)fputs("NaN", to);
    }
}

unsigned tl_plot_text_width(const char *text)
{
    unsigned characters = 0;
    for (; *text != '\0'; text++) {
        characters += ((unsigned char)*text & 0xc0) != 0x80; /* UTF-8 */
    }
    return characters * CHARACTER;
}

static unsigned legend_width(const tl_dimension *series)
{
    unsigned width = 0;
    for (unsigned n = 0; series->by != TL_BY_NOTHING && n < series->count; n++) {
        width += SWATCH + tl_plot_text_width(series->labels[n]) + 4 * CHARACTER;
    }
    return width;
}

tl_plot_grid tl_plot_grid_size(const tl_figure *figure, unsigned columns, unsigned rows, unsigned panel_width,
                               const tl_dimension *series)
{
    const unsigned title = tl_plot_text_width(figure->title) * 5 / 4; /* larger letters */
    const unsigned legend = legend_width(series);
    const unsigned needed = ((title > legend ? title : legend) + columns - 1) / columns;
    tl_plot_grid grid = {.columns = columns, .rows = rows, .panel_width = panel_width, .panel_height = PANEL_HEIGHT};
    if (needed > LEFT + panel_width + RIGHT) {
        grid.panel_width = needed - LEFT - RIGHT;
    }
    grid.width = columns * (LEFT + grid.panel_width + RIGHT);
    grid.height = HEAD + rows * (ABOVE + PANEL_HEIGHT + BELOW);
    return grid;
}

/* gnuplot's own legend would move the title of the panel that it belongs to. */
static void put_legend(const tl_plot_grid *grid, const tl_dimension *series, FILE *to)
{
    double left = (grid->width - legend_width(series)) / 2.0;
    const double middle = 1 - (double)LEGEND / grid->height;
    const double half = SWATCH / 2.0 / grid->height;
    for (unsigned n = 0; series->by != TL_BY_NOTHING && n < series->count; n++) {
        (void)fprintf(to,
                      "set object %u rectangle from screen %.4f, screen %.4f to screen %.4f, screen %.4f "
                      "fillcolor '%s' fillstyle solid noborder\nset label %u ",
                      n + 1, left / grid->width, middle - half, (left + SWATCH) / grid->width, middle + half,
                      colours[n % COLOURS], n + 2);
        left += SWATCH + CHARACTER;
        tl_plot_quote(series->labels[n], to);
        (void)fprintf(to, " at screen %.4f, screen %.4f left\n", left / grid->width, middle);
        left += tl_plot_text_width(series->labels[n]) + 3 * CHARACTER;
    }
}

void tl_plot_grid_start(const tl_figure *figure, const tl_plot_grid *grid, const tl_dimension *series, FILE *to)
{
    (void)fprintf(to,
                  "set terminal svg size %u,%u font 'Helvetica,12' background 'white' noenhanced\n"
                  "set output '%s.svg'\nset encoding utf8\n",
                  grid->width, grid->height, figure->name);
    for (unsigned n = 0; n < COLOURS; n++) {
        (void)fprintf(to, "set linetype %u linecolor '%s' linewidth 1.5 pointtype %u\n", n + 1, colours[n], n + 5);
    }
    (void)fputs("set datafile separator tab\nset border 3\nset tics nomirror out\nset grid ytics linecolor '#dddddd'\n"
                "set style fill solid noborder\nset yrange [*<0:*]\nunset key\nset multiplot\nset label 1 ",
                to);
    tl_plot_quote(figure->title, to);
    (void)fprintf(to, " at screen 0.5, screen %.4f center font 'Helvetica,14'\n", 1 - (double)TITLE / grid->height);
    put_legend(grid, series, to);
}

void tl_plot_panel(const tl_plot_grid *grid, unsigned column, unsigned row, const char *title, FILE *to)
{
    const double left = column * (LEFT + grid->panel_width + RIGHT) + LEFT;
    const double top = HEAD + row * (ABOVE + grid->panel_height + BELOW) + ABOVE;
    if (column + row > 0) {
        (void)fputs("unset label\nunset object\n", to);
    }
    (void)fprintf(to,
                  "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                  "set tmargin at screen %.4f\nset bmargin at screen %.4f\nset title ",
                  left / grid->width, (left + grid->panel_width) / grid->width, 1 - top / grid->height,
                  1 - (top + grid->panel_height) / grid->height);
    tl_plot_quote(title, to);
    (void)fputc('\n', to);
}

int tl_plot_write(const tl_results *results, FILE *to)
{
    const tl_plot_kind kind = results->figure->figure->plot.kind;
    return kind == TL_PLOT_CDF || kind == TL_PLOT_TIMELINE ? tl_plot_write_curves(results, to)
                                                           : tl_plot_write_bars(results, to);
}
