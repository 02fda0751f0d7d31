/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What one run counts, and the laws of conservation that it must keep. All plain values; all zero is the start.
 *
 * Modules report events by the inline functions, or their own counters are copied here at the end of the run.
 * report.h turns this into the numbers that a user sees and defines each of them.
 */
#ifndef TILELENS_SIM_STATISTICS_H
#define TILELENS_SIM_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram.h"
#include "time_bins.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many, and a fingerprint of which: two tallies of the same tags in any order are equal. */
typedef struct tl_tally {
    uint64_t count;
    uint64_t fingerprint;
} tl_tally;

/** Bytes of the TMAs and of everything between them and the channels. */
typedef struct tl_byte_counts {
    uint64_t tma_asked; /* weights and activations, out-of-bounds fill not counted */
    uint64_t tma_delivered;
    uint64_t weights_asked;   /* of tma_asked */
    uint64_t weights_fetched; /* by channels, for weights: prefetches and what nobody asked for included */
    uint64_t channels_read;   /* by all channels */
    uint64_t l2_filled;       /* from channels into L2 */
    uint64_t sram_filled;     /* from channels into the SRAM buffer */
    uint64_t bypassed;        /* from channels to SMs without a fill */
    uint64_t hbm_moved, hbf_moved, rome_moved, sram_moved; /* read and written */
} tl_byte_counts;

typedef struct tl_tile_counts {
    uint64_t issued;
    uint64_t delivered;
    uint64_t accesses;     /* L2 accesses for the weights of all tiles */
    uint64_t queue_ps;     /* issue of the first request to the first arrival, summed over delivered tiles */
    uint64_t straggler_ps; /* first to last arrival, summed */
    uint64_t weight_queue_ps, weight_straggler_ps; /* the same of the accesses for weights */
} tl_tile_counts;

typedef struct tl_cache_counts {
    uint64_t l2_hits, l2_misses, l2_thrash;
    uint64_t sram_hits;
    uint64_t row_hits, row_misses;
} tl_cache_counts;

/** Of one partition of the MSHRs. */
typedef struct tl_mshr_counts {
    uint64_t occupancy_entry_ps; /* entries in use, integrated over time */
    uint64_t peak;
    uint64_t allocated, merged, refused;
} tl_mshr_counts;

typedef struct tl_prefetch_counts {
    uint64_t demands;        /* page demands that a prefetch could have served */
    uint64_t issued;         /* prefetch reads that channels were sent */
    uint64_t used;           /* prefetched pages that a demand met */
    uint64_t covered;        /* demands that met a page which a prefetch had asked for */
    uint64_t late;           /* ... while it was on its way */
    uint64_t late_ps;        /* from the demand to the arrival, summed over late ones */
    uint64_t evicted_unused; /* prefetched pages evicted before a demand met them */
} tl_prefetch_counts;

typedef struct tl_flash_counts {
    uint64_t writes_after_load;
    uint64_t worst_block_programs;
    uint64_t worn_blocks;
} tl_flash_counts;

/** What a run is measured against. */
typedef struct tl_statistics_scale {
    uint64_t weight_bytes_per_s; /* peak of the bus that weights come over */
    uint64_t hbm_fj_per_bit, hbf_fj_per_bit, rome_fj_per_bit, sram_fj_per_bit;
} tl_statistics_scale;

typedef struct tl_statistics {
    tl_statistics_scale scale;
    uint64_t time_ps; /* from the first CTA to the last */
    tl_byte_counts bytes;
    tl_tile_counts tiles;
    tl_cache_counts caches;
    tl_mshr_counts page_mshr, line_mshr;
    tl_prefetch_counts prefetch;
    tl_flash_counts flash;
    tl_tally sent, answered;      /* requests to channels and their completions */
    uint64_t refused_requests;    /* by a channel, for their address or time: always an error */
    uint64_t channel_reads;       /* by the count of the channels themselves */
    tl_histogram channel_latency; /* of reads: acceptance by the controller to the last byte */
    tl_time_bins useful_bytes_over_time;
    uint64_t events; /* of the simulation */
    double seconds;  /* CPU time */
} tl_statistics;

static inline void tl_tally_add(tl_tally *tally, uint64_t tag)
{
    uint64_t mixed = (tag ^ (tag >> 30)) * UINT64_C(0xbf58476d1ce4e5b9); /* splitmix64 */
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    tally->count++;
    tally->fingerprint += mixed ^ (mixed >> 31);
}

/** A request is sent to a channel. `tag` names it among all requests of the run, over all channels. */
static inline void tl_statistics_sent(tl_statistics *statistics, uint64_t tag)
{
    tl_tally_add(&statistics->sent, tag);
}

/** A channel has answered the request `tag`. */
static inline void tl_statistics_answered(tl_statistics *statistics, uint64_t tag)
{
    tl_tally_add(&statistics->answered, tag);
}

/** A channel has answered a read. */
static inline void tl_statistics_read(tl_statistics *statistics, uint64_t queued_ps, uint64_t done_ps)
{
    tl_histogram_add(&statistics->channel_latency, done_ps - queued_ps);
}

/** All of a tile has arrived. */
static inline void tl_statistics_tile(tl_statistics *statistics, uint64_t issued_ps, uint64_t first_ps,
                                      uint64_t last_ps)
{
    statistics->tiles.delivered++;
    statistics->tiles.queue_ps += first_ps - issued_ps;
    statistics->tiles.straggler_ps += last_ps - first_ps;
}

/** The weights of a tile have arrived. */
static inline void tl_statistics_tile_weights(tl_statistics *statistics, uint64_t issued_ps, uint64_t first_ps,
                                              uint64_t last_ps)
{
    statistics->tiles.weight_queue_ps += first_ps - issued_ps;
    statistics->tiles.weight_straggler_ps += last_ps - first_ps;
}

/** Bytes of weights that a TMA asked for have arrived in shared memory. */
static inline void tl_statistics_useful(tl_statistics *statistics, uint64_t now_ps, uint64_t bytes)
{
    tl_time_bins_add(&statistics->useful_bytes_over_time, now_ps, bytes);
}

/** Room for the text of tl_statistics_check. */
enum { TL_STATISTICS_BROKEN_BYTES = 192 };

/**
 * Conservation at the end of a run: bytes asked for are delivered, bytes read are filled or bypassed, every request is
 * answered exactly once and every tile delivered, and nothing was refused or written to flash.
 * @param broken  the first counter that is wrong: `NAME: found ..., expected ...`
 * @return true when all holds
 */
bool tl_statistics_check(const tl_statistics *statistics, char broken[TL_STATISTICS_BROKEN_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
