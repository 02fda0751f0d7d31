/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One TMA load: launch check, and the stream of requests it causes, in the order of the RTL.
 *
 * The engine is the mirror of rtl/tma_top.sv: the seven stages of stages.h, joined. It allocates nothing; the
 * caller owns the engine, which is a plain value and may be copied or dropped at any time.
 */
#ifndef TILELENS_LOAD_H
#define TILELENS_LOAD_H

#include "tilelens/stages.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a box is loaded from and to. Coordinates in elements, dimension 0 first; entries at and above rank unused. */
typedef struct tl_load {
    int32_t coordinates[TL_MAX_RANK];
    uint32_t shared_address; /* bytes, multiple of 128 */
} tl_load;

/**
 * Everything a launch needs: a legal map (each rule under its own status), coordinate[0] * s a multiple of 16
 * bytes, a shared address that is a multiple of 128, and a destination that ends at or below 2^32.
 */
tl_status tl_launch_check(const tl_tensor_map *map, const tl_load *load);

/** Bytes that the load's mbarrier counts: prod(n_d) * s, fill included. The map must be legal. */
uint64_t tl_load_bytes(const tl_tensor_map *map);

/** Shared-memory bytes from the shared address to the end of the last row: rows * pitch. The map must be legal. */
uint64_t tl_load_footprint_bytes(const tl_tensor_map *map);

/** State of one load between two requests. */
typedef struct tl_engine {
    tl_fields fields;
    tl_products products;
    tl_tile_base base;
    tl_levels levels;
    tl_counters counters;
} tl_engine;

/**
 * Run the set-up stages: desc_decode, coord_mul, split_sum, dim_convert, and arm the counters.
 * @return TL_OK: tl_engine_next yields at least one request. Otherwise the status that the RTL reports in its
 *         single refusal beat; the stage structs computed so far stay readable for a dump.
 * @note The map is taken as hardware takes it: call tl_launch_check first for maps that did not come from encode.
 */
tl_status tl_engine_start(tl_engine *engine, const tl_tensor_map *map, const tl_load *load, tl_variant variant);

/** The next request. @return false when the load is complete; *request is then left untouched. */
bool tl_engine_next(tl_engine *engine, tl_request *request);

#ifdef __cplusplus
}
#endif
#endif
