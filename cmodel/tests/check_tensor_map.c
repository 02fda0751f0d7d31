/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor map: encode and decode, bit by bit; status texts. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random_load.h"
#include "tilelens/tensor_map.h"
#include "tilelens/tensor_map_bits.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))

static tl_tensor_params plain_params(void)
{
    return (tl_tensor_params){
        .data_type = TL_FLOAT16,
        .rank = 5,
        .global_address = 0x7f0000000010,
        .global_dim = {1024, 64, 32, 16, 8},
        .global_strides = {2048, 131072, 4194304, 67108864},
        .box_dim = {64, 8, 2, 1, 1},
        .element_strides = {1, 1, 1, 1, 1},
    };
}

START_TEST(encode_tiled_is_encode)
{
    const tl_tile_major tile = {.leading_stride_bytes = 2048, .memory_tile = {64, 32}, .matrix_address = 0x10000};
    tl_tensor_params params = plain_params();
    params.rank = (uint32_t)_i;
    params.global_address = 0x10000;
    tl_tensor_map map, same;
    for (int tiled = 0; tiled < 2; tiled++) {
        params.has_tile_major = tiled;
        params.tile_major = tile;
        ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
        ck_assert_int_eq(tl_tensor_map_encode_tiled(&same, TL_FLOAT16, params.rank, 0x10000, params.global_dim,
                                                    params.rank == 1 ? NULL : params.global_strides, params.box_dim,
                                                    params.element_strides, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE,
                                                    TL_L2_NONE, TL_OOB_ZERO, tiled ? &tile : NULL),
                         TL_OK);
        ck_assert_mem_eq(&map, &same, sizeof map);
    }
}
END_TEST

static tl_status encode_tiled(tl_tensor_map *map, uint32_t rank, const uint64_t *dim, const uint64_t *strides,
                              const uint32_t *box, const uint32_t *steps)
{
    return tl_tensor_map_encode_tiled(map, TL_FLOAT16, rank, 16, dim, strides, box, steps, TL_INTERLEAVE_NONE,
                                      TL_SWIZZLE_NONE, TL_L2_NONE, TL_OOB_ZERO, NULL);
}

START_TEST(null_pointers_are_refused)
{
    const uint64_t dim[] = {64, 1}, strides[] = {128};
    const uint32_t box[] = {64, 1}, steps[] = {1, 1};
    tl_tensor_map map;
    tl_tensor_params params = plain_params();
    ck_assert_int_eq(encode_tiled(&map, 2, dim, strides, box, steps), TL_OK);
    ck_assert_int_eq(encode_tiled(&map, 1, dim, NULL, box, steps), TL_OK);
    ck_assert_int_eq(encode_tiled(NULL, 2, dim, strides, box, steps), TL_ERR_NULL);
    ck_assert_int_eq(encode_tiled(&map, 2, NULL, strides, box, steps), TL_ERR_NULL);
    ck_assert_int_eq(encode_tiled(&map, 2, dim, NULL, box, steps), TL_ERR_NULL);
    ck_assert_int_eq(encode_tiled(&map, 2, dim, strides, NULL, steps), TL_ERR_NULL);
    ck_assert_int_eq(encode_tiled(&map, 2, dim, strides, box, NULL), TL_ERR_NULL);
    ck_assert_int_eq(encode_tiled(&map, 0, dim, strides, box, steps), TL_ERR_RANK);
    ck_assert_int_eq(encode_tiled(&map, 1000000, dim, strides, box, steps), TL_ERR_RANK);
    ck_assert_int_eq(tl_tensor_map_encode(NULL, &params), TL_ERR_NULL);
    ck_assert_int_eq(tl_tensor_map_encode(&map, NULL), TL_ERR_NULL);
    ck_assert_int_eq(tl_tensor_map_decode(NULL, &params), TL_ERR_NULL);
    ck_assert_int_eq(tl_tensor_map_decode(&map, NULL), TL_ERR_NULL);
}
END_TEST

