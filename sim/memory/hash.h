/* SPDX-License-Identifier: Apache-2.0 */
/* A 64-bit mixing function (the finaliser of splitmix64): deterministic, the same on every machine. */
#ifndef TL_SIM_MEMORY_HASH_H
#define TL_SIM_MEMORY_HASH_H

#include <stdint.h>

static inline uint64_t tl_mix64(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

#endif
