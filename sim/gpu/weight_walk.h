/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How each kernel walks through its weight along K, from its tensor map and the engine's first requests: what a stride
 * prefetcher must know (stride_prefetcher.h).
 */
#ifndef TILELENS_SIM_WEIGHT_WALK_H
#define TILELENS_SIM_WEIGHT_WALK_H

#include "../prefetch/stride_prefetcher.h"
#include "load_source.h"
#include "tile_loads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_byte_range {
    uint64_t begin, end; /* begin = end: empty */
} tl_byte_range;

/**
 * One tensor for each kernel whose weight is read through a tensor map and has more than one K-step; kernels that share
 * a weight make one.
 * @param tensors  room for source->kernel_count
 * @return how many
 */
uint32_t tl_weight_walks(const tl_load_source *source, tl_tile_loads *loads, uint32_t page_bytes,
                         tl_prefetch_tensor *tensors);

/** From the first to the last byte of the matrix that a tensor map describes. */
tl_byte_range tl_map_range(const tl_source_map *map);

/** From the first to the last byte of all weights, or all activations, that have a tensor map. */
tl_byte_range tl_operand_range(const tl_load_source *source, tl_operand operand);

#ifdef __cplusplus
}
#endif
#endif
