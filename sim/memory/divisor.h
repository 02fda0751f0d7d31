/* SPDX-License-Identifier: Apache-2.0 */
/* Exact division of 64-bit numbers by one that is known beforehand: a multiplication in place of a division. */
#ifndef TL_SIM_MEMORY_DIVISOR_H
#define TL_SIM_MEMORY_DIVISOR_H

#include <stdint.h>

typedef struct tl_divisor {
    uint64_t divisor, inverse;
} tl_divisor;

__extension__ typedef unsigned __int128 tl_wide;

/* divisor >= 1 */
static inline tl_divisor tl_divisor_of(uint64_t divisor)
{
    const tl_divisor made = {divisor, UINT64_MAX / divisor};
    return made;
}

/* number / divisor, rounded down. */
static inline uint64_t tl_quotient(const tl_divisor *by, uint64_t number)
{
    /* At most 1 below the quotient, for the inverse is at most 1 below 2^64 / divisor. */
    const uint64_t guess = (uint64_t)((tl_wide)number * by->inverse >> 64);
    return guess + (number - guess * by->divisor >= by->divisor ? 1 : 0);
}

#endif
