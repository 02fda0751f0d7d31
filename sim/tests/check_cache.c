/* SPDX-License-Identifier: Apache-2.0 */
/* The mixed-granularity L2 against a naive model, over random traces, and its properties one by one. */
#include <stdlib.h>

#include "naive_cache.h"

#define PAGE UINT64_C(4096)

/* ---- both side by side ---- */

static tl_cache_eviction seen[MAX_EVENTS];
static uint32_t seen_count;

static void record(void *context, const tl_cache_eviction *eviction)
{
    EXPECT(context == NULL);
    EXPECT(seen_count < MAX_EVENTS);
    seen[seen_count++] = *eviction;
}

static void compare_evictions(naive *n)
{
    EXPECT(seen_count == n->eviction_count);
    for (uint32_t i = 0; i < seen_count; i++) {
        const tl_cache_eviction *a = &seen[i], *b = &n->evictions[i];
        EXPECT(a->address == b->address && a->held_bytes == b->held_bytes && a->page == b->page &&
               a->consumed_bytes == b->consumed_bytes && a->prefetched_unused == b->prefetched_unused);
    }
    seen_count = n->eviction_count = 0;
}

typedef enum traffic { PAGES = 1, LINES = 2, MIXED = 3 } traffic;

typedef struct totals {
    uint64_t hits, misses, hit_bytes, evictions, unused;
} totals;

static void one_step(tl_cache *cache, naive *n, uint64_t *random, traffic kind, totals *sum)
{
    const uint64_t r = splitmix64_next(random);
    const uint32_t ways = n->config.ways;
    const uint64_t page = r % (n->config.capacity_bytes / 4096 * 3 / 2 + 2);
    const bool page_memory = kind == PAGES || (kind == MIXED && page % 3 != 0);
    const uint64_t begin = (r >> 20) % 4096;
    const uint32_t bytes = (uint32_t)((r >> 32) % (ways > 4 ? 700 : 4096) % (4096 - begin) + 1);
    const uint64_t address = page * PAGE + begin;
    const bool prefetched = (r >> 50) % 3 == 0;
    tl_cache_lookup_result ours, theirs;
    if ((r >> 60) % 2 == 0) {
        naive_lookup(n, address, bytes, &theirs);
        EXPECT(tl_cache_contains(cache, address, bytes) == (theirs.miss_bytes == 0));
        if (page_memory) {
            EXPECT(tl_cache_lookup_page(cache, address, bytes) == (theirs.miss_bytes == 0));
        } else {
            tl_cache_lookup(cache, address, bytes, &ours);
            EXPECT(memcmp(&ours, &theirs, sizeof ours) == 0);
        }
        sum->hits += theirs.miss_bytes == 0;
        sum->misses += theirs.miss_bytes != 0;
        sum->hit_bytes += theirs.hit_bytes;
    } else if (page_memory) {
        tl_cache_insert_page(cache, page * PAGE, prefetched);
        naive_insert_page(n, page, prefetched);
        if ((r >> 53) % 2 == 0) { /* somebody waited for the fill */
            naive_lookup(n, address, bytes, &theirs);
            EXPECT(tl_cache_consume(cache, address, bytes));
        }
    } else {
        tl_cache_insert_lines(cache, address, bytes, prefetched);
        naive_insert_lines(n, address, bytes, prefetched);
    }
    for (uint32_t i = 0; i < seen_count; i++) {
        sum->evictions++;
        sum->unused += seen[i].prefetched_unused;
    }
    compare_evictions(n);
}

