/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The numbers of a figure as text.
 */
#ifndef TILELENS_SWEEP_TABLES_H
#define TILELENS_SWEEP_TABLES_H

#include <stdio.h>

#include "results.h"

/** CSV: a row a run, its points, its metrics, and the name of its result. */
void tl_csv_write(const tl_results *results, FILE *to);

/** CSV of the plot's curves: a row a point. @return 0, or 2 after a line on stderr */
int tl_csv_write_curves(const tl_results *results, FILE *to);

/** The table beside the paper, in Markdown. */
void tl_paper_table_write(const tl_results *results, FILE *to);

/** What a row of that table is about: our number or range; NaN where there is none. */
typedef struct tl_paper_numbers {
    double low, high;             /* ours; equal but for a range */
    double low_ratio, high_ratio; /* to the paper; to the nearer end of a range, 1 inside */
    bool agrees;                  /* within the tolerance */
} tl_paper_numbers;

void tl_paper_numbers_make(const tl_results *results, const tl_paper_row *row, tl_paper_numbers *out);

#endif
