/* SPDX-License-Identifier: Apache-2.0 */
/* State of an HBM channel, shared by hbm_channel.c (queues, the API) and, of one pseudo-channel, hbm_plan.c,
 * hbm_command.c, hbm_bus.c and hbm_direction.c. */
#ifndef TL_SIM_MEMORY_HBM_INTERNAL_H
#define TL_SIM_MEMORY_HBM_INTERNAL_H

#include "hbm_channel.h"
#include "key_index.h"

#define TL_HBM_NONE       UINT16_MAX
#define TL_HBM_CLOSED     UINT32_MAX
#define TL_HBM_MAX_GROUPS 32 /* stack IDs x bank groups */
#define TL_HBM_BANK_BITS  6  /* TL_HBM_MAX_BANKS */

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

/* What a bank wants: nothing, a column command for an entry of its open row, another row. */
typedef enum hbm_want { HBM_WANTS_NOTHING, HBM_WANTS_COLUMN, HBM_WANTS_ROW } hbm_want;

/* One cache line. */
typedef struct hbm_bank {
    uint32_t open_row; /* TL_HBM_CLOSED: none */
    uint16_t head[HBM_LISTS], tail[HBM_LISTS];
    uint16_t hit[HBM_LISTS]; /* the oldest entry of the list for the open row */
    uint16_t target;         /* what the bank works for next */
    uint8_t group, stack_id, want;
    uint64_t key; /* of the target: class, then age, then bank; the smaller goes first */
    uint64_t activated_ps, activate_ready_ps, precharge_ready_ps;
} hbm_bank;

/* The banks that want one kind of command, in order of their keys. */
typedef struct hbm_order {
    uint64_t keys[TL_HBM_MAX_BANKS];
    uint32_t count;
} hbm_order;

/* The best bank of one kind of command. Valid until a bank of that kind comes, goes or changes its target. */
typedef struct hbm_plan {
    uint64_t time_ps; /* TL_NEVER_PS: none */
    bool valid;
    uint8_t bank;
} hbm_plan;

typedef struct hbm_pc {
    hbm_plan column_plan, row_plan;
    uint64_t clock_ps; /* no command before this */
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
    hbm_order column_order, row_order;
} hbm_pc;

struct tl_hbm {
    tl_hbm_config config;
    tl_hbm_counters counters;
    tl_bit_decoder decoder;
    uint64_t hash_mask; /* address bits that are XORed; 0: none */
    unsigned hash_shift; /* the bits from here on are hashed */
    uint64_t row_run_bytes;
    bool banked;                                       /* false: the fast mode, hbm_bus.c */
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

static inline void hbm_observe(const tl_hbm *hbm, const hbm_pc *pc, tl_hbm_command command)
{
    if (hbm->config.observer != NULL) {
        command.pseudo_channel = pc->number;
        hbm->config.observer(hbm->config.observer_context, &command);
    }
}

/* hbm_plan.c: a bank's lists, its open row, and what it works for next. */
void hbm_list_insert(tl_hbm *hbm, hbm_bank *bank, uint16_t at);
void hbm_list_remove(tl_hbm *hbm, hbm_bank *bank, uint16_t at);
void hbm_set_open_row(const tl_hbm *hbm, hbm_bank *bank, uint32_t row);
void hbm_update_intent(const tl_hbm *hbm, hbm_pc *pc, unsigned b);
void hbm_update_target(const tl_hbm *hbm, hbm_pc *pc, unsigned b);
uint64_t hbm_row_time(const tl_hbm *hbm, const hbm_pc *pc, unsigned b);
void hbm_plan_command(const tl_hbm *hbm, hbm_pc *pc, bool column);

/* hbm_direction.c: a request waits for the bus; which direction is served; the end of a request's data is known. */
void hbm_count_waiting(hbm_pc *pc, const hbm_entry *entry);
void hbm_weigh_directions(tl_hbm *hbm, hbm_pc *pc);
void hbm_finish(tl_hbm *hbm, hbm_pc *pc, uint16_t at, uint64_t done_ps);

/* Without writes there is nothing to choose. */
static inline void hbm_choose_direction(tl_hbm *hbm, hbm_pc *pc)
{
    if (pc->writing || pc->writes != 0) {
        hbm_weigh_directions(hbm, pc);
    }
}

/* hbm_command.c, with banks; hbm_bus.c, without. Executes every command due before limit_ps. */
void hbm_pc_advance(tl_hbm *hbm, hbm_pc *pc, uint64_t limit_ps);
void hbm_bus_advance(tl_hbm *hbm, hbm_pc *pc, uint64_t limit_ps);
/* When the next command or refresh is due. */
uint64_t hbm_pc_wake_ps(tl_hbm *hbm, hbm_pc *pc);
uint64_t hbm_bus_wake_ps(const tl_hbm *hbm, const hbm_pc *pc);
/* A request joins its bank; a prefetch becomes a demand. */
void hbm_pc_enter(tl_hbm *hbm, hbm_pc *pc, uint16_t at);
void hbm_bus_enter(tl_hbm *hbm, hbm_pc *pc, uint16_t at);
void hbm_pc_promote(tl_hbm *hbm, hbm_pc *pc, uint16_t at);
void hbm_bus_promote(tl_hbm *hbm, hbm_pc *pc, uint16_t at);

#endif
