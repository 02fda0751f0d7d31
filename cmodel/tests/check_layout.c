/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: Eq. 1-3 in every form the library offers, both ways, against the oracle; ranges; default memory tiles. */
#include "tilelens/layout.h"

#include <string.h>

#include "oracle.h"
#include "stage_fixture.h"
#include "tilelens/offset.h"

typedef struct shape {
    uint64_t rows, columns;
    tl_order order;
    uint32_t element_bytes;
    uint32_t a, b;
    uint64_t pad; /* elements added to the smallest leading stride */
} shape;

static const shape SHAPES[] = {
    {384, 128, TL_COLUMN_MAJOR, 1, 128, 32, 0}, /* Fig. 9 */
    {384, 128, TL_COLUMN_MAJOR, 1, 64, 64, 128},
    {384, 128, TL_ROW_MAJOR, 1, 64, 64, 0},
    {320, 97, TL_COLUMN_MAJOR, 2, 64, 32, 64},
    {97, 320, TL_ROW_MAJOR, 2, 64, 32, 64},
    {100, 33, TL_COLUMN_MAJOR, 2, 8, 32, 0}, /* neither extent a multiple */
    {100, 33, TL_ROW_MAJOR, 4, 32, 32, 32},
    {64, 1, TL_COLUMN_MAJOR, 8, 64, 1, 0},
    {7, 40, TL_ROW_MAJOR, 8, 2, 64, 0},
    {1, 300, TL_COLUMN_MAJOR, 4, 4, 4096, 0},
    {320, 97, TL_COLUMN_MAJOR, 2, 1, 1, 0}, /* linear */
    {320, 97, TL_COLUMN_MAJOR, 2, 1, 1, 5},
    {33, 100, TL_ROW_MAJOR, 4, 1, 1, 3},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

static tl_layout layout_of(const shape *s)
{
    tl_layout layout = s->a == 1 ? tl_layout_linear(s->order, s->rows, s->columns, s->element_bytes)
                                 : tl_layout_tile_major(s->order, s->rows, s->columns, s->element_bytes, s->a, s->b);
    layout.leading += s->pad;
    ck_assert_int_eq(tl_layout_check(&layout), TL_OK);
    return layout;
}

static tl_log2 log2_of(uint32_t power)
{
    tl_log2 log2 = 0;
    while (power >> log2 != 1) {
        log2++;
    }
    return log2;
}

/* Assertions that pass cost a message each: the loops over whole matrices assert only what went wrong. */
START_TEST(offset_agrees_with_the_oracle_and_inverts)
{
    const shape *s = &SHAPES[_i];
    const tl_layout layout = layout_of(s);
    const uint64_t elements = tl_layout_bytes(&layout) / s->element_bytes;
    const tl_log2 log2_a = log2_of(s->a), log2_b = log2_of(s->b);
    for (uint64_t row = 0; row < s->rows; row++) {
        for (uint64_t column = 0; column < s->columns; column++) {
            const uint64_t i = s->order == TL_COLUMN_MAJOR ? row : column;
            const uint64_t j = s->order == TL_COLUMN_MAJOR ? column : row;
            const uint64_t expected = tl_oracle_offset(i, j, layout.leading, s->a, s->b);
            uint64_t offset, row_back, column_back;
            if (tl_layout_offset(&layout, row, column, &offset) != TL_OK || offset != expected ||
                offset >= elements || tl_tile_major_offset(i, j, layout.leading, log2_a, log2_b) != expected ||
                tl_layout_index(&layout, offset, &row_back, &column_back) != TL_OK || row_back != row ||
                column_back != column) {
                ck_abort_msg("element (%llu, %llu)", (unsigned long long)row, (unsigned long long)column);
            }
        }
    }
}
END_TEST

/* Every offset of the image is one element or padding: what inverts is exactly the matrix. */
START_TEST(padding_has_no_index)
{
    const shape *s = &SHAPES[_i];
    const tl_layout layout = layout_of(s);
    const uint64_t elements = tl_layout_bytes(&layout) / s->element_bytes;
    uint64_t found = 0, row, column;
    for (uint64_t offset = 0; offset < elements; offset++) {
        found += tl_layout_index(&layout, offset, &row, &column) == TL_OK;
    }
    ck_assert_uint_eq(found, s->rows * s->columns);
    ck_assert_int_eq(tl_layout_index(&layout, elements, &row, &column), TL_ERR_LAYOUT);
    ck_assert_int_eq(tl_layout_offset(&layout, s->rows, 0, &row), TL_ERR_LAYOUT);
    ck_assert_int_eq(tl_layout_offset(&layout, 0, s->columns, &row), TL_ERR_LAYOUT);
}
END_TEST

START_TEST(eq3_is_eq2)
{
    const shape *s = &SHAPES[_i];
    const tl_layout layout = layout_of(s);
    tl_tile_view view;
    if (s->a == 1) {
        ck_assert_int_eq(tl_layout_tile_view(&layout, &view), TL_ERR_VIEW);
        return;
    }
    ck_assert_int_eq(tl_layout_tile_view(&layout, &view), TL_OK);
    ck_assert_uint_eq(view.shape[0] * view.shape[1] * view.shape[2] * view.shape[3] * s->element_bytes,
                      tl_layout_bytes(&layout));
    for (uint64_t i = 0; i < layout.leading; i++) {
        for (uint64_t j = 0; j < view.shape[1] * view.shape[3]; j++) {
            const uint64_t coordinate[4] = {i % s->a, j % s->b, i / s->a, j / s->b};
            bool inside = true;
            uint64_t offset = 0;
            for (int d = 0; d < 4; d++) {
                inside = inside && coordinate[d] < view.shape[d];
                offset += coordinate[d] * view.stride[d];
            }
            if (!inside || offset != tl_oracle_offset(i, j, layout.leading, s->a, s->b)) {
                ck_abort_msg("element (%llu, %llu)", (unsigned long long)i, (unsigned long long)j);
            }
        }
    }
}
END_TEST

START_TEST(cute_notation)
{
    static const struct {
        shape shape;
        const char *text;
    } rows[] = {
        {{4096, 1536, TL_COLUMN_MAJOR, 2, 64, 32, 0}, "((64,64),(32,48)):((1,2048),(64,131072))"},
        {{1536, 4096, TL_ROW_MAJOR, 2, 64, 32, 0}, "((32,48),(64,64)):((64,131072),(1,2048))"},
        {{384, 100, TL_COLUMN_MAJOR, 1, 128, 32, 0}, "((128,3),(32,4)):((1,4096),(128,12288))"},
        {{384, 128, TL_COLUMN_MAJOR, 1, 1, 1, 0}, "(384,128):(1,384)"},
        {{384, 128, TL_COLUMN_MAJOR, 1, 1, 1, 16}, "(384,128):(1,400)"},
        {{384, 128, TL_ROW_MAJOR, 1, 1, 1, 0}, "(384,128):(128,1)"},
    };
    const tl_layout layout = layout_of(&rows[_i].shape);
    char text[128];
    ck_assert_int_eq(tl_layout_cute(&layout, text, sizeof text), TL_OK);
    ck_assert_str_eq(text, rows[_i].text);
    ck_assert_int_eq(tl_layout_cute(&layout, text, strlen(rows[_i].text) + 1), TL_OK);
    ck_assert_int_eq(tl_layout_cute(&layout, text, strlen(rows[_i].text)), TL_ERR_LAYOUT);
}
END_TEST

/* The promise of 128 bytes, at the end of the ranges. */
START_TEST(cute_notation_of_the_largest_layouts)
{
    const uint64_t most = (uint64_t)1 << 32;
    tl_layout layout = tl_layout_tile_major(TL_ROW_MAJOR, (uint64_t)1 << 23, most, 1, 32, 16);
    char text[128];
    layout.leading = ((uint64_t)1 << 40) - 32;
    ck_assert_int_eq(tl_layout_check(&layout), TL_OK);
    ck_assert_int_eq(tl_layout_cute(&layout, text, sizeof text), TL_OK);
    layout = tl_layout_linear(TL_ROW_MAJOR, 1, most, 1);
    layout.leading = ((uint64_t)1 << 63) - 1;
    ck_assert_int_eq(tl_layout_cute(&layout, text, sizeof text), TL_OK);
    ck_assert_str_eq(text, "(1,4294967296):(9223372036854775807,1)");
}
END_TEST

START_TEST(ranges)
{
    static const struct {
        tl_layout layout;
        tl_status status;
    } rows[] = {
        /* rows, columns, leading, memory tile, element bytes, order */
        {{384, 128, 384, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_OK},
        {{384, 128, 384, {64, 32}, 3, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, 384, {64, 32}, 16, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, 384, {64, 32}, 0, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{0, 128, 384, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 0, 384, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, 320, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, 320, {64, 32}, 2, TL_ROW_MAJOR}, TL_OK},
        {{384, 128, 64, {64, 32}, 2, TL_ROW_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, 416, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_ERR_LEADING_STRIDE_ALIGN},
        {{384, 128, 384, {48, 32}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_SHAPE},
        {{384, 128, 384, {64, 0}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_SHAPE},
        {{384, 128, 384, {4, 512}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_ROW_BYTES},
        {{384, 128, 384, {1, 512}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_ROW_BYTES},
        {{384, 128, 384, {64, 2}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_GRANULARITY},
        {{384, 128, 384, {64, 512}, 2, TL_COLUMN_MAJOR}, TL_OK},
        {{384, 128, 384, {64, 1024}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_GRANULARITY},
        {{384, 128, 384, {64, 0x80000000}, 2, TL_COLUMN_MAJOR}, TL_ERR_TILE_GRANULARITY},
        {{384, 128, (uint64_t)1 << 39, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_ERR_LEADING_STRIDE_RANGE},
        {{384, 128, ((uint64_t)1 << 39) - 64, {64, 32}, 2, TL_COLUMN_MAJOR}, TL_OK},
        {{384, 128, (uint64_t)1 << 55, {1, 1}, 2, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, ((uint64_t)1 << 55) - 1, {1, 1}, 2, TL_COLUMN_MAJOR}, TL_OK},
        {{((uint64_t)1 << 32) + 1, 1, (uint64_t)1 << 33, {1, 1}, 2, TL_COLUMN_MAJOR}, TL_ERR_LAYOUT},
        {{384, 128, 384, {64, 32}, 2, (tl_order)2}, TL_ERR_LAYOUT},
    };
    enum { COUNT = sizeof rows / sizeof rows[0] };
    uint64_t offset;
    for (size_t k = 0; k < COUNT; k++) {
        ck_assert_msg(tl_layout_check(&rows[k].layout) == rows[k].status, "row %zu: %s", k,
                      tl_status_name(tl_layout_check(&rows[k].layout)));
        ck_assert_int_eq(tl_layout_offset(&rows[k].layout, 0, 0, &offset), rows[k].status);
        ck_assert((tl_layout_bytes(&rows[k].layout) != 0) == (rows[k].status == TL_OK));
    }
    ck_assert_int_eq(tl_layout_check(NULL), TL_ERR_NULL);
}
END_TEST

START_TEST(offsets_beyond_32_bits)
{
    const uint64_t rows = (uint64_t)1 << 31, columns = (uint64_t)1 << 20;
    const tl_layout layout = tl_layout_tile_major(TL_COLUMN_MAJOR, rows, columns, 8, 16, 32);
    uint64_t offset, row, column;
    ck_assert_int_eq(tl_layout_offset(&layout, rows - 1, columns - 1, &offset), TL_OK);
    ck_assert_uint_eq(offset, rows * columns - 1);
    ck_assert_uint_eq(tl_tile_major_offset(rows - 1, columns - 1, rows, 4, 5), rows * columns - 1);
    ck_assert_int_eq(tl_layout_index(&layout, offset, &row, &column), TL_OK);
    ck_assert_uint_eq(row, rows - 1);
    ck_assert_uint_eq(column, columns - 1);
}
END_TEST

START_TEST(default_memory_tiles)
{
    static const struct {
        uint32_t element_bytes, granularity_bytes, compute_tile[2];
        tl_status status;
        uint32_t memory_tile[2];
    } rows[] = {
        {2, 4096, {128, 256}, TL_OK, {64, 32}}, /* one cache line wide */
        {2, 4096, {64, 128}, TL_OK, {64, 32}},
        {1, 4096, {64, 64}, TL_OK, {64, 64}},
        {1, 4096, {128, 128}, TL_OK, {128, 32}},
        {4, 4096, {32, 32}, TL_OK, {32, 32}},
        {8, 4096, {64, 64}, TL_OK, {16, 32}},
        {2, 4096, {32, 256}, TL_OK, {32, 64}},  /* narrower than a line */
        {2, 4096, {256, 8}, TL_OK, {256, 8}},   /* wider than a line, to stay inside 8 columns */
        {2, 4096, {128, 48}, TL_OK, {128, 16}}, /* 32 columns do not divide 48 */
        {2, 4096, {96, 128}, TL_OK, {32, 64}},
        {2, 4096, {64, 16}, TL_OK, {64, 32}},   /* smaller than the granularity: as flat as the width allows */
        {2, 512, {64, 16}, TL_OK, {64, 4}},
        {2, 65536, {128, 256}, TL_OK, {128, 256}},
        {2, 65536, {256, 512}, TL_OK, {64, 512}},
        {2, 4096, {12, 256}, TL_ERR_TILE_ROW_BYTES, {0, 0}},
        {2, 4096, {0, 256}, TL_ERR_LAYOUT, {0, 0}},
        {2, 4096, {64, 0}, TL_ERR_LAYOUT, {0, 0}},
        {3, 4096, {64, 64}, TL_ERR_LAYOUT, {0, 0}},
        {2, 256, {64, 64}, TL_ERR_TILE_GRANULARITY, {0, 0}},
        {2, 131072, {64, 64}, TL_ERR_TILE_GRANULARITY, {0, 0}},
        {2, 3072, {64, 64}, TL_ERR_TILE_GRANULARITY, {0, 0}},
    };
    enum { COUNT = sizeof rows / sizeof rows[0] };
    for (size_t k = 0; k < COUNT; k++) {
        uint32_t tile[2] = {0, 0};
        const tl_status status = tl_default_memory_tile(rows[k].element_bytes, rows[k].granularity_bytes,
                                                        rows[k].compute_tile, tile);
        ck_assert_msg(status == rows[k].status && tile[0] == rows[k].memory_tile[0] &&
                          tile[1] == rows[k].memory_tile[1],
                      "row %zu: %s, %u x %u", k, tl_status_name(status), tile[0], tile[1]);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("layout");
    tcase_add_loop_test(tcase, offset_agrees_with_the_oracle_and_inverts, 0, SHAPE_COUNT);
    tcase_add_loop_test(tcase, padding_has_no_index, 0, SHAPE_COUNT);
    tcase_add_loop_test(tcase, eq3_is_eq2, 0, SHAPE_COUNT);
    tcase_add_loop_test(tcase, cute_notation, 0, 6);
    tcase_add_test(tcase, cute_notation_of_the_largest_layouts);
    tcase_add_test(tcase, ranges);
    tcase_add_test(tcase, offsets_beyond_32_bits);
    tcase_add_test(tcase, default_memory_tiles);
    return run_case(tcase, "layout");
}
