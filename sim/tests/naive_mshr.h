/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of l2/mshr.h for one partition, naively: a table of blocks and their sectors, and the waiters in the order
 * of their arrival. */
#ifndef TILELENS_TESTS_NAIVE_MSHR_H
#define TILELENS_TESTS_NAIVE_MSHR_H

#include <string.h>

#include "../l2/mshr.h"
#include "expect.h"

enum { BLOCKS = 40, MAX_WAITERS = 4000, SECTORS = 32 };

typedef struct naive_waiter {
    bool active;
    uint64_t id;
    uint32_t block;
    bool awaited[SECTORS];
} naive_waiter;

typedef struct naive {
    uint32_t limit, sectors_per_entry, sector_count;
    bool pending[BLOCKS][SECTORS];
    int block_class[BLOCKS];
    uint32_t name[BLOCKS];
    naive_waiter waiters[MAX_WAITERS]; /* in the order of arrival */
    uint32_t waiter_count;
} naive;

static uint32_t naive_entries(const naive *n)
{
    uint32_t entries = 0;
    for (uint32_t b = 0; b < BLOCKS; b++) {
        for (uint32_t first = 0; first < n->sector_count; first += n->sectors_per_entry) {
            bool any = false;
            for (uint32_t s = first; s < first + n->sectors_per_entry; s++) {
                any = any || n->pending[b][s];
            }
            entries += any;
        }
    }
    return entries;
}

static bool block_in_flight(const naive *n, uint32_t b)
{
    for (uint32_t s = 0; s < n->sector_count; s++) {
        if (n->pending[b][s]) {
            return true;
        }
    }
    return false;
}

/* @return false when full; otherwise the expected answer but for the name */
static bool naive_submit(naive *n, uint32_t b, uint32_t first, uint32_t last, tl_mem_class mem_class, uint64_t id,
                         tl_mshr_answer *answer)
{
    static naive before;
    before = *n;
    const bool merges = block_in_flight(n, b);
    *answer = (tl_mshr_answer){merges ? TL_MSHR_MERGED : TL_MSHR_ALLOCATED, 0, 0, false};
    for (uint32_t s = first; s <= last; s++) {
        answer->fetch_sectors |= n->pending[b][s] ? 0 : 1u << s;
        n->pending[b][s] = true;
    }
    if (n->limit != 0 && naive_entries(n) > n->limit) {
        *n = before;
        return false;
    }
    answer->promoted = merges && (int)mem_class < n->block_class[b];
    n->block_class[b] = merges && n->block_class[b] < (int)mem_class ? n->block_class[b] : (int)mem_class;
    if (mem_class == TL_MEM_DEMAND) {
        EXPECT(n->waiter_count < MAX_WAITERS);
        naive_waiter *w = &n->waiters[n->waiter_count++];
        *w = (naive_waiter){.active = true, .id = id, .block = b};
        for (uint32_t s = first; s <= last; s++) {
            w->awaited[s] = true;
        }
    }
    return true;
}

/* The oldest waiter of the block with nothing left to wait for; UINT64_MAX: none. */
static uint64_t naive_pop_served(naive *n, uint32_t b)
{
    for (uint32_t i = 0; i < n->waiter_count; i++) {
        naive_waiter *w = &n->waiters[i];
        bool waits = false;
        for (uint32_t s = 0; s < SECTORS; s++) {
            waits = waits || w->awaited[s];
        }
        if (w->active && w->block == b && !waits) {
            w->active = false;
            return w->id;
        }
    }
    return UINT64_MAX;
}

static void naive_arrive(naive *n, uint32_t b, uint32_t sectors)
{
    for (uint32_t s = 0; s < SECTORS; s++) {
        if ((sectors >> s & 1) != 0) {
            n->pending[b][s] = false;
            for (uint32_t i = 0; i < n->waiter_count; i++) {
                n->waiters[i].awaited[s] = n->waiters[i].awaited[s] && n->waiters[i].block != b;
            }
        }
    }
}

static void forget_served(naive *n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->waiter_count; i++) {
        if (n->waiters[i].active) {
            n->waiters[kept++] = n->waiters[i];
        }
    }
    n->waiter_count = kept;
}

#endif
