/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The plot of a figure as a script for gnuplot that holds its own data.
 */
#ifndef TILELENS_SWEEP_PLOT_H
#define TILELENS_SWEEP_PLOT_H

#include <stdio.h>

#include "results.h"

/** @return 0, or 2 after a line on stderr */
int tl_plot_write(const tl_results *results, FILE *to);

/* ---- parts of it ------------------------------------------------------------------------------------------------- */

/** One way to go through the plot: the points of an axis under `at`, the metrics, or one nameless entry. */
typedef struct tl_dimension {
    int by;
    unsigned count;
    unsigned index[TL_FIGURE_POINTS]; /* point of the axis, or metric */
    const char *labels[TL_FIGURE_POINTS];
} tl_dimension;

void tl_dimension_make(const tl_figure *figure, int by, tl_dimension *out);

/** A place in the plot: the run and metric that its dimensions choose. */
typedef struct tl_plot_place {
    unsigned points[TL_FIGURE_AXES];
    unsigned metric;
} tl_plot_place;

/** The first point of everything under `at`. */
tl_plot_place tl_plot_start(const tl_figure *figure);
void tl_plot_choose(tl_plot_place *place, const tl_dimension *dimension, unsigned entry);

/** Panels in a grid; the first row is 0. */
typedef struct tl_plot_grid {
    unsigned columns, rows;
    unsigned panel_width, panel_height; /* pixels, as all that follows */
    unsigned width, height;
} tl_plot_grid;

/** Panels so wide at least, and the figure as wide as its title and legend. */
tl_plot_grid tl_plot_grid_size(const tl_figure *figure, unsigned columns, unsigned rows, unsigned panel_width,
                               const tl_dimension *series);

/** About how wide a text is drawn, in pixels. */
unsigned tl_plot_text_width(const char *text);

/** Title and legend. */
void tl_plot_grid_start(const tl_figure *figure, const tl_plot_grid *grid, const tl_dimension *series, FILE *to);

/** Place of a panel; what plots into it comes next. */
void tl_plot_panel(const tl_plot_grid *grid, unsigned column, unsigned row, const char *title, FILE *to);

/** 'it''s' */
void tl_plot_quote(const char *text, FILE *to);

/** NaN as gnuplot wants it. */
void tl_plot_number(double value, FILE *to);

/* plot_bars.c, plot_curves.c */
int tl_plot_write_bars(const tl_results *results, FILE *to);
int tl_plot_write_curves(const tl_results *results, FILE *to);

#endif
