/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Accesses of tiles that were seen before, moved to a new place.
 *
 * The engine is a deterministic machine: what it emits after its set-up depends on the tensor map and on the state in
 * which its counters start. Two loads of one map that start in the same state but for the address of the memory tile
 * (the cursor above the bits that permute turns) emit the same requests, moved by the difference of these addresses.
 * A tile whose loads all agree in this, lie at the same distance from each other, and begin at the same place inside
 * a page, therefore has the same accesses. So each tile still runs the set-up of the engine for each of its loads; only
 * the requests that follow are remembered instead of stepped through again.
 */
#ifndef TILELENS_SIM_TILE_PATTERNS_H
#define TILELENS_SIM_TILE_PATTERNS_H

#include <stddef.h>

#include "access_merger.h"
#include "load_source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is not worth remembering: tiles of many loads of one operand, and boxes of so few rows (gathered ones) that
 * their set-up costs as much as their requests. */
enum { TL_SHAPE_MAX_LOADS = 16, TL_SHAPE_MIN_ROWS = 8 };

/** The start of one load, without its place. */
typedef struct tl_load_start {
    uint32_t map;
    uint64_t distance;    /* of its memory tile from that of the tile's first load, bytes */
    tl_counters counters; /* cursor: bits inside the memory tile; row_address: 0 */
} tl_load_start;

typedef struct tl_tile_shape {
    uint32_t load_count;
    uint64_t base_in_unit; /* address of the first load's memory tile inside a page or request */
    tl_load_start loads[TL_SHAPE_MAX_LOADS];
} tl_tile_shape;

/** What the requests of one operand of a tile amount to. */
typedef struct tl_tile_sum {
    uint64_t useful_bytes, fill_bytes;
    uint32_t requests;
} tl_tile_sum;

typedef struct tl_tile_pattern {
    tl_tile_shape shape;
    tl_tile_sum sum;
    uint32_t count;
    size_t first_access; /* in the store; addresses are relative to the first load's memory tile */
} tl_tile_pattern;

typedef struct tl_tile_patterns {
    uint64_t unit_bytes;
    tl_tile_pattern *patterns;
    tl_tile_access *store; /* of all patterns; when it is full, everything is forgotten */
    size_t store_capacity, store_count;
} tl_tile_patterns;

/** @param max_accesses  of one tile. @return false when memory runs out */
bool tl_tile_patterns_init(tl_tile_patterns *patterns, uint32_t unit_bytes, uint32_t max_accesses);
void tl_tile_patterns_free(tl_tile_patterns *patterns);

/**
 * Run the set-up of the engine for all loads of one operand.
 * @param[out] base  address of the first load's memory tile
 * @return TL_OK, or why the engine refused a load
 */
tl_status tl_tile_shape_of(const tl_tile_patterns *patterns, const tl_source_map *maps, const tl_tile_load *loads,
                           uint32_t load_count, tl_tile_shape *shape, uint64_t *base);

/** @return the remembered pattern of a shape, or null */
const tl_tile_pattern *tl_tile_patterns_find(const tl_tile_patterns *patterns, const tl_tile_shape *shape);

/** Remember what a shape at this base came to. */
void tl_tile_patterns_add(tl_tile_patterns *patterns, const tl_tile_shape *shape, uint64_t base,
                          const tl_tile_access *accesses, uint32_t count, const tl_tile_sum *sum);

/** The accesses of the pattern at a new base. @return how many */
uint32_t tl_tile_patterns_place(const tl_tile_patterns *patterns, const tl_tile_pattern *pattern, uint64_t base,
                                tl_tile_access *accesses);

#ifdef __cplusplus
}
#endif
#endif
