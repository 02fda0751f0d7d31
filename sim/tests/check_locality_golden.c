/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's headline numbers, and the rows of tables that pin the reading behind them, by the fast engine. */
#include <math.h>
#include <stdlib.h>

#include "expect.h"
#include "locality_gemms.h"
#include "locality_result.h"

static tl_locality_metrics run(const tl_locality_config *config)
{
    static tl_locality_counters counters;
    tl_locality_metrics metrics;
    char error[TL_LOCALITY_ERROR_BYTES];
    ck_assert_int_eq(tl_locality_check(config, "golden", error, sizeof error), 0);
    ck_assert_int_eq(tl_locality_run(config, TL_ENGINE_FAST, NULL, &counters, error, sizeof error), 0);
    ck_assert_int_eq((int)counters.engine, TL_ENGINE_FAST);
    tl_locality_measure(config, &counters, 0.0, &metrics);
    return metrics;
}

/* The value, as a table prints it; the table's own arithmetic may round a tie the other way. */
#define EXPECT_ROUNDED(value, decimals, wanted) ck_assert_double_eq_tol(value, wanted, 0.511 * pow(10.0, -(decimals)))

static double gigabytes(const tl_locality_metrics *metrics)
{
    return (double)metrics->remote_bytes * 1e-9;
}

/* ---- five mappings, 4096 tokens ---------------------------------------------------------------------------------- */

enum { BASE, RR, RC, CR, CC };

static const struct {
    double remote_gb[MAPPING_COUNT];
    double hit_percent[2]; /* base, rr and cr; rc and cc */
} MAPPING_ROWS[GEMM_COUNT] = {
    {{1.516, 1.202, 9.988, 1.214, 9.664}, {93.72, 48.32}},
    {{10.280, 0.604, 9.815, 10.268, 9.664}, {29.17, 32.29}},
    {{1.497, 1.208, 0.871, 1.346, 0.554}, {86.07, 90.98}},
    {{5.448, 0.604, 4.983, 5.436, 4.832}, {43.75, 48.44}},
    {{0.527, 0.302, 4.895, 0.376, 4.807}, {94.82, 32.46}},
    {{0.922, 0.066, 2.444, 0.846, 2.416}, {82.49, 49.41}},
    {{51.087, 5.637, 46.620, 50.734, 45.097}, {43.75, 48.31}},
    {{47.966, 2.819, 45.934, 47.916, 45.097}, {29.17, 32.10}},
    {{4.605, 1.485, 10.022, 3.901, 9.538}, {91.35, 77.78}},
    {{25.417, 2.819, 23.385, 25.367, 22.549}, {43.75, 48.14}},
    {{24.134, 1.409, 22.958, 23.958, 22.549}, {29.17, 32.12}},
    {{4.844, 0.264, 11.397, 4.492, 11.274}, {80.08, 49.46}},
};

static tl_locality_metrics mapped[GEMM_COUNT][MAPPING_COUNT];

static void run_mappings(void)
{
    for (unsigned gemm = 0; gemm < GEMM_COUNT; gemm++) {
        for (unsigned mapping = 0; mapping < MAPPING_COUNT; mapping++) {
            const tl_locality_config config = mapping_config(gemm, mapping, 4096);
            mapped[gemm][mapping] = run(&config);
        }
    }
}

static void expect_mapping_rows(void)
{
    for (unsigned gemm = 0; gemm < GEMM_COUNT; gemm++) {
        for (unsigned mapping = 0; mapping < MAPPING_COUNT; mapping++) {
            const tl_locality_metrics *metrics = &mapped[gemm][mapping];
            EXPECT_ROUNDED(gigabytes(metrics), 3, MAPPING_ROWS[gemm].remote_gb[mapping]);
            EXPECT_ROUNDED(100.0 * metrics->l2_hit_rate, 2,
                           MAPPING_ROWS[gemm].hit_percent[mapping == RC || mapping == CC]);
        }
    }
}

static double remote_ratio(unsigned gemm, unsigned more, unsigned less)
{
    return (double)mapped[gemm][more].remote_bytes / (double)mapped[gemm][less].remote_bytes;
}

