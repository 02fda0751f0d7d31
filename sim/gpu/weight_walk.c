/* SPDX-License-Identifier: Apache-2.0 */
#include "weight_walk.h"

#include <stdlib.h>

/* Bytes from the first element to the end of the last, padding between them included. */
static uint64_t span_bytes(const tl_tensor_params *params)
{
    const uint64_t row_bytes = params->global_dim[0] * tl_element_bytes(params->data_type);
    if (params->rank == 1) {
        return row_bytes;
    }
    if (params->has_tile_major) { /* whole memory tiles; the images of experts lie one after the other */
        const uint64_t b = params->tile_major.memory_tile[1];
        const uint64_t columns = (params->global_dim[1] + b - 1) / b * b;
        const uint64_t image_bytes = columns * params->tile_major.leading_stride_bytes;
        return params->rank == 2 ? image_bytes
                                 : (params->global_dim[2] - 1) * params->global_strides[1] + image_bytes;
    }
    uint64_t bytes = row_bytes;
    for (uint32_t d = 1; d < params->rank; d++) {
        bytes += (params->global_dim[d] - 1) * params->global_strides[d - 1];
    }
    return bytes;
}

/* Along the contiguous dimension K stays in one column, or in one row of memory tiles; across it, in one matrix. */
static uint64_t whole_run_bytes(const tl_tensor_params *params, uint64_t stride_bytes)
{
    if (params->rank == 1) {
        return span_bytes(params);
    }
    if (params->has_tile_major) {
        return params->tile_major.leading_stride_bytes * params->tile_major.memory_tile[1];
    }
    return stride_bytes < params->global_strides[0] ? params->global_strides[0]
                                                    : params->global_dim[1] * params->global_strides[0];
}

/* Where thread blocks share the K-loop of a tile, each walks through one of several equal parts. */
static uint64_t run_bytes(const tl_tensor_params *params, uint64_t stride_bytes, uint64_t steps)
{
    const uint64_t whole = whole_run_bytes(params, stride_bytes), part = steps * stride_bytes;
    return part != 0 && whole % part == 0 ? part : whole;
}

/* @return the tensor map of the kernel's weight, or TL_MAP_NONE */
static uint32_t weight_map(const tl_load_source *source, uint32_t kernel, tl_tile_load *room)
{
    const uint32_t count = source->tile_loads(source->context, kernel, 0, 0, room);
    for (uint32_t n = 0; n < count; n++) {
        if (room[n].operand == TL_OPERAND_WEIGHT) {
            return room[n].map;
        }
    }
    return TL_MAP_NONE;
}

static tl_prefetch_tensor tensor_of(const tl_source_map *map, uint64_t stride_bytes, uint64_t steps,
                                    uint32_t page_bytes)
{
    tl_tensor_params params;
    tl_tensor_map_decode(&map->map, &params);
    const uint64_t base = params.has_tile_major ? params.tile_major.matrix_address : params.global_address;
    const uint64_t in_page = base % page_bytes;
    return (tl_prefetch_tensor){
        .base_address = base - in_page,
        .bytes = span_bytes(&params) + in_page,
        .run_bytes = run_bytes(&params, stride_bytes, steps),
        .stride_bytes = stride_bytes,
    };
}

static bool is_known(const tl_prefetch_tensor *tensors, uint32_t count, uint64_t base_address)
{
    for (uint32_t n = 0; n < count; n++) {
        if (tensors[n].base_address == base_address) {
            return true;
        }
    }
    return false;
}

uint32_t tl_weight_walks(const tl_load_source *source, tl_tile_loads *loads, uint32_t page_bytes,
                         tl_prefetch_tensor *tensors)
{
    tl_tile_load *room = malloc(source->max_loads * sizeof *room);
    uint32_t count = 0;
    for (uint32_t kernel = 0; kernel < source->kernel_count && room != NULL; kernel++) {
        const uint32_t map = weight_map(source, kernel, room);
        const int64_t stride_bytes = tl_tile_loads_k_stride_bytes(loads, kernel);
        if (map == TL_MAP_NONE || stride_bytes <= 0) {
            continue;
        }
        tensors[count] = tensor_of(&source->maps[map], (uint64_t)stride_bytes,
                                   source->kernels[kernel].step_count, page_bytes);
        count += !is_known(tensors, count, tensors[count].base_address);
    }
    free(room);
    return count;
}

tl_byte_range tl_map_range(const tl_source_map *map)
{
    const tl_prefetch_tensor tensor = tensor_of(map, 1, 0, 1);
    return (tl_byte_range){tensor.base_address, tensor.base_address + tensor.bytes};
}

tl_byte_range tl_operand_range(const tl_load_source *source, tl_operand operand)
{
    tl_byte_range range = {0, 0};
    for (uint32_t m = 0; m < source->map_count; m++) {
        if (source->maps[m].operand != operand) {
            continue;
        }
        const tl_byte_range map = tl_map_range(&source->maps[m]);
        range.begin = range.end == 0 || map.begin < range.begin ? map.begin : range.begin;
        range.end = map.end > range.end ? map.end : range.end;
    }
    return range;
}
