/* SPDX-License-Identifier: Apache-2.0 */
/* The order of up to 16 ways in one word: a nibble a way, the least recent in the lowest. */
#ifndef TILELENS_L2_RECENCY_H
#define TILELENS_L2_RECENCY_H

#include <stdint.h>

enum { TL_RECENCY_MAX_WAYS = 16 };

typedef uint64_t tl_recency;

/* Way 0 is the least recent at first. */
#define TL_RECENCY_START UINT64_C(0xfedcba9876543210)

static inline uint32_t tl_recency_way(tl_recency order, uint32_t position)
{
    return (uint32_t)(order >> 4 * position) & 15;
}

/* `way` becomes the most recent of `ways`. */
static inline tl_recency tl_recency_touch(tl_recency order, uint32_t ways, uint32_t way)
{
    const uint32_t top = 4 * (ways - 1);
    if ((order >> top & 15) == way) {
        return order;
    }
    /* The nibble that is zero after the XOR; a borrow reaches only the nibbles above the lowest zero. */
    const uint64_t ones = UINT64_C(0x1111111111111111), difference = order ^ ones * way;
    const uint64_t zeros = (difference - ones) & ~difference & ones << 3;
    const uint64_t below = (zeros & (~zeros + 1)) / 8 - 1; /* mask of the nibbles less recent than `way` */
    const uint64_t above = (UINT64_C(2) << (top + 3)) - 1; /* mask of the ways in use; all ones for 16 */
    return (order & ~above) | (order & below) | ((order & above) >> 4 & ~below & ~(UINT64_C(15) << top)) |
           (uint64_t)way << top;
}

/* The least recent way of a non-empty mask of ways. */
static inline uint32_t tl_recency_oldest(tl_recency order, uint32_t mask)
{
    while ((mask >> (order & 15) & 1) == 0) {
        order >>= 4;
    }
    return order & 15;
}

#endif
