/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of sim/gpu share: a seeded generator, the main of a one-case suite, workloads. */
#ifndef TILELENS_SIM_TESTS_GPU_FIXTURE_H
#define TILELENS_SIM_TESTS_GPU_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_models.h"

/* xorshift64: any non-zero seed. */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(next_random(state) >> 16) % bound;
}

static inline tl_workload *make_workload(const tl_model *model)
{
    tl_input_error error;
    tl_workload *workload = tl_workload_create(model, &H200_RATE, &TEST_PLACEMENT, &error);
    ck_assert_msg(workload != NULL, "%s: %s, %s", error.path, error.found, error.expected);
    return workload;
}

/* A layer small enough to look at every element, with tiles that stick out of the matrices. */
static inline tl_model small_model(uint64_t *state)
{
    const uint32_t experts = 1 + random_below(state, 4);
    const uint32_t stages = 1 + random_below(state, 3);
    tl_model model = {
        .hidden = 16 * (1 + random_below(state, 14)),
        .intermediate = 16 * (1 + random_below(state, 14)),
        .gated = random_below(state, 2) != 0,
        .experts = experts,
        .top_k = 1 + random_below(state, experts),
        .routing_seed = next_random(state),
        .batch = 1 + random_below(state, 40),
        .element_bytes = 2,
        .tile_m = 1u << random_below(state, 5),
        .tile_n = 16u << random_below(state, 4),
        .tile_k = 16u << random_below(state, 4),
        .down_split_k = 1,
        .group_size_m = 1 + random_below(state, 4),
        .ctas_per_sm = 1 + random_below(state, 3),
        .stages = stages,
        .tiles_in_flight = 1 + random_below(state, stages),
        .weight_layout = (tl_weight_layout)random_below(state, TL_WEIGHT_LAYOUT_COUNT),
    };
    const uint32_t log2_a = 3 + random_below(state, 5);
    model.memory_tile[0] = 1u << log2_a;
    model.memory_tile[1] = 1u << (8 + random_below(state, 4) - log2_a); /* 512 B to 4 KiB */
    return model;
}

static inline int run_case(TCase *tcase, const char *name)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
