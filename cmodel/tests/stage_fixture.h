/* SPDX-License-Identifier: Apache-2.0 */
/** What the stage tests share: a seeded generator and the main of a one-case suite. */
#ifndef STAGE_FIXTURE_H
#define STAGE_FIXTURE_H

#include <check.h>
#include <stdint.h>
#include <stdlib.h>

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
