/* SPDX-License-Identifier: Apache-2.0 */
/* Page requests inside a flash or RoMe channel: a fixed pool of entries on doubly linked lists, addressed by number. */
#ifndef TL_SIM_MEMORY_PAGE_POOL_H
#define TL_SIM_MEMORY_PAGE_POOL_H

#include "channel.h"
#include "key_index.h"

#define TL_PAGE_RANKS 3

/* Where an entry is; what may still be promoted has not reached the bus. */
typedef enum page_state { PAGE_QUEUED, PAGE_READING, PAGE_READY, PAGE_MOVING } page_state;

typedef struct page_entry {
    uint64_t tag, queued_ps;
    uint64_t order;   /* arrival number */
    uint64_t time_ps; /* when the present state ends, or (PAGE_READY) began */
    uint32_t next, previous;
    uint32_t bank;  /* plane group or virtual bank */
    uint32_t block; /* flash, for endurance */
    uint32_t stack; /* of the virtual bank */
    uint8_t rank;   /* 0: demand or write, 1: prefetch, 2: far prefetch where that is lowest */
    uint8_t state;
    bool write;
} page_entry;

typedef struct page_list {
    uint32_t head, tail; /* TL_NO_SLOT: empty */
} page_list;

typedef struct page_pool {
    page_entry *entries;
    uint32_t free;  /* linked by `next`; the last one freed is taken first, for it is in the cache */
    page_list done; /* answered, not handed out; in order of time */
    uint32_t capacity, count;
    uint64_t next_order;
    tl_key_index prefetches; /* tag -> entry, until it reaches the bus */
    tl_mem_occupancy occupancy;
} page_pool;

bool page_pool_create(page_pool *pool, uint32_t capacity);
void page_pool_destroy(page_pool *pool);

/* Takes a free entry for an accepted request and counts the occupancy. There must be one. */
uint32_t page_pool_accept(page_pool *pool, uint64_t now_ps, const tl_mem_request *request, bool far_lowest,
                          tl_mem_counters *counters);
/* Moves an entry (on no list) to the answered ones. */
void page_pool_finish(page_pool *pool, uint32_t at, uint64_t done_ps);
/* Hands out the first answer due at or before now_ps. */
bool page_pool_hand_out(page_pool *pool, uint64_t now_ps, tl_mem_completion *completion, tl_mem_counters *counters);
/* An entry reaches the bus: it can no longer be promoted. */
void page_pool_moving(page_pool *pool, uint32_t at);

static inline void page_list_init(page_list *list)
{
    list->head = list->tail = TL_NO_SLOT;
}

/* `before`: TL_NO_SLOT puts it in front. */
static inline void page_list_link(page_pool *pool, page_list *list, uint32_t at, uint32_t before)
{
    page_entry *entry = &pool->entries[at];
    entry->previous = before;
    entry->next = before == TL_NO_SLOT ? list->head : pool->entries[before].next;
    *(before == TL_NO_SLOT ? &list->head : &pool->entries[before].next) = at;
    *(entry->next == TL_NO_SLOT ? &list->tail : &pool->entries[entry->next].previous) = at;
}

static inline void page_list_append(page_pool *pool, page_list *list, uint32_t at)
{
    page_entry *entry = &pool->entries[at];
    entry->previous = list->tail;
    entry->next = TL_NO_SLOT;
    *(list->tail == TL_NO_SLOT ? &list->head : &pool->entries[list->tail].next) = at;
    list->tail = at;
}

static inline void page_list_remove(page_pool *pool, page_list *list, uint32_t at)
{
    const page_entry *entry = &pool->entries[at];
    *(entry->previous == TL_NO_SLOT ? &list->head : &pool->entries[entry->previous].next) = entry->next;
    *(entry->next == TL_NO_SLOT ? &list->tail : &pool->entries[entry->next].previous) = entry->previous;
}

/* Inserts in order of arrival, or of time_ps and then arrival. */
void page_list_insert(page_pool *pool, page_list *list, uint32_t at, bool by_time);

#endif
