/* SPDX-License-Identifier: Apache-2.0 */
/* Encode rules, in the order of status.h: those of cuTensorMapEncodeTiled, what is not modelled, tile-major rules 1-5.
 */
#include "tensor_map_internal.h"

#define MAX_EXTENT         (UINT64_C(1) << 32)
#define STRIDE_LIMIT_BYTES (UINT64_C(1) << 40)
#define COLUMN_INDEX_LIMIT (UINT64_C(1) << 31)

enum {
    MAX_BOX = 256,
    MAX_ELEMENT_STRIDE = 8,
    PACKED_ROW = 128, /* elements that the 16-byte packed types handle as one */
    MIN_GRANULARITY_BYTES = 512,
    MAX_GRANULARITY_BYTES = 65536
};

typedef tl_status rule_group(const tl_tensor_params *params, int *bad_dim);

static tl_status broken(tl_status rule, uint32_t dim, int *bad_dim)
{
    *bad_dim = (int)dim;
    return rule;
}

static bool is_packed_16b(tl_data_type type)
{
    return type == TL_16U4_ALIGN16B || type == TL_16U6_ALIGN16B;
}

static bool is_floating_point(tl_data_type type)
{
    switch (type) {
    case TL_FLOAT16:
    case TL_FLOAT32:
    case TL_FLOAT64:
    case TL_BFLOAT16:
    case TL_FLOAT32_FTZ:
    case TL_TFLOAT32:
    case TL_TFLOAT32_FTZ:
        return true;
    default:
        return false;
    }
}

/** Bits of one element in shared memory; the 16-byte packed types pad 16 elements to 16 bytes. */
static uint32_t shared_element_bits(tl_data_type type)
{
    if (type == TL_16U4_ALIGN8B) {
        return 4;
    }
    return is_packed_16b(type) ? 8 : 8 * tl_element_bytes(type);
}

/** Alignment of the global address and of every stride. */
static uint64_t global_align_bytes(const tl_tensor_params *params)
{
    return params->interleave == TL_INTERLEAVE_32B || is_packed_16b(params->data_type) ? 32 : 16;
}

static tl_status check_tensor(const tl_tensor_params *params, int *bad_dim)
{
    (void)bad_dim;
    if ((uint32_t)params->data_type >= TL_DATA_TYPE_COUNT) {
        return TL_ERR_DATA_TYPE;
    }
    if (params->rank < 1 || params->rank > TL_MAX_RANK) {
        return TL_ERR_RANK;
    }
    if (params->global_address == 0) {
        return TL_ERR_GLOBAL_ADDRESS_NULL;
    }
    if (params->global_address % global_align_bytes(params) != 0) {
        return TL_ERR_GLOBAL_ADDRESS_ALIGN;
    }
    return TL_OK;
}

static tl_status check_extents(const tl_tensor_params *params, int *bad_dim)
{
    for (uint32_t d = 0; d < params->rank; d++) {
        if (params->global_dim[d] < 1 || params->global_dim[d] > MAX_EXTENT) {
            return broken(TL_ERR_GLOBAL_DIM, d, bad_dim);
        }
    }
    const uint64_t multiple = is_packed_16b(params->data_type)       ? PACKED_ROW
                              : params->data_type == TL_16U4_ALIGN8B ? 2
                                                                     : 1;
    if (params->global_dim[0] % multiple != 0) {
        return broken(TL_ERR_GLOBAL_DIM_PACKED, 0, bad_dim);
    }
    return TL_OK;
}

/* The driver checks the stride of an extent-1 dimension too. Zero, equal and decreasing strides are legal. */
static tl_status check_strides(const tl_tensor_params *params, int *bad_dim)
{
    for (uint32_t d = 1; d < params->rank; d++) {
        if (params->global_strides[d - 1] % global_align_bytes(params) != 0) {
            return broken(TL_ERR_GLOBAL_STRIDE_ALIGN, d, bad_dim);
        }
    }
    for (uint32_t d = 1; d < params->rank; d++) {
        if (params->global_strides[d - 1] >= STRIDE_LIMIT_BYTES) {
            return broken(TL_ERR_GLOBAL_STRIDE_RANGE, d, bad_dim);
        }
    }
    return TL_OK;
}

