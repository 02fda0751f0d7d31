/* SPDX-License-Identifier: Apache-2.0 */
/* Replace: field by field, in any order, to the same bits as a fresh encode. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random_load.h"
#include "tilelens/load.h"
#include "tilelens/tensor_map.h"
#include "tilelens/tensor_map_bits.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))

enum { MAX_EDITS = 40 };

typedef struct edit {
    tl_map_field field;
    uint32_t dim;
    uint64_t value;
} edit;

typedef struct edits {
    edit edit[MAX_EDITS];
    int count;
} edits;

static void add(edits *list, tl_map_field field, uint32_t dim, uint64_t value)
{
    ck_assert_int_lt(list->count, MAX_EDITS);
    list->edit[list->count++] = (edit){field, dim, value};
}

/* CUtensorMapDataType to the codes of tensormap.replace.elemtype. */
static const uint64_t PTX_TYPE[TL_DATA_TYPE_COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12, 13, 14, 15};

/** Every replace that turns any map into that of `params`; L2 promotion has no field and stays. */
static edits edits_to(const tl_tensor_params *params)
{
    const bool atoms = params->swizzle > TL_SWIZZLE_128B;
    edits list = {.count = 0};
    add(&list, TL_FIELD_GLOBAL_ADDRESS, 0, params->global_address);
    add(&list, TL_FIELD_RANK, 0, params->rank - 1);
    for (uint32_t d = 0; d < params->rank; d++) {
        add(&list, TL_FIELD_BOX_DIM, d, params->box_dim[d]);
        add(&list, TL_FIELD_GLOBAL_DIM, d, params->global_dim[d]);
        add(&list, TL_FIELD_ELEMENT_STRIDE, d, params->element_strides[d]);
        if (d > 0) {
            add(&list, TL_FIELD_GLOBAL_STRIDE, d - 1, params->global_strides[d - 1]);
        }
    }
    add(&list, TL_FIELD_ELEMENT_TYPE, 0, PTX_TYPE[params->data_type]);
    add(&list, TL_FIELD_INTERLEAVE, 0, params->interleave);
    add(&list, TL_FIELD_SWIZZLE_MODE, 0, atoms ? 3 : params->swizzle);
    add(&list, TL_FIELD_SWIZZLE_ATOMICITY, 0, atoms ? params->swizzle - 3u : 0);
    add(&list, TL_FIELD_FILL_MODE, 0, params->oob_fill);
    if (params->has_tile_major) {
        add(&list, TL_FIELD_LEADING_STRIDE, 0, params->tile_major.leading_stride_bytes);
        add(&list, TL_FIELD_MEMORY_TILE, 0, params->tile_major.memory_tile[0]);
        add(&list, TL_FIELD_MEMORY_TILE, 1, params->tile_major.memory_tile[1]);
        add(&list, TL_FIELD_MATRIX_ADDRESS, 0, params->tile_major.matrix_address);
    } else {
        add(&list, TL_FIELD_LEADING_STRIDE, 0, 0);
    }
    return list;
}

static void shuffle(edits *list, tl_random *random)
{
    for (int k = list->count - 1; k > 0; k--) {
        const int other = (int)tl_random_below(random, (uint64_t)k + 1);
        const edit swapped = list->edit[k];
        list->edit[k] = list->edit[other];
        list->edit[other] = swapped;
    }
    /* The one order that matters: swizzle mode before swizzle atomicity. */
    int mode = 0, atomicity = 0;
    for (int k = 0; k < list->count; k++) {
        mode = list->edit[k].field == TL_FIELD_SWIZZLE_MODE ? k : mode;
        atomicity = list->edit[k].field == TL_FIELD_SWIZZLE_ATOMICITY ? k : atomicity;
    }
    if (atomicity < mode) {
        const edit swapped = list->edit[mode];
        list->edit[mode] = list->edit[atomicity];
        list->edit[atomicity] = swapped;
    }
}