static unsigned least_remote(unsigned gemm)
{
    unsigned least = 0;
    for (unsigned mapping = 1; mapping < MAPPING_COUNT; mapping++) {
        least = mapped[gemm][mapping].remote_bytes < mapped[gemm][least].remote_bytes ? mapping : least;
    }
    return least;
}

START_TEST(mappings)
{
    double range = 0.0;
    double reduction = 0.0;
    double mismatch = 0.0;
    double efficiency = 0.0;
    unsigned widest = 0;
    run_mappings();
    expect_mapping_rows();
    for (unsigned gemm = 0; gemm < GEMM_COUNT; gemm++) {
        const unsigned least = least_remote(gemm);
        for (unsigned mapping = 0; mapping < MAPPING_COUNT; mapping++) {
            const double ratio = remote_ratio(gemm, mapping, least);
            const double gain = mapped[gemm][mapping].tflop_per_joule / mapped[gemm][BASE].tflop_per_joule;
            widest = ratio > range ? gemm : widest;
            range = fmax(range, ratio);
            efficiency = fmax(efficiency, gain);
        }
        reduction = fmax(reduction, remote_ratio(gemm, BASE, least));
        mismatch = fmax(mismatch, remote_ratio(gemm, CR, RR));
    }
    EXPECT_ROUNDED(range, 2, 43.13); /* paper: 43.1 */
    ck_assert_uint_eq(widest, 11);   /* Llama down dW: 0.264 to 11.397 GB; paper: 0.26 to 11.4 */
    EXPECT_ROUNDED(gigabytes(&mapped[widest][RR]), 3, 0.264);
    EXPECT_ROUNDED(gigabytes(&mapped[widest][RC]), 3, 11.397);
    EXPECT_ROUNDED(reduction, 2, 18.33);                 /* paper: 18.3 */
    EXPECT_ROUNDED(mismatch, 2, 17.00);                  /* paper: 17.0 */
    EXPECT_ROUNDED(100.0 * (efficiency - 1.0), 1, 17.0); /* paper: 17 % */
}
END_TEST

/* ---- traversals, 16384 tokens ------------------------------------------------------------------------------------ */

enum { ROW, COLUMN, BLOCK, TRAVERSAL_COUNT };

static const struct {
    double hit_percent, remote_gb, tflop_per_joule;
} TRAVERSAL_ROWS[GEMM_COUNT][TRAVERSAL_COUNT] = {
    {{48.32, 41.16, 1.104}, {49.33, 40.38, 1.118}, {74.48, 20.94, 1.645}},
    {{32.10, 39.42, 1.136}, {82.20, 10.37, 2.209}, {65.95, 19.79, 1.691}},
    {{86.07, 5.54, 2.621}, {67.38, 12.76, 2.050}, {90.89, 3.67, 2.824}},
    {{48.14, 20.09, 1.122}, {37.50, 24.21, 0.988}, {74.32, 9.98, 1.685}},
    {{32.13, 20.28, 1.115}, {88.58, 3.91, 2.409}, {65.98, 10.47, 1.645}},
    {{82.49, 3.46, 2.489}, {85.94, 2.79, 2.616}, {74.09, 5.08, 2.224}},
    {{48.31, 187.88, 1.121}, {49.40, 183.96, 1.136}, {74.44, 93.64, 1.680}},
    {{32.13, 183.85, 1.137}, {91.96, 21.96, 2.708}, {65.98, 92.25, 1.693}},
    {{91.35, 16.31, 2.846}, {62.36, 68.60, 1.937}, {77.53, 41.25, 2.325}},
    {{48.19, 93.65, 1.123}, {46.70, 96.34, 1.102}, {74.15, 46.84, 1.680}},
    {{32.12, 92.53, 1.132}, {86.86, 18.49, 2.401}, {65.98, 46.73, 1.682}},
    {{80.08, 18.32, 2.407}, {91.35, 8.15, 2.846}, {74.13, 23.68, 2.226}},
};

/* Six GEMMs together. */
typedef struct model_sum {
    double accesses, misses, remote_bytes, flop, energy_j;
} model_sum;

