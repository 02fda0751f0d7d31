/* SPDX-License-Identifier: Apache-2.0 */
#include "cta_schedule.h"

#include "gemm_operand.h"

void tl_chiplet_grid(uint32_t chiplets, uint64_t *rows, uint64_t *columns)
{
    *rows = (uint64_t)1 << ((tl_log2(chiplets) + 1) / 2);
    *columns = chiplets / *rows;
}

void tl_cta_schedule_make(const tl_locality_config *config, tl_cta_schedule *out)
{
    *out = (tl_cta_schedule){
        .traversal = config->traversal,
        .mapping = config->placement.cta,
        .chiplets = config->machine.chiplets,
        .rows = tl_ceil_div(config->gemm.m, config->tile.m),
        .columns = tl_ceil_div(config->gemm.n, config->tile.n),
        .wave = (uint64_t)config->machine.compute_units * config->machine.ctas_per_unit,
    };
    tl_chiplet_grid(config->machine.chiplets, &out->grid_rows, &out->grid_columns);
}

/*
 * Blocks in bands: `across` tiles wide each, over `along` tiles; a band is cut into blocks of `length`. Only the last
 * band is narrower, only the last block of a band shorter.
 */
typedef struct block {
    uint64_t across_start, across_count;
    uint64_t along_start, along_count;
    uint64_t index; /* of the tile in its block */
} block;

static block find_block(uint64_t index, uint64_t across_extent, uint64_t across, uint64_t along_extent, uint64_t length)
{
    block found;
    found.across_start = index / (across * along_extent) * across;
    found.across_count = tl_least(across, across_extent - found.across_start);
    const uint64_t in_band = index - found.across_start * along_extent;
    found.along_start = in_band / (found.across_count * length) * length;
    found.along_count = tl_least(length, along_extent - found.along_start);
    found.index = in_band - found.along_start * found.across_count;
    return found;
}

static tl_cta block_cta(const tl_cta_schedule *schedule, uint64_t index)
{
    const uint64_t rows = tl_least(schedule->traversal.block_rows, schedule->rows);
    const uint64_t columns = tl_least(schedule->traversal.block_columns, schedule->columns);
    if (schedule->traversal.block_order == TL_BLOCKS_ROW) {
        const block at = find_block(index, schedule->rows, rows, schedule->columns, columns);
        return (tl_cta){(uint32_t)(at.across_start + at.index / at.along_count),
                        (uint32_t)(at.along_start + at.index % at.along_count)};
    }
    const block at = find_block(index, schedule->columns, columns, schedule->rows, rows);
    return (tl_cta){(uint32_t)(at.along_start + at.index / at.across_count),
                    (uint32_t)(at.across_start + at.index % at.across_count)};
}

tl_cta tl_cta_at(const tl_cta_schedule *schedule, uint64_t index)
{
    switch (schedule->traversal.order) {
    case TL_ORDER_ROW:
        return (tl_cta){(uint32_t)(index / schedule->columns), (uint32_t)(index % schedule->columns)};
    case TL_ORDER_COLUMN:
        return (tl_cta){(uint32_t)(index % schedule->rows), (uint32_t)(index / schedule->rows)};
    default:
        return block_cta(schedule, index);
    }
}

unsigned tl_cta_chiplet(const tl_cta_schedule *schedule, uint64_t index, tl_cta cta)
{
    switch (schedule->mapping) {
    case TL_CTA_ROUND_ROBIN:
        return (unsigned)(index % schedule->chiplets);
    case TL_CTA_ROW_SPLIT:
        return (unsigned)(schedule->chiplets * cta.j / schedule->columns);
    case TL_CTA_COLUMN_SPLIT:
        return (unsigned)(schedule->chiplets * cta.i / schedule->rows);
    default:
        return (unsigned)(schedule->grid_columns * (schedule->grid_rows * cta.i / schedule->rows) +
                          schedule->grid_columns * cta.j / schedule->columns);
    }
}
