/* SPDX-License-Identifier: Apache-2.0 */
/* MSHRs against a naive model, over random traces, and the faults that hang a memory system. */
#include <stdlib.h>

#include "../l2/cache.h"
#include "naive_mshr.h"

#define PAGE UINT64_C(4096)

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 24;
}

static tl_mshr_request demand_of(uint64_t address, uint32_t bytes, tl_mshr_partition partition, uint64_t waiter)
{
    return (tl_mshr_request){address, bytes, partition, TL_MEM_DEMAND, waiter};
}

static tl_mshr_request prefetch_of(uint64_t page, tl_mem_class mem_class)
{
    return (tl_mshr_request){page * PAGE, 4096, TL_MSHR_PAGES, mem_class, 0};
}

static tl_mshr *mshr_of(uint32_t line_entries, uint32_t page_entries, uint32_t block_bytes)
{
    const tl_mshr_config config = {line_entries, page_entries, block_bytes};
    tl_mshr *mshr = tl_mshr_create(&config);
    ck_assert_ptr_nonnull(mshr);
    return mshr;
}

/* ---- both side by side ---- */

typedef struct setting {
    tl_mshr_partition partition;
    uint32_t block_bytes, limit;
} setting;

static const setting SETTINGS[] = {
    {TL_MSHR_PAGES, 4096, 0}, {TL_MSHR_PAGES, 4096, 12}, {TL_MSHR_PAGES, 4096, 1},  {TL_MSHR_LINES, 128, 0},
    {TL_MSHR_LINES, 128, 7},  {TL_MSHR_LINES, 512, 13},  {TL_MSHR_LINES, 1024, 40}, {TL_MSHR_LINES, 1024, 8},
};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0] };

static void submit_both(tl_mshr *mshr, naive *n, const setting *set, uint64_t now, uint64_t *random)
{
    const uint32_t b = (uint32_t)(next_random(random) % BLOCKS);
    const uint32_t begin = (uint32_t)(next_random(random) % set->block_bytes);
    const uint32_t bytes = 1 + (uint32_t)(next_random(random) % (set->block_bytes - begin));
    const tl_mshr_request request = {(uint64_t)b * set->block_bytes + begin, bytes, set->partition,
                                     (tl_mem_class)(next_random(random) % 3), next_random(random)};
    const bool page = set->partition == TL_MSHR_PAGES;
    tl_mshr_answer expected;
    const bool accepted = naive_submit(n, b, page ? 0 : begin / 32, page ? 0 : (begin + bytes - 1) / 32,
                                       request.mem_class, request.waiter, &expected);
    const tl_mshr_answer answer = tl_mshr_submit(mshr, now, &request);
    EXPECT((answer.status != TL_MSHR_FULL) == accepted);
    if (accepted) {
        EXPECT(answer.status == expected.status && answer.fetch_sectors == expected.fetch_sectors);
        EXPECT(answer.promoted == expected.promoted);
        EXPECT(expected.status == TL_MSHR_ALLOCATED || answer.entry == n->name[b]);
        n->name[b] = answer.entry;
        EXPECT(tl_mshr_address(mshr, answer.entry) == (uint64_t)b * set->block_bytes);
        EXPECT(tl_mshr_partition_of(answer.entry) == set->partition);
        EXPECT((int)tl_mshr_class(mshr, answer.entry) == n->block_class[b]);
    }
}

static void complete_both(tl_mshr *mshr, naive *n, uint64_t now, uint64_t *random)
{
    const uint32_t b = (uint32_t)(next_random(random) % BLOCKS);
    uint32_t pending = 0;
    for (uint32_t s = 0; s < SECTORS; s++) {
        pending |= n->pending[b][s] ? 1u << s : 0;
    }
    const uint32_t some = pending & (uint32_t)next_random(random);
    const uint32_t arrived = some != 0 ? some : pending;
    if (arrived == 0) {
        return;
    }
    naive_arrive(n, b, arrived);
    tl_mshr_waiters waiters = tl_mshr_complete(mshr, now, n->name[b], arrived);
    tl_mshr_waiter waiter;
    while (tl_mshr_next_waiter(mshr, &waiters, &waiter)) {
        EXPECT(waiter.waiter == naive_pop_served(n, b));
    }
    EXPECT(naive_pop_served(n, b) == UINT64_MAX);
    forget_served(n);
}

