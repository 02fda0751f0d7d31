/* SPDX-License-Identifier: Apache-2.0 */
/* Stage split_sum: Fig. 9's tile bases, the packed form against Eq. 2's quotients, the paper variant's refusals. */
#include <string.h>

#include "stage_fixture.h"
#include "tilelens/load.h"
#include "tilelens/split_sum.h"

enum { BASE = 0x10000 };

/* FP8, K = 384, N = 128, TMA tile 128x64 at (256,64): the three views of Fig. 9. */
typedef struct matrix_view {
    uint32_t rank;
    uint64_t dims[4], strides[3];
    int32_t coordinates[4];
} matrix_view;

static const matrix_view fig9[] = {
    {2, {384, 128}, {384}, {256, 64}},
    {3, {128, 128, 3}, {384, 128}, {0, 64, 2}},
    {4, {128, 64, 3, 2}, {384, 128, 24576}, {0, 0, 2, 1}},
};

static tl_tensor_params view_params(const matrix_view *view, uint32_t a, uint32_t b)
{
    tl_tensor_params params;
    memset(&params, 0, sizeof params);
    params.data_type = TL_UINT8;
    params.rank = view->rank;
    params.global_address = BASE;
    for (unsigned d = 0; d < view->rank; d++) {
        params.global_dim[d] = view->dims[d];
        params.box_dim[d] = d == 0 ? 128 : d == 1 ? 64 : 1;
        params.element_strides[d] = 1;
    }
    memcpy(params.global_strides, view->strides, sizeof view->strides);
    params.has_tile_major = a != 0;
    params.tile_major.leading_stride_bytes = 384;
    params.tile_major.memory_tile[0] = a;
    params.tile_major.memory_tile[1] = b;
    params.tile_major.matrix_address = BASE;
    return params;
}

static tl_status base_of(const tl_tensor_params *params, const int32_t *coordinates, tl_variant variant,
                         tl_fields *fields, tl_tile_base *base)
{
    tl_tensor_map map;
    tl_products products;
    int32_t all[TL_MAX_RANK] = {0};
    memcpy(all, coordinates, params->rank * sizeof *all);
    ck_assert_int_eq(tl_tensor_map_encode(&map, params), TL_OK);
    ck_assert_int_eq(tl_desc_decode(&map, all[0], 0, variant, fields), TL_OK);
    tl_coord_mul(fields, all, &products);
    return tl_split_sum(fields, &products, base);
}

START_TEST(fig9_column_major)
{
    const tl_tensor_params params = view_params(&fig9[_i], 0, 0);
    tl_fields fields;
    tl_tile_base base;
    ck_assert_int_eq(base_of(&params, fig9[_i].coordinates, TL_BASELINE, &fields, &base), TL_OK);
    ck_assert_uint_eq(base.x * 16 - BASE, 24832);
}
END_TEST

START_TEST(fig9_tile_major)
{
    const tl_tensor_params params = view_params(&fig9[_i], 128, 32);
    tl_fields fields;
    tl_tile_base base;
    ck_assert_int_eq(base_of(&params, fig9[_i].coordinates, TL_PAPER, &fields, &base), TL_OK);
    ck_assert_uint_eq(base.x * 16 - BASE, 32768); /* Eq. 4 */
    ck_assert_int_eq(base_of(&params, fig9[_i].coordinates, TL_GENERAL, &fields, &base), TL_OK);
    ck_assert_uint_eq(base.x * 16 - BASE, 32768);
    ck_assert_uint_eq(base.column, 0);
}
END_TEST

/* Unpack X = (tile | i mod a | j mod b) and compare with quotients and remainders, negative coordinates included. */
START_TEST(packed_form_of_any_origin)
{
    uint64_t state = 1234567;
    for (int round = 0; round < 20000; round++) {
        const tl_tensor_params params = view_params(&fig9[0], 64, 64);
        const int32_t i = 16 * (int32_t)random_below(&state, 48) - 384;
        const int32_t j = (int32_t)random_below(&state, 400) - 200;
        const int32_t coordinates[2] = {i, j};
        tl_fields fields;
        tl_tile_base base;
        ck_assert_int_eq(base_of(&params, coordinates, TL_GENERAL, &fields, &base), TL_OK);
        const int32_t column = ((j % 64) + 64) % 64;
        const int64_t expected = (int64_t)(j - column) / 64 * (64 * 384) + (int64_t)i * 64; /* bytes */
        ck_assert_uint_eq(base.column, (uint32_t)column);
        ck_assert_uint_eq(base.x, tl_wrap_units((uint64_t)((expected + BASE) / 16)) | (uint64_t)column);
    }
}
END_TEST

START_TEST(paper_refuses_origins_inside_a_sub_tile)
{
    static const struct { int32_t i, j; tl_status status; } rows[] = {
        {256, 64, TL_OK}, {256, 65, TL_ERR_PAPER_COLUMN_ALIGN}, {240, 64, TL_ERR_PAPER_ROW_ALIGN},
        {240, 63, TL_ERR_PAPER_COLUMN_ALIGN}, {-128, -32, TL_OK}, {-16, 0, TL_ERR_PAPER_ROW_ALIGN},
    };
    const tl_tensor_params params = view_params(&fig9[0], 128, 32);
    const int32_t coordinates[2] = {rows[_i].i, rows[_i].j};
    tl_fields fields;
    tl_tile_base base;
    ck_assert_int_eq(base_of(&params, coordinates, TL_PAPER, &fields, &base), rows[_i].status);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("split_sum");
    tcase_add_loop_test(tcase, fig9_column_major, 0, 3);
    tcase_add_loop_test(tcase, fig9_tile_major, 0, 3);
    tcase_add_test(tcase, packed_form_of_any_origin);
    tcase_add_loop_test(tcase, paper_refuses_origins_inside_a_sub_tile, 0, 6);
    return run_case(tcase, "split_sum");
}
