/* SPDX-License-Identifier: Apache-2.0 */
/* HBM channel: who goes first, and refresh. */
#include "hbm_fixture.h"

/* ---- scheduling ----------------------------------------------------------------------------------------------------
 */

START_TEST(row_hit_goes_first)
{
    tl_hbm *hbm = create();
    push_read(hbm, 0, 0, address_of(0, 0, 0, 0, 0));
    push_read(hbm, 0, 1, address_of(0, 0, 0, 1, 0));
    push_read(hbm, 0, 2, address_of(0, 0, 0, 0, 64));
    const uint64_t order[] = {0, 2, 1};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(pop_next(&hbm_ops, hbm).tag, order[i]);
    }
    tl_hbm_destroy(hbm);
}
END_TEST

/* At 33.6 ns the row could be closed, but its bank activates again at 44.5 ns at the earliest: a hit at 40 ns finds it.
 */
START_TEST(row_stays_open_until_the_next_activate)
{
    tl_hbm *hbm = create();
    push_read(hbm, 0, 0, address_of(0, 0, 0, 0, 0));
    push_read(hbm, 30000, 1, address_of(0, 0, 0, 1, 0));
    push_read(hbm, 40000, 2, address_of(0, 0, 0, 0, 64));
    ck_assert_uint_eq(pop_next(&hbm_ops, hbm).time_ps, 44500);
    const tl_mem_completion hit = pop_next(&hbm_ops, hbm);
    ck_assert_uint_eq(hit.tag, 2);
    ck_assert_uint_eq(hit.time_ps, 40000 + 16500);
    ck_assert_uint_eq(pop_next(&hbm_ops, hbm).time_ps, 40000 + 5625 + 44500);
    tl_hbm_destroy(hbm);
}
END_TEST

/* Others keep hitting the open row; the request for another row waits no longer than the bound and one row cycle. */
START_TEST(starvation_is_bounded)
{
    tl_hbm *hbm = create();
    for (uint64_t i = 0; i < 8; i++) {
        push_read(hbm, 0, i, address_of(0, 0, 0, 0, 0));
    }
    push_read(hbm, 0, 999999, address_of(0, 0, 0, 7, 0));
    uint64_t tag = 8, waited_ps = 0;
    while (waited_ps == 0 && tag < 5000) {
        const tl_mem_completion done = pop_next(&hbm_ops, hbm);
        if (done.tag == 999999) {
            waited_ps = done.time_ps;
        } else {
            push_read(hbm, done.time_ps, tag++, address_of(0, 0, 0, 0, 64));
        }
    }
    ck_assert_uint_ge(waited_ps, config.starvation_ps);
    ck_assert_uint_le(waited_ps, config.starvation_ps + 100000);
    tl_hbm_destroy(hbm);
}
END_TEST

START_TEST(demand_first_and_promotion)
{
    tl_hbm *hbm = create();
    for (uint64_t i = 0; i < 4; i++) { /* four rows of one bank: 0 starts, the others wait */
        tl_mem_request request = read_of(i, address_of(0, 0, 0, (uint32_t)i, 0), 64);
        request.mem_class = i == 0 ? TL_MEM_DEMAND : TL_MEM_PREFETCH_FAR;
        ck_assert(tl_hbm_push(hbm, 0, &request));
    }
    push_read(hbm, 1000, 9, address_of(0, 0, 0, 9, 0));
    ck_assert(tl_hbm_promote(hbm, 1000, 2));
    ck_assert(!tl_hbm_promote(hbm, 1000, 2));
    ck_assert(!tl_hbm_promote(hbm, 1000, 0));
    ck_assert(!tl_hbm_promote(hbm, 1000, 77));
    const uint64_t order[] = {0, 2, 9, 1, 3};
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(pop_next(&hbm_ops, hbm).tag, order[i]);
    }
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.promotions, 1);
    tl_hbm_destroy(hbm);
}
END_TEST

/* A plan is already made for a prefetch; a demand that comes at the same moment still activates first. */
START_TEST(demand_takes_the_plan_of_a_prefetch)
{
    tl_hbm *hbm = create();
    tl_mem_request prefetch = read_of(1, address_of(0, 0, 0, 0, 0), 64);
    prefetch.mem_class = TL_MEM_PREFETCH_NEAR;
    ck_assert(tl_hbm_push(hbm, 0, &prefetch));
    (void)tl_hbm_next_ps(hbm);
    push_read(hbm, 0, 2, address_of(0, 1, 0, 0, 0));
    ck_assert_uint_eq(pop_next(&hbm_ops, hbm).tag, 2);
    ck_assert_uint_eq(pop_next(&hbm_ops, hbm).tag, 1);
    tl_hbm_destroy(hbm);
}
END_TEST