START_TEST(agrees_with_a_naive_model)
{
    static naive n;
    const setting *set = &SETTINGS[_i];
    const bool page = set->partition == TL_MSHR_PAGES;
    memset(&n, 0, sizeof n);
    n.limit = set->limit;
    n.sectors_per_entry = page ? 1 : 4;
    n.sector_count = page ? 1 : set->block_bytes / 32;
    tl_mshr *mshr = mshr_of(page ? 0 : set->limit, page ? set->limit : 0, page ? 128 : set->block_bytes);
    const tl_mshr_counters *c = tl_mshr_get_counters(mshr, set->partition);
    uint64_t random = 5, now = 0, integral = 0, peak = 0;
    for (int step = 0; step < 20000; step++) {
        const uint64_t dt = next_random(&random) % 1000;
        integral += naive_entries(&n) * dt;
        now += dt;
        if (next_random(&random) % 2 == 0) {
            submit_both(mshr, &n, set, now, &random);
        } else {
            complete_both(mshr, &n, now, &random);
        }
        EXPECT(c->occupied == naive_entries(&n));
        peak = c->occupied > peak ? c->occupied : peak;
    }
    ck_assert_uint_eq(c->peak, peak);
    ck_assert_double_eq_tol(tl_mshr_mean_occupancy(mshr, set->partition, now), (double)integral / (double)now, 1e-9);
    ck_assert_uint_gt(c->merged, 100);
    ck_assert_uint_gt(c->allocated, 100);
    ck_assert_uint_gt(c->promotions, 20);
    ck_assert(set->limit == 0 || c->refused_demands > 100);
    ck_assert(page || set->block_bytes == 128 || c->extended > 100);
    tl_mshr_destroy(mshr);
}
END_TEST

/* ---- single properties ---- */

START_TEST(unlimited_means_unlimited)
{
    tl_mshr *mshr = mshr_of(0, 0, 128);
    static uint32_t names[100000];
    for (uint32_t i = 0; i < 100000; i++) {
        const tl_mshr_request request = demand_of((uint64_t)i * 7 * PAGE, 4096, TL_MSHR_PAGES, i);
        const tl_mshr_answer answer = tl_mshr_submit(mshr, i, &request);
        EXPECT(answer.status == TL_MSHR_ALLOCATED && answer.fetch_sectors == 1);
        names[i] = answer.entry;
    }
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_PAGES)->peak, 100000);
    for (uint32_t i = 0; i < 100000; i++) {
        tl_mshr_waiters waiters = tl_mshr_complete(mshr, 100000, names[i], 1);
        tl_mshr_waiter waiter;
        EXPECT(tl_mshr_next_waiter(mshr, &waiters, &waiter));
        EXPECT(waiter.waiter == i && waiter.address == (uint64_t)i * 7 * PAGE && waiter.bytes == 4096);
        EXPECT(!tl_mshr_next_waiter(mshr, &waiters, &waiter));
    }
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_PAGES)->occupied, 0);
    tl_mshr_destroy(mshr);
}
END_TEST

START_TEST(partitions_do_not_starve_each_other)
{
    tl_mshr *mshr = mshr_of(4, 2, 512);
    tl_mshr_request request = demand_of(0, 4096, TL_MSHR_PAGES, 1);
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_ALLOCATED);
    request.address = 4096;
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_ALLOCATED);
    request.address = 8192;
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_FULL);
    request = demand_of(0, 512, TL_MSHR_LINES, 2); /* the same address: another partition */
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_ALLOCATED);
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_LINES)->occupied, 4);
    request.address = 512;
    request.bytes = 1;
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_FULL);
    tl_mshr_destroy(mshr);
}
END_TEST

START_TEST(a_demand_promotes_a_prefetch_once)
{
    tl_mshr *mshr = mshr_of(0, 1, 128);
    tl_mshr_request request = prefetch_of(3, TL_MEM_PREFETCH_FAR);
    const tl_mshr_answer far = tl_mshr_submit(mshr, 0, &request);
    request = prefetch_of(3, TL_MEM_PREFETCH_NEAR);
    const tl_mshr_answer near = tl_mshr_submit(mshr, 1, &request);
    ck_assert(near.status == TL_MSHR_MERGED && near.promoted && near.fetch_sectors == 0 && near.entry == far.entry);
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_PAGES)->promotions, 0);
    request = demand_of(3 * PAGE + 100, 512, TL_MSHR_PAGES, 9);
    ck_assert(tl_mshr_submit(mshr, 2, &request).promoted);
    ck_assert(!tl_mshr_submit(mshr, 2, &request).promoted);
    ck_assert_int_eq(tl_mshr_class(mshr, far.entry), TL_MEM_DEMAND);
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_PAGES)->promotions, 1);
    tl_mshr_waiters waiters = tl_mshr_complete(mshr, 3, far.entry, 1);
    tl_mshr_waiter waiter;
    ck_assert(tl_mshr_next_waiter(mshr, &waiters, &waiter) && tl_mshr_next_waiter(mshr, &waiters, &waiter));
    ck_assert(!tl_mshr_next_waiter(mshr, &waiters, &waiter)); /* the prefetches waited for nothing */
    tl_mshr_destroy(mshr);
}
END_TEST

