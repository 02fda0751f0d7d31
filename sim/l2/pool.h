/* SPDX-License-Identifier: Apache-2.0 */
/* Numbered items of one size, and a queue of them. Both grow by doubling, so that a run settles and then allocates
 * nothing; numbers are handed out in an order that depends on the calls alone. */
#ifndef TILELENS_L2_POOL_H
#define TILELENS_L2_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TL_POOL_NONE UINT32_MAX

enum { TL_POOL_ALIGNMENT = 64 }; /* bytes; of the first item: a cache line of the simulating machine */

typedef struct tl_pool {
    unsigned char *items;
    uint32_t *free_numbers; /* given back; the latest is handed out first */
    size_t item_bytes;
    uint32_t capacity;
    uint32_t created; /* numbers ever handed out are 0..created-1 */
    uint32_t free_count;
} tl_pool;

/** False when memory is short; tl_pool_destroy() is allowed all the same. */
bool tl_pool_create(tl_pool *pool, size_t item_bytes, uint32_t capacity);
void tl_pool_destroy(tl_pool *pool);

/** More items, at least `count` free ones; moves all. False when memory is short. */
bool tl_pool_grow(tl_pool *pool, uint32_t count);

/** Make sure that `count` can be taken; may move the items. False when memory is short. */
static inline bool tl_pool_reserve(tl_pool *pool, uint32_t count)
{
    return pool->free_count + (pool->capacity - pool->created) >= count || tl_pool_grow(pool, count);
}

static inline uint32_t tl_pool_take(tl_pool *pool)
{
    return pool->free_count > 0 ? pool->free_numbers[--pool->free_count] : pool->created++;
}

static inline void tl_pool_give_back(tl_pool *pool, uint32_t number)
{
    pool->free_numbers[pool->free_count++] = number;
}

static inline void *tl_pool_at(const tl_pool *pool, uint32_t number)
{
    return pool->items + number * pool->item_bytes;
}

typedef struct tl_ring {
    unsigned char *items;
    size_t item_bytes;
    uint32_t capacity;
    uint32_t first; /* of the items, the oldest */
    uint32_t count;
} tl_ring;

bool tl_ring_create(tl_ring *ring, size_t item_bytes, uint32_t capacity);
void tl_ring_destroy(tl_ring *ring);

/** Copy an item to the end. False when memory is short. */
bool tl_ring_push(tl_ring *ring, const void *item);

/** The oldest item, and its removal; the ring is not empty. */
const void *tl_ring_front(const tl_ring *ring);
void tl_ring_pop(tl_ring *ring);

#endif
