/* SPDX-License-Identifier: Apache-2.0 */
/* The mirror against the oracle on random loads of every class, in all three variants. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare_load.h"
#include "oracle.h"
#include "random_load.h"

enum { DEFAULT_LOADS = 200000 };
static const uint64_t SEED = 20260101;

/* What the loads of this run have covered. */
typedef struct coverage {
    uint64_t classes[TL_RANDOM_CLASS_COUNT];
    uint64_t statuses[TL_VARIANT_COUNT][16];
    uint64_t data_types[TL_TFLOAT32_FTZ + 1], swizzles[TL_SWIZZLE_COUNT], ranks[TL_MAX_RANK + 1];
    uint64_t log2_granularities[17], steps[9];
    uint64_t below[TL_MAX_RANK], beyond[TL_MAX_RANK]; /* dimensions in which a box leaves the tensor */
    uint64_t nan_fill, same_map, requests, elements;
} coverage;

static unsigned log2_of(uint64_t power)
{
    unsigned log2 = 0;
    while (power >> (log2 + 1) != 0)
        log2++;
    return log2;
}

static void cover(coverage *seen, const tl_random_load *random)
{
    const tl_tensor_params *p = &random->params;
    seen->classes[random->class_index]++;
    seen->same_map += random->same_map;
    if (!random->legal)
        return;
    seen->data_types[p->data_type]++;
    seen->swizzles[p->swizzle]++;
    seen->ranks[p->rank]++;
    seen->nan_fill += p->oob_fill == TL_OOB_NAN;
    if (p->has_tile_major)
        seen->log2_granularities[log2_of((uint64_t)p->tile_major.memory_tile[0] * p->tile_major.memory_tile[1] *
                                         tl_element_bytes(p->data_type))]++;
    for (uint32_t d = 0; d < p->rank; d++) {
        const int64_t last = random->load.coordinates[d] + (int64_t)p->box_dim[d] - 1;
        seen->steps[p->element_strides[d]]++;
        seen->below[d] += random->load.coordinates[d] < 0 && last >= 0;
        seen->beyond[d] += last >= (int64_t)p->global_dim[d];
    }
}

/* The status that a variant owes this load, from the oracle alone; legal loads only. */
static bool should_accept(const tl_random_load *random, tl_variant variant)
{
    if (variant == TL_BASELINE)
        return !random->params.has_tile_major;
    return variant == TL_GENERAL || tl_oracle_paper_accepts(&random->params, &random->load);
}

static void check_variant(const tl_random_load *random, uint64_t index, tl_variant variant, coverage *seen)
{
    const char *id = tl_random_class(random->class_index)->id;
    tl_engine engine;
    tl_comparison comparison;
    const tl_status status = tl_engine_start(&engine, &random->map, &random->load, variant);

    ck_assert_msg((unsigned)status < 16, "load %lu (%s): status %s is not one of hardware's", (unsigned long)index, id,
                  tl_status_name(status));
    seen->statuses[variant][status]++;
    if (!random->legal) {
        ck_assert_msg(status != TL_OK, "load %lu (%s) accepted in variant %d", (unsigned long)index, id, (int)variant);
        return;
    }
    ck_assert_msg((status == TL_OK) == should_accept(random, variant), "load %lu (%s), variant %d: status %s",
                  (unsigned long)index, id, (int)variant, tl_status_name(status));
    if (status != TL_OK)
        return;
    ck_assert_msg(tl_compare_load(&random->params, &random->load, tl_load_bytes(&random->map), TL_COMPARE_EVERY_ELEMENT,
                                  &engine, &comparison),
                  "load %lu (%s), variant %d, element %lu: %s, expected %#lx, found %#lx", (unsigned long)index, id,
                  (int)variant, (unsigned long)comparison.element, comparison.fault, (unsigned long)comparison.expected,
                  (unsigned long)comparison.found);
    seen->requests += comparison.requests;
    seen->elements += comparison.elements;
}

#define ck_assert_all_seen(counts, first, name)                                                                        \
    for (unsigned k = (first); k < sizeof(counts) / sizeof(counts)[0]; k++)                                            \
    ck_assert_msg((counts)[k] > 0, "no load with " name " %u", k)

