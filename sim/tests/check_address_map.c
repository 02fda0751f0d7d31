/* SPDX-License-Identifier: Apache-2.0 */
/* Address maps: bijection, what each kind promises, bit lists and their ruler, refusals. */
#include <string.h>

#include "../memory/address_map.h"
#include "channel_fixture.h"

enum { UNIT = 4096 };

static tl_address_map make_map(tl_map_kind kind, uint32_t targets, uint64_t units_per_target)
{
    const tl_address_map_config config = {.kind = kind,
                                          .targets = targets,
                                          .unit_bytes = UNIT,
                                          .access_bytes = 32,
                                          .units_per_target = units_per_target,
                                          .seed = 12345};
    tl_address_map map;
    ck_assert_int_eq(tl_address_map_init(&map, &config), TL_MEM_OK);
    return map;
}

static tl_location locate(const tl_address_map *map, uint64_t unit)
{
    tl_location location = {0, 0};
    ck_assert_int_eq(tl_address_map_locate(map, unit * UNIT, UNIT, &location), TL_MEM_OK);
    return location;
}

static const uint32_t counts[] = {1, 2, 7, 16, 78, 96, 108};
enum { COUNTS = sizeof counts / sizeof *counts, KINDS = 3 };

/* Every unit on its own place, counted here and not by the map; every byte comes back. */
START_TEST(bijection)
{
    const uint32_t targets = counts[_i / KINDS];
    const uint64_t rows = 50;
    const tl_address_map map = make_map((tl_map_kind)(_i % KINDS), targets, rows);
    uint8_t *seen = calloc(targets * rows, 1);
    for (uint64_t unit = 0; unit < targets * rows; unit++) {
        tl_location location;
        const uint64_t address = unit * UNIT + unit % 128 * 32;
        ck_assert_int_eq(tl_address_map_locate(&map, address, 32, &location), TL_MEM_OK);
        ck_assert_uint_lt(location.target, targets);
        ck_assert_uint_lt(location.local_address, rows * UNIT);
        ck_assert_uint_eq(seen[location.target * rows + location.local_address / UNIT]++, 0);
        uint64_t back = 0;
        ck_assert_int_eq(tl_address_map_address(&map, &location, &back), TL_MEM_OK);
        ck_assert_uint_eq(back, address);
    }
    free(seen);
    ck_assert_int_eq(tl_address_map_self_check(&map, 1000000), TL_MEM_OK);
}
END_TEST

START_TEST(large_map_self_check)
{
    const tl_address_map map = make_map((tl_map_kind)_i, 96, UINT64_C(1) << 23); /* 3 TB */
    ck_assert_int_eq(tl_address_map_self_check(&map, 20000), TL_MEM_OK);
}
END_TEST

/* The self-check must find a map that folds two units into one place. */
START_TEST(self_check_finds_a_bad_map)
{
    tl_address_map map = make_map((tl_map_kind)_i, 96, 50);
    map.unit_count += 1;
    map.capacity_bytes += UNIT;
    ck_assert_int_eq(tl_address_map_self_check(&map, 1000000), TL_MEM_BAD_MAP);
    map = make_map((tl_map_kind)_i, 96, 50);
    map.unit_shift--; /* two halves of a unit */
    ck_assert_int_eq(tl_address_map_self_check(&map, 1000000), TL_MEM_BAD_MAP);
}
END_TEST

START_TEST(modulo_is_modulo)
{
    const tl_address_map map = make_map(TL_MAP_MODULO, 108, 50);
    for (uint64_t unit = 0; unit < 108 * 50; unit++) {
        const tl_location location = locate(&map, unit);
        ck_assert_uint_eq(location.target, unit % 108);
        ck_assert_uint_eq(location.local_address, unit / 108 * UNIT);
    }
}
END_TEST

/* Each aligned run of N pages meets all N channels once, in order, from a start that changes. */
START_TEST(permutation_meets_all)
{
    const uint32_t targets = counts[_i];
    const tl_address_map map = make_map(TL_MAP_PERMUTATION, targets, 500);
    uint8_t starts[128] = {0};
    for (uint64_t block = 0; block < 500; block++) {
        uint8_t seen[128] = {0};
        const uint32_t start = locate(&map, block * targets).target;
        starts[start] = 1;
        for (uint32_t i = 0; i < targets; i++) {
            const tl_location location = locate(&map, block * targets + i);
            ck_assert_uint_eq(seen[location.target]++, 0);
            ck_assert_uint_eq(location.target, (start + i) % targets);
            ck_assert_uint_eq(location.local_address, block * UNIT);
        }
    }
    unsigned different = 0;
    for (uint32_t t = 0; t < targets; t++) {
        different += starts[t];
    }
    ck_assert_uint_ge(different, targets * 9 / 10); /* of 500 throws at most 108 sides: 99 % are met */
}
END_TEST

