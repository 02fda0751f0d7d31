/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The configurations of a GEMM with the fewest remote bytes, over layouts of A and B, mappings and traversals.
 */
#ifndef TILELENS_LOCALITY_BEST_H
#define TILELENS_LOCALITY_BEST_H

#include "locality_result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_BEST_COUNT = 5 };

typedef struct tl_locality_choice {
    tl_locality_config config;
    tl_locality_metrics metrics;
    tl_locality_counters counters;
} tl_locality_choice;

typedef struct tl_locality_best {
    tl_locality_choice given;               /* the configuration that was asked about */
    tl_locality_choice best[TL_BEST_COUNT]; /* fewest remote bytes first; then least energy */
    unsigned count, searched;
} tl_locality_best;

/**
 * Configurations that no rule or check of work refuses; of several that only a traversal without effect tells apart,
 * one.
 * @param progress  or null
 * @return 0, or 2 and one line when there is too little memory
 */
int tl_locality_search(const tl_locality_config *config, tl_locality_engine engine, const tl_progress *progress,
                       tl_locality_best *out, char *error, size_t error_bytes);

/** The configuration given, then the best, a line each. */
void tl_locality_best_write_text(const tl_locality_best *best, char *text, size_t text_bytes);

/** A list: settings and numbers of the best. */
void tl_locality_best_write_json(const tl_locality_best *best, FILE *file);

#ifdef __cplusplus
}
#endif
#endif