START_TEST(parked_demands_come_back_in_order)
{
    tl_mshr *mshr = mshr_of(0, 1, 128);
    tl_mshr_request request = demand_of(0, 4096, TL_MSHR_PAGES, 0), back;
    uint32_t entry = tl_mshr_submit(mshr, 0, &request).entry;
    for (uint64_t i = 1; i <= 50; i++) {
        request = demand_of(i * PAGE, 4096, TL_MSHR_PAGES, i);
        ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_FULL);
        ck_assert(tl_mshr_park(mshr, &request));
    }
    request = demand_of(8, 16, TL_MSHR_PAGES, 100); /* a merge needs no entry, so it does not queue */
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_MERGED);
    for (uint64_t i = 1; i <= 50; i++) {
        ck_assert(!tl_mshr_unpark(mshr, TL_MSHR_PAGES, &back));
        tl_mshr_waiters waiters = tl_mshr_complete(mshr, i, entry, 1);
        tl_mshr_waiter waiter;
        while (tl_mshr_next_waiter(mshr, &waiters, &waiter)) {}
        request = demand_of(77 * PAGE, 4096, TL_MSHR_PAGES, 77); /* a newcomer must not overtake, nor a prefetch */
        ck_assert_int_eq(tl_mshr_submit(mshr, i, &request).status, TL_MSHR_FULL);
        request = prefetch_of(78, TL_MEM_PREFETCH_NEAR);
        ck_assert_int_eq(tl_mshr_submit(mshr, i, &request).status, TL_MSHR_FULL);
        ck_assert(tl_mshr_unpark(mshr, TL_MSHR_PAGES, &back));
        ck_assert_uint_eq(back.waiter, i);
        const tl_mshr_answer answer = tl_mshr_resubmit(mshr, i, &back);
        ck_assert_int_eq(answer.status, TL_MSHR_ALLOCATED);
        entry = answer.entry;
    }
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_PAGES)->refused_prefetches, 50);
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_PAGES)->refused_demands, 100);
    tl_mshr_destroy(mshr);
}
END_TEST

/* A queue that grows while it is worn in: its oldest is not its first in memory. */
START_TEST(a_long_queue_keeps_its_order)
{
    tl_mshr *mshr = mshr_of(0, 0, 128);
    tl_mshr_request back;
    uint64_t parked = 0, taken = 0;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 7; i++) {
            const tl_mshr_request request = demand_of(parked * PAGE, 4096, TL_MSHR_PAGES, parked);
            EXPECT(tl_mshr_park(mshr, &request));
            parked++;
        }
        for (int i = 0; i < 5; i++) {
            EXPECT(tl_mshr_unpark(mshr, TL_MSHR_PAGES, &back) && back.waiter == taken);
            taken++;
        }
    }
    while (tl_mshr_unpark(mshr, TL_MSHR_PAGES, &back)) {
        EXPECT(back.waiter == taken);
        taken++;
    }
    ck_assert_uint_eq(taken, parked);
    tl_mshr_destroy(mshr);
}
END_TEST

START_TEST(a_parked_demand_may_merge_while_all_is_full)
{
    tl_mshr *mshr = mshr_of(0, 2, 128);
    tl_mshr_request a = demand_of(0, 32, TL_MSHR_PAGES, 1), b = demand_of(4096, 32, TL_MSHR_PAGES, 2), back;
    tl_mshr_submit(mshr, 0, &a);
    tl_mshr_submit(mshr, 0, &b);
    b.waiter = 3;
    ck_assert(tl_mshr_park(mshr, &b));
    ck_assert(tl_mshr_unpark(mshr, TL_MSHR_PAGES, &back));
    ck_assert_int_eq(tl_mshr_resubmit(mshr, 0, &back).status, TL_MSHR_MERGED);
    tl_mshr_destroy(mshr);
}
END_TEST

/* Fault: a line is evicted while the waiters of its own fill are being served, and a read of it arrives. It must start
 * a read of its own; in a draining entry it would wait for ever. */
