/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Random loads by class, for check_random and `tilelens check --random`.
 *
 * Load `index` of a run is a pure function of tl_random_load_seed(seed, index), so that any load of a long run can
 * be made again alone: load k of seed S is load 0 of seed tl_random_load_seed(S, k).
 */
#ifndef TILELENS_RANDOM_LOAD_H
#define TILELENS_RANDOM_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tilelens/load.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Classes of loads. tl_random_class() gives each one's ID and what it exercises. */
typedef enum tl_random_class_index {
    TL_RANDOM_PLAIN_RANK,
    TL_RANDOM_PLAIN_SWIZZLE,
    TL_RANDOM_PLAIN_STEP,
    TL_RANDOM_PLAIN_EDGE,
    TL_RANDOM_PLAIN_OUTSIDE,
    TL_RANDOM_PLAIN_DEGENERATE,
    TL_RANDOM_PLAIN_HUGE,
    TL_RANDOM_PAPER,
    TL_RANDOM_PAPER_MISS,
    TL_RANDOM_UNALIGNED_I,
    TL_RANDOM_UNALIGNED_J,
    TL_RANDOM_V_TAIL,
    TL_RANDOM_V_NARROW,
    TL_RANDOM_WIDE_ROW,
    TL_RANDOM_ODD_ROW,
    TL_RANDOM_COLUMN_DIMS,
    TL_RANDOM_ROW_DIMS,
    TL_RANDOM_NEGATIVE,
    TL_RANDOM_OUTSIDE,
    TL_RANDOM_VIEW,
    TL_RANDOM_DEGENERATE,
    TL_RANDOM_STEP,
    TL_RANDOM_BIG_BOX,
    TL_RANDOM_PAGED,
    TL_RANDOM_WRAP,
    TL_RANDOM_GRANULARITY,
    TL_RANDOM_HUGE,
    TL_RANDOM_MIX,
    TL_RANDOM_BAD_COORDINATE,
    TL_RANDOM_BAD_SHARED_ADDRESS,
    TL_RANDOM_BAD_MAP,
    TL_RANDOM_CLASS_COUNT
} tl_random_class_index;

typedef struct tl_random_class_info {
    const char *id;          /* stable, e.g. "TM-PAPER" */
    const char *description; /* one line */
    unsigned weight;         /* share of the loads, in 1/1000 */
} tl_random_class_info;

const tl_random_class_info *tl_random_class(tl_random_class_index index);

typedef struct tl_random_load {
    tl_random_class_index class_index;
    bool legal;    /* false: TL_RANDOM_BAD_*, hardware must refuse it in every variant */
    bool same_map; /* the map is the one of load index - 1 */
    tl_tensor_params params;
    tl_tensor_map map;
    tl_load load;
    bool disagreement;          /* on some candidate, tl_oracle_tile_major_legal and encode did not agree */
    tl_tensor_params disagreed; /* that candidate */
} tl_random_load;

uint64_t tl_random_load_seed(uint64_t seed, uint64_t index);

void tl_random_load_make(tl_random_load *out, uint64_t seed, uint64_t index);

/** splitmix64: small, full period, good enough to draw test loads and stalls. */
typedef struct tl_random {
    uint64_t state;
} tl_random;

/** A generator whose stream has nothing in common with those of neighbouring seeds. */
tl_random tl_random_from(uint64_t seed);

uint64_t tl_random_next(tl_random *random);

/** Uniform in 0..bound-1; bound >= 1. */
uint64_t tl_random_below(tl_random *random, uint64_t bound);

#ifdef __cplusplus
}
#endif
#endif
