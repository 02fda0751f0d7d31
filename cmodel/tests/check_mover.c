/* SPDX-License-Identifier: Apache-2.0 */
/* Launch check and data mover: bytes land where they must, fills are whole elements, images bound every access. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tilelens/mover.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))

enum { GLOBAL_BYTES = 1 << 16, SHARED_BYTES = 1 << 13, UNTOUCHED = 0xEE };

static const uint64_t GLOBAL_BASE = 0x7f0000000000;
static const uint32_t SHARED_BASE = 0x400;

static uint8_t global_data[GLOBAL_BYTES];
static uint8_t shared_data[SHARED_BYTES];
static uint8_t expected_data[SHARED_BYTES]; /* what shared_data must become */

static const tl_image GLOBAL = {.base = 0x7f0000000000, .data = global_data, .bytes = GLOBAL_BYTES};
static const tl_image SHARED = {.base = 0x400, .data = shared_data, .bytes = SHARED_BYTES};

static void reset_memory(void)
{
    uint32_t state = 1;
    for (int k = 0; k < GLOBAL_BYTES; k++) {
        state = state * 1664525 + 1013904223;
        global_data[k] = (uint8_t)(state >> 24);
    }
    memset(shared_data, UNTOUCHED, sizeof shared_data);
}

static tl_tensor_params plain_params(void)
{
    return (tl_tensor_params){
        .data_type = TL_FLOAT16,
        .rank = 2,
        .global_address = GLOBAL_BASE,
        .global_dim = {64, 64},
        .global_strides = {128},
        .box_dim = {64, 8},
        .element_strides = {1, 1},
    };
}

static tl_tensor_map encode(const tl_tensor_params *params)
{
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, params), TL_OK);
    return map;
}

static tl_status execute(const tl_tensor_params *params, const tl_load *load, uint64_t *mbarrier_bytes)
{
    const tl_tensor_map map = encode(params);
    return tl_load_execute(&map, load, TL_GENERAL, &GLOBAL, &SHARED, NULL, mbarrier_bytes);
}

static const uint8_t *shared_at(uint64_t address)
{
    ck_assert_uint_ge(address, SHARED.base);
    ck_assert_uint_lt(address, SHARED.base + SHARED.bytes);
    return shared_data + (address - SHARED.base);
}

static void expect_byte(uint64_t address, uint8_t value)
{
    expected_data[address - SHARED.base] = value;
}

static bool shared_is_untouched(void)
{
    for (int k = 0; k < SHARED_BYTES; k++) {
        if (shared_data[k] != UNTOUCHED) {
            return false;
        }
    }
    return true;
}

/* Worked examples, computed by hand from the XOR formulas. */
static const struct {
    tl_swizzle swizzle;
    uint32_t box_0, k, row;
    uint32_t base, address;
} EXAMPLES[] = {
    {TL_SWIZZLE_128B, 64, 20, 5, 0x400, 0x6F8},          {TL_SWIZZLE_128B, 64, 20, 5, 0x480, 0x748},
    {TL_SWIZZLE_64B, 32, 20, 5, 0x400, 0x548},           {TL_SWIZZLE_32B, 16, 10, 5, 0x400, 0x4A4},
    {TL_SWIZZLE_128B_ATOM_32B, 64, 20, 5, 0x400, 0x688}, {TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, 64, 20, 5, 0x400, 0x680},
    {TL_SWIZZLE_128B_ATOM_64B, 64, 20, 5, 0x400, 0x6E8}, {TL_SWIZZLE_NONE, 64, 20, 5, 0x400, 0x6A8},
};

START_TEST(swizzle_worked_example)
{
    reset_memory();
    tl_tensor_params params = plain_params();
    params.swizzle = EXAMPLES[_i].swizzle;
    params.box_dim[0] = EXAMPLES[_i].box_0;
    const tl_load load = {.coordinates = {0, 7}, .shared_address = EXAMPLES[_i].base};
    ck_assert_int_eq(execute(&params, &load, NULL), TL_OK);
    const uint8_t *source = global_data + (7 + EXAMPLES[_i].row) * 128 + EXAMPLES[_i].k * 2;
    ck_assert_mem_eq(shared_at(EXAMPLES[_i].address), source, 2);
}
END_TEST

