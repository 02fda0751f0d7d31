/* SPDX-License-Identifier: Apache-2.0 */
/* HBF channel: latency, Little's law and peak, planes and registers, classes. Writes and refusals: check_hbf_faults.c.
 */
#include "channel_fixture.h"

enum { PAGE = 4096, CHANNELS = 96 };

static tl_hbf_config config;

static void setup(void)
{
    tl_hbf_config_default(&config);
}

static tl_hbf *create(void)
{
    tl_hbf *hbf = tl_hbf_create(&config);
    ck_assert_msg(hbf != NULL, "%s", tl_hbf_config_check(&config));
    return hbf;
}

static tl_mem_request page_of(uint64_t tag, uint64_t page)
{
    return read_of(tag, page * PAGE, PAGE);
}

static void push_page(tl_hbf *hbf, uint64_t now_ps, tl_mem_request request)
{
    ck_assert(tl_hbf_push(hbf, now_ps, &request));
}

static tl_mem_request stream(void *context, uint64_t index)
{
    (void)context;
    return page_of(0, index % (config.capacity_bytes / PAGE));
}

START_TEST(one_read)
{
    tl_hbf *hbf = create();
    push_page(hbf, 1000, page_of(7, 0));
    const tl_mem_completion done = pop_next(&hbf_ops, hbf);
    ck_assert_uint_eq(done.tag, 7);
    ck_assert_uint_eq(done.queued_ps, 1000);
    ck_assert_uint_eq(done.time_ps, 1000 + 5000000 + 80000);
    ck_assert_uint_eq(tl_hbf_next_ps(hbf), TL_NEVER_PS);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->mem.read_bytes, PAGE);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->plane_busy_ps, 5000000);
    tl_hbf_destroy(hbf);
}
END_TEST

static const struct {
    uint64_t latency_us;
    uint32_t planes;
} plane_table[] = {{1, 31}, {2, 62}, {5, 156}, {10, 312}, {20, 625}};

START_TEST(planes_follow_the_internal_bandwidth)
{
    config.read_latency_ps = plane_table[_i].latency_us * 1000000;
    ck_assert_uint_eq(tl_hbf_planes(&config), plane_table[_i].planes);
}
END_TEST

/* ---- in flight x 4096 B / (latency + transfer) ---------------------------------------------------------------------
 */

/* Consecutive pages meet the 78 groups in turn, so up to 62 reads never meet in a plane. */
static const uint64_t in_flight[] = {1, 5, 20, 40, 60, 62};

START_TEST(littles_law_below_the_peak)
{
    tl_hbf *hbf = create();
    const loop_result result = run_loop(&hbf_ops, hbf, (loop_config){8000, in_flight[_i], 0}, stream, NULL);
    ASSERT_NEAR(steady_rate(&result), (double)in_flight[_i] / 5080.0, 0.02);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->mem.queue_integral, result.latency_ps);
    tl_hbf_destroy(hbf);
}
END_TEST

/* 6,000 pages over 96 channels: 62.5 each, at 5 us. */
START_TEST(six_thousand_in_flight_reach_the_peak)
{
    uint64_t pages = 0, peak_ps = 0;
    for (uint64_t c = 0; c < CHANNELS; c++) {
        tl_hbf *hbf = create();
        const loop_result result = run_loop(&hbf_ops, hbf, (loop_config){4000, 62 + c % 2, 0}, stream, NULL);
        pages += result.answered / 2;
        peak_ps += (result.three_quarters_ps - result.quarter_ps) / 80000;
        tl_hbf_destroy(hbf);
    }
    ck_assert_double_ge((double)pages, 0.97 * (double)peak_ps);
    ck_assert_uint_le(pages, peak_ps);
}
END_TEST

START_TEST(never_above_the_bus)
{
    tl_hbf *hbf = create();
    const loop_result result = run_loop(&hbf_ops, hbf, (loop_config){20000, 150, 0}, stream, NULL);
    ASSERT_NEAR(steady_rate(&result), 1 / 80.0, 0.001);
    tl_hbf_destroy(hbf);
}
END_TEST

/* ---- planes and registers ------------------------------------------------------------------------------------------
 */

