/* SPDX-License-Identifier: Apache-2.0 */
/* Stage desc_decode: fields, statuses and their order, and the bit offsets shared with rtl/tma_pkg.sv. */
#include <stdio.h>
#include <string.h>

#include "stage_fixture.h"
#include "tilelens/desc_decode.h"
#include "tilelens/tensor_map_bits.h"

/* bf16, 2-D, K = 4096, memory tile (64,32), 128-byte swizzle. */
static tl_tensor_params weight_params(void)
{
    tl_tensor_params params;
    memset(&params, 0, sizeof params);
    params.data_type = TL_BFLOAT16;
    params.rank = 2;
    params.global_address = 0x7f0000000000;
    params.global_dim[0] = 4096;
    params.global_dim[1] = 1536;
    params.global_strides[0] = 8192;
    params.box_dim[0] = 64;
    params.box_dim[1] = 250;
    params.element_strides[0] = 1;
    params.element_strides[1] = 3;
    params.swizzle = TL_SWIZZLE_128B;
    params.has_tile_major = true;
    params.tile_major.leading_stride_bytes = 8192;
    params.tile_major.memory_tile[0] = 64;
    params.tile_major.memory_tile[1] = 32;
    params.tile_major.matrix_address = 0x7f0000000000;
    return params;
}

static tl_tensor_map encode(const tl_tensor_params *params)
{
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, params), TL_OK);
    return map;
}

START_TEST(fields_of_a_weight_matrix)
{
    const tl_tensor_params params = weight_params();
    const tl_tensor_map map = encode(&params);
    tl_fields fields;
    ck_assert_int_eq(tl_desc_decode(&map, 0, 0x400, TL_GENERAL, &fields), TL_OK);
    ck_assert_uint_eq(fields.rank, 2);
    ck_assert_uint_eq(fields.log2_s, 1);
    ck_assert(fields.tile_major);
    ck_assert_uint_eq(fields.log2_a16, 3); /* 64 * 2 / 16 units */
    ck_assert_uint_eq(fields.log2_b, 5);
    ck_assert_uint_eq(fields.row_bytes, 128);
    ck_assert_uint_eq(fields.pitch_bytes, 128);
    ck_assert_uint_eq(fields.origin, 0x7f000000000);
    ck_assert_uint_eq(fields.origin_column, 0);
    ck_assert_uint_eq(fields.dim_minus_1[0], 4095);
    ck_assert_uint_eq(fields.dim_minus_1[1], 1535);
    ck_assert_uint_eq(fields.step[1], 3);
    ck_assert_uint_eq(fields.limit[1], 249); /* ceil(250/3) = 84 elements: (84-1)*3 */
    ck_assert_uint_eq(fields.stride[0], 32);
    ck_assert_uint_eq(fields.stride[1], 512);
    ck_assert_uint_eq(fields.column_step[1], 1);
    ck_assert_uint_eq(fields.leading, 512);
    ck_assert_uint_eq(fields.tile_column, 512 * 32);
}
END_TEST

START_TEST(view_inside_the_matrix)
{
    tl_tensor_params params = weight_params();
    params.global_address += 37 * 8192 + 256; /* i0 = 128 elements, j0 = 37 */
    params.global_dim[0] = 1024;
    params.global_dim[1] = 1000;
    const tl_tensor_map map = encode(&params);
    tl_fields fields;
    ck_assert_int_eq(tl_desc_decode(&map, 0, 0, TL_GENERAL, &fields), TL_OK);
    ck_assert_uint_eq(fields.origin, 0x7f000000000 + 16 * 32 + 37 * 512);
    ck_assert_uint_eq(fields.origin_column, 37 % 32);
    ck_assert_int_eq(tl_desc_decode(&map, 0, 0, TL_PAPER, &fields), TL_ERR_PAPER_ORIGIN);
}
END_TEST

START_TEST(pitch_follows_the_swizzle)
{
    static const struct { tl_swizzle swizzle; uint32_t pitch_bytes; } rows[] = {
        {TL_SWIZZLE_NONE, 16}, {TL_SWIZZLE_32B, 32}, {TL_SWIZZLE_64B, 64}, {TL_SWIZZLE_128B, 128},
        {TL_SWIZZLE_128B_ATOM_32B, 128}, {TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, 128}, {TL_SWIZZLE_128B_ATOM_64B, 128},
    };
    tl_tensor_params params = weight_params();
    params.box_dim[0] = 8;
    params.swizzle = rows[_i].swizzle;
    const tl_tensor_map map = encode(&params);
    tl_fields fields;
    ck_assert_int_eq(tl_desc_decode(&map, 0, 0, TL_GENERAL, &fields), TL_OK);
    ck_assert_uint_eq(fields.pitch_bytes, rows[_i].pitch_bytes);
    ck_assert_uint_eq(fields.row_bytes, 16);
}
END_TEST

START_TEST(statuses_in_their_order)
{
    const tl_tensor_params params = weight_params();
    tl_tensor_map map = encode(&params);
    tl_fields fields;
    ck_assert_int_eq(tl_desc_decode(&map, 8, 0x80, TL_BASELINE, &fields), TL_ERR_TILE_MAJOR_UNSUPPORTED);
    ck_assert_int_eq(tl_desc_decode(&map, 8, 0x81, TL_BASELINE, &fields), TL_ERR_SHARED_ADDRESS_ALIGN);
    ck_assert_int_eq(tl_desc_decode(&map, -9, 0x81, TL_BASELINE, &fields), TL_ERR_COORDINATE_ALIGN);
    tl_map_set(&map, TL_MAP_PAPER_REFUSAL_LSB, TL_MAP_PAPER_REFUSAL_BITS, TL_ERR_PAPER_ROW_STRIDE);
    ck_assert_int_eq(tl_desc_decode(&map, 8, 0, TL_PAPER, &fields), TL_ERR_PAPER_ROW_STRIDE);
    ck_assert_int_eq(tl_desc_decode(&map, 8, 0, TL_GENERAL, &fields), TL_OK);
}
END_TEST