/** Copy address bits `low..low+count-1` from the bits `distance` above them, by XOR: the rule, one bit at a time. */
static uint64_t xor_bits(uint64_t address, int low, int count, int distance)
{
    const uint64_t before = address;
    for (int bit = low; bit < low + count; bit++) {
        if (before >> (bit + distance) & 1) {
            address ^= UINT64_C(1) << bit;
        }
    }
    return address;
}

static uint64_t swizzled(tl_swizzle swizzle, uint64_t address)
{
    switch (swizzle) {
    case TL_SWIZZLE_32B:
        return xor_bits(address, 4, 1, 3);
    case TL_SWIZZLE_64B:
        return xor_bits(address, 4, 2, 3);
    case TL_SWIZZLE_128B:
        return xor_bits(address, 4, 3, 3);
    case TL_SWIZZLE_128B_ATOM_32B:
        return xor_bits(address, 5, 2, 2);
    case TL_SWIZZLE_128B_ATOM_32B_FLIP_8B:
        return xor_bits(xor_bits(address, 5, 2, 2), 3, 1, 4);
    case TL_SWIZZLE_128B_ATOM_64B:
        return xor_bits(address, 6, 1, 1);
    default:
        return address;
    }
}

/* Every byte of the box in every mode, from a base off the period, for full and for short rows. */
START_TEST(every_byte_follows_the_absolute_address)
{
    const tl_swizzle swizzle = (tl_swizzle)_i;
    const uint32_t span_bytes = tl_swizzle_span_bytes(swizzle);
    const uint32_t widest_bytes = span_bytes != 0 ? span_bytes : 128;
    for (uint32_t row_bytes = 16; row_bytes <= widest_bytes; row_bytes += 16) {
        for (uint32_t base = 0x400; base < 0x800; base += 128) {
            reset_memory();
            tl_tensor_params params = plain_params();
            params.swizzle = swizzle;
            params.box_dim[0] = row_bytes / 2;
            params.box_dim[1] = 16;
            const tl_load load = {.coordinates = {0, 3}, .shared_address = base};
            ck_assert_int_eq(execute(&params, &load, NULL), TL_OK);
            const uint32_t pitch_bytes = span_bytes != 0 ? span_bytes : row_bytes;
            memset(expected_data, UNTOUCHED, sizeof expected_data);
            for (uint32_t row = 0; row < 16; row++) {
                for (uint32_t k = 0; k < row_bytes; k++) {
                    expect_byte(swizzled(swizzle, base + row * pitch_bytes + k), global_data[(3 + row) * 128 + k]);
                }
            }
            ck_assert_msg(memcmp(shared_data, expected_data, sizeof shared_data) == 0, "rows of %u bytes at %x",
                          row_bytes, base);
        }
    }
}
END_TEST

