/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups, touches and fills. */
#include "cache.h"

#include <assert.h>
#include <stddef.h>

#include "cache_state.h"

enum { LINE_SECTORS = TL_CACHE_LINE_BYTES / TL_CACHE_SECTOR_BYTES };

/* Bytes of one 4 KB block, and where they are or would be. */
typedef struct access {
    uint64_t page;
    uint32_t begin, end; /* in the block */
    tl_cache_place where;
} access;

static access access_of(tl_cache *cache, uint64_t address, uint32_t bytes)
{
    const uint64_t page = address / TL_CACHE_PAGE_BYTES;
    const uint32_t begin = (uint32_t)(address % TL_CACHE_PAGE_BYTES);
    assert(bytes >= 1 && begin + bytes <= TL_CACHE_PAGE_BYTES && address >> TL_CACHE_ADDRESS_BITS == 0);
    return (access){page, begin, begin + bytes, tl_cache_place_of(cache, page)};
}

static uint32_t set_of(const access *at, uint32_t line)
{
    return at->where.group * TL_CACHE_PAGE_LINES + (line ^ at->where.twist);
}

/* The part of an access that falls into one line. */
typedef struct span {
    uint32_t line;       /* of the block */
    uint32_t begin, end; /* bytes in the line */
    uint32_t sectors;    /* mask */
} span;

static uint32_t first_line(const access *at)
{
    return at->begin / TL_CACHE_LINE_BYTES;
}

static uint32_t last_line(const access *at)
{
    return (at->end - 1) / TL_CACHE_LINE_BYTES;
}

static span span_of(const access *at, uint32_t line)
{
    const uint32_t start = line * TL_CACHE_LINE_BYTES;
    span s = {line, 0, TL_CACHE_LINE_BYTES, TL_CACHE_SECTORS};
    if (at->begin > start || at->end < start + TL_CACHE_LINE_BYTES) {
        s.begin = at->begin > start ? at->begin - start : 0;
        s.end = at->end < start + TL_CACHE_LINE_BYTES ? at->end - start : TL_CACHE_LINE_BYTES;
        s.sectors = (2u << (s.end - 1) / TL_CACHE_SECTOR_BYTES) - (1u << s.begin / TL_CACHE_SECTOR_BYTES);
    }
    return s;
}

/* Bytes of the span in some of its sectors. */
static uint32_t span_bytes(const span *s, uint32_t sectors)
{
    if (sectors == s->sectors) {
        return s->end - s->begin;
    }
    uint32_t bytes = 0;
    for (uint32_t sector = 0; sector < LINE_SECTORS; sector++) {
        const uint32_t low = sector * TL_CACHE_SECTOR_BYTES, high = low + TL_CACHE_SECTOR_BYTES;
        const uint32_t begin = s->begin > low ? s->begin : low, end = s->end < high ? s->end : high;
        bytes += (sectors >> sector & 1) != 0 && end > begin ? end - begin : 0;
    }
    return bytes;
}

/* ---- touches ---- */

static bool recency_counts(const tl_cache *cache)
{
    return cache->config.replacement == TL_CACHE_LRU || cache->config.replacement == TL_CACHE_LRU_EVICT_FIRST;
}

static void touch_frame(const tl_cache *cache, tl_cache_group *group, uint32_t way)
{
    group->order = tl_recency_touch(group->order, cache->config.ways, way);
}

static void touch_line(const tl_cache *cache, tl_cache_group *group, tl_cache_set *set, uint32_t way)
{
    set->order = tl_recency_touch(set->order, cache->config.ways, way);
    touch_frame(cache, group, way);
}

static void consume_page(tl_cache *cache, tl_cache_group *group, uint32_t way, uint32_t bytes)
{
    const uint32_t consumed = group->consumed_bytes[way] + bytes;
    if (consumed >= TL_CACHE_PAGE_BYTES) {
        group->consumed |= (uint16_t)(1u << way);
    }
    group->consumed_bytes[way] = (uint16_t)(consumed < TL_CACHE_PAGE_BYTES ? consumed : TL_CACHE_PAGE_BYTES);
    group->prefetched &= (uint16_t) ~(1u << way);
    if (recency_counts(cache)) {
        touch_frame(cache, group, way);
    }
}

