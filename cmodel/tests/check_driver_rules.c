/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of cuTensorMapEncodeTiled at their boundaries, and what is refused as not modelled. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tilelens/tensor_map.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef enum field {
    DATA_TYPE,
    RANK,
    ADDRESS,
    DIM,
    STRIDE,
    BOX,
    STEP,
    INTERLEAVE,
    SWIZZLE,
    L2_PROMOTION,
    OOB_FILL
} field;

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

static void set(tl_tensor_params *params, field which, int dim, uint64_t value)
{
    switch (which) {
    case DATA_TYPE:
        params->data_type = (tl_data_type)value;
        break;
    case RANK:
        params->rank = (uint32_t)value;
        break;
    case ADDRESS:
        params->global_address = value;
        break;
    case DIM:
        params->global_dim[dim] = value;
        break;
    case STRIDE:
        params->global_strides[dim - 1] = value;
        break;
    case BOX:
        params->box_dim[dim] = (uint32_t)value;
        break;
    case STEP:
        params->element_strides[dim] = (uint32_t)value;
        break;
    case INTERLEAVE:
        params->interleave = (tl_interleave)value;
        break;
    case SWIZZLE:
        params->swizzle = (tl_swizzle)value;
        break;
    case L2_PROMOTION:
        params->l2_promotion = (tl_l2_promotion)value;
        break;
    case OOB_FILL:
        params->oob_fill = (tl_oob_fill)value;
        break;
    }
}

/** Encode must give `status` with `bad_dim`, and touch the map only on success. */
static void expect_encode(const tl_tensor_params *params, tl_status status, int bad_dim)
{
    tl_tensor_map map, before;
    memset(&map, 0xA5, sizeof map);
    before = map;
    int found_dim = 99;
    const tl_status found = tl_tensor_map_encode_dim(&map, params, &found_dim);
    ck_assert_msg(found == status, "found %s, expected %s", tl_status_name(found), tl_status_name(status));
    ck_assert_int_eq(found_dim, bad_dim);
    ck_assert_int_eq(tl_tensor_map_encode(&map, params), status);
    ck_assert((memcmp(&map, &before, sizeof map) == 0) == (status != TL_OK));
}

typedef struct boundary {
    field which;
    int first_dim, last_dim;
    uint64_t legal, illegal;
    tl_status status;
    bool has_dim; /* the refusal names the dimension */
} boundary;

static const boundary BOUNDARIES[] = {
    {DATA_TYPE, 0, 0, TL_TFLOAT32_FTZ, TL_DATA_TYPE_COUNT, TL_ERR_DATA_TYPE, false},
    {DATA_TYPE, 0, 0, TL_UINT8, (uint32_t)-1, TL_ERR_DATA_TYPE, false},
    {RANK, 0, 0, 1, 0, TL_ERR_RANK, false},
    {RANK, 0, 0, 5, 6, TL_ERR_RANK, false},
    {ADDRESS, 0, 0, 16, 0, TL_ERR_GLOBAL_ADDRESS_NULL, false},
    {ADDRESS, 0, 0, 0xfffffffffffffff0, 0xfffffffffffffff8, TL_ERR_GLOBAL_ADDRESS_ALIGN, false},
    {ADDRESS, 0, 0, 0x10, 0x11, TL_ERR_GLOBAL_ADDRESS_ALIGN, false},
    {DIM, 0, 4, 1, 0, TL_ERR_GLOBAL_DIM, true},
    {DIM, 0, 4, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, TL_ERR_GLOBAL_DIM, true},
    {STRIDE, 1, 4, 0, 2, TL_ERR_GLOBAL_STRIDE_ALIGN, true},
    {STRIDE, 1, 4, 16, 24, TL_ERR_GLOBAL_STRIDE_ALIGN, true},
    {STRIDE, 1, 4, (UINT64_C(1) << 40) - 16, UINT64_C(1) << 40, TL_ERR_GLOBAL_STRIDE_RANGE, true},
    {BOX, 0, 0, 8, 0, TL_ERR_BOX_DIM, true},
    {BOX, 1, 4, 1, 0, TL_ERR_BOX_DIM, true},
    {BOX, 0, 4, 256, 257, TL_ERR_BOX_DIM, true},
    {BOX, 0, 0, 8, 4, TL_ERR_BOX_INNER_ALIGN, true},
    {BOX, 0, 0, 24, 25, TL_ERR_BOX_INNER_ALIGN, true},
    {STEP, 0, 4, 1, 0, TL_ERR_ELEMENT_STRIDE, true},
    {STEP, 0, 4, 8, 9, TL_ERR_ELEMENT_STRIDE, true},
    {INTERLEAVE, 0, 0, TL_INTERLEAVE_NONE, TL_INTERLEAVE_COUNT, TL_ERR_INTERLEAVE, false},
    {SWIZZLE, 0, 0, TL_SWIZZLE_128B_ATOM_64B, TL_SWIZZLE_COUNT, TL_ERR_SWIZZLE, false},
    {L2_PROMOTION, 0, 0, TL_L2_256B, TL_L2_PROMOTION_COUNT, TL_ERR_L2_PROMOTION, false},
    {OOB_FILL, 0, 0, TL_OOB_NAN, TL_OOB_FILL_COUNT, TL_ERR_OOB_FILL, false},
};

