/* SPDX-License-Identifier: Apache-2.0 */
/* Every step looks at the features that it can serve and is random in all else. */
#include "random_draft.h"

#include <string.h>

/* What F_MISS_ANY and F_MIX draw from. */
static const unsigned MISSES[] = {
    F_I_MISS, F_J_MISS, F_V_MISS, F_WIDE, F_ODD_ROW, F_VIEW, F_STEP, F_ROWS | F_ROW_MISS, F_COLUMNS | F_COLUMN_MISS};
static const unsigned MIXTURE[] = {F_WIDE,       F_ODD_ROW, F_VIEW,    F_COLUMNS, F_ROWS, F_NEGATIVE,  F_BEYOND,
                                   F_DEGENERATE, F_STEP,    F_BIG_BOX, F_SWIZZLE, F_NAN,  F_EDGE_TILE, F_HUGE};
enum { MISS_COUNT = sizeof MISSES / sizeof MISSES[0], MIXTURE_COUNT = sizeof MIXTURE / sizeof MIXTURE[0] };

static const int64_t MAX_COORDINATE = INT32_MAX, MIN_COORDINATE = INT32_MIN;

static uint64_t below(tl_draft *d, uint64_t bound)
{
    return tl_random_below(&d->random, bound);
}

static bool chance(tl_draft *d, unsigned percent)
{
    return below(d, 100) < percent;
}

static bool has(const tl_draft *d, unsigned features)
{
    return (d->features & features) != 0;
}

static uint64_t smaller(uint64_t x, uint64_t y)
{
    return x < y ? x : y;
}

