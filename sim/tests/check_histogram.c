/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram: buckets, percentiles and rows against the sorted samples. */
#include "../stats/histogram.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 20000 };

static tl_histogram histogram, part;
static uint64_t samples[SAMPLES];

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int compare(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Latencies as they occur: mostly near 5 us, a tail to 15 us, some hits; or anything at all. */
static uint64_t draw(uint64_t *state, bool anything)
{
    const uint64_t random = next_random(state);
    if (anything) {
        return next_random(state) >> (random % 64);
    }
    switch (random % 8) {
    case 0:
        return next_random(state) % 300000;
    case 1:
        return 5000000 + next_random(state) % 10000000;
    default:
        return 5000000 + next_random(state) % 200000;
    }
}

static void check_against_sorted(const uint64_t *sorted, uint32_t count)
{
    for (uint32_t percent = 1; percent <= 100; percent++) {
        const uint64_t exact = sorted[((uint64_t)count * percent + 99) / 100 - 1];
        const uint64_t got = tl_histogram_percentile_ps(&histogram, percent);
        ck_assert_msg(distance(got, exact) <= exact / 256, "p%u of %u: %lu for %lu", percent, count, (unsigned long)got,
                      (unsigned long)exact);
    }
    ck_assert_uint_eq(histogram.count, count);
    ck_assert_uint_eq(histogram.min_ps, sorted[0]);
    ck_assert_uint_eq(histogram.max_ps, sorted[count - 1]);
}

START_TEST(percentiles_of_samples)
{
    static const uint32_t counts[] = {1, 2, 3, 99, 100, 101, 1000, SAMPLES};
    uint64_t state = 0x1234567;
    for (unsigned n = 0; n < 2 * sizeof counts / sizeof counts[0]; n++) {
        const uint32_t count = counts[n / 2];
        memset(&histogram, 0, sizeof histogram);
        for (uint32_t s = 0; s < count; s++) {
            samples[s] = draw(&state, n % 2 != 0);
            tl_histogram_add(&histogram, samples[s]);
        }
        qsort(samples, count, sizeof samples[0], compare);
        check_against_sorted(samples, count);
    }
}
END_TEST

START_TEST(mean_is_exact)
{
    ck_assert(tl_histogram_mean_ps(&histogram) == 0);
    tl_histogram_add(&histogram, 1000001);
    tl_histogram_add(&histogram, 2000002);
    tl_histogram_add(&histogram, 3000000);
    ck_assert(tl_histogram_mean_ps(&histogram) == 2000001.0);
}
END_TEST

START_TEST(empty)
{
    tl_cdf_cursor cursor = {0};
    tl_cdf_row row;
    ck_assert_uint_eq(tl_histogram_percentile_ps(&histogram, 99), 0);
    ck_assert(!tl_histogram_next_row(&histogram, &cursor, &row));
    tl_histogram_merge(&histogram, &part);
    ck_assert_uint_eq(histogram.count, 0);
}
END_TEST

/* Small values are exact; neighbours of every power of two lie in rising buckets, and the last bucket is used. */
START_TEST(buckets)
{
    for (uint32_t value = 0; value < 256; value++) {
        ck_assert_uint_eq(tl_histogram_bucket(value), value);
    }
    for (unsigned bit = 7; bit < 64; bit++) {
        const uint64_t power = UINT64_C(1) << bit;
        ck_assert_uint_eq(tl_histogram_bucket(power), tl_histogram_bucket(power - 1) + 1);
        ck_assert_uint_eq(tl_histogram_bucket(power), (uint64_t)(bit - 7 + 1) * 128);
    }
    ck_assert_uint_eq(tl_histogram_bucket(UINT64_MAX), TL_HISTOGRAM_BUCKETS - 1);
    tl_histogram_add(&histogram, UINT64_MAX);
    ck_assert_uint_eq(tl_histogram_percentile_ps(&histogram, 50), UINT64_MAX);
}
END_TEST

START_TEST(merge_is_the_whole)
{
    static tl_histogram whole;
    uint64_t state = 99;
    for (uint32_t s = 0; s < SAMPLES; s++) {
        const uint64_t value = draw(&state, s % 3 == 0);
        tl_histogram_add(&whole, value);
        tl_histogram_add(s % 5 == 0 ? &histogram : &part, value);
    }
    tl_histogram_merge(&histogram, &part);
    ck_assert_mem_eq(&histogram, &whole, sizeof whole);

    static tl_histogram fresh;
    tl_histogram_merge(&fresh, &whole);
    ck_assert_mem_eq(&fresh, &whole, sizeof whole);
}
END_TEST

/* Every row counts exactly the samples up to its latency; the last is the maximum and all of them. */
START_TEST(rows_are_the_distribution)
{
    uint64_t state = 5;
    for (uint32_t s = 0; s < SAMPLES; s++) {
        samples[s] = draw(&state, false);
        tl_histogram_add(&histogram, samples[s]);
    }
    qsort(samples, SAMPLES, sizeof samples[0], compare);
    tl_cdf_cursor cursor = {0};
    tl_cdf_row row = {0};
    uint32_t rows = 0;
    uint64_t previous = 0;
    for (uint32_t below = 0; tl_histogram_next_row(&histogram, &cursor, &row); rows++) {
        while (below < SAMPLES && samples[below] <= row.latency_ps) {
            below++;
        }
        ck_assert_uint_eq(row.count, below);
        ck_assert(rows == 0 || row.latency_ps > previous);
        previous = row.latency_ps;
    }
    ck_assert_uint_gt(rows, 100);
    ck_assert_uint_eq(row.latency_ps, samples[SAMPLES - 1]);
    ck_assert_uint_eq(row.count, SAMPLES);
}
END_TEST

static void clear(void)
{
    memset(&histogram, 0, sizeof histogram);
    memset(&part, 0, sizeof part);
}

int main(void)
{
    TCase *tcase = tcase_create("histogram");
    tcase_add_checked_fixture(tcase, clear, NULL);
    tcase_add_test(tcase, percentiles_of_samples);
    tcase_add_test(tcase, mean_is_exact);
    tcase_add_test(tcase, empty);
    tcase_add_test(tcase, buckets);
    tcase_add_test(tcase, merge_is_the_whole);
    tcase_add_test(tcase, rows_are_the_distribution);
    Suite *suite = suite_create("histogram");
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
