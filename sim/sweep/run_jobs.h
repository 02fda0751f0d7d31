/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs what has no result yet, over the processors, with GNU parallel.
 */
#ifndef TILELENS_SWEEP_RUN_JOBS_H
#define TILELENS_SWEEP_RUN_JOBS_H

#include "run_list.h"

/**
 * Start each run without a result, in the order of the list; a result gets its name when it is complete. The first that
 * fails stops the rest from being started.
 * @return 0; after a line on stderr 2 (bad input) or 1 (another failure of a run); 128 + the signal when interrupted
 */
int tl_run_jobs(const tl_run_list *list, unsigned jobs);

/** Run a program in a folder and wait for it, its output thrown away. @return its exit status, 127 where it is missing
 */
int tl_run_quietly(const char *const *argv, const char *folder);

#endif
