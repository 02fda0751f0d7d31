/* SPDX-License-Identifier: Apache-2.0 */
/* The stride prefetcher: pages of each layout found from K and N, against sets of pages kept naively. */
#include "../prefetch/stride_prefetcher.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"

#define PAGE UINT64_C(4096)
#define BASE UINT64_C(0x40000000)

/* Qwen gate_up of one expert: K 2048 x N 1536 BF16, compute tile 128 x 256, memory tile 64 x 32. */
enum { K = 2048, N = 1536, S = 2, TILE_K = 128, TILE_A = 64, TILE_B = 32, K_STEPS = K / TILE_K, EXPERTS = 3 };
enum { MATRIX_BYTES = K * N * S };

typedef enum layout { TILE_MAJOR, COLUMN_MAJOR, ROW_MAJOR } layout;

static tl_prefetch_tensor tensor_in(layout l)
{
    tl_prefetch_tensor tensor = {BASE, (uint64_t)EXPERTS * MATRIX_BYTES, 0, 0};
    tensor.run_bytes = l == TILE_MAJOR ? K * TILE_B * S : l == COLUMN_MAJOR ? K * S : MATRIX_BYTES;
    tensor.stride_bytes = l == TILE_MAJOR ? TILE_K * TILE_B * S : l == COLUMN_MAJOR ? TILE_K * S : TILE_K * N * S;
    return tensor;
}

/* Where element (k, n) of an expert is, straight from the layout's definition. */
static uint64_t address_of(layout l, uint64_t expert, uint64_t k, uint64_t n)
{
    uint64_t offset = 0;
    switch (l) {
    case TILE_MAJOR:
        offset = (n / TILE_B * (K / TILE_A) + k / TILE_A) * TILE_A * TILE_B + n % TILE_B * TILE_A + k % TILE_A;
        break;
    case COLUMN_MAJOR:
        offset = n * K + k;
        break;
    case ROW_MAJOR:
        offset = k * N + n;
        break;
    }
    return BASE + expert * MATRIX_BYTES + offset * S;
}

static tl_prefetcher *prefetcher_of(const tl_prefetch_tensor *tensor, tl_prefetch_trigger trigger,
                                    tl_prefetch_distances distances)
{
    const tl_prefetcher_config config = {tensor, 1, PAGE, trigger, distances};
    tl_prefetcher *prefetcher = tl_prefetcher_create(&config);
    ck_assert_ptr_nonnull(prefetcher);
    return prefetcher;
}

static const tl_degree NEAR_3 = {3, 3};

/* ---- every prefetch is the page that the same place of the tile needs x steps later ---- */

START_TEST(strides_follow_the_layout)
{
    const layout l = (layout)_i;
    const tl_prefetch_tensor tensor = tensor_in(l);
    for (uint64_t step = 0; step < K_STEPS; step++) {
        for (uint64_t n = 0; n < N; n += 96) {
            for (uint64_t k = step * TILE_K; k < (step + 1) * TILE_K; k += TILE_A / 2) {
                tl_prefetcher *prefetcher = prefetcher_of(&tensor, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ALL);
                const uint64_t here = address_of(l, 1, k, n);
                uint64_t previous = here / PAGE * PAGE;
                tl_prefetch prefetch;
                EXPECT(tl_prefetcher_demand(prefetcher, here, TL_DEMAND_MISS, (tl_degree){5, 5}) == TL_MET_NOTHING);
                for (uint64_t x = 1; x <= 5 && step + x < K_STEPS; x++) {
                    const uint64_t page = address_of(l, 1, k + x * TILE_K, n) / PAGE * PAGE;
                    if (page != previous) {
                        EXPECT(tl_prefetcher_next(prefetcher, &prefetch));
                        EXPECT(prefetch.page_address == page && prefetch.source == TL_PREFETCH_FROM_MEMORY);
                        previous = page;
                    }
                }
                EXPECT(!tl_prefetcher_next(prefetcher, &prefetch)); /* nothing beyond K, also inside the tensor */
                tl_prefetcher_destroy(prefetcher);
            }
        }
    }
}
END_TEST

/* ---- a random walk of demands, fills and evictions against arrays of flags ---- */

enum { WALK_PAGES = 400, WALK_STRIDE = 3, WALK_RUN = 80 };

typedef struct naive_page {
    bool asked, prefetched, far, arrived, demanded;
} naive_page;

typedef struct naive {
    naive_page pages[WALK_PAGES];
    tl_prefetcher_counters counters;
} naive;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 24;
}