START_TEST(rule_just_legal_and_just_illegal)
{
    const boundary *row = &BOUNDARIES[_i];
    for (int dim = row->first_dim; dim <= row->last_dim; dim++) {
        tl_tensor_params params = plain_params();
        set(&params, row->which, dim, row->legal);
        expect_encode(&params, TL_OK, -1);
        set(&params, row->which, dim, row->illegal);
        expect_encode(&params, row->status, row->has_dim ? dim : -1);
    }
}
END_TEST

/* An unknown interleave switches the box-row rules off, so it has no fixed place among them. */
START_TEST(first_broken_rule_in_status_order)
{
    const boundary *row = &BOUNDARIES[_i];
    for (int k = 0; k < COUNT_OF(BOUNDARIES); k++) {
        const boundary *other = &BOUNDARIES[k];
        if (other->which == row->which || other->which == INTERLEAVE || row->which == INTERLEAVE) {
            continue;
        }
        tl_tensor_params params = plain_params();
        set(&params, row->which, row->first_dim, row->illegal);
        set(&params, other->which, other->first_dim, other->illegal);
        tl_tensor_map map;
        ck_assert_int_eq(tl_tensor_map_encode(&map, &params),
                         row->status < other->status ? row->status : other->status);
    }
}
END_TEST

START_TEST(entries_at_and_above_rank_are_ignored)
{
    tl_tensor_params params = plain_params();
    tl_tensor_map map, same;
    params.rank = (uint32_t)_i;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    for (int d = _i; d < TL_MAX_RANK; d++) {
        params.global_dim[d] = 0;
        params.global_strides[d - 1] = 3;
        params.box_dim[d] = 999;
        params.element_strides[d] = 0;
    }
    ck_assert_int_eq(tl_tensor_map_encode(&same, &params), TL_OK);
    ck_assert_mem_eq(&map, &same, sizeof map);
}
END_TEST

START_TEST(box_row_fits_the_swizzle_span)
{
    static const uint32_t span_bytes[TL_SWIZZLE_COUNT] = {0, 32, 64, 128, 128, 128, 128};
    ck_assert_uint_eq(tl_swizzle_span_bytes((tl_swizzle)_i), span_bytes[_i]);
    tl_tensor_params params = plain_params();
    params.swizzle = (tl_swizzle)_i;
    for (int type = TL_UINT8; type <= TL_TFLOAT32_FTZ; type++) {
        params.data_type = (tl_data_type)type;
        const uint32_t element_bytes = tl_element_bytes(params.data_type);
        for (uint32_t row_bytes = 16; row_bytes <= 256 && row_bytes / element_bytes <= 256; row_bytes += 16) {
            params.box_dim[0] = row_bytes / element_bytes;
            const bool fits = _i == TL_SWIZZLE_NONE || row_bytes <= span_bytes[_i];
            expect_encode(&params, fits ? TL_OK : TL_ERR_BOX_INNER_SPAN, fits ? -1 : 0);
        }
    }
}
END_TEST

