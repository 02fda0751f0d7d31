/* SPDX-License-Identifier: Apache-2.0 */
/* What a run may cost: the choice of the engine, the refusal of runs that take hours, progress, memory. */
#define _DEFAULT_SOURCE /* getrusage */

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "expect.h"
#include "locality_gemms.h"
#include "locality_result.h"
#include "locality_work.h"

/* A sanitizer keeps what is freed, and shadows all. */
#ifndef __has_feature
#define __has_feature(name) 0 /* gcc says __SANITIZE_ADDRESS__ */
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { MEMORY_MAX_KB = 1000000 };
#else
enum { MEMORY_MAX_KB = 300000 };
#endif

static tl_locality_config tall(uint64_t m, uint64_t k, uint32_t tile_m)
{
    tl_locality_config config;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){m, 1, k, 2};
    config.tile.m = tile_m;
    return config;
}

static double run(const tl_locality_config *config, tl_locality_engine engine, tl_locality_counters *counters)
{
    char error[TL_LOCALITY_ERROR_BYTES];
    const clock_t start = clock();
    ck_assert_int_eq(tl_locality_run(config, engine, NULL, counters, error, sizeof error), 0);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Tall, flat and deep GEMMs, as dense as can be: the fast engine took up to 50 times as long as the plain one. */
START_TEST(never_much_slower)
{
    tl_locality_config configs[] = {tall(1 << 25, 1, 65536), tall(1 << 25, 1, 65536), tall(1 << 22, 7, 128),
                                    tall(1 << 25, 1, 65536), tall(1, 1 << 25, 128),   tall(20000, 4001, 128),
                                    tall(1 << 20, 1, 16)};
    configs[6].layout.a = TL_COLUMN_MAJOR; /* waves of thousands of panels, of which few touch a set */
    configs[6].gemm.element_bytes = 8;
    configs[6].machine.compute_units = 4096;
    configs[6].machine.l2_bytes = 1 << 26;
    configs[6].machine.set_index = TL_SET_XOR;
    configs[5].gemm.n = 1000; /* rows that are not whole lines: every set is another */
    configs[1].gemm.m = 1;
    configs[1].gemm.n = 1 << 25;
    configs[1].tile.n = 65536;
    configs[3].machine.l2_bytes = (uint64_t)1 << 31;
    configs[4].tile.k = 65536;
    for (unsigned n = 0; n < sizeof configs / sizeof configs[0]; n++) {
        static tl_locality_counters fast;
        static tl_locality_counters plain;
        const double fast_s = run(&configs[n], TL_ENGINE_FAST, &fast);
        const double plain_s = run(&configs[n], TL_ENGINE_REFERENCE, &plain);
        ck_assert_mem_eq(fast.chiplet, plain.chiplet, sizeof plain.chiplet);
        ck_assert_msg(fast_s < 4.0 * plain_s + 2.0, "configuration %u: %g s, the plain engine %g s", n, fast_s,
                      plain_s);
    }
}
END_TEST

/* A tile a row: the plain engine is taken, and says why. The GEMMs of the study stay with the fast one. */
START_TEST(the_cheaper_engine_runs)
{
    static tl_locality_counters counters;
    tl_locality_config config = tall(1 << 20, 64, 1);
    config.machine.set_index = TL_SET_XOR;
    const tl_locality_work work = tl_locality_work_estimate(&config);
    ck_assert_double_gt(work.fast, work.reference);
    (void)run(&config, TL_ENGINE_FAST, &counters);
    ck_assert_int_eq((int)counters.engine, TL_ENGINE_REFERENCE);
    ck_assert_str_eq(counters.fallback, "it takes less time than the fast one here");
    for (unsigned n = 0; n < GEMM_COUNT * MAPPING_COUNT; n++) {
        config = mapping_config(n / MAPPING_COUNT, n % MAPPING_COUNT, 16384);
        ck_assert_ptr_null(tl_fast_refusal(&config));
    }
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){57344, 16384, 8192, 2};
    config.layout.a_leading_dimension = 8192 + 64;
    config.layout.b_leading_dimension = 8192 + 64;
    ck_assert_ptr_null(tl_fast_refusal(&config));
}
END_TEST

