/* SPDX-License-Identifier: Apache-2.0 */
/* One pseudo-channel: giving the planned commands, and what they change. */
#include "hbm_internal.h"

/* On a shared bus somebody else may have reserved since the plan was made. */
static void make_plans(const tl_hbm *hbm, hbm_pc *pc)
{
    if (!pc->column_plan.valid || hbm->config.shared_bus != NULL) {
        hbm_plan_command(hbm, pc, true);
    }
    if (!pc->row_plan.valid) {
        hbm_plan_command(hbm, pc, false);
    }
}

/* ---- giving it -------------------------------------------------------------------------------------------------- */

/* A column command of more than one burst stands for commands that follow each other at the rate of the bus. */
static void give_column(tl_hbm *hbm, hbm_pc *pc, hbm_bank *bank, unsigned b)
{
    const tl_hbm_timing *timing = &hbm->config.timing;
    const uint64_t time_ps = pc->clock_ps;
    const uint16_t at = bank->target;
    hbm_entry *entry = &hbm->entries[at];
    const uint32_t bytes = hbm->config.burst_bytes != 0 ? hbm->config.burst_bytes : entry->remaining_bytes;
    const uint64_t transfer_ps = hbm->config.access_ps * bytes / TL_HBM_ACCESS_BYTES;
    const uint64_t data_end_ps = time_ps + (pc->writing ? timing->cwl_ps : timing->cl_ps) + transfer_ps;
    const uint64_t last_burst_ps =
        hbm->config.burst_bytes != 0 ? time_ps : time_ps + transfer_ps - hbm->config.access_ps;

    hbm->bus->free_ps[pc->number] = data_end_ps;
    hbm->counters.mem.bus_busy_ps += transfer_ps;
    hbm->counters.column_commands++;
    pc->column_ready_ps = last_burst_ps + timing->ccd_s_ps;
    pc->other_stack_ps = last_burst_ps + timing->ccd_r_ps;
    pc->last_stack_id = bank->stack_id;
    pc->group_column_ps[bank->group] = last_burst_ps + timing->ccd_l_ps;
    if (pc->writing) {
        pc->read_ready_ps = data_end_ps + timing->wtr_s_ps;
        pc->group_read_ps[bank->group] = data_end_ps + timing->wtr_l_ps;
        bank->precharge_ready_ps = later(bank->precharge_ready_ps, data_end_ps + timing->wr_ps);
    } else {
        pc->write_ready_ps = last_burst_ps + timing->rtw_ps;
        bank->precharge_ready_ps = later(bank->precharge_ready_ps, last_burst_ps + timing->rtp_ps);
    }
    pc->column_plan.valid = false;
    hbm_observe(
        hbm, pc,
        (tl_hbm_command){time_ps, pc->writing ? TL_HBM_WR : TL_HBM_RD, entry->row, 0, (uint8_t)b, (uint16_t)bytes});
    entry->remaining_bytes = (uint16_t)(entry->remaining_bytes - bytes);
    if (entry->remaining_bytes == 0) {
        hbm_list_remove(hbm, bank, at);
        hbm_finish(hbm, pc, at, data_end_ps);
        hbm_update_intent(hbm, pc, b);
        hbm_choose_direction(hbm, pc);
    }
}

static void give_activate(tl_hbm *hbm, hbm_pc *pc, hbm_bank *bank, unsigned b)
{
    pc->row_plan.valid = false;
    const tl_hbm_timing *timing = &hbm->config.timing;
    const uint64_t time_ps = pc->clock_ps;
    hbm_entry *entry = &hbm->entries[bank->target];
    entry->activated = true;
    bank->activate_ready_ps = time_ps + timing->rc_ps;
    bank->precharge_ready_ps = time_ps + timing->ras_ps;
    bank->activated_ps = time_ps;
    pc->activate_ready_ps = time_ps + timing->rrd_s_ps;
    pc->group_activate_ps[bank->group] = time_ps + timing->rrd_l_ps;
    pc->window_ps[pc->window_slot] = time_ps + timing->faw_ps;
    pc->window_slot = (uint8_t)((pc->window_slot + 1) % 4);
    hbm->counters.activates++;
    hbm_observe(hbm, pc, (tl_hbm_command){time_ps, TL_HBM_ACT, entry->row, 0, (uint8_t)b, 0});
    hbm_set_open_row(hbm, bank, entry->row);
    hbm_update_intent(hbm, pc, b);
}

