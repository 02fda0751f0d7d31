/* SPDX-License-Identifier: Apache-2.0 */
#include "address_map.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

/* Odd multipliers of the shuffle and their inverses modulo 2^64 (so also modulo any smaller power of two). */
static const uint64_t shuffle_multiplier[] = {UINT64_C(0xbf58476d1ce4e5b9), UINT64_C(0x94d049bb133111eb)};
enum { SHUFFLE_ROUNDS = sizeof shuffle_multiplier / sizeof *shuffle_multiplier };

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static uint64_t odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd; /* right modulo 8; each step doubles the number of right bits */
    for (unsigned bits = 3; bits < 64; bits *= 2) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

/* One pass of the shuffle of [0, 2^bits): a shift by at least half the width is its own inverse. */
static uint64_t shuffle_once(const tl_address_map *map, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << map->hash_bits) - 1;
    const unsigned half = (map->hash_bits + 1) / 2;
    value = (value + map->config.seed) & mask;
    for (unsigned round = 0; round < SHUFFLE_ROUNDS; round++) {
        value ^= value >> half;
        value = value * shuffle_multiplier[round] & mask;
    }
    return value ^ value >> half;
}

static uint64_t unshuffle_once(const tl_address_map *map, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << map->hash_bits) - 1;
    const unsigned half = (map->hash_bits + 1) / 2;
    value ^= value >> half;
    for (unsigned round = SHUFFLE_ROUNDS; round-- > 0;) {
        value = value * odd_inverse(shuffle_multiplier[round]) & mask;
        value ^= value >> half;
    }
    return (value - map->config.seed) & mask;
}

/* Walking the cycle until it comes back into range makes a permutation of [0, unit_count) out of one of [0, 2^bits). */
static uint64_t shuffle(const tl_address_map *map, uint64_t unit)
{
    do {
        unit = shuffle_once(map, unit);
    } while (unit >= map->unit_count);
    return unit;
}

static uint64_t unshuffle(const tl_address_map *map, uint64_t unit)
{
    do {
        unit = unshuffle_once(map, unit);
    } while (unit >= map->unit_count);
    return unit;
}

static uint64_t rotation(const tl_address_map *map, uint64_t block)
{
    const uint64_t hash = tl_mix64(block ^ map->rotation_seed);
    return hash - tl_quotient(&map->targets, hash) * map->config.targets;
}

/* The channel field keeps its meaning; every other bit, in order, becomes a bit of the target's address: the first 32
 * in the decoder's column field, the rest in its row field. */
static void compile_channel_bits(tl_address_map *map)
{
    tl_bit_map split;
    memset(&split, 0, sizeof split);
    split.address_bits = map->config.bits.address_bits;
    split.fields[TL_BIT_CHANNEL] = map->config.bits.fields[TL_BIT_CHANNEL];
    const tl_bit_list *channel = &split.fields[TL_BIT_CHANNEL];
    for (uint8_t bit = 0; bit < split.address_bits; bit++) {
        if (channel->count != 0 && memchr(channel->bits, bit, channel->count) != NULL) {
            continue;
        }
        const bool low = split.fields[TL_BIT_COLUMN].count < TL_BIT_FIELD_BITS;
        tl_bit_list *list = &split.fields[low ? TL_BIT_COLUMN : TL_BIT_ROW];
        list->bits[list->count++] = bit;
    }
    tl_bit_map_compile(&split, &map->decoder);
}

static tl_mem_status init_bits(tl_address_map *map)
{
    tl_address_map_config *config = &map->config;
    if (tl_bit_map_check(&config->bits) != TL_MEM_OK) {
        return TL_MEM_BAD_MAP;
    }
    const tl_bit_list *channel = &config->bits.fields[TL_BIT_CHANNEL];
    unsigned lowest = config->bits.address_bits;
    for (unsigned i = 0; i < channel->count; i++) {
        lowest = channel->bits[i] < lowest ? channel->bits[i] : lowest;
    }
    lowest = lowest < 30 ? lowest : 30;
    config->unit_bytes = UINT32_C(1) << lowest;
    config->targets = UINT32_C(1) << channel->count;
    config->units_per_target = UINT64_C(1) << config->bits.address_bits >> lowest >> channel->count;
    compile_channel_bits(map);
    return TL_MEM_OK;
}

tl_mem_status tl_address_map_init(tl_address_map *map, const tl_address_map_config *config)
{
    memset(map, 0, sizeof *map);
    map->config = *config;
    if (config->kind == TL_MAP_BITS && init_bits(map) != TL_MEM_OK) {
        return TL_MEM_BAD_MAP;
    }
    const tl_address_map_config *c = &map->config;
    const uint64_t limit = UINT64_C(1) << TL_MAP_ADDRESS_BITS;
    if (!is_power_of_two(c->unit_bytes) || !is_power_of_two(c->access_bytes) || c->access_bytes > c->unit_bytes ||
        c->targets == 0 || c->units_per_target == 0 || c->units_per_target > limit / c->unit_bytes / c->targets) {
        return TL_MEM_BAD_MAP;
    }
    while (UINT32_C(1) << map->unit_shift < c->unit_bytes) {
        map->unit_shift++;
    }
    map->unit_mask = c->unit_bytes - 1;
    map->targets = tl_divisor_of(c->targets);
    map->rotation_seed = tl_mix64(c->seed);
    map->unit_count = c->units_per_target * c->targets;
    map->capacity_bytes = map->unit_count * c->unit_bytes;
    map->hash_bits = 1;
    while (UINT64_C(1) << map->hash_bits < map->unit_count) {
        map->hash_bits++;
    }
    return TL_MEM_OK;
}