static void check_coverage(const coverage *seen, uint64_t loads)
{
    for (unsigned k = 0; k < TL_RANDOM_CLASS_COUNT; k++)
        ck_assert_msg(seen->classes[k] > 0, "no load of class %s", tl_random_class((tl_random_class_index)k)->id);
    ck_assert_all_seen(seen->data_types, 0, "data type");
    ck_assert_all_seen(seen->swizzles, 0, "swizzle");
    ck_assert_all_seen(seen->ranks, 1, "rank");
    ck_assert_all_seen(seen->log2_granularities, 9, "log2 granularity");
    ck_assert_all_seen(seen->steps, 1, "element stride");
    ck_assert_all_seen(seen->below, 0, "a box below the tensor in dimension");
    ck_assert_all_seen(seen->beyond, 0, "a box beyond the tensor in dimension");
    ck_assert_uint_gt(seen->nan_fill, 0);
    ck_assert_uint_gt(seen->same_map, 0);
    for (unsigned status = 0; status <= TL_ERR_PAPER_COLUMN_ALIGN; status++)
        ck_assert_msg(seen->statuses[TL_BASELINE][status] + seen->statuses[TL_PAPER][status] > 0,
                      "status %s never seen", tl_status_name((tl_status)status));
    /* The paper variant must be exercised where it works, not only where it refuses. */
    const uint64_t plain = seen->statuses[TL_BASELINE][TL_OK];
    ck_assert_uint_ge(seen->statuses[TL_PAPER][TL_OK] - plain, loads / 10);
}

static uint64_t load_count(void)
{
    const char *text = getenv("TILELENS_RANDOM_LOADS");
    return text == NULL ? DEFAULT_LOADS : strtoull(text, NULL, 10);
}

START_TEST(mirror_equals_oracle)
{
    const uint64_t loads = load_count();
    static coverage seen;
    for (uint64_t k = 0; k < loads; k++) {
        tl_random_load random;
        tl_random_load_make(&random, SEED, k);
        ck_assert_msg(!random.disagreement, "load %lu: oracle and encode disagree on a map, encode says: %s",
                      (unsigned long)k, tl_status_str(tl_tensor_map_encode(&random.map, &random.disagreed)));
        if (random.legal)
            ck_assert_int_eq(tl_launch_check(&random.map, &random.load), TL_OK);
        cover(&seen, &random);
        for (int variant = TL_BASELINE; variant < TL_VARIANT_COUNT; variant++)
            check_variant(&random, k, (tl_variant)variant, &seen);
    }
    printf("seed %lu: %lu loads, paper accepts %lu (%lu of them plain), %lu requests, %lu elements\n",
           (unsigned long)SEED, (unsigned long)loads, (unsigned long)seen.statuses[TL_PAPER][TL_OK],
           (unsigned long)seen.statuses[TL_BASELINE][TL_OK], (unsigned long)seen.requests,
           (unsigned long)seen.elements);
    check_coverage(&seen, loads);
}
END_TEST

/* A load of a long run can be made again alone. */
START_TEST(load_is_a_function_of_its_seed)
{
    for (uint64_t k = 0; k < 1000; k++) {
        tl_random_load in_run, alone;
        tl_random_load_make(&in_run, SEED, k);
        tl_random_load_make(&alone, tl_random_load_seed(SEED, k), 0);
        ck_assert_mem_eq(&in_run.map, &alone.map, sizeof in_run.map);
        ck_assert_mem_eq(&in_run.load, &alone.load, sizeof in_run.load);
    }
}
END_TEST

START_TEST(same_map_is_that_of_the_load_before)
{
    tl_random_load before, load;
    tl_random_load_make(&before, SEED, 0);
    for (uint64_t k = 1; k < 1000; k++) {
        tl_random_load_make(&load, SEED, k);
        if (load.same_map && before.class_index != TL_RANDOM_BAD_MAP)
            ck_assert_mem_eq(&load.map, &before.map, sizeof load.map);
        before = load;
    }
}
END_TEST

START_TEST(classes_are_named_and_weighted)
{
    unsigned total = 0;
    for (unsigned k = 0; k < TL_RANDOM_CLASS_COUNT; k++) {
        const tl_random_class_info *info = tl_random_class((tl_random_class_index)k);
        ck_assert_ptr_nonnull(info->id);
        ck_assert_ptr_nonnull(info->description);
        total += info->weight;
    }
    ck_assert_uint_eq(total, 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *random = tcase_create("random");
    tcase_set_timeout(random, 0);
    tcase_add_test(random, classes_are_named_and_weighted);
    tcase_add_test(random, load_is_a_function_of_its_seed);
    tcase_add_test(random, same_map_is_that_of_the_load_before);
    tcase_add_test(random, mirror_equals_oracle);
    suite_add_tcase(suite, random);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
