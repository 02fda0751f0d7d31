/* SPDX-License-Identifier: Apache-2.0 */
/* Stage permute. Mirrors rtl/tma_permute.sv. */
#include "tilelens/permute.h"

/* (tile | i mod a | j mod b) -> (tile | j mod b | i mod a); a plain map has neither, and x passes unchanged. */
static uint64_t rotate_granule(const tl_fields *fields, const tl_run *run)
{
    const tl_packing *packing = &fields->packing;
    const uint64_t column = run->x & packing->mask_b;
    return (run->x & ~packing->granule) | column << fields->log2_a16 | run->row_index;
}

/* Case 2: (tile | sub-tile | col | row) -> (tile | col | sub-tile | row), row = log2 u bits. */
static uint64_t swap_sub_tile(const tl_fields *fields, const tl_run *run)
{
    uint32_t log2_u16 = 0;
    while ((UINT32_C(16) << log2_u16) < fields->row_bytes) {
        log2_u16++;
    }
    const uint64_t granule = fields->mask_a16 << fields->log2_b | fields->mask_b;
    const uint64_t row = run->x & ((UINT64_C(1) << log2_u16) - 1);
    const uint64_t column = (run->x >> log2_u16) & fields->mask_b;
    const uint64_t sub_tile = (run->x & granule) >> (log2_u16 + fields->log2_b);
    return (run->x & ~granule) | column << fields->log2_a16 | sub_tile << log2_u16 | row;
}

uint64_t tl_permute(const tl_fields *fields, const tl_run *run)
{
    const bool case_2 = fields->variant == TL_PAPER && fields->tile_major;
    return case_2 ? swap_sub_tile(fields, run) : rotate_granule(fields, run);
}
