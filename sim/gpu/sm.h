/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One streaming multiprocessor: the K-loops of the CTAs in its slots, and the tensor cores that they share.
 *
 *   tile k is issued       when fewer than tiles_in_flight tiles of the CTA are on their way and a buffer is free,
 *                          that is when tile k - stages has been computed
 *   tile k is computed     when it has arrived whole, tile k - 1 has been computed and the tensor cores are free; among
 *                          CTAs that wait for these, the one whose tile was ready first
 *   the CTA retires        when its last tile has been computed
 *
 * The SM has no time source: events go in with their time, decisions come out. After every event call tl_sm_decide
 * until it returns false. Memory is taken at creation only.
 */
#ifndef TILELENS_SIM_SM_H
#define TILELENS_SIM_SM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_sm tl_sm;

typedef struct tl_sm_config {
    uint32_t max_slots;  /* CTAs at once, of any kernel */
    uint32_t max_stages; /* buffers of one CTA, of any kernel */
} tl_sm_config;

typedef struct tl_sm_cta {
    uint32_t cta;
    uint32_t step_count;
    uint32_t stages, tiles_in_flight;
    uint64_t compute_ps; /* of one tile */
} tl_sm_cta;

typedef enum tl_sm_decision_kind {
    TL_SM_ISSUE,   /* start the loads of a tile, then call tl_sm_tile_issued */
    TL_SM_COMPUTE, /* the tensor cores are busy until end_ps, then call tl_sm_compute_ended */
    TL_SM_RETIRE   /* the slot is free */
} tl_sm_decision_kind;

typedef struct tl_sm_decision {
    tl_sm_decision_kind kind;
    uint32_t slot;
    uint32_t cta;
    uint32_t step;
    uint64_t end_ps; /* TL_SM_COMPUTE */
} tl_sm_decision;

/* Of all accesses of a tile, and of those for weights alone: activations are mostly in the L2 and there first. */
typedef struct tl_tile_times {
    uint64_t issue_ps, first_arrival_ps, last_arrival_ps;
    uint64_t first_weight_ps, last_weight_ps; /* issue_ps without weights */
} tl_tile_times;

/** What a CTA waits for, to explain a run that stands still. */
typedef struct tl_sm_wait {
    uint32_t cta;
    uint32_t step;               /* computed next */
    uint32_t missing_accesses;   /* of that tile; 0: it waits for the tensor cores, or to be issued */
    bool issued;
} tl_sm_wait;

/** @return null when memory runs out */
tl_sm *tl_sm_create(const tl_sm_config *config);
void tl_sm_destroy(tl_sm *sm);

/** A CTA enters a free slot. step_count, stages and tiles_in_flight are at least 1. */
void tl_sm_start_cta(tl_sm *sm, uint32_t slot, const tl_sm_cta *cta);

/** The next thing that this SM does now. @return false when it can only wait */
bool tl_sm_decide(tl_sm *sm, uint64_t now_ps, tl_sm_decision *decision);

/**
 * The loads of a tile have been issued and will cause this many accesses.
 * @return true when there are none (all out of bounds): the tile is whole, as after its last arrival
 */
bool tl_sm_tile_issued(tl_sm *sm, uint32_t slot, uint32_t step, uint64_t now_ps, uint32_t accesses);

/** One access, of weights or activations, will have arrived at this time, which may lie ahead. @return true when it is
 * the last one of the tile: then *times is set, and tl_sm_tile_landed is to be called at that time */
bool tl_sm_access_arrived(tl_sm *sm, uint32_t slot, uint32_t step, bool weight, uint64_t now_ps, tl_tile_times *times);

/** All of the tile is there. */
void tl_sm_tile_landed(tl_sm *sm, uint32_t slot, uint32_t step, uint64_t now_ps);

void tl_sm_compute_ended(tl_sm *sm, uint64_t now_ps);

/** Time that the tensor cores have computed, in whole tiles. */
uint64_t tl_sm_compute_busy_ps(const tl_sm *sm);

/** @return false when the slot is empty */
bool tl_sm_waiting(const tl_sm *sm, uint32_t slot, tl_sm_wait *wait);

static inline uint64_t tl_tile_queue_ps(const tl_tile_times *times)
{
    return times->first_arrival_ps - times->issue_ps;
}

static inline uint64_t tl_tile_straggler_ps(const tl_tile_times *times)
{
    return times->last_arrival_ps - times->first_arrival_ps;
}

#ifdef __cplusplus
}
#endif
#endif