static tl_prefetch_met naive_meet(naive *n, uint32_t page)
{
    naive_page *p = &n->pages[page];
    const naive_page before = *p;
    n->counters.demands++;
    p->asked = p->demanded = true;
    p->far = false;
    if (!before.asked || !before.prefetched) {
        p->arrived = true;
        return TL_MET_NOTHING;
    }
    n->counters.covered++;
    n->counters.used += !before.demanded;
    n->counters.late += !before.arrived;
    n->counters.promotions += !before.arrived && !before.demanded;
    if (before.arrived) {
        return before.far ? TL_MET_IN_BUFFER : TL_MET_IN_L2;
    }
    return before.far ? TL_MET_FAR_IN_FLIGHT : TL_MET_NEAR_IN_FLIGHT;
}

/* The prefetches due at a demand; each is handed to `expect`. */
static void naive_prefetch(naive *n, tl_prefetcher *prefetcher, uint32_t page, tl_degree degree, uint64_t *random)
{
    tl_prefetch got;
    n->counters.triggers += degree.far > 0;
    for (uint32_t x = 1; x <= degree.far; x++) {
        const uint32_t ahead = page + x * WALK_STRIDE;
        if (ahead / WALK_RUN != page / WALK_RUN) {
            n->counters.outside++;
            continue;
        }
        naive_page *p = &n->pages[ahead];
        const bool near = x <= degree.near, move = near && p->asked && p->far;
        if (p->asked && !move) {
            n->counters.filtered++;
            continue;
        }
        const naive_page before = *p;
        EXPECT(tl_prefetcher_next(prefetcher, &got));
        EXPECT(got.page_address == BASE + (uint64_t)ahead * PAGE);
        EXPECT(got.mem_class == (near ? TL_MEM_PREFETCH_NEAR : TL_MEM_PREFETCH_FAR));
        EXPECT(got.source == (!move        ? TL_PREFETCH_FROM_MEMORY
                              : p->arrived ? TL_PREFETCH_FROM_BUFFER
                                           : TL_PREFETCH_FROM_FLIGHT));
        *p = (naive_page){.asked = true, .prefetched = true, .far = !near};
        if (next_random(random) % 8 == 0) {
            tl_prefetcher_drop(prefetcher, &got);
            n->counters.dropped++;
            *p = before;
        } else if (move) {
            n->counters.moved_near++;
        } else {
            n->counters.issued[near ? TL_TIER_L2 : TL_TIER_BUFFER]++;
        }
    }
    EXPECT(!tl_prefetcher_next(prefetcher, &got));
}

static void naive_evict(naive *n, tl_prefetcher *prefetcher, uint32_t page, tl_prefetch_tier tier)
{
    naive_page *p = &n->pages[page];
    tl_prefetcher_evicted(prefetcher, BASE + (uint64_t)page * PAGE, tier);
    if (p->asked && p->arrived && p->far == (tier == TL_TIER_BUFFER)) {
        n->counters.evicted_unused += p->prefetched && !p->demanded;
        *p = (naive_page){.asked = false};
    }
}

START_TEST(filter_and_counters_agree_with_a_naive_model)
{
    static naive n;
    const tl_prefetch_tensor tensor = {BASE, (uint64_t)WALK_PAGES * PAGE, (uint64_t)WALK_RUN * PAGE,
                                       (uint64_t)WALK_STRIDE * PAGE};
    tl_prefetcher *prefetcher = prefetcher_of(&tensor, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ALL);
    uint64_t random = 11;
    memset(&n, 0, sizeof n);
    for (int step = 0; step < 50000; step++) {
        const uint32_t page = (uint32_t)(next_random(&random) % WALK_PAGES);
        const uint64_t address = BASE + (uint64_t)page * PAGE + next_random(&random) % PAGE;
        const uint32_t near = (uint32_t)(next_random(&random) % 4);
        switch (next_random(&random) % 4) {
        case 0: {
            const tl_degree degree = {near, near + (uint32_t)(next_random(&random) % 4)};
            EXPECT(tl_prefetcher_demand(prefetcher, address, TL_DEMAND_HIT, degree) == naive_meet(&n, page));
            naive_prefetch(&n, prefetcher, page, degree, &random);
            break;
        }
        case 1:
            tl_prefetcher_filled(prefetcher, address);
            n.pages[page].arrived = n.pages[page].asked;
            break;
        default:
            naive_evict(&n, prefetcher, page, near % 2 == 0 ? TL_TIER_L2 : TL_TIER_BUFFER);
            break;
        }
    }
    const tl_prefetcher_counters *c = tl_prefetcher_get_counters(prefetcher);
    ck_assert_mem_eq(c, &n.counters, sizeof *c);
    ck_assert_uint_gt(c->moved_near, 100);
    ck_assert_uint_gt(c->promotions, 100);
    ck_assert_uint_gt(c->evicted_unused, 100);
    uint64_t unused = 0;
    for (int page = 0; page < WALK_PAGES; page++) {
        unused += n.pages[page].prefetched && !n.pages[page].demanded;
    }
    ck_assert_uint_eq(c->issued[0] + c->issued[1], c->used + c->evicted_unused + unused);
    ck_assert_double_eq(tl_prefetcher_accuracy(prefetcher), (double)c->used / (double)(c->issued[0] + c->issued[1]));
    ck_assert_double_eq(tl_prefetcher_coverage(prefetcher), (double)c->covered / (double)c->demands);
    ck_assert_double_eq(tl_prefetcher_lateness(prefetcher), (double)c->late / (double)c->covered);
    tl_prefetcher_destroy(prefetcher);
}
END_TEST