static void apply(tl_tensor_map *map, const edits *list)
{
    for (int k = 0; k < list->count; k++) {
        const edit *e = &list->edit[k];
        const tl_status status = tl_tensor_map_replace(map, e->field, e->dim, e->value);
        ck_assert_msg(status == TL_OK, "field %d dim %u: %s", (int)e->field, e->dim, tl_status_name(status));
    }
}

static bool draw_legal(tl_random_load *out, uint64_t seed, uint64_t index)
{
    tl_random_load_make(out, seed, index);
    out->params.l2_promotion = TL_L2_128B;
    return out->legal && tl_tensor_map_encode(&out->map, &out->params) == TL_OK;
}

START_TEST(any_order_equals_a_fresh_encode)
{
    tl_random random = tl_random_from(11);
    int compared = 0;
    tl_random_load from, to;
    for (uint64_t index = 0; index < 4000; index++) {
        if (!draw_legal(&from, 3, index) || !draw_legal(&to, 4, index)) {
            continue;
        }
        edits list = edits_to(&to.params);
        shuffle(&list, &random);
        tl_tensor_map map = from.map;
        apply(&map, &list);
        ck_assert_msg(memcmp(&map, &to.map, sizeof map) == 0, "from load %u of seed 3 to that of seed 4",
                      (unsigned)index);
        compared++;
    }
    ck_assert_int_gt(compared, 2000);
}
END_TEST

START_TEST(element_type_codes_are_those_of_ptx)
{
    tl_tensor_params params = {.data_type = TL_FLOAT16,
                               .rank = 1,
                               .global_address = 64,
                               .global_dim = {64},
                               .box_dim = {64},
                               .element_strides = {1}};
    tl_tensor_map map, expected;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    params.data_type = (tl_data_type)_i;
    const tl_status status = tl_tensor_map_encode(&expected, &params);
    ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_ELEMENT_TYPE, 0, PTX_TYPE[_i]), TL_OK);
    ck_assert_uint_eq(tl_map_get(&map, TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS), (uint64_t)_i);
    if (status == TL_OK) {
        ck_assert_mem_eq(&map, &expected, sizeof map);
    } else {
        ck_assert_int_eq(tl_tensor_map_decode(&map, &params), status);
    }
}
END_TEST

static tl_tensor_params group_params(uint64_t address, uint64_t K, uint64_t rows)
{
    return (tl_tensor_params){
        .data_type = TL_BFLOAT16,
        .rank = 3,
        .global_address = address,
        .global_dim = {K, rows, 1},
        .global_strides = {K * 2, 0},
        .box_dim = {64, 128, 1},
        .element_strides = {1, 1, 1},
        .swizzle = TL_SWIZZLE_128B,
        .has_tile_major = true,
        .tile_major = {.leading_stride_bytes = K * 2, .memory_tile = {64, 32}, .matrix_address = address},
    };
}

/* CUTLASS grouped GEMM: each group has its own address, extents and leading stride. */
START_TEST(grouped_gemm_changes_the_leading_stride_per_group)
{
    static const uint64_t groups[][3] = {
        {0x10000, 1024, 512}, {0x200000, 7168, 96}, {0x7f0000000000, 64, 1}, {0x10000, 1536, 4096}};
    tl_tensor_params params = group_params(0x4000, 4096, 128);
    tl_tensor_map map, expected;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    for (int g = 0; g < COUNT_OF(groups); g++) {
        const uint64_t address = groups[g][0], K = groups[g][1], rows = groups[g][2];
        const edits list = {{{TL_FIELD_GLOBAL_ADDRESS, 0, address},
                             {TL_FIELD_GLOBAL_DIM, 0, K},
                             {TL_FIELD_GLOBAL_DIM, 1, rows},
                             {TL_FIELD_GLOBAL_STRIDE, 0, K * 2},
                             {TL_FIELD_LEADING_STRIDE, 0, K * 2},
                             {TL_FIELD_MATRIX_ADDRESS, 0, address}},
                            6};
        apply(&map, &list);
        params = group_params(address, K, rows);
        ck_assert_int_eq(tl_tensor_map_encode(&expected, &params), TL_OK);
        ck_assert_mem_eq(&map, &expected, sizeof map);
    }
}
END_TEST

