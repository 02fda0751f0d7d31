/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that keeps a number of requests in flight in a channel and checks the answers. */
#ifndef TL_SIM_TESTS_CHANNEL_FIXTURE_H
#define TL_SIM_TESTS_CHANNEL_FIXTURE_H

#include <check.h>
#include <stdlib.h>

#include "../memory/hash.h"
#include "channel_ops.h"

/* As ck_assert, without a system call when it holds: for what is checked millions of times. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg("%s", #condition);                                                                            \
        }                                                                                                              \
    } while (0)

/* The request with number `index`; its tag is set by the loop. */
typedef tl_mem_request (*request_source)(void *context, uint64_t index);

typedef struct loop_result {
    uint64_t answered, end_ps;
    uint64_t latency_ps, latency_max_ps; /* sum and largest, acceptance to completion */
    uint64_t row_hits;
    uint64_t quarter_ps, three_quarters_ps; /* when these parts of the requests had been answered */
} loop_result;

typedef struct loop_config {
    uint64_t requests, in_flight;
    uint64_t poll_ps; /* 0: pop when next_ps says so; else also every poll_ps */
} loop_config;

static inline uint64_t push_all(const channel_ops *ops, void *self, const loop_config *config, request_source source,
                                void *context, uint64_t now_ps, uint64_t pushed, uint64_t answered)
{
    while (pushed < config->requests && pushed - answered < config->in_flight) {
        tl_mem_request request = source(context, pushed);
        request.tag = pushed;
        if (!ops->push(self, now_ps, &request)) {
            break;
        }
        pushed++;
    }
    return pushed;
}

static inline void count_answer(loop_result *result, const tl_mem_completion *done, uint64_t requests)
{
    const uint64_t latency_ps = done->time_ps - done->queued_ps;
    result->end_ps = done->time_ps;
    result->latency_ps += latency_ps;
    result->latency_max_ps = latency_ps > result->latency_max_ps ? latency_ps : result->latency_max_ps;
    result->row_hits += done->row_hit;
    result->answered++;
    if (result->answered == requests / 4) {
        result->quarter_ps = done->time_ps;
    } else if (result->answered == requests / 4 * 3) {
        result->three_quarters_ps = done->time_ps;
    }
}

/* Runs to the end: every tag is answered exactly once, never before it can be, in order of time. */
static inline loop_result run_loop(const channel_ops *ops, void *self, loop_config config, request_source source,
                                   void *context)
{
    loop_result result = {0};
    uint8_t *seen = calloc(config.requests, 1);
    uint64_t now_ps = 0;
    uint64_t pushed = push_all(ops, self, &config, source, context, 0, 0, 0);
    REQUIRE(pushed > 0);
    while (result.answered < config.requests) {
        const uint64_t next_ps = ops->next_ps(self);
        if (next_ps == TL_NEVER_PS) {
            ck_abort_msg("stranded: %lu of %lu answered", (unsigned long)result.answered,
                         (unsigned long)config.requests);
        }
        REQUIRE(next_ps >= now_ps);
        now_ps = config.poll_ps != 0 && next_ps > now_ps + config.poll_ps ? now_ps + config.poll_ps : next_ps;
        tl_mem_completion done;
        while (ops->pop(self, now_ps, &done)) {
            REQUIRE(done.tag < pushed && seen[done.tag] == 0);
            REQUIRE(done.time_ps <= now_ps && done.time_ps >= result.end_ps && done.time_ps > done.queued_ps);
            seen[done.tag] = 1;
            count_answer(&result, &done, config.requests);
        }
        pushed = push_all(ops, self, &config, source, context, now_ps, pushed, result.answered);
    }
    ck_assert_uint_eq(ops->next_ps(self), TL_NEVER_PS);
    free(seen);
    return result;
}

/* Requests per ns without the start and the end of the run. */
static inline double steady_rate(const loop_result *result)
{
    return (double)(result->answered / 4 * 2) * 1e3 / (double)(result->three_quarters_ps - result->quarter_ps);
}

/* The completion of the only thing that is due next. */
static inline tl_mem_completion pop_next(const channel_ops *ops, void *self)
{
    tl_mem_completion done = {0, 0, 0, false};
    for (unsigned tries = 0; tries < 1000; tries++) {
        const uint64_t next_ps = ops->next_ps(self);
        ck_assert_uint_ne(next_ps, TL_NEVER_PS);
        if (ops->pop(self, next_ps, &done)) {
            return done;
        }
    }
    ck_abort_msg("no completion in 1000 events");
    return done;
}

static inline tl_mem_request read_of(uint64_t tag, uint64_t address, uint32_t bytes)
{
    return (tl_mem_request){tag, address, bytes, false, TL_MEM_DEMAND};
}

static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define ASSERT_NEAR(value, expected, relative)                                                                         \
    ck_assert_msg((value) >= (expected) * (1.0 - (relative)) && (value) <= (expected) * (1.0 + (relative)),            \
                  "%s = %g, expected %g within %g", #value, (double)(value), (double)(expected), (double)(relative))

#endif
