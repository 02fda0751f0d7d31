/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pseudo-channel: which command next, and when.
 *
 * Every bank keeps what it works for next (its intent): a column command for an entry of the open row, or another row.
 * A plan is the earliest column (row) command over all banks; equal times go by class, then by age. Planning anew costs
 * a look at every bank with work, so a plan is kept as long as it is the best.
 */
#include <string.h>

#include "hbm_internal.h"

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static uint16_t first_hit(const tl_hbm *hbm, const hbm_bank *bank, uint16_t from)
{
    while (from != TL_HBM_NONE && hbm->entries[from].row != bank->open_row) {
        from = hbm->entries[from].next;
    }
    return from;
}

/* Inserts by age; a new request is the youngest, a promoted one usually the oldest. */
void hbm_list_insert(tl_hbm *hbm, hbm_bank *bank, uint16_t at)
{
    hbm_entry *const entries = hbm->entries;
    hbm_entry *entry = &entries[at];
    const unsigned list = entry->list;
    uint16_t before = bank->tail[list];
    while (before != TL_HBM_NONE && entries[before].order > entry->order) {
        before = entries[before].previous;
    }
    entry->previous = before;
    entry->next = before == TL_HBM_NONE ? bank->head[list] : entries[before].next;
    *(before == TL_HBM_NONE ? &bank->head[list] : &entries[before].next) = at;
    *(entry->next == TL_HBM_NONE ? &bank->tail[list] : &entries[entry->next].previous) = at;

    const uint16_t hit = bank->hit[list];
    if (entry->row == bank->open_row && (hit == TL_HBM_NONE || entries[hit].order > entry->order)) {
        bank->hit[list] = at;
    }
}

void hbm_list_remove(tl_hbm *hbm, hbm_bank *bank, uint16_t at)
{
    hbm_entry *const entries = hbm->entries;
    const hbm_entry *entry = &entries[at];
    const unsigned list = entry->list;
    *(entry->previous == TL_HBM_NONE ? &bank->head[list] : &entries[entry->previous].next) = entry->next;
    *(entry->next == TL_HBM_NONE ? &bank->tail[list] : &entries[entry->next].previous) = entry->previous;
    if (bank->hit[list] == at) {
        bank->hit[list] = first_hit(hbm, bank, entry->next);
    }
}

void hbm_set_open_row(const tl_hbm *hbm, hbm_bank *bank, uint32_t row)
{
    bank->open_row = row;
    for (unsigned list = 0; list < HBM_LISTS; list++) {
        bank->hit[list] = row == TL_HBM_CLOSED ? TL_HBM_NONE : first_hit(hbm, bank, bank->head[list]);
    }
}

/* ---- the earliest time of a command -------------------------------------------------------------------------------
 */

/* What holds for every column command of this direction. */
static uint64_t column_base(const tl_hbm *hbm, const hbm_pc *pc)
{
    const uint64_t latency_ps = pc->writing ? hbm->config.timing.cwl_ps : hbm->config.timing.cl_ps;
    const uint64_t bus_ps = hbm->bus->free_ps[pc->number];
    const uint64_t time_ps = later(pc->clock_ps, bus_ps > latency_ps ? bus_ps - latency_ps : 0);
    return later(time_ps, pc->writing ? pc->write_ready_ps : pc->read_ready_ps);
}

static uint64_t column_time(const tl_hbm *hbm, const hbm_pc *pc, const hbm_bank *bank, uint64_t base_ps)
{
    const tl_hbm_timing *timing = &hbm->config.timing;
    const uint64_t open_ps = bank->activated_ps + (pc->writing ? timing->rcd_write_ps : timing->rcd_read_ps);
    const uint64_t stack_ps = bank->stack_id == pc->last_stack_id ? pc->column_ready_ps : pc->other_stack_ps;
    const uint64_t time_ps = later(later(base_ps, open_ps), later(stack_ps, pc->group_column_ps[bank->group]));
    return pc->writing ? time_ps : later(time_ps, pc->group_read_ps[bank->group]);
}

/* An activate so short before a refresh that it would delay it, and that could not be used, waits for it instead. */
static uint64_t clear_of_refresh(const tl_hbm *hbm, const hbm_pc *pc, unsigned b, uint64_t activate_ps)
{
    const bool concerned = hbm->config.refresh.mode == TL_REFRESH_ALL_BANK || pc->refresh_bank == b;
    const uint64_t needs_ps = later(hbm->config.timing.ras_ps, hbm->config.timing.rcd_read_ps);
    return concerned && activate_ps + needs_ps > pc->refresh_due_ps ? later(activate_ps, pc->refresh_due_ps)
                                                                    : activate_ps;
}

/* A row that must go stays open until its successor can be activated: it may still be hit. */
uint64_t hbm_row_time(const tl_hbm *hbm, const hbm_pc *pc, unsigned b)
{
    const hbm_bank *bank = &pc->banks[b];
    if (bank->open_row != TL_HBM_CLOSED) {
        const uint64_t rp_ps = hbm->config.timing.rp_ps;
        const uint64_t activate_ps = bank->activate_ready_ps;
        return later(later(pc->clock_ps, bank->precharge_ready_ps), activate_ps > rp_ps ? activate_ps - rp_ps : 0);
    }
    const uint64_t pc_ps = later(pc->activate_ready_ps, pc->window_ps[pc->window_slot]);
    const uint64_t bank_ps = later(bank->activate_ready_ps, pc->group_activate_ps[bank->group]);
    return clear_of_refresh(hbm, pc, b, later(pc->clock_ps, later(pc_ps, bank_ps)));
}

