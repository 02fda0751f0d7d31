/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A quantity over time in a fixed number of bins. When time runs past the last bin, neighbours are joined and bins are
 * twice as wide: a run of any length ends with between half and all of the bins in use.
 */
#ifndef TILELENS_SIM_TIME_BINS_H
#define TILELENS_SIM_TIME_BINS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_TIME_BINS = 256, TL_TIME_BIN_PS = 1000 /* at first */ };

/** A plain value; all zero is empty. */
typedef struct tl_time_bins {
    uint32_t doublings; /* a bin is TL_TIME_BIN_PS << doublings wide */
    uint32_t used;      /* bins up to the last that something was added to */
    uint64_t amount[TL_TIME_BINS];
} tl_time_bins;

/** Join neighbours until `now_ps` has a bin. */
void tl_time_bins_widen(tl_time_bins *bins, uint64_t now_ps);

static inline void tl_time_bins_add(tl_time_bins *bins, uint64_t now_ps, uint64_t amount)
{
    uint64_t bin = now_ps / TL_TIME_BIN_PS >> bins->doublings;
    if (bin >= TL_TIME_BINS) {
        tl_time_bins_widen(bins, now_ps);
        bin = now_ps / TL_TIME_BIN_PS >> bins->doublings;
    }
    bins->amount[bin] += amount;
    bins->used = bin < bins->used ? bins->used : (uint32_t)bin + 1;
}

static inline uint64_t tl_time_bins_width_ps(const tl_time_bins *bins)
{
    return (uint64_t)TL_TIME_BIN_PS << bins->doublings;
}

#ifdef __cplusplus
}
#endif
#endif
