/* SPDX-License-Identifier: Apache-2.0 */
/* Pack and unpack of whole matrices against one assignment per element, in every combination of orders. */
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "stage_fixture.h"
#include "tilelens/layout.h"

typedef struct matrix {
    uint64_t rows, columns;
    uint32_t element_bytes;
    uint32_t a, b;
    uint64_t linear_pad, tiled_pad; /* elements added to the leading strides */
} matrix;

static const matrix MATRICES[] = {
    {384, 128, 1, 128, 32, 0, 0},
    {384, 128, 1, 64, 64, 16, 64},
    {256, 96, 2, 64, 32, 0, 0},
    {320, 97, 2, 64, 32, 0, 0},   /* odd N */
    {333, 101, 2, 64, 32, 3, 128}, /* odd both, a whole padding tile */
    {40, 70, 2, 8, 32, 0, 0},
    {129, 65, 4, 32, 32, 1, 0},
    {96, 64, 4, 4, 256, 0, 0},
    {70, 45, 8, 2, 64, 5, 2},
    {64, 64, 8, 16, 32, 0, 0},
    {3000, 3, 1, 2048, 2, 0, 0},
    {3, 3000, 1, 16, 32, 0, 0},
    {1, 1, 8, 8192, 1, 0, 0},
    {700, 300, 2, 64, 512, 0, 0}, /* 64 KiB */
};
enum { MATRIX_COUNT = sizeof MATRICES / sizeof MATRICES[0], ORDER_PAIRS = 4, MARGIN = 64, UNTOUCHED = 0xA5 };

/* An image between two margins that must stay as they are. */
typedef struct image {
    size_t bytes;
    unsigned char *whole;
    unsigned char *data;
} image;

static image image_of(const tl_layout *layout)
{
    image out = {.bytes = (size_t)tl_layout_bytes(layout)};
    ck_assert_uint_gt(out.bytes, 0);
    const size_t whole_bytes = MARGIN + out.bytes + MARGIN;
    out.whole = malloc(whole_bytes);
    ck_assert_ptr_nonnull(out.whole);
    memset(out.whole, UNTOUCHED, whole_bytes);
    out.data = out.whole + MARGIN;
    return out;
}

static void check_margins_and_free(image *img)
{
    for (size_t k = 0; k < MARGIN; k++) {
        ck_assert_uint_eq(img->whole[k], UNTOUCHED);
        ck_assert_uint_eq(img->data[img->bytes + k], UNTOUCHED);
    }
    free(img->whole);
}

static uint64_t offset_bytes(const tl_layout *layout, uint64_t row, uint64_t column)
{
    const uint64_t i = layout->order == TL_COLUMN_MAJOR ? row : column;
    const uint64_t j = layout->order == TL_COLUMN_MAJOR ? column : row;
    return tl_oracle_offset(i, j, layout->leading, layout->memory_tile[0], layout->memory_tile[1]) *
           layout->element_bytes;
}

/* The definition of a copy: every element goes to its place, everything else keeps what `to` holds. */
static void copy_elements(const tl_layout *to, image *target, const tl_layout *from, const image *source)
{
    for (uint64_t row = 0; row < from->rows; row++) {
        for (uint64_t column = 0; column < from->columns; column++) {
            memcpy(target->data + offset_bytes(to, row, column), source->data + offset_bytes(from, row, column),
                   from->element_bytes);
        }
    }
}

static void fill_random(image *img)
{
    uint64_t state = 0x1234567;
    for (size_t k = 0; k < img->bytes; k++) {
        img->data[k] = (unsigned char)(next_random(&state) >> 32);
    }
}

static void make_layouts(int index, tl_layout *linear, tl_layout *tiled)
{
    const matrix *m = &MATRICES[index / ORDER_PAIRS];
    *linear = tl_layout_linear((tl_order)(index % 2), m->rows, m->columns, m->element_bytes);
    *tiled = tl_layout_tile_major((tl_order)(index / 2 % 2), m->rows, m->columns, m->element_bytes, m->a, m->b);
    linear->leading += m->linear_pad;
    tiled->leading += m->tiled_pad / m->a * m->a;
}

START_TEST(pack_moves_every_element_and_clears_padding)
{
    tl_layout linear, tiled;
    make_layouts(_i, &linear, &tiled);
    image source = image_of(&linear), packed = image_of(&tiled), expected = image_of(&tiled);
    fill_random(&source);
    memset(expected.data, 0, expected.bytes);
    copy_elements(&tiled, &expected, &linear, &source);
    ck_assert_int_eq(tl_pack(&linear, source.data, &tiled, packed.data), TL_OK);
    ck_assert_mem_eq(packed.data, expected.data, expected.bytes);
    check_margins_and_free(&source);
    check_margins_and_free(&packed);
    check_margins_and_free(&expected);
}
END_TEST

