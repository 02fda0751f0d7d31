/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a run counts, and the metrics that follow.
 */
#ifndef TILELENS_LOCALITY_RESULT_H
#define TILELENS_LOCALITY_RESULT_H

#include <stdbool.h>

#include "gemm_operand.h"
#include "progress.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counters of one chiplet: accesses and misses in lines, misses by home, C by home. */
typedef struct tl_chiplet_counters {
    uint64_t accesses[TL_OPERANDS];
    uint64_t misses[TL_OPERANDS][TL_CHIPLETS_MAX];
    uint64_t c_bytes[TL_CHIPLETS_MAX];
} tl_chiplet_counters;

typedef enum tl_locality_engine { TL_ENGINE_FAST, TL_ENGINE_REFERENCE } tl_locality_engine;

typedef struct tl_locality_counters {
    tl_chiplet_counters chiplet[TL_CHIPLETS_MAX];
    tl_locality_engine engine; /* the one that ran */
    const char *fallback;      /* why the reference engine ran in place of the fast one; or null */
    uint32_t simulated_sets;   /* fast: sets simulated for each chiplet, of all its sets */
} tl_locality_counters;

/** One member a row of the table of keys, in its order. */
typedef struct tl_locality_metrics {
    double l2_hit_rate, hbm_locality;
    uint64_t local_bytes, remote_bytes;
    uint64_t a_accesses, b_accesses, a_misses, b_misses;
    uint64_t c_local_bytes, c_remote_bytes;
    double time_s, energy_j, tflop_per_joule;
    bool compute_bound;
    double seconds;
} tl_locality_metrics;

/**
 * The rule that no run takes hours: the engine that would run reads at most about 2^36 lines.
 * @param file  what the line names as the file
 * @return 0, or 2 and one line
 */
int tl_locality_check_work(const tl_locality_config *config, tl_locality_engine engine, const char *file, char *error,
                           size_t error_bytes);

/**
 * Run a checked configuration.
 * @param engine    TL_ENGINE_FAST falls back to the reference where it does not apply
 * @param progress  or null
 * @return 0, or 2 and one line when there is too little memory
 */
int tl_locality_run(const tl_locality_config *config, tl_locality_engine engine, const tl_progress *progress,
                    tl_locality_counters *out, char *error, size_t error_bytes);

/** @param seconds  processor time of the run */
void tl_locality_measure(const tl_locality_config *config, const tl_locality_counters *counters, double seconds,
                         tl_locality_metrics *out);

void tl_locality_write_json(const tl_locality_metrics *metrics, const tl_locality_counters *counters, FILE *file);

/** Lines of text: metric, value, unit and meaning. */
void tl_locality_write_text(const tl_locality_metrics *metrics, const tl_locality_counters *counters, char *text,
                            size_t text_bytes);

/** Key, unit and meaning, a line each, for `--help`. */
void tl_locality_print_results(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