/* The tensor ends inside the row: 3 elements of data, then fill, in whole elements, also across 8-byte flips. */
START_TEST(fill_is_zero_or_the_nan_of_the_element_size)
{
    static const tl_data_type types[] = {TL_FLOAT16,  TL_BFLOAT16,     TL_FLOAT32, TL_FLOAT32_FTZ,
                                         TL_TFLOAT32, TL_TFLOAT32_FTZ, TL_FLOAT64};
    const tl_nan_patterns custom = {{0x11, 0x2233, 0x44556677, 0x8899AABBCCDDEEFF}};
    const tl_nan_patterns *choices[] = {NULL, &custom};
    const uint64_t defaults[] = {0, 0, 0x7FFF, 0, 0x7FFFFFFF, 0, 0, 0, 0x7FFFFFFFFFFFFFFF};
    const uint64_t customs[] = {0, 0, 0x2233, 0, 0x44556677, 0, 0, 0, 0x8899AABBCCDDEEFF};

    const tl_swizzle swizzle = (tl_swizzle)_i;
    for (int t = 0; t < COUNT_OF(types); t++) {
        for (int mode = 0; mode < 3; mode++) { /* zero, default NaN, custom NaN */
            reset_memory();
            const uint32_t s = tl_element_bytes(types[t]);
            const uint64_t pattern = mode == 0 ? 0 : mode == 1 ? defaults[s] : customs[s];
            tl_tensor_params params = plain_params();
            params.data_type = types[t];
            params.swizzle = swizzle;
            params.oob_fill = mode == 0 ? TL_OOB_ZERO : TL_OOB_NAN;
            params.global_dim[0] = 3;
            params.global_dim[1] = 6;
            params.box_dim[0] = 32 / s;
            const tl_load load = {.coordinates = {0, -1}, .shared_address = SHARED_BASE};
            const tl_tensor_map map = encode(&params);
            ck_assert_int_eq(
                tl_load_execute(&map, &load, TL_GENERAL, &GLOBAL, &SHARED, mode == 0 ? NULL : choices[mode - 1], NULL),
                TL_OK);
            const uint32_t span_bytes = tl_swizzle_span_bytes(swizzle);
            const uint32_t pitch_bytes = span_bytes != 0 ? span_bytes : 32;
            memset(expected_data, UNTOUCHED, sizeof expected_data);
            for (uint32_t row = 0; row < 8; row++) {
                for (uint32_t k = 0; k < 32; k++) {
                    const bool inside = row >= 1 && row < 7 && k < 3 * s;
                    const uint8_t fill = (uint8_t)(pattern >> (k % s * 8));
                    expect_byte(swizzled(swizzle, SHARED_BASE + row * pitch_bytes + k),
                                inside ? global_data[(row - 1) * 128 + k] : fill);
                }
            }
            ck_assert_msg(memcmp(shared_data, expected_data, sizeof shared_data) == 0, "type %d, fill %d",
                          (int)types[t], mode);
        }
    }
}
END_TEST

START_TEST(mbarrier_counts_the_whole_box)
{
    const struct {
        uint32_t box[2], step[2];
        int32_t coordinates[2];
        tl_swizzle swizzle;
        uint64_t load_bytes, footprint_bytes;
    } cases[] = {
        {{64, 8}, {1, 1}, {0, 0}, TL_SWIZZLE_128B, 1024, 1024},
        {{64, 8}, {1, 1}, {32, 60}, TL_SWIZZLE_128B, 1024, 1024}, /* the corner sticks out */
        {{64, 8}, {1, 1}, {-64, 0}, TL_SWIZZLE_NONE, 1024, 1024}, /* nothing is inside */
        {{64, 8}, {1, 1}, {0, 2147483647}, TL_SWIZZLE_NONE, 1024, 1024},
        {{64, 8}, {1, 3}, {0, 0}, TL_SWIZZLE_NONE, 384, 384},           /* ceil(8 / 3) rows */
        {{64, 8}, {4, 1}, {0, 0}, TL_SWIZZLE_NONE, 1024, 1024},         /* stride 0 has no effect */
        {{16, 8}, {1, 1}, {0, 0}, TL_SWIZZLE_128B_ATOM_32B, 256, 1024}, /* short rows take the whole span */
        {{16, 8}, {1, 1}, {0, 0}, TL_SWIZZLE_64B, 256, 512},
        {{256, 1}, {1, 1}, {0, 0}, TL_SWIZZLE_NONE, 512, 512},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        reset_memory();
        tl_tensor_params params = plain_params();
        params.swizzle = cases[k].swizzle;
        memcpy(params.box_dim, cases[k].box, sizeof cases[k].box);
        memcpy(params.element_strides, cases[k].step, sizeof cases[k].step);
        tl_load load = {.shared_address = SHARED_BASE};
        memcpy(load.coordinates, cases[k].coordinates, sizeof cases[k].coordinates);
        const tl_tensor_map map = encode(&params);
        uint64_t mbarrier_bytes = 0;
        ck_assert_int_eq(execute(&params, &load, &mbarrier_bytes), TL_OK);
        ck_assert_uint_eq(mbarrier_bytes, cases[k].load_bytes);
        ck_assert_uint_eq(tl_load_bytes(&map), cases[k].load_bytes);
        ck_assert_uint_eq(tl_load_footprint_bytes(&map), cases[k].footprint_bytes);
    }
}
END_TEST

