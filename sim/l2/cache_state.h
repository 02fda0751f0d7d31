/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the cache: its arrays, and what fills and lookups share. Not for users of the cache. */
#ifndef TILELENS_L2_CACHE_STATE_H
#define TILELENS_L2_CACHE_STATE_H

#include <string.h>

#include "cache.h"
#include "recency.h"

#define TL_CACHE_NO_WAY UINT32_MAX

/* Tags are the number of the 4 KB block plus 1, so that zero is no block. Masks have a bit a way. */

typedef struct tl_cache_group {
    uint64_t page_tags[TL_CACHE_MAX_WAYS];
    tl_recency order;    /* of the frames */
    uint16_t pages;      /* frames that hold a page */
    uint16_t with_lines; /* frames that hold lines */
    uint16_t consumed;   /* pages that go first: all 4096 bytes were consumed */
    uint16_t prefetched; /* pages that were prefetched, and not yet read by a demand */
    uint16_t consumed_bytes[TL_CACHE_MAX_WAYS];
    uint8_t line_counts[TL_CACHE_MAX_WAYS]; /* of the frames */
} tl_cache_group;

enum { TL_CACHE_SECTORS = 0x0f, TL_CACHE_PREFETCHED = 0x80 }; /* bits of tl_cache_set.states */

/* The lines of one set. Two cache lines of the machine that simulates: line traffic is bound by its misses. */
typedef struct tl_cache_set {
    uint32_t tags_low[TL_CACHE_MAX_WAYS];
    tl_recency order;
    uint8_t tags_high[TL_CACHE_MAX_WAYS];
    uint8_t states[TL_CACHE_MAX_WAYS]; /* valid sectors; prefetched, and not yet read by a demand */
    uint8_t consumed_bytes[TL_CACHE_MAX_WAYS];
    uint16_t lines; /* ways that hold a line */
    uint8_t to_128_bytes[6];
} tl_cache_set;

typedef struct tl_cache_place {
    uint32_t group;
    uint32_t twist; /* XORed to the line number in the block */
} tl_cache_place;

enum { TL_CACHE_REMEMBERED_BITS = 6 };

static inline uint32_t tl_cache_remembered_at(uint64_t page)
{
    return (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TL_CACHE_REMEMBERED_BITS)); /* pitches spread */
}

struct tl_cache {
    tl_cache_config config;
    tl_cache_counters counters;
    tl_cache_on_evict *on_evict;
    void *context;
    uint32_t group_count;
    uint32_t slice_groups, larger_slices; /* the first `larger_slices` have one group more */
    uint32_t all_ways;                    /* mask */
    uint64_t draws;
    tl_cache_group *groups;
    tl_cache_set *sets; /* 32 a group */
    /* Blocks evicted half-read, by group or set, and way; next is 0 at first, then 1 + the entry to overwrite. */
    uint64_t *page_ghosts, *line_ghosts;
    uint8_t *page_ghost_next, *line_ghost_next;
    /* Where the latest blocks go, by a hash of their numbers: each is asked for several times in a row. */
    struct {
        uint64_t tag; /* number of the block plus 1 */
        tl_cache_place place;
    } places[1 << TL_CACHE_REMEMBERED_BITS];
};

tl_cache_place tl_cache_find_place(tl_cache *cache, uint64_t page);

static inline tl_cache_place tl_cache_place_of(tl_cache *cache, uint64_t page)
{
    const uint32_t at = tl_cache_remembered_at(page);
    return cache->places[at].tag == page + 1 ? cache->places[at].place : tl_cache_find_place(cache, page);
}

/* Make room; the way that is now free (of a frame, of a set). */
uint32_t tl_cache_free_frame(tl_cache *cache, uint32_t group);
uint32_t tl_cache_free_line(tl_cache *cache, uint32_t set_number);

/* Note that a block enters: true when it had been evicted half-read. */
bool tl_cache_forget_page(tl_cache *cache, uint32_t group, uint64_t tag);
bool tl_cache_forget_line(tl_cache *cache, uint32_t set_number, uint64_t tag);

/* The way of a page, or TL_CACHE_NO_WAY. */
static inline uint32_t tl_cache_find_page(const tl_cache_group *group, uint64_t tag)
{
    for (uint32_t way = 0; way < TL_CACHE_MAX_WAYS && group->pages != 0; way++) {
        if (group->page_tags[way] == tag) {
            return way;
        }
    }
    return TL_CACHE_NO_WAY;
}

/* Four tags that are compared at once. */
typedef uint32_t tl_cache_lanes __attribute__((vector_size(16)));

/* Mask of the ways whose tag has this lower half. */
static inline uint32_t tl_cache_ways_with(const tl_cache_set *set, uint32_t low)
{
    const tl_cache_lanes wanted = {low, low, low, low};
    tl_cache_lanes bits = {1, 2, 4, 8}, found = {0};
    for (uint32_t way = 0; way < TL_CACHE_MAX_WAYS; way += 4) {
        tl_cache_lanes tags;
        memcpy(&tags, &set->tags_low[way], sizeof tags);
        found |= (tl_cache_lanes)(tags == wanted) & bits;
        bits <<= 4;
    }
    return found[0] | found[1] | found[2] | found[3];
}

/* The way of a line, or TL_CACHE_NO_WAY. */
static inline uint32_t tl_cache_find_line(const tl_cache_set *set, uint64_t tag)
{
    for (uint32_t ways = tl_cache_ways_with(set, (uint32_t)tag); ways != 0; ways &= ways - 1) {
        const uint32_t way = (uint32_t)__builtin_ctz(ways);
        if (set->tags_high[way] == tag >> 32) {
            return way;
        }
    }
    return TL_CACHE_NO_WAY;
}

static inline uint64_t tl_cache_line_tag(const tl_cache_set *set, uint32_t way)
{
    return (uint64_t)set->tags_high[way] << 32 | set->tags_low[way];
}

/* Bytes in the sectors of a line. */
static inline uint32_t tl_cache_sector_bytes(uint32_t sectors)
{
    const uint32_t pairs = (sectors & 5) + (sectors >> 1 & 5);
    return ((pairs & 3) + (pairs >> 2)) * TL_CACHE_SECTOR_BYTES;
}

#endif