/* Many pages of one group of `overlap` planes: the bus is idle most of the time. */
static tl_mem_request one_group(void *context, uint64_t index)
{
    (void)context;
    return page_of(0, index * 10); /* modulo over 10 groups */
}

static double one_group_rate(uint32_t overlap, uint32_t registers)
{
    config.group_map = TL_MAP_MODULO;
    config.planes = 10 * overlap;
    config.overlap = overlap;
    config.register_pages = registers;
    tl_hbf *hbf = create();
    const loop_result result = run_loop(&hbf_ops, hbf, (loop_config){400, 50, 0}, one_group, NULL);
    tl_hbf_destroy(hbf);
    return steady_rate(&result);
}

/* With registers a plane reads all the time; without, it waits for the transfer. */
START_TEST(a_plane_at_work)
{
    ASSERT_NEAR(one_group_rate(1, 1), 1 / 5000.0, 0.001);
    ASSERT_NEAR(one_group_rate(1, 0), 1 / 5080.0, 0.001);
    ASSERT_NEAR(one_group_rate(2, 2), 2 / 5000.0, 0.001);
    ASSERT_NEAR(one_group_rate(4, 4), 4 / 5000.0, 0.001);
}
END_TEST

/* Two planes without register end together: the second is transferred 80 ns after the first, and they drift apart. */
START_TEST(two_planes_without_register)
{
    ASSERT_NEAR(one_group_rate(2, 0), 2 / 5080.0, 0.02);
}
END_TEST

/* The bus is taken for 1 ms while four pages are read by one plane: one waits in the array, one in the register. */
START_TEST(a_full_register_holds_the_plane)
{
    tl_bus bus = {{1000000000, 1000000000}};
    config.shared_bus = &bus;
    config.group_map = TL_MAP_MODULO;
    config.planes = config.overlap = config.register_pages = 1;
    tl_hbf *hbf = create();
    for (uint64_t i = 0; i < 4; i++) {
        push_page(hbf, 0, page_of(i, i));
    }
    /* Page 0 has a transfer reserved and sits in the register; page 1 holds the array; 2 starts when 0 has left. */
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 1000080000);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->plane_busy_ps, 3 * 5000000);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->plane_stall_ps, 1000080000 - 10000000);
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 1000160000);
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 1000080000 + 5000000 + 80000);
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 1000080000 + 10000000 + 80000);
    tl_hbf_destroy(hbf);
}
END_TEST

/* ---- classes -------------------------------------------------------------------------------------------------------
 */

static void push_class(tl_hbf *hbf, uint64_t now_ps, uint64_t tag, uint64_t page, tl_mem_class mem_class)
{
    tl_mem_request request = page_of(tag, page);
    request.mem_class = mem_class;
    push_page(hbf, now_ps, request);
}

static void expect_order(tl_hbf *hbf, const uint64_t *tags, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        ck_assert_uint_eq(pop_next(&hbf_ops, hbf).tag, tags[i]);
    }
    ck_assert_uint_eq(tl_hbf_pending(hbf), 0);
}

static void one_plane(void)
{
    config.planes = config.overlap = config.register_pages = 1;
}

START_TEST(plane_takes_demand_first)
{
    one_plane();
    tl_hbf *hbf = create();
    push_class(hbf, 0, 0, 0, TL_MEM_PREFETCH_FAR); /* starts at once */
    push_class(hbf, 0, 1, 1, TL_MEM_PREFETCH_FAR);
    push_class(hbf, 0, 2, 2, TL_MEM_PREFETCH_NEAR);
    push_class(hbf, 0, 3, 3, TL_MEM_DEMAND);
    expect_order(hbf, (const uint64_t[]){0, 3, 1, 2}, 4); /* near and far are one class */
    tl_hbf_destroy(hbf);
    config.far_lowest = true;
    hbf = create();
    push_class(hbf, 0, 0, 0, TL_MEM_PREFETCH_FAR);
    push_class(hbf, 0, 1, 1, TL_MEM_PREFETCH_FAR);
    push_class(hbf, 0, 2, 2, TL_MEM_PREFETCH_NEAR);
    push_class(hbf, 0, 3, 3, TL_MEM_DEMAND);
    expect_order(hbf, (const uint64_t[]){0, 3, 2, 1}, 4);
    tl_hbf_destroy(hbf);
}
END_TEST

