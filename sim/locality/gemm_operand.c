/* SPDX-License-Identifier: Apache-2.0 */
#include "gemm_operand.h"

static const uint64_t BASE_ALIGNMENT = 2097152; /* 2 MiB, a large page */

unsigned tl_set_bits(const tl_locality_machine *machine)
{
    return tl_log2(machine->l2_bytes / ((uint64_t)machine->l2_ways * machine->line_bytes));
}

static uint64_t align_base(uint64_t address)
{
    return tl_ceil_div(address, BASE_ALIGNMENT) * BASE_ALIGNMENT;
}

static tl_gemm_operand make_operand(const tl_locality_config *config, bool is_a, uint64_t after)
{
    const tl_locality_gemm *gemm = &config->gemm;
    const uint64_t element = gemm->element_bytes;
    const uint64_t base = is_a ? config->layout.a_base : config->layout.b_base;
    const uint64_t leading = is_a ? config->layout.a_leading_dimension : config->layout.b_leading_dimension;
    tl_gemm_operand operand = {
        .config = config,
        .is_a = is_a,
        .layout = is_a ? config->layout.a : config->layout.b,
        .panel_extent = is_a ? gemm->m : gemm->n,
        .k_extent = gemm->k,
        .tile_panel = is_a ? config->tile.m : config->tile.n,
        .tile_k = config->tile.k,
        .base = base != 0 || is_a ? base : align_base(after),
        .line_shift = tl_log2(config->machine.line_bytes),
    };
    operand.tile_major = operand.layout == TL_TILE_MAJOR_PANEL || operand.layout == TL_TILE_MAJOR_STEP;
    operand.k_contiguous = operand.layout == (is_a ? TL_ROW_MAJOR : TL_COLUMN_MAJOR);
    operand.panels = tl_ceil_div(operand.panel_extent, operand.tile_panel);
    operand.steps = tl_ceil_div(operand.k_extent, operand.tile_k);
    if (operand.tile_major) {
        operand.pitch_bytes = TL_MEMORY_TILE_PANEL * TL_MEMORY_TILE_K * element;
        operand.end = operand.base + operand.pitch_bytes * tl_ceil_div(operand.panel_extent, TL_MEMORY_TILE_PANEL) *
                                         tl_ceil_div(operand.k_extent, TL_MEMORY_TILE_K);
        return operand;
    }
    const uint64_t contiguous = operand.k_contiguous ? operand.k_extent : operand.panel_extent;
    const uint64_t strided = operand.k_contiguous ? operand.panel_extent : operand.k_extent;
    operand.pitch_bytes = (leading != 0 ? leading : contiguous) * element;
    operand.end = operand.base + (strided - 1) * operand.pitch_bytes + contiguous * element;
    return operand;
}

void tl_gemm_operands(const tl_locality_config *config, tl_gemm_operand out[TL_OPERANDS])
{
    out[TL_OPERAND_A] = make_operand(config, true, 0);
    out[TL_OPERAND_B] = make_operand(config, false, out[TL_OPERAND_A].end);
}

void tl_gemm_output(const tl_locality_config *config, uint64_t *base, uint64_t *pitch_bytes)
{
    tl_gemm_operand operands[TL_OPERANDS];
    tl_gemm_operands(config, operands);
    const uint64_t contiguous = config->layout.c == TL_ROW_MAJOR ? config->gemm.n : config->gemm.m;
    const uint64_t leading = config->layout.c_leading_dimension;
    *base = config->layout.c_base != 0 ? config->layout.c_base : align_base(operands[TL_OPERAND_B].end);
    *pitch_bytes = (leading != 0 ? leading : contiguous) * config->gemm.element_bytes;
}

