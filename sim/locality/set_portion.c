/* SPDX-License-Identifier: Apache-2.0 */
#include "set_portion.h"

#include "set_walk.h"

/* Of the tables of a portion, of those that are built once, and of the simulation of one set. */
#define PORTION_BYTES    ((uint64_t)160 << 20)
#define SIMULATION_BYTES ((uint64_t)64 << 20)
#define LINES_MAX        ((uint64_t)1 << 24) /* numbered one by one, four bytes each */

/* A view, a body, four slots of the hash table and an allocation of entries; a list while it grows; a class. */
enum { SET_BYTES = 128, LIST_BYTES = 512, CLASS_BYTES = 128, ENTRY_BYTES = sizeof(tl_set_entry) };

/* K-steps in which one line is read. */
static uint64_t steps_of_line(const tl_set_table *table)
{
    const tl_gemm_operand *operand = table->operand;
    const uint64_t step_bytes = operand->tile_k * operand->config->gemm.element_bytes;
    const bool shared = table->whole_atoms && operand->k_contiguous;
    return shared ? tl_ceil_div(operand->config->machine.line_bytes, step_bytes) : 1;
}

uint64_t tl_set_touched_steps(const tl_set_table tables[TL_OPERANDS])
{
    uint64_t readings = 0;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        readings += tl_set_table_weight(&tables[n]) * steps_of_line(&tables[n]);
    }
    return tl_least(readings, tables[TL_OPERAND_A].operand->steps);
}

/*
 * Where sets repeat, the lines of a set that a tile reads have one place in their runs, which is the set's modulo the
 * period, and one home: over the strided index of a tile they are one entry.
 */
static uint64_t entries_of_set(const tl_set_table *table)
{
    const tl_gemm_operand *operand = table->operand;
    const uint64_t weight = tl_set_table_weight(table);
    if (table->period == table->sets) {
        return weight;
    }
    const uint64_t extent = operand->k_contiguous ? operand->k_extent : operand->panel_extent;
    const uint64_t lines = (extent * operand->config->gemm.element_bytes >> operand->line_shift) + 1;
    const uint64_t tiles = operand->k_contiguous ? operand->panels : operand->steps;
    return tl_least(weight, tiles * tl_ceil_div(lines, table->period));
}

static uint64_t table_bytes(const tl_set_table *table)
{
    const uint64_t entries = entries_of_set(table) * ENTRY_BYTES;
    const uint64_t list = tl_set_walk_width(table) < table->sets ? 0 : LIST_BYTES + entries + entries / 2;
    return SET_BYTES + table->step_words * sizeof *table->steps + entries + list;
}

/* Entries as the simulator loads them, their readings linked by step and in the window. */
static bool simulation_fits(const tl_set_table tables[TL_OPERANDS])
{
    enum { LOADED_BYTES = 24, READING_BYTES = 64 };
    uint64_t bytes = 0;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        const uint64_t entry_bytes = LOADED_BYTES + READING_BYTES * steps_of_line(&tables[n]);
        const uint64_t entries = tl_set_table_weight(&tables[n]);
        if (entries > SIMULATION_BYTES / entry_bytes) {
            return false;
        }
        bytes += entries * entry_bytes;
    }
    return bytes <= SIMULATION_BYTES;
}

uint32_t tl_set_portion(const tl_set_table tables[TL_OPERANDS])
{
    if (!simulation_fits(tables)) {
        return 0;
    }
    uint64_t set_bytes = CLASS_BYTES + tl_set_touched_steps(tables);
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        const tl_set_table *table = &tables[n];
        const tl_gemm_operand *operand = table->operand;
        if (!table->whole_atoms && tl_last_line(operand) - tl_first_line(operand) >= LINES_MAX) {
            return 0;
        }
        if (table->period == table->sets) {
            set_bytes += table_bytes(table);
        } else if (table_bytes(table) > PORTION_BYTES / table->period) {
            return 0;
        }
    }
    return (uint32_t)tl_least(tables[TL_OPERAND_A].sets, PORTION_BYTES / set_bytes);
}
