/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The stride prefetcher of the memory controller (Sec. 5.3 of the TileLens paper). A tiled matrix product walks along K
 * in steps of the compute tile, so the page that a CTA needs x steps from now lies x strides behind the demanded one.
 *
 * Where that is depends on the layout, and three numbers say it. K runs along `run_bytes` of memory, in strides of
 * `stride_bytes` a K-step, then the next columns follow; a prefetch that would leave the run is not made:
 *
 *   layout        run                                   stride                  K K-extent with padding, s element
 * bytes tile-major    K*b*s, a row of memory tiles          TILE_K*b*s              b columns of a memory tile
 *   column-major  K*s, a column                         TILE_K*s
 *   row-major     K*pitch, the matrix                   TILE_K*pitch            pitch of a row, bytes
 *
 * The filter knows of each page of each tensor whether it was asked for and where it is, exactly, so no page is read
 * twice while it is on its way or held. Its owner reports demands, fills and evictions.
 */
#ifndef TILELENS_PREFETCH_STRIDE_PREFETCHER_H
#define TILELENS_PREFETCH_STRIDE_PREFETCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "../memory/channel.h"
#include "degree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Weights in page memory. Several matrices one after the other (experts) are one tensor if each is whole runs. */
typedef struct tl_prefetch_tensor {
    uint64_t base_address; /* a multiple of page_bytes */
    uint64_t bytes;
    uint64_t run_bytes;
    uint64_t stride_bytes;
} tl_prefetch_tensor;

typedef enum tl_prefetch_trigger { TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ON_MISS_OR_MERGE } tl_prefetch_trigger;

typedef enum tl_prefetch_distances {
    TL_PREFETCH_ALL,   /* 1..near and near+1..far at every trigger */
    TL_PREFETCH_NEWEST /* only near and, with a far tier, far */
} tl_prefetch_distances;

typedef struct tl_prefetcher_config {
    const tl_prefetch_tensor *tensors; /* copied; they do not overlap */
    uint32_t tensor_count;
    uint32_t page_bytes; /* a power of two */
    tl_prefetch_trigger trigger;
    tl_prefetch_distances distances;
} tl_prefetcher_config;

/** What a demand found in the L2. */
typedef enum tl_demand_outcome { TL_DEMAND_HIT, TL_DEMAND_MISS, TL_DEMAND_MERGE } tl_demand_outcome;

/** What a demand met of the prefetcher's. */
typedef enum tl_prefetch_met {
    TL_MET_NOTHING,
    TL_MET_NEAR_IN_FLIGHT,
    TL_MET_FAR_IN_FLIGHT, /* the fill must go to the L2 now */
    TL_MET_IN_L2,
    TL_MET_IN_BUFFER /* the read is served by the SRAM buffer */
} tl_prefetch_met;

/** Where a prefetch gets its page from. */
typedef enum tl_prefetch_source {
    TL_PREFETCH_FROM_MEMORY,
    TL_PREFETCH_FROM_FLIGHT, /* a far read on its way: becomes near, its fill must go to the L2 */
    TL_PREFETCH_FROM_BUFFER  /* the SRAM buffer holds it: to be copied to the L2 */
} tl_prefetch_source;

typedef struct tl_prefetch {
    uint64_t page_address;
    tl_mem_class mem_class; /* near: into the L2; far: into the SRAM buffer */
    tl_prefetch_source source;
} tl_prefetch;

typedef enum tl_prefetch_tier { TL_TIER_L2, TL_TIER_BUFFER } tl_prefetch_tier;

typedef struct tl_prefetcher_counters {
    uint64_t demands;        /* reads of the tensors' pages */
    uint64_t triggers;       /* ... that looked for prefetches */
    uint64_t issued[2];      /* reads from memory, by tier, less those dropped */
    uint64_t dropped;        /* handed out and refused by the memory system */
    uint64_t moved_near;     /* far pages brought to the L2, in flight or from the buffer */
    uint64_t filtered;       /* candidates already asked for or held */
    uint64_t outside;        /* candidates beyond the run */
    uint64_t used;           /* prefetched pages that a demand met */
    uint64_t covered;        /* demands that met a page which a prefetch had asked for */
    uint64_t late;           /* ... while it was in flight */
    uint64_t promotions;     /* prefetches in flight that became demands */
    uint64_t evicted_unused; /* prefetched pages evicted before a demand met them */
} tl_prefetcher_counters;

typedef struct tl_prefetcher tl_prefetcher;

/** NULL when tensors overlap or are misaligned, a run or stride is 0, or memory is short. */
tl_prefetcher *tl_prefetcher_create(const tl_prefetcher_config *config);
void tl_prefetcher_destroy(tl_prefetcher *prefetcher);

const tl_prefetcher_counters *tl_prefetcher_get_counters(const tl_prefetcher *prefetcher);
double tl_prefetcher_accuracy(const tl_prefetcher *prefetcher); /* used / issued; 0 when none was issued */
double tl_prefetcher_coverage(const tl_prefetcher *prefetcher); /* covered / demands */
double tl_prefetcher_lateness(const tl_prefetcher *prefetcher); /* late / covered */

/** A demand read of a page of a tensor; other addresses are ignored. Starts the search for prefetches at this degree.
 */
tl_prefetch_met tl_prefetcher_demand(tl_prefetcher *prefetcher, uint64_t address, tl_demand_outcome outcome,
                                     tl_degree degree);

/** The next prefetch of the latest demand, nearest first; false when there is none left. */
bool tl_prefetcher_next(tl_prefetcher *prefetcher, tl_prefetch *prefetch);

/** The memory system had no room for it: forget it. */
void tl_prefetcher_drop(tl_prefetcher *prefetcher, const tl_prefetch *prefetch);

/** A page has arrived, in the L2 or in the buffer. Other addresses are ignored, here and below. */
void tl_prefetcher_filled(tl_prefetcher *prefetcher, uint64_t address);

/** A tier no longer holds a page. */
void tl_prefetcher_evicted(tl_prefetcher *prefetcher, uint64_t address, tl_prefetch_tier tier);

#ifdef __cplusplus
}
#endif
#endif