/* Ten pages of ten groups end together; the demand, pushed last, is transferred first. */
START_TEST(bus_takes_demand_first)
{
    config.group_map = TL_MAP_MODULO;
    tl_hbf *hbf = create();
    for (uint64_t i = 0; i < 9; i++) {
        push_class(hbf, 0, i, i, TL_MEM_PREFETCH_NEAR);
    }
    push_class(hbf, 0, 9, 9, TL_MEM_DEMAND);
    expect_order(hbf, (const uint64_t[]){9, 0, 1, 2, 3, 4, 5, 6, 7, 8}, 10);
    tl_hbf_destroy(hbf);
}
END_TEST

/* A prefetch is promoted while it waits for its plane, while it is read, and while it waits for the bus. */
START_TEST(promotion)
{
    one_plane();
    tl_hbf *hbf = create();
    for (uint64_t i = 0; i < 4; i++) {
        push_class(hbf, 0, i, i, TL_MEM_PREFETCH_NEAR);
    }
    ck_assert(tl_hbf_promote(hbf, 1000, 3));
    ck_assert(!tl_hbf_promote(hbf, 1000, 3));
    ck_assert(!tl_hbf_promote(hbf, 1000, 99));
    expect_order(hbf, (const uint64_t[]){0, 3, 1, 2}, 4);
    ck_assert(!tl_hbf_promote(hbf, 100000000, 1)); /* answered */
    tl_hbf_destroy(hbf);

    setup();
    config.group_map = TL_MAP_MODULO;
    hbf = create();
    for (uint64_t i = 0; i < 6; i++) {
        push_class(hbf, 0, i, i, TL_MEM_PREFETCH_NEAR);
    }
    ck_assert(tl_hbf_promote(hbf, 1000000, 4));
    ck_assert(tl_hbf_promote(hbf, 5010000, 3)); /* 4 is on the bus */
    ck_assert(tl_hbf_promote(hbf, 5010000, 2)); /* later, but older */
    ck_assert(!tl_hbf_promote(hbf, 5010000, 4));
    expect_order(hbf, (const uint64_t[]){4, 2, 3, 0, 1, 5}, 6);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->mem.promotions, 3);
    tl_hbf_destroy(hbf);
}
END_TEST

/* The bus serves pages in the order in which they were read: a promoted page takes the place it would have had. */
START_TEST(promoted_page_keeps_its_place)
{
    tl_bus bus = {{1000000000, 1000000000}};
    config.shared_bus = &bus;
    config.group_map = TL_MAP_MODULO;
    config.planes = 10;
    config.overlap = config.register_pages = 1;
    tl_hbf *hbf = create();
    push_class(hbf, 0, 0, 0, TL_MEM_DEMAND);        /* has the next place on the bus */
    push_class(hbf, 0, 1, 1, TL_MEM_DEMAND);        /* read at 5 us */
    push_class(hbf, 0, 2, 11, TL_MEM_DEMAND);       /* of the same plane: read at 10 us */
    push_class(hbf, 0, 3, 3, TL_MEM_PREFETCH_NEAR); /* read at 5 us */
    ck_assert(tl_hbf_promote(hbf, 20000000, 3));
    expect_order(hbf, (const uint64_t[]){0, 1, 3, 2}, 4);
    tl_hbf_destroy(hbf);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hbf_channel");
    TCase *tcase = tcase_create("hbf_channel");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, one_read);
    tcase_add_loop_test(tcase, planes_follow_the_internal_bandwidth, 0, 5);
    tcase_add_loop_test(tcase, littles_law_below_the_peak, 0, 6);
    tcase_add_test(tcase, six_thousand_in_flight_reach_the_peak);
    tcase_add_test(tcase, never_above_the_bus);
    tcase_add_test(tcase, a_plane_at_work);
    tcase_add_test(tcase, two_planes_without_register);
    tcase_add_test(tcase, a_full_register_holds_the_plane);
    tcase_add_test(tcase, plane_takes_demand_first);
    tcase_add_test(tcase, bus_takes_demand_first);
    tcase_add_test(tcase, promotion);
    tcase_add_test(tcase, promoted_page_keeps_its_place);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
