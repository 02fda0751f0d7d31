/* SPDX-License-Identifier: Apache-2.0 */
/* Stage desc_decode. Mirrors rtl/tma_desc_decode.sv. */
#include "tilelens/desc_decode.h"

#include <string.h>

#include "tilelens/tensor_map_bits.h"

#define GET(map, field) tl_map_get((map), TL_MAP_##field##_LSB, TL_MAP_##field##_BITS)
#define GET_AT(map, field, offset) tl_map_get((map), TL_MAP_##field##_LSB + (offset), TL_MAP_##field##_BITS)

static uint32_t log2_element_bytes(uint32_t data_type)
{
    switch (data_type) {
    case TL_UINT8:
        return 0;
    case TL_UINT16: case TL_FLOAT16: case TL_BFLOAT16:
        return 1;
    case TL_UINT64: case TL_INT64: case TL_FLOAT64:
        return 3;
    default:
        return 2;
    }
}

static uint32_t pitch_bytes(uint32_t swizzle, uint32_t row_bytes)
{
    switch (swizzle) {
    case TL_SWIZZLE_NONE:
        return row_bytes;
    case TL_SWIZZLE_32B:
        return 32;
    case TL_SWIZZLE_64B:
        return 64;
    default:
        return 128;
    }
}

static void read_dimensions(const tl_tensor_map *map, tl_fields *fields)
{
    fields->stride[0] = UINT64_C(1) << fields->log2_b;
    fields->dim_minus_1[0] = GET(map, DIM_MINUS_1);
    fields->step[0] = 1;
    for (unsigned d = 1; d < TL_MAX_RANK; d++) {
        fields->dim_minus_1[d] = GET_AT(map, DIM_MINUS_1, TL_MAP_DIM_MINUS_1_BITS * d);
        fields->step[d] = (uint32_t)GET_AT(map, STEP_MINUS_1, TL_MAP_STEP_MINUS_1_BITS * d) + 1;
        fields->limit[d] = (uint32_t)GET_AT(map, LIMIT, 64 * (d - 1));
        fields->stride[d] = GET_AT(map, STRIDE, 40 * (d - 1));
        fields->column_step[d] = fields->tile_major ? (uint32_t)GET_AT(map, COLUMN_STEP, 64 * (d - 1)) : 0;
    }
}

static void read_tile_major(const tl_tensor_map *map, tl_fields *fields)
{
    fields->tile_major = fields->variant != TL_BASELINE && GET(map, TILE_MAJOR) != 0;
    if (fields->tile_major) {
        fields->log2_a16 = (uint32_t)GET(map, LOG2_A16);
        fields->log2_b = (uint32_t)GET(map, LOG2_B);
        fields->mask_a16 = (UINT64_C(1) << fields->log2_a16) - 1;
        fields->mask_b = (UINT64_C(1) << fields->log2_b) - 1;
        fields->origin_column = (uint32_t)GET(map, ORIGIN_COLUMN);
        fields->leading = GET(map, LEADING);
        fields->tile_column = GET(map, TILE_COLUMN);
        fields->split_dim = fields->variant == TL_PAPER ? (uint32_t)GET(map, SPLIT_DIM) : 0;
    }
}

/* Rows are at most 2048 bytes: an edge at 256 units cuts none. */
static void derive_packing(tl_fields *fields)
{
    tl_packing *packing = &fields->packing;
    packing->edge_units = 256;
    if (fields->variant == TL_GENERAL && fields->tile_major) {
        packing->log2_b = fields->log2_b;
        packing->mask_b = fields->mask_b;
        packing->mask_a16 = fields->mask_a16;
        packing->granule = fields->mask_a16 << fields->log2_b | fields->mask_b;
        packing->edge_units = UINT32_C(1) << fields->log2_a16;
        packing->carry_units = fields->tile_column - (fields->mask_b + 1);
    }
}

static bool is_a_map(const tl_tensor_map *map)
{
    const uint64_t rank = GET(map, RANK);
    return GET(map, VERSION) == TL_MAP_VERSION && rank >= 1 && rank <= TL_MAX_RANK &&
           GET(map, DATA_TYPE) <= TL_TFLOAT32_FTZ && GET(map, INTERLEAVE) == TL_INTERLEAVE_NONE &&
           GET(map, SWIZZLE) < TL_SWIZZLE_COUNT;
}

tl_status tl_desc_decode(const tl_tensor_map *map, int32_t coordinate_0, uint32_t shared_address, tl_variant variant,
                         tl_fields *fields)
{
    memset(fields, 0, sizeof *fields);
    fields->variant = variant;
    fields->rank = (uint32_t)GET(map, RANK);
    fields->log2_s = log2_element_bytes((uint32_t)GET(map, DATA_TYPE));
    fields->swizzle = (uint32_t)GET(map, SWIZZLE);
    fields->row_bytes = ((uint32_t)GET(map, BOX_MINUS_1) + 1) << fields->log2_s;
    fields->pitch_bytes = pitch_bytes(fields->swizzle, fields->row_bytes);
    fields->origin = GET(map, ORIGIN);
    read_tile_major(map, fields);
    read_dimensions(map, fields);
    derive_packing(fields);

    if (!is_a_map(map)) {
        return TL_ERR_MAP_INVALID;
    }
    if ((((uint32_t)coordinate_0 << fields->log2_s) & 15) != 0) {
        return TL_ERR_COORDINATE_ALIGN;
    }
    if ((shared_address & 127) != 0) {
        return TL_ERR_SHARED_ADDRESS_ALIGN;
    }
    if (variant == TL_BASELINE && GET(map, TILE_MAJOR) != 0) {
        return TL_ERR_TILE_MAJOR_UNSUPPORTED;
    }
    if (variant == TL_PAPER && fields->tile_major) {
        return (tl_status)GET(map, PAPER_REFUSAL);
    }
    return TL_OK;
}