static void consume_line(tl_cache *cache, tl_cache_group *group, tl_cache_set *set, uint32_t way, uint32_t bytes)
{
    const uint32_t consumed = set->consumed_bytes[way] + bytes;
    set->consumed_bytes[way] = (uint8_t)(consumed < TL_CACHE_LINE_BYTES ? consumed : TL_CACHE_LINE_BYTES);
    set->states[way] &= TL_CACHE_SECTORS;
    if (recency_counts(cache)) {
        touch_line(cache, group, set, way);
    }
}

/* ---- lookups ---- */

/* Touch and consume what is there. The sectors that are not are noted in `missing`, if wanted. @return bytes found */
static uint32_t consume(tl_cache *cache, const access *at, uint64_t *missing)
{
    tl_cache_group *group = &cache->groups[at->where.group];
    uint32_t found_bytes = 0;
    for (uint32_t line = first_line(at); line <= last_line(at); line++) {
        const span s = span_of(at, line);
        tl_cache_set *set = &cache->sets[set_of(at, line)];
        const uint32_t way = tl_cache_find_line(set, at->page + 1);
        const uint32_t found = way != TL_CACHE_NO_WAY ? s.sectors & set->states[way] : 0;
        if (found != 0) {
            const uint32_t bytes = span_bytes(&s, found);
            consume_line(cache, group, set, way, bytes);
            found_bytes += bytes;
        }
        if (missing != NULL) {
            const uint32_t bit = line * LINE_SECTORS;
            missing[bit / 64] |= (uint64_t)(s.sectors & ~found) << bit % 64;
        }
    }
    return found_bytes;
}

static bool consume_in_page(tl_cache *cache, const access *at)
{
    tl_cache_group *group = &cache->groups[at->where.group];
    const uint32_t way = tl_cache_find_page(group, at->page + 1);
    if (way == TL_CACHE_NO_WAY) {
        return false;
    }
    consume_page(cache, group, way, at->end - at->begin);
    return true;
}

static void count_lookup(tl_cache_counters *counters, uint32_t hit_bytes, uint32_t miss_bytes)
{
    counters->hits += miss_bytes == 0;
    counters->misses += miss_bytes != 0;
    counters->hit_bytes += hit_bytes;
    counters->miss_bytes += miss_bytes;
}

void tl_cache_lookup(tl_cache *cache, uint64_t address, uint32_t bytes, tl_cache_lookup_result *result)
{
    const access at = access_of(cache, address, bytes);
    *result = (tl_cache_lookup_result){.block_address = at.page * TL_CACHE_PAGE_BYTES};
    result->hit_bytes = consume_in_page(cache, &at) ? bytes : consume(cache, &at, result->missing);
    result->miss_bytes = bytes - result->hit_bytes;
    count_lookup(&cache->counters, result->hit_bytes, result->miss_bytes);
}

bool tl_cache_lookup_page(tl_cache *cache, uint64_t address, uint32_t bytes)
{
    const access at = access_of(cache, address, bytes);
    const bool hit = consume_in_page(cache, &at);
    count_lookup(&cache->counters, hit ? bytes : 0, hit ? 0 : bytes);
    return hit;
}

bool tl_cache_consume(tl_cache *cache, uint64_t address, uint32_t bytes)
{
    const access at = access_of(cache, address, bytes);
    return consume_in_page(cache, &at) || consume(cache, &at, NULL) == bytes;
}

bool tl_cache_contains(tl_cache *cache, uint64_t address, uint32_t bytes)
{
    const access at = access_of(cache, address, bytes);
    if (tl_cache_find_page(&cache->groups[at.where.group], at.page + 1) != TL_CACHE_NO_WAY) {
        return true;
    }
    for (uint32_t line = first_line(&at); line <= last_line(&at); line++) {
        const tl_cache_set *set = &cache->sets[set_of(&at, line)];
        const uint32_t way = tl_cache_find_line(set, at.page + 1);
        if (way == TL_CACHE_NO_WAY || (span_of(&at, line).sectors & ~(uint32_t)set->states[way]) != 0) {
            return false;
        }
    }
    return true;
}

