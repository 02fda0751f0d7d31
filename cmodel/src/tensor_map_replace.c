/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_map_internal.h"

#include <stddef.h>

enum {
    LOG2_ROWS_MIN = 1, /* a of one element is below 16 bytes in every type */
    LOG2_ROWS_MAX = 16,
    LOG2_COLUMNS_MAX = (1 << TL_MAP_LOG2_B_BITS) - 1,
    SWIZZLE_MODE_128B = TL_SWIZZLE_128B, /* PTX mode codes equal tl_swizzle up to here; the atoms follow */
    SWIZZLE_ATOMICITY_MAX = TL_SWIZZLE_COUNT - 1 - TL_SWIZZLE_128B
};

/** A field that is stored as it is given, less `bias`; `pitch` bits apart from one dimension to the next. */
typedef struct stored_field {
    unsigned lsb, bits, pitch;
    uint32_t dims;
    uint64_t bias;
} stored_field;

/* Fields without an entry (dims 0) need more than storing. */
static const stored_field STORED[TL_FIELD_COUNT] = {
    [TL_FIELD_GLOBAL_ADDRESS] = {TL_MAP_GLOBAL_ADDRESS_LSB, TL_MAP_GLOBAL_ADDRESS_BITS, 0, 1, 0},
    [TL_FIELD_BOX_DIM] = {TL_MAP_BOX_MINUS_1_LSB, TL_MAP_BOX_MINUS_1_BITS, 8, TL_MAX_RANK, 1},
    [TL_FIELD_GLOBAL_DIM] = {TL_MAP_DIM_MINUS_1_LSB, TL_MAP_DIM_MINUS_1_BITS, 32, TL_MAX_RANK, 1},
    [TL_FIELD_GLOBAL_STRIDE] = {TL_MAP_STRIDE_BYTES_LSB, TL_MAP_STRIDE_BYTES_BITS, 64, TL_MAX_RANK - 1, 0},
    [TL_FIELD_ELEMENT_STRIDE] = {TL_MAP_STEP_MINUS_1_LSB, TL_MAP_STEP_MINUS_1_BITS, 3, TL_MAX_RANK, 1},
    [TL_FIELD_INTERLEAVE] = {TL_MAP_INTERLEAVE_LSB, TL_MAP_INTERLEAVE_BITS, 0, 1, 0},
    [TL_FIELD_FILL_MODE] = {TL_MAP_OOB_FILL_LSB, TL_MAP_OOB_FILL_BITS, 0, 1, 0},
    [TL_FIELD_MATRIX_ADDRESS] = {TL_MAP_MATRIX_ADDRESS_LSB, TL_MAP_MATRIX_ADDRESS_BITS, 0, 1, 0},
};

static bool fits(uint64_t value, unsigned bits)
{
    return bits == 64 || value >> bits == 0;
}

static tl_status store(tl_tensor_map *map, const stored_field *field, uint32_t dim, uint64_t value)
{
    if (dim >= field->dims || value < field->bias || !fits(value - field->bias, field->bits)) {
        return TL_ERR_FIELD;
    }
    tl_map_set(map, field->lsb + field->pitch * dim, field->bits, value - field->bias);
    return TL_OK;
}

static tl_status replace_rank(tl_tensor_map *map, uint64_t rank_minus_1)
{
    if (rank_minus_1 >= TL_MAX_RANK) {
        return TL_ERR_FIELD;
    }
    tl_map_set(map, TL_MAP_RANK_LSB, TL_MAP_RANK_BITS, rank_minus_1 + 1);
    for (uint32_t d = (uint32_t)rank_minus_1 + 1; d < TL_MAX_RANK; d++) {
        tl_map_set(map, TL_MAP_DIM_MINUS_1_LSB + 32 * d, TL_MAP_DIM_MINUS_1_BITS, 0);
        tl_map_set(map, TL_MAP_BOX_MINUS_1_LSB + 8 * d, TL_MAP_BOX_MINUS_1_BITS, 0);
        tl_map_set(map, TL_MAP_STEP_MINUS_1_LSB + 3 * d, TL_MAP_STEP_MINUS_1_BITS, 0);
        tl_map_set(map, TL_MAP_STRIDE_BYTES_LSB + 64 * (d - 1), TL_MAP_STRIDE_BYTES_BITS, 0);
    }
    return TL_OK;
}

static bool is_tile_major(const tl_tensor_map *map)
{
    return tl_map_get(map, TL_MAP_TILE_MAJOR_LSB, TL_MAP_TILE_MAJOR_BITS) != 0;
}

static tl_data_type data_type(const tl_tensor_map *map)
{
    return (tl_data_type)tl_map_get(map, TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS);
}

/** Add to log2_a16 modulo 16; tensor_map_derive.c says why that loses nothing. */
static void shift_log2_a16(tl_tensor_map *map, uint32_t amount)
{
    const uint64_t log2_a16 = tl_map_get(map, TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS);
    tl_map_set(map, TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS, log2_a16 + amount);
}

