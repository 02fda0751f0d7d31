/* SPDX-License-Identifier: Apache-2.0 */
/* SRAM buffer: prefetch-only fills, LRU and FIFO against a list kept by hand, the hash index under churn. */
#include <string.h>

#include "../memory/key_index.h"
#include "../memory/sram_buffer.h"
#include "channel_fixture.h"

enum { PAGE = 4096 };

START_TEST(forty_megabytes_are_10240_pages)
{
    tl_sram_config config;
    tl_sram_config_default(&config);
    tl_sram *sram = tl_sram_create(&config);
    for (uint64_t page = 0; page < 10240 + 5; page++) {
        uint64_t evicted;
        ck_assert(tl_sram_fill(sram, page * PAGE, TL_MEM_PREFETCH_FAR, &evicted));
        ck_assert_uint_eq(evicted, page < 10240 ? TL_SRAM_NO_ADDRESS : (page - 10240) * PAGE);
    }
    ck_assert_uint_eq(tl_sram_pages(sram), 10240);
    ck_assert_uint_eq(tl_sram_counters_of(sram)->evictions, 5);
    ck_assert_uint_eq(tl_sram_counters_of(sram)->unused_evictions, 5);
    for (uint64_t page = 0; page < 10240 + 5; page++) {
        ck_assert_int_eq(tl_sram_contains(sram, page * PAGE + 100), page >= 5);
    }
    ck_assert_uint_eq(tl_sram_counters_of(sram)->lookups, 0);
    ck_assert_uint_eq(tl_sram_hit_latency_ps(sram), 100000);
    tl_sram_destroy(sram);
}
END_TEST

START_TEST(only_prefetches_fill)
{
    const tl_sram_config config = {4 * PAGE, PAGE, 1, TL_SRAM_LRU};
    tl_sram *sram = tl_sram_create(&config);
    uint64_t evicted = 0;
    ck_assert(!tl_sram_fill(sram, 0, TL_MEM_DEMAND, &evicted));
    ck_assert_uint_eq(evicted, TL_SRAM_NO_ADDRESS);
    ck_assert(!tl_sram_lookup(sram, 0));
    ck_assert(tl_sram_fill(sram, 0, TL_MEM_PREFETCH_NEAR, &evicted));
    evicted = 0;
    ck_assert(!tl_sram_fill(sram, 64, TL_MEM_PREFETCH_FAR, &evicted));
    ck_assert_uint_eq(evicted, TL_SRAM_NO_ADDRESS);
    ck_assert(tl_sram_lookup(sram, 4095));
    ck_assert(!tl_sram_lookup(sram, 4096));
    ck_assert(tl_sram_remove(sram, 0));
    ck_assert(!tl_sram_remove(sram, 0));
    const tl_sram_counters expected = {
        .lookups = 3, .hits = 1, .fills = 1, .duplicate_fills = 1, .refused_demand = 1, .removals = 1};
    ck_assert_mem_eq(tl_sram_counters_of(sram), &expected, sizeof expected);
    tl_sram_destroy(sram);
}
END_TEST

/* Pages 0..3, a use of 0, then 4: LRU gives up 1, FIFO gives up 0. */
START_TEST(replacement)
{
    const tl_sram_config config = {4 * PAGE, PAGE, 1, _i == 0 ? TL_SRAM_LRU : TL_SRAM_FIFO};
    tl_sram *sram = tl_sram_create(&config);
    uint64_t evicted;
    for (uint64_t page = 0; page < 4; page++) {
        ck_assert(tl_sram_fill(sram, page * PAGE, TL_MEM_PREFETCH_NEAR, &evicted));
    }
    ck_assert(tl_sram_lookup(sram, 0));
    ck_assert(tl_sram_fill(sram, 4 * PAGE + 7, TL_MEM_PREFETCH_NEAR, &evicted));
    ck_assert_uint_eq(evicted, _i == 0 ? PAGE : 0);
    ck_assert_int_eq(tl_sram_contains(sram, 0), _i == 0);
    ck_assert_int_eq(tl_sram_contains(sram, PAGE), _i != 0);
    ck_assert_uint_eq(tl_sram_counters_of(sram)->evictions, 1);
    ck_assert_uint_eq(tl_sram_counters_of(sram)->unused_evictions, _i == 0);
    tl_sram_destroy(sram);
}
END_TEST

