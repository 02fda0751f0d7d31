/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *allocate_items(size_t capacity, size_t item_bytes)
{
    const size_t bytes = capacity * item_bytes;
    return aligned_alloc(TL_POOL_ALIGNMENT, (bytes + TL_POOL_ALIGNMENT - 1) / TL_POOL_ALIGNMENT * TL_POOL_ALIGNMENT);
}

bool tl_pool_create(tl_pool *pool, size_t item_bytes, uint32_t capacity)
{
    *pool = (tl_pool){allocate_items(capacity, item_bytes),
                      malloc(capacity * sizeof *pool->free_numbers),
                      item_bytes,
                      capacity,
                      0,
                      0};
    return pool->items != NULL && pool->free_numbers != NULL;
}

void tl_pool_destroy(tl_pool *pool)
{
    free(pool->items);
    free(pool->free_numbers);
}

static bool double_pool(tl_pool *pool)
{
    const size_t capacity = (size_t)pool->capacity * 2;
    uint32_t *free_numbers = realloc(pool->free_numbers, capacity * sizeof *free_numbers);
    if (free_numbers == NULL) {
        return false;
    }
    pool->free_numbers = free_numbers;
    unsigned char *items = allocate_items(capacity, pool->item_bytes);
    if (items == NULL) {
        return false;
    }
    memcpy(items, pool->items, pool->created * pool->item_bytes);
    free(pool->items);
    pool->items = items;
    pool->capacity = (uint32_t)capacity;
    return true;
}

bool tl_pool_grow(tl_pool *pool, uint32_t count)
{
    while (pool->free_count + (pool->capacity - pool->created) < count) {
        if (pool->capacity > INT32_MAX / 2 || !double_pool(pool)) {
            return false;
        }
    }
    return true;
}

bool tl_ring_create(tl_ring *ring, size_t item_bytes, uint32_t capacity)
{
    *ring = (tl_ring){malloc(capacity * item_bytes), item_bytes, capacity, 0, 0};
    return ring->items != NULL;
}

void tl_ring_destroy(tl_ring *ring)
{
    free(ring->items);
}

static bool grow_ring(tl_ring *ring)
{
    if (ring->capacity > INT32_MAX / 2) {
        return false;
    }
    unsigned char *items = malloc((size_t)ring->capacity * 2 * ring->item_bytes);
    if (items == NULL) {
        return false;
    }
    const size_t to_end = (size_t)(ring->capacity - ring->first) * ring->item_bytes;
    memcpy(items, ring->items + ring->first * ring->item_bytes, to_end);
    memcpy(items + to_end, ring->items, ring->first * ring->item_bytes);
    free(ring->items);
    ring->items = items;
    ring->capacity *= 2;
    ring->first = 0;
    return true;
}

bool tl_ring_push(tl_ring *ring, const void *item)
{
    if (ring->count == ring->capacity && !grow_ring(ring)) {
        return false;
    }
    const uint32_t end = (ring->first + ring->count) % ring->capacity;
    memcpy(ring->items + end * ring->item_bytes, item, ring->item_bytes);
    ring->count++;
    return true;
}

const void *tl_ring_front(const tl_ring *ring)
{
    assert(ring->count > 0);
    return ring->items + ring->first * ring->item_bytes;
}

void tl_ring_pop(tl_ring *ring)
{
    assert(ring->count > 0);
    ring->first = (ring->first + 1) % ring->capacity;
    ring->count--;
}
