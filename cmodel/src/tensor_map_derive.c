/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters to bits and back, and the fields that encode derives so that hardware needs no divider. */
#include <string.h>

#include "tensor_map_internal.h"

enum { VIEW_DIMS = TL_MAX_RANK - 1 }; /* dimensions 1..4 have a stride and derived fields */

void tl_tensor_map_pack(tl_tensor_map *map, const tl_tensor_params *params)
{
    memset(map, 0, sizeof *map);
    tl_map_set(map, TL_MAP_VERSION_LSB, TL_MAP_VERSION_BITS, TL_MAP_VERSION);
    tl_map_set(map, TL_MAP_GLOBAL_ADDRESS_LSB, TL_MAP_GLOBAL_ADDRESS_BITS, params->global_address);
    tl_map_set(map, TL_MAP_RANK_LSB, TL_MAP_RANK_BITS, params->rank);
    tl_map_set(map, TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS, params->data_type);
    tl_map_set(map, TL_MAP_INTERLEAVE_LSB, TL_MAP_INTERLEAVE_BITS, params->interleave);
    tl_map_set(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS, params->swizzle);
    tl_map_set(map, TL_MAP_L2_PROMOTION_LSB, TL_MAP_L2_PROMOTION_BITS, params->l2_promotion);
    tl_map_set(map, TL_MAP_OOB_FILL_LSB, TL_MAP_OOB_FILL_BITS, params->oob_fill);
    for (uint32_t d = 0; d < params->rank; d++) {
        tl_map_set(map, TL_MAP_DIM_MINUS_1_LSB + 32 * d, TL_MAP_DIM_MINUS_1_BITS, params->global_dim[d] - 1);
        tl_map_set(map, TL_MAP_BOX_MINUS_1_LSB + 8 * d, TL_MAP_BOX_MINUS_1_BITS, params->box_dim[d] - 1);
        tl_map_set(map, TL_MAP_STEP_MINUS_1_LSB + 3 * d, TL_MAP_STEP_MINUS_1_BITS, params->element_strides[d] - 1);
    }
    for (uint32_t d = 1; d < params->rank; d++) {
        tl_map_set(map, TL_MAP_STRIDE_BYTES_LSB + 64 * (d - 1), TL_MAP_STRIDE_BYTES_BITS,
                   params->global_strides[d - 1]);
    }
    if (params->has_tile_major) {
        const tl_tile_major *tile = &params->tile_major;
        const uint32_t log2_row_bytes = tl_log2(tile->memory_tile[0]) + tl_log2_element_bytes(params->data_type);
        tl_map_set(map, TL_MAP_TILE_MAJOR_LSB, TL_MAP_TILE_MAJOR_BITS, 1);
        tl_map_set(map, TL_MAP_MATRIX_ADDRESS_LSB, TL_MAP_MATRIX_ADDRESS_BITS, tile->matrix_address);
        tl_map_set(map, TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS, log2_row_bytes - TL_LOG2_UNIT_BYTES);
        tl_map_set(map, TL_MAP_LOG2_B_LSB, TL_MAP_LOG2_B_BITS, tl_log2(tile->memory_tile[1]));
        tl_map_set(map, TL_MAP_LEADING_LSB, TL_MAP_LEADING_BITS, tile->leading_stride_bytes / TL_UNIT_BYTES);
    }
}

/*
 * log2 a in elements, 1..16: a tile of one element is below 16 bytes in every type, so 16 codes suffice and the
 * field can be read modulo 16. Between two replaces a*s may thus be below 16 bytes or above 64 KiB.
 */
static uint32_t log2_tile_rows(const tl_tensor_map *map, tl_data_type type)
{
    const uint32_t log2_a16 = (uint32_t)tl_map_get(map, TL_MAP_LOG2_A16_LSB, TL_MAP_LOG2_A16_BITS);
    return ((log2_a16 + TL_LOG2_UNIT_BYTES - tl_log2_element_bytes(type) - 1) & TL_LOG2_A16_MASK) + 1;
}