void tl_cache_prefetch(tl_cache *cache, uint64_t address, uint32_t bytes)
{
    const access at = access_of(cache, address, bytes);
    const tl_cache_group *group = &cache->groups[at.where.group];
    __builtin_prefetch(group);
    __builtin_prefetch(&group->order);
    for (uint32_t line = first_line(&at); line <= last_line(&at); line++) {
        const tl_cache_set *set = &cache->sets[set_of(&at, line)];
        __builtin_prefetch(set);
        __builtin_prefetch(&set->order);
    }
}

/* ---- runs of missing sectors ---- */

static bool is_missing(const tl_cache_lookup_result *result, uint32_t sector)
{
    return (result->missing[sector / 64] >> sector % 64 & 1) != 0;
}

bool tl_cache_take_run(tl_cache_lookup_result *result, uint32_t max_bytes, tl_cache_run *run)
{
    uint32_t word = 0;
    while (result->missing[word] == 0) {
        if (++word == TL_CACHE_PAGE_SECTORS / 64) {
            return false;
        }
    }
    const uint32_t first = word * 64 + (uint32_t)__builtin_ctzll(result->missing[word]);
    const uint32_t max_sectors = max_bytes / TL_CACHE_SECTOR_BYTES;
    const uint32_t limit = (first / max_sectors + 1) * max_sectors;
    uint32_t end = first;
    for (; end < limit && is_missing(result, end); end++) {
        result->missing[end / 64] &= ~((uint64_t)1 << end % 64);
    }
    run->address = result->block_address + (uint64_t)first * TL_CACHE_SECTOR_BYTES;
    run->bytes = (end - first) * TL_CACHE_SECTOR_BYTES;
    return true;
}

/* ---- fills ---- */

void tl_cache_insert_page(tl_cache *cache, uint64_t page_address, bool prefetched)
{
    const access at = access_of(cache, page_address, TL_CACHE_PAGE_BYTES);
    tl_cache_group *group = &cache->groups[at.where.group];
    cache->counters.fill_bytes += TL_CACHE_PAGE_BYTES;
    if (tl_cache_find_page(group, at.page + 1) != TL_CACHE_NO_WAY) {
        return;
    }
    cache->counters.page_fills++;
    cache->counters.thrash += tl_cache_forget_page(cache, at.where.group, at.page + 1);
    const uint32_t way = tl_cache_free_frame(cache, at.where.group);
    group->page_tags[way] = at.page + 1;
    group->pages |= (uint16_t)(1u << way);
    group->prefetched |= (uint16_t)((uint32_t)prefetched << way);
    group->consumed_bytes[way] = 0;
    touch_frame(cache, group, way);
}

/* A way, without sectors yet, for a line that is not there. */
static uint32_t place_line(tl_cache *cache, uint32_t set_number, uint64_t tag, bool prefetched)
{
    tl_cache_group *group = &cache->groups[set_number / TL_CACHE_PAGE_LINES];
    tl_cache_set *set = &cache->sets[set_number];
    cache->counters.line_fills++;
    cache->counters.thrash += tl_cache_forget_line(cache, set_number, tag);
    const uint32_t way = tl_cache_free_line(cache, set_number);
    set->tags_low[way] = (uint32_t)tag;
    set->tags_high[way] = (uint8_t)(tag >> 32);
    set->states[way] = prefetched ? TL_CACHE_PREFETCHED : 0;
    set->consumed_bytes[way] = 0;
    set->lines |= (uint16_t)(1u << way);
    group->with_lines |= (uint16_t)(1u << way);
    group->line_counts[way]++;
    touch_line(cache, group, set, way);
    return way;
}

void tl_cache_insert_lines(tl_cache *cache, uint64_t address, uint32_t bytes, bool prefetched)
{
    const access at = access_of(cache, address, bytes);
    const bool page_there = tl_cache_find_page(&cache->groups[at.where.group], at.page + 1) != TL_CACHE_NO_WAY;
    for (uint32_t line = first_line(&at); line <= last_line(&at); line++) {
        const uint32_t sectors = span_of(&at, line).sectors, set_number = set_of(&at, line);
        cache->counters.fill_bytes += tl_cache_sector_bytes(sectors);
        if (page_there) {
            continue;
        }
        tl_cache_set *set = &cache->sets[set_number];
        uint32_t way = tl_cache_find_line(set, at.page + 1);
        if (way == TL_CACHE_NO_WAY) {
            way = place_line(cache, set_number, at.page + 1, prefetched);
        }
        set->states[way] |= (uint8_t)sectors;
    }
}
