/* SPDX-License-Identifier: Apache-2.0 */
/* Stage req_gen: byte addresses and the swizzle masks of every mode. */
#include <string.h>

#include "stage_fixture.h"
#include "tilelens/req_gen.h"

/* Worked examples: linear address -> swizzled address. */
START_TEST(worked_swizzle_examples)
{
    static const struct { tl_swizzle swizzle; uint32_t linear, swizzled; } rows[] = {
        {TL_SWIZZLE_128B, 0x6A8, 0x6F8}, {TL_SWIZZLE_128B, 0x728, 0x748}, {TL_SWIZZLE_64B, 0x568, 0x548},
        {TL_SWIZZLE_32B, 0x4B4, 0x4A4}, {TL_SWIZZLE_NONE, 0x6A8, 0x6A8},
        {TL_SWIZZLE_128B_ATOM_32B, 0x6A8, 0x6A8 ^ 0x20}, {TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, 0x6A8, 0x6A8 ^ 0x28},
        {TL_SWIZZLE_128B_ATOM_64B, 0x6A8, 0x6A8 ^ 0x40},
    };
    ck_assert_uint_eq(rows[_i].linear ^ tl_swizzle_xor(rows[_i].swizzle, rows[_i].linear), rows[_i].swizzled);
}
END_TEST

/* Address bits that each mode copies: target bits, from the bits seven positions up (atoms: other distances). */
START_TEST(masks_by_address_bit)
{
    for (uint32_t address = 0; address < 4096; address += 16) {
        const uint32_t bit7 = address >> 7 & 1, bit8 = address >> 8 & 1, bit9 = address >> 9 & 1;
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_NONE, address), 0);
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_32B, address), bit7 << 4);
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_64B, address), bit8 << 5 | bit7 << 4);
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_128B, address), bit9 << 6 | bit8 << 5 | bit7 << 4);
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_128B_ATOM_32B, address), bit8 << 6 | bit7 << 5);
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, address), bit8 << 6 | bit7 << 5 | bit7 << 3);
        ck_assert_uint_eq(tl_swizzle_xor(TL_SWIZZLE_128B_ATOM_64B, address), bit7 << 6);
    }
}
END_TEST

START_TEST(request_of_a_run)
{
    tl_fields fields;
    memset(&fields, 0, sizeof fields);
    fields.swizzle = TL_SWIZZLE_128B;
    const tl_run run = {.address = 0x12345680, .bytes = 112, .fill = false, .last = true};
    tl_request request;
    tl_req_gen(&fields, &run, (UINT64_C(1) << 60) - 1, &request);
    ck_assert_uint_eq(request.src_address, 0xfffffffffffffff0);
    ck_assert_uint_eq(request.dst_address, 0x12345680);
    ck_assert_uint_eq(request.bytes, 112);
    ck_assert_uint_eq(request.swizzle_xor, (0x12345680u >> 7 & 7) << 4);
    ck_assert(!request.fill && request.last);
}
END_TEST

START_TEST(fill_has_no_source)
{
    tl_fields fields;
    memset(&fields, 0, sizeof fields);
    const tl_run run = {.address = 0x80, .bytes = 16, .fill = true};
    tl_request request;
    tl_req_gen(&fields, &run, 1234, &request);
    ck_assert_uint_eq(request.src_address, 0);
    ck_assert(request.fill && !request.last);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("req_gen");
    tcase_add_loop_test(tcase, worked_swizzle_examples, 0, 8);
    tcase_add_test(tcase, masks_by_address_bit);
    tcase_add_test(tcase, request_of_a_run);
    tcase_add_test(tcase, fill_has_no_source);
    return run_case(tcase, "req_gen");
}
