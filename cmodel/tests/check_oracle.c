/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle against numbers worked out by hand, in the papers, and in vendor documentation. */
#include "oracle.h"

#include "stage_fixture.h"

enum { MATRIX = 1 << 20 };

static tl_tensor_params plain(tl_data_type type, uint32_t rank, const uint64_t *dim, const uint64_t *strides_bytes,
                              const uint32_t *box)
{
    tl_tensor_params params = {.data_type = type, .rank = rank, .global_address = MATRIX};
    for (uint32_t d = 0; d < rank; d++) {
        params.global_dim[d] = dim[d];
        params.box_dim[d] = box[d];
        params.element_strides[d] = 1;
        if (d > 0) {
            params.global_strides[d - 1] = strides_bytes[d - 1];
        }
    }
    return params;
}

static void make_tile_major(tl_tensor_params *params, uint64_t leading_stride_bytes, uint32_t a, uint32_t b)
{
    params->has_tile_major = true;
    params->tile_major = (tl_tile_major){leading_stride_bytes, {a, b}, MATRIX};
}

static tl_oracle_element element_of(const tl_tensor_params *params, const tl_load *load, uint64_t element)
{
    tl_oracle_element out;
    tl_oracle_map(params, load, element, &out);
    return out;
}

/* Fig. 9: FP8, 384 x 128, the 128 x 64 tile at (256, 64), seen in three ways. */
typedef struct fig9_view {
    uint32_t rank;
    uint64_t dim[4];
    uint64_t strides_bytes[3];
    uint32_t box[4];
    int32_t coordinates[4];
} fig9_view;

static const fig9_view FIG9[] = {
    {2, {384, 128}, {384}, {128, 64}, {256, 64}},
    {3, {128, 128, 3}, {384, 128}, {128, 64, 1}, {0, 64, 2}},
    {4, {128, 64, 3, 2}, {384, 128, 24576}, {128, 64, 1, 1}, {0, 0, 2, 1}},
};

static tl_load fig9_load(const fig9_view *view)
{
    tl_load load = {.shared_address = 1024};
    for (uint32_t d = 0; d < view->rank; d++) {
        load.coordinates[d] = view->coordinates[d];
    }
    return load;
}

START_TEST(fig9_column_major)
{
    const fig9_view *view = &FIG9[_i];
    const tl_tensor_params params = plain(TL_UINT8, view->rank, view->dim, view->strides_bytes, view->box);
    const tl_load load = fig9_load(view);
    ck_assert_uint_eq(tl_oracle_count(&params), 8192);
    ck_assert_uint_eq(element_of(&params, &load, 0).src_address, MATRIX + 24832);
    /* element 389 = 3 * 128 + 5 is row 5 of the third next column: 3 * 384 + 5 = 1157 bytes further */
    ck_assert_uint_eq(element_of(&params, &load, 389).src_address, MATRIX + 24832 + 1157);
    ck_assert_uint_eq(element_of(&params, &load, 389).dst_address, 1024 + 389);
}
END_TEST

START_TEST(fig9_tile_major)
{
    const fig9_view *view = &FIG9[_i];
    tl_tensor_params params = plain(TL_UINT8, view->rank, view->dim, view->strides_bytes, view->box);
    const tl_load load = fig9_load(view);
    make_tile_major(&params, 384, 128, 32);
    ck_assert(tl_oracle_tile_major_legal(&params));
    ck_assert(tl_oracle_paper_accepts(&params, &load));
    ck_assert_uint_eq(element_of(&params, &load, 0).src_address, MATRIX + 32768);
    /* 32 columns fill the memory tile of 4 KiB; the next one is a tile column (b * K = 12288 bytes) further */
    ck_assert_uint_eq(element_of(&params, &load, 4095).src_address, MATRIX + 32768 + 4095);
    ck_assert_uint_eq(element_of(&params, &load, 4096).src_address, MATRIX + 32768 + 12288);
}
END_TEST

/* Case 2: a 32 x 32 tile in a 128 x 32 memory tile: (sub-tile | col | row) becomes (col | sub-tile | row). */
START_TEST(case2_is_a_permutation_of_the_offset_bits)
{
    for (uint64_t j = 0; j < 128; j++) {
        for (uint64_t i = 0; i < 384; i++) {
            const uint64_t narrow = (j / 32 * (384 / 32) + i / 32) * 1024 + j % 32 * 32 + i % 32; /* 32 x 32 tiles */
            const uint64_t row = narrow % 32;
            const uint64_t column = narrow / 32 % 32;
            const uint64_t sub_tile = narrow / 1024 % 4;
            if (tl_oracle_offset(i, j, 384, 128, 32) != narrow / 4096 * 4096 + (column << 7 | sub_tile << 5 | row)) {
                ck_abort_msg("element (%llu, %llu)", (unsigned long long)i, (unsigned long long)j);
            }
        }
    }
}
END_TEST

