/* SPDX-License-Identifier: Apache-2.0 */
/* Eq. 3 (TileLens-SW): the four-dimensional view of a tile-major matrix, as shape, as text and as a tensor map. */
#include "tilelens/layout.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_linear(const tl_layout *layout)
{
    return layout->memory_tile[0] == 1 && layout->memory_tile[1] == 1;
}

tl_status tl_layout_tile_view(const tl_layout *layout, tl_tile_view *view)
{
    const tl_status status = tl_layout_check(layout);
    if (status != TL_OK)
        return status;
    if (is_linear(layout))
        return TL_ERR_VIEW;

    const uint64_t a = layout->memory_tile[0];
    const uint64_t b = layout->memory_tile[1];
    const uint64_t other = layout->order == TL_COLUMN_MAJOR ? layout->columns : layout->rows;
    *view = (tl_tile_view){
        .shape = {a, b, layout->leading / a, (other + b - 1) / b},
        .stride = {1, a, a * b, layout->leading * b},
    };
    return TL_OK;
}

/* One mode of the CuTe text: "(x,y)", or "x" alone for a linear layout (y = 0). */
typedef struct cute_mode {
    uint64_t inner;
    uint64_t outer;
} cute_mode;

static int print_mode(char *text, size_t size, cute_mode mode)
{
    if (mode.outer == 0)
        return snprintf(text, size, "%" PRIu64, mode.inner);
    return snprintf(text, size, "(%" PRIu64 ",%" PRIu64 ")", mode.inner, mode.outer);
}

tl_status tl_layout_cute(const tl_layout *layout, char *text, size_t size)
{
    enum { MODE_TEXT_BYTES = 48 }; /* two 64-bit numbers and "(,)" */
    char part[4][MODE_TEXT_BYTES];
    cute_mode mode[4]; /* shape and stride of the contiguous dimension, then of the other */
    tl_tile_view view;

    const tl_status status = tl_layout_check(layout);
    if (status != TL_OK)
        return status;
    if (tl_layout_tile_view(layout, &view) == TL_OK) {
        mode[0] = (cute_mode){view.shape[0], view.shape[2]};
        mode[1] = (cute_mode){view.stride[0], view.stride[2]};
        mode[2] = (cute_mode){view.shape[1], view.shape[3]};
        mode[3] = (cute_mode){view.stride[1], view.stride[3]};
    } else {
        const bool column_major = layout->order == TL_COLUMN_MAJOR;
        mode[0] = (cute_mode){column_major ? layout->rows : layout->columns, 0};
        mode[1] = (cute_mode){1, 0};
        mode[2] = (cute_mode){column_major ? layout->columns : layout->rows, 0};
        mode[3] = (cute_mode){layout->leading, 0};
    }
    for (int k = 0; k < 4; k++)
        print_mode(part[k], sizeof part[k], mode[k]);

    const int row = layout->order == TL_COLUMN_MAJOR ? 0 : 2;
    const int column = 2 - row;
    const int length =
        snprintf(text, size, "(%s,%s):(%s,%s)", part[row], part[column], part[row + 1], part[column + 1]);
    return length >= 0 && (size_t)length < size ? TL_OK : TL_ERR_LAYOUT;
}

tl_status tl_layout_load(const tl_layout *layout, tl_data_type data_type, uint64_t address, const uint32_t box[2],
                         const int32_t origin[2], tl_tensor_params *params, tl_load *load)
{
    const tl_status status = tl_layout_check(layout);
    if (status != TL_OK)
        return status;
    if (tl_element_bytes(data_type) != layout->element_bytes)
        return TL_ERR_DATA_TYPE;

    const int inner = layout->order == TL_COLUMN_MAJOR ? 0 : 1; /* which of (row, column) is contiguous */
    const uint64_t extent[2] = {layout->rows, layout->columns};
    const uint64_t leading_bytes = layout->leading * layout->element_bytes;
    *params = (tl_tensor_params){
        .data_type = data_type,
        .rank = 2,
        .global_address = address,
        .global_dim = {extent[inner], extent[1 - inner]},
        .global_strides = {leading_bytes},
        .box_dim = {box[inner], box[1 - inner]},
        .element_strides = {1, 1},
    };
    if (!is_linear(layout)) {
        params->has_tile_major = true;
        params->tile_major = (tl_tile_major){
            .leading_stride_bytes = leading_bytes,
            .memory_tile = {layout->memory_tile[0], layout->memory_tile[1]},
            .matrix_address = address,
        };
    }
    *load = (tl_load){.coordinates = {origin[inner], origin[1 - inner]}};
    return TL_OK;
}

