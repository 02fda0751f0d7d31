/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pseudo-channel in the fast mode: nothing but its half of the data bus. The requests are in the lists of its first
 * bank, in order of age; every one is a single column command.
 */
#include "hbm_internal.h"

static unsigned serving_list(const hbm_pc *pc)
{
    if (pc->writing) {
        return HBM_WRITE;
    }
    return pc->banks[0].head[HBM_DEMAND] != TL_HBM_NONE ? HBM_DEMAND : HBM_PREFETCH;
}

static uint64_t latency_ps(const tl_hbm *hbm, const hbm_pc *pc)
{
    return pc->writing ? hbm->config.timing.cwl_ps : hbm->config.timing.cl_ps;
}

static uint64_t bus_command_ps(const tl_hbm *hbm, const hbm_pc *pc)
{
    if (pc->reads + pc->writes == 0) {
        return TL_NEVER_PS;
    }
    const uint64_t free_ps = hbm->bus->free_ps[pc->number], lead_ps = latency_ps(hbm, pc);
    return later(pc->clock_ps, free_ps > lead_ps ? free_ps - lead_ps : 0);
}

static void give_bus_command(tl_hbm *hbm, hbm_pc *pc)
{
    const unsigned list = serving_list(pc);
    const uint16_t at = pc->banks[0].head[list];
    const hbm_entry *entry = &hbm->entries[at];
    const uint64_t transfer_ps = hbm->config.access_ps * entry->bytes / TL_HBM_ACCESS_BYTES;
    const uint64_t done_ps = pc->clock_ps + latency_ps(hbm, pc) + transfer_ps;
    hbm->bus->free_ps[pc->number] = done_ps;
    hbm->counters.mem.bus_busy_ps += transfer_ps;
    hbm->counters.column_commands++;
    hbm_observe(hbm, pc, (tl_hbm_command){pc->clock_ps, pc->writing ? TL_HBM_WR : TL_HBM_RD, 0, 0, 0, entry->bytes});
    hbm_list_remove(hbm, &pc->banks[0], at);
    hbm_finish(hbm, pc, at, done_ps);
    hbm_choose_direction(hbm, pc);
}

static void hold_for_refresh(tl_hbm *hbm, hbm_pc *pc)
{
    const tl_refresh_config *refresh = &hbm->config.refresh;
    const uint64_t start_ps = later(pc->clock_ps, pc->refresh_due_ps);
    hbm_observe(hbm, pc, (tl_hbm_command){start_ps, TL_HBM_REF, 0, 0, UINT8_MAX, 0});
    pc->clock_ps = start_ps + refresh->duration_ps;
    pc->refresh_due_ps += refresh->interval_ps;
    hbm->counters.mem.refreshes++;
}

void hbm_bus_advance(tl_hbm *hbm, hbm_pc *pc, uint64_t limit_ps)
{
    for (;;) {
        const uint64_t time_ps = bus_command_ps(hbm, pc);
        const bool refresh = pc->refresh_due_ps <= time_ps;
        if ((refresh ? pc->refresh_due_ps : time_ps) >= limit_ps) {
            break;
        }
        if (refresh) {
            hold_for_refresh(hbm, pc);
        } else {
            pc->clock_ps = time_ps;
            give_bus_command(hbm, pc);
        }
    }
}

uint64_t hbm_bus_wake_ps(const tl_hbm *hbm, const hbm_pc *pc)
{
    const uint64_t time_ps = bus_command_ps(hbm, pc);
    return time_ps < pc->refresh_due_ps ? time_ps : pc->refresh_due_ps;
}

void hbm_bus_enter(tl_hbm *hbm, hbm_pc *pc, uint16_t at)
{
    const hbm_entry *entry = &hbm->entries[at];
    pc->clock_ps = later(pc->clock_ps, hbm->now_ps);
    hbm_count_waiting(pc, entry);
    hbm_list_insert(hbm, &pc->banks[0], at);
    hbm_choose_direction(hbm, pc);
}

void hbm_bus_promote(tl_hbm *hbm, hbm_pc *pc, uint16_t at)
{
    hbm_list_remove(hbm, &pc->banks[0], at);
    hbm->entries[at].list = HBM_DEMAND;
    hbm_list_insert(hbm, &pc->banks[0], at);
}
