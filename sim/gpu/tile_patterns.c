/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of accesses by the state in which the engine starts. */
#include "tile_patterns.h"

#include <stdlib.h>
#include <string.h>

/* A workload has some tens of patterns; the store holds that many of a few hundred accesses. */
enum { LOG2_PATTERNS = 8, PATTERNS = 1 << LOG2_PATTERNS, PROBES = 8, MIN_STORE_ACCESSES = 1 << 16 };

bool tl_tile_patterns_init(tl_tile_patterns *patterns, uint32_t unit_bytes, uint32_t max_accesses)
{
    *patterns = (tl_tile_patterns){
        .unit_bytes = unit_bytes,
        .store_capacity = max_accesses > MIN_STORE_ACCESSES ? max_accesses : (size_t)MIN_STORE_ACCESSES,
    };
    patterns->patterns = calloc(PATTERNS, sizeof *patterns->patterns);
    patterns->store = malloc(patterns->store_capacity * sizeof *patterns->store);
    if (patterns->patterns != NULL && patterns->store != NULL)
        return true;
    tl_tile_patterns_free(patterns);
    return false;
}

void tl_tile_patterns_free(tl_tile_patterns *patterns)
{
    free(patterns->patterns);
    free(patterns->store);
    *patterns = (tl_tile_patterns){0};
}

static uint32_t clamp(uint32_t value, uint32_t high)
{
    return value < high ? value : high;
}

/* Beyond the last position of the box a window decides nothing: how far the tensor goes on is no part of the start. */
static void cut_windows(tl_counters *counters, const tl_fields *fields)
{
    for (unsigned d = 1; d < fields->rank; d++) {
        counters->window[d].low = clamp(counters->window[d].low, fields->limit[d] + 1);
        counters->window[d].high = clamp(counters->window[d].high, fields->limit[d] + 1);
    }
}

/* The cursor holds the memory tile's number above the bits that permute turns: together an address in units. */
static uint64_t split_place(tl_engine *engine)
{
    const uint64_t inside = engine->fields.mask_a16 << engine->fields.log2_b | engine->fields.mask_b;
    const uint64_t place = (engine->counters.x & ~inside) * TL_UNIT_BYTES;
    engine->counters.x &= inside;
    engine->counters.row_address = 0; /* where the box goes does not change what it reads */
    cut_windows(&engine->counters, &engine->fields);
    return place;
}

tl_status tl_tile_shape_of(const tl_tile_patterns *patterns, const tl_source_map *maps, const tl_tile_load *loads,
                           uint32_t load_count, tl_tile_shape *shape, uint64_t *base)
{
    tl_engine engine;
    shape->load_count = load_count;
    for (uint32_t k = 0; k < load_count; k++) {
        const tl_status status = tl_engine_start(&engine, &maps[loads[k].map].map, &loads[k].of.tma, TL_GENERAL);
        if (status != TL_OK)
            return status;
        const uint64_t place = split_place(&engine);
        if (k == 0)
            *base = place;
        shape->loads[k].map = loads[k].map;
        shape->loads[k].distance = place - *base;
        shape->loads[k].counters = engine.counters;
    }
    shape->base_in_unit = *base & (patterns->unit_bytes - 1);
    return TL_OK;
}

static bool same_window(const tl_counters *left, const tl_counters *right)
{
    for (unsigned d = 0; d < TL_MAX_RANK; d++)
        if (left->window[d].low != right->window[d].low || left->window[d].high != right->window[d].high)
            return false;
    return left->inside_low == right->inside_low && left->inside_high == right->inside_high;
}

/* At the start of a load all positions are 0, and `outside` follows from the windows. */
static bool same_start(const tl_load_start *left, const tl_load_start *right)
{
    return left->map == right->map && left->distance == right->distance && left->counters.x == right->counters.x &&
           same_window(&left->counters, &right->counters);
}

static bool same_shape(const tl_tile_shape *left, const tl_tile_shape *right)
{
    if (left->load_count != right->load_count || left->base_in_unit != right->base_in_unit)
        return false;
    for (uint32_t k = 0; k < left->load_count; k++)
        if (!same_start(&left->loads[k], &right->loads[k]))
            return false;
    return true;
}

/* Shapes of one run differ in the map, the place inside the unit, and whether they meet an edge. */
static size_t hash_shape(const tl_tile_shape *shape)
{
    const tl_load_start *last = &shape->loads[shape->load_count - 1];
    uint64_t hash = shape->base_in_unit / TL_UNIT_BYTES + ((uint64_t)last->map << 32);
    hash = hash * UINT64_C(0x9E3779B97F4A7C15) + last->distance + last->counters.x;
    hash = hash * UINT64_C(0x9E3779B97F4A7C15) + last->counters.inside_high + last->counters.window[1].high;
    return (size_t)(hash * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_PATTERNS));
}

/* @return the place of a shape in the table: its own, an empty one, or one to be overwritten */
static tl_tile_pattern *find_place(const tl_tile_patterns *patterns, const tl_tile_shape *shape)
{
    const size_t first = hash_shape(shape);
    for (size_t probe = 0; probe < PROBES; probe++) {
        tl_tile_pattern *pattern = &patterns->patterns[(first + probe) % PATTERNS];
        if (pattern->shape.load_count == 0 || same_shape(&pattern->shape, shape))
            return pattern;
    }
    return &patterns->patterns[first];
}

const tl_tile_pattern *tl_tile_patterns_find(const tl_tile_patterns *patterns, const tl_tile_shape *shape)
{
    const tl_tile_pattern *pattern = find_place(patterns, shape);
    return same_shape(&pattern->shape, shape) ? pattern : NULL;
}

void tl_tile_patterns_add(tl_tile_patterns *patterns, const tl_tile_shape *shape, uint64_t base,
                          const tl_tile_access *accesses, uint32_t count, const tl_tile_sum *sum)
{
    if (patterns->store_count + count > patterns->store_capacity) {
        memset(patterns->patterns, 0, PATTERNS * sizeof *patterns->patterns);
        patterns->store_count = 0;
    }
    tl_tile_access *to = patterns->store + patterns->store_count;
    for (uint32_t k = 0; k < count; k++) {
        to[k] = accesses[k];
        to[k].address -= base;
    }
    *find_place(patterns, shape) =
        (tl_tile_pattern){.shape = *shape, .sum = *sum, .count = count, .first_access = patterns->store_count};
    patterns->store_count += count;
}

uint32_t tl_tile_patterns_place(const tl_tile_patterns *patterns, const tl_tile_pattern *pattern, uint64_t base,
                                tl_tile_access *accesses)
{
    const tl_tile_access *from = patterns->store + pattern->first_access;
    for (uint32_t k = 0; k < pattern->count; k++) {
        accesses[k] = from[k];
        accesses[k].address += base;
    }
    return pattern->count;
}