/* Rows 2..9 of 128 B: source bytes 256..1279, and 1024 B of shared memory. */
START_TEST(images_must_cover_the_box_to_the_byte)
{
    const tl_tensor_params params = plain_params();
    const tl_tensor_map map = encode(&params);
    const tl_load load = {.coordinates = {0, 2}, .shared_address = SHARED_BASE};
    const tl_image source = {.base = GLOBAL_BASE + 256, .data = global_data + 256, .bytes = 1024};
    const tl_image destination = {.base = SHARED_BASE, .data = shared_data, .bytes = 1024};
    uint64_t bytes = 7;
    reset_memory();
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &source, &destination, NULL, &bytes), TL_OK);
    ck_assert_mem_eq(shared_data, global_data + 256, 1024);
    ck_assert_uint_eq(bytes, 1024);

    bytes = 7;
    tl_image shorter = source;
    shorter.bytes--;
    reset_memory();
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &shorter, &destination, NULL, &bytes),
                     TL_ERR_GLOBAL_IMAGE);
    ck_assert_mem_eq(shared_data, global_data + 256, 7 * 128); /* earlier requests have been written */
    ck_assert_uint_eq(shared_data[7 * 128], UNTOUCHED);
    ck_assert_uint_eq(bytes, 7);
    shorter = (tl_image){.base = source.base + 1, .data = source.data + 1, .bytes = source.bytes - 1};
    reset_memory();
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &shorter, &destination, NULL, &bytes),
                     TL_ERR_GLOBAL_IMAGE);
    ck_assert(shared_is_untouched());

    shorter = destination;
    shorter.bytes--;
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &source, &shorter, NULL, &bytes), TL_ERR_SHARED_IMAGE);
    shorter = (tl_image){.base = SHARED_BASE + 1, .data = shared_data + 1, .bytes = 1023};
    reset_memory();
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &source, &shorter, NULL, &bytes), TL_ERR_SHARED_IMAGE);
    ck_assert(shared_is_untouched());
}
END_TEST

/* A fill has no source, so an empty global image suffices for a box outside the tensor. */
START_TEST(fill_reads_nothing)
{
    reset_memory();
    const tl_tensor_params params = plain_params();
    const tl_tensor_map map = encode(&params);
    const tl_image empty = {.base = 0, .data = NULL, .bytes = 0};
    const tl_load load = {.coordinates = {0, 64}, .shared_address = SHARED_BASE};
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &empty, &SHARED, NULL, NULL), TL_OK);
    memset(expected_data, 0, 1024);
    ck_assert_mem_eq(shared_data, expected_data, 1024);
}
END_TEST

START_TEST(launch_rules)
{
    const struct {
        int32_t coordinate_0;
        uint32_t shared_address;
        tl_status status;
    } cases[] = {
        {0, 0, TL_OK},
        {8, 128, TL_OK},
        {-8, 128, TL_OK},
        {4, 128, TL_ERR_COORDINATE_ALIGN},
        {-1, 128, TL_ERR_COORDINATE_ALIGN},
        {2147483647, 128, TL_ERR_COORDINATE_ALIGN},
        {2147483640, 128, TL_OK},
        {INT32_MIN, 128, TL_OK},
        {4, 64, TL_ERR_COORDINATE_ALIGN}, /* in this order */
        {0, 64, TL_ERR_SHARED_ADDRESS_ALIGN},
        {0, 1, TL_ERR_SHARED_ADDRESS_ALIGN},
        {0, 0u - 1024, TL_OK}, /* ends at 2^32 */
        {0, 0u - 896, TL_ERR_SHARED_ADDRESS_RANGE},
    };
    const tl_tensor_params params = plain_params();
    const tl_tensor_map map = encode(&params);
    reset_memory();
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const tl_load load = {.coordinates = {cases[k].coordinate_0, 0}, .shared_address = cases[k].shared_address};
        ck_assert_int_eq(tl_launch_check(&map, &load), cases[k].status);
        if (cases[k].status != TL_OK) {
            ck_assert_int_eq(tl_load_execute(&map, &load, TL_GENERAL, &GLOBAL, &SHARED, NULL, NULL), cases[k].status);
            ck_assert(shared_is_untouched());
        }
    }
    ck_assert_int_eq(tl_launch_check(NULL, NULL), TL_ERR_NULL);
    ck_assert_int_eq(tl_launch_check(&map, NULL), TL_ERR_NULL);
    const tl_load load = {.shared_address = SHARED_BASE};
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_GENERAL, NULL, &SHARED, NULL, NULL), TL_ERR_NULL);
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_GENERAL, &GLOBAL, NULL, NULL, NULL), TL_ERR_NULL);
}
END_TEST