void tl_tensor_map_unpack(const tl_tensor_map *map, tl_tensor_params *params)
{
    memset(params, 0, sizeof *params);
    params->global_address = tl_map_get(map, TL_MAP_GLOBAL_ADDRESS_LSB, TL_MAP_GLOBAL_ADDRESS_BITS);
    params->rank = (uint32_t)tl_map_get(map, TL_MAP_RANK_LSB, TL_MAP_RANK_BITS);
    params->data_type = (tl_data_type)tl_map_get(map, TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS);
    params->interleave = (tl_interleave)tl_map_get(map, TL_MAP_INTERLEAVE_LSB, TL_MAP_INTERLEAVE_BITS);
    params->swizzle = (tl_swizzle)tl_map_get(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS);
    params->l2_promotion = (tl_l2_promotion)tl_map_get(map, TL_MAP_L2_PROMOTION_LSB, TL_MAP_L2_PROMOTION_BITS);
    params->oob_fill = (tl_oob_fill)tl_map_get(map, TL_MAP_OOB_FILL_LSB, TL_MAP_OOB_FILL_BITS);
    for (uint32_t d = 0; d < params->rank && d < TL_MAX_RANK; d++) {
        params->global_dim[d] = tl_map_get(map, TL_MAP_DIM_MINUS_1_LSB + 32 * d, TL_MAP_DIM_MINUS_1_BITS) + 1;
        params->box_dim[d] = (uint32_t)tl_map_get(map, TL_MAP_BOX_MINUS_1_LSB + 8 * d, TL_MAP_BOX_MINUS_1_BITS) + 1;
        params->element_strides[d] =
            (uint32_t)tl_map_get(map, TL_MAP_STEP_MINUS_1_LSB + 3 * d, TL_MAP_STEP_MINUS_1_BITS) + 1;
        if (d > 0) {
            params->global_strides[d - 1] =
                tl_map_get(map, TL_MAP_STRIDE_BYTES_LSB + 64 * (d - 1), TL_MAP_STRIDE_BYTES_BITS);
        }
    }
    params->has_tile_major = tl_map_get(map, TL_MAP_TILE_MAJOR_LSB, TL_MAP_TILE_MAJOR_BITS) != 0;
    if (params->has_tile_major) {
        tl_tile_major *tile = &params->tile_major;
        tile->matrix_address = tl_map_get(map, TL_MAP_MATRIX_ADDRESS_LSB, TL_MAP_MATRIX_ADDRESS_BITS);
        tile->memory_tile[0] = UINT32_C(1) << log2_tile_rows(map, params->data_type);
        tile->memory_tile[1] = UINT32_C(1) << tl_map_get(map, TL_MAP_LOG2_B_LSB, TL_MAP_LOG2_B_BITS);
        tile->leading_stride_bytes = tl_map_get(map, TL_MAP_LEADING_LSB, TL_MAP_LEADING_BITS) * TL_UNIT_BYTES;
    }
}

static void set_dim_fields(tl_tensor_map *map, uint32_t dim, uint32_t limit, uint64_t stride_units,
                           uint64_t column_step)
{
    tl_map_set(map, TL_MAP_LIMIT_LSB + 64 * (dim - 1), TL_MAP_LIMIT_BITS, limit);
    tl_map_set(map, TL_MAP_STRIDE_LSB + 40 * (dim - 1), TL_MAP_STRIDE_BITS, stride_units);
    tl_map_set(map, TL_MAP_COLUMN_STEP_LSB + 64 * (dim - 1), TL_MAP_COLUMN_STEP_BITS, column_step);
}

static bool is_row_side(const tl_tensor_params *params, uint32_t dim)
{
    return params->global_strides[dim - 1] < params->tile_major.leading_stride_bytes;
}

static void derive_dim(tl_tensor_map *map, const tl_tensor_params *params, uint32_t dim)
{
    const uint64_t stride_bytes = params->global_strides[dim - 1];
    const uint32_t limit = (tl_box_count(params, dim) - 1) * params->element_strides[dim];
    const uint64_t leading_bytes = params->tile_major.leading_stride_bytes;
    const uint64_t b = params->tile_major.memory_tile[1];

    if (!params->has_tile_major) {
        set_dim_fields(map, dim, limit, stride_bytes / TL_UNIT_BYTES, 0);
    } else if (is_row_side(params, dim)) {
        set_dim_fields(map, dim, limit, stride_bytes / TL_UNIT_BYTES * b, 0);
    } else if (leading_bytes != 0 && stride_bytes % leading_bytes == 0) {
        set_dim_fields(map, dim, limit, stride_bytes / TL_UNIT_BYTES, stride_bytes / leading_bytes % b);
    } else {
        /* Legal for extent 1 alone, where only coordinate 0 is in bounds. */
        set_dim_fields(map, dim, limit, 0, 0);
    }
}

