/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One run of Yosys: a design, a library and an ordering of the netlist. The flow itself is in rtl/syn.
 */
#ifndef TILELENS_GATES_JOB_H
#define TILELENS_GATES_JOB_H

#include "gates_table.h"

enum { TL_PATH_BYTES = 4096, TL_FILES_BYTES = 4096 };

typedef enum tl_job_design {
    TL_JOB_TOTAL,  /* tma_synth, flattened: area, and area and delay when mapped for speed */
    TL_JOB_STAGES, /* tma_synth, each stage by itself: areas */
    TL_JOB_MULTIPLIER
} tl_job_design;

typedef struct tl_gates_job {
    tl_job_design design;
    tl_variant variant; /* not for the multiplier */
    int product_width;  /* of the multiplier */
    unsigned ordering;  /* from 0 */
    tl_gates_table *table;
} tl_gates_job;

/** Where the RTL is and what rtl.f lists. */
typedef struct tl_gates_sources {
    char rtl[TL_PATH_BYTES];
    char files[TL_FILES_BYTES]; /* Yosys script text: " rtl/NAME.sv" for each */
} tl_gates_sources;

/** Find the RTL and read rtl.f. @return 0, or 2 after a line on stderr */
int tl_gates_sources_find(tl_gates_sources *out);

/** Write job.ys and what it reads into `folder`. @return 0, or 2 after a line on stderr */
int tl_gates_job_prepare(const tl_gates_job *job, const tl_gates_sources *sources, const char *folder);

/**
 * Put what Yosys found into the job's table.
 * @return 0; or after a line on stderr 1, the RTL failed a check, or 2, the library is at fault
 */
int tl_gates_job_finish(const tl_gates_job *job, const char *folder, int succeeded);

#endif