static const tl_cache_config CONFIGS[] = {
    {16 * PAGE, 4, 1, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
    {16 * PAGE, 4, 1, TL_CACHE_MODULO, TL_CACHE_LRU_EVICT_FIRST, 0},
    {16 * PAGE, 4, 1, TL_CACHE_MODULO, TL_CACHE_RANDOM, 77},
    {16 * PAGE, 4, 1, TL_CACHE_MODULO, TL_CACHE_FIFO, 0},
    {128 * PAGE, 16, 3, TL_CACHE_HASHED, TL_CACHE_LRU_EVICT_FIRST, 0},
    {128 * PAGE, 16, 3, TL_CACHE_HASHED, TL_CACHE_RANDOM, 1},
    {21 * PAGE, 3, 5, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
    {PAGE, 1, 1, TL_CACHE_HASHED, TL_CACHE_FIFO, 0},
};
enum { CONFIG_COUNT = sizeof CONFIGS / sizeof CONFIGS[0] };

START_TEST(agrees_with_a_naive_model)
{
    static naive n;
    const traffic kinds[] = {PAGES, LINES, MIXED};
    for (int k = 0; k < 3; k++) {
        uint64_t random = 42 + (uint64_t)k;
        totals sum = {0, 0, 0, 0, 0};
        memset(&n, 0, sizeof n);
        n.config = CONFIGS[_i];
        n.random_state = n.config.seed;
        tl_cache *cache = tl_cache_create(&CONFIGS[_i], record, NULL);
        ck_assert_ptr_nonnull(cache);
        for (int step = 0; step < 10000; step++) {
            one_step(cache, &n, &random, kinds[k], &sum);
        }
        const tl_cache_counters *c = tl_cache_get_counters(cache);
        ck_assert_uint_eq(c->hits, sum.hits);
        ck_assert_uint_eq(c->misses, sum.misses);
        ck_assert_uint_eq(c->hit_bytes, sum.hit_bytes);
        ck_assert_uint_eq(c->page_evictions + c->line_evictions, sum.evictions);
        ck_assert_uint_eq(c->prefetched_unused, sum.unused);
        ck_assert_uint_gt(sum.hits, 100);
        ck_assert_uint_gt(sum.misses, 100);
        ck_assert_uint_gt(sum.unused, 20);
        tl_cache_destroy(cache);
    }
}
END_TEST

/* ---- single properties ---- */

static tl_cache *cache_of(uint32_t groups, uint32_t ways, tl_cache_replacement replacement)
{
    const tl_cache_config config = {(uint64_t)groups * ways * PAGE, ways, 1, TL_CACHE_MODULO, replacement, 0};
    seen_count = 0;
    return tl_cache_create(&config, record, NULL);
}

START_TEST(a_page_shares_its_frame_with_no_line)
{
    tl_cache *cache = cache_of(1, 2, TL_CACHE_LRU);
    tl_cache_insert_lines(cache, 0, 4096, false); /* 32 lines in way 0 */
    tl_cache_insert_page(cache, 1 * PAGE, false); /* way 1 */
    ck_assert_uint_eq(seen_count, 0);
    ck_assert(tl_cache_consume(cache, UINT64_C(128) * 7, 128)); /* the latest touch of way 0 is newer than the page */
    tl_cache_insert_page(cache, 2 * PAGE, false);               /* hence page 1 goes */
    ck_assert_uint_eq(seen_count, 1);
    ck_assert(seen[0].page && seen[0].address == 4096);
    tl_cache_insert_page(cache, 3 * PAGE, false); /* now way 0 goes, with all its lines */
    ck_assert_uint_eq(seen_count, 33);
    ck_assert_uint_eq(seen[8].address, UINT64_C(128) * 7);
    ck_assert_uint_eq(seen[8].consumed_bytes, 128);
    ck_assert_uint_eq(seen[9].consumed_bytes, 0);
    tl_cache_insert_lines(cache, 4 * PAGE, 128, false); /* a line takes page 2's frame ... */
    ck_assert_uint_eq(seen_count, 34);
    tl_cache_insert_lines(cache, 5 * PAGE + 128, 3968, false); /* ... and leaves 31 lines of it free */
    ck_assert_uint_eq(seen_count, 34);
    ck_assert(tl_cache_contains(cache, 3 * PAGE, 4096));
    tl_cache_destroy(cache);
}
END_TEST

START_TEST(a_page_read_in_full_goes_first)
{
    for (int first = 0; first < 2; first++) {
        tl_cache *cache = cache_of(1, 3, first ? TL_CACHE_LRU_EVICT_FIRST : TL_CACHE_LRU);
        for (uint64_t page = 0; page < 3; page++) {
            tl_cache_insert_page(cache, page * PAGE, true);
        }
        for (uint64_t at = 0; at < 4096; at += 512) {
            ck_assert(tl_cache_consume(cache, 2 * PAGE + at, 512));
        }
        tl_cache_insert_page(cache, 3 * PAGE, false);
        ck_assert_uint_eq(seen_count, 1);
        ck_assert_uint_eq(seen[0].address, first ? 2 * PAGE : 0);
        ck_assert_uint_eq(seen[0].consumed_bytes, first ? 4096 : 0);
        ck_assert(seen[0].prefetched_unused == !first);
        tl_cache_destroy(cache);
    }
}
END_TEST

START_TEST(thrash_is_a_fill_of_what_was_evicted_half_read)
{
    tl_cache *cache = cache_of(1, 2, TL_CACHE_LRU);
    const tl_cache_counters *c = tl_cache_get_counters(cache);
    tl_cache_insert_page(cache, 0, true);
    ck_assert(tl_cache_consume(cache, 0, 4096));
    tl_cache_insert_page(cache, 4096, true);
    ck_assert(tl_cache_consume(cache, 4096, 4064));
    tl_cache_insert_page(cache, 2 * PAGE, true);
    tl_cache_insert_page(cache, 3 * PAGE, true); /* pages 0 and 1 are gone; page 1 lacked one sector */
    ck_assert_uint_eq(c->page_evictions, 2);
    ck_assert_uint_eq(c->unread_bytes, 32);
    tl_cache_insert_page(cache, 0, false);
    ck_assert_uint_eq(c->thrash, 0);
    tl_cache_insert_page(cache, 4096, false);
    ck_assert_uint_eq(c->thrash, 1);
    ck_assert_uint_eq(c->prefetched_unused, 2);
    tl_cache_insert_page(cache, 2 * PAGE, false);
    ck_assert_uint_eq(c->thrash, 2);
    tl_cache_insert_page(cache, 2 * PAGE, false); /* there already */
    ck_assert_uint_eq(c->thrash, 2);
    ck_assert_uint_eq(c->page_fills, 7);
    ck_assert_uint_eq(c->fill_bytes, 8 * PAGE);
    tl_cache_destroy(cache);
}
END_TEST

static void insert_and_read(tl_cache *cache, uint64_t page)
{
    tl_cache_insert_page(cache, page * PAGE, false);
    ck_assert(tl_cache_consume(cache, page * PAGE, 4096));
}

START_TEST(thrash_is_counted_once)
{
    tl_cache *cache = cache_of(1, 2, TL_CACHE_LRU);
    const tl_cache_counters *c = tl_cache_get_counters(cache);
    tl_cache_insert_page(cache, 0, false);
    insert_and_read(cache, 1);
    insert_and_read(cache, 2); /* page 0 goes, unread */
    insert_and_read(cache, 0);
    ck_assert_uint_eq(c->thrash, 1);
    insert_and_read(cache, 1);
    insert_and_read(cache, 2); /* page 0 goes, read in full */
    insert_and_read(cache, 0);
    ck_assert_uint_eq(c->page_evictions, 5);
    ck_assert_uint_eq(c->thrash, 1);
    tl_cache_destroy(cache);
}
END_TEST

START_TEST(missing_sectors_come_as_aligned_runs)
{
    tl_cache *cache = cache_of(4, 4, TL_CACHE_LRU);
    tl_cache_lookup_result result;
    tl_cache_run run;
    tl_cache_insert_lines(cache, PAGE + 256, 64, false);
    tl_cache_lookup(cache, PAGE + 100, 1000, &result); /* bytes 100..1099: sectors 3..34, of which 8 and 9 are there */
    ck_assert_uint_eq(result.hit_bytes, 64);
    ck_assert_uint_eq(result.miss_bytes, 936);
    const tl_cache_run expected[] = {{PAGE + 96, 160}, {PAGE + 320, 192}, {PAGE + 512, 512}, {PAGE + 1024, 96}};
    for (int i = 0; i < 4; i++) {
        ck_assert(tl_cache_take_run(&result, 512, &run));
        ck_assert_uint_eq(run.address, expected[i].address);
        ck_assert_uint_eq(run.bytes, expected[i].bytes);
    }
    ck_assert(!tl_cache_take_run(&result, 512, &run));
    tl_cache_destroy(cache);
}
END_TEST

/* 50 MB hold 12,800 pages, wherever the slices end; a hashed cache takes columns 4 KB apart without crowding. */
START_TEST(capacity_is_used_in_full_by_any_slice_count)
{
    const uint32_t slices[] = {1, 32, 80, 96, 100, 799, 800};
    for (int i = 0; i < 7; i++) {
        const tl_cache_config config = {50u << 20, 16, slices[i], TL_CACHE_MODULO, TL_CACHE_LRU, 0};
        tl_cache *cache = tl_cache_create(&config, NULL, NULL);
        for (uint64_t page = 0; page < 18 * PAGE; page++) {
            const uint32_t slice = (uint32_t)(page % slices[i]);
            const uint64_t groups = 800 / slices[i] + (slice < 800 % slices[i] ? 1 : 0);
            EXPECT(tl_cache_slice(cache, page * PAGE) == slice);
            if (page / slices[i] < groups * 16) {
                tl_cache_insert_page(cache, page * PAGE, false);
            }
        }
        ck_assert_uint_eq(tl_cache_get_counters(cache)->page_fills, 12800);
        ck_assert_uint_eq(tl_cache_get_counters(cache)->page_evictions, 0);
        tl_cache_destroy(cache);
    }
}
END_TEST

START_TEST(hashed_sets_spread_columns)
{
    const tl_cache_config config = {50u << 20, 16, 96, TL_CACHE_HASHED, TL_CACHE_LRU, 0};
    tl_cache *cache = tl_cache_create(&config, NULL, NULL);
    uint32_t per_slice[96] = {0};
    for (uint64_t column = 0; column < 96000; column++) { /* two lines of each page: half of the lines of the cache */
        tl_cache_insert_lines(cache, column * PAGE + 512, 256, false);
        per_slice[tl_cache_slice(cache, column * PAGE)]++;
    }
    const tl_cache_counters *c = tl_cache_get_counters(cache);
    ck_assert_uint_eq(c->line_fills, 192000);
    ck_assert_uint_lt(c->line_evictions, 192000 / 50);
    for (int slice = 0; slice < 96; slice++) {
        ck_assert_uint_gt(per_slice[slice], 850);
        ck_assert_uint_lt(per_slice[slice], 1150);
    }
    tl_cache_destroy(cache);
}
END_TEST

START_TEST(impossible_geometries_are_refused)
{
    const tl_cache_config bad[] = {
        {1u << 20, 0, 1, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
        {17 * PAGE, 17, 1, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
        {1u << 20, 16, 0, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
        {1u << 20, 16, 17, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
        {(1u << 20) + 4096, 16, 1, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
        {0, 16, 1, TL_CACHE_MODULO, TL_CACHE_LRU, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_ptr_null(tl_cache_create(&bad[i], NULL, NULL));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache");
    TCase *tcase = tcase_create("cache");
    tcase_add_loop_test(tcase, agrees_with_a_naive_model, 0, CONFIG_COUNT);
    tcase_add_test(tcase, a_page_shares_its_frame_with_no_line);
    tcase_add_test(tcase, a_page_read_in_full_goes_first);
    tcase_add_test(tcase, thrash_is_a_fill_of_what_was_evicted_half_read);
    tcase_add_test(tcase, thrash_is_counted_once);
    tcase_add_test(tcase, missing_sectors_come_as_aligned_runs);
    tcase_add_test(tcase, capacity_is_used_in_full_by_any_slice_count);
    tcase_add_test(tcase, hashed_sets_spread_columns);
    tcase_add_test(tcase, impossible_geometries_are_refused);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
