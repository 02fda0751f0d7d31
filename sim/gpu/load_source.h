/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a run executes, as the rest of the GPU sees it: kernels, their thread blocks (CTAs), and the loads of each tile.
 * A workload (workload.h) and a replayed trace (trace.h) are two sources of it.
 *
 * A tile is what one CTA waits for before it computes one K-step: weights and activations together.
 */
#ifndef TILELENS_SIM_LOAD_SOURCE_H
#define TILELENS_SIM_LOAD_SOURCE_H

#include <stdint.h>

#include "tilelens/load.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tl_operand { TL_OPERAND_WEIGHT = 0, TL_OPERAND_ACTIVATION, TL_OPERAND_COUNT } tl_operand;

enum { TL_KERNEL_NAME_BYTES = 24 };

/** Kernels run one after the other: the next starts when the last CTA has retired. */
typedef struct tl_kernel {
    char name[TL_KERNEL_NAME_BYTES];
    uint32_t cta_count;
    uint32_t step_count; /* K-steps of every CTA */
    uint64_t compute_ps; /* of one K-step */
    uint32_t ctas_per_sm, stages, tiles_in_flight;
} tl_kernel;

/** A tensor map, encoded once, and what it loads. */
typedef struct tl_source_map {
    tl_tensor_map map;
    tl_operand operand;
} tl_source_map;

/** A read of a kernel that computes its addresses itself. */
typedef struct tl_plain_read {
    uint64_t address;
    uint32_t bytes;
} tl_plain_read;

#define TL_MAP_NONE UINT32_MAX

typedef struct tl_tile_load {
    uint32_t map; /* index of the tensor map; TL_MAP_NONE: a plain read */
    tl_operand operand;
    union {
        tl_load tma;
        tl_plain_read plain;
    } of;
} tl_tile_load;

typedef struct tl_load_source {
    const void *context;
    const tl_kernel *kernels;
    const tl_source_map *maps;
    uint32_t kernel_count, map_count;
    uint32_t max_loads;       /* of one tile */
    uint32_t max_bytes;       /* of one tile, fill included */
    /** The loads of a tile in program order, at most max_loads. @return how many */
    uint32_t (*tile_loads)(const void *context, uint32_t kernel, uint32_t cta, uint32_t step, tl_tile_load *loads);
} tl_load_source;

#ifdef __cplusplus
}
#endif
#endif