START_TEST(a_read_of_a_line_evicted_while_its_entry_drains_is_answered)
{
    const tl_cache_config geometry = {4096, 1, 1, TL_CACHE_MODULO, TL_CACHE_LRU, 0};
    tl_cache *cache = tl_cache_create(&geometry, NULL, NULL);
    tl_mshr *mshr = mshr_of(1, 1, 128);
    tl_mshr_request request = demand_of(0, 128, TL_MSHR_LINES, 1);
    const uint32_t entry = tl_mshr_submit(mshr, 0, &request).entry;
    request.waiter = 2;
    ck_assert_int_eq(tl_mshr_submit(mshr, 0, &request).status, TL_MSHR_MERGED);

    tl_cache_insert_lines(cache, 0, 128, false);
    tl_mshr_waiters draining = tl_mshr_complete(mshr, 10, entry, 0xf);
    tl_mshr_waiter waiter;
    ck_assert(tl_mshr_next_waiter(mshr, &draining, &waiter) && waiter.waiter == 1);
    tl_cache_insert_lines(cache, 4096, 128, false); /* evicts the line, with waiter 2 not served yet */
    ck_assert(!tl_cache_contains(cache, 0, 128));

    request.waiter = 3;
    const tl_mshr_answer second = tl_mshr_submit(mshr, 10, &request);
    ck_assert_int_eq(second.status, TL_MSHR_ALLOCATED);
    ck_assert_uint_eq(second.fetch_sectors, 0xf);
    ck_assert(tl_mshr_next_waiter(mshr, &draining, &waiter) && waiter.waiter == 2);
    ck_assert(!tl_mshr_next_waiter(mshr, &draining, &waiter));
    draining = tl_mshr_complete(mshr, 20, second.entry, second.fetch_sectors);
    ck_assert(tl_mshr_next_waiter(mshr, &draining, &waiter) && waiter.waiter == 3);
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_LINES)->occupied, 0);
    tl_mshr_destroy(mshr);
    tl_cache_destroy(cache);
}
END_TEST

/* The same for a block that has sectors on their way still: what has arrived and is gone again is fetched again. */
START_TEST(a_sector_that_came_and_went_is_fetched_again)
{
    tl_mshr *mshr = mshr_of(0, 0, 512);
    tl_mshr_request request = demand_of(0, 512, TL_MSHR_LINES, 1);
    const uint32_t entry = tl_mshr_submit(mshr, 0, &request).entry;
    tl_mshr_waiters waiters = tl_mshr_complete(mshr, 1, entry, 0x000f);
    tl_mshr_waiter waiter;
    ck_assert(!tl_mshr_next_waiter(mshr, &waiters, &waiter));
    request = demand_of(64, 96, TL_MSHR_LINES, 2); /* sectors 2, 3 and 4 */
    const tl_mshr_answer answer = tl_mshr_submit(mshr, 2, &request);
    ck_assert(answer.status == TL_MSHR_MERGED && answer.fetch_sectors == 0x000c);
    waiters = tl_mshr_complete(mshr, 3, entry, 0xfff0);
    ck_assert(tl_mshr_next_waiter(mshr, &waiters, &waiter) && waiter.waiter == 1);
    ck_assert(!tl_mshr_next_waiter(mshr, &waiters, &waiter));
    waiters = tl_mshr_complete(mshr, 4, entry, 0x000c);
    ck_assert(tl_mshr_next_waiter(mshr, &waiters, &waiter) && waiter.waiter == 2);
    ck_assert_uint_eq(tl_mshr_get_counters(mshr, TL_MSHR_LINES)->occupied, 0);
    tl_mshr_destroy(mshr);
}
END_TEST

START_TEST(impossible_sizes_are_refused)
{
    const tl_mshr_config bad[] = {{0, 0, 64}, {0, 0, 2048}, {0, 0, 384}, {3, 0, 512}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_ptr_null(tl_mshr_create(&bad[i]));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mshr");
    TCase *tcase = tcase_create("mshr");
    tcase_add_loop_test(tcase, agrees_with_a_naive_model, 0, SETTING_COUNT);
    tcase_add_test(tcase, unlimited_means_unlimited);
    tcase_add_test(tcase, partitions_do_not_starve_each_other);
    tcase_add_test(tcase, a_demand_promotes_a_prefetch_once);
    tcase_add_test(tcase, parked_demands_come_back_in_order);
    tcase_add_test(tcase, a_long_queue_keeps_its_order);
    tcase_add_test(tcase, a_parked_demand_may_merge_while_all_is_full);
    tcase_add_test(tcase, a_read_of_a_line_evicted_while_its_entry_drains_is_answered);
    tcase_add_test(tcase, a_sector_that_came_and_went_is_fetched_again);
    tcase_add_test(tcase, impossible_sizes_are_refused);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
