/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How many K-steps ahead to prefetch: Eq. 6 of the TileLens paper, with what its text leaves open as parameters.
 *
 *   d = min(floor(factor * B*L / p_wave), K / TILE_K)        p_wave = active CTAs * pages of a compute tile
 *
 * B*L is bandwidth x read latency, in pages. The factor of 2 that makes up for plane collisions may stand inside the
 * floor or outside. The arithmetic is exact: no rounding decides a degree.
 *
 * The SRAM buffer adds a far tier. It reaches to twice the near one, as the paper says; or the near tier stops at
 * floor(B*L / p_wave), what the bus needs, and the far tier takes the rest up to d.
 */
#ifndef TILELENS_PREFETCH_DEGREE_H
#define TILELENS_PREFETCH_DEGREE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tl_degree_floor {
    TL_FLOOR_OF_PRODUCT, /* floor(factor * B*L / p_wave) */
    TL_PRODUCT_OF_FLOOR  /* floor(factor * floor(B*L / p_wave)) */
} tl_degree_floor;

typedef enum tl_degree_reach {
    TL_REACH_NEAR_ONLY, /* near 1..d */
    TL_REACH_TWICE,     /* near 1..d, far d+1..2d */
    TL_REACH_SPLIT      /* near 1..min(floor(B*L / p_wave), d), far from there to d */
} tl_degree_reach;

#define TL_DEGREE_NOT_FORCED UINT32_MAX

typedef struct tl_degree_config {
    uint64_t bandwidth_bytes_per_s;
    uint64_t latency_ps;
    uint32_t page_bytes;
    uint32_t factor_milli; /* 2000 is the paper's 2x */
    tl_degree_floor floor;
    tl_degree_reach reach;
    uint32_t forced; /* d itself, capped like any other; TL_DEGREE_NOT_FORCED: Eq. 6 */
} tl_degree_config;

/** Distances in K-steps. near <= far; far = near: no far tier. */
typedef struct tl_degree {
    uint32_t near, far;
} tl_degree;

/**
 * The degree now; to be asked again whenever a CTA starts or retires.
 * @param pages_per_tile  pages of a compute tile
 * @param k_steps         K / TILE_K: the cap of near and far
 * @return {0, 0} when no page is demanded at all (p_wave = 0)
 */
tl_degree tl_degree_of(const tl_degree_config *config, uint32_t active_ctas, uint32_t pages_per_tile, uint32_t k_steps);

#ifdef __cplusplus
}
#endif
#endif