/* Number of targets met by `count` pages of a stride. */
static unsigned targets_met(const tl_address_map *map, uint64_t stride, unsigned count)
{
    uint8_t seen[128] = {0};
    unsigned met = 0;
    for (uint64_t i = 0; i < count; i++) {
        met += seen[locate(map, i * stride).target]++ == 0;
    }
    return met;
}

/* A stride of N pages stays on one channel under modulo; the others throw dice: of 96 throws 63 % of the sides are met.
 */
START_TEST(stride_of_all_channels)
{
    const tl_address_map modulo = make_map(TL_MAP_MODULO, 96, 4096), hash = make_map(TL_MAP_HASH, 96, 4096),
                         permutation = make_map(TL_MAP_PERMUTATION, 96, 4096);
    ck_assert_uint_eq(targets_met(&modulo, 96, 96), 1);
    ASSERT_NEAR(targets_met(&permutation, 96, 96), 96 * 0.633, 0.15);
    ASSERT_NEAR(targets_met(&hash, 96, 96), 96 * 0.633, 0.15);
    ck_assert_uint_eq(targets_met(&permutation, 1, 96), 96);
    ASSERT_NEAR(targets_met(&hash, 1, 96), 96 * 0.633, 0.15);
}
END_TEST

/* Dice: the counts of every stride scatter as a binomial does, chi-square near its mean of N - 1. */
START_TEST(hash_is_even)
{
    static const uint64_t strides[] = {1, 2, 3, 16, 96, 128, 384, 1024};
    const tl_address_map map = make_map(TL_MAP_HASH, 96, UINT64_C(1) << 20);
    const double throws = 96 * 500;
    unsigned count[96] = {0};
    for (uint64_t i = 0; i < 96 * 500; i++) {
        count[locate(&map, i * strides[_i]).target]++;
    }
    double chi_square = 0;
    for (unsigned t = 0; t < 96; t++) {
        chi_square += (count[t] - throws / 96) * (count[t] - throws / 96) / (throws / 96);
    }
    ck_assert_double_lt(chi_square, 95 + 5 * 13.8); /* standard deviation sqrt(2 * 95) */
    ck_assert_double_gt(chi_square, 95 - 5 * 13.8);
}
END_TEST

/* ---- bit lists --------------------------------------------------------------------------------------------------- */

static const char letters[] = "rrrrrrrrHHHHbbgHgpcccccccc"; /* 32 channels, 26 bits */

START_TEST(bits_are_used_once)
{
    tl_bit_map map;
    ck_assert_int_eq(tl_bit_map_parse(letters, &map), TL_MEM_OK);
    ck_assert_int_eq(tl_bit_map_check(&map), TL_MEM_OK);
    tl_bit_map bad = map;
    bad.fields[TL_BIT_ROW].bits[0] = bad.fields[TL_BIT_COLUMN].bits[0]; /* one twice, one never */
    ck_assert_int_eq(tl_bit_map_check(&bad), TL_MEM_BAD_MAP);
    bad = map;
    bad.fields[TL_BIT_ROW].count--;
    ck_assert_int_eq(tl_bit_map_check(&bad), TL_MEM_BAD_MAP);
    bad = map;
    bad.address_bits++;
    ck_assert_int_eq(tl_bit_map_check(&bad), TL_MEM_BAD_MAP);
    bad = map;
    bad.fields[TL_BIT_CHANNEL].bits[0] = 60;
    ck_assert_int_eq(tl_bit_map_check(&bad), TL_MEM_BAD_MAP);
    const tl_address_map_config config = {.kind = TL_MAP_BITS, .access_bytes = 32, .bits = bad};
    tl_address_map none;
    ck_assert_int_eq(tl_address_map_init(&none, &config), TL_MEM_BAD_MAP);
    ck_assert_int_eq(tl_bit_map_parse("rrxcc", &map), TL_MEM_BAD_MAP);
    ck_assert_int_eq(tl_bit_map_parse("", &map), TL_MEM_BAD_MAP);
}
END_TEST

