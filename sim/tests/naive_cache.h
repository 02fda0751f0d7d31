/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of l2/cache.h, naively: each group of sets keeps its blocks in one list from least to most recent. */
#ifndef TILELENS_TESTS_NAIVE_CACHE_H
#define TILELENS_TESTS_NAIVE_CACHE_H

#include <string.h>

#include "../l2/cache.h"
#include "expect.h"

enum { MAX_WAYS = 16, MAX_BLOCKS = MAX_WAYS * 32, MAX_GROUPS = 16, MAX_EVENTS = 64 };

typedef struct block {
    bool page;
    uint64_t page_number;
    uint32_t line; /* in the page */
    uint32_t set;  /* in the group; lines only */
    uint32_t way;
    bool sector[4];
    uint32_t consumed;
    bool prefetched;
} block;

typedef struct group {
    block blocks[MAX_BLOCKS]; /* least recent first */
    uint32_t count;
} group;

typedef struct naive {
    tl_cache_config config;
    group groups[MAX_GROUPS];
    uint64_t random_state;
    tl_cache_eviction evictions[MAX_EVENTS];
    uint32_t eviction_count;
} naive;

static uint64_t splitmix64_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t naive_group(const naive *n, uint64_t page, uint32_t *twist)
{
    const uint32_t groups = (uint32_t)(n->config.capacity_bytes / 4096 / n->config.ways);
    const uint32_t slices = n->config.slices;
    uint64_t state = page;
    const uint64_t hash = splitmix64_next(&state);
    const bool hashed = n->config.index == TL_CACHE_HASHED;
    const uint32_t slice = hashed ? (uint32_t)((hash >> 32) * slices >> 32) : (uint32_t)(page % slices);
    uint32_t first = 0, in_slice = 0;
    for (uint32_t s = 0; s <= slice; s++) {
        first += in_slice;
        in_slice = groups / slices + (s < groups % slices ? 1 : 0);
    }
    *twist = hashed ? (uint32_t)(hash >> 32 & 31) : 0;
    return first + (hashed ? (uint32_t)((hash & UINT32_MAX) * in_slice >> 32) : (uint32_t)(page / slices % in_slice));
}

static int naive_find(const group *g, bool page, uint64_t page_number, uint32_t line)
{
    for (uint32_t i = 0; i < g->count; i++) {
        const block *b = &g->blocks[i];
        if (b->page == page && b->page_number == page_number && (page || b->line == line)) {
            return (int)i;
        }
    }
    return -1;
}

static block naive_remove(group *g, uint32_t i)
{
    const block b = g->blocks[i];
    memmove(&g->blocks[i], &g->blocks[i + 1], (g->count - i - 1) * sizeof b);
    g->count--;
    return b;
}

static block *naive_append(group *g, block b)
{
    g->blocks[g->count] = b;
    return &g->blocks[g->count++];
}

static void naive_evict(naive *n, group *g, uint32_t i)
{
    const block b = naive_remove(g, i);
    const uint32_t sectors = (uint32_t)b.sector[0] + b.sector[1] + b.sector[2] + b.sector[3];
    EXPECT(n->eviction_count < MAX_EVENTS);
    n->evictions[n->eviction_count++] =
        (tl_cache_eviction){b.page_number * 4096 + (b.page ? 0 : b.line * 128), b.page ? 4096 : sectors * 32,
                            b.consumed, b.page, b.prefetched};
}

/* Whether a block is in the way of a newcomer: a page, or a line of its set. */
static bool in_the_way(const block *b, uint32_t way, bool newcomer_is_page, uint32_t set)
{
    return b->way == way && (b->page || newcomer_is_page || b->set == set);
}

/* Position in the list of the latest block of a frame; -1: none. */
static int frame_age(const group *g, uint32_t way)
{
    int latest = -1;
    for (uint32_t i = 0; i < g->count; i++) {
        latest = g->blocks[i].way == way ? (int)i : latest;
    }
    return latest;
}

static bool read_in_full(const block *b)
{
    return b->page && b->consumed == 4096;
}

/* The least recent block of the list that is a page read in full / a page / a line of the set; -1: none. */
static int oldest_full(const group *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        if (read_in_full(&g->blocks[i])) {
            return (int)i;
        }
    }
    return -1;
}

static int oldest_page(const group *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->blocks[i].page) {
            return (int)i;
        }
    }
    return -1;
}

static int oldest_line(const group *g, uint32_t set)
{
    for (uint32_t i = 0; i < g->count; i++) {
        if (!g->blocks[i].page && g->blocks[i].set == set) {
            return (int)i;
        }
    }
    return -1;
}

/* Without a free way: the way to empty for a page, and for a line. */
static uint32_t page_victim(const naive *n, const group *g)
{
    uint32_t victim = 0;
    for (uint32_t way = 1; way < n->config.ways; way++) {
        victim = frame_age(g, way) < frame_age(g, victim) ? way : victim;
    }
    return victim;
}