/* A box may exceed the tensor: what lies outside is filled. */
static tl_status check_box(const tl_tensor_params *params, int *bad_dim)
{
    for (uint32_t d = 0; d < params->rank; d++) {
        if (params->box_dim[d] < 1 || params->box_dim[d] > MAX_BOX) {
            return broken(TL_ERR_BOX_DIM, d, bad_dim);
        }
    }
    const uint32_t row_bits = params->box_dim[0] * shared_element_bits(params->data_type);
    const uint32_t span_bytes = tl_swizzle_span_bytes(params->swizzle);
    if (params->interleave == TL_INTERLEAVE_NONE && row_bits % (16 * 8) != 0) {
        return broken(TL_ERR_BOX_INNER_ALIGN, 0, bad_dim);
    }
    if (params->interleave == TL_INTERLEAVE_NONE && span_bytes != 0 && row_bits > span_bytes * 8) {
        return broken(TL_ERR_BOX_INNER_SPAN, 0, bad_dim);
    }
    if (is_packed_16b(params->data_type) && params->box_dim[0] != PACKED_ROW) {
        return broken(TL_ERR_BOX_INNER_PACKED, 0, bad_dim);
    }
    return TL_OK;
}

static tl_status check_element_strides(const tl_tensor_params *params, int *bad_dim)
{
    for (uint32_t d = 0; d < params->rank; d++) {
        if (params->element_strides[d] < 1 || params->element_strides[d] > MAX_ELEMENT_STRIDE) {
            return broken(TL_ERR_ELEMENT_STRIDE, d, bad_dim);
        }
    }
    return TL_OK;
}

static tl_status check_modes(const tl_tensor_params *params, int *bad_dim)
{
    (void)bad_dim;
    if ((uint32_t)params->interleave >= TL_INTERLEAVE_COUNT) {
        return TL_ERR_INTERLEAVE;
    }
    if (params->interleave != TL_INTERLEAVE_NONE && params->rank < 3) {
        return TL_ERR_INTERLEAVE_RANK;
    }
    if (params->interleave == TL_INTERLEAVE_32B && params->swizzle != TL_SWIZZLE_32B) {
        return TL_ERR_INTERLEAVE_SWIZZLE;
    }
    if ((uint32_t)params->swizzle >= TL_SWIZZLE_COUNT) {
        return TL_ERR_SWIZZLE;
    }
    if ((uint32_t)params->l2_promotion >= TL_L2_PROMOTION_COUNT) {
        return TL_ERR_L2_PROMOTION;
    }
    if ((uint32_t)params->oob_fill >= TL_OOB_FILL_COUNT) {
        return TL_ERR_OOB_FILL;
    }
    if (params->oob_fill == TL_OOB_NAN && !is_floating_point(params->data_type)) {
        return TL_ERR_OOB_FILL_TYPE;
    }
    return TL_OK;
}

static tl_status check_supported(const tl_tensor_params *params, int *bad_dim)
{
    (void)bad_dim;
    if (params->interleave != TL_INTERLEAVE_NONE) {
        return TL_ERR_INTERLEAVE_UNSUPPORTED;
    }
    if (tl_element_bytes(params->data_type) == 0) {
        return TL_ERR_DATA_TYPE_UNSUPPORTED;
    }
    return TL_OK;
}

