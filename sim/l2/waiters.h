/* SPDX-License-Identifier: Apache-2.0 */
/* Demands that wait for an entry of the MSHRs: the first one in place, as most entries have no other, the rest in chunks
 * that fill two cache lines of the simulating machine. */
#ifndef TILELENS_L2_WAITERS_H
#define TILELENS_L2_WAITERS_H

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_waiter_slot {
    uint64_t waiter;
    uint32_t awaited;      /* sectors */
    uint16_t begin, bytes; /* of the block, asked for; no bytes: the slot is empty */
} tl_waiter_slot;

/** Oldest first; all zero is an empty list. */
typedef struct tl_waiter_list {
    tl_waiter_slot first;
    uint32_t count;      /* behind the first */
    uint32_t head, tail; /* chunks, valid while there are any */
} tl_waiter_list;

bool tl_waiters_create(tl_pool *chunks, uint32_t capacity);

/** Make sure that one waiter can be appended, and that any list can be split in two. False when memory is short. */
bool tl_waiters_reserve(tl_pool *chunks);

void tl_waiters_append(tl_pool *chunks, tl_waiter_list *list, const tl_waiter_slot *slot);

/** Take the oldest; false when there is none. */
bool tl_waiters_take(tl_pool *chunks, tl_waiter_list *list, tl_waiter_slot *slot);

#ifdef __cplusplus
}
#endif
#endif
