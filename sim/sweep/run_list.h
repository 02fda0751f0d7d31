/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The runs of all figures of a sweep, each once. A run's result is the file OUT/runs/ID.json, where ID is a digest of
 * all that makes it: the program, the settings, and the content of every file that they name.
 */
#ifndef TILELENS_SWEEP_RUN_LIST_H
#define TILELENS_SWEEP_RUN_LIST_H

#include "figure.h"

enum { TL_SWEEP_FIGURES = 64, TL_RUN_ID_BYTES = 17 };

typedef struct tl_sweep_run {
    const tl_figure *figure; /* the first that needs it, and its run */
    size_t figure_run;
    const char *program;
    char id[TL_RUN_ID_BYTES];
    double cost;  /* the highest that a figure gives it */
    size_t order; /* in the files */
} tl_sweep_run;

/** A figure and the IDs of its runs. */
typedef struct tl_sweep_figure {
    tl_figure *figure;
    char program[TL_FIGURE_PATH_BYTES];
    char (*ids)[TL_RUN_ID_BYTES];
} tl_sweep_figure;

typedef struct tl_run_list {
    tl_sweep_figure figures[TL_SWEEP_FIGURES];
    size_t figure_count;
    tl_sweep_run *runs; /* the longest first once tl_run_list_finish was called */
    size_t count;
    char out[TL_FIGURE_PATH_BYTES]; /* absolute */
} tl_run_list;

/** Load a figure file and add its runs. @return 0, or 2 after a line on stderr */
int tl_run_list_add(tl_run_list *list, const char *path);

/** Order the runs. */
void tl_run_list_finish(tl_run_list *list);
void tl_run_list_free(tl_run_list *list);

/** OUT/runs/IDENDING. @return whether that is a file */
bool tl_run_file(const tl_run_list *list, const char *id, const char *ending, char path[TL_FIGURE_PATH_BYTES]);

/** tilelens-COMMAND, beside this program or in $PATH. @return false where there is none */
bool tl_program_find(const char *command, char path[TL_FIGURE_PATH_BYTES]);

#endif