START_TEST(unpack_moves_every_element_and_leaves_padding)
{
    tl_layout linear, tiled;
    make_layouts(_i, &linear, &tiled);
    image packed = image_of(&tiled), target = image_of(&linear), expected = image_of(&linear);
    fill_random(&packed);
    copy_elements(&linear, &expected, &tiled, &packed);
    ck_assert_int_eq(tl_unpack(&tiled, packed.data, &linear, target.data), TL_OK);
    ck_assert_mem_eq(target.data, expected.data, expected.bytes);
    check_margins_and_free(&packed);
    check_margins_and_free(&target);
    check_margins_and_free(&expected);
}
END_TEST

/* Images need no alignment beyond that of bytes. */
START_TEST(unaligned_images)
{
    const tl_layout linear = tl_layout_linear(TL_COLUMN_MAJOR, 192, 70, 2);
    const tl_layout tiled = tl_layout_tile_major((tl_order)(_i % 2), 192, 70, 2, 64, 32);
    image source = image_of(&linear), packed = image_of(&tiled), back = image_of(&linear);
    const size_t shift = (size_t)_i / 2 + 1;
    fill_random(&source);
    ck_assert_int_eq(tl_pack(&linear, source.data, &tiled, packed.data - shift), TL_OK);
    ck_assert_int_eq(tl_unpack(&tiled, packed.data - shift, &linear, back.data), TL_OK);
    ck_assert_mem_eq(back.data, source.data, source.bytes);
    memmove(packed.data, packed.data - shift, packed.bytes);
    memset(packed.data - shift, UNTOUCHED, shift);
    memset(back.data, UNTOUCHED, back.bytes);
    ck_assert_int_eq(tl_unpack(&tiled, packed.data, &linear, back.data - shift), TL_OK);
    ck_assert_mem_eq(back.data - shift, source.data, source.bytes);
    memset(back.data - shift, UNTOUCHED, shift);
    check_margins_and_free(&source);
    check_margins_and_free(&packed);
    check_margins_and_free(&back);
}
END_TEST

START_TEST(refusals)
{
    static const tl_status expected[] = {
        TL_OK, TL_ERR_LAYOUT, TL_ERR_LAYOUT, TL_ERR_LAYOUT, TL_ERR_LAYOUT, TL_ERR_LAYOUT, TL_ERR_LAYOUT,
        TL_ERR_TILE_SHAPE, TL_ERR_LEADING_STRIDE_ALIGN, TL_ERR_NULL, TL_ERR_NULL,
    };
    enum { BYTES = 64 * 32 * 2 };
    tl_layout linear = tl_layout_linear(TL_COLUMN_MAJOR, 64, 32, 2);
    tl_layout tiled = tl_layout_tile_major(TL_COLUMN_MAJOR, 64, 32, 2, 64, 32);
    unsigned char linear_data[BYTES] = {0}, tiled_data[BYTES] = {0};
    void *linear_image = linear_data, *tiled_image = tiled_data;
    switch (_i) {
    case 1: linear.rows--; break;
    case 2: tiled.columns--; break;
    case 3: linear.element_bytes = 1; break;
    case 4: tiled = tl_layout_linear(TL_COLUMN_MAJOR, 64, 32, 2); break;
    case 5: linear = tl_layout_tile_major(TL_COLUMN_MAJOR, 64, 32, 2, 64, 32); break;
    case 6: linear.leading = 63; break;
    case 7: tiled.memory_tile[1] = 31; break;
    case 8: tiled.leading = 96; break;
    case 9: linear_image = NULL; break;
    case 10: tiled_image = NULL; break;
    default: break;
    }
    ck_assert_int_eq(tl_pack(&linear, linear_image, &tiled, tiled_image), expected[_i]);
    ck_assert_int_eq(tl_unpack(&tiled, tiled_image, &linear, linear_image), expected[_i]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("pack");
    tcase_add_loop_test(tcase, pack_moves_every_element_and_clears_padding, 0, MATRIX_COUNT * ORDER_PAIRS);
    tcase_add_loop_test(tcase, unpack_moves_every_element_and_leaves_padding, 0, MATRIX_COUNT * ORDER_PAIRS);
    tcase_add_loop_test(tcase, unaligned_images, 0, 40);
    tcase_add_loop_test(tcase, refusals, 0, 11);
    return run_case(tcase, "pack");
}
