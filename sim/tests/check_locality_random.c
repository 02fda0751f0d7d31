/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast engine against the plain one, every counter of every chiplet: on random configurations, 5,000 of them or
 * TILELENS_LOCALITY_CONFIGS, from TILELENS_LOCALITY_SEED on; and with TILELENS_LOCALITY_FULL=1 on twelve GEMMs at 16384
 * tokens, which takes minutes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "locality_gemms.h"
#include "locality_random.h"
#include "locality_result.h"

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static void compare(uint64_t number, const tl_locality_config *config, tl_locality_counters *fast)
{
    static tl_locality_counters plain;
    char error[TL_LOCALITY_ERROR_BYTES];
    ck_assert_int_eq(tl_locality_run(config, TL_ENGINE_FAST, NULL, fast, error, sizeof error), 0);
    ck_assert_int_eq(tl_locality_run(config, TL_ENGINE_REFERENCE, NULL, &plain, error, sizeof error), 0);
    for (unsigned chiplet = 0; chiplet < TL_CHIPLETS_MAX; chiplet++) {
        if (memcmp(&fast->chiplet[chiplet], &plain.chiplet[chiplet], sizeof plain.chiplet[chiplet]) != 0) {
            ck_abort_msg("configuration %" PRIu64 ": chiplet %u differs", number, chiplet);
        }
    }
}

START_TEST(fast_is_reference)
{
    const uint64_t count = from_environment("TILELENS_LOCALITY_CONFIGS", 5000);
    const uint64_t seed = from_environment("TILELENS_LOCALITY_SEED", 0);
    uint64_t fast = 0;
    uint64_t repeated = 0;
    for (uint64_t number = seed; number < seed + count; number++) {
        static tl_locality_counters counters;
        const tl_locality_config config = random_config(number);
        compare(number, &config, &counters);
        fast += counters.engine == TL_ENGINE_FAST;
        repeated += counters.engine == TL_ENGINE_FAST && counters.simulated_sets < (uint32_t)1
                                                                                       << tl_set_bits(&config.machine);
    }
    /* The fast engine must have run, and sets must have shared a simulation, for the comparison to say something. */
    ck_assert_uint_ge(fast, count * 9 / 10);
    ck_assert_uint_ge(repeated, count / 4);
}
END_TEST

START_TEST(fast_is_reference_at_full_size)
{
    for (unsigned gemm = 0; gemm < GEMM_COUNT; gemm++) {
        static tl_locality_counters counters;
        tl_locality_config config = mapping_config(gemm, gemm % MAPPING_COUNT, 16384);
        config.traversal.order = (int)gemm % 3;
        compare(gemm, &config, &counters);
        ck_assert_int_eq((int)counters.engine, TL_ENGINE_FAST);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locality random");
    TCase *tcase = tcase_create("engines");
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, fast_is_reference);
    if (from_environment("TILELENS_LOCALITY_FULL", 0) != 0) {
        tcase_add_test(tcase, fast_is_reference_at_full_size);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