/* ---- single properties ---- */

static uint32_t count_prefetches(tl_prefetcher *prefetcher)
{
    uint32_t count = 0;
    tl_prefetch prefetch;
    while (tl_prefetcher_next(prefetcher, &prefetch)) {
        count++;
    }
    return count;
}

START_TEST(one_cta_asks_for_each_page_once)
{
    const tl_prefetch_tensor tensor = tensor_in(TILE_MAJOR);
    tl_prefetcher *prefetcher = prefetcher_of(&tensor, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ALL);
    const uint32_t later_tiles = 15 * 16; /* pages of all tiles but the first */
    uint32_t prefetches = 0;
    for (uint64_t step = 0; step < K_STEPS; step++) {
        for (uint64_t page = 0; page < 16; page++) { /* of the tile: 8 rows of memory tiles, 2 in each */
            const uint64_t at = address_of(TILE_MAJOR, 0, step * TILE_K + page % 2 * TILE_A, page / 2 * TILE_B);
            tl_prefetcher_demand(prefetcher, at, TL_DEMAND_MISS, NEAR_3);
            prefetches += count_prefetches(prefetcher);
        }
    }
    const tl_prefetcher_counters *c = tl_prefetcher_get_counters(prefetcher);
    ck_assert_uint_eq(prefetches, later_tiles);
    ck_assert_uint_eq(c->issued[TL_TIER_L2], later_tiles);
    ck_assert_uint_eq(c->used, later_tiles);
    ck_assert_uint_eq(c->outside, 96); /* 16 pages, and the last three steps look 1, 2 and 3 steps beyond K */
    ck_assert_double_eq(tl_prefetcher_accuracy(prefetcher), 1.0);
    ck_assert_double_eq(tl_prefetcher_lateness(prefetcher), 1.0); /* no fill was reported */
    tl_prefetcher_destroy(prefetcher);
}
END_TEST

START_TEST(column_major_stays_in_its_page)
{
    const tl_prefetch_tensor tensor = tensor_in(COLUMN_MAJOR);
    tl_prefetcher *prefetcher = prefetcher_of(&tensor, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ALL);
    for (uint64_t step = 0; step < K_STEPS; step++) {
        const uint64_t at = address_of(COLUMN_MAJOR, 0, step * TILE_K, 7);
        tl_prefetcher_demand(prefetcher, at, TL_DEMAND_MISS, (tl_degree){16, 16});
        ck_assert_uint_eq(count_prefetches(prefetcher), 0); /* a column of K = 2048 is exactly one page */
    }
    tl_prefetcher_destroy(prefetcher);
}
END_TEST

START_TEST(triggers)
{
    const tl_prefetch_tensor tensor = tensor_in(TILE_MAJOR);
    tl_prefetcher *prefetcher = prefetcher_of(&tensor, TL_PREFETCH_ON_MISS_OR_MERGE, TL_PREFETCH_ALL);
    tl_prefetcher_demand(prefetcher, BASE, TL_DEMAND_HIT, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 0);
    tl_prefetcher_demand(prefetcher, BASE, TL_DEMAND_MERGE, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 3);
    tl_prefetcher_demand(prefetcher, BASE + PAGE, TL_DEMAND_MISS, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 3);
    ck_assert_uint_eq(tl_prefetcher_get_counters(prefetcher)->triggers, 2);
    tl_prefetcher_demand(prefetcher, BASE - 1, TL_DEMAND_MISS, NEAR_3); /* not a weight */
    ck_assert_uint_eq(count_prefetches(prefetcher), 0);
    ck_assert_uint_eq(tl_prefetcher_get_counters(prefetcher)->demands, 3);
    tl_prefetcher_destroy(prefetcher);
}
END_TEST