START_TEST(nan_fill_needs_a_float_type)
{
    static const bool is_float[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
    tl_tensor_params params = plain_params();
    params.data_type = (tl_data_type)_i;
    expect_encode(&params, TL_OK, -1);
    params.oob_fill = TL_OOB_NAN;
    expect_encode(&params, is_float[_i] ? TL_OK : TL_ERR_OOB_FILL_TYPE, -1);
}
END_TEST

START_TEST(element_sizes)
{
    static const uint32_t bytes[TL_DATA_TYPE_COUNT] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 0, 0, 0};
    ck_assert_uint_eq(tl_element_bytes((tl_data_type)_i), bytes[_i]);
}
END_TEST

typedef struct refusal {
    tl_data_type data_type;
    tl_interleave interleave;
    tl_swizzle swizzle;
    uint32_t rank;
    uint64_t address, dim_0, stride_1;
    uint32_t box_0;
    tl_status status;
    int bad_dim;
} refusal;

#define TYPE_13 TL_16U4_ALIGN8B
#define TYPE_14 TL_16U4_ALIGN16B
#define TYPE_15 TL_16U6_ALIGN16B

/* Every row at its boundary: the last of a group breaks no driver rule and is refused as not modelled. */
static const refusal REFUSALS[] = {
    {TL_FLOAT16, TL_INTERLEAVE_16B, TL_SWIZZLE_NONE, 2, 16, 64, 2048, 64, TL_ERR_INTERLEAVE_RANK, -1},
    {TL_FLOAT16, TL_INTERLEAVE_32B, TL_SWIZZLE_32B, 2, 32, 64, 2048, 64, TL_ERR_INTERLEAVE_RANK, -1},
    {TL_FLOAT16, TL_INTERLEAVE_32B, TL_SWIZZLE_64B, 3, 32, 64, 2048, 64, TL_ERR_INTERLEAVE_SWIZZLE, -1},
    {TL_FLOAT16, TL_INTERLEAVE_32B, TL_SWIZZLE_32B, 3, 16, 64, 2048, 64, TL_ERR_GLOBAL_ADDRESS_ALIGN, -1},
    {TL_FLOAT16, TL_INTERLEAVE_32B, TL_SWIZZLE_32B, 3, 32, 64, 2064, 64, TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {TL_FLOAT16, TL_INTERLEAVE_32B, TL_SWIZZLE_32B, 3, 32, 64, 2048, 64, TL_ERR_INTERLEAVE_UNSUPPORTED, -1},
    {TL_FLOAT16, TL_INTERLEAVE_16B, TL_SWIZZLE_NONE, 3, 16, 64, 2064, 1, TL_ERR_INTERLEAVE_UNSUPPORTED, -1},
    {TYPE_13, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 16, 65, 2064, 32, TL_ERR_GLOBAL_DIM_PACKED, 0},
    {TYPE_13, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 16, 66, 2064, 16, TL_ERR_BOX_INNER_ALIGN, 0},
    {TYPE_13, TL_INTERLEAVE_NONE, TL_SWIZZLE_32B, 2, 16, 66, 2064, 96, TL_ERR_BOX_INNER_SPAN, 0},
    {TYPE_13, TL_INTERLEAVE_NONE, TL_SWIZZLE_32B, 2, 16, 66, 2064, 64, TL_ERR_DATA_TYPE_UNSUPPORTED, -1},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 48, 128, 2048, 128, TL_ERR_GLOBAL_ADDRESS_ALIGN, -1},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 32, 704, 2048, 128, TL_ERR_GLOBAL_DIM_PACKED, 0},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 32, 128, 2064, 128, TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_64B, 2, 32, 128, 2048, 128, TL_ERR_BOX_INNER_SPAN, 0},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 32, 128, 2048, 64, TL_ERR_BOX_INNER_PACKED, 0},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 32, 128, 2048, 256, TL_ERR_BOX_INNER_PACKED, 0},
    {TYPE_14, TL_INTERLEAVE_NONE, TL_SWIZZLE_128B, 2, 32, 128, 2048, 128, TL_ERR_DATA_TYPE_UNSUPPORTED, -1},
    {TYPE_15, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 16, 128, 2048, 128, TL_ERR_GLOBAL_ADDRESS_ALIGN, -1},
    {TYPE_15, TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, 2, 32, 192, 2048, 128, TL_ERR_GLOBAL_DIM_PACKED, 0},
    {TYPE_15, TL_INTERLEAVE_NONE, TL_SWIZZLE_128B, 2, 32, 256, 2048, 128, TL_ERR_DATA_TYPE_UNSUPPORTED, -1},
};