/** Entries at and above rank must be 0 in `found`. */
static bool same_params(const tl_tensor_params *found, const tl_tensor_params *given)
{
    bool same = found->data_type == given->data_type && found->rank == given->rank &&
                found->global_address == given->global_address && found->interleave == given->interleave &&
                found->swizzle == given->swizzle && found->l2_promotion == given->l2_promotion &&
                found->oob_fill == given->oob_fill && found->has_tile_major == given->has_tile_major;
    for (uint32_t d = 0; d < TL_MAX_RANK; d++) {
        const bool used = d < given->rank;
        same = same && found->global_dim[d] == (used ? given->global_dim[d] : 0) &&
               found->box_dim[d] == (used ? given->box_dim[d] : 0) &&
               found->element_strides[d] == (used ? given->element_strides[d] : 0) &&
               (d == 0 || found->global_strides[d - 1] == (used ? given->global_strides[d - 1] : 0));
    }
    const tl_tile_major *a = &found->tile_major, *b = &given->tile_major;
    return same && (!given->has_tile_major ||
                    (a->leading_stride_bytes == b->leading_stride_bytes && a->matrix_address == b->matrix_address &&
                     a->memory_tile[0] == b->memory_tile[0] && a->memory_tile[1] == b->memory_tile[1]));
}

START_TEST(decode_returns_what_encode_was_given)
{
    int tile_major = 0, plain = 0;
    for (uint64_t index = 0; index < 5000; index++) {
        tl_random_load random;
        tl_random_load_make(&random, 1, index);
        tl_tensor_map map;
        tl_tensor_params decoded;
        if (!random.legal) {
            continue;
        }
        random.params.element_strides[0] = 1 + (uint32_t)(index % 8); /* no effect, but kept */
        random.params.l2_promotion = (tl_l2_promotion)(index % TL_L2_PROMOTION_COUNT);
        ck_assert_int_eq(tl_tensor_map_encode(&map, &random.params), TL_OK);
        ck_assert_int_eq(tl_tensor_map_decode(&map, &decoded), TL_OK);
        ck_assert_msg(same_params(&decoded, &random.params), "load %u of seed 1", (unsigned)index);
        *(random.params.has_tile_major ? &tile_major : &plain) += 1;
    }
    ck_assert_int_gt(tile_major, 1000);
    ck_assert_int_gt(plain, 1000);
}
END_TEST

/** 1 for every bit that the caller's parameters decide alone; the rest is derived or reserved. */
static void mark_given_bits(bool given[64 * TL_TENSOR_MAP_WORDS])
{
    const unsigned fields[][2] = {
        {TL_MAP_GLOBAL_ADDRESS_LSB, TL_MAP_GLOBAL_ADDRESS_BITS},
        {TL_MAP_MATRIX_ADDRESS_LSB, TL_MAP_MATRIX_ADDRESS_BITS},
        {TL_MAP_DIM_MINUS_1_LSB, 5 * 32},
        {TL_MAP_BOX_MINUS_1_LSB, 5 * 8},
        {TL_MAP_STEP_MINUS_1_LSB, 5 * 3},
        {TL_MAP_RANK_LSB, TL_MAP_TILE_MAJOR_LSB + 1 - TL_MAP_RANK_LSB},
        {TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS + TL_MAP_LOG2_B_BITS},
        {TL_MAP_LEADING_LSB, TL_MAP_LEADING_BITS},
        {TL_MAP_STRIDE_BYTES_LSB + 0 * 64, TL_MAP_STRIDE_BYTES_BITS},
        {TL_MAP_STRIDE_BYTES_LSB + 1 * 64, TL_MAP_STRIDE_BYTES_BITS},
        {TL_MAP_STRIDE_BYTES_LSB + 2 * 64, TL_MAP_STRIDE_BYTES_BITS},
        {TL_MAP_STRIDE_BYTES_LSB + 3 * 64, TL_MAP_STRIDE_BYTES_BITS},
    };
    for (int f = 0; f < COUNT_OF(fields); f++) {
        for (unsigned bit = 0; bit < fields[f][1]; bit++) {
            given[fields[f][0] + bit] = true;
        }
    }
}

