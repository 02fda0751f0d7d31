/* SPDX-License-Identifier: Apache-2.0 */
/* Stage permute. Mirrors rtl/tma_permute.sv. */
#include "tilelens/permute.h"

static uint64_t low_bits(uint64_t value, uint32_t bits)
{
    return value & ((UINT64_C(1) << bits) - 1);
}

/* (tile | i mod a | j mod b) -> (tile | j mod b | i mod a) */
static uint64_t rotate_granule(const tl_fields *fields, const tl_run *run)
{
    const uint64_t column = low_bits(run->x, fields->log2_b);
    const uint64_t granule = (UINT64_C(1) << (fields->log2_a16 + fields->log2_b)) - 1;
    return (run->x & ~granule) | column << fields->log2_a16 | run->row_index;
}

/* Case 2: (tile | sub-tile | col | row) -> (tile | col | sub-tile | row), row = log2 u bits. */
static uint64_t swap_sub_tile(const tl_fields *fields, const tl_run *run)
{
    uint32_t log2_u16 = 0;
    while ((UINT32_C(16) << log2_u16) < fields->row_bytes) {
        log2_u16++;
    }
    const uint64_t granule = (UINT64_C(1) << (fields->log2_a16 + fields->log2_b)) - 1;
    const uint64_t row = low_bits(run->x, log2_u16);
    const uint64_t column = low_bits(run->x >> log2_u16, fields->log2_b);
    const uint64_t sub_tile = (run->x & granule) >> (log2_u16 + fields->log2_b);
    return (run->x & ~granule) | column << fields->log2_a16 | sub_tile << log2_u16 | row;
}

uint64_t tl_permute(const tl_fields *fields, const tl_run *run)
{
    if (!fields->tile_major) {
        return run->x;
    }
    return fields->variant == TL_PAPER ? swap_sub_tile(fields, run) : rotate_granule(fields, run);
}