/* ---- intents ---------------------------------------------------------------------------------------------------- */

/* What the bank would work for next: the entry, and whether its row is open. */
static uint16_t choose_target(const tl_hbm *hbm, const hbm_pc *pc, const hbm_bank *bank, bool *column)
{
    unsigned list = HBM_WRITE;
    if (!pc->writing) {
        list = bank->head[HBM_DEMAND] != TL_HBM_NONE ? HBM_DEMAND : HBM_PREFETCH;
    }
    const uint16_t oldest = bank->head[list], hit = bank->hit[list];
    if (oldest == TL_HBM_NONE || hit == TL_HBM_NONE || hit == oldest) {
        *column = hit != TL_HBM_NONE;
        return oldest;
    }
    *column = pc->clock_ps < hbm->entries[oldest].queued_ps + hbm->config.starvation_ps;
    return *column ? hit : oldest;
}

static void order_insert(hbm_order *order, uint64_t key)
{
    uint32_t at = order->count++;
    for (; at > 0 && order->keys[at - 1] > key; at--) {
        order->keys[at] = order->keys[at - 1];
    }
    order->keys[at] = key;
}

static void order_remove(hbm_order *order, uint64_t key)
{
    uint32_t at = 0;
    while (order->keys[at] != key) {
        at++;
    }
    order->count--;
    memmove(&order->keys[at], &order->keys[at + 1], (order->count - at) * sizeof key);
}

/* A bank that comes may be better than the plan; one that goes matters only when it is the plan. */
static void join_plan(const tl_hbm *hbm, hbm_pc *pc, unsigned b, bool column)
{
    hbm_bank *bank = &pc->banks[b];
    hbm_plan *plan = column ? &pc->column_plan : &pc->row_plan;
    bank->want = column ? HBM_WANTS_COLUMN : HBM_WANTS_ROW;
    order_insert(column ? &pc->column_order : &pc->row_order, bank->key);
    if (!plan->valid) {
        return;
    }
    const uint64_t time_ps = column ? column_time(hbm, pc, bank, column_base(hbm, pc)) : hbm_row_time(hbm, pc, b);
    if (time_ps < plan->time_ps || (time_ps == plan->time_ps && bank->key < pc->banks[plan->bank].key)) {
        plan->time_ps = time_ps;
        plan->bank = (uint8_t)b;
    }
}

static void leave_plan(hbm_pc *pc, unsigned b)
{
    hbm_bank *bank = &pc->banks[b];
    if (bank->want == HBM_WANTS_NOTHING) {
        return;
    }
    const bool column = bank->want == HBM_WANTS_COLUMN;
    hbm_plan *plan = column ? &pc->column_plan : &pc->row_plan;
    plan->valid &= plan->bank != b;
    order_remove(column ? &pc->column_order : &pc->row_order, bank->key);
    bank->want = HBM_WANTS_NOTHING;
}

/* After any change of the bank's lists or row. Its times may have changed even when its target has not. */
void hbm_update_intent(const tl_hbm *hbm, hbm_pc *pc, unsigned b)
{
    hbm_bank *bank = &pc->banks[b];
    bool column;
    bank->target = choose_target(hbm, pc, bank, &column);
    leave_plan(pc, b);
    if (bank->target != TL_HBM_NONE) {
        const hbm_entry *entry = &hbm->entries[bank->target];
        bank->key = (uint64_t)entry->list << 62 | entry->order << TL_HBM_BANK_BITS | b;
        join_plan(hbm, pc, b, column);
    }
}

/* After a change of the lists alone: most often the bank goes on with what it had. */
void hbm_update_target(const tl_hbm *hbm, hbm_pc *pc, unsigned b)
{
    const hbm_bank *bank = &pc->banks[b];
    bool column;
    const uint16_t target = choose_target(hbm, pc, bank, &column);
    const bool unchanged = target == bank->target && bank->want == (column ? HBM_WANTS_COLUMN : HBM_WANTS_ROW);
    if (!unchanged) {
        hbm_update_intent(hbm, pc, b);
    }
}

/* The earliest; of equals the higher class, then the older: so the first that could not be earlier ends the search. */
void hbm_plan_command(const tl_hbm *hbm, hbm_pc *pc, bool column)
{
    const hbm_order *order = column ? &pc->column_order : &pc->row_order;
    const uint64_t base_ps = column ? column_base(hbm, pc) : pc->clock_ps;
    hbm_plan best = {TL_NEVER_PS, true, 0};
    for (uint32_t i = 0; i < order->count && best.time_ps != base_ps; i++) {
        const unsigned b = order->keys[i] % TL_HBM_MAX_BANKS;
        const uint64_t time_ps = column ? column_time(hbm, pc, &pc->banks[b], base_ps) : hbm_row_time(hbm, pc, b);
        if (time_ps < best.time_ps) {
            best.time_ps = time_ps;
            best.bank = (uint8_t)b;
        }
    }
    *(column ? &pc->column_plan : &pc->row_plan) = best;
}
