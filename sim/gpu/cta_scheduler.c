/* SPDX-License-Identifier: Apache-2.0 */
/* Thread blocks to slots, in raster order. */
#include "cta_scheduler.h"

#include <stdlib.h>

struct tl_cta_scheduler {
    uint32_t sm_count;
    uint32_t slot_count;  /* of the current kernel */
    uint32_t *free_slots; /* ring of slots, the one that became free first in front */
    uint32_t ring_entries;
    uint32_t free_head, free_count;
    uint32_t cta_count, next_cta, active;
    uint64_t launch_ps, changed_ps, first_idle_ps, finished_ps;
    double busy_slot_ps; /* sum over time of active CTAs */
    bool idle_seen;
};

tl_cta_scheduler *tl_cta_scheduler_create(uint32_t sm_count, uint32_t max_ctas_per_sm)
{
    tl_cta_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (scheduler == NULL)
        return NULL;
    scheduler->sm_count = sm_count;
    scheduler->ring_entries = sm_count * max_ctas_per_sm;
    scheduler->free_slots = malloc(scheduler->ring_entries * sizeof *scheduler->free_slots);
    if (scheduler->free_slots != NULL)
        return scheduler;
    free(scheduler);
    return NULL;
}

void tl_cta_scheduler_destroy(tl_cta_scheduler *scheduler)
{
    if (scheduler != NULL)
        free(scheduler->free_slots);
    free(scheduler);
}

static void put_free_slot(tl_cta_scheduler *scheduler, uint32_t slot)
{
    scheduler->free_slots[(scheduler->free_head + scheduler->free_count++) % scheduler->ring_entries] = slot;
}

static uint32_t take_free_slot(tl_cta_scheduler *scheduler)
{
    const uint32_t slot = scheduler->free_slots[scheduler->free_head];
    scheduler->free_head = (scheduler->free_head + 1) % scheduler->ring_entries;
    scheduler->free_count--;
    return slot;
}

static void advance(tl_cta_scheduler *scheduler, uint64_t now_ps)
{
    scheduler->busy_slot_ps += (double)(now_ps - scheduler->changed_ps) * scheduler->active;
    scheduler->changed_ps = now_ps;
}

void tl_cta_scheduler_launch(tl_cta_scheduler *scheduler, uint64_t now_ps, uint32_t cta_count, uint32_t ctas_per_sm)
{
    scheduler->slot_count = scheduler->sm_count * ctas_per_sm;
    scheduler->free_head = 0;
    scheduler->free_count = 0;
    for (uint32_t slot = 0; slot < scheduler->slot_count; slot++)
        put_free_slot(scheduler, slot);
    scheduler->cta_count = cta_count;
    scheduler->next_cta = 0;
    scheduler->active = 0;
    scheduler->launch_ps = now_ps;
    scheduler->changed_ps = now_ps;
    scheduler->finished_ps = now_ps;
    scheduler->first_idle_ps = now_ps;
    scheduler->busy_slot_ps = 0;
    scheduler->idle_seen = false;
}

bool tl_cta_scheduler_next(tl_cta_scheduler *scheduler, uint64_t now_ps, tl_cta_assignment *assignment)
{
    if (scheduler->free_count == 0)
        return false;
    if (scheduler->next_cta == scheduler->cta_count) {
        if (!scheduler->idle_seen)
            scheduler->first_idle_ps = now_ps;
        scheduler->idle_seen = true;
        return false;
    }
    advance(scheduler, now_ps);
    const uint32_t slot = take_free_slot(scheduler);
    *assignment = (tl_cta_assignment){
        .cta = scheduler->next_cta++,
        .sm = slot % scheduler->sm_count,
        .slot_in_sm = slot / scheduler->sm_count,
    };
    scheduler->active++;
    return true;
}

void tl_cta_scheduler_retire(tl_cta_scheduler *scheduler, uint64_t now_ps, uint32_t sm, uint32_t slot_in_sm)
{
    advance(scheduler, now_ps);
    scheduler->active--;
    scheduler->finished_ps = now_ps;
    put_free_slot(scheduler, slot_in_sm * scheduler->sm_count + sm);
}

uint32_t tl_cta_scheduler_active(const tl_cta_scheduler *scheduler)
{
    return scheduler->active;
}

bool tl_cta_scheduler_finished(const tl_cta_scheduler *scheduler)
{
    return scheduler->next_cta == scheduler->cta_count && scheduler->active == 0;
}

tl_wave_stats tl_cta_scheduler_stats(const tl_cta_scheduler *scheduler)
{
    const uint64_t duration_ps = scheduler->finished_ps - scheduler->launch_ps;
    const uint32_t waves = (scheduler->cta_count + scheduler->slot_count - 1) / scheduler->slot_count;
    return (tl_wave_stats){
        .waves = waves,
        .last_wave_ctas = waves == 0 ? 0 : scheduler->cta_count - (waves - 1) * scheduler->slot_count,
        .occupancy =
            duration_ps == 0 ? 0 : scheduler->busy_slot_ps / ((double)duration_ps * scheduler->slot_count),
        .first_idle_ps = scheduler->first_idle_ps - scheduler->launch_ps,
        .duration_ps = duration_ps,
    };
}
