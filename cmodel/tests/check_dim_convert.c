/* SPDX-License-Identifier: Apache-2.0 */
/* Stage dim_convert: every delta is the difference of two evaluations of the address, Eq. 5 included. */
#include <string.h>

#include "stage_fixture.h"
#include "tilelens/dim_convert.h"

static tl_fields random_fields(uint64_t *state, tl_variant variant)
{
    tl_fields fields;
    memset(&fields, 0, sizeof fields);
    fields.variant = variant;
    fields.tile_major = variant != TL_BASELINE;
    fields.rank = 2 + random_below(state, 4);
    fields.log2_a16 = random_below(state, 5);
    fields.log2_b = fields.tile_major ? random_below(state, 8) : 0;
    fields.mask_b = (UINT64_C(1) << fields.log2_b) - 1;
    fields.row_bytes = 16u << random_below(state, fields.log2_a16 + 1);
    fields.leading = (1 + random_below(state, 1000)) << fields.log2_a16;
    fields.tile_column = fields.leading << fields.log2_b;
    for (unsigned d = 1; d < fields.rank; d++) {
        const bool column_side = random_below(state, 2) == 0;
        const uint32_t q = 1 + random_below(state, 300);
        fields.step[d] = 1 + random_below(state, 8);
        fields.limit[d] = fields.step[d] * random_below(state, 255 / fields.step[d]);
        fields.stride[d] = column_side ? q * fields.leading : (uint64_t)random_below(state, 1000) << fields.log2_b;
        fields.column_step[d] = column_side && fields.tile_major ? q & ((1u << fields.log2_b) - 1) : 0;
    }
    return fields;
}

/* Position t as (linear units, column), straight from the sums. */
static void position(const tl_fields *fields, const uint32_t *t, uint64_t *linear, uint64_t *column)
{
    *linear = *column = 0;
    for (unsigned d = 1; d < fields->rank; d++) {
        *linear += t[d] * fields->stride[d];
        *column += (uint64_t)t[d] * fields->column_step[d];
    }
}

START_TEST(delta_is_a_difference_of_positions)
{
    uint64_t state = 4242;
    const tl_variant variant = _i == 0 ? TL_BASELINE : TL_GENERAL;
    for (int round = 0; round < 5000; round++) {
        const tl_fields fields = random_fields(&state, variant);
        const uint64_t b = UINT64_C(1) << fields.log2_b;
        tl_levels levels;
        tl_dim_convert(&fields, &levels);
        for (unsigned d = 1; d < fields.rank; d++) {
            uint32_t before[TL_MAX_RANK] = {0}, after[TL_MAX_RANK] = {0};
            memcpy(before, fields.limit, d * sizeof before[0]);
            after[d] = fields.step[d];
            uint64_t linear[2], column[2];
            position(&fields, before, &linear[0], &column[0]);
            position(&fields, after, &linear[1], &column[1]);
            const uint64_t low = (column[1] - column[0]) & (b - 1);
            const uint64_t expected = tl_wrap_units(linear[1] - linear[0] - low * fields.leading);
            ck_assert_uint_eq(expected & (b - 1), 0);
            ck_assert_uint_eq(levels.delta[d], variant == TL_GENERAL ? expected | low : expected);
        }
        for (unsigned d = fields.rank; d < TL_MAX_RANK; d++) {
            ck_assert_uint_eq(levels.delta[d], 0);
        }
        ck_assert_uint_eq(levels.delta_tile, 0);
    }
}
END_TEST

/* Eq. 5: strides (u, b*KL), tile (b, v/b); a dimension above rewinds both counters. */
START_TEST(split_counter_of_the_paper)
{
    static const uint32_t counts[] = {8, 32, 64, 256}; /* v < b, v = b, v = 2b, v = 8b with b = 32 */
    tl_fields fields;
    memset(&fields, 0, sizeof fields);
    fields.variant = TL_PAPER;
    fields.tile_major = true;
    fields.rank = 3;
    fields.log2_a16 = 3;
    fields.log2_b = 5;
    fields.mask_b = 31;
    fields.row_bytes = 64;
    fields.leading = 512;
    fields.tile_column = 512 * 32;
    fields.split_dim = 1;
    fields.step[1] = fields.step[2] = 1;
    fields.limit[1] = counts[_i] - 1;
    fields.limit[2] = 3;
    fields.stride[1] = 512;
    fields.stride[2] = 4 * 32; /* 64 bytes along the row, scaled by b */
    tl_levels levels;
    tl_dim_convert(&fields, &levels);
    const uint64_t u16 = 4;
    const uint64_t walked = counts[_i] <= 32 ? (counts[_i] - 1) * u16 : (counts[_i] / 32 - 1) * 16384 + 31 * u16;
    ck_assert_uint_eq(levels.delta[1], u16);
    ck_assert_uint_eq(levels.delta_tile, 16384 - 31 * u16);
    ck_assert_uint_eq(levels.delta[2], tl_wrap_units(128 - walked));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("dim_convert");
    tcase_add_loop_test(tcase, delta_is_a_difference_of_positions, 0, 2);
    tcase_add_loop_test(tcase, split_counter_of_the_paper, 0, 4);
    return run_case(tcase, "dim_convert");
}