static void add(model_sum *sum, const tl_locality_metrics *metrics)
{
    sum->accesses += (double)(metrics->a_accesses + metrics->b_accesses);
    sum->misses += (double)(metrics->a_misses + metrics->b_misses);
    sum->remote_bytes += (double)metrics->remote_bytes;
    sum->flop += metrics->tflop_per_joule * metrics->energy_j;
    sum->energy_j += metrics->energy_j;
}

static double hit_percent(const model_sum *sum)
{
    return 100.0 * (1.0 - sum->misses / sum->accesses);
}

static double efficiency_of(const model_sum *sum)
{
    return sum->flop / sum->energy_j;
}

START_TEST(traversals)
{
    static const struct {
        double hit[TRAVERSAL_COUNT], remote_gb[TRAVERSAL_COUNT], tflop_per_joule[TRAVERSAL_COUNT];
        double hit_points, remote_percent, efficiency_percent; /* block against the best fixed order */
    } models[] = {
        {{51.01, 64.63, 74.02}, {130.0, 94.4, 69.9}, {1.3794, 1.6427, 1.8916}, 9.39, -25.94, 15.15},
        {{51.63, 67.65, 72.01}, {592.5, 397.5, 344.4}, {1.3983, 1.7286, 1.8474}, 4.36, -13.36, 6.87},
    };
    model_sum sums[2][TRAVERSAL_COUNT] = {0};
    unsigned fewer = 0;
    for (unsigned gemm = 0; gemm < GEMM_COUNT; gemm++) {
        uint64_t remote[TRAVERSAL_COUNT];
        for (unsigned order = 0; order < TRAVERSAL_COUNT; order++) {
            tl_locality_config config = gemm_config(gemm, 16384);
            config.traversal.order = (int)order; /* TL_ORDER_ROW, TL_ORDER_COLUMN, TL_ORDER_BLOCK */
            const tl_locality_metrics metrics = run(&config);
            EXPECT_ROUNDED(100.0 * metrics.l2_hit_rate, 2, TRAVERSAL_ROWS[gemm][order].hit_percent);
            EXPECT_ROUNDED(gigabytes(&metrics), 2, TRAVERSAL_ROWS[gemm][order].remote_gb);
            EXPECT_ROUNDED(metrics.tflop_per_joule, 3, TRAVERSAL_ROWS[gemm][order].tflop_per_joule);
            add(&sums[gemm / 6][order], &metrics);
            remote[order] = metrics.remote_bytes;
        }
        fewer += remote[BLOCK] < remote[ROW] && remote[BLOCK] < remote[COLUMN];
    }
    ck_assert_uint_eq(fewer, 5); /* paper: 5 of 12 */
    for (unsigned m = 0; m < 2; m++) {
        for (unsigned order = 0; order < TRAVERSAL_COUNT; order++) {
            EXPECT_ROUNDED(hit_percent(&sums[m][order]), 2, models[m].hit[order]);
            EXPECT_ROUNDED(sums[m][order].remote_bytes * 1e-9, 1, models[m].remote_gb[order]);
            EXPECT_ROUNDED(efficiency_of(&sums[m][order]), 4, models[m].tflop_per_joule[order]);
        }
        ck_assert_double_lt(sums[m][COLUMN].remote_bytes, sums[m][ROW].remote_bytes);
        const model_sum *best = &sums[m][COLUMN];
        const model_sum *block = &sums[m][BLOCK];
        EXPECT_ROUNDED(hit_percent(block) - hit_percent(best), 2, models[m].hit_points);
        EXPECT_ROUNDED(100.0 * (block->remote_bytes / best->remote_bytes - 1.0), 2, models[m].remote_percent);
        EXPECT_ROUNDED(100.0 * (efficiency_of(block) / efficiency_of(best) - 1.0), 2, models[m].efficiency_percent);
    }
}
END_TEST

/* ---- exact counters ---------------------------------------------------------------------------------------------- */

