/* SPDX-License-Identifier: Apache-2.0 */
/* What public bug reports about TMA say must happen, report by report. Reports about multicast, im2col and stores
 * concern what is not modelled, and have no test here. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tilelens/mover.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define UNIT_STEPS                                                                                                     \
    {                                                                                                                  \
        1, 1, 1, 1, 1                                                                                                  \
    }

enum { SHARED_BYTES = 1 << 16, UNTOUCHED = 0xEE };

static uint8_t global_data[1 << 20];
static uint8_t shared_data[SHARED_BYTES];

static tl_image global_image(uint64_t base)
{
    for (size_t k = 0; k < sizeof global_data; k++) {
        global_data[k] = (uint8_t)(k * 2654435761u >> 13);
    }
    return (tl_image){.base = base, .data = global_data, .bytes = sizeof global_data};
}

static tl_image shared_image(uint32_t base)
{
    memset(shared_data, UNTOUCHED, sizeof shared_data);
    return (tl_image){.base = base, .data = shared_data, .bytes = sizeof shared_data};
}

/** Encode `params` and load one box to `shared_address`, which is where shared_data begins. */
static tl_status load_box(const tl_tensor_params *params, const int32_t coordinates[TL_MAX_RANK],
                          uint32_t shared_address)
{
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, params), TL_OK);
    const tl_image global = global_image(params->global_address & ~(uint64_t)0xFFFF);
    const tl_image shared = shared_image(shared_address);
    tl_load load = {.shared_address = shared_address};
    memcpy(load.coordinates, coordinates, sizeof load.coordinates);
    return tl_load_execute(&map, &load, TL_GENERAL, &global, &shared, NULL, NULL);
}

typedef struct report {
    const char *source;
    tl_tensor_params params;
    tl_status status;
    int bad_dim;
} report;

#define PARAMS(type, rank_, address, ...)                                                                              \
    {                                                                                                                  \
        .data_type = (type), .rank = (rank_), .global_address = (address), .element_strides = UNIT_STEPS, __VA_ARGS__  \
    }
#define DIMS(...)     .global_dim = {__VA_ARGS__}
#define STRIDES(...)  .global_strides = {__VA_ARGS__}
#define BOX(...)      .box_dim = {__VA_ARGS__}
#define SWIZZLE(mode) .swizzle = TL_SWIZZLE_##mode
#define P             UINT64_C(0x7f0000000000)

