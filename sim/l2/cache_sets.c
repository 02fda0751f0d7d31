/* SPDX-License-Identifier: Apache-2.0 */
/* The cache's arrays: where a block goes, which block makes room for it, and what is reported of that one. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../memory/hash.h"
#include "cache_state.h"

#define HOST_LINE_BYTES ((size_t)64)

static_assert(sizeof(tl_cache_set) == 2 * HOST_LINE_BYTES, "a set is two lines of the simulating machine");
static_assert((int)TL_CACHE_MAX_WAYS == (int)TL_RECENCY_MAX_WAYS, "an order holds all ways");

/* ---- where a block goes ---- */

static uint32_t scale(uint64_t word, uint32_t count)
{
    return (uint32_t)((word & UINT32_MAX) * count >> 32);
}

static uint32_t slice_of(const tl_cache *cache, uint64_t page, uint64_t hash)
{
    return cache->config.index == TL_CACHE_HASHED ? scale(hash >> 32, cache->config.slices)
                                                  : (uint32_t)(page % cache->config.slices);
}

static uint32_t twist_of(const tl_cache *cache, uint64_t hash)
{
    return cache->config.index == TL_CACHE_HASHED ? (uint32_t)(hash >> 32) % TL_CACHE_PAGE_LINES : 0;
}

tl_cache_place tl_cache_find_place(tl_cache *cache, uint64_t page)
{
    const uint64_t hash = tl_mix64(page);
    const uint32_t slice = slice_of(cache, page, hash);
    const uint32_t groups = cache->slice_groups + (slice < cache->larger_slices);
    const uint32_t first = slice * cache->slice_groups + (slice < cache->larger_slices ? slice : cache->larger_slices);
    const uint32_t in_slice =
        cache->config.index == TL_CACHE_HASHED ? scale(hash, groups) : (uint32_t)(page / cache->config.slices % groups);
    const tl_cache_place place = {first + in_slice, twist_of(cache, hash)};
    cache->places[tl_cache_remembered_at(page)].tag = page + 1;
    cache->places[tl_cache_remembered_at(page)].place = place;
    return place;
}

/* ---- blocks evicted half-read, remembered to tell thrash from first fills ---- */

static void remember(uint64_t *ghosts, uint8_t *next, uint32_t ways, uint64_t tag)
{
    const uint32_t entry = *next == 0 ? 0 : *next - 1u;
    ghosts[entry] = tag;
    *next = (uint8_t)((entry + 1) % ways + 1);
}

static bool forget(uint64_t *ghosts, uint32_t ways, uint64_t tag)
{
    for (uint32_t entry = 0; entry < ways; entry++) {
        if (ghosts[entry] == tag) {
            ghosts[entry] = 0;
            return true;
        }
    }
    return false;
}

bool tl_cache_forget_page(tl_cache *cache, uint32_t group, uint64_t tag)
{
    const uint32_t ways = cache->config.ways;
    return cache->page_ghost_next[group] != 0 && forget(&cache->page_ghosts[(size_t)group * ways], ways, tag);
}

bool tl_cache_forget_line(tl_cache *cache, uint32_t set_number, uint64_t tag)
{
    const uint32_t ways = cache->config.ways;
    return cache->line_ghost_next[set_number] != 0 && forget(&cache->line_ghosts[(size_t)set_number * ways], ways, tag);
}

/* ---- evictions ---- */

static void report(tl_cache *cache, const tl_cache_eviction *eviction)
{
    cache->counters.prefetched_unused += eviction->prefetched_unused;
    if (eviction->held_bytes > eviction->consumed_bytes) {
        cache->counters.unread_bytes += eviction->held_bytes - eviction->consumed_bytes;
    }
    if (cache->on_evict != NULL) {
        cache->on_evict(cache->context, eviction);
    }
}