static uint32_t line_victim(const group *g, uint32_t set)
{
    const int page = oldest_page(g), line = oldest_line(g, set);
    if (line < 0 || (page >= 0 && page < frame_age(g, g->blocks[line].way))) {
        return g->blocks[page].way;
    }
    return g->blocks[line].way;
}

static uint32_t naive_way(naive *n, const group *g, bool newcomer_is_page, uint32_t set)
{
    for (uint32_t way = 0; way < n->config.ways; way++) {
        bool free = true;
        for (uint32_t i = 0; i < g->count; i++) {
            free = free && !in_the_way(&g->blocks[i], way, newcomer_is_page, set);
        }
        if (free) {
            return way;
        }
    }
    if (n->config.replacement == TL_CACHE_RANDOM) {
        return (uint32_t)((splitmix64_next(&n->random_state) >> 32) * n->config.ways >> 32);
    }
    const int full = oldest_full(g);
    if (full >= 0 && n->config.replacement == TL_CACHE_LRU_EVICT_FIRST) {
        return g->blocks[full].way;
    }
    return newcomer_is_page ? page_victim(n, g) : line_victim(g, set);
}

static uint32_t naive_make_room(naive *n, group *g, bool newcomer_is_page, uint32_t set)
{
    const uint32_t way = naive_way(n, g, newcomer_is_page, set);
    for (uint32_t s = 0; s < 32; s++) { /* evictions come in the order of the sets */
        for (uint32_t i = g->count; i-- > 0;) {
            const block *b = &g->blocks[i];
            if (in_the_way(b, way, newcomer_is_page, set) && (b->page || b->set == s)) {
                naive_evict(n, g, i);
            }
        }
    }
    return way;
}

static void naive_touch(naive *n, group *g, uint32_t i, uint32_t bytes)
{
    block *b = &g->blocks[i];
    const uint32_t size = b->page ? 4096 : 128;
    b->consumed = b->consumed + bytes > size ? size : b->consumed + bytes;
    b->prefetched = false;
    if (n->config.replacement == TL_CACHE_LRU || n->config.replacement == TL_CACHE_LRU_EVICT_FIRST) {
        naive_append(g, naive_remove(g, i));
    }
}

static void naive_lookup(naive *n, uint64_t address, uint32_t bytes, tl_cache_lookup_result *result)
{
    uint32_t twist;
    group *g = &n->groups[naive_group(n, address / 4096, &twist)];
    *result = (tl_cache_lookup_result){.block_address = address / 4096 * 4096};
    const int page = naive_find(g, true, address / 4096, 0);
    if (page >= 0) {
        result->hit_bytes = bytes;
        naive_touch(n, g, (uint32_t)page, bytes);
        return;
    }
    for (uint64_t line = address / 128; line <= (address + bytes - 1) / 128; line++) {
        const int found = naive_find(g, false, line / 32, (uint32_t)(line % 32));
        uint32_t line_bytes = 0;
        for (uint64_t byte = line * 128; byte < line * 128 + 128; byte++) {
            if (byte < address || byte >= address + bytes) {
                continue;
            }
            if (found >= 0 && g->blocks[found].sector[byte % 128 / 32]) {
                line_bytes++;
            } else {
                result->miss_bytes++;
                result->missing[byte % 4096 / 2048] |= (uint64_t)1 << byte % 2048 / 32;
            }
        }
        if (line_bytes > 0) {
            naive_touch(n, g, (uint32_t)found, line_bytes);
        }
        result->hit_bytes += line_bytes;
    }
}

static void naive_insert_page(naive *n, uint64_t page, bool prefetched)
{
    uint32_t twist;
    group *g = &n->groups[naive_group(n, page, &twist)];
    if (naive_find(g, true, page, 0) < 0) {
        const uint32_t way = naive_make_room(n, g, true, 0);
        naive_append(g, (block){.page = true, .page_number = page, .way = way, .prefetched = prefetched});
    }
}

static void naive_insert_lines(naive *n, uint64_t address, uint32_t bytes, bool prefetched)
{
    uint32_t twist;
    group *g = &n->groups[naive_group(n, address / 4096, &twist)];
    if (naive_find(g, true, address / 4096, 0) >= 0) {
        return;
    }
    for (uint64_t sector = address / 32; sector <= (address + bytes - 1) / 32; sector++) {
        const uint32_t line = (uint32_t)(sector / 4 % 32);
        const int found = naive_find(g, false, sector / 128, line);
        block *b = found >= 0 ? &g->blocks[found] : NULL;
        if (b == NULL) {
            const uint32_t set = line ^ twist, way = naive_make_room(n, g, false, set);
            b = naive_append(
                g,
                (block){.page_number = sector / 128, .line = line, .set = set, .way = way, .prefetched = prefetched});
        }
        b->sector[sector % 4] = true;
    }
}

#endif
