/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A figure file: which runs there are, what is drawn of them, and what the paper says.
 *
 * Axes with named points span the runs: one run for each choice of one point on every axis. Runs are numbered with the
 * last axis fastest.
 */
#ifndef TILELENS_SWEEP_FIGURE_H
#define TILELENS_SWEEP_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "complaint.h"
#include "yaml_tree.h"

enum {
    TL_FIGURE_AXES = 6,
    TL_FIGURE_POINTS = 64, /* of an axis */
    TL_FIGURE_RUNS = 4096,
    TL_FIGURE_SETTINGS = 2048, /* written in the file */
    TL_FIGURE_RUN_SETTINGS = 64,
    TL_FIGURE_CASES = 32,
    TL_FIGURE_METRICS = 16,
    TL_FIGURE_SUM_KEYS = 4,
    TL_FIGURE_PAPER_ROWS = 64,
    TL_FIGURE_NAME_BYTES = 128,
    TL_FIGURE_PATH_BYTES = 4096,
    TL_FIGURE_TEXT_BYTES = 65536
};

/** KEY=VALUE for the program; without a value, the key is not set. */
typedef struct tl_setting {
    const char *key, *value;
} tl_setting;

typedef struct tl_settings {
    const tl_setting *entries;
    size_t count;
} tl_settings;

typedef struct tl_axis_point {
    const char *name, *label;
    tl_settings set;
    double cost; /* run time as a multiple of other points', to start long runs first */
} tl_axis_point;

typedef struct tl_axis {
    const char *name;
    tl_axis_point points[TL_FIGURE_POINTS];
    unsigned point_count;
} tl_axis;

/** Runs by their points: bit n of axis[a] lets point n of axis a in. */
typedef struct tl_selection {
    uint64_t axis[TL_FIGURE_AXES];
} tl_selection;

/** Another run: the point of each axis that differs, -1 where none does. */
typedef struct tl_other_run {
    bool given;
    int point[TL_FIGURE_AXES];
} tl_other_run;

/** Settings of the runs where certain points meet. */
typedef struct tl_figure_case {
    tl_selection at;
    tl_settings set;
} tl_figure_case;

/** Keys of a result, added up. */
typedef struct tl_key_sum {
    const char *keys[TL_FIGURE_SUM_KEYS];
    unsigned count;
} tl_key_sum;

/** A number of a run: (key / per - that of run `minus`) / that of run `over` x scale. */
typedef struct tl_metric {
    const char *name, *label;
    tl_key_sum key, per; /* per.count 0: no division */
    tl_other_run minus, over;
    double scale;
} tl_metric;

typedef enum tl_plot_kind {
    TL_PLOT_BARS,
    TL_PLOT_STACKED_BARS,
    TL_PLOT_LINES,
    TL_PLOT_CDF,
    TL_PLOT_TIMELINE
} tl_plot_kind;

/** A dimension of a plot: an axis, 0 and up, or one of these. */
enum { TL_BY_METRIC = -1, TL_BY_NOTHING = -2 };

typedef struct tl_plot {
    tl_plot_kind kind;
    int x, series, panels;
    unsigned panel_columns;
    unsigned y[TL_FIGURE_METRICS]; /* metrics */
    unsigned y_count;
    const char *curve;     /* of cdf and timeline: key of a list in the results */
    double x_scale, x_max; /* of curves; x_max 0: all */
    const char *x_label, *y_label;
    bool geomean; /* a last group: geometric mean over x */
    tl_selection at;
} tl_plot;

typedef enum tl_aggregate {
    TL_AS_SINGLE, /* the one run that is selected */
    TL_AS_GEOMEAN,
    TL_AS_MEAN,
    TL_AS_MIN,
    TL_AS_MAX,
    TL_AS_RANGE
} tl_aggregate;

/** A number or range that the paper gives. */
typedef struct tl_paper_row {
    const char *what, *reason; /* reason may be null */
    unsigned metric;
    tl_selection at;
    tl_aggregate as;
    double low, high; /* equal: a number */
    double tolerance; /* ours is the paper's within this share */
} tl_paper_row;

typedef struct tl_figure {
    const char *path;                  /* as it was given */
    char folder[TL_FIGURE_PATH_BYTES]; /* absolute; runs start there */
    char name[TL_FIGURE_NAME_BYTES];   /* of the file, without folder and ending */
    const char *title, *command, *config;
    tl_axis axes[TL_FIGURE_AXES];
    unsigned axis_count;
    size_t run_count;
    tl_figure_case cases[TL_FIGURE_CASES];
    size_t case_count;
    tl_metric metrics[TL_FIGURE_METRICS];
    unsigned metric_count;
    tl_plot plot;
    tl_paper_row paper[TL_FIGURE_PAPER_ROWS];
    size_t paper_count;
    tl_setting settings[TL_FIGURE_SETTINGS]; /* what the tl_settings above point to */
    size_t setting_count;
    char joined[2 * TL_FIGURE_TEXT_BYTES]; /* lists as text */
    size_t joined_bytes;
    tl_tree tree; /* what the texts above point to */
} tl_figure;

/** @return 0 and *out for tl_figure_free, or 2 and a complaint */
int tl_figure_load(const char *path, tl_figure **out, char *error, size_t error_bytes);
void tl_figure_free(tl_figure *figure);

/* figure_runs.c: runs and their points. */

/** Point of each axis. */
void tl_figure_run_points(const tl_figure *figure, size_t run, unsigned points[TL_FIGURE_AXES]);
size_t tl_figure_run_at(const tl_figure *figure, const unsigned points[TL_FIGURE_AXES]);
size_t tl_figure_other_run(const tl_figure *figure, size_t run, const tl_other_run *other);
bool tl_figure_selects(const tl_figure *figure, const tl_selection *selection, size_t run);

/** All points of all axes. */
tl_selection tl_figure_select_all(const tl_figure *figure);

/** Settings of a run, sorted by key: axes in the order of the file, then cases; the last that names a key wins. */
size_t tl_figure_run_settings(const tl_figure *figure, size_t run, tl_setting settings[TL_FIGURE_RUN_SETTINGS]);

/** Product of the costs of its points. */
double tl_figure_run_cost(const tl_figure *figure, size_t run);

/** `memory=hbm, layout=row_major`. */
void tl_figure_run_name(const tl_figure *figure, size_t run, char *text, size_t text_bytes);

#endif
