/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts of an operand's sets that need no table.
 *
 * Period. Let lines be base + x * pitch + y, x the strided index, y the line within a contiguous run, all whole lines;
 * S sets, modulo index, g = gcd(pitch, S). The lines of set s + g are those of set s with x moved by one fixed amount
 * modulo S/g. If S/g divides the extent of a tile along x and all tiles are full along x, each tile holds as many lines
 * of set s + g as of set s, panel by panel and step by step; if a tile spans at most g lines along y, all of them have
 * one y and their order is that of x. The homes agree if they do not depend on x within a tile, or follow the set.
 */
#include "set_table.h"

static bool is_aligned(const tl_gemm_operand *operand)
{
    const uint64_t line_mask = operand->config->machine.line_bytes - 1;
    return ((operand->base | operand->pitch_bytes) & line_mask) == 0;
}

/* Each line is read by one panel, and two lines of a tile that are in one set are read in the same K-steps. */
static bool has_whole_atoms(const tl_gemm_operand *operand)
{
    const uint64_t line_bytes = operand->config->machine.line_bytes;
    const uint64_t element = operand->config->gemm.element_bytes;
    if (operand->tile_major || !is_aligned(operand)) {
        return is_aligned(operand);
    }
    if (operand->k_contiguous) {
        const uint64_t step_bytes = operand->tile_k * element;
        return step_bytes % line_bytes == 0 || line_bytes % step_bytes == 0;
    }
    return operand->panels == 1 || operand->tile_panel * element % line_bytes == 0;
}

static bool has_home_by_set(const tl_gemm_operand *operand, uint64_t sets)
{
    const tl_locality_placement *placement = &operand->config->placement;
    const uint64_t turn = placement->page_bytes * operand->config->machine.chiplets;
    return placement->data == TL_DATA_INTERLEAVE && operand->config->machine.set_index == TL_SET_MODULO &&
           (sets << operand->line_shift) % turn == 0;
}

/* The homes of a split do not depend on the strided index within a tile. */
static bool split_follows_tiles(const tl_gemm_operand *operand)
{
    const tl_locality_config *config = operand->config;
    const bool along_columns = config->placement.data == TL_DATA_ROW_SPLIT;
    const bool along_panels = along_columns != operand->is_a;
    if (config->placement.split_granularity != TL_SPLIT_ELEMENT || config->placement.data == TL_DATA_INTERLEAVE ||
        config->placement.data == TL_DATA_OWNER) {
        return false;
    }
    if (along_panels != operand->k_contiguous) {
        return true; /* along the contiguous index */
    }
    const uint64_t extent = along_panels ? operand->panel_extent : operand->k_extent;
    const uint64_t tile = along_panels ? operand->tile_panel : operand->tile_k;
    for (uint64_t n = 1; n < config->machine.chiplets; n++) {
        if (tl_ceil_div(n * extent, config->machine.chiplets) % tile != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t find_period(const tl_gemm_operand *operand, uint64_t sets, bool home_by_set)
{
    const uint64_t line_bytes = operand->config->machine.line_bytes;
    const uint64_t element = operand->config->gemm.element_bytes;
    if (operand->config->machine.set_index != TL_SET_MODULO || operand->tile_major || !is_aligned(operand) ||
        !(home_by_set || split_follows_tiles(operand))) {
        return sets;
    }
    const uint64_t pitch = operand->pitch_bytes / line_bytes;
    const uint64_t common = tl_least(pitch & (~pitch + 1), sets); /* gcd with a power of two */
    const uint64_t strided = operand->k_contiguous ? operand->panel_extent : operand->k_extent;
    const uint64_t tile = operand->k_contiguous ? operand->tile_panel : operand->tile_k;
    const uint64_t run_bytes = (operand->k_contiguous ? operand->tile_k : operand->tile_panel) * element;
    const bool repeats =
        strided % tile == 0 && tile % (sets / common) == 0 && tl_ceil_div(run_bytes, line_bytes) + 1 <= common;
    return repeats ? common : sets;
}

void tl_set_table_init(const tl_gemm_operand *operand, tl_set_table *out)
{
    *out = (tl_set_table){.operand = operand, .sets = (uint32_t)1 << tl_set_bits(&operand->config->machine)};
    out->home_by_set = has_home_by_set(operand, out->sets);
    out->whole_atoms = has_whole_atoms(operand);
    out->period = out->whole_atoms ? (uint32_t)find_period(operand, out->sets, out->home_by_set) : out->sets;
    out->step_words = operand->steps / 64 + 1;
}

uint64_t tl_set_table_weight(const tl_set_table *table)
{
    const tl_gemm_operand *operand = table->operand;
    if (!table->whole_atoms) {
        return operand->panels * tl_gemm_panel_accesses(operand, 0) / table->sets + 1;
    }
    const uint64_t contiguous = operand->k_contiguous ? operand->k_extent : operand->panel_extent;
    const uint64_t strided = operand->k_contiguous ? operand->panel_extent : operand->k_extent;
    const uint64_t bytes = contiguous * operand->config->gemm.element_bytes;
    return strided * tl_ceil_div(bytes, operand->config->machine.line_bytes) / table->sets + 1;
}