START_TEST(memory_tile_keeps_its_elements_when_the_type_changes)
{
    static const tl_data_type types[] = {TL_UINT8,         TL_FLOAT64, TL_FLOAT16, TL_16U4_ALIGN8B, TL_FLOAT32,
                                         TL_16U6_ALIGN16B, TL_UINT8,   TL_UINT64,  TL_BFLOAT16};
    tl_tensor_params params = group_params(0x10000, 1024, 512);
    tl_tensor_map map, expected;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    expected = map;
    for (int k = 0; k < COUNT_OF(types); k++) {
        ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_ELEMENT_TYPE, 0, PTX_TYPE[types[k]]), TL_OK);
    }
    ck_assert_mem_eq(&map, &expected, sizeof map);
    ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_ELEMENT_TYPE, 0, PTX_TYPE[TL_FLOAT32]), TL_OK);
    params.data_type = TL_FLOAT32;
    params.swizzle = TL_SWIZZLE_NONE;
    params.global_dim[0] = 512; /* the same bytes */
    ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_SWIZZLE_MODE, 0, 0), TL_OK);
    ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_GLOBAL_DIM, 0, 512), TL_OK);
    ck_assert_int_eq(tl_tensor_map_encode(&expected, &params), TL_OK);
    ck_assert_mem_eq(&map, &expected, sizeof map);
}
END_TEST

START_TEST(broken_rule_is_found_at_launch)
{
    const struct {
        edit edit;
        tl_status status;
    } cases[] = {
        {{TL_FIELD_GLOBAL_ADDRESS, 0, 0x10008}, TL_ERR_GLOBAL_ADDRESS_ALIGN},
        {{TL_FIELD_GLOBAL_STRIDE, 0, 2056}, TL_ERR_GLOBAL_STRIDE_ALIGN},
        {{TL_FIELD_GLOBAL_STRIDE, 0, 2064}, TL_ERR_DIAGONAL_VIEW},
        {{TL_FIELD_BOX_DIM, 0, 60}, TL_ERR_BOX_INNER_ALIGN},
        {{TL_FIELD_BOX_DIM, 0, 72}, TL_ERR_BOX_INNER_SPAN},
        {{TL_FIELD_GLOBAL_DIM, 0, 1025}, TL_ERR_SHEARED_VIEW},
        {{TL_FIELD_LEADING_STRIDE, 0, 2064}, TL_ERR_LEADING_STRIDE_ALIGN},
        {{TL_FIELD_MEMORY_TILE, 0, 65536}, TL_ERR_TILE_GRANULARITY},
        {{TL_FIELD_MEMORY_TILE, 0, 4}, TL_ERR_TILE_ROW_BYTES},
        {{TL_FIELD_MEMORY_TILE, 1, 32768}, TL_ERR_TILE_GRANULARITY},
        {{TL_FIELD_MATRIX_ADDRESS, 0, 0x10010}, TL_ERR_MATRIX_ADDRESS_ALIGN},
        {{TL_FIELD_MATRIX_ADDRESS, 0, 0x20000}, TL_ERR_MATRIX_ADDRESS_ORDER},
        {{TL_FIELD_INTERLEAVE, 0, 1}, TL_ERR_INTERLEAVE_UNSUPPORTED},
        {{TL_FIELD_INTERLEAVE, 0, 3}, TL_ERR_INTERLEAVE},
        {{TL_FIELD_ELEMENT_TYPE, 0, 7}, TL_ERR_BOX_INNER_SPAN},
        {{TL_FIELD_BOX_DIM, 3, 2}, TL_ERR_MAP_INVALID}, /* a dimension at rank */
    };
    const tl_load load = {{0}, 0};
    tl_tensor_params params = group_params(0x10000, 1024, 512);
    tl_tensor_map legal;
    ck_assert_int_eq(tl_tensor_map_encode(&legal, &params), TL_OK);
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const edit *e = &cases[k].edit;
        tl_tensor_map map = legal;
        ck_assert_int_eq(tl_launch_check(&map, &load), TL_OK);
        ck_assert_int_eq(tl_tensor_map_replace(&map, e->field, e->dim, e->value), TL_OK);
        const tl_status status = tl_launch_check(&map, &load);
        ck_assert_msg(status == cases[k].status, "case %d: found %s, expected %s", k, tl_status_name(status),
                      tl_status_name(cases[k].status));
    }
}
END_TEST

