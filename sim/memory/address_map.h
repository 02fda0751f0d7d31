/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a byte address to a target and the target's own address, and back: system address -> channel, channel address ->
 * plane group or virtual bank. Every kind works for any number of targets (96, 108, 78) but bit lists, whose channel
 * field makes a power of two. A map is data and is proved a bijection by tl_address_map_self_check().
 */
#ifndef TL_SIM_MEMORY_ADDRESS_MAP_H
#define TL_SIM_MEMORY_ADDRESS_MAP_H

#include "bit_map.h"
#include "channel.h"
#include "divisor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tl_map_kind {
    TL_MAP_MODULO,      /* unit u -> target u % N */
    TL_MAP_HASH,        /* all units shuffled by a hash, then modulo: like throwing dice */
    TL_MAP_PERMUTATION, /* each aligned run of N units meets all N targets once, rotated by a hash of the run's number
                         */
    TL_MAP_BITS         /* the channel field of a bit list; the other bits in their order are the target's address */
} tl_map_kind;

typedef struct tl_address_map_config {
    tl_map_kind kind;
    uint32_t targets;          /* N >= 1 */
    uint32_t unit_bytes;       /* a power of two: what stays together on one target */
    uint32_t access_bytes;     /* a power of two <= unit_bytes: alignment of addresses and sizes */
    uint64_t units_per_target; /* capacity */
    uint64_t seed;             /* of the hash; independent maps take different seeds */
    tl_bit_map bits;           /* TL_MAP_BITS only; gives targets, units_per_target and unit_bytes */
} tl_address_map_config;

typedef struct tl_location {
    uint32_t target;
    uint64_t local_address; /* bytes */
} tl_location;

typedef struct tl_address_map {
    tl_address_map_config config;
    uint64_t capacity_bytes;
    uint64_t unit_count;
    uint64_t unit_mask;
    tl_divisor targets;
    uint64_t rotation_seed; /* TL_MAP_PERMUTATION */
    unsigned unit_shift;
    unsigned hash_bits;     /* TL_MAP_HASH: the shuffle runs in [0, 2^hash_bits) and skips what is out of range */
    tl_bit_decoder decoder; /* TL_MAP_BITS: channel -> TL_BIT_CHANNEL, all else -> TL_BIT_ROW and TL_BIT_COLUMN */
} tl_address_map;

/* TL_MEM_BAD_MAP: zero or too many targets, sizes that are no powers of two, capacity over 2^48, bits not used once. */
tl_mem_status tl_address_map_init(tl_address_map *map, const tl_address_map_config *config);

/* Refuses what is misaligned, out of range or crosses a unit. On a refusal *location is untouched. */
tl_mem_status tl_address_map_locate(const tl_address_map *map, uint64_t address, uint32_t bytes, tl_location *location);

/* The inverse, for any byte of the target. */
tl_mem_status tl_address_map_address(const tl_address_map *map, const tl_location *location, uint64_t *address);

/* Goes there and back for `samples` addresses spread over the space, and over every unit when there are no more than
 * that; then also proves that no two units meet. TL_MEM_BAD_MAP on the first difference. Allocates while it runs. */
tl_mem_status tl_address_map_self_check(const tl_address_map *map, uint64_t samples);

#ifdef __cplusplus
}
#endif

#endif
