/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which thread block (CTA) runs where: the hardware's block scheduler, without a time source of its own.
 *
 * A slot is room for one CTA on one SM; slot s belongs to SM s mod sm_count, so that a kernel starts breadth-first
 * over the SMs. CTAs are handed out in raster order; afterwards the next CTA goes to the slot that became free first.
 */
#ifndef TILELENS_SIM_CTA_SCHEDULER_H
#define TILELENS_SIM_CTA_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_cta_scheduler tl_cta_scheduler;

typedef struct tl_cta_assignment {
    uint32_t cta;
    uint32_t sm;
    uint32_t slot_in_sm;
} tl_cta_assignment;

/** How full the slots were during one kernel. */
typedef struct tl_wave_stats {
    uint32_t waves;              /* ceil(CTAs / slots) */
    uint32_t last_wave_ctas;     /* 1..slots */
    double occupancy;            /* active CTAs / slots, mean over the kernel's time; 0 for one without duration */
    uint64_t first_idle_ps;      /* from the launch until a slot was free for good: no CTA was left for it */
    uint64_t duration_ps;        /* launch to last retirement */
} tl_wave_stats;

/** @return null when memory runs out; sm_count and max_ctas_per_sm are at least 1 */
tl_cta_scheduler *tl_cta_scheduler_create(uint32_t sm_count, uint32_t max_ctas_per_sm);
void tl_cta_scheduler_destroy(tl_cta_scheduler *scheduler);

/** Begin a kernel: the last one has finished. ctas_per_sm is at most that of create. */
void tl_cta_scheduler_launch(tl_cta_scheduler *scheduler, uint64_t now_ps, uint32_t cta_count, uint32_t ctas_per_sm);

/** The next CTA and its place. @return false when no CTA is left or no slot is free */
bool tl_cta_scheduler_next(tl_cta_scheduler *scheduler, uint64_t now_ps, tl_cta_assignment *assignment);

/** The CTA in this slot has finished. Time does not go backwards. */
void tl_cta_scheduler_retire(tl_cta_scheduler *scheduler, uint64_t now_ps, uint32_t sm, uint32_t slot_in_sm);

/** CTAs that run now: the N_SM * C_SM of Eq. 6. */
uint32_t tl_cta_scheduler_active(const tl_cta_scheduler *scheduler);

/** Every CTA of the kernel was handed out and has retired. */
bool tl_cta_scheduler_finished(const tl_cta_scheduler *scheduler);

/** Of the kernel that has finished. */
tl_wave_stats tl_cta_scheduler_stats(const tl_cta_scheduler *scheduler);

#ifdef __cplusplus
}
#endif
#endif
