/* SPDX-License-Identifier: Apache-2.0 */
/* The K-loops of one SM. */
#include "sm.h"

#include <stdlib.h>

enum { TILE_EMPTY = 0, TILE_IN_FLIGHT, TILE_WHOLE };

/* A buffer of one CTA; tile k uses buffer k mod stages. */
typedef struct sm_tile {
    tl_tile_times times;
    uint32_t missing;    /* accesses that have not arrived */
    bool any_arrived, any_weight_arrived;
    int state;
} sm_tile;

typedef struct sm_slot {
    tl_sm_cta cta;
    bool occupied;
    bool issue_pending;  /* decided, but tl_sm_tile_issued has not come yet */
    uint32_t issued;     /* steps issued */
    uint32_t computed;   /* steps computed */
    uint32_t in_flight;  /* issued, not whole */
    uint64_t ready_ps;   /* when tile `computed` could be computed, the tensor cores aside */
    sm_tile *tiles;
} sm_slot;

struct tl_sm {
    tl_sm_config config;
    sm_slot *slots;
    sm_tile *tiles;
    bool computing;
    uint32_t computing_slot;
    uint64_t busy_ps;
};

tl_sm *tl_sm_create(const tl_sm_config *config)
{
    tl_sm *sm = calloc(1, sizeof *sm);
    if (sm == NULL)
        return NULL;
    sm->config = *config;
    sm->slots = calloc(config->max_slots, sizeof *sm->slots);
    sm->tiles = calloc((size_t)config->max_slots * config->max_stages, sizeof *sm->tiles);
    if (sm->slots == NULL || sm->tiles == NULL) {
        tl_sm_destroy(sm);
        return NULL;
    }
    for (uint32_t slot = 0; slot < config->max_slots; slot++)
        sm->slots[slot].tiles = sm->tiles + (size_t)slot * config->max_stages;
    return sm;
}

void tl_sm_destroy(tl_sm *sm)
{
    if (sm == NULL)
        return;
    free(sm->slots);
    free(sm->tiles);
    free(sm);
}

static sm_tile *tile_of(const sm_slot *slot, uint32_t step)
{
    return &slot->tiles[step % slot->cta.stages];
}

void tl_sm_start_cta(tl_sm *sm, uint32_t slot, const tl_sm_cta *cta)
{
    sm_slot *at = &sm->slots[slot];
    *at = (sm_slot){.cta = *cta, .occupied = true, .tiles = at->tiles};
    for (uint32_t k = 0; k < sm->config.max_stages; k++)
        at->tiles[k].state = TILE_EMPTY;
}

static bool may_issue(const sm_slot *slot)
{
    return slot->occupied && !slot->issue_pending && slot->issued < slot->cta.step_count &&
           slot->in_flight < slot->cta.tiles_in_flight && slot->issued - slot->computed < slot->cta.stages;
}

static bool may_compute(const sm_slot *slot)
{
    return slot->occupied && slot->computed < slot->issued && tile_of(slot, slot->computed)->state == TILE_WHOLE;
}

static bool may_retire(const sm_slot *slot)
{
    return slot->occupied && slot->computed == slot->cta.step_count;
}

/* First ready, first served; among equals the lowest slot. @return max_slots when no CTA is ready */
static uint32_t next_to_compute(const tl_sm *sm)
{
    uint32_t best = sm->config.max_slots;
    for (uint32_t slot = 0; slot < sm->config.max_slots; slot++)
        if (may_compute(&sm->slots[slot]) &&
            (best == sm->config.max_slots || sm->slots[slot].ready_ps < sm->slots[best].ready_ps))
            best = slot;
    return best;
}

static bool decide_compute(tl_sm *sm, uint64_t now_ps, tl_sm_decision *decision)
{
    const uint32_t slot = sm->computing ? sm->config.max_slots : next_to_compute(sm);
    if (slot == sm->config.max_slots)
        return false;
    const tl_sm_cta *cta = &sm->slots[slot].cta;
    sm->computing = true;
    sm->computing_slot = slot;
    *decision = (tl_sm_decision){TL_SM_COMPUTE, slot, cta->cta, sm->slots[slot].computed, now_ps + cta->compute_ps};
    return true;
}

bool tl_sm_decide(tl_sm *sm, uint64_t now_ps, tl_sm_decision *decision)
{
    for (uint32_t k = 0; k < sm->config.max_slots; k++) {
        sm_slot *slot = &sm->slots[k];
        if (may_retire(slot)) {
            *decision = (tl_sm_decision){TL_SM_RETIRE, k, slot->cta.cta, slot->cta.step_count, 0};
            slot->occupied = false;
            return true;
        }
        if (may_issue(slot)) {
            *decision = (tl_sm_decision){TL_SM_ISSUE, k, slot->cta.cta, slot->issued, 0};
            slot->issue_pending = true;
            return true;
        }
    }
    return decide_compute(sm, now_ps, decision);
}

static void tile_whole(sm_slot *slot, uint32_t step, uint64_t now_ps)
{
    tile_of(slot, step)->state = TILE_WHOLE;
    slot->in_flight--;
    if (step == slot->computed)
        slot->ready_ps = now_ps;
}

bool tl_sm_tile_issued(tl_sm *sm, uint32_t slot, uint32_t step, uint64_t now_ps, uint32_t accesses)
{
    sm_slot *at = &sm->slots[slot];
    *tile_of(at, step) = (sm_tile){
        .times = {now_ps, now_ps, now_ps, now_ps, now_ps},
        .missing = accesses,
        .state = TILE_IN_FLIGHT,
    };
    at->issue_pending = false;
    at->issued++;
    at->in_flight++;
    if (accesses == 0)
        tile_whole(at, step, now_ps);
    return accesses == 0;
}

bool tl_sm_access_arrived(tl_sm *sm, uint32_t slot, uint32_t step, bool weight, uint64_t now_ps, tl_tile_times *times)
{
    sm_slot *at = &sm->slots[slot];
    sm_tile *tile = tile_of(at, step);

    if (!tile->any_arrived)
        tile->times.first_arrival_ps = now_ps;
    tile->any_arrived = true;
    if (weight) {
        if (!tile->any_weight_arrived)
            tile->times.first_weight_ps = now_ps;
        tile->any_weight_arrived = true;
        tile->times.last_weight_ps = now_ps;
    }
    if (--tile->missing != 0)
        return false;
    tile->times.last_arrival_ps = now_ps;
    *times = tile->times;
    return true;
}

void tl_sm_tile_landed(tl_sm *sm, uint32_t slot, uint32_t step, uint64_t now_ps)
{
    tile_whole(&sm->slots[slot], step, now_ps);
}

void tl_sm_compute_ended(tl_sm *sm, uint64_t now_ps)
{
    sm_slot *slot = &sm->slots[sm->computing_slot];
    tile_of(slot, slot->computed)->state = TILE_EMPTY;
    slot->computed++;
    slot->ready_ps = now_ps;
    sm->busy_ps += slot->cta.compute_ps;
    sm->computing = false;
}

uint64_t tl_sm_compute_busy_ps(const tl_sm *sm)
{
    return sm->busy_ps;
}

bool tl_sm_waiting(const tl_sm *sm, uint32_t slot, tl_sm_wait *wait)
{
    const sm_slot *at = &sm->slots[slot];
    if (!at->occupied)
        return false;
    const bool issued = at->computed < at->issued;
    *wait = (tl_sm_wait){
        .cta = at->cta.cta,
        .step = at->computed,
        .missing_accesses = issued ? tile_of(at, at->computed)->missing : 0,
        .issued = issued,
    };
    return true;
}
