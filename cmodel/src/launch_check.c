/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch asks beyond a legal map, and how many bytes a load moves and occupies. */
#include <stddef.h>

#include "tensor_map_internal.h"
#include "tilelens/load.h"

enum { COORDINATE_ALIGN_BYTES = 16, SHARED_ALIGN_BYTES = 128 };

#define SHARED_END (UINT64_C(1) << 32)

static uint64_t row_count(const tl_tensor_params *params)
{
    uint64_t rows = 1;
    for (uint32_t d = 1; d < params->rank; d++) {
        rows *= tl_box_count(params, d);
    }
    return rows;
}

static uint64_t row_bytes(const tl_tensor_params *params)
{
    return (uint64_t)tl_box_count(params, 0) * tl_element_bytes(params->data_type);
}

/* A swizzled row occupies the whole span, however short it is. */
static uint64_t pitch_bytes(const tl_tensor_params *params)
{
    const uint32_t span_bytes = tl_swizzle_span_bytes(params->swizzle);
    return span_bytes != 0 ? span_bytes : row_bytes(params);
}

uint64_t tl_load_bytes(const tl_tensor_map *map)
{
    tl_tensor_params params;
    tl_tensor_map_unpack(map, &params);
    return row_count(&params) * row_bytes(&params);
}

uint64_t tl_load_footprint_bytes(const tl_tensor_map *map)
{
    tl_tensor_params params;
    tl_tensor_map_unpack(map, &params);
    return row_count(&params) * pitch_bytes(&params);
}

tl_status tl_launch_check(const tl_tensor_map *map, const tl_load *load)
{
    if (map == NULL || load == NULL) {
        return TL_ERR_NULL;
    }
    tl_tensor_params params;
    const tl_status status = tl_tensor_map_decode(map, &params);
    if (status != TL_OK) {
        return status;
    }
    if ((int64_t)load->coordinates[0] * tl_element_bytes(params.data_type) % COORDINATE_ALIGN_BYTES != 0) {
        return TL_ERR_COORDINATE_ALIGN;
    }
    if (load->shared_address % SHARED_ALIGN_BYTES != 0) {
        return TL_ERR_SHARED_ADDRESS_ALIGN;
    }
    if (load->shared_address + row_count(&params) * pitch_bytes(&params) > SHARED_END) {
        return TL_ERR_SHARED_ADDRESS_RANGE;
    }
    return TL_OK;
}