/* Bit by bit against the letters: bit order within a field is address order. */
START_TEST(fields_follow_the_letters)
{
    static const char field_letters[] = "cpgbsrH";
    tl_bit_map map;
    tl_bit_decoder decoder;
    ck_assert_int_eq(tl_bit_map_parse(letters, &map), TL_MEM_OK);
    tl_bit_map_compile(&map, &decoder);
    for (uint64_t i = 0; i < 2000; i++) {
        const uint64_t address = tl_mix64(i) & 0x3ffffff;
        uint32_t expected[TL_BIT_FIELDS] = {0}, fields[TL_BIT_FIELDS];
        unsigned width[TL_BIT_FIELDS] = {0};
        for (unsigned bit = 0; bit < 26; bit++) {
            const size_t f = (size_t)(strchr(field_letters, letters[25 - bit]) - field_letters);
            expected[f] |= (uint32_t)(address >> bit & 1) << width[f]++;
        }
        tl_bit_map_decode(&decoder, address, fields);
        ck_assert_mem_eq(fields, expected, sizeof fields);
        ck_assert_uint_eq(tl_bit_map_encode(&decoder, fields), address);
    }
}
END_TEST

START_TEST(order_within_a_field_counts)
{
    tl_bit_map map;
    tl_bit_decoder decoder;
    ck_assert_int_eq(tl_bit_map_parse("rrggcc", &map), TL_MEM_OK);
    map.fields[TL_BIT_BANK_GROUP] = (tl_bit_list){2, {3, 2}}; /* address bit 3 is the field's bit 0 */
    ck_assert_int_eq(tl_bit_map_check(&map), TL_MEM_OK);
    tl_bit_map_compile(&map, &decoder);
    uint32_t fields[TL_BIT_FIELDS];
    tl_bit_map_decode(&decoder, UINT64_C(1) << 3, fields);
    ck_assert_uint_eq(fields[TL_BIT_BANK_GROUP], 1);
    tl_bit_map_decode(&decoder, UINT64_C(1) << 2, fields);
    ck_assert_uint_eq(fields[TL_BIT_BANK_GROUP], 2);
}
END_TEST

START_TEST(ruler)
{
    tl_bit_map map;
    char text[256];
    ck_assert_int_eq(tl_bit_map_parse("rrHbbggpcccc", &map), TL_MEM_OK);
    const int length = tl_bit_map_ruler(&map, text, sizeof text);
    ck_assert_str_eq(text, "bit   110000000000\n      109876543210\nfield rrHbbggpcccc\n");
    ck_assert_int_eq(length, (int)strlen(text));
    map.fields[TL_BIT_PSEUDO_CHANNEL].bits[0] = 3; /* bit 3 twice, bit 4 never */
    tl_bit_map_ruler(&map, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "field rrHbbgg?!ccc\n"));
}
END_TEST

/* The channel of a bit map, and the channel's own map on the channel's own address, give the same fields as the whole.
 */