static void evict_page(tl_cache *cache, uint32_t group_number, uint32_t way)
{
    tl_cache_group *group = &cache->groups[group_number];
    const uint32_t ways = cache->config.ways;
    const uint64_t tag = group->page_tags[way];
    const tl_cache_eviction eviction = {(tag - 1) * TL_CACHE_PAGE_BYTES, TL_CACHE_PAGE_BYTES,
                                        group->consumed_bytes[way], true, (group->prefetched >> way & 1) != 0};
    if (eviction.consumed_bytes < TL_CACHE_PAGE_BYTES) {
        remember(&cache->page_ghosts[(size_t)group_number * ways], &cache->page_ghost_next[group_number], ways, tag);
    }
    const uint16_t others = (uint16_t) ~(1u << way);
    group->page_tags[way] = 0;
    group->pages &= others;
    group->consumed &= others;
    group->prefetched &= others;
    cache->counters.page_evictions++;
    report(cache, &eviction);
}

static void evict_line(tl_cache *cache, uint32_t set_number, uint32_t way)
{
    tl_cache_group *group = &cache->groups[set_number / TL_CACHE_PAGE_LINES];
    tl_cache_set *set = &cache->sets[set_number];
    const uint32_t ways = cache->config.ways;
    const uint64_t tag = tl_cache_line_tag(set, way);
    const uint32_t line = set_number % TL_CACHE_PAGE_LINES ^ twist_of(cache, tl_mix64(tag - 1));
    const tl_cache_eviction eviction = {(tag - 1) * TL_CACHE_PAGE_BYTES + (uint64_t)line * TL_CACHE_LINE_BYTES,
                                        tl_cache_sector_bytes(set->states[way] & TL_CACHE_SECTORS),
                                        set->consumed_bytes[way], false, (set->states[way] & TL_CACHE_PREFETCHED) != 0};
    if (eviction.consumed_bytes < eviction.held_bytes) {
        remember(&cache->line_ghosts[(size_t)set_number * ways], &cache->line_ghost_next[set_number], ways, tag);
    }
    set->tags_low[way] = 0;
    set->tags_high[way] = 0;
    set->lines &= (uint16_t) ~(1u << way);
    if (--group->line_counts[way] == 0) {
        group->with_lines &= (uint16_t) ~(1u << way);
    }
    cache->counters.line_evictions++;
    report(cache, &eviction);
}

static void empty_frame(tl_cache *cache, uint32_t group_number, uint32_t way)
{
    tl_cache_group *group = &cache->groups[group_number];
    if ((group->pages >> way & 1) != 0) {
        evict_page(cache, group_number, way);
    }
    for (uint32_t i = 0; group->line_counts[way] != 0; i++) {
        const uint32_t set_number = group_number * TL_CACHE_PAGE_LINES + i;
        if ((cache->sets[set_number].lines >> way & 1) != 0) {
            evict_line(cache, set_number, way);
        }
    }
}

/* ---- victims ---- */

static uint32_t draw_way(tl_cache *cache)
{
    const uint64_t word = tl_mix64(cache->config.seed + cache->draws++ * UINT64_C(0x9e3779b97f4a7c15));
    return scale(word >> 32, cache->config.ways);
}