static const report REPORTS[] = {
    {"cutlass#947: void C, null base",
     PARAMS(TL_FLOAT16, 3, 0, DIMS(1024, 1024, 1), STRIDES(2048, 2097152), BOX(64, 128, 1), SWIZZLE(128B)),
     TL_ERR_GLOBAL_ADDRESS_NULL, -1},
    {"cutlass#947: the same with a base",
     PARAMS(TL_FLOAT16, 3, P, DIMS(1024, 1024, 1), STRIDES(2048, 2097152), BOX(64, 128, 1), SWIZZLE(128B)), TL_OK, -1},
    {"sglang#16327: base 12 mod 16",
     PARAMS(TL_BFLOAT16, 3, 0xfffd770e9c0c, DIMS(7168, 119384, 1), STRIDES(14336, 0), BOX(32, 128, 1), SWIZZLE(64B)),
     TL_ERR_GLOBAL_ADDRESS_ALIGN, -1},
    {"sglang#16327: base 0 mod 16",
     PARAMS(TL_BFLOAT16, 3, 0xfffd770e9c00, DIMS(7168, 119384, 1), STRIDES(14336, 0), BOX(32, 128, 1), SWIZZLE(64B)),
     TL_OK, -1},
    {"tilelang#460: f16 row of 4100 elements", PARAMS(TL_FLOAT16, 2, P, DIMS(4100, 64), STRIDES(8200), BOX(64, 64)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {"DeepGEMM#96: fp8 row of 1000 bytes", PARAMS(TL_UINT8, 2, P, DIMS(1000, 64), STRIDES(1000), BOX(128, 64)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {"DeepGEMM#96: padded to 1008 bytes", PARAMS(TL_UINT8, 2, P, DIMS(1000, 64), STRIDES(1008), BOX(128, 64)), TL_OK,
     -1},
    {"triton#7785: empty tensor", PARAMS(TL_FLOAT16, 2, P, DIMS(64, 0), STRIDES(128), BOX(64, 64)), TL_ERR_GLOBAL_DIM,
     1},
    {"flash-attention#197: empty segment", PARAMS(TL_FLOAT16, 2, P, DIMS(0, 64), STRIDES(128), BOX(64, 64)),
     TL_ERR_GLOBAL_DIM, 0},
    {"vllm#40737: stride of 2 B on a size-1 head",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(64, 16, 1, 4096), STRIDES(128, 2, 2048), BOX(64, 16, 1, 1), SWIZZLE(128B)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 2},
    {"flashinfer#2232: strides 128 2 4096",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(64, 16, 1, 7721128), STRIDES(128, 2, 4096), BOX(64, 16, 1, 1), SWIZZLE(128B)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 2},
    {"flashinfer#2232: canonical stride 2048",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(64, 16, 1, 7721128), STRIDES(128, 2048, 4096), BOX(64, 16, 1, 1), SWIZZLE(128B)),
     TL_OK, -1},
    {"vllm#13961: FA3 K cache, blamed for a sticky error",
     PARAMS(TL_FLOAT16, 4, P, DIMS(64, 16, 32, 23434), STRIDES(4096, 128, 65536), BOX(64, 192, 1, 1), SWIZZLE(128B)),
     TL_OK, -1},
    {"vllm#13961: FA3 Q of a fused QKV",
     PARAMS(TL_FLOAT16, 4, P + 4096, DIMS(64, 1, 32, 1), STRIDES(12288, 128, 0), BOX(64, 192, 1, 1), SWIZZLE(128B)),
     TL_OK, -1},
    {"vllm#17442: FA3 fp8 Q",
     PARAMS(TL_UINT8, 4, P, DIMS(128, 12, 16, 1), STRIDES(2048, 128, 0), BOX(128, 128, 1, 1), SWIZZLE(128B)), TL_OK,
     -1},
    {"vllm#17442: FA3 fp8 K",
     PARAMS(TL_UINT8, 4, P, DIMS(128, 16, 2, 155017), STRIDES(256, 128, 4096), BOX(128, 160, 1, 1), SWIZZLE(128B)),
     TL_OK, -1},
    {"vllm#28125: FA3 bf16, equal strides",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(128, 16, 1, 17123), STRIDES(256, 256, 4096), BOX(64, 128, 1, 1), SWIZZLE(128B)),
     TL_OK, -1},
    {"flashinfer#2274: trtllm-gen Q",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(128, 7, 2, 24), STRIDES(256, 1792, 3584), BOX(64, 8, 1, 1), SWIZZLE(128B)), TL_OK,
     -1},
    {"tilelang#2578: 256 B row in 128B swizzle",
     PARAMS(TL_FLOAT16, 2, P, DIMS(128, 64), STRIDES(256), BOX(128, 64), SWIZZLE(128B)), TL_ERR_BOX_INNER_SPAN, 0},
    {"tilelang#2630: 96 B row in 32B swizzle",
     PARAMS(TL_FLOAT16, 2, P, DIMS(48, 16), STRIDES(96), BOX(48, 16), SWIZZLE(32B)), TL_ERR_BOX_INNER_SPAN, 0},
    {"cutlass#3121: broadcast with stride 0",
     PARAMS(TL_FLOAT16, 3, P, DIMS(1024, 1024, 1), STRIDES(2048, 0), BOX(64, 128, 1), SWIZZLE(128B)), TL_OK, -1},
    {"cutlass#2728: fp4, K = 704",
     PARAMS(TL_16U4_ALIGN16B, 3, P, DIMS(704, 2048, 64), STRIDES(352, 720896), BOX(128, 64, 1), SWIZZLE(128B)),
     TL_ERR_GLOBAL_DIM_PACKED, 0},
    {"flashinfer#3646: packed fp4, K = 112", PARAMS(TL_16U4_ALIGN8B, 2, P, DIMS(112, 64), STRIDES(56), BOX(64, 64)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {"flashinfer#3646: packed fp4, K = 176", PARAMS(TL_16U4_ALIGN8B, 2, P, DIMS(176, 64), STRIDES(88), BOX(64, 64)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {"flashinfer#3646: packed fp4, K = 192", PARAMS(TL_16U4_ALIGN8B, 2, P, DIMS(192, 64), STRIDES(96), BOX(64, 64)),
     TL_ERR_DATA_TYPE_UNSUPPORTED, -1},
    {"pytorch#184563: f32 x[1:]", PARAMS(TL_FLOAT32, 1, P + 4, DIMS(1024), BOX(64)), TL_ERR_GLOBAL_ADDRESS_ALIGN, -1},
    {"pytorch#190363: inner box of 4 B", PARAMS(TL_FLOAT32, 2, P, DIMS(1024, 64), STRIDES(4096), BOX(1, 64)),
     TL_ERR_BOX_INNER_ALIGN, 0},
    {"pytorch#190363: inner box of 16 B", PARAMS(TL_FLOAT32, 2, P, DIMS(1024, 64), STRIDES(4096), BOX(4, 64)), TL_OK,
     -1},
    {"flash-attention#2665: head stride above sequence stride",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(256, 8192, 32, 1), STRIDES(512, 4194304, 134217728), BOX(64, 128, 1, 1),
            SWIZZLE(128B)),
     TL_OK, -1},
    {"flash-attention#2665: the transposed order",
     PARAMS(TL_BFLOAT16, 4, P, DIMS(256, 32, 8192, 1), STRIDES(4194304, 512, 134217728), BOX(64, 1, 128, 1),
            SWIZZLE(128B)),
     TL_OK, -1},
    {"DeepGEMM#311: fused KV row of 132 B", PARAMS(TL_UINT8, 2, P, DIMS(128, 64), STRIDES(132), BOX(128, 64)),
     TL_ERR_GLOBAL_STRIDE_ALIGN, 1},
    {"DeepGEMM#311: per block",
     PARAMS(TL_UINT8, 3, P, DIMS(128, 64, 1000), STRIDES(128, 8448), BOX(128, 64, 1), SWIZZLE(128B)), TL_OK, -1},
    {"h100-features#1: 256 elements, 512 B", PARAMS(TL_FLOAT16, 1, P, DIMS(4096), BOX(256)), TL_OK, -1},
    {"h100-features#1: 256 elements, 2 KiB", PARAMS(TL_FLOAT64, 1, P, DIMS(4096), BOX(256)), TL_OK, -1},
    {"h100-features#1: 264 elements", PARAMS(TL_FLOAT16, 1, P, DIMS(4096), BOX(264)), TL_ERR_BOX_DIM, 0},
    {"vllm#39727: M = 65536", PARAMS(TL_FLOAT16, 2, P, DIMS(64, 65536), STRIDES(128), BOX(64, 64)), TL_OK, -1},
    {"vllm#39727: M = 2^32", PARAMS(TL_FLOAT16, 2, P, DIMS(64, UINT64_C(1) << 32), STRIDES(128), BOX(64, 64)), TL_OK,
     -1},
};

START_TEST(encode_verdict)
{
    const report *row = &REPORTS[_i];
    tl_tensor_map map;
    int bad_dim = 99;
    const tl_status status = tl_tensor_map_encode_dim(&map, &row->params, &bad_dim);
    ck_assert_msg(status == row->status, "%s: found %s, expected %s", row->source, tl_status_name(status),
                  tl_status_name(row->status));
    ck_assert_msg(bad_dim == row->bad_dim, "%s: dimension %d", row->source, bad_dim);
}
END_TEST

/* triton#7385: f16, c_0 = 130 elements = 260 B. triton#8657: f32, a tail offset no multiple of 4 elements. */
START_TEST(coordinate_0_off_the_16_byte_grid_faults_at_launch)
{
    const tl_tensor_params f16 = PARAMS(TL_FLOAT16, 2, P, DIMS(4096, 64), STRIDES(8192), BOX(64, 4));
    const tl_tensor_params f32 = PARAMS(TL_FLOAT32, 2, P, DIMS(5000, 256), STRIDES(20000), BOX(4, 128));
    ck_assert_int_eq(load_box(&f16, (int32_t[5]){130}, 0), TL_ERR_COORDINATE_ALIGN);
    ck_assert_int_eq(load_box(&f16, (int32_t[5]){136}, 0), TL_OK);
    ck_assert_int_eq(load_box(&f32, (int32_t[5]){5}, 0), TL_ERR_COORDINATE_ALIGN);
    ck_assert_int_eq(load_box(&f32, (int32_t[5]){4}, 0), TL_ERR_GLOBAL_IMAGE); /* the image ends before row 53 */
}
END_TEST

/* tilelang#460, on a device-built map: replace checks nothing, so the launch must. */
START_TEST(device_built_map_with_an_unaligned_pitch_faults_at_launch)
{
    const tl_tensor_params params = PARAMS(TL_FLOAT16, 2, P, DIMS(4096, 64), STRIDES(8192), BOX(64, 4));
    const tl_load load = {.shared_address = 0};
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    ck_assert_int_eq(tl_tensor_map_replace(&map, TL_FIELD_GLOBAL_STRIDE, 0, 8200), TL_OK);
    ck_assert_int_eq(tl_launch_check(&map, &load), TL_ERR_GLOBAL_STRIDE_ALIGN);
}
END_TEST

/* triton#10898, triton#10474, triton#11736: the second 48-byte stage of a ring buffer. */
START_TEST(shared_address_off_the_128_byte_grid_faults_at_launch)
{
    const tl_tensor_params params = PARAMS(TL_FLOAT32, 2, P, DIMS(4, 3), STRIDES(16), BOX(4, 3));
    ck_assert_int_eq(load_box(&params, (int32_t[5]){0}, 0), TL_OK);
    ck_assert_int_eq(load_box(&params, (int32_t[5]){0}, 48), TL_ERR_SHARED_ADDRESS_ALIGN);
}
END_TEST

/* tilelang#2379, emmy#200, ninfer#167, Fuser#4096: base 128 mod 1024; a reader that XORs offsets finds no byte. */
START_TEST(swizzle_uses_the_absolute_shared_address)
{
    const tl_tensor_params params = PARAMS(TL_UINT8, 2, P, DIMS(128, 8), STRIDES(128), BOX(128, 8), SWIZZLE(128B));
    for (uint32_t base = 0x400; base < 0x800; base += 128) {
        ck_assert_int_eq(load_box(&params, (int32_t[5]){0}, base), TL_OK);
        int differing_chunks = 0;
        for (uint32_t offset = 0; offset < 1024; offset += 16) {
            const uint32_t absolute = ((base + offset) ^ ((base + offset) >> 7 & 7) << 4) - base;
            const uint32_t relative = offset ^ (offset >> 7 & 7) << 4;
            ck_assert_mem_eq(shared_data + absolute, global_data + offset, 16);
            differing_chunks += memcmp(shared_data + relative, global_data + offset, 16) != 0;
        }
        ck_assert_int_eq(differing_chunks, base % 1024 == 0 ? 0 : 64);
    }
}
END_TEST

/* helion#2555 against FA3's descriptors: the box may exceed the tensor; the rest is zeros. */
START_TEST(box_beyond_the_tensor_is_zero_filled)
{
    const tl_tensor_params params =
        PARAMS(TL_FLOAT16, 4, P, DIMS(64, 16, 2, 1), STRIDES(256, 128, 65536), BOX(64, 192, 1, 1), SWIZZLE(128B));
    ck_assert_int_eq(load_box(&params, (int32_t[5]){0, 0, 1, 0}, 0), TL_OK);
    for (uint32_t row = 0; row < 192; row++) {
        for (uint32_t k = 0; k < 128; k++) {
            const uint8_t expected = row < 16 ? global_data[row * 256 + 128 + k] : 0;
            ck_assert_uint_eq(shared_data[row * 128 + (k ^ (row & 7) << 4)], expected);
        }
    }
}
END_TEST

/* triton#9235, triton#10442, TensorRT-LLM#18133: a box outside a small allocation must not touch memory. */
START_TEST(out_of_bounds_rows_are_not_read)
{
    const tl_tensor_params params = PARAMS(TL_FLOAT16, 2, P, DIMS(64, 4), STRIDES(256), BOX(64, 8));
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    const tl_image global = {.base = P, .data = global_data, .bytes = 3 * 256 + 128}; /* not even the last row's pad */
    const tl_image shared = shared_image(0);
    const tl_load load = {.shared_address = 0};
    ck_assert_int_eq(tl_load_execute(&map, &load, TL_BASELINE, &global, &shared, NULL, NULL), TL_OK);
}
END_TEST

/* Loads clip per element, so padding between the extent and the stride is never seen (triton#11583 is about stores). */
START_TEST(row_tail_is_clipped_per_element)
{
    const tl_tensor_params params = PARAMS(TL_UINT8, 2, P, DIMS(466, 32), STRIDES(512), BOX(128, 32));
    ck_assert_int_eq(load_box(&params, (int32_t[5]){384, 0}, 0), TL_OK);
    for (uint32_t row = 0; row < 32; row++) {
        for (uint32_t k = 0; k < 128; k++) {
            ck_assert_uint_eq(shared_data[row * 128 + k], 384 + k < 466 ? global_data[row * 512 + 384 + k] : 0);
        }
    }
}
END_TEST

/* FlashGPU-Sim#19: element strides {1, 2} must be executed, not only accepted. */
START_TEST(element_stride_2_loads_every_other_row)
{
    tl_tensor_params params = PARAMS(TL_FLOAT16, 2, P, DIMS(64, 64), STRIDES(128), BOX(64, 9));
    params.element_strides[1] = 2;
    ck_assert_int_eq(load_box(&params, (int32_t[5]){0, 3}, 0), TL_OK);
    for (uint32_t row = 0; row < 5; row++) {
        ck_assert_mem_eq(shared_data + row * 128, global_data + (3 + 2 * row) * 128, 128);
    }
    ck_assert_uint_eq(shared_data[5 * 128], UNTOUCHED);
}
END_TEST

/* flash-attention#2665: strides are those given, not the products of the extents. */
START_TEST(transposed_view_reads_with_its_own_strides)
{
    const tl_tensor_params params = PARAMS(TL_BFLOAT16, 3, P, DIMS(64, 4, 8), STRIDES(16384, 128),
                                           BOX(64, 4, 8)); /* head stride above row stride */
    ck_assert_int_eq(load_box(&params, (int32_t[5]){0}, 0), TL_OK);
    for (uint32_t row = 0; row < 8; row++) {
        for (uint32_t head = 0; head < 4; head++) {
            ck_assert_mem_eq(shared_data + (row * 4 + head) * 128, global_data + head * 16384 + row * 128, 128);
        }
    }
}
END_TEST

/* tilelang#2644, llvm#75838: strides are bytes in every dimension, with no further element-size factor. */
START_TEST(strides_are_bytes_in_every_dimension)
{
    const tl_tensor_params params =
        PARAMS(TL_FLOAT32, 5, P, DIMS(4, 3, 3, 3, 3), STRIDES(32, 160, 1024, 8192), BOX(4, 2, 2, 2, 2));
    ck_assert_int_eq(load_box(&params, (int32_t[5]){0, 1, 1, 1, 1}, 0), TL_OK);
    for (uint32_t row = 0; row < 16; row++) {
        const uint32_t source =
            ((row & 1) + 1) * 32 + ((row >> 1 & 1) + 1) * 160 + ((row >> 2 & 1) + 1) * 1024 + ((row >> 3) + 1) * 8192;
        ck_assert_mem_eq(shared_data + row * 16, global_data + source, 16);
    }
}
END_TEST

/** The source address of the first request of a one-row box. */
static uint64_t first_source(const tl_tensor_params *params, const int32_t coordinates[TL_MAX_RANK])
{
    tl_tensor_map map;
    tl_engine engine;
    tl_request request;
    tl_load load = {.shared_address = 0};
    memcpy(load.coordinates, coordinates, sizeof load.coordinates);
    ck_assert_int_eq(tl_tensor_map_encode(&map, params), TL_OK);
    ck_assert_int_eq(tl_engine_start(&engine, &map, &load, TL_BASELINE), TL_OK);
    ck_assert(tl_engine_next(&engine, &request));
    ck_assert(!request.fill);
    return request.src_address;
}

/* Fuser#3595, flashinfer#2232, FlashGPU-Sim#6: offsets beyond 32 bits, addresses of 64. */
START_TEST(addresses_are_64_bits_wide)
{
    const tl_tensor_params square = PARAMS(TL_FLOAT32, 2, P, DIMS(50000, 50000), STRIDES(200000), BOX(64, 1));
    ck_assert_uint_eq(first_source(&square, (int32_t[5]){49936, 49999}), P + 49936 * 4 + UINT64_C(49999) * 200000);
    const tl_tensor_params cache =
        PARAMS(TL_BFLOAT16, 4, P, DIMS(64, 16, 1, 7721128), STRIDES(128, 2048, 4096), BOX(64, 1, 1, 1));
    ck_assert_uint_eq(first_source(&cache, (int32_t[5]){0, 15, 0, 7721127}), P + 15 * 128 + UINT64_C(7721127) * 4096);
    const tl_tensor_params high = PARAMS(TL_FLOAT16, 2, 0xfedcba9876543210, DIMS(64, 64), STRIDES(128), BOX(64, 1));
    ck_assert_uint_eq(first_source(&high, (int32_t[5]){0, 1}), 0xfedcba9876543210 + 128);
}
END_TEST

/* triton/tools/ragged_tma.py: the sum of products is 2^64 and a little, which is that little. */
START_TEST(ragged_view_wraps_at_64_bits)
{
    const uint64_t ld = 4096, two30 = UINT64_C(1) << 30;
    const tl_tensor_params params = PARAMS(TL_FLOAT16, 4, P, DIMS(64, two30, 0x7fff0000, 0x7fff0000),
                                           STRIDES(ld * 2, ld * 2, (UINT64_C(1) << 35) - ld * 2), BOX(64, 1, 1, 1));
    const int32_t row = 5, offset = 100, rows_left = 32;
    const int32_t coordinates[5] = {0, (int32_t)two30 - rows_left + row, offset + rows_left, (int32_t)two30};
    /* coordinate 1 + coordinate 2 = 2^30 + row + offset, less coordinate 3 = 2^30 of the last stride's -ld */
    ck_assert_uint_eq(first_source(&params, coordinates), P + (uint64_t)(row + offset) * ld * 2);
}
END_TEST

/* cutlass#2081, cutlass#2905: a map is a 128-byte value; copies of it work wherever they lie. */
START_TEST(map_is_a_value_that_can_be_copied)
{
    const tl_tensor_params params = PARAMS(TL_FLOAT16, 2, P, DIMS(64, 64), STRIDES(128), BOX(64, 4));
    tl_tensor_map maps[2];
    ck_assert_uint_eq(sizeof maps[0], 128);
    ck_assert_int_eq(tl_tensor_map_encode(&maps[0], &params), TL_OK);
    memcpy(&maps[1], &maps[0], sizeof maps[1]);
    memset(&maps[0], 0xFF, sizeof maps[0]);
    const tl_load load = {.shared_address = 128};
    ck_assert_int_eq(tl_launch_check(&maps[1], &load), TL_OK);
    ck_assert_int_eq(tl_launch_check(&maps[0], &load), TL_ERR_MAP_INVALID);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bug_reports");
    TCase *tcase = tcase_create("bug_reports");
    tcase_add_loop_test(tcase, encode_verdict, 0, COUNT_OF(REPORTS));
    tcase_add_test(tcase, coordinate_0_off_the_16_byte_grid_faults_at_launch);
    tcase_add_test(tcase, device_built_map_with_an_unaligned_pitch_faults_at_launch);
    tcase_add_test(tcase, shared_address_off_the_128_byte_grid_faults_at_launch);
    tcase_add_test(tcase, swizzle_uses_the_absolute_shared_address);
    tcase_add_test(tcase, box_beyond_the_tensor_is_zero_filled);
    tcase_add_test(tcase, out_of_bounds_rows_are_not_read);
    tcase_add_test(tcase, row_tail_is_clipped_per_element);
    tcase_add_test(tcase, element_stride_2_loads_every_other_row);
    tcase_add_test(tcase, transposed_view_reads_with_its_own_strides);
    tcase_add_test(tcase, strides_are_bytes_in_every_dimension);
    tcase_add_test(tcase, addresses_are_64_bits_wide);
    tcase_add_test(tcase, ragged_view_wraps_at_64_bits);
    tcase_add_test(tcase, map_is_a_value_that_can_be_copied);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