/* Without banks: no row goes first, whatever the addresses; class, then age. */
START_TEST(bus_order)
{
    tl_hbm *hbm = create();
    static const tl_mem_class classes[] = {TL_MEM_PREFETCH_FAR, TL_MEM_DEMAND, TL_MEM_PREFETCH_NEAR, TL_MEM_DEMAND,
                                           TL_MEM_PREFETCH_FAR};
    for (uint64_t i = 0; i < 5; i++) {
        tl_mem_request request = read_of(i, address_of(0, 0, (uint32_t)i % 2, (uint32_t)i, 0), 64);
        request.mem_class = classes[i];
        ck_assert(tl_hbm_push(hbm, 1000, &request));
    }
    ck_assert(tl_hbm_promote(hbm, 1000, 4));
    const uint64_t order[] = {1, 3, 4, 0, 2};
    for (unsigned i = 0; i < 5; i++) {
        const tl_mem_completion done = pop_next(&hbm_ops, hbm);
        ck_assert_uint_eq(done.tag, order[i]);
        ck_assert_uint_eq(done.time_ps, 1000 + 14000 + 2500 * (i + 1));
        ck_assert(done.row_hit);
    }
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->activates, 0);
    tl_hbm_destroy(hbm);
}
END_TEST

/* ---- refresh -------------------------------------------------------------------------------------------------------
 */

START_TEST(idle_refreshes_are_counted)
{
    tl_refresh_all_bank(&config.refresh, 0, 96);
    tl_hbm *hbm = create();
    tl_hbm_advance(hbm, 39000001);
    ck_assert_uint_eq(tl_hbm_next_ps(hbm), TL_NEVER_PS);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.refreshes, 2 * 10);
    const uint64_t due_ps = config.refresh.phase_ps + 10 * config.refresh.interval_ps;
    push_read(hbm, due_ps + 1000, 1, 0);
    ck_assert_uint_eq(pop_next(&hbm_ops, hbm).time_ps, due_ps + 260000 + 42000 + 2500);
    tl_hbm_destroy(hbm);
}
END_TEST

/* An all-bank refresh holds the bus for its time, a per-bank refresh for none. */
START_TEST(bus_refresh)
{
    config.refresh = (tl_refresh_config){_i == 0 ? TL_REFRESH_ALL_BANK : TL_REFRESH_PER_BANK, 3900000, 260000, 1000};
    tl_hbm *hbm = create();
    const uint64_t alone_ps = 14000 + 2500;
    ck_assert_uint_eq(one_read_ps(hbm, 2000, 0, true), (_i == 0 ? 259000 : 0) + alone_ps);
    ck_assert_uint_eq(one_read_ps(hbm, 1000000, 0, true), alone_ps);
    tl_hbm_advance(hbm, 39000001);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.refreshes, _i == 0 ? 2 * 10 : 0);
    tl_hbm_destroy(hbm);
}
END_TEST

/* A refresh closes the row; phases of 96 channels are spread over one interval. */
START_TEST(refresh_closes_rows)
{
    tl_refresh_all_bank(&config.refresh, 95, 96);
    ck_assert_uint_eq(config.refresh.phase_ps, config.refresh.interval_ps);
    tl_refresh_all_bank(&config.refresh, 47, 96);
    ck_assert_uint_eq(config.refresh.phase_ps, config.refresh.interval_ps / 2);
    tl_hbm *hbm = create();
    ck_assert_uint_eq(one_read_ps(hbm, 0, 0, false), 44500);
    ck_assert_uint_eq(one_read_ps(hbm, 1000000, 0, true), 16500);
    ck_assert_uint_eq(one_read_ps(hbm, 3000000, 0, false), 44500);
    tl_hbm_destroy(hbm);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hbm_scheduling");
    TCase *simple = tcase_create("simple"), *full = tcase_create("full"), *bus = tcase_create("bus");
    tcase_add_checked_fixture(simple, setup_simple, NULL);
    tcase_add_checked_fixture(full, setup_full, NULL);
    tcase_add_checked_fixture(bus, setup_bus, NULL);
    TCase *const both[] = {simple, full};
    for (unsigned i = 0; i < 2; i++) {
        tcase_add_test(both[i], row_hit_goes_first);
        tcase_add_test(both[i], starvation_is_bounded);
        tcase_add_test(both[i], demand_first_and_promotion);
        tcase_add_test(both[i], demand_takes_the_plan_of_a_prefetch);
    }
    tcase_add_test(simple, row_stays_open_until_the_next_activate);
    tcase_add_test(simple, idle_refreshes_are_counted);
    tcase_add_test(simple, refresh_closes_rows);
    tcase_add_test(bus, bus_order);
    tcase_add_loop_test(bus, bus_refresh, 0, 2);
    suite_add_tcase(suite, bus);
    suite_add_tcase(suite, simple);
    suite_add_tcase(suite, full);
    return run_suite(suite);
}