/* low..high with every magnitude of the distance from low equally likely. */
static uint64_t spread(tl_draft *d, uint64_t low, uint64_t high)
{
    if (high <= low)
        return low;
    unsigned bits = 0;
    while (bits < 63 && (high - low) >> bits != 0)
        bits++;
    return low + smaller(below(d, UINT64_C(1) << below(d, bits + 1)), high - low);
}

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static uint64_t power_of_two_from(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

/* ---- Element, swizzle, memory tile, box ---- */

static void draw_features(tl_draft *d)
{
    if (has(d, F_MISS_ANY))
        d->features |= MISSES[below(d, MISS_COUNT)];
    if (has(d, F_MIX)) {
        if (chance(d, 50))
            d->features |= F_TILE_MAJOR;
        for (unsigned k = 0; k < MIXTURE_COUNT; k++) {
            if (chance(d, 25))
                d->features |= MIXTURE[k];
        }
    }
}

static void draw_element(tl_draft *d)
{
    static const tl_data_type types[4][6] = {
        {TL_UINT8, TL_UINT8, TL_UINT8, TL_UINT8, TL_UINT8, TL_UINT8},
        {TL_UINT16, TL_FLOAT16, TL_BFLOAT16, TL_UINT16, TL_FLOAT16, TL_BFLOAT16},
        {TL_FLOAT32, TL_FLOAT32_FTZ, TL_TFLOAT32, TL_TFLOAT32_FTZ, TL_UINT32, TL_INT32},
        {TL_FLOAT64, TL_FLOAT64, TL_FLOAT64, TL_UINT64, TL_INT64, TL_FLOAT64},
    };
    const uint64_t log2_s = has(d, F_NAN) ? 1 + below(d, 3) : below(d, 4);
    d->p.data_type = types[log2_s][below(d, 6)];
    d->s = 1u << log2_s;
    d->unit = 16 / d->s;
    const bool is_float = d->p.data_type >= TL_FLOAT16;
    d->p.oob_fill = is_float && chance(d, has(d, F_NAN) ? 90 : 30) ? TL_OOB_NAN : TL_OOB_ZERO;
    d->p.l2_promotion = (tl_l2_promotion)below(d, TL_L2_PROMOTION_COUNT);
    d->p.swizzle =
        has(d, F_SWIZZLE) || chance(d, 50) ? (tl_swizzle)(1 + below(d, TL_SWIZZLE_COUNT - 1)) : TL_SWIZZLE_NONE;
    if (has(d, F_ODD_ROW) && d->p.swizzle == TL_SWIZZLE_32B)
        d->p.swizzle = TL_SWIZZLE_128B; /* 32 bytes hold no odd row */
}

static uint64_t most_row_units(const tl_draft *d)
{
    const uint32_t span_bytes = tl_swizzle_span_bytes(d->p.swizzle);
    return span_bytes != 0 ? span_bytes / 16 : 256 * d->s / 16;
}

static void draw_memory_tile(tl_draft *d)
{
    d->b = 1;
    if (!has(d, F_TILE_MAJOR))
        return;
    const uint64_t log2_units = has(d, F_EDGE_TILE) ? (chance(d, 50) ? 5 : 12) : chance(d, 40) ? 8 : 5 + below(d, 8);
    uint64_t log2_b = below(d, log2_units + 1);
    if (has(d, F_EDGE_TILE))
        log2_b = chance(d, 50) ? 0 : log2_units;
    if (has(d, F_PAPER) && !has(d, F_NARROW))
        log2_b = below(d, 7); /* so that v = k*b is a box */
    if (has(d, F_J_MISS | F_V_MISS | F_NARROW | F_PAGED | F_COLUMN_MISS) && log2_b == 0)
        log2_b = 1;
    if (has(d, F_WIDE))
        log2_b = log2_units - below(d, power_of_two_from(most_row_units(d)) > 4 ? 3 : 1);
    log2_b = smaller(log2_b, log2_units);
    d->b = 1u << log2_b;
    d->p.has_tile_major = true;
    d->p.tile_major.memory_tile[0] = (1u << (log2_units - log2_b)) * d->unit;
    d->p.tile_major.memory_tile[1] = d->b;
}

static void draw_row(tl_draft *d)
{
    const uint64_t most = most_row_units(d);
    uint64_t units = spread(d, 1, most);
    if (has(d, F_PAPER) && !has(d, F_WIDE)) {
        const uint64_t most_paper = smaller(most, d->p.tile_major.memory_tile[0] / d->unit);
        units = power_of_two_from(spread(d, has(d, F_I_MISS | F_ROW_MISS) ? 2 : 1, most_paper));
        units = smaller(units, most);
    }
    if (has(d, F_WIDE))
        units = smaller(spread(d, d->p.tile_major.memory_tile[0] / d->unit + 1, most), most);
    if (has(d, F_ODD_ROW))
        units = smaller(3 + 2 * below(d, (most - 1) / 2), most);
    d->p.box_dim[0] = d->n[0] = (uint32_t)units * d->unit;
    d->p.element_strides[0] = chance(d, 90) ? 1 : 1 + (uint32_t)below(d, 8);
}

/* Which dimensions step whole columns of the matrix; the others step along its rows. */
static void draw_sides(tl_draft *d)
{
    const uint32_t least_rank = has(d, F_WRAP)                         ? 4
                                : has(d, F_COLUMNS | F_ROWS | F_PAGED) ? 3
                                : has(d, F_PAPER) || chance(d, 80)     ? 2
                                                                       : 1;
    d->p.rank = least_rank + (uint32_t)below(d, TL_MAX_RANK + 1 - least_rank);
    if (has(d, F_WRAP))
        d->p.rank = 4;
    if (!has(d, F_TILE_MAJOR))
        return;
    for (uint32_t dim = 1; dim < d->p.rank; dim++)
        d->column[dim] = chance(d, dim == 1 ? 70 : 50) || has(d, F_PAGED | F_WRAP);
    const uint32_t others = d->p.rank - 1;
    const uint32_t first = 1 + (uint32_t)below(d, d->p.rank > 1 ? others : 1);
    const uint32_t second = 1 + first % (others > 0 ? others : 1);
    if (has(d, F_PAPER | F_COLUMNS))
        d->column[first] = true;
    if (has(d, F_COLUMNS))
        d->column[second] = true;
    if (has(d, F_ROWS))
        d->column[has(d, F_COLUMNS) ? 1 + second % others : second] = false;
    for (uint32_t dim = d->p.rank - 1; dim > 0; dim--) {
        if (d->column[dim])
            d->split = dim;
    }
}

/* n of the split dimension in the paper's terms: v < b, a multiple of b, or neither. */
static uint64_t draw_split_count(tl_draft *d, uint64_t rows)
{
    const uint64_t b = d->b;
    if (has(d, F_V_MISS))
        return smaller(b * (1 + below(d, 128 / b)) + 1 + below(d, b - 1), 256);
    if (has(d, F_NARROW) || b > 256 || (b > 1 && (chance(d, 40) || b > 2 * rows)))
        return 1 + below(d, smaller(b - 1, smaller(rows, 256)));
    return b * (1 + below(d, smaller(256, rows + b) / b));
}

static void draw_box(tl_draft *d)
{
    const uint32_t others = d->p.rank - 1;
    uint64_t rows = chance(d, 3) ? spread(d, 200, 3000) : spread(d, 1, 100);
    const uint64_t rotate = below(d, TL_MAX_RANK);

    if (has(d, F_PAPER)) {
        d->n[d->split] = (uint32_t)draw_split_count(d, rows);
        rows /= smaller(rows, d->n[d->split]);
    }
    for (uint32_t k = 0; k < others; k++) {
        const uint32_t dim = 1 + (uint32_t)((rotate + k) % others);
        const bool is_paper_split = has(d, F_PAPER) && dim == d->split;
        uint32_t step = chance(d, has(d, F_STEP) ? 70 : 8) ? 2 + (uint32_t)below(d, 7) : 1;
        if (is_paper_split) {
            step = has(d, F_STEP) && d->n[dim] <= 128 ? 2 : 1;
        } else {
            const bool needs_two = has(d, d->column[dim] ? F_COLUMNS : F_ROWS) || (has(d, F_STEP) && rows > 1);
            d->n[dim] = (uint32_t)spread(d, needs_two ? 2 : 1, smaller(rows, 256 / step));
            rows /= smaller(rows, d->n[dim]);
        }
        d->p.element_strides[dim] = step;
        d->p.box_dim[dim] = (uint32_t)smaller((d->n[dim] - 1) * step + 1 + below(d, step), 256);
    }
}

/* Elements from the first to the last of the box along one dimension. */
static uint64_t box_span(const tl_draft *d, uint32_t dim)
{
    return dim == 0 ? d->n[0] : (uint64_t)(d->n[dim] - 1) * d->p.element_strides[dim] + 1;
}

/* ---- Tensor ---- */

static void draw_extents(tl_draft *d)
{
    for (uint32_t dim = 0; dim < d->p.rank; dim++) {
        const uint64_t span = box_span(d, dim);
        uint64_t extent = chance(d, 15) ? span : span + spread(d, 0, 4000);
        if (has(d, F_BIG_BOX) ? chance(d, 60) : chance(d, 4))
            extent = 1 + below(d, span);
        if (has(d, F_DEGENERATE) && dim > 0 && chance(d, 50))
            extent = 1;
        if (has(d, F_PAPER) && dim == d->split)
            extent += chance(d, 80) ? d->b : 0; /* room for a box on or off the column grid */
        if (has(d, F_HUGE) && chance(d, 50))
            extent = (UINT64_C(1) << (chance(d, 70) ? 32 : 1 + below(d, 32))) - below(d, 2);
        d->p.global_dim[dim] = extent;
    }
}

static void draw_plain_strides(tl_draft *d)
{
    uint64_t packed = round_up(d->p.global_dim[0] * d->s, 16);
    for (uint32_t dim = 1; dim < d->p.rank; dim++) {
        uint64_t stride = packed;
        const uint64_t style = below(d, 10);
        if (style == 0 || (has(d, F_DEGENERATE) && style < 4))
            stride = style == 3 && dim > 1 ? d->p.global_strides[dim - 2] : 0;
        else if (style == 1)
            stride = 16 * spread(d, 0, UINT64_C(1) << 24);
        else if (style == 2 || (has(d, F_HUGE) && style < 6))
            stride = (UINT64_C(1) << 40) - 16 * spread(d, 1, 1000);
        if (stride >= UINT64_C(1) << 40)
            stride = 16 * spread(d, 1, UINT64_C(1) << 30);
        d->p.global_strides[dim - 1] = stride;
        packed = round_up(stride * smaller(d->p.global_dim[dim], UINT64_C(1) << 20), 16);
    }
    d->p.global_address = 16 * (1 + below(d, (UINT64_C(1) << (chance(d, 70) ? 43 : 60)) - 1));
}

/* Strides below the leading stride, and the leading stride above all that they reach: never a sheared view. */
static void draw_row_side(tl_draft *d, uint64_t row_origin)
{
    const uint64_t grid = has(d, F_PAPER) && !has(d, F_ROW_MISS) ? d->n[0] : d->unit;
    uint64_t last_row = row_origin + d->p.global_dim[0] - 1;
    for (uint32_t dim = 1; dim < d->p.rank; dim++) {
        if (d->column[dim])
            continue;
        uint64_t stride = chance(d, 60) ? round_up(last_row - row_origin + 1, grid) : grid * spread(d, 0, 64);
        if (has(d, F_DEGENERATE) && chance(d, 40))
            stride = 0;
        if (has(d, F_ROW_MISS) && stride % d->n[0] == 0)
            stride += d->unit;
        if (stride > 0 && d->p.global_dim[dim] > (UINT64_C(1) << 44) / stride)
            stride = grid; /* beyond any leading stride */
        d->p.global_strides[dim - 1] = stride * d->s;
        last_row += (d->p.global_dim[dim] - 1) * stride;
    }
    uint64_t padding = chance(d, 40) ? 0 : spread(d, 0, 4000);
    if (has(d, F_HUGE) && chance(d, 50))
        padding = below(d, (UINT64_C(1) << 40) / (d->b * d->s));
    const uint64_t rows = round_up(last_row + 1 + padding, d->p.tile_major.memory_tile[0]);
    const bool power = has(d, F_WRAP) || chance(d, 30);
    d->p.tile_major.leading_stride_bytes = (power ? power_of_two_from(rows) : rows) * d->s;
}

/* Columns from one step of the dimension to the next. */
static uint64_t draw_column_step(tl_draft *d, uint32_t dim, uint64_t packed, uint64_t previous)
{
    const uint64_t b = d->b;
    if (dim == d->split)
        return has(d, F_PAPER | F_PAGED) || chance(d, 85) ? 1 : 1 + below(d, 8);
    if (has(d, F_COLUMN_MISS))
        return b * below(d, 2) + 1 + below(d, b - 1);
    if (has(d, F_PAPER))
        return chance(d, 50) ? round_up(packed, b) : b * (1 + below(d, 8));
    if (has(d, F_PAGED))
        return packed + 1 + below(d, b - 1);
    switch (below(d, 5)) {
    case 0:
        return b * (1 + below(d, 4));
    case 1:
        return 1 + below(d, 2 * b);
    case 2:
        return has(d, F_DEGENERATE) ? previous : packed + below(d, b);
    default:
        return packed;
    }
}

static void draw_column_side(tl_draft *d)
{
    const uint64_t leading_bytes = d->p.tile_major.leading_stride_bytes;
    const uint64_t most = leading_bytes >> 40 == 0 ? ((UINT64_C(1) << 40) - 1) / leading_bytes : 1;
    uint64_t packed = 1, step = 1;
    for (uint32_t dim = 1; dim < d->p.rank; dim++) {
        if (!d->column[dim])
            continue;
        step = draw_column_step(d, dim, packed, step);
        if (has(d, F_HUGE) && chance(d, 30))
            step = most - below(d, smaller(most, 4));
        if (step == 0 || step > most)
            step = 1;
        d->p.global_strides[dim - 1] = step * leading_bytes;
        packed = step * smaller(d->p.global_dim[dim], UINT64_C(1) << 20);
    }
}

static void draw_matrix(tl_draft *d, uint64_t row_origin)
{
    const uint64_t granularity_bytes = (uint64_t)d->p.tile_major.memory_tile[0] * d->b * d->s;
    const uint64_t column_origin = has(d, F_VIEW) ? spread(d, 0, 3 * (uint64_t)d->b) : 0;
    uint64_t base = 1 + below(d, (UINT64_C(1) << 47) / granularity_bytes - 1);
    if (chance(d, 20))
        base = UINT64_MAX / granularity_bytes - spread(d, 0, 100000);
    else if (has(d, F_VIEW) && chance(d, 10))
        base = 0;
    d->p.tile_major.matrix_address = base * granularity_bytes;
    d->p.global_address =
        d->p.tile_major.matrix_address + row_origin * d->s + column_origin * d->p.tile_major.leading_stride_bytes;
}

/* A ragged group of rows, bounded above and below: 2^64 is added on the way and wraps away. */
static void set_wrapping_view(tl_draft *d)
{
    const uint64_t ld = d->p.tile_major.leading_stride_bytes / d->s;
    d->p.global_dim[1] = UINT64_C(1) << 30;
    d->p.global_dim[2] = d->p.global_dim[3] = 0x7FFF0000;
    d->p.global_strides[0] = d->p.global_strides[1] = ld * d->s;
    d->p.global_strides[2] = ((UINT64_C(1) << 34) - ld) * d->s;
    for (uint32_t dim = 2; dim < 4; dim++)
        d->p.box_dim[dim] = d->p.element_strides[dim] = d->n[dim] = 1;
}

static void draw_tensor(tl_draft *d)
{
    draw_extents(d);
    if (!has(d, F_TILE_MAJOR)) {
        draw_plain_strides(d);
        return;
    }
    const uint64_t row_origin = has(d, F_VIEW) ? d->unit * spread(d, 0, 300) : 0;
    draw_row_side(d, row_origin);
    draw_column_side(d);
    draw_matrix(d, row_origin);
    if (has(d, F_WRAP))
        set_wrapping_view(d);
}

/* ---- Load ---- */

static int64_t draw_coordinate(tl_draft *d, uint32_t dim, unsigned features)
{
    const int64_t span = (int64_t)box_span(d, dim), extent = (int64_t)d->p.global_dim[dim];
    if ((features & F_OUTSIDE) != 0 || chance(d, 1)) {
        const int64_t outside[] = {-span - (int64_t)below(d, 1000), extent + (int64_t)below(d, 1000), MIN_COORDINATE,
                                   MAX_COORDINATE};
        return outside[below(d, 4)];
    }
    if ((features & F_HUGE) != 0 && chance(d, 20))
        return MIN_COORDINATE + (int64_t)below(d, UINT64_C(1) << 32);
    if (span > 1 && ((features & F_NEGATIVE) != 0 || chance(d, 5)))
        return -1 - (int64_t)below(d, (uint64_t)span - 1);
    if (span > 1 && ((features & F_BEYOND) != 0 || chance(d, 7)))
        return extent - 1 - (int64_t)below(d, (uint64_t)span - 1);
    const int64_t room = extent - span;
    return room >= 0 ? (int64_t)below(d, (uint64_t)room + 1) : -(int64_t)below(d, (uint64_t)-room + 1);
}

static int64_t floor_to(int64_t value, int64_t grid)
{
    const int64_t rest = value % grid;
    return value - (rest < 0 ? rest + grid : rest);
}

static void draw_coordinates(tl_draft *d)
{
    const unsigned edges = F_NEGATIVE | F_BEYOND | F_OUTSIDE;
    const uint32_t chosen = (uint32_t)below(d, d->p.rank);
    const bool is_paper = has(d, F_PAPER);
    for (uint32_t dim = 0; dim < d->p.rank; dim++) {
        const bool at_edge = dim == chosen || (chance(d, 30) && !has(d, F_OUTSIDE));
        int64_t c = draw_coordinate(d, dim, at_edge ? d->features : d->features & ~edges);
        int64_t grid = dim == 0 ? d->unit : 1;
        if (is_paper && dim == 0 && !has(d, F_ODD_ROW | F_WIDE))
            grid = d->n[0];
        else if (is_paper && dim > 0 && d->column[dim] && (dim == d->split || has(d, F_COLUMN_MISS)))
            grid = d->b;
        c = floor_to(c < MIN_COORDINATE ? MIN_COORDINATE : c > MAX_COORDINATE ? MAX_COORDINATE : c, grid);
        if (has(d, F_I_MISS) && dim == 0 && d->n[0] > d->unit)
            c += (int64_t)(d->unit * (1 + below(d, d->n[0] / d->unit - 1)));
        if (has(d, F_J_MISS) && dim == d->split && d->b > 1)
            c += 1 + (int64_t)below(d, d->b - 1);
        d->coordinates[dim] = (int32_t)(c < MIN_COORDINATE ? c + (int64_t)grid : c);
    }
    if (has(d, F_WRAP)) {
        const int32_t rows = (int32_t)d->n[1];
        d->coordinates[1] = (1 << 30) - rows + (int32_t)below(d, (uint64_t)rows);
        d->coordinates[2] = rows + (int32_t)spread(d, 0, 1 << 20);
        d->coordinates[3] = 1 << 30;
    }
}

static uint32_t draw_shared_address(tl_draft *d, const tl_tensor_map *map)
{
    const uint64_t last = ((UINT64_C(1) << 32) - tl_load_footprint_bytes(map)) / 128;
    if (chance(d, 5))
        return (uint32_t)(128 * smaller(last, UINT32_MAX / 128));
    return (uint32_t)(128 * below(d, smaller(chance(d, 80) ? 1800 : UINT64_MAX, last + 1)));
}

/* ---- The whole ---- */

void tl_draft_map(tl_draft *d, unsigned features)
{
    const tl_random random = d->random;
    memset(d, 0, sizeof *d);
    d->random = random;
    d->features = features;
    draw_features(d);
    draw_element(d);
    draw_memory_tile(d);
    draw_row(d);
    draw_sides(d);
    draw_box(d);
    draw_tensor(d);
}

void tl_draft_load(tl_draft *d, const tl_tensor_map *map, tl_load *load)
{
    draw_coordinates(d);
    memcpy(load->coordinates, d->coordinates, sizeof load->coordinates);
    load->shared_address = draw_shared_address(d, map);
}
