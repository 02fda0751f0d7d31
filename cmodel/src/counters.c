/* SPDX-License-Identifier: Apache-2.0 */
/* Stage counters. Mirrors rtl/tma_counters.sv. */
#include "tilelens/counters.h"

#include <string.h>

static uint32_t clamp(int64_t value, uint32_t high)
{
    return value < 0 ? 0 : value > (int64_t)high ? high : (uint32_t)value;
}

/* Steps t with 0 <= coordinate + t < extent; view coordinates decide, never addresses. */
static tl_window tensor_window(int32_t coordinate, uint64_t dim_minus_1)
{
    const tl_window window = {
        clamp(-(int64_t)coordinate, 256),
        clamp((int64_t)dim_minus_1 - coordinate + 1, 256),
    };
    return window;
}

/* Move along dimension d, and note whether that leaves or enters its window. */
static void move_to(tl_counters *counters, unsigned d, uint32_t t)
{
    const tl_window *window = &counters->window[d];
    const uint32_t outside = t < window->low || t >= window->high;
    counters->t[d] = t;
    counters->outside = (counters->outside & ~(1u << d)) | outside << d;
}

static void start_row_window(tl_counters *counters, const tl_fields *fields, int32_t coordinate)
{
    const tl_window window = tensor_window(coordinate, fields->dim_minus_1[0]);
    counters->inside_low = clamp((int64_t)window.low << fields->log2_s, fields->row_bytes);
    counters->inside_high = clamp((int64_t)window.high << fields->log2_s, fields->row_bytes);
    if (counters->inside_high <= counters->inside_low) {
        counters->inside_low = fields->row_bytes;
    }
}

void tl_counters_start(tl_counters *counters, const tl_fields *fields, const int32_t coordinates[TL_MAX_RANK],
                       uint32_t shared_address, const tl_tile_base *base)
{
    memset(counters, 0, sizeof *counters);
    counters->x = base->x;
    counters->row_address = shared_address;
    start_row_window(counters, fields, coordinates[0]);
    for (unsigned d = 1; d < fields->rank; d++) {
        counters->window[d] = tensor_window(coordinates[d], fields->dim_minus_1[d]);
        move_to(counters, d, 0);
    }
}

/* One add in the packed form: the carry out of j mod b does not enter i but moves one memory-tile column on. */
static uint64_t step_cursor(const tl_packing *packing, uint64_t x, uint64_t delta)
{
    const uint64_t column = (x & packing->mask_b) + (delta & packing->mask_b);
    return x + delta + (column > packing->mask_b ? packing->carry_units : 0);
}

/* Eq. 5: within a memory tile the split dimension steps by u, after b steps to the next memory tile. */
static uint64_t level_delta(tl_counters *counters, const tl_fields *fields, const tl_levels *levels, unsigned level)
{
    if (fields->split_dim == 0 || level < fields->split_dim) {
        return levels->delta[level];
    }
    const bool tile_done = counters->inner == fields->mask_b;
    if (level > fields->split_dim) {
        counters->inner = 0;
        return levels->delta[level];
    }
    counters->inner = tile_done ? 0 : counters->inner + 1;
    return tile_done ? levels->delta_tile : levels->delta[level];
}

/* Lowest dimension that has steps left; rank when the box is complete. */
static unsigned next_level(const tl_counters *counters, const tl_fields *fields)
{
    unsigned d = 1;
    while (d < fields->rank && counters->t[d] == fields->limit[d]) {
        d++;
    }
    return d;
}

static void next_row(tl_counters *counters, const tl_fields *fields, const tl_levels *levels, unsigned level)
{
    counters->x = step_cursor(&fields->packing, counters->x, level_delta(counters, fields, levels, level));
    for (unsigned d = 1; d < level; d++) {
        move_to(counters, d, 0);
    }
    move_to(counters, level, counters->t[level] + fields->step[level]);
    counters->row_address += fields->pitch_bytes;
    counters->position = 0;
}

void tl_counters_step(tl_counters *counters, const tl_fields *fields, const tl_levels *levels, tl_run *run)
{
    const uint32_t inside_low = counters->outside == 0 ? counters->inside_low : fields->row_bytes;
    const uint64_t passed_units = counters->position / TL_UNIT_BYTES;
    const tl_packing *packing = &fields->packing;
    uint32_t end;

    run->x = tl_wrap_units(counters->x + (passed_units << packing->log2_b));
    run->row_index = (uint32_t)((run->x >> packing->log2_b) & packing->mask_a16);
    run->address = counters->row_address + counters->position;
    if (counters->position < inside_low) {
        run->fill = true;
        end = inside_low;
    } else if (counters->position < counters->inside_high) {
        run->fill = false;
        const uint32_t edge = counters->position + (packing->edge_units - run->row_index) * TL_UNIT_BYTES;
        end = edge < counters->inside_high ? edge : counters->inside_high;
    } else {
        run->fill = true;
        end = fields->row_bytes;
    }
    run->bytes = end - counters->position;
    run->last = false;
    if (end < fields->row_bytes) {
        counters->position = end;
        return;
    }
    const unsigned level = next_level(counters, fields);
    if (level == fields->rank) {
        run->last = true;
        counters->done = true;
    } else {
        next_row(counters, fields, levels, level);
    }
}