static void locate_unit(const tl_address_map *map, uint64_t unit, uint32_t *target, uint64_t *local_unit)
{
    const uint64_t targets = map->config.targets;
    if (map->config.kind == TL_MAP_HASH) {
        unit = shuffle(map, unit);
    }
    *local_unit = tl_quotient(&map->targets, unit);
    uint64_t at = unit - *local_unit * targets;
    if (map->config.kind == TL_MAP_PERMUTATION) {
        at += rotation(map, *local_unit);
        at -= at >= targets ? targets : 0;
    }
    *target = (uint32_t)at;
}

static uint64_t unit_of(const tl_address_map *map, uint32_t target, uint64_t local_unit)
{
    const uint64_t targets = map->config.targets;
    uint64_t at = target;
    if (map->config.kind == TL_MAP_PERMUTATION) {
        at += targets - rotation(map, local_unit);
        at -= at >= targets ? targets : 0;
    }
    const uint64_t unit = local_unit * targets + at;
    return map->config.kind == TL_MAP_HASH ? unshuffle(map, unit) : unit;
}

tl_mem_status tl_address_map_locate(const tl_address_map *map, uint64_t address, uint32_t bytes, tl_location *location)
{
    const tl_mem_status status =
        tl_mem_check_range(address, bytes, map->config.access_bytes, map->config.unit_bytes, map->capacity_bytes);
    if (status != TL_MEM_OK) {
        return status;
    }
    if (map->config.kind == TL_MAP_BITS) {
        uint32_t fields[TL_BIT_FIELDS];
        tl_bit_map_decode(&map->decoder, address, fields);
        location->target = fields[TL_BIT_CHANNEL];
        location->local_address = (uint64_t)fields[TL_BIT_ROW] << TL_BIT_FIELD_BITS | fields[TL_BIT_COLUMN];
        return TL_MEM_OK;
    }
    uint64_t local_unit;
    locate_unit(map, address >> map->unit_shift, &location->target, &local_unit);
    location->local_address = local_unit << map->unit_shift | (address & map->unit_mask);
    return TL_MEM_OK;
}

tl_mem_status tl_address_map_address(const tl_address_map *map, const tl_location *location, uint64_t *address)
{
    const uint64_t local_unit = location->local_address >> map->unit_shift;
    if (location->target >= map->config.targets || local_unit >= map->config.units_per_target) {
        return TL_MEM_OUT_OF_RANGE;
    }
    if (map->config.kind == TL_MAP_BITS) {
        uint32_t fields[TL_BIT_FIELDS] = {0};
        fields[TL_BIT_CHANNEL] = location->target;
        fields[TL_BIT_COLUMN] = (uint32_t)location->local_address;
        fields[TL_BIT_ROW] = (uint32_t)(location->local_address >> TL_BIT_FIELD_BITS);
        *address = tl_bit_map_encode(&map->decoder, fields);
        return TL_MEM_OK;
    }
    *address =
        unit_of(map, location->target, local_unit) << map->unit_shift | (location->local_address & map->unit_mask);
    return TL_MEM_OK;
}

static tl_mem_status check_unit(const tl_address_map *map, uint64_t unit, uint8_t *seen)
{
    tl_location location;
    uint64_t back;
    if (tl_address_map_locate(map, unit << map->unit_shift, map->config.unit_bytes, &location) != TL_MEM_OK ||
        tl_address_map_address(map, &location, &back) != TL_MEM_OK || back != unit << map->unit_shift) {
        return TL_MEM_BAD_MAP;
    }
    if (seen != NULL) {
        const uint64_t at =
            location.target * map->config.units_per_target + (location.local_address >> map->unit_shift);
        if (seen[at]++ != 0) {
            return TL_MEM_BAD_MAP;
        }
    }
    return TL_MEM_OK;
}

tl_mem_status tl_address_map_self_check(const tl_address_map *map, uint64_t samples)
{
    const bool every = map->unit_count <= samples;
    uint8_t *seen = every ? calloc(map->unit_count, 1) : NULL;
    if (every && seen == NULL) {
        return TL_MEM_BAD_MAP;
    }
    const uint64_t count = every ? map->unit_count : samples;
    tl_mem_status status = TL_MEM_OK;
    for (uint64_t i = 0; i < count && status == TL_MEM_OK; i++) {
        status = check_unit(map, every ? i : tl_mix64(i) % map->unit_count, seen);
    }
    free(seen);
    return status;
}
