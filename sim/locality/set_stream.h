/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One set of one chiplet's L2 under a schedule: how often each operand misses, by home.
 */
#ifndef TILELENS_SET_STREAM_H
#define TILELENS_SET_STREAM_H

#include "set_table.h"
#include "wave_plan.h"

/** What the set sees: the bodies of A and B, and their K-steps on one axis of the K-steps that touch the set. */
typedef struct tl_set_stream {
    const tl_set_body *bodies[TL_OPERANDS];
    bool whole_atoms[TL_OPERANDS];
    uint32_t *steps[TL_OPERANDS]; /* rank of a K-step in the body -> its place on the axis */
    uint32_t step_count;          /* of the axis */
} tl_set_stream;

typedef struct tl_set_misses {
    uint64_t lines[TL_OPERANDS][TL_CHIPLETS_MAX]; /* by home, as numbered in the set */
} tl_set_misses;

/** Working memory of tl_set_simulate, for streams of bounded size; reused from one to the next. */
typedef struct tl_set_simulator tl_set_simulator;

/** @return null: too little memory */
tl_set_simulator *tl_set_simulator_create(const tl_gemm_operand operands[TL_OPERANDS], unsigned ways);
void tl_set_simulator_destroy(tl_set_simulator *simulator);

/** Take a stream, for any number of tl_set_simulate. @return false: too little memory */
bool tl_set_simulator_load(tl_set_simulator *simulator, const tl_set_stream *stream);

/** @return false: too little memory */
bool tl_set_simulate(tl_set_simulator *simulator, const tl_wave_plan *plan, tl_set_misses *out);

#endif