START_TEST(element_strides_skip_columns)
{
    static const uint64_t dim[2] = {384, 128};
    static const uint64_t stride[1] = {768};
    static const uint32_t box[2] = {64, 8};
    static const uint64_t offset_elements[3] = {3840, 4032, 24704};
    tl_tensor_params params = plain(TL_BFLOAT16, 2, dim, stride, box);
    const tl_load load = {.coordinates = {0, 60}};
    params.element_strides[1] = 3;
    make_tile_major(&params, 768, 64, 64);
    ck_assert_uint_eq(tl_oracle_count(&params), 192);
    for (uint64_t k = 0; k < 3; k++) {
        ck_assert_uint_eq(element_of(&params, &load, 64 * k).src_address, MATRIX + 2 * offset_elements[k]);
    }
}
END_TEST

/* Swizzle: the table of each mode, worked on one address. The last row of each pair moves the base by 128 bytes. */
START_TEST(swizzle_uses_absolute_addresses)
{
    static const struct {
        tl_swizzle mode;
        uint32_t inner;          /* elements of 2 bytes */
        uint32_t shared_address;
        uint64_t element;
        uint64_t dst_address;
    } rows[] = {
        {TL_SWIZZLE_128B, 64, 0x400, 5 * 64 + 20, 0x6F8},
        {TL_SWIZZLE_128B, 64, 0x480, 5 * 64 + 20, 0x748},
        {TL_SWIZZLE_64B, 32, 0x400, 5 * 32 + 20, 0x548},
        {TL_SWIZZLE_32B, 16, 0x400, 5 * 16 + 10, 0x4A4},
        {TL_SWIZZLE_128B_ATOM_32B, 64, 0x400, 3 * 64 + 20, 0x400 + 3 * 128 + (40 ^ 0x60)},
        {TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, 64, 0x400, 3 * 64 + 20, 0x400 + 3 * 128 + (40 ^ 0x68)},
        {TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, 64, 0x400, 2 * 64 + 20, 0x400 + 2 * 128 + (40 ^ 0x40)},
        {TL_SWIZZLE_128B_ATOM_64B, 64, 0x400, 3 * 64 + 20, 0x400 + 3 * 128 + (40 ^ 0x40)},
        {TL_SWIZZLE_128B_ATOM_64B, 64, 0x400, 2 * 64 + 20, 0x400 + 2 * 128 + 40},
        {TL_SWIZZLE_NONE, 64, 0x400, 5 * 64 + 20, 0x6A8},
        /* a box row narrower than the span still takes the whole span: pitch 64, not 32 */
        {TL_SWIZZLE_64B, 16, 0x400, 3 * 16 + 1, 0x400 + 3 * 64 + (2 ^ 0x10)},
        {TL_SWIZZLE_128B, 16, 0x400, 1 * 16 + 1, 0x400 + 1 * 128 + (2 ^ 0x10)},
    };
    static const uint64_t dim[2] = {1024, 16};
    static const uint64_t stride[1] = {2048};
    const uint32_t box[2] = {rows[_i].inner, 8};
    const tl_load load = {.shared_address = rows[_i].shared_address};
    tl_tensor_params params = plain(TL_FLOAT16, 2, dim, stride, box);
    params.swizzle = rows[_i].mode;
    ck_assert_uint_eq(element_of(&params, &load, rows[_i].element).dst_address, rows[_i].dst_address);
}
END_TEST

START_TEST(view_coordinates_decide_what_is_out_of_bounds)
{
    static const uint64_t dim[3] = {24, 10, 2}; /* rows of 24 in a pitch of 32: padding is no data */
    static const uint64_t strides[2] = {64, 64};
    static const uint32_t box[3] = {32, 4, 2};
    const tl_tensor_params params = plain(TL_FLOAT16, 3, dim, strides, box);
    const tl_load load = {.coordinates = {-8, 8, 0}};
    for (uint64_t element = 0; element < 256; element++) {
        const int64_t g0 = -8 + (int64_t)(element % 32);
        const int64_t g1 = 8 + (int64_t)(element / 32 % 4);
        const uint64_t g2 = element / 128;
        const tl_oracle_element out = element_of(&params, &load, element);
        ck_assert(out.fill == (g0 < 0 || g0 >= 24 || g1 >= 10));
        if (!out.fill) {
            ck_assert_uint_eq(out.src_address, MATRIX + (uint64_t)g0 * 2 + (uint64_t)g1 * 64 + g2 * 64);
        }
    }
}
END_TEST

