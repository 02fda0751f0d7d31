/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The waves of one chiplet, as the fast engine reads them: which panels a wave reads, in which order first and last.
 */
#ifndef TILELENS_WAVE_PLAN_H
#define TILELENS_WAVE_PLAN_H

#include "cta_schedule.h"
#include "gemm_operand.h"

/** A panel that a wave reads, and when last, in tiles of the wave (A of a CTA, then B). */
typedef struct tl_wave_panel {
    uint32_t operand, panel;
    uint32_t last;
} tl_wave_panel;

typedef struct tl_wave {
    const tl_wave_panel *panels; /* in the order of first reading */
    const uint32_t *by_last;     /* indices of `panels`, the one read last first */
    uint32_t panel_count;
    uint32_t cta_count;
    const uint32_t *ctas;                        /* two a CTA: which of `panels` is its A, which its B */
    const uint32_t *operand_panels[TL_OPERANDS]; /* panels of the operand */
    uint32_t operand_count[TL_OPERANDS];
    bool same_panels[TL_OPERANDS]; /* as the wave before, in any order */
    uint32_t shape;                /* equal for waves of all chiplets whose `ctas` are equal */
} tl_wave;

typedef struct tl_wave_plan {
    tl_wave *waves;
    uint32_t wave_count;
    uint32_t panels_max; /* of a wave */
    tl_wave_panel *panel_store;
    uint32_t *last_store, *operand_store;
    uint32_t *cta_store;
} tl_wave_plan;

/** @return false: too little memory */
bool tl_wave_plan_make(const tl_cta_schedule *schedule, unsigned chiplet, tl_wave_plan *out);

void tl_wave_plan_free(tl_wave_plan *plan);

/** Number the shapes of the waves of several plans. @return false: too little memory */
bool tl_wave_shapes_number(tl_wave_plan *plans, unsigned plan_count);

#endif