/* One dimension of the 2-D load, cut into (inside a memory tile, number of memory tiles). */
typedef struct tile_split {
    uint32_t box[2];
    int32_t coordinate[2];
} tile_split;

/* False unless the box stays inside one memory tile or covers whole ones. */
static bool split_dimension(uint32_t box, int32_t coordinate, uint32_t tile, tile_split *split)
{
    const int64_t inside = (int64_t)coordinate & (int64_t)(tile - 1); /* floor modulo: tile is a power of two */
    const bool within_one = inside + box <= tile;
    if (!within_one && (inside != 0 || box % tile != 0))
        return false;
    *split = (tile_split){
        .box = {within_one ? box : tile, within_one ? 1 : box / tile},
        .coordinate = {(int32_t)inside, (int32_t)((coordinate - inside) / tile)},
    };
    return true;
}

/* The view starts on a memory tile and holds whole ones. */
static bool view_on_tiles(const tl_tensor_params *params, uint32_t element_bytes)
{
    const tl_tile_major *tile = &params->tile_major;
    const uint64_t origin_bytes = params->global_address - tile->matrix_address;
    const uint64_t i0 = origin_bytes % tile->leading_stride_bytes / element_bytes;
    const uint64_t j0 = origin_bytes / tile->leading_stride_bytes;
    const uint32_t a = tile->memory_tile[0];
    const uint32_t b = tile->memory_tile[1];
    return i0 % a == 0 && j0 % b == 0 && params->global_dim[0] % a == 0 && params->global_dim[1] % b == 0;
}

/* Eq. 2 for an element on a memory-tile boundary (Eq. 4): where the view's first element lies, bytes. */
static uint64_t first_address(const tl_tensor_params *params)
{
    const tl_tile_major *tile = &params->tile_major;
    const uint64_t origin_bytes = params->global_address - tile->matrix_address;
    const uint64_t row_bytes = origin_bytes % tile->leading_stride_bytes;
    return tile->matrix_address + (origin_bytes - row_bytes) + row_bytes * tile->memory_tile[1];
}

tl_status tl_tile_view_load(const tl_tensor_params *params, const tl_load *load, tl_tensor_params *view_params,
                            tl_load *view_load)
{
    const tl_tile_major *tile = &params->tile_major;
    const uint32_t element_bytes = tl_element_bytes(params->data_type);
    const uint32_t a = tile->memory_tile[0];
    const uint32_t b = tile->memory_tile[1];
    tl_tensor_map map;
    tile_split rows;
    tile_split columns;

    const tl_status status = tl_tensor_map_encode(&map, params);
    if (status != TL_OK)
        return status;
    if (!params->has_tile_major || params->rank != 2 || params->element_strides[1] != 1 ||
        params->global_strides[0] != tile->leading_stride_bytes || !view_on_tiles(params, element_bytes) ||
        !split_dimension(params->box_dim[0], load->coordinates[0], a, &rows) ||
        !split_dimension(params->box_dim[1], load->coordinates[1], b, &columns) ||
        (rows.box[1] > 1 && params->swizzle != TL_SWIZZLE_NONE))
        return TL_ERR_VIEW;

    *view_load = (tl_load){
        .coordinates = {rows.coordinate[0], rows.coordinate[1], columns.coordinate[0], columns.coordinate[1]},
        .shared_address = load->shared_address,
    };
    *view_params = (tl_tensor_params){
        .data_type = params->data_type,
        .rank = 4,
        .global_address = first_address(params),
        .global_dim = {a, params->global_dim[0] / a, b, params->global_dim[1] / b},
        .global_strides = {(uint64_t)a * b * element_bytes, (uint64_t)a * element_bytes,
                           tile->leading_stride_bytes * b},
        .box_dim = {rows.box[0], rows.box[1], columns.box[0], columns.box[1]},
        .element_strides = {1, 1, 1, 1},
        .interleave = params->interleave,
        .swizzle = params->swizzle,
        .l2_promotion = params->l2_promotion,
        .oob_fill = params->oob_fill,
    };
    return TL_OK;
}
