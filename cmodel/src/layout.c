/* SPDX-License-Identifier: Apache-2.0 */
/* Linear and tile-major layouts: checks, Eq. 1-2 both ways, sizes, the default memory tile. */
#include "tilelens/layout.h"

enum { MIN_ROW_BYTES = 16, MIN_GRANULARITY_BYTES = 512, MAX_GRANULARITY_BYTES = 65536, CACHE_LINE_BYTES = 128 };

static const uint64_t MAX_EXTENT = (uint64_t)1 << 32;
static const uint64_t MAX_LEADING_BYTES = (uint64_t)1 << 40; /* tile-major: exclusive, width of a tensor map's stride */
static const uint64_t MAX_IMAGE_BYTES = (uint64_t)1 << 63;   /* exclusive */

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static bool is_element_size(uint32_t bytes)
{
    return is_power_of_two(bytes) && bytes <= 8;
}

static uint64_t contiguous_extent(const tl_layout *layout)
{
    return layout->order == TL_COLUMN_MAJOR ? layout->rows : layout->columns;
}

static uint64_t other_extent(const tl_layout *layout)
{
    return layout->order == TL_COLUMN_MAJOR ? layout->columns : layout->rows;
}

static bool is_linear(const tl_layout *layout)
{
    return layout->memory_tile[0] == 1 && layout->memory_tile[1] == 1;
}

tl_layout tl_layout_linear(tl_order order, uint64_t rows, uint64_t columns, uint32_t element_bytes)
{
    return (tl_layout){
        .rows = rows,
        .columns = columns,
        .leading = order == TL_COLUMN_MAJOR ? rows : columns,
        .memory_tile = {1, 1},
        .element_bytes = element_bytes,
        .order = order,
    };
}

tl_layout tl_layout_tile_major(tl_order order, uint64_t rows, uint64_t columns, uint32_t element_bytes, uint32_t a,
                               uint32_t b)
{
    tl_layout layout = tl_layout_linear(order, rows, columns, element_bytes);
    layout.memory_tile[0] = a;
    layout.memory_tile[1] = b;
    if (a != 0)
        layout.leading = round_up(layout.leading, a);
    return layout;
}

/* Rule 1 of the tensor map, as far as it concerns the layout. */
static tl_status check_memory_tile(const tl_layout *layout)
{
    const uint64_t a = layout->memory_tile[0];
    const uint64_t b = layout->memory_tile[1];
    const uint64_t row_bytes = a * layout->element_bytes;

    if (!is_power_of_two(a) || !is_power_of_two(b))
        return TL_ERR_TILE_SHAPE;
    if (row_bytes < MIN_ROW_BYTES)
        return TL_ERR_TILE_ROW_BYTES;
    if (row_bytes > MAX_GRANULARITY_BYTES || b > MAX_GRANULARITY_BYTES || row_bytes * b < MIN_GRANULARITY_BYTES ||
        row_bytes * b > MAX_GRANULARITY_BYTES)
        return TL_ERR_TILE_GRANULARITY;
    if (layout->leading % a != 0)
        return TL_ERR_LEADING_STRIDE_ALIGN;
    if (layout->leading >= MAX_LEADING_BYTES / layout->element_bytes)
        return TL_ERR_LEADING_STRIDE_RANGE;
    return TL_OK;
}

tl_status tl_layout_check(const tl_layout *layout)
{
    if (layout == NULL)
        return TL_ERR_NULL;
    if (!is_element_size(layout->element_bytes) || layout->rows == 0 || layout->rows > MAX_EXTENT ||
        layout->columns == 0 || layout->columns > MAX_EXTENT || layout->leading < contiguous_extent(layout) ||
        (layout->order != TL_COLUMN_MAJOR && layout->order != TL_ROW_MAJOR))
        return TL_ERR_LAYOUT;
    if (!is_linear(layout)) {
        const tl_status status = check_memory_tile(layout);
        if (status != TL_OK)
            return status;
    }
    const uint64_t columns = round_up(other_extent(layout), layout->memory_tile[1]);
    if (layout->leading > (MAX_IMAGE_BYTES - 1) / layout->element_bytes / columns)
        return TL_ERR_LAYOUT;
    return TL_OK;
}

uint64_t tl_layout_bytes(const tl_layout *layout)
{
    if (tl_layout_check(layout) != TL_OK)
        return 0;
    return layout->leading * round_up(other_extent(layout), layout->memory_tile[1]) * layout->element_bytes;
}

tl_status tl_layout_offset(const tl_layout *layout, uint64_t row, uint64_t column, uint64_t *offset)
{
    const tl_status status = tl_layout_check(layout);
    if (status != TL_OK)
        return status;
    if (row >= layout->rows || column >= layout->columns)
        return TL_ERR_LAYOUT;

    const uint64_t a = layout->memory_tile[0];
    const uint64_t b = layout->memory_tile[1];
    const uint64_t i = layout->order == TL_COLUMN_MAJOR ? row : column;
    const uint64_t j = layout->order == TL_COLUMN_MAJOR ? column : row;
    const uint64_t tile = j / b * (layout->leading / a) + i / a;
    *offset = tile * a * b + j % b * a + i % a;
    return TL_OK;
}

tl_status tl_layout_index(const tl_layout *layout, uint64_t offset, uint64_t *row, uint64_t *column)
{
    const tl_status status = tl_layout_check(layout);
    if (status != TL_OK)
        return status;

    const uint64_t a = layout->memory_tile[0];
    const uint64_t b = layout->memory_tile[1];
    const uint64_t tiles_per_column = layout->leading / a;
    const uint64_t tile = offset / (a * b);
    const uint64_t i = tile % tiles_per_column * a + offset % a;
    const uint64_t j = tile / tiles_per_column * b + offset / a % b;
    if (i >= contiguous_extent(layout) || j >= other_extent(layout))
        return TL_ERR_LAYOUT;
    *row = layout->order == TL_COLUMN_MAJOR ? i : j;
    *column = layout->order == TL_COLUMN_MAJOR ? j : i;
    return TL_OK;
}

tl_status tl_default_memory_tile(uint32_t element_bytes, uint32_t granularity_bytes, const uint32_t compute_tile[2],
                                 uint32_t memory_tile[2])
{
    if (compute_tile == NULL || memory_tile == NULL)
        return TL_ERR_NULL;
    if (!is_element_size(element_bytes) || compute_tile[0] == 0 || compute_tile[1] == 0)
        return TL_ERR_LAYOUT;
    if (!is_power_of_two(granularity_bytes) || granularity_bytes < MIN_GRANULARITY_BYTES ||
        granularity_bytes > MAX_GRANULARITY_BYTES)
        return TL_ERR_TILE_GRANULARITY;

    const uint32_t elements = granularity_bytes / element_bytes;
    uint32_t best = 0;
    bool inside = false;
    /* b halves as a doubles, so from the first tile that lies inside on, all do: stop growing at a cache line. */
    for (uint32_t a = MIN_ROW_BYTES / element_bytes; a <= elements && compute_tile[0] % a == 0; a *= 2) {
        if (inside && a * element_bytes > CACHE_LINE_BYTES)
            break;
        inside = compute_tile[1] % (elements / a) == 0;
        best = a;
    }
    if (best == 0)
        return TL_ERR_TILE_ROW_BYTES;
    memory_tile[0] = best;
    memory_tile[1] = elements / best;
    return TL_OK;
}