/* A view that begins inside the matrix: row and column count from the matrix, bounds from the view. */
START_TEST(view_inside_the_matrix)
{
    static const uint64_t dim[2] = {80, 60};
    static const uint64_t stride[1] = {512};
    static const uint32_t box[2] = {16, 2};
    tl_tensor_params params = plain(TL_BFLOAT16, 2, dim, stride, box);
    const tl_load load = {.coordinates = {16, 40}};
    make_tile_major(&params, 512, 64, 32);
    params.global_address += 1696; /* element (80, 3): 3 * 512 + 80 * 2 bytes */
    ck_assert(tl_oracle_tile_major_legal(&params));
    ck_assert(!tl_oracle_paper_accepts(&params, &load));
    ck_assert_uint_eq(element_of(&params, &load, 17).src_address,
                      MATRIX + 2 * tl_oracle_offset(80 + 16 + 1, 3 + 40 + 1, 256, 64, 32));
}
END_TEST

/* Addresses that wrap at 2^64: three steps of 2^34 - ld, ld and ld elements, as ragged views use them. */
START_TEST(sums_wrap_at_64_bits)
{
    const uint64_t ld_bytes = 8192;
    const uint64_t dim[4] = {4096, (uint64_t)1 << 30, 0x7FFF0000, 0x7FFF0000};
    const uint64_t strides[3] = {ld_bytes, ld_bytes, ((uint64_t)1 << 34) - ld_bytes};
    static const uint32_t box[4] = {64, 64, 1, 1};
    tl_tensor_params params = plain(TL_UINT8, 4, dim, strides, box);
    const tl_load load = {.coordinates = {128, (1 << 30) - 64 + 5, 1000 + 64, 1 << 30}};
    const uint64_t row = 1000 + 5; /* the wrapped sum is 2^64 + (offset + row) * ld + k */
    ck_assert_uint_eq(element_of(&params, &load, 0).src_address, MATRIX + row * ld_bytes + 128);
    make_tile_major(&params, ld_bytes, 64, 64);
    ck_assert(tl_oracle_tile_major_legal(&params));
    ck_assert_uint_eq(element_of(&params, &load, 64 + 7).src_address,
                      MATRIX + tl_oracle_offset(128 + 7, row + 1, ld_bytes, 64, 64));
}
END_TEST

START_TEST(legality)
{
    static const uint64_t dim[2] = {384, 128};
    static const uint64_t stride[1] = {768};
    static const uint32_t box[2] = {64, 8};
    tl_tensor_params params = plain(TL_BFLOAT16, 2, dim, stride, box);
    tl_tile_major *tile = &params.tile_major;
    make_tile_major(&params, 768, 64, 32);
    bool expected = false;
    switch (_i) {
    case 0: expected = true; break;
    case 1: tile->memory_tile[0] = 48; break;
    case 2: tile->memory_tile[1] = 0; break;
    case 3: tile->memory_tile[0] = 4; tile->memory_tile[1] = 512; break; /* 8 bytes wide */
    case 4: tile->memory_tile[1] = 2; break;                             /* 256 bytes */
    case 5: tile->memory_tile[1] = 1024; break;                          /* 128 KiB */
    case 6: tile->memory_tile[0] = 256; tile->memory_tile[1] = 8; break; /* 768 is no multiple of 512 */
    case 7: tile->matrix_address = params.global_address -= 2048; break; /* not on 4 KiB */
    case 8: params.global_address -= 4096; break;                        /* below the matrix */
    case 9: params.global_strides[0] = 768 + 384; break;                 /* diagonal */
    case 10: params.global_strides[0] = 768 + 384; params.global_dim[1] = 1; expected = true; break;
    case 11: params.global_address += 128; break;                        /* row 64 + 383 reaches 384 */
    case 12: params.global_address += 128; params.global_dim[0] = 320; expected = true; break;
    case 13: params.global_strides[0] = 256; break;                      /* row side: 383 + 127 * 128 */
    case 14: params.global_strides[0] = 0; expected = true; break;
    case 15: params.global_strides[0] = tile->leading_stride_bytes = (uint64_t)1 << 35; break; /* b*KL*s = 2^40 */
    case 16: params.global_strides[0] = tile->leading_stride_bytes = (uint64_t)1 << 34; expected = true; break;
    case 17: params.global_dim[1] = (uint64_t)1 << 31; expected = true; break;
    case 18: params.global_dim[1] = ((uint64_t)1 << 31) + 1; break;
    case 19: params.global_strides[0] = tile->leading_stride_bytes = 1024;
             params.global_dim[1] = (uint64_t)1 << 32; expected = true; break;
    case 20: /* rule 4: the view ends 2^64 bytes after the matrix begins, or one element later */
    case 21: /* 2^64 / KL = 715827882 2/3 */
        params.data_type = TL_UINT64;
        params.global_strides[0] = tile->leading_stride_bytes = (uint64_t)3 << 33;
        params.global_address = UINT64_MAX - 16383;
        tile->matrix_address = params.global_address - 5 * tile->leading_stride_bytes;
        params.global_dim[0] = ((uint64_t)1 << 31) + (_i == 21);
        params.global_dim[1] = 715827882 - 5 + 1;
        expected = _i == 20;
        break;
    default: tile->leading_stride_bytes = 0; break;
    }
    ck_assert_int_eq(tl_oracle_tile_major_legal(&params), expected);
}
END_TEST

