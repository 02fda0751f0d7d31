/* SPDX-License-Identifier: Apache-2.0 */
/* Stage permute: Case 2 and the rotation against Eq. 2, for every memory tile and every element of a granule. */
#include <string.h>

#include "oracle.h"
#include "stage_fixture.h"
#include "tilelens/permute.h"

enum { TILE_NUMBER = 5 };

static tl_fields tile_fields(tl_variant variant, uint32_t log2_a16, uint32_t log2_b, uint32_t log2_u16)
{
    tl_fields fields;
    memset(&fields, 0, sizeof fields);
    fields.variant = variant;
    fields.tile_major = true;
    fields.log2_a16 = log2_a16;
    fields.log2_b = log2_b;
    fields.mask_a16 = (UINT64_C(1) << log2_a16) - 1;
    fields.mask_b = (UINT64_C(1) << log2_b) - 1;
    if (variant == TL_GENERAL) {
        fields.packing.mask_b = fields.mask_b;
        fields.packing.granule = fields.mask_a16 << log2_b | fields.mask_b;
    }
    fields.row_bytes = 16u << log2_u16;
    return fields;
}

/* Eq. 2 in units: one memory tile of a16 x b, the TILE_NUMBER-th of a column of 8. */
static uint64_t eq2(uint32_t row, uint32_t column, uint32_t a16, uint32_t b)
{
    return tl_oracle_offset((uint64_t)TILE_NUMBER * a16 + row, column, (uint64_t)8 * a16, a16, b);
}

START_TEST(general_rotation_is_eq2)
{
    const uint32_t bits = (uint32_t)_i; /* log2 of the granule in units: 5 (512 B) .. 12 (64 KiB) */
    for (uint32_t log2_b = 0; log2_b <= bits; log2_b++) {
        const tl_fields fields = tile_fields(TL_GENERAL, bits - log2_b, log2_b, 0);
        for (uint32_t low = 0; low < 1u << bits; low++) {
            const tl_run run = {.x = (uint64_t)TILE_NUMBER << bits | low, .row_index = low >> log2_b};
            const uint32_t column = low & ((1u << log2_b) - 1);
            ck_assert_uint_eq(tl_permute(&fields, &run), eq2(run.row_index, column, 1u << fields.log2_a16, 1u << log2_b));
        }
    }
}
END_TEST

START_TEST(paper_swap_is_eq2)
{
    const uint32_t bits = (uint32_t)_i;
    for (uint32_t log2_b = 0; log2_b <= bits; log2_b++) {
        const uint32_t log2_a16 = bits - log2_b;
        for (uint32_t log2_u16 = 0; log2_u16 <= log2_a16 && log2_u16 <= 7; log2_u16++) {
            const tl_fields fields = tile_fields(TL_PAPER, log2_a16, log2_b, log2_u16);
            for (uint32_t low = 0; low < 1u << bits; low++) {
                const tl_run run = {.x = (uint64_t)TILE_NUMBER << bits | low};
                const uint32_t row = low & ((1u << log2_u16) - 1);
                const uint32_t column = (low >> log2_u16) & ((1u << log2_b) - 1);
                const uint32_t sub_tile = low >> (log2_u16 + log2_b);
                ck_assert_uint_eq(tl_permute(&fields, &run),
                                  eq2(sub_tile << log2_u16 | row, column, 1u << log2_a16, 1u << log2_b));
            }
        }
    }
}
END_TEST

/* Sec. 4.3: TMA tile 32x32, memory tile 128x32 FP8: (sub-tile 2 | col 5 | row 5) -> (col 5 | sub-tile 2 | row 5). */
START_TEST(example_of_case_2)
{
    const tl_fields fields = tile_fields(TL_PAPER, 3, 5, 1);
    const tl_run run = {.x = (3u << 10 | 17u << 5 | 16u) / 16};
    ck_assert_uint_eq(tl_permute(&fields, &run) * 16, 17u << 7 | 3u << 5 | 16u);
}
END_TEST

START_TEST(plain_maps_pass_unchanged)
{
    tl_fields fields = tile_fields(TL_GENERAL, 0, 0, 3);
    fields.tile_major = false;
    const tl_run run = {.x = 0x123456789abcdef};
    for (int variant = TL_BASELINE; variant <= TL_GENERAL; variant++) {
        fields.variant = (tl_variant)variant;
        ck_assert_uint_eq(tl_permute(&fields, &run), run.x);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("permute");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, general_rotation_is_eq2, 5, 13);
    tcase_add_loop_test(tcase, paper_swap_is_eq2, 5, 13);
    tcase_add_test(tcase, example_of_case_2);
    tcase_add_test(tcase, plain_maps_pass_unchanged);
    return run_case(tcase, "permute");
}
