/* SPDX-License-Identifier: Apache-2.0 */
#include "page_pool.h"

#include <stdlib.h>

bool page_pool_create(page_pool *pool, uint32_t capacity)
{
    pool->capacity = capacity;
    pool->entries = calloc(capacity, sizeof *pool->entries);
    if (!tl_key_index_create(&pool->prefetches, capacity) || pool->entries == NULL) {
        return false;
    }
    page_list_init(&pool->done);
    for (uint32_t i = 0; i < capacity; i++) {
        pool->entries[i].next = i + 1 < capacity ? i + 1 : TL_NO_SLOT;
    }
    return true;
}

void page_pool_destroy(page_pool *pool)
{
    tl_key_index_destroy(&pool->prefetches);
    free(pool->entries);
}

uint32_t page_pool_accept(page_pool *pool, uint64_t now_ps, const tl_mem_request *request, bool far_lowest,
                          tl_mem_counters *counters)
{
    static const uint8_t ranks[] = {[TL_MEM_DEMAND] = 0, [TL_MEM_PREFETCH_NEAR] = 1, [TL_MEM_PREFETCH_FAR] = 2};
    const uint32_t at = pool->free;
    page_entry *entry = &pool->entries[at];
    pool->free = entry->next;
    entry->tag = request->tag;
    entry->queued_ps = now_ps;
    entry->order = pool->next_order++;
    entry->rank = request->write ? 0 : ranks[request->mem_class];
    entry->rank = entry->rank == 2 && !far_lowest ? 1 : entry->rank;
    entry->state = PAGE_QUEUED;
    entry->write = request->write;
    if (entry->rank != 0) {
        tl_key_index_insert(&pool->prefetches, entry->tag, at);
    }
    tl_mem_occupancy_at(&pool->occupancy, now_ps, counters);
    pool->occupancy.count = ++pool->count;
    counters->queue_peak = pool->count > counters->queue_peak ? pool->count : counters->queue_peak;
    return at;
}

void page_pool_finish(page_pool *pool, uint32_t at, uint64_t done_ps)
{
    pool->entries[at].time_ps = done_ps;
    page_list_append(pool, &pool->done, at);
}

bool page_pool_hand_out(page_pool *pool, uint64_t now_ps, tl_mem_completion *completion, tl_mem_counters *counters)
{
    const uint32_t at = pool->done.head;
    if (at == TL_NO_SLOT || pool->entries[at].time_ps > now_ps) {
        return false;
    }
    page_entry *entry = &pool->entries[at];
    *completion = (tl_mem_completion){entry->tag, entry->time_ps, entry->queued_ps, false};
    page_list_remove(pool, &pool->done, at);
    entry->next = pool->free;
    pool->free = at;
    tl_mem_occupancy_at(&pool->occupancy, now_ps, counters);
    pool->occupancy.count = --pool->count;
    return true;
}

void page_pool_moving(page_pool *pool, uint32_t at)
{
    page_entry *entry = &pool->entries[at];
    entry->state = PAGE_MOVING;
    if (entry->rank != 0) {
        tl_key_index_remove(&pool->prefetches, entry->tag, at);
    }
}

void page_list_insert(page_pool *pool, page_list *list, uint32_t at, bool by_time)
{
    const page_entry *entry = &pool->entries[at];
    uint32_t before = list->tail;
    while (before != TL_NO_SLOT) {
        const page_entry *other = &pool->entries[before];
        if (by_time && other->time_ps != entry->time_ps ? other->time_ps < entry->time_ps
                                                        : other->order < entry->order) {
            break;
        }
        before = other->previous;
    }
    page_list_link(pool, list, at, before);
}