/** A memory tile keeps its size in elements: in a tile-major map log2(a*s/16) follows s. */
static tl_status replace_element_type(tl_tensor_map *map, uint64_t ptx_code)
{
    static const tl_data_type FROM_PTX[TL_DATA_TYPE_COUNT] = {
        TL_UINT8,        TL_UINT16,       TL_UINT32,        TL_INT32,         TL_UINT64,   TL_INT64,
        TL_FLOAT16,      TL_FLOAT32,      TL_FLOAT32_FTZ,   TL_FLOAT64,       TL_BFLOAT16, TL_TFLOAT32,
        TL_TFLOAT32_FTZ, TL_16U4_ALIGN8B, TL_16U4_ALIGN16B, TL_16U6_ALIGN16B,
    };
    if (ptx_code >= TL_DATA_TYPE_COUNT) {
        return TL_ERR_FIELD;
    }
    const tl_data_type type = FROM_PTX[ptx_code];
    if (is_tile_major(map)) {
        shift_log2_a16(map, tl_log2_element_bytes(type) - tl_log2_element_bytes(data_type(map)));
    }
    tl_map_set(map, TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS, type);
    return TL_OK;
}

static tl_status replace_swizzle_mode(tl_tensor_map *map, uint64_t mode)
{
    const uint64_t swizzle = tl_map_get(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS);
    if (mode > SWIZZLE_MODE_128B) {
        return TL_ERR_FIELD;
    }
    if (mode != SWIZZLE_MODE_128B || swizzle < SWIZZLE_MODE_128B) {
        tl_map_set(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS, mode);
    }
    return TL_OK;
}

static tl_status replace_swizzle_atomicity(tl_tensor_map *map, uint64_t atomicity)
{
    const uint64_t swizzle = tl_map_get(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS);
    if (swizzle < SWIZZLE_MODE_128B) {
        return atomicity == 0 ? TL_OK : TL_ERR_FIELD;
    }
    if (atomicity > SWIZZLE_ATOMICITY_MAX) {
        return TL_ERR_FIELD;
    }
    tl_map_set(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS, SWIZZLE_MODE_128B + atomicity);
    return TL_OK;
}

/*
 * A memory tile and a matrix address may arrive before the leading stride. While the map is plain, log2_a16 holds
 * log2 a modulo 16, so that it does not depend on the element type and is 0 in a map that never had a tile.
 */
static tl_status replace_leading_stride(tl_tensor_map *map, uint64_t bytes)
{
    if (bytes % TL_UNIT_BYTES != 0 || !fits(bytes / TL_UNIT_BYTES, TL_MAP_LEADING_BITS)) {
        return TL_ERR_FIELD;
    }
    if (bytes == 0) {
        tl_map_set(map, TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS, 0);
        tl_map_set(map, TL_MAP_LOG2_B_LSB, TL_MAP_LOG2_B_BITS, 0);
        tl_map_set(map, TL_MAP_MATRIX_ADDRESS_LSB, TL_MAP_MATRIX_ADDRESS_BITS, 0);
    } else if (!is_tile_major(map)) {
        shift_log2_a16(map, tl_log2_element_bytes(data_type(map)) - TL_LOG2_UNIT_BYTES);
    }
    tl_map_set(map, TL_MAP_LEADING_LSB, TL_MAP_LEADING_BITS, bytes / TL_UNIT_BYTES);
    tl_map_set(map, TL_MAP_TILE_MAJOR_LSB, TL_MAP_TILE_MAJOR_BITS, bytes != 0);
    return TL_OK;
}

static tl_status replace_memory_tile(tl_tensor_map *map, uint32_t dim, uint64_t elements)
{
    const uint32_t log2_elements = tl_log2(elements);
    if (dim > 1 || !tl_is_power_of_two(elements)) {
        return TL_ERR_FIELD;
    }
    if (dim == 1) {
        if (log2_elements > LOG2_COLUMNS_MAX) {
            return TL_ERR_FIELD;
        }
        tl_map_set(map, TL_MAP_LOG2_B_LSB, TL_MAP_LOG2_B_BITS, log2_elements);
        return TL_OK;
    }
    if (log2_elements < LOG2_ROWS_MIN || log2_elements > LOG2_ROWS_MAX) {
        return TL_ERR_FIELD;
    }
    tl_map_set(map, TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS, log2_elements);
    if (is_tile_major(map)) {
        shift_log2_a16(map, tl_log2_element_bytes(data_type(map)) - TL_LOG2_UNIT_BYTES);
    }
    return TL_OK;
}

static tl_status replace_field(tl_tensor_map *map, tl_map_field field, uint32_t dim, uint64_t value)
{
    if ((uint32_t)field >= TL_FIELD_COUNT) {
        return TL_ERR_FIELD;
    }
    if (STORED[field].dims != 0) {
        return store(map, &STORED[field], dim, value);
    }
    if (field == TL_FIELD_MEMORY_TILE) {
        return replace_memory_tile(map, dim, value);
    }
    if (dim != 0) {
        return TL_ERR_FIELD;
    }
    switch (field) {
    case TL_FIELD_RANK:
        return replace_rank(map, value);
    case TL_FIELD_ELEMENT_TYPE:
        return replace_element_type(map, value);
    case TL_FIELD_SWIZZLE_MODE:
        return replace_swizzle_mode(map, value);
    case TL_FIELD_SWIZZLE_ATOMICITY:
        return replace_swizzle_atomicity(map, value);
    case TL_FIELD_LEADING_STRIDE:
        return replace_leading_stride(map, value);
    default:
        return TL_ERR_FIELD;
    }
}

tl_status tl_tensor_map_replace(tl_tensor_map *map, tl_map_field field, uint32_t dim, uint64_t value)
{
    if (map == NULL) {
        return TL_ERR_NULL;
    }
    const tl_status status = replace_field(map, field, dim, value);
    if (status == TL_OK) {
        tl_tensor_map_derive(map);
    }
    return status;
}
