/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Lines of a set that one wave reads of one operand in each K-step, and the most that two steps hold together.
 */
#ifndef TILELENS_STEP_LINES_H
#define TILELENS_STEP_LINES_H

#include <stdint.h>

/** `total[-1]` is 0. */
typedef struct tl_step_lines {
    int16_t *total; /* read in the step */
    int16_t *fresh; /* read in it for the first time in the wave */
} tl_step_lines;

/**
 * The most lines that must stay for every reading but the first to hit: those of a step, or where lines of the step
 * before are read again, those of that step and the fresh ones.
 */
unsigned tl_step_lines_most(const tl_step_lines *a, const tl_step_lines *b, uint32_t steps);

/** The same without special instructions. */
unsigned tl_step_lines_most_portable(const tl_step_lines *a, const tl_step_lines *b, uint32_t steps);

#endif
