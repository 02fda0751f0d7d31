/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a trace of HBM commands against the timing table, distance by distance, from the time of the last command of
 * each kind. Shares nothing with the scheduler: it keeps times of the past where the scheduler keeps earliest times.
 */
#ifndef TL_SIM_TESTS_HBM_TIMING_CHECKER_H
#define TL_SIM_TESTS_HBM_TIMING_CHECKER_H

#include <check.h>

#include "../memory/hbm_channel.h"

#define CHECKER_LONG_AGO (-1000000000)

typedef struct checked_bank {
    bool open;
    uint32_t row;
    int64_t act, pre, rd, wr_end, ref;
} checked_bank;

typedef struct checked_pc {
    checked_bank banks[TL_HBM_MAX_BANKS];
    int64_t acts[4]; /* latest last */
    int64_t group_act[32], group_column[32], group_wr_end[32];
    int64_t stack_column[4];
    int64_t rd, wr_end, data_end;
} checked_pc;

typedef struct timing_checker {
    const tl_hbm_config *config;
    unsigned groups, banks_per_group, bank_count;
    checked_pc pcs[TL_HBM_PSEUDO_CHANNELS];
    uint64_t commands[5];
} timing_checker;

static inline void checker_init(timing_checker *checker, tl_hbm_config *config)
{
    checker->config = config;
    checker->groups = 1u << config->map.fields[TL_BIT_BANK_GROUP].count;
    checker->banks_per_group = 1u << config->map.fields[TL_BIT_BANK].count;
    checker->bank_count = checker->banks_per_group * checker->groups << config->map.fields[TL_BIT_STACK_ID].count;
    for (unsigned kind = 0; kind < 5; kind++) {
        checker->commands[kind] = 0;
    }
    for (unsigned p = 0; p < TL_HBM_PSEUDO_CHANNELS; p++) {
        checked_pc *pc = &checker->pcs[p];
        const int64_t ago = CHECKER_LONG_AGO;
        for (unsigned b = 0; b < TL_HBM_MAX_BANKS; b++) {
            pc->banks[b] = (checked_bank){false, 0, ago, ago, ago, ago, ago};
        }
        for (unsigned g = 0; g < 32; g++) {
            pc->group_act[g] = pc->group_column[g] = pc->group_wr_end[g] = ago;
        }
        for (unsigned i = 0; i < 4; i++) {
            pc->acts[i] = pc->stack_column[i] = ago;
        }
        pc->rd = pc->wr_end = pc->data_end = ago;
    }
}

static inline void at_least(int64_t time, int64_t since, uint64_t distance, const char *rule)
{
    if (time - since < (int64_t)distance) {
        ck_abort_msg("%s: %ld ps after, at least %lu", rule, (long)(time - since), (unsigned long)distance);
    }
}

static inline void hold(bool condition, const char *rule)
{
    if (!condition) {
        ck_abort_msg("%s", rule);
    }
}

static inline void check_act(const timing_checker *checker, checked_pc *pc, checked_bank *bank, unsigned group,
                             const tl_hbm_command *command)
{
    const tl_hbm_timing *t = &checker->config->timing;
    const int64_t time = (int64_t)command->time_ps;
    hold(!bank->open, "activate of an open bank");
    at_least(time, bank->pre, t->rp_ps, "tRP");
    at_least(time, bank->act, t->rc_ps, "tRC");
    at_least(time, bank->ref, checker->config->refresh.duration_ps, "tRFC");
    at_least(time, pc->acts[3], t->rrd_s_ps, "tRRD_S");
    at_least(time, pc->group_act[group], t->rrd_l_ps, "tRRD_L");
    at_least(time, pc->acts[0], t->faw_ps, "tFAW");
    for (unsigned i = 0; i < 3; i++) {
        pc->acts[i] = pc->acts[i + 1];
    }
    pc->acts[3] = pc->group_act[group] = bank->act = time;
    bank->open = true;
    bank->row = command->row;
}

static inline void check_column(const timing_checker *checker, checked_pc *pc, checked_bank *bank, unsigned group,
                                const tl_hbm_command *command)
{
    const tl_hbm_timing *t = &checker->config->timing;
    const bool write = command->kind == TL_HBM_WR;
    const int64_t time = (int64_t)command->time_ps;
    const int64_t data = time + (int64_t)(write ? t->cwl_ps : t->cl_ps);
    const int64_t data_end = data + (int64_t)(checker->config->access_ps * command->bytes / 64);
    const unsigned stack = group / checker->groups;
    hold(bank->open && bank->row == command->row, "column command to a row that is not open");
    at_least(time, bank->act, write ? t->rcd_write_ps : t->rcd_read_ps, "tRCD");
    at_least(time, pc->group_column[group], t->ccd_l_ps, "tCCD_L");
    for (unsigned s = 0; s < 4; s++) {
        at_least(time, pc->stack_column[s], s == stack ? t->ccd_s_ps : t->ccd_r_ps, s == stack ? "tCCD_S" : "tCCD_R");
    }
    at_least(data, pc->data_end, 0, "data bus");
    if (write) {
        at_least(time, pc->rd, t->rtw_ps, "tRTW");
        bank->wr_end = pc->wr_end = pc->group_wr_end[group] = data_end;
    } else {
        at_least(time, pc->wr_end, t->wtr_s_ps, "tWTR_S");
        at_least(time, pc->group_wr_end[group], t->wtr_l_ps, "tWTR_L");
        bank->rd = pc->rd = time;
    }
    pc->group_column[group] = pc->stack_column[stack] = time;
    pc->data_end = data_end;
}

static inline void check_close(const timing_checker *checker, const checked_bank *bank, int64_t time)
{
    const tl_hbm_timing *t = &checker->config->timing;
    at_least(time, bank->act, t->ras_ps, "tRAS");
    at_least(time, bank->rd, t->rtp_ps, "tRTP");
    at_least(time, bank->wr_end, t->wr_ps, "tWR");
}

static inline void check_ref(const timing_checker *checker, checked_pc *pc, const tl_hbm_command *command)
{
    const int64_t time = (int64_t)command->time_ps;
    for (unsigned b = 0; b < checker->bank_count; b++) {
        checked_bank *bank = &pc->banks[b];
        if (command->bank != UINT8_MAX && command->bank != b) {
            continue;
        }
        if (bank->open) {
            check_close(checker, bank, time - (int64_t)checker->config->timing.rp_ps);
        } else {
            at_least(time, bank->pre, checker->config->timing.rp_ps, "tRP before refresh");
        }
        bank->open = false;
        bank->ref = time;
    }
}

/* An observer. Traces with writes are checked for one burst a command only (config->burst_bytes). */
static inline void check_command(void *context, const tl_hbm_command *command)
{
    timing_checker *checker = context;
    checked_pc *pc = &checker->pcs[command->pseudo_channel];
    checker->commands[command->kind]++;
    if (command->kind == TL_HBM_REF) {
        check_ref(checker, pc, command);
        return;
    }
    checked_bank *bank = &pc->banks[command->bank];
    const unsigned group = command->bank / checker->banks_per_group;
    if (command->kind == TL_HBM_ACT) {
        check_act(checker, pc, bank, group, command);
    } else if (command->kind == TL_HBM_PRE) {
        hold(bank->open, "precharge of a closed bank");
        check_close(checker, bank, (int64_t)command->time_ps);
        bank->open = false;
        bank->pre = (int64_t)command->time_ps;
    } else {
        check_column(checker, pc, bank, group, command);
    }
}

#endif
