/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The kernels of one feed-forward layer: tensors with their tensor maps, thread blocks in raster order, and the TMA
 * loads of every tile.
 *
 * The matrices of all experts are one tensor, [experts][image of K x N], with one rank-3 tensor map (rank 2 when
 * dense): dimension 0 is the contiguous one, dimension 2 the expert. A tile is fetched in boxes at most 256 elements
 * a side and, along the contiguous dimension, one swizzle span (128 bytes) wide.
 *
 * Activations lie row-major, a row a token, in activation memory. Tokens of one expert are scattered over the batch,
 * so that a mixture of experts loads them row by row; a dense layer loads a box of rows.
 *
 * Thread blocks (CTAs) are numbered as Triton does with GROUP_SIZE_M: blocks of tokens, expert by expert, in groups
 * of group_size_m; inside a group the block of tokens varies fastest, then the column block. An expert without tokens
 * has no CTA.
 */
#ifndef TILELENS_SIM_WORKLOAD_H
#define TILELENS_SIM_WORKLOAD_H

#include "load_source.h"
#include "model.h"
#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_WORKLOAD_KERNELS = 2, TL_ALLOCATION_BYTES = 4096 };

/** Where tensors are allocated, one after the other, each on a multiple of TL_ALLOCATION_BYTES and its memory tile. */
typedef struct tl_placement {
    uint64_t weight_base, activation_base; /* not 0, which is no address for a TMA */
} tl_placement;

/** One product of the layer. Its weight has tensor map 2 * index, its activation 2 * index + 1. */
typedef struct tl_gemm {
    uint64_t k, n;
    uint32_t n_blocks;
    tl_tensor weight, activation;
} tl_gemm;

/** The part of a product that one CTA computes. */
typedef struct tl_cta {
    uint32_t expert;
    uint32_t m_block;     /* over all experts */
    uint32_t n_block;
    uint32_t first_token; /* in the list of routed tokens, which is sorted by expert */
    uint32_t tokens;      /* 1..tile_m */
    uint32_t split;       /* part of the K-loop, 0..down_split_k - 1; beyond K everything is out of bounds */
} tl_cta;

typedef struct tl_workload tl_workload;

/** @return null and *error when a key is out of range, a tensor map is refused, or memory runs out */
tl_workload *tl_workload_create(const tl_model *model, const tl_tensor_rate *rate, const tl_placement *placement,
                                tl_input_error *error);
void tl_workload_destroy(tl_workload *workload);

/** The workload as a source of loads; valid as long as the workload. */
const tl_load_source *tl_workload_source(const tl_workload *workload);

const tl_gemm *tl_workload_gemm(const tl_workload *workload, uint32_t kernel);
tl_cta tl_workload_cta(const tl_workload *workload, uint32_t kernel, uint32_t cta);

uint32_t tl_workload_active_experts(const tl_workload *workload);
uint32_t tl_workload_tokens(const tl_workload *workload, uint32_t expert);

/** Bytes of the weights that a run has to read at least once: matrices of active experts, without padding. */
uint64_t tl_workload_weight_bytes(const tl_workload *workload);

/** Bytes of weights that the TMAs of a run ask for: once for each block of tokens. */
uint64_t tl_workload_asked_weight_bytes(const tl_workload *workload);

#ifdef __cplusplus
}
#endif
#endif
