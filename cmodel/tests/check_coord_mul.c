/* SPDX-License-Identifier: Apache-2.0 */
/* Stage coord_mul: products against digit-serial arithmetic as the RTL does it, and the widest operands. */
#include <string.h>

#include "stage_fixture.h"
#include "tilelens/coord_mul.h"

/* Four 8-bit digits, the first one signed: what rtl/tma_coord_mul.sv accumulates. */
static uint64_t digit_serial(int32_t factor, uint64_t multiplicand)
{
    uint64_t product = 0;
    for (int digit = 3; digit >= 0; digit--) {
        const uint32_t bits = ((uint32_t)factor >> (8 * digit)) & 0xFF;
        const int64_t value = digit == 3 && bits >= 128 ? (int64_t)bits - 256 : (int64_t)bits;
        product = tl_wrap_units((product << 8) + (uint64_t)value * multiplicand);
    }
    return product;
}

static tl_fields random_fields(uint64_t *state)
{
    tl_fields fields;
    memset(&fields, 0, sizeof fields);
    fields.variant = TL_GENERAL;
    fields.rank = 1 + random_below(state, 5);
    fields.log2_s = random_below(state, 4);
    fields.log2_b = random_below(state, 13);
    fields.mask_b = (UINT64_C(1) << fields.log2_b) - 1;
    fields.tile_major = true;
    fields.stride[0] = UINT64_C(1) << fields.log2_b;
    for (unsigned d = 1; d < TL_MAX_RANK; d++) {
        fields.stride[d] = next_random(state) >> 28;
        fields.column_step[d] = random_below(state, 4096);
    }
    return fields;
}

START_TEST(random_products)
{
    uint64_t state = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        const tl_fields fields = random_fields(&state);
        const int32_t per_unit = 16 >> fields.log2_s;
        int32_t coordinates[TL_MAX_RANK];
        for (unsigned d = 0; d < TL_MAX_RANK; d++) {
            coordinates[d] = (int32_t)(uint32_t)next_random(&state);
        }
        coordinates[0] = (coordinates[0] / per_unit) * per_unit;
        tl_products products;
        tl_coord_mul(&fields, coordinates, &products);
        ck_assert_uint_eq(products.linear[0], digit_serial(coordinates[0] / per_unit, fields.stride[0]));
        for (unsigned d = 1; d < TL_MAX_RANK; d++) {
            const bool used = d < fields.rank;
            ck_assert_uint_eq(products.linear[d], used ? digit_serial(coordinates[d], fields.stride[d]) : 0);
            ck_assert_uint_eq(products.column[d],
                              used ? digit_serial(coordinates[d], fields.column_step[d]) & 0xFFF : 0);
        }
    }
}
END_TEST

START_TEST(widest_operands_do_not_truncate)
{
    const uint64_t stride = (UINT64_C(1) << 36) - 1;
    ck_assert_uint_eq(tl_multiply(0, INT32_MAX, stride), tl_wrap_units((uint64_t)INT32_MAX * stride));
    ck_assert_uint_eq(tl_multiply(0, INT32_MIN, stride), tl_wrap_units(0 - (UINT64_C(1) << 31) * stride));
    ck_assert_uint_eq(digit_serial(INT32_MIN, stride), tl_multiply(0, INT32_MIN, stride));
    ck_assert_uint_eq(tl_multiply(5, -1, 7), tl_wrap_units((uint64_t)-2));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("coord_mul");
    tcase_add_test(tcase, random_products);
    tcase_add_test(tcase, widest_operands_do_not_truncate);
    return run_case(tcase, "coord_mul");
}