START_TEST(exact_rows)
{
    static const struct {
        unsigned gemm, mapping;
        int order;
        uint64_t accesses, misses, remote_bytes, local_bytes, c_remote_bytes;
        double energy_j, time_s;
        bool compute_bound;
    } rows[] = {
        {0, BASE, TL_ORDER_ROW, 805306368, 416219136, 41164996608, 13721665536, 1207959552, 2.987435, 1.035597e-2, 0},
        {6, BASE, TL_ORDER_ROW, 3758096384, 1942421504, 187881750528, 62627250176, 1409286144, 13.736476, 4.726585e-2,
         0},
        {11, RR, TL_ORDER_ROW, 939524096, 187170816, 1056964608, 23370661888, 0, 3.004786, 5.886937e-3, 1},
        {4, CR, TL_ORDER_ROW, 301989888, 204963840, 19676528640, 7364149248, 0, 1.472296, 5.102015e-3, 0},
        {7, BASE, TL_ORDER_BLOCK, 2818572288, 958791680, 92245327872, 30748442624, 201326592, 9.094922, 2.320637e-2, 0},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        tl_locality_config config = mapping_config(rows[n].gemm, rows[n].mapping, 16384);
        config.traversal.order = rows[n].order;
        const tl_locality_metrics metrics = run(&config);
        ck_assert_uint_eq(metrics.a_accesses + metrics.b_accesses, rows[n].accesses);
        ck_assert_uint_eq(metrics.a_misses + metrics.b_misses, rows[n].misses);
        ck_assert_uint_eq(metrics.remote_bytes, rows[n].remote_bytes);
        ck_assert_uint_eq(metrics.local_bytes, rows[n].local_bytes);
        ck_assert_uint_eq(metrics.c_remote_bytes, rows[n].c_remote_bytes);
        EXPECT_ROUNDED(metrics.energy_j, 6, rows[n].energy_j);
        ck_assert_double_eq_tol(metrics.time_s, rows[n].time_s, 1e-6 * rows[n].time_s);
        ck_assert_int_eq(metrics.compute_bound, rows[n].compute_bound);
    }
}
END_TEST

/* Another version of the abstract: 58 times at 16384 tokens, interleaved against row-split. */
START_TEST(range_at_16k)
{
    const tl_locality_config interleaved = mapping_config(4, BASE, 16384);
    const tl_locality_config split = mapping_config(4, RR, 16384);
    const tl_locality_metrics more = run(&interleaved);
    const tl_locality_metrics less = run(&split);
    EXPECT_ROUNDED((double)more.remote_bytes / (double)less.remote_bytes, 2, 58.08);
}
END_TEST

/* A folded set index changes the conclusion: block order is then worse than the best fixed order. */
START_TEST(folded_index)
{
    tl_locality_config config = gemm_config(0, 16384);
    config.machine.set_index = TL_SET_XOR;
    const tl_locality_metrics row = run(&config);
    EXPECT_ROUNDED(gigabytes(&row), 1, 6.0);
    EXPECT_ROUNDED(100.0 * row.l2_hit_rate, 0, 94.0);
    config = gemm_config(0, 16384);
    config.layout.b = TL_ROW_MAJOR;
    config.layout.c = TL_ROW_MAJOR;
    config.machine.ctas_per_unit = 4;
    const tl_locality_metrics row_major = run(&config);
    EXPECT_ROUNDED(gigabytes(&row_major), 1, 3.9);
    EXPECT_ROUNDED(100.0 * row_major.l2_hit_rate, 0, 95.0);
}
END_TEST

/* The split of 4 KiB pages in place of elements. */
START_TEST(page_granular_split)
{
    tl_locality_config config = mapping_config(11, RR, 4096);
    config.placement.split_granularity = TL_SPLIT_PAGE;
    const tl_locality_metrics metrics = run(&config);
    EXPECT_ROUNDED(gigabytes(&metrics), 3, 0.667);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locality golden");
    TCase *tcase = tcase_create("paper");
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, mappings);
    tcase_add_test(tcase, traversals);
    tcase_add_test(tcase, exact_rows);
    tcase_add_test(tcase, range_at_16k);
    tcase_add_test(tcase, folded_index);
    tcase_add_test(tcase, page_granular_split);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