/* Memory tiles of a tile, along K fastest; each is one run. */
static tl_tile_runs tile_major_runs(const tl_gemm_operand *operand, uint64_t panel, uint64_t step)
{
    const uint64_t across = tl_ceil_div(operand->panel_extent, TL_MEMORY_TILE_PANEL);
    const uint64_t along = tl_ceil_div(operand->k_extent, TL_MEMORY_TILE_K);
    const bool panel_major = operand->layout == TL_TILE_MAJOR_PANEL;
    const uint64_t across_pitch = (panel_major ? along : 1) * operand->pitch_bytes;
    const uint64_t along_pitch = (panel_major ? 1 : across) * operand->pitch_bytes;
    const uint64_t per_panel = operand->tile_panel / TL_MEMORY_TILE_PANEL;
    const uint64_t per_step = operand->tile_k / TL_MEMORY_TILE_K;
    return (tl_tile_runs){
        .start = operand->base + panel * per_panel * across_pitch + step * per_step * along_pitch,
        .outer_count = tl_least(per_panel, across - panel * per_panel),
        .outer_pitch = across_pitch,
        .inner_count = tl_least(per_step, along - step * per_step),
        .inner_pitch = along_pitch,
        .bytes = operand->pitch_bytes,
    };
}

tl_tile_runs tl_gemm_tile(const tl_gemm_operand *operand, uint64_t panel, uint64_t step)
{
    if (operand->tile_major) {
        return tile_major_runs(operand, panel, step);
    }
    const uint64_t element = operand->config->gemm.element_bytes;
    const uint64_t panel_start = panel * operand->tile_panel;
    const uint64_t k_start = step * operand->tile_k;
    const uint64_t width = tl_least(operand->tile_panel, operand->panel_extent - panel_start);
    const uint64_t depth = tl_least(operand->tile_k, operand->k_extent - k_start);
    const bool k_contiguous = operand->k_contiguous;
    return (tl_tile_runs){
        .start = operand->base + (k_contiguous ? panel_start : k_start) * operand->pitch_bytes +
                 (k_contiguous ? k_start : panel_start) * element,
        .outer_count = 1,
        .inner_count = k_contiguous ? width : depth,
        .inner_pitch = operand->pitch_bytes,
        .bytes = (k_contiguous ? depth : width) * element,
    };
}

static uint64_t run_lines(uint64_t start, uint64_t bytes, unsigned line_shift)
{
    return ((start + bytes - 1) >> line_shift) - (start >> line_shift) + 1;
}

/* Runs whose starts lie alike in a line take the same number of lines: only the first few differ. */
static uint64_t tile_accesses(const tl_gemm_operand *operand, const tl_tile_runs *runs)
{
    const uint64_t line_mask = operand->config->machine.line_bytes - 1;
    if (((runs->outer_pitch | runs->inner_pitch) & line_mask) == 0) {
        return runs->outer_count * runs->inner_count * run_lines(runs->start, runs->bytes, operand->line_shift);
    }
    uint64_t lines = 0;
    for (uint64_t n = 0; n < runs->inner_count; n++) {
        lines += run_lines(runs->start + n * runs->inner_pitch, runs->bytes, operand->line_shift);
    }
    return lines;
}

uint64_t tl_gemm_panel_accesses(const tl_gemm_operand *operand, uint64_t panel)
{
    const uint64_t line_bytes = operand->config->machine.line_bytes;
    const uint64_t element = operand->config->gemm.element_bytes;
    /* Steps whose tiles lie alike in a line: K contiguous, a period of steps; else all full ones on an aligned pitch.
     */
    uint64_t period = 1;
    if (operand->k_contiguous) {
        while (operand->tile_k * element * period % line_bytes != 0) {
            period *= 2;
        }
    } else if (!operand->tile_major) {
        while (operand->tile_k * operand->pitch_bytes * period % line_bytes != 0) {
            period *= 2;
        }
    }
    const uint64_t full_steps = operand->k_extent / operand->tile_k;
    uint64_t accesses = 0;
    for (uint64_t step = 0; step < tl_least(period, full_steps); step++) {
        const tl_tile_runs runs = tl_gemm_tile(operand, panel, step);
        accesses += tile_accesses(operand, &runs) * ((full_steps - step - 1) / period + 1);
    }
    if (full_steps < operand->steps) {
        const tl_tile_runs runs = tl_gemm_tile(operand, panel, full_steps);
        accesses += tile_accesses(operand, &runs);
    }
    return accesses;
}

uint64_t tl_first_line(const tl_gemm_operand *operand)
{
    return operand->base >> operand->line_shift;
}

uint64_t tl_last_line(const tl_gemm_operand *operand)
{
    return (operand->end - 1) >> operand->line_shift;
}