/* A plain array in order of replacement. */
typedef struct naive_buffer {
    uint64_t page[16];
    unsigned count;
} naive_buffer;

static unsigned naive_find(const naive_buffer *naive, uint64_t page)
{
    unsigned at = 0;
    while (at < naive->count && naive->page[at] != page) {
        at++;
    }
    return at;
}

static void naive_take(naive_buffer *naive, unsigned at)
{
    memmove(&naive->page[at], &naive->page[at + 1], (naive->count - at - 1) * sizeof *naive->page);
    naive->count--;
}

START_TEST(against_a_plain_list)
{
    const bool lru = _i == 0;
    const tl_sram_config config = {16 * PAGE, PAGE, 1, lru ? TL_SRAM_LRU : TL_SRAM_FIFO};
    tl_sram *sram = tl_sram_create(&config);
    naive_buffer naive = {.count = 0};
    for (uint64_t step = 0; step < 50000; step++) {
        const uint64_t hash = tl_mix64(step), page = hash % 29;
        const unsigned at = naive_find(&naive, page);
        const bool there = at < naive.count;
        ck_assert_int_eq(tl_sram_contains(sram, page * PAGE), there);
        const unsigned action = (unsigned)(hash >> 40) % 8;
        if (action == 0) {
            ck_assert_int_eq(tl_sram_remove(sram, page * PAGE), there);
        } else if (action < 5) {
            ck_assert_int_eq(tl_sram_lookup(sram, page * PAGE), there);
        } else {
            const bool full = !there && naive.count == 16;
            uint64_t evicted;
            ck_assert_int_eq(tl_sram_fill(sram, page * PAGE, TL_MEM_PREFETCH_NEAR, &evicted), !there);
            ck_assert_uint_eq(evicted, full ? naive.page[0] * PAGE : TL_SRAM_NO_ADDRESS);
        }
        if (there && (action == 0 || (action < 5 && lru))) {
            naive_take(&naive, at);
        }
        if ((there && action != 0 && action < 5 && lru) || (!there && action >= 5)) {
            if (naive.count == 16) {
                naive_take(&naive, 0);
            }
            naive.page[naive.count++] = page;
        }
        ck_assert_uint_eq(tl_sram_pages(sram), naive.count);
    }
    tl_sram_destroy(sram);
}
END_TEST

/* Few distinct keys in a small table make long runs; every (key, slot) must stay findable until it is removed. */
START_TEST(key_index_churn)
{
    enum { SLOTS = 24 };
    tl_key_index index;
    ck_assert(tl_key_index_create(&index, SLOTS));
    uint64_t key[SLOTS];
    bool used[SLOTS] = {false};
    for (uint64_t step = 0; step < 3000; step++) {
        const uint64_t hash = tl_mix64(step);
        const uint32_t slot = (uint32_t)(hash % SLOTS);
        if (used[slot]) {
            tl_key_index_remove(&index, key[slot], slot);
        } else {
            key[slot] = (hash >> 32) % 40;
            tl_key_index_insert(&index, key[slot], slot);
        }
        used[slot] = !used[slot];
        for (uint64_t k = 0; k < 40; k++) {
            bool there = false;
            for (unsigned s = 0; s < SLOTS; s++) {
                there |= used[s] && key[s] == k;
            }
            const uint32_t found = tl_key_index_find(&index, k);
            ck_assert_int_eq(found != TL_NO_SLOT, there);
            ck_assert(!there || (used[found] && key[found] == k));
        }
    }
    tl_key_index_destroy(&index);
}
END_TEST

START_TEST(bad_configurations)
{
    const tl_sram_config bad[] = {
        {40, 4096, 1, TL_SRAM_LRU}, {8192, 3000, 1, TL_SRAM_LRU}, {5000, 4096, 1, TL_SRAM_LRU}};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_ptr_nonnull(tl_sram_config_check(&bad[i]));
        ck_assert_ptr_null(tl_sram_create(&bad[i]));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sram_buffer");
    TCase *tcase = tcase_create("sram_buffer");
    tcase_add_test(tcase, forty_megabytes_are_10240_pages);
    tcase_add_test(tcase, only_prefetches_fill);
    tcase_add_loop_test(tcase, replacement, 0, 2);
    tcase_add_loop_test(tcase, against_a_plain_list, 0, 2);
    tcase_add_test(tcase, key_index_churn);
    tcase_add_test(tcase, bad_configurations);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
