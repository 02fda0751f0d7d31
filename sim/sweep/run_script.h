/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The runs without a result as a shell script, for GNU parallel to call.
 */
#ifndef TILELENS_SWEEP_RUN_SCRIPT_H
#define TILELENS_SWEEP_RUN_SCRIPT_H

#include <stdio.h>

#include "run_list.h"

enum { TL_RUN_PART_BYTES = 32 };

typedef struct tl_run_script {
    char path[TL_FIGURE_PATH_BYTES];   /* of the script; its argument is one of `names` */
    char failed[TL_FIGURE_PATH_BYTES]; /* file of lines `STATUS ID`, one a run that failed */
    FILE *names;                       /* arguments, one a line, in the order of the list; read from the start */
    size_t run_count;
} tl_run_script;

/** @return 0 and a script to remove, or 2 after a line on stderr */
int tl_run_script_write(const tl_run_list *list, tl_run_script *out);
void tl_run_script_remove(tl_run_script *script);

/** Ending of a result that is not complete, of this process. */
void tl_run_part_ending(char ending[TL_RUN_PART_BYTES]);

#endif
