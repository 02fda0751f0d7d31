/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage counters: the odometer over the box (Fig. 10), out-of-bounds windows, shared-memory offset, and the cut of
 * each box row into runs. Mirrors rtl/tma_counters.sv.
 *
 * A run is a contiguous piece of one box row: the part below the tensor (fill), the part inside it, cut at
 * memory-tile edges (general), and the part beyond it (fill). A row outside the tensor in any dimension >= 1 is one
 * fill run.
 */
#ifndef TILELENS_COUNTERS_H
#define TILELENS_COUNTERS_H

#include "tilelens/dim_convert.h"
#include "tilelens/split_sum.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Positions along one dimension, in steps from the coordinate, that lie inside the tensor: low <= t < high. */
typedef struct tl_window {
    uint32_t low, high; /* 0..256 */
} tl_window;

typedef struct tl_counters {
    uint64_t x;                         /* cursor at the start of the row, units; bits above 60 are of no meaning */
    uint32_t position;                  /* bytes of the row already passed, 0..row_bytes-1 */
    uint32_t row_address;               /* shared-memory address of the row, bytes, wraps at 2^32 */
    uint32_t t[TL_MAX_RANK];            /* position along each dimension, 0..limit; entry 0 unused */
    uint32_t inner;                     /* paper: Eq. 5's inner counter, 0..b-1 */
    tl_window window[TL_MAX_RANK];      /* entries 1..rank-1 */
    uint32_t inside_low, inside_high;   /* row bytes inside the tensor; low = row_bytes when there are none */
    uint32_t outside;                   /* bit d: t_d lies outside its window */
    bool done;
} tl_counters;

typedef struct tl_run {
    uint64_t x;          /* cursor at the start of the run, units, 60 bits; row cursor when fill */
    uint32_t address;    /* shared-memory address before swizzle, bytes */
    uint32_t row_index;  /* general: i mod a of x, units (what permute rotates) */
    uint32_t bytes;      /* 1..2048 */
    bool last;           /* of the load */
    bool fill;
} tl_run;

/** Arm the counters: windows from the coordinates, cursor at the tile base. */
void tl_counters_start(tl_counters *counters, const tl_fields *fields, const int32_t coordinates[TL_MAX_RANK],
                       uint32_t shared_address, const tl_tile_base *base);

/** Emit the next run and step. Call only while !counters->done. */
void tl_counters_step(tl_counters *counters, const tl_fields *fields, const tl_levels *levels, tl_run *run);

#ifdef __cplusplus
}
#endif
#endif
