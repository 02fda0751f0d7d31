/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests of the TMA, a few hundred row pieces a tile, merged to the accesses that the memory system sees.
 *
 * Memory is cut into aligned units. In page memory a unit is a page and is read whole, however little of it is asked:
 * one access for each page. Elsewhere a unit is the longest request; pieces that touch each other inside one unit make
 * one access, which covers whole 32-byte sectors. Accesses come in the order in which they were first touched.
 */
#ifndef TILELENS_SIM_ACCESS_MERGER_H
#define TILELENS_SIM_ACCESS_MERGER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_SECTOR_BYTES = 32, TL_MERGER_MAX_UNIT_BYTES = 1 << 20 };

typedef struct tl_tile_access {
    uint64_t address;      /* of a page, or of a sector */
    uint32_t bytes;        /* to be read: a page, or whole sectors */
    uint32_t useful_bytes; /* of these, asked for by the tile */
} tl_tile_access;

typedef struct tl_merger_slot {
    uint32_t generation; /* of the tile that wrote the slot: others are empty */
    uint32_t index;
} tl_merger_slot;

/** Fields are private except accesses and count. */
typedef struct tl_access_merger {
    tl_tile_access *accesses;
    uint32_t count, capacity;
    uint32_t last; /* index of the access that was touched last */
    uint32_t log2_unit;
    bool whole_units;
    uint32_t generation;
    uint32_t log2_slots;
    tl_merger_slot *slots; /* hash table: unit -> its newest access */
} tl_access_merger;

/**
 * @param unit_bytes   power of two, at least a sector
 * @param whole_units  page memory
 * @param capacity     accesses of one tile at most
 * @return false when memory runs out
 */
bool tl_access_merger_init(tl_access_merger *merger, uint32_t unit_bytes, bool whole_units, uint32_t capacity);
void tl_access_merger_free(tl_access_merger *merger);

/** Forget all accesses: the next tile begins. */
void tl_access_merger_reset(tl_access_merger *merger);

/** Add a contiguous piece of memory, of any length and alignment. Pieces of one tile do not overlap. */
void tl_access_merger_add(tl_access_merger *merger, uint64_t address, uint32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
