/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors: box shape, tensor map, and the boxes of a tile. */
#include "tensor.h"

enum { MAX_BOX = 256, MAX_SPAN_BYTES = 128, SHARED_ALIGN_BYTES = 128 };

static uint32_t min_u32(uint32_t left, uint32_t right)
{
    return left < right ? left : right;
}

static tl_data_type data_type_of(uint32_t element_bytes)
{
    return element_bytes == 1   ? TL_UINT8
           : element_bytes == 2 ? TL_BFLOAT16
           : element_bytes == 4 ? TL_FLOAT32
                                : TL_FLOAT64;
}

/* The one that spans a box row; rows of other widths are not swizzled. */
static tl_swizzle swizzle_of(uint32_t span_bytes)
{
    return span_bytes == 128  ? TL_SWIZZLE_128B
           : span_bytes == 64 ? TL_SWIZZLE_64B
           : span_bytes == 32 ? TL_SWIZZLE_32B
                              : TL_SWIZZLE_NONE;
}

uint64_t tl_tensor_bytes(const tl_tensor *tensor)
{
    return tensor->image_bytes * tensor->images;
}

void tl_tensor_choose_box(tl_tensor *tensor, uint32_t max_rows)
{
    const uint32_t span = max_rows == 1 ? MAX_BOX : MAX_SPAN_BYTES / tensor->layout.element_bytes;
    tensor->box[0] = min_u32(tensor->tile[0], span);
    tensor->box[1] = min_u32(tensor->tile[1], min_u32(max_rows, MAX_BOX));
}

tl_status tl_tensor_encode(const tl_tensor *tensor, tl_tensor_map *map)
{
    const bool column_major = tensor->layout.order == TL_COLUMN_MAJOR;
    const uint32_t box[2] = {tensor->box[column_major ? 0 : 1], tensor->box[column_major ? 1 : 0]};
    const int32_t origin[2] = {0, 0};
    tl_tensor_params params;
    tl_load load;

    const tl_status status = tl_layout_load(&tensor->layout, data_type_of(tensor->layout.element_bytes),
                                            tensor->address, box, origin, &params, &load);
    if (status != TL_OK)
        return status;
    params.swizzle = swizzle_of(tensor->box[0] * tensor->layout.element_bytes);
    if (tensor->images > 1) {
        params.rank = 3;
        params.global_dim[2] = tensor->images;
        params.global_strides[1] = tensor->image_bytes;
        params.box_dim[2] = 1;
        params.element_strides[2] = 1;
    }
    return tl_tensor_map_encode(map, &params);
}

uint32_t tl_tensor_tile_boxes(const tl_tensor *tensor)
{
    return tensor->tile[0] / tensor->box[0] * (tensor->tile[1] / tensor->box[1]);
}

uint32_t tl_tensor_box_bytes(const tl_tensor *tensor)
{
    const uint32_t bytes = tensor->box[0] * tensor->box[1] * tensor->layout.element_bytes;
    return (bytes + SHARED_ALIGN_BYTES - 1) / SHARED_ALIGN_BYTES * SHARED_ALIGN_BYTES;
}

uint32_t tl_tensor_tile_loads(const tl_tensor *tensor, uint32_t map, tl_operand operand, const uint64_t origin[2],
                              uint32_t image, uint32_t shared_address, tl_tile_load *loads)
{
    const uint32_t box_bytes = tl_tensor_box_bytes(tensor);
    uint32_t count = 0;
    for (uint32_t inner = 0; inner < tensor->tile[0]; inner += tensor->box[0]) {
        for (uint32_t outer = 0; outer < tensor->tile[1]; outer += tensor->box[1]) {
            loads[count] = (tl_tile_load){
                .map = map,
                .operand = operand,
                .of.tma = {.coordinates = {(int32_t)(origin[0] + inner), (int32_t)(origin[1] + outer), (int32_t)image},
                           .shared_address = shared_address + count * box_bytes},
            };
            count++;
        }
    }
    return count;
}