static void derive_origin(tl_tensor_map *map, const tl_tensor_params *params)
{
    uint64_t origin_units = params->global_address / TL_UNIT_BYTES;
    uint64_t origin_column = 0;
    uint64_t tile_column_units = 0;
    if (params->has_tile_major && params->tile_major.leading_stride_bytes != 0) {
        const uint64_t origin_bytes = params->global_address - params->tile_major.matrix_address;
        const uint64_t leading_bytes = params->tile_major.leading_stride_bytes;
        const uint64_t b = params->tile_major.memory_tile[1];
        const uint64_t row_units = origin_bytes % leading_bytes / TL_UNIT_BYTES;
        const uint64_t column = origin_bytes / leading_bytes;
        origin_units = params->tile_major.matrix_address / TL_UNIT_BYTES + row_units * b +
                       column * (leading_bytes / TL_UNIT_BYTES);
        origin_column = column % b;
        tile_column_units = leading_bytes / TL_UNIT_BYTES * b;
    }
    tl_map_set(map, TL_MAP_ORIGIN_LSB, TL_MAP_ORIGIN_BITS, origin_units);
    tl_map_set(map, TL_MAP_ORIGIN_COLUMN_LSB, TL_MAP_ORIGIN_COLUMN_BITS, origin_column);
    tl_map_set(map, TL_MAP_TILE_COLUMN_LSB, TL_MAP_TILE_COLUMN_BITS, tile_column_units);
}

/*
 * What the paper variant can say about the map before it sees coordinates: Eq. 5 splits one dimension, Case 2 needs
 * u = box_dim[0] to divide a, and every row-side step must stay on the u grid.
 */
static tl_status paper_refusal(const tl_tensor_params *params, uint32_t *split_dim)
{
    const uint64_t leading_bytes = params->tile_major.leading_stride_bytes;
    const uint64_t tile_column_bytes = leading_bytes * params->tile_major.memory_tile[1];
    const uint64_t box_row_bytes = (uint64_t)params->box_dim[0] << tl_log2_element_bytes(params->data_type);
    *split_dim = 0;
    if (params->global_address != params->tile_major.matrix_address) {
        return TL_ERR_PAPER_ORIGIN;
    }
    if (!tl_is_power_of_two(params->box_dim[0]) || params->box_dim[0] > params->tile_major.memory_tile[0]) {
        return TL_ERR_PAPER_BOX;
    }
    uint32_t split = 0;
    bool column_steps_fit = true;
    for (uint32_t d = 1; d < params->rank && d < TL_MAX_RANK; d++) {
        const uint64_t step_bytes = params->global_strides[d - 1] * params->element_strides[d];
        const uint32_t count = tl_box_count(params, d);
        if (count == 1) {
            continue;
        }
        if (is_row_side(params, d)) {
            if (step_bytes % box_row_bytes != 0) {
                return TL_ERR_PAPER_ROW_STRIDE;
            }
        } else if (tile_column_bytes == 0 || step_bytes % tile_column_bytes != 0) {
            const uint32_t b = params->tile_major.memory_tile[1];
            column_steps_fit =
                column_steps_fit && split == 0 && step_bytes == leading_bytes && (count < b || count % b == 0);
            split = d;
        }
    }
    if (!column_steps_fit) {
        return TL_ERR_PAPER_COLUMN_STRIDE;
    }
    *split_dim = split;
    return TL_OK;
}

void tl_tensor_map_derive(tl_tensor_map *map)
{
    tl_tensor_params params;
    tl_tensor_map_unpack(map, &params);

    for (uint32_t d = 1; d <= VIEW_DIMS; d++) {
        if (d < params.rank) {
            derive_dim(map, &params, d);
        } else {
            set_dim_fields(map, d, 0, 0, 0);
        }
    }
    derive_origin(map, &params);

    uint32_t split_dim = 0;
    const tl_status refusal = params.has_tile_major ? paper_refusal(&params, &split_dim) : TL_OK;
    tl_map_set(map, TL_MAP_SPLIT_DIM_LSB, TL_MAP_SPLIT_DIM_BITS, split_dim);
    tl_map_set(map, TL_MAP_PAPER_REFUSAL_LSB, TL_MAP_PAPER_REFUSAL_BITS, (uint64_t)refusal);
}
