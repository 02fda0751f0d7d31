/* SPDX-License-Identifier: Apache-2.0 */
/* One pseudo-channel, with or without banks: reads or writes, and the end of a request. */
#include "hbm_internal.h"

void hbm_count_waiting(hbm_pc *pc, const hbm_entry *entry)
{
    if (entry->list != HBM_WRITE) {
        pc->reads++;
    } else if (pc->writes++ == 0) {
        pc->writes_since_ps = pc->clock_ps;
    }
}

static void turn(tl_hbm *hbm, hbm_pc *pc, bool writing)
{
    pc->writing = writing;
    pc->turn_left = hbm->config.write_high - hbm->config.write_low;
    pc->writes_since_ps = pc->clock_ps;
    hbm->counters.turnarounds++;
    for (unsigned b = 0; hbm->banked && b < hbm->bank_count; b++) {
        hbm_update_intent(hbm, pc, b);
    }
}

static bool writes_press(const tl_hbm *hbm, const hbm_pc *pc)
{
    return pc->writes >= hbm->config.write_high || pc->clock_ps - pc->writes_since_ps >= hbm->config.starvation_ps;
}

/* The rule of the header: reads first, bounded turns while both directions wait. */
void hbm_weigh_directions(tl_hbm *hbm, hbm_pc *pc)
{
    bool writing = pc->writing;
    if (pc->reads == 0 || pc->writes == 0) {
        writing = pc->reads == 0 && pc->writes != 0;
        writing |= pc->reads == 0 && pc->writes == 0 && pc->writing;
    } else if (pc->writing) {
        writing = pc->turn_left != 0;
    } else {
        writing = pc->turn_left == 0 && writes_press(hbm, pc);
    }
    if (writing != pc->writing) {
        turn(hbm, pc, writing);
    }
}

void hbm_finish(tl_hbm *hbm, hbm_pc *pc, uint16_t at, uint64_t done_ps)
{
    hbm_entry *entry = &hbm->entries[at];
    tl_hbm_counters *counters = &hbm->counters;
    entry->done_ps = done_ps;
    entry->next = TL_HBM_NONE;
    *(pc->done_tail == TL_HBM_NONE ? &pc->done_head : &hbm->entries[pc->done_tail].next) = at;
    pc->done_tail = at;
    if (entry->list == HBM_PREFETCH) {
        tl_key_index_remove(&hbm->prefetches, entry->tag, at);
    }
    *(entry->activated ? &counters->row_misses : &counters->row_hits) += 1;
    if (entry->list == HBM_WRITE) {
        counters->mem.writes++;
        counters->mem.write_bytes += entry->bytes;
        pc->writes--;
        pc->writes_since_ps = pc->clock_ps;
    } else {
        counters->mem.reads++;
        counters->mem.read_bytes += entry->bytes;
        pc->reads--;
    }
    pc->turn_left -= pc->turn_left != 0;
}
