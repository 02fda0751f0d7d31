/* SPDX-License-Identifier: Apache-2.0 */
/* Eq. 6 against values worked out by hand, and against the smallest integer that satisfies it. */
#include "../prefetch/degree.h"

#include <check.h>
#include <stdlib.h>

/* 96 channels of 51.2 GB/s: 4.9152 TB/s, 1200 pages for each microsecond of latency. */
static tl_degree_config config_at(uint64_t latency_us)
{
    const tl_degree_config config = {4915200000000u,     latency_us * 1000000, 4096, 2000, TL_FLOOR_OF_PRODUCT,
                                     TL_REACH_NEAR_ONLY, TL_DEGREE_NOT_FORCED};
    return config;
}

typedef struct row {
    uint64_t latency_us;
    uint32_t ctas, pages_per_tile, k_steps;
    uint32_t floor_of_product, product_of_floor;
} row;

static const row ROWS[] = {
    {5, 132, 16, 16, 5, 4},    /* Qwen, 1 CTA an SM: p_wave 2112, 12000 / 2112 = 5.68, 6000 / 2112 = 2.84 */
    {20, 132, 16, 64, 22, 22}, /* 22.7 and 11.36 */
    {20, 132, 16, 16, 16, 16}, /* ... capped by K / TILE_K = 2048 / 128 */
    {5, 396, 16, 16, 1, 0},    /* Qwen, 3 CTAs an SM: 1.89 and 0.95 */
    {5, 396, 96, 16, 0, 0},    /* ... row-major: 0.32, so no prefetch at all */
    {5, 264, 4, 128, 11, 10},  /* Llama, 2 CTAs an SM: 11.36 and 5.68 */
    {1, 264, 4, 128, 2, 2},    /* 2.27 and 1.14 */
    {5, 1, 16, 16, 16, 16},    /* the last CTA: 750, capped */
    {5, 1, 4, 100000, 3000, 3000}, {5, 750, 16, 16, 1, 0}, /* 12000 / 12000 is exactly 1 */
    {5, 375, 16, 16, 2, 2},                                /* 6000 / 6000 is exactly 1 */
    {5, 376, 16, 16, 1, 0},                                /* just below */
    {5, 0, 16, 16, 0, 0},                                  /* nobody is active */
    {5, 132, 0, 16, 0, 0},                                 /* nothing is read */
    {5, 132, 16, 0, 0, 0},                                 /* no K-step */
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

START_TEST(degrees_by_hand)
{
    const row *r = &ROWS[_i];
    tl_degree_config config = config_at(r->latency_us);
    tl_degree degree = tl_degree_of(&config, r->ctas, r->pages_per_tile, r->k_steps);
    ck_assert_uint_eq(degree.near, r->floor_of_product);
    ck_assert_uint_eq(degree.far, degree.near);
    config.floor = TL_PRODUCT_OF_FLOOR;
    degree = tl_degree_of(&config, r->ctas, r->pages_per_tile, r->k_steps);
    ck_assert_uint_eq(degree.near, r->product_of_floor);
}
END_TEST

START_TEST(the_degree_grows_as_ctas_retire)
{
    const tl_degree_config config = config_at(5);
    uint32_t previous = 0;
    for (uint32_t ctas = 396; ctas > 0; ctas--) {
        const uint32_t d = tl_degree_of(&config, ctas, 16, 128).near;
        ck_assert_uint_ge(d, previous);
        /* d is the largest that keeps d waves within twice B*L = 6000 pages, or the cap. */
        ck_assert(d * ctas * 16 <= 12000);
        ck_assert(d == 128 || (d + 1) * ctas * 16 > 12000);
        previous = d;
    }
    ck_assert_uint_eq(previous, 128);
}
END_TEST

START_TEST(the_factor_is_exact)
{
    tl_degree_config config = config_at(5);
    config.factor_milli = 1000;
    ck_assert_uint_eq(tl_degree_of(&config, 132, 16, 64).near, 2);
    config.factor_milli = 1500;
    ck_assert_uint_eq(tl_degree_of(&config, 132, 16, 64).near, 4); /* 4.26 */
    config.floor = TL_PRODUCT_OF_FLOOR;
    ck_assert_uint_eq(tl_degree_of(&config, 132, 16, 64).near, 3);
    config.factor_milli = 0;
    ck_assert_uint_eq(tl_degree_of(&config, 132, 16, 64).near, 0);
}
END_TEST

START_TEST(tiers)
{
    tl_degree_config config = config_at(5);
    config.reach = TL_REACH_TWICE;
    tl_degree degree = tl_degree_of(&config, 132, 16, 64);
    ck_assert(degree.near == 5 && degree.far == 10);
    degree = tl_degree_of(&config, 132, 16, 8);
    ck_assert(degree.near == 5 && degree.far == 8);
    config.reach = TL_REACH_SPLIT;
    degree = tl_degree_of(&config, 132, 16, 64);
    ck_assert(degree.near == 2 && degree.far == 5);
    degree = tl_degree_of(&config, 132, 16, 1);
    ck_assert(degree.near == 1 && degree.far == 1);
}
END_TEST

START_TEST(a_forced_degree_ignores_the_bandwidth)
{
    tl_degree_config config = config_at(5);
    config.forced = 1;
    ck_assert_uint_eq(tl_degree_of(&config, 396, 96, 16).near, 1);
    config.forced = 40;
    ck_assert_uint_eq(tl_degree_of(&config, 396, 96, 16).near, 16);
    config.forced = 0;
    ck_assert_uint_eq(tl_degree_of(&config, 1, 16, 16).near, 0);
    config.forced = 3;
    config.reach = TL_REACH_TWICE;
    ck_assert_uint_eq(tl_degree_of(&config, 396, 96, 16).far, 6);
    ck_assert_uint_eq(tl_degree_of(&config, 0, 96, 16).far, 0);
    config.reach = TL_REACH_SPLIT;
    config.forced = 1; /* the bus would need 2 */
    ck_assert_uint_eq(tl_degree_of(&config, 132, 16, 16).near, 1);
}
END_TEST

START_TEST(large_values_do_not_overflow)
{
    tl_degree_config config = config_at(1000000); /* 1 s: B * L = 1.2e9 pages */
    ck_assert_uint_eq(tl_degree_of(&config, 1, 1, UINT32_MAX).near, 2400000000u);
    config.latency_ps *= 1000;
    ck_assert_uint_eq(tl_degree_of(&config, 1, 1, 77).near, 77);
    ck_assert_uint_eq(tl_degree_of(&config, UINT32_MAX, UINT32_MAX, 77).near, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("degree");
    TCase *tcase = tcase_create("degree");
    tcase_add_loop_test(tcase, degrees_by_hand, 0, ROW_COUNT);
    tcase_add_test(tcase, the_degree_grows_as_ctas_retire);
    tcase_add_test(tcase, the_factor_is_exact);
    tcase_add_test(tcase, tiers);
    tcase_add_test(tcase, a_forced_degree_ignores_the_bandwidth);
    tcase_add_test(tcase, large_values_do_not_overflow);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
