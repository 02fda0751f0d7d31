/* SPDX-License-Identifier: Apache-2.0 */
/* The home of a line that an operand's tiles read. */
#include "cta_schedule.h"
#include "gemm_operand.h"

/* Coordinates of an element across panels and along K. */
typedef struct position {
    uint64_t panel, k;
} position;

/* The memory tile that holds a byte: its numbers across panels and along K. */
static position memory_tile(const tl_gemm_operand *operand, uint64_t offset_bytes)
{
    const uint64_t page = offset_bytes / operand->pitch_bytes;
    const uint64_t across = tl_ceil_div(operand->panel_extent, TL_MEMORY_TILE_PANEL);
    const uint64_t along = tl_ceil_div(operand->k_extent, TL_MEMORY_TILE_K);
    return operand->layout == TL_TILE_MAJOR_PANEL ? (position){page / along, page % along}
                                                  : (position){page % across, page / across};
}

/* The element that holds a byte; in padding, the nearest one. */
static position element_at(const tl_gemm_operand *operand, uint64_t address)
{
    const uint64_t offset = address > operand->base ? address - operand->base : 0;
    const uint64_t element_bytes = operand->config->gemm.element_bytes;
    const uint64_t within = offset % operand->pitch_bytes / element_bytes;
    position at;
    if (operand->tile_major) {
        const position tile = memory_tile(operand, offset);
        at.panel = tile.panel * TL_MEMORY_TILE_PANEL + within % TL_MEMORY_TILE_PANEL;
        at.k = tile.k * TL_MEMORY_TILE_K + within / TL_MEMORY_TILE_PANEL;
    } else {
        const uint64_t strided = offset / operand->pitch_bytes;
        at = operand->k_contiguous ? (position){strided, within} : (position){within, strided};
    }
    at.panel = tl_least(at.panel, operand->panel_extent - 1);
    at.k = tl_least(at.k, operand->k_extent - 1);
    return at;
}

static unsigned split_home(const tl_gemm_operand *operand, uint64_t line)
{
    const tl_locality_placement *placement = &operand->config->placement;
    uint64_t address = line << operand->line_shift;
    if (placement->split_granularity == TL_SPLIT_PAGE) {
        address -= address % placement->page_bytes;
    }
    const position at = element_at(operand, address);
    const bool along_columns = placement->data == TL_DATA_ROW_SPLIT;
    const bool along_panels = along_columns != operand->is_a;
    const uint64_t extent = along_panels ? operand->panel_extent : operand->k_extent;
    return (unsigned)(operand->config->machine.chiplets * (along_panels ? at.panel : at.k) / extent);
}

static unsigned owner_home(const tl_gemm_operand *operand, uint64_t line)
{
    const uint64_t address = line << operand->line_shift;
    const position tile = memory_tile(operand, address > operand->base ? address - operand->base : 0);
    const uint64_t panel = tile.panel * TL_MEMORY_TILE_PANEL / operand->tile_panel;
    const uint64_t step = tile.k * TL_MEMORY_TILE_K / operand->tile_k;
    const uint32_t chiplets = operand->config->machine.chiplets;
    const int cta = operand->config->placement.cta;
    if (cta == TL_CTA_GRID) {
        uint64_t rows;
        uint64_t columns;
        tl_chiplet_grid(chiplets, &rows, &columns);
        return (unsigned)(operand->is_a ? columns * (rows * panel / operand->panels) + step % columns
                                        : columns * (step % rows) + columns * panel / operand->panels);
    }
    return (unsigned)(cta == (operand->is_a ? TL_CTA_COLUMN_SPLIT : TL_CTA_ROW_SPLIT)
                          ? chiplets * panel / operand->panels
                          : step % chiplets);
}

unsigned tl_line_home(const tl_gemm_operand *operand, uint64_t line)
{
    const tl_locality_placement *placement = &operand->config->placement;
    switch (placement->data) {
    case TL_DATA_INTERLEAVE:
        return (unsigned)((line << operand->line_shift) / placement->page_bytes % operand->config->machine.chiplets);
    case TL_DATA_OWNER:
        return owner_home(operand, line);
    default:
        return split_home(operand, line);
    }
}