static void give_precharge(tl_hbm *hbm, hbm_pc *pc, hbm_bank *bank, unsigned b)
{
    pc->row_plan.valid = false;
    hbm_observe(hbm, pc, (tl_hbm_command){pc->clock_ps, TL_HBM_PRE, bank->open_row, 0, (uint8_t)b, 0});
    bank->activate_ready_ps = later(bank->activate_ready_ps, pc->clock_ps + hbm->config.timing.rp_ps);
    hbm_set_open_row(hbm, bank, TL_HBM_CLOSED);
    hbm->counters.precharges++;
    if (hbm_row_time(hbm, pc, b) == pc->clock_ps) {
        give_activate(hbm, pc, bank, b);
    }
}

/* The refresh waits until its banks can be precharged; they are then busy for the refresh time and closed. */
static void give_refresh(tl_hbm *hbm, hbm_pc *pc)
{
    const tl_refresh_config *refresh = &hbm->config.refresh;
    const bool all = refresh->mode == TL_REFRESH_ALL_BANK;
    const unsigned first = all ? 0 : pc->refresh_bank;
    const unsigned end = all ? hbm->bank_count : first + 1;
    uint64_t start_ps = pc->refresh_due_ps;
    for (unsigned b = first; b < end; b++) {
        const hbm_bank *bank = &pc->banks[b];
        const bool open = bank->open_row != TL_HBM_CLOSED;
        const uint64_t closed_ps =
            open ? later(pc->clock_ps, bank->precharge_ready_ps) + hbm->config.timing.rp_ps : bank->activate_ready_ps;
        start_ps = later(start_ps, closed_ps);
    }
    hbm_observe(hbm, pc, (tl_hbm_command){start_ps, TL_HBM_REF, 0, 0, all ? UINT8_MAX : (uint8_t)first, 0});
    for (unsigned b = first; b < end; b++) {
        pc->banks[b].activate_ready_ps = start_ps + refresh->duration_ps;
        hbm_set_open_row(hbm, &pc->banks[b], TL_HBM_CLOSED);
        hbm_update_intent(hbm, pc, b);
    }
    pc->column_plan.valid = pc->row_plan.valid = false;
    pc->refresh_bank = pc->refresh_bank + 1 < hbm->bank_count ? pc->refresh_bank + 1 : 0;
    pc->refresh_due_ps += refresh->interval_ps;
    hbm->counters.mem.refreshes++;
}

/* ---- the interface of hbm_internal.h ---------------------------------------------------------------------------- */

uint64_t hbm_pc_wake_ps(tl_hbm *hbm, hbm_pc *pc)
{
    make_plans(hbm, pc);
    const uint64_t command_ps =
        pc->column_plan.time_ps < pc->row_plan.time_ps ? pc->column_plan.time_ps : pc->row_plan.time_ps;
    return command_ps < pc->refresh_due_ps ? command_ps : pc->refresh_due_ps;
}

/* Of equal times: refresh, column command, row command. */
void hbm_pc_advance(tl_hbm *hbm, hbm_pc *pc, uint64_t limit_ps)
{
    for (;;) {
        make_plans(hbm, pc);
        const bool column = pc->column_plan.time_ps <= pc->row_plan.time_ps;
        const hbm_plan plan = column ? pc->column_plan : pc->row_plan;
        const bool refresh = pc->refresh_due_ps <= plan.time_ps;
        const uint64_t time_ps = refresh ? pc->refresh_due_ps : plan.time_ps;
        if (time_ps >= limit_ps) {
            break;
        }
        hbm_bank *bank = &pc->banks[plan.bank];
        pc->clock_ps = later(pc->clock_ps, time_ps);
        if (refresh) {
            give_refresh(hbm, pc);
        } else if (column) {
            give_column(hbm, pc, bank, plan.bank);
        } else if (bank->open_row != TL_HBM_CLOSED) {
            give_precharge(hbm, pc, bank, plan.bank);
        } else {
            give_activate(hbm, pc, bank, plan.bank);
        }
    }
}

void hbm_pc_enter(tl_hbm *hbm, hbm_pc *pc, uint16_t at)
{
    const hbm_entry *entry = &hbm->entries[at];
    pc->clock_ps = later(pc->clock_ps, hbm->now_ps);
    hbm_count_waiting(pc, entry);
    hbm_list_insert(hbm, &pc->banks[entry->bank], at);
    hbm_update_target(hbm, pc, entry->bank);
    hbm_choose_direction(hbm, pc);
}

void hbm_pc_promote(tl_hbm *hbm, hbm_pc *pc, uint16_t at)
{
    hbm_entry *entry = &hbm->entries[at];
    hbm_bank *bank = &pc->banks[entry->bank];
    pc->clock_ps = later(pc->clock_ps, hbm->now_ps);
    hbm_list_remove(hbm, bank, at);
    entry->list = HBM_DEMAND;
    hbm_list_insert(hbm, bank, at);
    hbm_update_intent(hbm, pc, entry->bank);
}