static uint32_t lowest_way(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

static bool consumed_go_first(const tl_cache *cache, const tl_cache_group *group)
{
    return cache->config.replacement == TL_CACHE_LRU_EVICT_FIRST && group->consumed != 0;
}

uint32_t tl_cache_free_frame(tl_cache *cache, uint32_t group_number)
{
    const tl_cache_group *group = &cache->groups[group_number];
    const uint32_t free = cache->all_ways & ~(uint32_t)(group->pages | group->with_lines);
    if (free != 0) {
        return lowest_way(free);
    }
    const bool random = cache->config.replacement == TL_CACHE_RANDOM;
    const uint32_t candidates = consumed_go_first(cache, group) ? group->consumed : cache->all_ways;
    const uint32_t way = random ? draw_way(cache) : tl_recency_oldest(group->order, candidates);
    empty_frame(cache, group_number, way);
    return way;
}

/* The set is full of lines and pages: its least recent line, or the group's least recent page if that is a less recent
 * frame. */
static uint32_t line_victim(tl_cache *cache, const tl_cache_group *group, const tl_cache_set *set)
{
    if (cache->config.replacement == TL_CACHE_RANDOM) {
        return draw_way(cache);
    }
    if (group->pages == 0) {
        return tl_recency_oldest(set->order, set->lines);
    }
    if (consumed_go_first(cache, group)) {
        return tl_recency_oldest(group->order, group->consumed);
    }
    const uint32_t line = set->lines != 0 ? 1u << tl_recency_oldest(set->order, set->lines) : 0;
    return tl_recency_oldest(group->order, group->pages | line);
}

uint32_t tl_cache_free_line(tl_cache *cache, uint32_t set_number)
{
    const uint32_t group_number = set_number / TL_CACHE_PAGE_LINES;
    const tl_cache_group *group = &cache->groups[group_number];
    const tl_cache_set *set = &cache->sets[set_number];
    const uint32_t free = cache->all_ways & ~(uint32_t)(group->pages | set->lines);
    if (free != 0) {
        return lowest_way(free);
    }
    const uint32_t way = line_victim(cache, group, set);
    if ((set->lines >> way & 1) != 0) {
        evict_line(cache, set_number, way);
    } else {
        evict_page(cache, group_number, way);
    }
    return way;
}

/* ---- creation ---- */

static bool config_is_valid(const tl_cache_config *config)
{
    if (config->ways < 1 || config->ways > TL_CACHE_MAX_WAYS || config->slices < 1) {
        return false;
    }
    const uint64_t group_bytes = (uint64_t)config->ways * TL_CACHE_PAGE_BYTES;
    const uint64_t groups = config->capacity_bytes / group_bytes;
    return config->capacity_bytes % group_bytes == 0 && groups >= config->slices &&
           groups <= UINT32_MAX / TL_CACHE_PAGE_LINES;
}

static bool allocate(tl_cache *cache)
{
    const size_t groups = cache->group_count, sets = groups * TL_CACHE_PAGE_LINES, ways = cache->config.ways;
    cache->groups = calloc(groups, sizeof *cache->groups);
    cache->sets = aligned_alloc(HOST_LINE_BYTES, sets * sizeof *cache->sets);
    cache->page_ghosts = calloc(groups * ways, sizeof *cache->page_ghosts);
    cache->line_ghosts = calloc(sets * ways, sizeof *cache->line_ghosts);
    cache->page_ghost_next = calloc(groups, sizeof *cache->page_ghost_next);
    cache->line_ghost_next = calloc(sets, sizeof *cache->line_ghost_next);
    return cache->groups != NULL && cache->sets != NULL && cache->page_ghosts != NULL && cache->line_ghosts != NULL &&
           cache->page_ghost_next != NULL && cache->line_ghost_next != NULL;
}

tl_cache *tl_cache_create(const tl_cache_config *config, tl_cache_on_evict *on_evict, void *context)
{
    tl_cache *cache = config_is_valid(config) ? calloc(1, sizeof *cache) : NULL;
    if (cache == NULL) {
        return NULL;
    }
    cache->config = *config;
    cache->on_evict = on_evict;
    cache->context = context;
    cache->group_count = (uint32_t)(config->capacity_bytes / TL_CACHE_PAGE_BYTES / config->ways);
    cache->slice_groups = cache->group_count / config->slices;
    cache->larger_slices = cache->group_count % config->slices;
    cache->all_ways = (1u << config->ways) - 1;
    if (!allocate(cache)) {
        tl_cache_destroy(cache);
        return NULL;
    }
    for (uint32_t group = 0; group < cache->group_count; group++) {
        cache->groups[group].order = TL_RECENCY_START;
    }
    memset(cache->sets, 0, (size_t)cache->group_count * TL_CACHE_PAGE_LINES * sizeof *cache->sets);
    for (uint32_t set = 0; set < cache->group_count * TL_CACHE_PAGE_LINES; set++) {
        cache->sets[set].order = TL_RECENCY_START;
    }
    return cache;
}

void tl_cache_destroy(tl_cache *cache)
{
    if (cache == NULL) {
        return;
    }
    free(cache->groups);
    free(cache->sets);
    free(cache->page_ghosts);
    free(cache->line_ghosts);
    free(cache->page_ghost_next);
    free(cache->line_ghost_next);
    free(cache);
}

const tl_cache_counters *tl_cache_get_counters(const tl_cache *cache)
{
    return &cache->counters;
}

uint32_t tl_cache_slice(const tl_cache *cache, uint64_t address)
{
    const uint64_t page = address / TL_CACHE_PAGE_BYTES;
    return slice_of(cache, page, tl_mix64(page));
}