/* The largest box there is, 2^40 elements of 8 bytes, must not overflow any count. */
START_TEST(byte_counts_are_exact_beyond_32_bits)
{
    const tl_tensor_params params = {
        .data_type = TL_FLOAT64,
        .rank = 5,
        .global_address = 16,
        .global_dim = {256, 256, 256, 256, 256},
        .global_strides = {2048, 2048, 2048, 2048},
        .box_dim = {256, 256, 256, 256, 256},
        .element_strides = {1, 1, 1, 1, 1},
    };
    const tl_tensor_map map = encode(&params);
    const tl_load load = {.shared_address = 0};
    ck_assert_uint_eq(tl_load_bytes(&map), UINT64_C(1) << 43);
    ck_assert_uint_eq(tl_load_footprint_bytes(&map), UINT64_C(1) << 43);
    ck_assert_int_eq(tl_launch_check(&map, &load), TL_ERR_SHARED_ADDRESS_RANGE);
}
END_TEST

/* A matrix stored tile-major gives the box that the column-major matrix gives through a plain map. */
START_TEST(tile_major_box_equals_column_major_box)
{
    enum { K = 256, N = 64, A = 32, B = 16 }; /* uint16 */
    static uint8_t tiled_data[K * N * 2];
    static uint8_t expected[64 * 24 * 2];
    tl_tensor_params params = plain_params();
    params.data_type = TL_UINT16;
    params.global_dim[0] = K;
    params.global_dim[1] = N;
    params.global_strides[0] = K * 2;
    params.box_dim[1] = 24;
    params.swizzle = TL_SWIZZLE_128B;
    const tl_load load = {.coordinates = {104, 45}, .shared_address = SHARED_BASE};
    reset_memory();
    ck_assert_int_eq(execute(&params, &load, NULL), TL_OK);
    memcpy(expected, shared_data, sizeof expected);

    for (int i = 0; i < K; i++) {
        for (int j = 0; j < N; j++) {
            const int offset = ((j / B) * (K / A) + i / A) * (A * B) + (j % B) * A + i % A;
            memcpy(tiled_data + 2 * offset, global_data + 2 * (i + K * j), 2);
        }
    }
    const tl_image tiled = {.base = GLOBAL_BASE, .data = tiled_data, .bytes = sizeof tiled_data};
    params.has_tile_major = true;
    params.tile_major =
        (tl_tile_major){.leading_stride_bytes = K * 2, .memory_tile = {A, B}, .matrix_address = GLOBAL_BASE};
    const tl_tensor_map map = encode(&params);
    memset(shared_data, UNTOUCHED, sizeof shared_data);
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &tiled, &SHARED, NULL, NULL),
                     TL_ERR_TILE_MAJOR_UNSUPPORTED);
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_PAPER, &tiled, &SHARED, NULL, NULL), TL_ERR_PAPER_BOX);
    ck_assert(shared_is_untouched());
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_GENERAL, &tiled, &SHARED, NULL, NULL), TL_OK);
    ck_assert_mem_eq(shared_data, expected, sizeof expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mover");
    TCase *tcase = tcase_create("mover");
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, swizzle_worked_example, 0, COUNT_OF(EXAMPLES));
    tcase_add_loop_test(tcase, every_byte_follows_the_absolute_address, 0, TL_SWIZZLE_COUNT);
    tcase_add_loop_test(tcase, fill_is_zero_or_the_nan_of_the_element_size, 0, TL_SWIZZLE_COUNT);
    tcase_add_test(tcase, mbarrier_counts_the_whole_box);
    tcase_add_test(tcase, images_must_cover_the_box_to_the_byte);
    tcase_add_test(tcase, fill_reads_nothing);
    tcase_add_test(tcase, launch_rules);
    tcase_add_test(tcase, byte_counts_are_exact_beyond_32_bits);
    tcase_add_test(tcase, tile_major_box_equals_column_major_box);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