/* Rule 1: memory tile, leading stride, matrix address. */
static tl_status check_tile(const tl_tensor_params *params, int *bad_dim)
{
    (void)bad_dim;
    const tl_tile_major *tile = &params->tile_major;
    if (!params->has_tile_major) {
        return TL_OK;
    }
    if (!tl_is_power_of_two(tile->memory_tile[0]) || !tl_is_power_of_two(tile->memory_tile[1])) {
        return TL_ERR_TILE_SHAPE;
    }
    const uint64_t row_bytes = (uint64_t)tile->memory_tile[0] * tl_element_bytes(params->data_type);
    if (row_bytes < 16) {
        return TL_ERR_TILE_ROW_BYTES;
    }
    const tl_uint128 granularity_bytes = (tl_uint128)row_bytes * tile->memory_tile[1];
    if (granularity_bytes < MIN_GRANULARITY_BYTES || granularity_bytes > MAX_GRANULARITY_BYTES) {
        return TL_ERR_TILE_GRANULARITY;
    }
    /* row_bytes is a power of two of at least 16, so its multiples are multiples of 16. */
    if (tile->leading_stride_bytes == 0 || tile->leading_stride_bytes % row_bytes != 0) {
        return TL_ERR_LEADING_STRIDE_ALIGN;
    }
    if (tile->leading_stride_bytes >= STRIDE_LIMIT_BYTES) {
        return TL_ERR_LEADING_STRIDE_RANGE;
    }
    if (tile->matrix_address % (uint64_t)granularity_bytes != 0) {
        return TL_ERR_MATRIX_ADDRESS_ALIGN;
    }
    if (tile->matrix_address > params->global_address) {
        return TL_ERR_MATRIX_ADDRESS_ORDER;
    }
    return TL_OK;
}

/* Rules 2-5: the view. Extent-1 dimensions contribute nothing, since only their coordinate 0 is in bounds. */
static tl_status check_view(const tl_tensor_params *params, int *bad_dim)
{
    if (!params->has_tile_major) {
        return TL_OK;
    }
    const uint64_t leading_bytes = params->tile_major.leading_stride_bytes;
    const uint64_t origin_bytes = params->global_address - params->tile_major.matrix_address;
    const uint64_t element_bytes = tl_element_bytes(params->data_type);

    tl_uint128 last_row_bytes = origin_bytes % leading_bytes;
    tl_uint128 last_byte_offset = origin_bytes;
    for (uint32_t d = 0; d < params->rank; d++) {
        const uint64_t stride_bytes = d == 0 ? element_bytes : params->global_strides[d - 1];
        const tl_uint128 reach_bytes = (tl_uint128)(params->global_dim[d] - 1) * stride_bytes;
        if (stride_bytes < leading_bytes) {
            last_row_bytes += reach_bytes;
        } else if (reach_bytes != 0 && stride_bytes % leading_bytes != 0) {
            return broken(TL_ERR_DIAGONAL_VIEW, d, bad_dim);
        }
        last_byte_offset += reach_bytes;
    }
    if (last_row_bytes >= leading_bytes) {
        return TL_ERR_SHEARED_VIEW;
    }
    const bool leading_power_of_two = tl_is_power_of_two(leading_bytes);
    if (!leading_power_of_two && last_byte_offset + element_bytes > (tl_uint128)1 << 64) {
        return TL_ERR_WRAPPING_VIEW;
    }
    if ((tl_uint128)params->tile_major.memory_tile[1] * leading_bytes >= STRIDE_LIMIT_BYTES) {
        return TL_ERR_TILE_COLUMN_RANGE;
    }
    if (!leading_power_of_two && last_byte_offset / leading_bytes >= COLUMN_INDEX_LIMIT) {
        return TL_ERR_COLUMN_INDEX_RANGE;
    }
    return TL_OK;
}

tl_status tl_tensor_map_check(const tl_tensor_params *params, int *bad_dim)
{
    static rule_group *const groups[] = {check_tensor, check_extents,   check_strides, check_box, check_element_strides,
                                         check_modes,  check_supported, check_tile,    check_view};
    *bad_dim = -1;
    for (unsigned g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const tl_status status = groups[g](params, bad_dim);
        if (status != TL_OK) {
            return status;
        }
    }
    return TL_OK;
}