START_TEST(only_the_newest_distance)
{
    const tl_prefetch_tensor tensor = tensor_in(TILE_MAJOR);
    tl_prefetcher *prefetcher = prefetcher_of(&tensor, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_NEWEST);
    tl_prefetch prefetch;
    tl_prefetcher_demand(prefetcher, BASE, TL_DEMAND_MISS, (tl_degree){3, 6});
    ck_assert(tl_prefetcher_next(prefetcher, &prefetch));
    ck_assert(prefetch.page_address == BASE + 6 * PAGE && prefetch.mem_class == TL_MEM_PREFETCH_NEAR);
    ck_assert(tl_prefetcher_next(prefetcher, &prefetch));
    ck_assert(prefetch.page_address == BASE + 12 * PAGE && prefetch.mem_class == TL_MEM_PREFETCH_FAR);
    ck_assert(!tl_prefetcher_next(prefetcher, &prefetch));
    tl_prefetcher_demand(prefetcher, BASE + PAGE, TL_DEMAND_MISS, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 1);
    tl_prefetcher_demand(prefetcher, BASE + PAGE, TL_DEMAND_MISS, (tl_degree){0, 0});
    ck_assert_uint_eq(count_prefetches(prefetcher), 0);
    tl_prefetcher_destroy(prefetcher);
}
END_TEST

START_TEST(several_tensors_and_refusals)
{
    tl_prefetch_tensor tensors[] = {{BASE + 100 * PAGE, 10 * PAGE, 10 * PAGE, PAGE},
                                    {BASE, 20 * PAGE - 1, 20 * PAGE, 2 * PAGE}};
    tl_prefetcher_config config = {tensors, 2, PAGE, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ALL};
    tl_prefetcher *prefetcher = tl_prefetcher_create(&config);
    ck_assert_ptr_nonnull(prefetcher);
    tl_prefetcher_demand(prefetcher, BASE + 18 * PAGE, TL_DEMAND_MISS, NEAR_3); /* never beyond the tensor */
    ck_assert_uint_eq(count_prefetches(prefetcher), 0);
    tl_prefetcher_demand(prefetcher, BASE + 13 * PAGE, TL_DEMAND_MISS, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 3);
    tl_prefetcher_demand(prefetcher, BASE + 107 * PAGE, TL_DEMAND_MISS, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 2);
    tl_prefetcher_demand(prefetcher, BASE + 50 * PAGE, TL_DEMAND_MISS, NEAR_3);
    ck_assert_uint_eq(count_prefetches(prefetcher), 0);
    tl_prefetcher_filled(prefetcher, BASE + 50 * PAGE);
    tl_prefetcher_evicted(prefetcher, BASE + 50 * PAGE, TL_TIER_L2);
    tl_prefetcher_destroy(prefetcher);

    tensors[0].base_address = BASE + 19 * PAGE;
    ck_assert_ptr_null(tl_prefetcher_create(&config));
    tensors[0].base_address = BASE + 20 * PAGE + 1;
    ck_assert_ptr_null(tl_prefetcher_create(&config));
    tensors[0].base_address = BASE + 20 * PAGE;
    tensors[0].stride_bytes = 0;
    ck_assert_ptr_null(tl_prefetcher_create(&config));
    tensors[0].stride_bytes = PAGE;
    config.page_bytes = 3000;
    ck_assert_ptr_null(tl_prefetcher_create(&config));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stride_prefetcher");
    TCase *tcase = tcase_create("stride_prefetcher");
    tcase_add_loop_test(tcase, strides_follow_the_layout, TILE_MAJOR, ROW_MAJOR + 1);
    tcase_add_test(tcase, filter_and_counters_agree_with_a_naive_model);
    tcase_add_test(tcase, one_cta_asks_for_each_page_once);
    tcase_add_test(tcase, column_major_stays_in_its_page);
    tcase_add_test(tcase, triggers);
    tcase_add_test(tcase, only_the_newest_distance);
    tcase_add_test(tcase, several_tensors_and_refusals);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
