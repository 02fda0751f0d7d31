/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the runs of one figure gave: its metrics, and lists of points.
 */
#ifndef TILELENS_SWEEP_RESULTS_H
#define TILELENS_SWEEP_RESULTS_H

#include "run_list.h"

typedef struct tl_results {
    const tl_run_list *list;
    const tl_sweep_figure *figure;
    double *values; /* metric after metric, of all runs; NaN where a divisor is 0 */
} tl_results;

/** Read the results and compute the metrics. @return 0 and *out to free, or 2 after a line on stderr */
int tl_results_load(const tl_run_list *list, const tl_sweep_figure *figure, tl_results *out);
void tl_results_free(tl_results *results);

double tl_results_value(const tl_results *results, unsigned metric, size_t run);

/** Points of a list in a result. */
typedef struct tl_curve {
    double *x, *y;
    size_t count;
} tl_curve;

/**
 * The curve of the plot from one run: a list of pairs, or a mapping of `bin_ns` and a list of one value a bin.
 * @return 0 and *out to free, or 2 after a line on stderr
 */
int tl_results_curve(const tl_results *results, size_t run, tl_curve *out);
void tl_curve_free(tl_curve *curve);

#endif