/* Columns: field, dimension, largest value that is stored, smallest beyond it. */
static const struct {
    tl_map_field field;
    uint32_t dim;
    uint64_t stored, refused;
} WIDTHS[] = {
    {TL_FIELD_RANK, 0, 4, 5},
    {TL_FIELD_BOX_DIM, 4, 256, 257},
    {TL_FIELD_BOX_DIM, 0, 1, 0},
    {TL_FIELD_GLOBAL_DIM, 4, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1},
    {TL_FIELD_GLOBAL_DIM, 0, 1, 0},
    {TL_FIELD_GLOBAL_STRIDE, 3, (UINT64_C(1) << 40) - 1, UINT64_C(1) << 40},
    {TL_FIELD_ELEMENT_STRIDE, 4, 8, 9},
    {TL_FIELD_ELEMENT_STRIDE, 0, 1, 0},
    {TL_FIELD_ELEMENT_TYPE, 0, 15, 16},
    {TL_FIELD_INTERLEAVE, 0, 3, 4},
    {TL_FIELD_SWIZZLE_MODE, 0, 3, 4},
    {TL_FIELD_SWIZZLE_ATOMICITY, 0, 3, 4},
    {TL_FIELD_FILL_MODE, 0, 1, 2},
    {TL_FIELD_LEADING_STRIDE, 0, (UINT64_C(1) << 40) - 16, UINT64_C(1) << 40},
    {TL_FIELD_LEADING_STRIDE, 0, 16, 8},
    {TL_FIELD_MEMORY_TILE, 0, 65536, 131072},
    {TL_FIELD_MEMORY_TILE, 0, 2, 1},
    {TL_FIELD_MEMORY_TILE, 0, 64, 48},
    {TL_FIELD_MEMORY_TILE, 1, 32768, 65536},
    {TL_FIELD_MEMORY_TILE, 1, 1, 0},
    {TL_FIELD_MATRIX_ADDRESS, 0, UINT64_MAX, 0}, /* as wide as the value: both are stored */
    {TL_FIELD_GLOBAL_ADDRESS, 0, UINT64_MAX, 0},
};

START_TEST(value_must_fit_its_field)
{
    tl_tensor_params params = group_params(0x10000, 1024, 512);
    tl_tensor_map map, before;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    const bool full_width = WIDTHS[_i].stored == UINT64_MAX;
    ck_assert_int_eq(tl_tensor_map_replace(&map, WIDTHS[_i].field, WIDTHS[_i].dim, WIDTHS[_i].stored), TL_OK);
    before = map;
    ck_assert_int_eq(tl_tensor_map_replace(&map, WIDTHS[_i].field, WIDTHS[_i].dim, WIDTHS[_i].refused),
                     full_width ? TL_OK : TL_ERR_FIELD);
    ck_assert((memcmp(&map, &before, sizeof map) == 0) == !full_width);
}
END_TEST

START_TEST(field_and_dimension_must_exist)
{
    static const uint32_t dims[TL_FIELD_COUNT] = {1, 1, 5, 5, 4, 5, 1, 1, 1, 1, 1, 1, 2, 1};
    tl_tensor_params params = group_params(0x10000, 1024, 512);
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    for (int field = 0; field < TL_FIELD_COUNT; field++) {
        const uint64_t value = field == TL_FIELD_LEADING_STRIDE ? 16 : 2;
        const uint64_t small = field == TL_FIELD_FILL_MODE ? 1 : value;
        ck_assert_int_eq(tl_tensor_map_replace(&map, (tl_map_field)field, dims[field] - 1, small), TL_OK);
        ck_assert_int_eq(tl_tensor_map_replace(&map, (tl_map_field)field, dims[field], small), TL_ERR_FIELD);
        ck_assert_int_eq(tl_tensor_map_replace(&map, (tl_map_field)field, UINT32_MAX, small), TL_ERR_FIELD);
        if (field == TL_FIELD_SWIZZLE_MODE) {
            ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_SWIZZLE_MODE, 0, 3), TL_OK);
        }
    }
    ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_COUNT, 0, 0), TL_ERR_FIELD);
    ck_assert_int_eq(tl_tensor_map_replace(&map, (tl_map_field)-1, 0, 0), TL_ERR_FIELD);
    ck_assert_int_eq(tl_tensor_map_replace(NULL, TL_FIELD_RANK, 0, 0), TL_ERR_NULL);
}
END_TEST