START_TEST(paper_predicate)
{
    static const uint64_t dim[4] = {64, 512, 6, 2};
    static const uint64_t strides[3] = {768, 128, 393216};
    static const uint32_t box[4] = {64, 64, 2, 1};
    tl_tensor_params params = plain(TL_BFLOAT16, 4, dim, strides, box);
    tl_load load = {.coordinates = {0, 32, 1, 1}};
    make_tile_major(&params, 768, 64, 32);
    bool expected = false;
    switch (_i) {
    case 0: expected = true; break;
    case 1: params.box_dim[0] = 48; break;
    case 2: params.box_dim[0] = 128; break;                              /* wider than a */
    case 3: params.box_dim[0] = 32; load.coordinates[0] = -32; expected = true; break;
    case 4: load.coordinates[0] = 32; break;                             /* i mod u */
    case 5: load.coordinates[1] = 33; break;                             /* j mod b */
    case 6: load.coordinates[1] = -96; expected = true; break;
    case 7: load.coordinates[1] = -95; break;
    case 8: params.box_dim[1] = 80; break;                               /* v >= b, no multiple */
    case 9: params.box_dim[1] = 7; expected = true; break;               /* v < b */
    case 10: params.element_strides[1] = 2; break;                       /* a step of 2 columns */
    case 11: params.element_strides[1] = 8; params.global_strides[0] = 3072; expected = true; break;
    case 12: params.box_dim[1] = 1; params.element_strides[1] = 2; expected = true; break;
    case 13: params.global_strides[1] = 16; load.coordinates[2] = 0; break; /* row-side step below u */
    case 14: /* two dimensions step inside a tile */
        params.global_strides[2] = 768; params.box_dim[3] = 2; load.coordinates[3] = 0; break;
    case 15: params.box_dim[3] = 2; expected = true; break;              /* 512 columns: whole tiles */
    case 16: params.global_dim[3] = 1; params.global_strides[2] = 768 + 16; expected = true; break;
    case 17: params.global_dim[3] = 1; params.global_strides[2] = 768 + 16; params.box_dim[3] = 2; break;
    case 18: params.global_address += 4096; break;
    default: params.has_tile_major = false; params.box_dim[0] = 48; expected = true; break;
    }
    ck_assert_int_eq(tl_oracle_paper_accepts(&params, &load), expected);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("oracle");
    tcase_add_loop_test(tcase, fig9_column_major, 0, 3);
    tcase_add_loop_test(tcase, fig9_tile_major, 0, 3);
    tcase_add_test(tcase, case2_is_a_permutation_of_the_offset_bits);
    tcase_add_test(tcase, element_strides_skip_columns);
    tcase_add_loop_test(tcase, swizzle_uses_absolute_addresses, 0, 12);
    tcase_add_test(tcase, view_coordinates_decide_what_is_out_of_bounds);
    tcase_add_test(tcase, view_inside_the_matrix);
    tcase_add_test(tcase, sums_wrap_at_64_bits);
    tcase_add_loop_test(tcase, legality, 0, 23);
    tcase_add_loop_test(tcase, paper_predicate, 0, 20);
    return run_case(tcase, "oracle");
}
