/* SPDX-License-Identifier: Apache-2.0 */
#include "degree.h"

__extension__ typedef unsigned __int128 uint128;

enum { MILLI = 1000 };
#define PS_PER_S UINT64_C(1000000000000)

static uint32_t capped(uint128 value, uint32_t cap)
{
    return value < cap ? (uint32_t)value : cap;
}

tl_degree tl_degree_of(const tl_degree_config *config, uint32_t active_ctas, uint32_t pages_per_tile, uint32_t k_steps)
{
    const uint128 wave_bytes = (uint128)active_ctas * pages_per_tile * config->page_bytes;
    if (wave_bytes == 0) {
        return (tl_degree){0, 0};
    }
    const uint128 bandwidth_latency = (uint128)config->bandwidth_bytes_per_s * config->latency_ps; /* B * ps / s */
    const uint128 quotient = bandwidth_latency / (wave_bytes * PS_PER_S);
    const uint128 product = bandwidth_latency * config->factor_milli / (wave_bytes * PS_PER_S * MILLI);
    uint128 d = config->floor == TL_FLOOR_OF_PRODUCT ? product : quotient * config->factor_milli / MILLI;
    if (config->forced != TL_DEGREE_NOT_FORCED) {
        d = config->forced;
    }
    switch (config->reach) {
    case TL_REACH_TWICE:
        return (tl_degree){capped(d, k_steps), capped(2 * d, k_steps)};
    case TL_REACH_SPLIT:
        return (tl_degree){capped(quotient < d ? quotient : d, k_steps), capped(d, k_steps)};
    case TL_REACH_NEAR_ONLY:
    default:
        return (tl_degree){capped(d, k_steps), capped(d, k_steps)};
    }
}