START_TEST(not_a_map)
{
    static const struct { unsigned lsb, bits; uint64_t value; } rows[] = {
        {TL_MAP_VERSION_LSB, TL_MAP_VERSION_BITS, 0}, {TL_MAP_RANK_LSB, TL_MAP_RANK_BITS, 0},
        {TL_MAP_RANK_LSB, TL_MAP_RANK_BITS, 6}, {TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS, 13},
        {TL_MAP_INTERLEAVE_LSB, TL_MAP_INTERLEAVE_BITS, 1}, {TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS, 7},
    };
    const tl_tensor_params params = weight_params();
    tl_tensor_map map = encode(&params);
    tl_map_set(&map, rows[_i].lsb, rows[_i].bits, rows[_i].value);
    tl_fields fields;
    ck_assert_int_eq(tl_desc_decode(&map, 1, 1, TL_GENERAL, &fields), TL_ERR_MAP_INVALID);
}
END_TEST

static int rtl_constant(const char *text, const char *name)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s ", name);
    const char *at = strstr(text, pattern);
    ck_assert_msg(at != NULL, "rtl/tma_pkg.sv has no %s", name);
    at = strchr(at, '=');
    const char *quote = strchr(at, '\''), *end = strchr(at, ';');
    if (quote != NULL && quote < end) { /* 4'd9, 8'h54 */
        return (int)strtol(quote + 2, NULL, quote[1] == 'h' ? 16 : 10);
    }
    return (int)strtol(at + 1, NULL, 10);
}

START_TEST(rtl_package_has_the_same_numbers)
{
    static const struct { const char *name; int value; } rows[] = {
        {"MapDimMinus1", TL_MAP_DIM_MINUS_1_LSB}, {"MapBoxMinus1", TL_MAP_BOX_MINUS_1_LSB},
        {"MapStepMinus1", TL_MAP_STEP_MINUS_1_LSB}, {"MapRank", TL_MAP_RANK_LSB}, {"MapDataType", TL_MAP_DATA_TYPE_LSB},
        {"MapInterleave", TL_MAP_INTERLEAVE_LSB}, {"MapSwizzle", TL_MAP_SWIZZLE_LSB},
        {"MapTileMajor", TL_MAP_TILE_MAJOR_LSB}, {"MapLog2A16", TL_MAP_LOG2_A16_LSB}, {"MapLog2B", TL_MAP_LOG2_B_LSB},
        {"MapSplitDim", TL_MAP_SPLIT_DIM_LSB}, {"MapPaperRefusal", TL_MAP_PAPER_REFUSAL_LSB},
        {"MapVersion", TL_MAP_VERSION_LSB}, {"MapLimit", TL_MAP_LIMIT_LSB}, {"MapColumnStep", TL_MAP_COLUMN_STEP_LSB},
        {"MapStride", TL_MAP_STRIDE_LSB}, {"MapOrigin", TL_MAP_ORIGIN_LSB}, {"MapLeading", TL_MAP_LEADING_LSB},
        {"MapTileColumn", TL_MAP_TILE_COLUMN_LSB}, {"MapOriginColumn", TL_MAP_ORIGIN_COLUMN_LSB},
        {"Version", TL_MAP_VERSION}, {"LastDataType", TL_TFLOAT32_FTZ},
        {"SwizzleNone", TL_SWIZZLE_NONE}, {"Swizzle32B", TL_SWIZZLE_32B}, {"Swizzle64B", TL_SWIZZLE_64B},
        {"Swizzle128B", TL_SWIZZLE_128B}, {"SwizzleAtom32B", TL_SWIZZLE_128B_ATOM_32B},
        {"SwizzleFlip8B", TL_SWIZZLE_128B_ATOM_32B_FLIP_8B}, {"SwizzleAtom64B", TL_SWIZZLE_128B_ATOM_64B},
        {"StatusOk", TL_OK}, {"StatusMapInvalid", TL_ERR_MAP_INVALID},
        {"StatusCoordinateAlign", TL_ERR_COORDINATE_ALIGN}, {"StatusSharedAddressAlign", TL_ERR_SHARED_ADDRESS_ALIGN},
        {"StatusTileMajorUnsupported", TL_ERR_TILE_MAJOR_UNSUPPORTED},
        {"StatusPaperRowAlign", TL_ERR_PAPER_ROW_ALIGN}, {"StatusPaperColumnAlign", TL_ERR_PAPER_COLUMN_ALIGN},
        {"Baseline", TL_BASELINE}, {"Paper", TL_PAPER}, {"General", TL_GENERAL},
    };
    static char text[16384];
    FILE *file = fopen("../../rtl/tma_pkg.sv", "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        ck_assert_msg(rtl_constant(text, rows[k].name) == rows[k].value, "rtl/tma_pkg.sv: %s differs", rows[k].name);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("desc_decode");
    tcase_add_test(tcase, fields_of_a_weight_matrix);
    tcase_add_test(tcase, view_inside_the_matrix);
    tcase_add_loop_test(tcase, pitch_follows_the_swizzle, 0, 7);
    tcase_add_test(tcase, statuses_in_their_order);
    tcase_add_loop_test(tcase, not_a_map, 0, 6);
    tcase_add_test(tcase, rtl_package_has_the_same_numbers);
    return run_case(tcase, "desc_decode");
}
