/* SPDX-License-Identifier: Apache-2.0 */
#include "tilelens/tensor_map.h"

#include <string.h>

#include "tensor_map_internal.h"

uint32_t tl_element_bytes(tl_data_type type)
{
    switch (type) {
    case TL_UINT8:
        return 1;
    case TL_UINT16:
    case TL_FLOAT16:
    case TL_BFLOAT16:
        return 2;
    case TL_UINT32:
    case TL_INT32:
    case TL_FLOAT32:
    case TL_FLOAT32_FTZ:
    case TL_TFLOAT32:
    case TL_TFLOAT32_FTZ:
        return 4;
    case TL_UINT64:
    case TL_INT64:
    case TL_FLOAT64:
        return 8;
    case TL_16U4_ALIGN8B:
    case TL_16U4_ALIGN16B:
    case TL_16U6_ALIGN16B:
    case TL_DATA_TYPE_COUNT:
        break;
    }
    return 0;
}

uint32_t tl_swizzle_span_bytes(tl_swizzle swizzle)
{
    switch (swizzle) {
    case TL_SWIZZLE_32B:
        return 32;
    case TL_SWIZZLE_64B:
        return 64;
    case TL_SWIZZLE_128B:
    case TL_SWIZZLE_128B_ATOM_32B:
    case TL_SWIZZLE_128B_ATOM_32B_FLIP_8B:
    case TL_SWIZZLE_128B_ATOM_64B:
        return 128;
    case TL_SWIZZLE_NONE:
    case TL_SWIZZLE_COUNT:
        break;
    }
    return 0;
}

uint32_t tl_box_count(const tl_tensor_params *params, uint32_t dim)
{
    if (dim >= params->rank) {
        return 1;
    }
    const uint32_t step = dim == 0 ? 1 : params->element_strides[dim];
    return (params->box_dim[dim] + step - 1) / step;
}

tl_status tl_tensor_map_encode(tl_tensor_map *map, const tl_tensor_params *params)
{
    int bad_dim;
    return tl_tensor_map_encode_dim(map, params, &bad_dim);
}

tl_status tl_tensor_map_encode_dim(tl_tensor_map *map, const tl_tensor_params *params, int *bad_dim)
{
    *bad_dim = -1;
    if (map == NULL || params == NULL) {
        return TL_ERR_NULL;
    }
    const tl_status status = tl_tensor_map_check(params, bad_dim);
    if (status != TL_OK) {
        return status;
    }
    tl_tensor_map_pack(map, params);
    tl_tensor_map_derive(map);
    return TL_OK;
}

tl_status tl_tensor_map_encode_tiled(tl_tensor_map *tensorMap, tl_data_type tensorDataType, uint32_t tensorRank,
                                     uint64_t globalAddress, const uint64_t *globalDim, const uint64_t *globalStrides,
                                     const uint32_t *boxDim, const uint32_t *elementStrides, tl_interleave interleave,
                                     tl_swizzle swizzle, tl_l2_promotion l2Promotion, tl_oob_fill oobFill,
                                     const tl_tile_major *tileMajor)
{
    /* A 1-D tensor has no strides, so only then may the array be missing. */
    if (globalDim == NULL || boxDim == NULL || elementStrides == NULL || (globalStrides == NULL && tensorRank > 1)) {
        return TL_ERR_NULL;
    }
    tl_tensor_params params = {
        .data_type = tensorDataType,
        .rank = tensorRank,
        .global_address = globalAddress,
        .interleave = interleave,
        .swizzle = swizzle,
        .l2_promotion = l2Promotion,
        .oob_fill = oobFill,
        .has_tile_major = tileMajor != NULL,
    };
    if (tileMajor != NULL) {
        params.tile_major = *tileMajor;
    }
    /* A rank beyond the maximum is refused by encode; the arrays are not read then. */
    for (uint32_t d = 0; d < tensorRank && tensorRank <= TL_MAX_RANK; d++) {
        params.global_dim[d] = globalDim[d];
        params.box_dim[d] = boxDim[d];
        params.element_strides[d] = elementStrides[d];
        if (d > 0) {
            params.global_strides[d - 1] = globalStrides[d - 1];
        }
    }
    return tl_tensor_map_encode(tensorMap, &params);
}

tl_status tl_tensor_map_decode(const tl_tensor_map *map, tl_tensor_params *params)
{
    if (map == NULL || params == NULL) {
        return TL_ERR_NULL;
    }
    if (tl_map_get(map, TL_MAP_VERSION_LSB, TL_MAP_VERSION_BITS) != TL_MAP_VERSION) {
        return TL_ERR_MAP_INVALID;
    }
    tl_tensor_params unpacked;
    tl_tensor_map_unpack(map, &unpacked);

    tl_tensor_map expected;
    const tl_status status = tl_tensor_map_encode(&expected, &unpacked);
    if (status != TL_OK) {
        return status;
    }
    if (memcmp(map, &expected, sizeof expected) != 0) {
        return TL_ERR_MAP_INVALID;
    }
    *params = unpacked;
    return TL_OK;
}
