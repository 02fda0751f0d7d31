/* SPDX-License-Identifier: Apache-2.0 */
/* State of an HBM channel, shared by hbm_channel.c (queues, the API), hbm_plan.c and hbm_command.c (one
 * pseudo-channel). */
#ifndef TL_SIM_MEMORY_HBM_INTERNAL_H
#define TL_SIM_MEMORY_HBM_INTERNAL_H

#include "hbm_channel.h"
#include "key_index.h"

#define TL_HBM_NONE       UINT16_MAX
#define TL_HBM_CLOSED     UINT32_MAX
#define TL_HBM_MAX_GROUPS 32 /* stack IDs x bank groups */

/* The lists of a bank, in order of precedence for reads. */
typedef enum hbm_list { HBM_DEMAND, HBM_PREFETCH, HBM_WRITE, HBM_LISTS } hbm_list;

typedef struct hbm_entry {
    uint64_t tag, queued_ps, done_ps;
    uint64_t order; /* arrival number */
    uint32_t row;
    uint16_t next, previous; /* in the bank's list; `next` also links free entries and completions */
    uint16_t bytes, remaining_bytes;
    uint8_t pc, bank, list;
    bool activated; /* a row was activated for it */
} hbm_entry;

/* One cache line: planning reads one for every bank that has work. */
typedef struct hbm_bank {
    uint32_t open_row; /* TL_HBM_CLOSED: none */
    uint16_t head[HBM_LISTS], tail[HBM_LISTS];
    uint16_t hit[HBM_LISTS]; /* the oldest entry of the list for the open row */
    uint16_t target;         /* what the bank works for next */
    uint8_t group, stack_id;
    uint64_t precedence; /* of the target: class, then age; the smaller goes first */
    uint64_t activated_ps, activate_ready_ps, precharge_ready_ps;
} hbm_bank;

/* The best bank of one kind of command. Valid until a bank of that kind comes, goes or changes its target. */
typedef struct hbm_plan {
    uint64_t time_ps; /* TL_NEVER_PS: none */
    bool valid;
    uint8_t bank;
} hbm_plan;

typedef struct hbm_pc {
    hbm_plan column_plan, row_plan;
    uint64_t column_banks, row_banks; /* bit b: bank b wants a column command, another row */
    uint64_t clock_ps;                /* no command before this */
    uint64_t refresh_due_ps;
    uint64_t column_ready_ps, read_ready_ps, write_ready_ps; /* column commands: any, reads, writes */
    uint64_t other_stack_ps; /* earliest column command to another stack ID than last_stack_id */
    uint64_t activate_ready_ps;
    uint32_t reads, writes; /* requests that still need the bus */
    uint32_t turn_left;     /* requests this direction may still serve while the other waits */
    uint32_t refresh_bank;
    uint16_t done_head, done_tail; /* entries whose data end is known, in that order */
    bool writing;
    uint8_t last_stack_id;
    uint8_t number;
    uint8_t window_slot;
    uint64_t window_ps[4];    /* ring of the last four activates + tFAW */
    uint64_t writes_since_ps; /* writes have been waiting since */
    uint64_t group_column_ps[TL_HBM_MAX_GROUPS], group_read_ps[TL_HBM_MAX_GROUPS], group_activate_ps[TL_HBM_MAX_GROUPS];
    hbm_bank *banks;
} hbm_pc;

struct tl_hbm {
    tl_hbm_config config;
    tl_hbm_counters counters;
    tl_bit_decoder decoder;
    uint64_t row_run_bytes;
    uint64_t least_latency_ps;                         /* command to end of data, at least */
    uint32_t bank_groups, banks_per_group, bank_count; /* bank_count: of a PC */
    tl_bus own_bus, *bus;
    hbm_entry *entries;
    uint16_t free_head;
    uint32_t reads_accepted, writes_accepted; /* not yet handed out */
    uint64_t next_order;
    uint64_t now_ps;
    tl_mem_occupancy occupancy;
    tl_key_index prefetches; /* tag -> entry, of queued prefetches */
    hbm_pc pcs[TL_HBM_PSEUDO_CHANNELS];
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* hbm_plan.c: a bank's lists, its open row, and what it works for next. */
void hbm_list_insert(tl_hbm *hbm, hbm_bank *bank, uint16_t at);
void hbm_list_remove(tl_hbm *hbm, hbm_bank *bank, uint16_t at);
void hbm_set_open_row(const tl_hbm *hbm, hbm_bank *bank, uint32_t row);
void hbm_update_intent(const tl_hbm *hbm, hbm_pc *pc, unsigned b);
void hbm_update_target(const tl_hbm *hbm, hbm_pc *pc, unsigned b);
uint64_t hbm_row_time(const tl_hbm *hbm, const hbm_pc *pc, unsigned b);
void hbm_plan_command(const tl_hbm *hbm, hbm_pc *pc, bool column);

/* hbm_command.c: executes every command due before limit_ps. */
void hbm_pc_advance(tl_hbm *hbm, hbm_pc *pc, uint64_t limit_ps);
/* When the next command or refresh is due. */
uint64_t hbm_pc_wake_ps(tl_hbm *hbm, hbm_pc *pc);
/* A request joins its bank; a prefetch becomes a demand. */
void hbm_pc_enter(tl_hbm *hbm, hbm_pc *pc, uint16_t at);
void hbm_pc_promote(tl_hbm *hbm, hbm_pc *pc, uint16_t at);

#endif