START_TEST(interleave_and_packed_types)
{
    const refusal *row = &REFUSALS[_i];
    tl_tensor_params params = plain_params();
    params.data_type = row->data_type;
    params.interleave = row->interleave;
    params.swizzle = row->swizzle;
    params.rank = row->rank;
    params.global_address = row->address;
    params.global_dim[0] = row->dim_0;
    params.global_strides[0] = row->stride_1;
    params.box_dim[0] = row->box_0;
    expect_encode(&params, row->status, row->bad_dim);
}
END_TEST

/* What guides and wrappers ask for but the driver does not. */
START_TEST(folklore_is_not_enforced)
{
    tl_tensor_params params = plain_params();
    params.swizzle = TL_SWIZZLE_128B; /* and the address is a multiple of 16 only */
    for (int d = 0; d < TL_MAX_RANK; d++) {
        params.global_dim[d] = 1; /* box and element stride beyond the tensor */
        params.box_dim[d] = d == 0 ? 64 : 256;
        params.element_strides[d] = 8;
    }
    params.global_strides[0] = 4096; /* decreasing, equal and zero strides */
    params.global_strides[1] = 64;
    params.global_strides[2] = 64;
    params.global_strides[3] = 0;
    expect_encode(&params, TL_OK, -1);
    ck_assert_uint_eq(tl_box_count(&params, 0), 64);
    ck_assert_uint_eq(tl_box_count(&params, 1), 32);
}
END_TEST

START_TEST(box_count_rounds_up)
{
    tl_tensor_params params = plain_params();
    for (uint32_t box = 1; box <= 256; box++) {
        for (uint32_t step = 1; step <= 8; step++) {
            params.box_dim[0] = params.box_dim[3] = box;
            params.element_strides[0] = params.element_strides[3] = step;
            uint32_t count = 0;
            for (uint32_t k = 0; k < box; k += step) {
                count++;
            }
            ck_assert_uint_eq(tl_box_count(&params, 3), count);
            ck_assert_uint_eq(tl_box_count(&params, 0), box);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("driver_rules");
    TCase *rules = tcase_create("rules");
    tcase_add_loop_test(rules, rule_just_legal_and_just_illegal, 0, COUNT_OF(BOUNDARIES));
    tcase_add_loop_test(rules, first_broken_rule_in_status_order, 0, COUNT_OF(BOUNDARIES));
    tcase_add_loop_test(rules, entries_at_and_above_rank_are_ignored, 1, TL_MAX_RANK);
    tcase_add_loop_test(rules, box_row_fits_the_swizzle_span, 0, TL_SWIZZLE_COUNT);
    tcase_add_loop_test(rules, nan_fill_needs_a_float_type, TL_UINT8, TL_TFLOAT32_FTZ + 1);
    tcase_add_loop_test(rules, element_sizes, 0, TL_DATA_TYPE_COUNT);
    tcase_add_loop_test(rules, interleave_and_packed_types, 0, COUNT_OF(REFUSALS));
    tcase_add_test(rules, folklore_is_not_enforced);
    tcase_add_test(rules, box_count_rounds_up);
    suite_add_tcase(suite, rules);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