START_TEST(channel_and_local_map_agree)
{
    tl_address_map_config config = {.kind = TL_MAP_BITS, .access_bytes = 32};
    ck_assert_int_eq(tl_bit_map_parse(letters, &config.bits), TL_MEM_OK);
    tl_address_map map;
    ck_assert_int_eq(tl_address_map_init(&map, &config), TL_MEM_OK);
    ck_assert_uint_eq(map.config.targets, 32);
    ck_assert_uint_eq(map.config.unit_bytes, 1024); /* the lowest channel bit is bit 10 */
    ck_assert_int_eq(tl_address_map_self_check(&map, 1 << 20), TL_MEM_OK);
    tl_bit_map local;
    tl_bit_decoder whole, part;
    tl_bit_map_without_channel(&config.bits, &local);
    ck_assert_int_eq(tl_bit_map_check(&local), TL_MEM_OK);
    tl_bit_map_compile(&config.bits, &whole);
    tl_bit_map_compile(&local, &part);
    for (uint64_t i = 0; i < 2000; i++) {
        const uint64_t address = tl_mix64(i) & 0x3ffffff & ~UINT64_C(31);
        tl_location location;
        uint32_t expected[TL_BIT_FIELDS], fields[TL_BIT_FIELDS];
        ck_assert_int_eq(tl_address_map_locate(&map, address, 32, &location), TL_MEM_OK);
        tl_bit_map_decode(&whole, address, expected);
        tl_bit_map_decode(&part, location.local_address, fields);
        ck_assert_uint_eq(location.target, expected[TL_BIT_CHANNEL]);
        fields[TL_BIT_CHANNEL] = expected[TL_BIT_CHANNEL];
        ck_assert_mem_eq(fields, expected, sizeof fields);
    }
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

START_TEST(refusals)
{
    const tl_address_map map = make_map((tl_map_kind)_i, 96, 50);
    const uint64_t capacity = UINT64_C(96) * 50 * UNIT;
    const struct {
        uint64_t address;
        uint32_t bytes;
        tl_mem_status status;
    } bad[] = {
        {0x41, 32, TL_MEM_MISALIGNED},
        {0, 33, TL_MEM_BAD_SIZE},
        {0, 0, TL_MEM_BAD_SIZE},
        {UNIT - 32, 64, TL_MEM_BAD_SIZE},
        {0, 2 * UNIT, TL_MEM_BAD_SIZE},
        {capacity, 32, TL_MEM_OUT_OF_RANGE},
        {capacity - 32, 64, TL_MEM_OUT_OF_RANGE},
        {0x7fffffffffe0, 32, TL_MEM_OUT_OF_RANGE},
        {UINT64_MAX - 31, 32, TL_MEM_OUT_OF_RANGE},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        tl_location location = {77, 88};
        ck_assert_int_eq(tl_address_map_locate(&map, bad[i].address, bad[i].bytes, &location), bad[i].status);
        ck_assert_uint_eq(location.target, 77);
        ck_assert_uint_eq(location.local_address, 88);
    }
    tl_location location;
    ck_assert_int_eq(tl_address_map_locate(&map, capacity - 32, 32, &location), TL_MEM_OK);
    uint64_t address = 99;
    ck_assert_int_eq(tl_address_map_address(&map, &(tl_location){96, 0}, &address), TL_MEM_OUT_OF_RANGE);
    ck_assert_int_eq(tl_address_map_address(&map, &(tl_location){0, 50 * UNIT}, &address), TL_MEM_OUT_OF_RANGE);
    ck_assert_uint_eq(address, 99);
}
END_TEST

START_TEST(bad_maps)
{
    const tl_address_map_config bad[] = {
        {.kind = TL_MAP_MODULO, .targets = 0, .unit_bytes = UNIT, .access_bytes = 32, .units_per_target = 1},
        {.kind = TL_MAP_MODULO, .targets = 1, .unit_bytes = 3000, .access_bytes = 8, .units_per_target = 1},
        {.kind = TL_MAP_MODULO, .targets = 1, .unit_bytes = UNIT, .access_bytes = 48, .units_per_target = 1},
        {.kind = TL_MAP_MODULO, .targets = 1, .unit_bytes = 64, .access_bytes = 128, .units_per_target = 1},
        {.kind = TL_MAP_MODULO, .targets = 1, .unit_bytes = UNIT, .access_bytes = 32, .units_per_target = 0},
        {.kind = TL_MAP_HASH,
         .targets = 96,
         .unit_bytes = UNIT,
         .access_bytes = 32,
         .units_per_target = UINT64_C(1) << 40},
    };
    tl_address_map map;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(tl_address_map_init(&map, &bad[i]), TL_MEM_BAD_MAP);
    }
    for (unsigned s = 0; s < TL_MEM_STATUS_COUNT; s++) {
        ck_assert_ptr_nonnull(tl_mem_status_str((tl_mem_status)s));
    }
    ck_assert_str_eq(tl_mem_status_str(TL_MEM_OUT_OF_RANGE), "address out of range");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("address_map");
    TCase *tcase = tcase_create("address_map");
    tcase_add_loop_test(tcase, bijection, 0, COUNTS * KINDS);
    tcase_add_loop_test(tcase, large_map_self_check, 0, KINDS);
    tcase_add_loop_test(tcase, self_check_finds_a_bad_map, 0, KINDS);
    tcase_add_test(tcase, modulo_is_modulo);
    tcase_add_loop_test(tcase, permutation_meets_all, 0, COUNTS);
    tcase_add_test(tcase, stride_of_all_channels);
    tcase_add_loop_test(tcase, hash_is_even, 0, 8);
    tcase_add_test(tcase, bits_are_used_once);
    tcase_add_test(tcase, fields_follow_the_letters);
    tcase_add_test(tcase, order_within_a_field_counts);
    tcase_add_test(tcase, ruler);
    tcase_add_test(tcase, channel_and_local_map_agree);
    tcase_add_loop_test(tcase, refusals, 0, KINDS);
    tcase_add_test(tcase, bad_maps);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
