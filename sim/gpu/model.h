/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A feed-forward layer of a language model and the kernel that computes it: everything a run needs to know about its
 * workload. A mixture of experts and a dense layer differ only in the number of experts.
 *
 * The layer is two matrix products, X (tokens x K) times W (K x N), for each expert:
 *
 *   gate_up   K = hidden         N = 2 * intermediate (gated), or intermediate
 *   down      K = intermediate   N = hidden
 */
#ifndef TILELENS_SIM_MODEL_H
#define TILELENS_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "input_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_MODEL_MAX_TOP_K = 1024 };

/** How weights lie in memory. Tile-major is that of a column-major original (K contiguous). */
typedef enum tl_weight_layout {
    TL_WEIGHT_COLUMN_MAJOR = 0,
    TL_WEIGHT_ROW_MAJOR,
    TL_WEIGHT_TILE_MAJOR,
    TL_WEIGHT_LAYOUT_COUNT
} tl_weight_layout;

typedef struct tl_model {
    uint32_t hidden;       /* elements of one token */
    uint32_t intermediate; /* elements between the two products, of one expert or of the dense layer */
    bool gated;            /* the first product makes a gate and a value, fused along N */
    uint32_t experts;      /* 1: dense */
    uint32_t top_k;        /* experts that one token is routed to */
    double routing_skew;   /* popularity of expert e is (e + 1)^-skew; 0: uniform */
    uint64_t routing_seed;
    uint32_t batch; /* tokens */
    uint32_t element_bytes;

    uint32_t tile_m, tile_n, tile_k; /* compute tile: tokens, columns and K-step, elements */
    uint32_t down_split_k;           /* thread blocks that share the K-loop of one tile of the second product */
    uint32_t group_size_m;           /* blocks of tokens that a raster group walks before the next column */
    uint32_t ctas_per_sm;
    uint32_t stages;          /* shared-memory buffers of one CTA, each for one K-step */
    uint32_t tiles_in_flight; /* K-steps that a CTA waits for at once, at most `stages` */

    tl_weight_layout weight_layout;
    uint32_t memory_tile[2]; /* tile-major: a (along K), b; elements */
} tl_model;

/** What the tensor cores of one SM do, as far as the duration of a K-step depends on it. */
typedef struct tl_tensor_rate {
    double flop_per_s;  /* dense peak of the whole GPU */
    uint32_t sm_count;
    double efficiency;  /* share of the peak that a kernel reaches, 0 < e <= 1 */
} tl_tensor_rate;

/** Every key in its range, and the keys against each other. @return false and *error for the first that is not */
bool tl_model_check(const tl_model *model, tl_input_error *error);

/** Shared memory that the CTAs of one SM take: weight and activation tiles of every stage, bytes. */
uint64_t tl_model_shared_bytes(const tl_model *model);

/** @return false and *error when the CTAs of one SM do not fit in its shared memory */
bool tl_model_check_shared_memory(const tl_model *model, uint64_t shared_memory_bytes, tl_input_error *error);

bool tl_tensor_rate_check(const tl_tensor_rate *rate, tl_input_error *error);

/** Duration of one K-step on one SM; the tensor cores compute the whole tile, padding rows included. */
uint64_t tl_model_compute_ps(const tl_model *model, const tl_tensor_rate *rate);

#ifdef __cplusplus
}
#endif
#endif