START_TEST(hours_are_refused)
{
    const uint64_t longest = (uint64_t)1 << 31;
    const struct {
        uint64_t m, n, k;
        const char *line;
    } cases[] = {
        {2048, 128, longest,
         "file: gemm.k: found 2147483648, expected a GEMM of at most 2^36 line reads, with this tile and layout about "
         "2^38.0"},
        {128, longest, 2048, "file: gemm.n: found 2147483648, expected a GEMM of at most 2^36 line reads"},
        {longest, 128, 2048, "file: gemm.m: found 2147483648, expected a GEMM of at most 2^36 line reads"},
        {128, 128, longest, ""},
        {57344, 16384, 8192, ""},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char error[TL_LOCALITY_ERROR_BYTES] = "";
        tl_locality_config config;
        tl_locality_defaults(&config);
        config.gemm = (tl_locality_gemm){cases[n].m, cases[n].n, cases[n].k, 2};
        ck_assert_int_eq(tl_locality_check(&config, "file", error, sizeof error), 0);
        const int status = tl_locality_check_work(&config, TL_ENGINE_FAST, "file", error, sizeof error);
        ck_assert_int_eq(status, cases[n].line[0] == '\0' ? 0 : 2);
        ck_assert_msg(strncmp(error, cases[n].line, strlen(cases[n].line)) == 0, "%s", error);
    }
}
END_TEST

/* What the fast engine takes may be too much for the plain one: 2^38 line reads. */
START_TEST(limit_is_of_the_engine)
{
    char error[TL_LOCALITY_ERROR_BYTES];
    tl_locality_config config;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){131072, 65536, 65536, 2};
    ck_assert_int_eq(tl_locality_check_work(&config, TL_ENGINE_FAST, "file", error, sizeof error), 0);
    ck_assert_int_eq(tl_locality_check_work(&config, TL_ENGINE_REFERENCE, "file", error, sizeof error), 2);
}
END_TEST

typedef struct record {
    unsigned count;
    double last;
} record;

static void note(void *context, double part)
{
    record *r = context;
    EXPECT(part >= r->last && part <= 1.0);
    r->last = part;
    r->count++;
}

START_TEST(progress_is_told)
{
    for (int engine = TL_ENGINE_FAST; engine <= TL_ENGINE_REFERENCE; engine++) {
        static tl_locality_counters counters;
        char error[TL_LOCALITY_ERROR_BYTES];
        record r = {0, 0.0};
        const tl_progress progress = {note, &r};
        tl_locality_config config;
        tl_locality_defaults(&config);
        config.gemm = (tl_locality_gemm){2048, 2048, 1024, 2};
        config.layout.a_leading_dimension = 1024 + 64;
        ck_assert_int_eq(
            tl_locality_run(&config, (tl_locality_engine)engine, &progress, &counters, error, sizeof error), 0);
        ck_assert_uint_ge(r.count, 10);
        ck_assert_double_gt(r.last, 0.95);
    }
}
END_TEST

/* The largest tables: L2 of 2^25 lines in both engines, and operands of as many lines as the fast engine numbers. */
START_TEST(memory_is_bounded)
{
    static tl_locality_counters counters;
    tl_locality_config configs[4];
    for (unsigned n = 0; n < 4; n++) {
        tl_locality_defaults(&configs[n]);
        configs[n].gemm = (tl_locality_gemm){4096, 4096, 256, 2};
    }
    configs[0].machine.l2_bytes = (uint64_t)1 << 32;
    configs[1].machine.l2_bytes = (uint64_t)1 << 32;
    configs[1].layout.a_leading_dimension = (uint64_t)1 << 19; /* the most homes that are kept */
    configs[1].layout.b_leading_dimension = (uint64_t)1 << 19;
    configs[2] = tall(((uint64_t)1 << 29) - 1, 1, 65536);
    configs[2].gemm.n = 2;
    configs[3].gemm = (tl_locality_gemm){32768, 32768, 2000, 2};
    configs[3].machine.set_index = TL_SET_XOR;
    configs[3].tile.k = 1024;
    for (unsigned n = 0; n < 4; n++) {
        (void)run(&configs[n], TL_ENGINE_FAST, &counters);
        if (n < 2) {
            (void)run(&configs[n], TL_ENGINE_REFERENCE, &counters);
        }
    }
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    ck_assert_int_lt(usage.ru_maxrss, MEMORY_MAX_KB);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locality work");
    TCase *tcase = tcase_create("work");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, never_much_slower);
    tcase_add_test(tcase, the_cheaper_engine_runs);
    tcase_add_test(tcase, hours_are_refused);
    tcase_add_test(tcase, limit_is_of_the_engine);
    tcase_add_test(tcase, progress_is_told);
    tcase_add_test(tcase, memory_is_bounded);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