/* A given bit may lead to another legal map, but then to exactly that one. */
START_TEST(one_wrong_derived_or_reserved_bit_is_refused)
{
    bool given[64 * TL_TENSOR_MAP_WORDS] = {false};
    mark_given_bits(given);
    tl_tensor_params params = plain_params();
    tl_tensor_map map;
    params.global_address = 0x10000;
    params.tile_major =
        (tl_tile_major){.leading_stride_bytes = 2048, .memory_tile = {64, 32}, .matrix_address = 0x10000};
    params.has_tile_major = _i == 1;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    for (unsigned bit = 0; bit < 64 * TL_TENSOR_MAP_WORDS; bit++) {
        tl_tensor_map flipped = map;
        flipped.word[bit / 64] ^= UINT64_C(1) << (bit % 64);
        const tl_status status = tl_tensor_map_decode(&flipped, &params);
        if (!given[bit]) {
            ck_assert_msg(status == TL_ERR_MAP_INVALID, "bit %u gives %s", bit, tl_status_name(status));
        } else if (status == TL_OK) {
            tl_tensor_map again;
            ck_assert_int_eq(tl_tensor_map_encode(&again, &params), TL_OK);
            ck_assert_mem_eq(&again, &flipped, sizeof again);
        }
    }
}
END_TEST

START_TEST(foreign_bits_are_no_map)
{
    tl_tensor_map map;
    tl_tensor_params params;
    memset(&map, _i, sizeof map);
    const tl_status status = tl_tensor_map_decode(&map, &params);
    ck_assert_int_eq(status, _i == TL_MAP_VERSION ? TL_ERR_RANK : TL_ERR_MAP_INVALID);
}
END_TEST

START_TEST(every_status_has_a_name_and_one_line)
{
    for (int status = 0; status < TL_STATUS_COUNT; status++) {
        const char *text = tl_status_str((tl_status)status);
        if (status > TL_ERR_PAPER_COLUMN_ALIGN && status < TL_ERR_NULL) {
            ck_assert_str_eq(text, "unknown status");
            continue;
        }
        ck_assert_ptr_eq(strchr(text, '\n'), NULL);
        ck_assert(status == TL_OK || (strstr(text, "found ") == text && strstr(text, ", expected ") != NULL));
        for (int other = 0; other < status; other++) {
            ck_assert_str_ne(text, tl_status_str((tl_status)other));
            ck_assert_str_ne(tl_status_name((tl_status)status), tl_status_name((tl_status)other));
        }
    }
    ck_assert_str_eq(tl_status_str(TL_STATUS_COUNT), "unknown status");
    ck_assert_str_eq(tl_status_str((tl_status)-1), "unknown status");
    ck_assert_str_eq(tl_status_name(TL_ERR_SHEARED_VIEW), "sheared_view");
    ck_assert_str_eq(tl_status_name(TL_STATUS_COUNT), "unknown");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tensor_map");
    TCase *bits = tcase_create("bits");
    tcase_add_loop_test(bits, encode_tiled_is_encode, 1, TL_MAX_RANK + 1);
    tcase_add_test(bits, null_pointers_are_refused);
    tcase_add_test(bits, decode_returns_what_encode_was_given);
    tcase_add_loop_test(bits, one_wrong_derived_or_reserved_bit_is_refused, 0, 2);
    tcase_add_loop_test(bits, foreign_bits_are_no_map, 0, 256);
    tcase_add_test(bits, every_status_has_a_name_and_one_line);
    suite_add_tcase(suite, bits);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
