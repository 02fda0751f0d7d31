/* SPDX-License-Identifier: Apache-2.0 */
#include "waiters.h"

#include <assert.h>

enum {
    CHUNK_SLOTS = 7,
    SPLIT_CHUNKS = 2 /* that the two parts of a list may need more than the list itself */
};

typedef struct chunk {
    uint32_t next;
    uint16_t begin, end; /* slots in use */
    tl_waiter_slot slots[CHUNK_SLOTS];
    uint64_t to_128_bytes;
} chunk;

static_assert(sizeof(chunk) == (size_t)2 * TL_POOL_ALIGNMENT, "a chunk is two lines of the simulating machine");

static chunk *chunk_at(const tl_pool *chunks, uint32_t number)
{
    return tl_pool_at(chunks, number);
}

bool tl_waiters_create(tl_pool *chunks, uint32_t capacity)
{
    return tl_pool_create(chunks, sizeof(chunk), capacity);
}

bool tl_waiters_reserve(tl_pool *chunks)
{
    return tl_pool_reserve(chunks, 1 + SPLIT_CHUNKS);
}

/* The last chunk of the list, with room for one more. */
static chunk *open_chunk(tl_pool *chunks, tl_waiter_list *list)
{
    if (list->count != 0 && chunk_at(chunks, list->tail)->end < CHUNK_SLOTS) {
        return chunk_at(chunks, list->tail);
    }
    const uint32_t number = tl_pool_take(chunks);
    chunk *opened = chunk_at(chunks, number);
    opened->begin = opened->end = 0;
    if (list->count == 0) {
        list->head = number;
    } else {
        chunk_at(chunks, list->tail)->next = number;
    }
    list->tail = number;
    return opened;
}

void tl_waiters_append(tl_pool *chunks, tl_waiter_list *list, const tl_waiter_slot *slot)
{
    if (list->first.bytes == 0) {
        list->first = *slot;
        return;
    }
    chunk *tail = open_chunk(chunks, list);
    tail->slots[tail->end++] = *slot;
    list->count++;
}

static void prefetch_chunk(const tl_pool *chunks, uint32_t number)
{
    const unsigned char *bytes = tl_pool_at(chunks, number);
    __builtin_prefetch(bytes, 1);
    __builtin_prefetch(bytes + TL_POOL_ALIGNMENT, 1);
}

bool tl_waiters_take(tl_pool *chunks, tl_waiter_list *list, tl_waiter_slot *slot)
{
    *slot = list->first;
    if (list->count == 0) {
        list->first.bytes = 0;
        return slot->bytes != 0;
    }
    const uint32_t number = list->head;
    chunk *head = chunk_at(chunks, number);
    if (head->begin == 0 && number != list->tail) {
        prefetch_chunk(chunks, head->next);
    }
    list->first = head->slots[head->begin++];
    list->count--;
    if (head->begin == head->end) {
        list->head = head->next;
        tl_pool_give_back(chunks, number);
    }
    return true;
}