START_TEST(swizzle_atomicity_belongs_to_mode_128b)
{
    tl_tensor_params params = group_params(0x10000, 1024, 512);
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    const struct {
        tl_map_field field;
        uint64_t value;
        tl_status status;
        uint64_t swizzle;
    } steps[] = {
        {TL_FIELD_SWIZZLE_ATOMICITY, 3, TL_OK, TL_SWIZZLE_128B_ATOM_64B},
        {TL_FIELD_SWIZZLE_MODE, 3, TL_OK, TL_SWIZZLE_128B_ATOM_64B}, /* the atomicity stays */
        {TL_FIELD_SWIZZLE_ATOMICITY, 1, TL_OK, TL_SWIZZLE_128B_ATOM_32B},
        {TL_FIELD_SWIZZLE_ATOMICITY, 2, TL_OK, TL_SWIZZLE_128B_ATOM_32B_FLIP_8B},
        {TL_FIELD_SWIZZLE_MODE, 1, TL_OK, TL_SWIZZLE_32B},
        {TL_FIELD_SWIZZLE_ATOMICITY, 1, TL_ERR_FIELD, TL_SWIZZLE_32B},
        {TL_FIELD_SWIZZLE_ATOMICITY, 0, TL_OK, TL_SWIZZLE_32B},
        {TL_FIELD_SWIZZLE_MODE, 3, TL_OK, TL_SWIZZLE_128B}, /* 16 B again */
    };
    for (int k = 0; k < COUNT_OF(steps); k++) {
        ck_assert_int_eq(tl_tensor_map_replace(&map, steps[k].field, 0, steps[k].value), steps[k].status);
        ck_assert_uint_eq(tl_map_get(&map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS), steps[k].swizzle);
    }
}
END_TEST

/* No bits whatsoever may trap, and replacing a field by itself changes only derived ones, once. */
START_TEST(garbage_is_deterministic)
{
    tl_random random = tl_random_from(13);
    for (int k = 0; k < 20000; k++) {
        tl_tensor_map map, again;
        for (int w = 0; w < TL_TENSOR_MAP_WORDS; w++) {
            map.word[w] = tl_random_next(&random) & (tl_random_below(&random, 2) != 0 ? UINT64_MAX : 0);
        }
        const uint64_t address = tl_random_next(&random);
        ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_GLOBAL_ADDRESS, 0, address), TL_OK);
        again = map;
        ck_assert_int_eq(tl_tensor_map_replace(&again, TL_FIELD_GLOBAL_ADDRESS, 0, address), TL_OK);
        ck_assert_mem_eq(&map, &again, sizeof map);
        tl_tensor_params params;
        ck_assert_int_ne(tl_tensor_map_decode(&map, &params), TL_OK);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replace");
    TCase *tcase = tcase_create("replace");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, any_order_equals_a_fresh_encode);
    tcase_add_loop_test(tcase, element_type_codes_are_those_of_ptx, 0, TL_DATA_TYPE_COUNT);
    tcase_add_test(tcase, grouped_gemm_changes_the_leading_stride_per_group);
    tcase_add_test(tcase, memory_tile_keeps_its_elements_when_the_type_changes);
    tcase_add_test(tcase, broken_rule_is_found_at_launch);
    tcase_add_loop_test(tcase, value_must_fit_its_field, 0, COUNT_OF(WIDTHS));
    tcase_add_test(tcase, field_and_dimension_must_exist);
    tcase_add_test(tcase, swizzle_atomicity_belongs_to_mode_128b);
    tcase_add_test(tcase, garbage_is_deterministic);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
