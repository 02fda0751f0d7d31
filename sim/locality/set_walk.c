/* SPDX-License-Identifier: Apache-2.0 */
#include "set_walk.h"

#include <stdlib.h>

enum { SETS_AT_ONCE = 256 };

static tl_set_entry *new_entry(tl_set_walk *walk, tl_set_list *list)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity + list->capacity / 2 + 16;
        tl_set_entry *entries = realloc(list->entries, capacity * sizeof *entries);
        if (entries == NULL) {
            walk->failed = true;
            return NULL;
        }
        list->entries = entries;
        list->capacity = capacity;
    }
    return &list->entries[list->count++];
}

static tl_set_list *list_of(const tl_set_walk *walk, uint64_t line)
{
    const tl_set_table *table = walk->table;
    const uint32_t set =
        tl_line_set(line, tl_log2(table->sets), table->operand->config->machine.set_index) - walk->start;
    return set < walk->count ? &walk->lists[set] : NULL;
}

static bool is_power_of_two(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

/* ---- whole atoms ------------------------------------------------------------------------------------------------- */

/* Where homes come from, so that most lines need no division. */
typedef struct home_source {
    enum { HOME_BY_SET, HOME_BY_PAGE, HOME_BY_LINE } kind;
    unsigned page_shift;
    uint64_t chiplet_mask;
} home_source;

static home_source choose_homes(const tl_set_table *table)
{
    const tl_locality_config *config = table->operand->config;
    const uint64_t page_lines = config->placement.page_bytes / config->machine.line_bytes;
    if (table->home_by_set) {
        return (home_source){.kind = HOME_BY_SET};
    }
    if (config->placement.data == TL_DATA_INTERLEAVE && is_power_of_two(page_lines) &&
        is_power_of_two(config->machine.chiplets)) {
        return (home_source){HOME_BY_PAGE, tl_log2(page_lines), config->machine.chiplets - 1};
    }
    return (home_source){.kind = HOME_BY_LINE};
}

/* A line of an atom that panel `panel` reads in steps first..last; it joins the atom before where it can. */
static void add_line(tl_set_walk *walk, const home_source *homes, uint64_t line, uint32_t panel, uint32_t first,
                     uint32_t last)
{
    tl_set_list *list = list_of(walk, line);
    if (list == NULL) {
        return;
    }
    uint32_t home = 0;
    if (homes->kind == HOME_BY_PAGE) {
        home = (uint32_t)((line >> homes->page_shift) & homes->chiplet_mask);
    } else if (homes->kind == HOME_BY_LINE) {
        home = tl_line_home(walk->table->operand, line);
    }
    if (list->count > 0) {
        tl_set_entry *before = &list->entries[list->count - 1];
        if (before->panel == panel && before->first == first && before->home == home) {
            before->value++;
            return;
        }
    }
    tl_set_entry *entry = new_entry(walk, list);
    if (entry != NULL) {
        *entry = (tl_set_entry){panel, first, 1, (uint16_t)(last - first), (uint16_t)home};
        list->atom_count++;
    }
}

/* Lines start..end-1 of a contiguous run at strided index x. */
typedef struct tl_line_range {
    uint64_t run; /* first line of the run */
    uint64_t start, end;
} line_range;

/*
 * The lines of a run, y in 0..lines-1, that lie in the sets of the walk: with a modulo index, one range in each round
 * of the sets. `*start` is where to look on. @return false when there are no more
 */
static bool next_range(const tl_set_walk *walk, uint64_t run, uint64_t lines, uint64_t *start, line_range *out)
{
    if (*start >= lines) {
        return false;
    }
    const tl_set_table *table = walk->table;
    if (table->operand->config->machine.set_index != TL_SET_MODULO || walk->count == table->sets) {
        *out = (line_range){run, *start, lines};
        *start = lines;
        return true;
    }
    const uint64_t mask = table->sets - 1;
    const uint64_t set = (run + *start) & mask;
    if (set - walk->start >= walk->count) { /* below or above */
        *start += (walk->start - set) & mask;
    }
    if (*start >= lines) {
        return false;
    }
    const uint64_t room = walk->start + walk->count - ((run + *start) & mask);
    *out = (line_range){run, *start, tl_least(*start + room, lines)};
    *start = out->end;
    return true;
}

/* All ranges of a panel whose K is contiguous. @return how many */
static uint64_t collect_ranges(tl_set_walk *walk, uint64_t panel, uint64_t lines)
{
    const tl_gemm_operand *operand = walk->table->operand;
    const uint64_t pitch = operand->pitch_bytes >> operand->line_shift;
    const uint64_t x_end = tl_least((panel + 1) * operand->tile_panel, operand->panel_extent);
    uint64_t count = 0;
    for (uint64_t x = panel * operand->tile_panel; x < x_end; x++) {
        line_range range;
        uint64_t start = 0;
        while (next_range(walk, walk->first_line + x * pitch, lines, &start, &range)) {
            if (count == walk->range_capacity) {
                const uint64_t capacity = 2 * count + 64;
                line_range *grown = realloc(walk->ranges, capacity * sizeof *grown);
                if (grown == NULL) {
                    walk->failed = true;
                    return 0;
                }
                walk->ranges = grown;
                walk->range_capacity = capacity;
            }
            walk->ranges[count++] = range;
        }
    }
    return count;
}

/* K contiguous: groups of lines that are read in the same steps, over the rows of each panel. */
static void walk_k_contiguous(tl_set_walk *walk, const home_source *homes)
{
    const tl_gemm_operand *operand = walk->table->operand;
    const uint64_t line_bytes = operand->config->machine.line_bytes;
    const uint64_t step_bytes = operand->tile_k * operand->config->gemm.element_bytes;
    const uint64_t run_bytes = operand->k_extent * operand->config->gemm.element_bytes;
    const uint64_t group = step_bytes > line_bytes ? step_bytes / line_bytes : 1;
    const uint64_t lines = tl_ceil_div(run_bytes, line_bytes);
    for (uint64_t panel = 0; panel < operand->panels && !walk->failed; panel++) {
        const uint64_t count = collect_ranges(walk, panel, lines);
        for (uint64_t line = 0; line < lines; line += group) {
            const uint64_t end = tl_least(line + group, lines);
            const uint32_t first = (uint32_t)(line * line_bytes / step_bytes);
            const uint32_t last = (uint32_t)((tl_least(end * line_bytes, run_bytes) - 1) / step_bytes);
            for (uint64_t n = 0; n < count; n++) {
                const line_range *range = &walk->ranges[n];
                const uint64_t stop = tl_least(end, range->end);
                for (uint64_t y = line > range->start ? line : range->start; y < stop; y++) {
                    add_line(walk, homes, range->run + y, (uint32_t)panel, first, last);
                }
            }
        }
    }
}

static void walk_panel_contiguous(tl_set_walk *walk, const home_source *homes)
{
    const tl_gemm_operand *operand = walk->table->operand;
    const uint64_t line_bytes = operand->config->machine.line_bytes;
    const uint64_t panel_bytes = operand->tile_panel * operand->config->gemm.element_bytes;
    const uint64_t run_bytes = operand->panel_extent * operand->config->gemm.element_bytes;
    const uint64_t pitch = operand->pitch_bytes >> operand->line_shift;
    for (uint64_t panel = 0; panel < operand->panels && !walk->failed; panel++) {
        const uint64_t first = panel * panel_bytes / line_bytes;
        const uint64_t lines = tl_ceil_div(tl_least((panel + 1) * panel_bytes, run_bytes), line_bytes) - first;
        uint32_t step = 0;
        for (uint64_t x = 0; x < operand->k_extent; x++) {
            line_range range;
            uint64_t start = 0;
            step += x == (step + (uint64_t)1) * operand->tile_k;
            while (next_range(walk, walk->first_line + x * pitch + first, lines, &start, &range)) {
                for (uint64_t y = range.start; y < range.end; y++) {
                    add_line(walk, homes, range.run + y, (uint32_t)panel, step, step);
                }
            }
        }
    }
}

/* ---- tiles one by one -------------------------------------------------------------------------------------------- */

/* A line that several panels or different steps read: an atom of its own, with an entry each time it is read. */
static void add_read(tl_set_walk *walk, uint64_t line, uint32_t panel, uint32_t step)
{
    tl_set_list *list = list_of(walk, line);
    tl_set_entry *entry = list == NULL ? NULL : new_entry(walk, list);
    if (entry == NULL) {
        return;
    }
    uint32_t *atom = &walk->atom_of[line - walk->first_line];
    if (*atom == 0) {
        *atom = ++list->atom_count;
    }
    *entry = (tl_set_entry){panel, step, *atom - 1, 0, (uint16_t)tl_line_home(walk->table->operand, line)};
}

/* The next run that reads more than the line `last`, which run n ends in: runs may be much shorter than a line. */
static uint64_t next_run(const tl_tile_runs *runs, uint64_t n, uint64_t last, unsigned line_shift)
{
    const uint64_t line_end = (last + 1) << line_shift;
    if (runs->outer_count > 1 || runs->start + runs->bytes > line_end) {
        return n + 1;
    }
    const uint64_t inside = (line_end - runs->bytes - runs->start) / runs->inner_pitch; /* the last one in the line */
    return inside > n ? inside + 1 : n + 1;
}

/* A line read twice in a row hits the second time, whatever the set holds: once is enough. */
static void walk_tile(tl_set_walk *walk, const home_source *homes, uint32_t panel, uint32_t step)
{
    const tl_gemm_operand *operand = walk->table->operand;
    const tl_tile_runs runs = tl_gemm_tile(operand, panel, step);
    uint64_t next_line = 0; /* not read last */
    for (uint64_t n = 0; n < runs.outer_count * runs.inner_count;) {
        const uint64_t start =
            runs.start + n / runs.inner_count * runs.outer_pitch + n % runs.inner_count * runs.inner_pitch;
        const uint64_t first = start >> operand->line_shift;
        const uint64_t last = (start + runs.bytes - 1) >> operand->line_shift;
        for (uint64_t line = first + (first + 1 == next_line); line <= last; line++) {
            if (walk->table->whole_atoms) {
                add_line(walk, homes, line, panel, step, step);
            } else {
                add_read(walk, line, panel, step);
            }
        }
        next_line = last + 1;
        n = next_run(&runs, n, last, operand->line_shift);
    }
}

static void walk_tiles(tl_set_walk *walk, const home_source *homes)
{
    const tl_gemm_operand *operand = walk->table->operand;
    for (uint32_t panel = 0; panel < operand->panels && !walk->failed; panel++) {
        for (uint32_t step = 0; step < operand->steps; step++) {
            walk_tile(walk, homes, panel, step);
        }
    }
}

void tl_set_walk_run(tl_set_walk *walk)
{
    const tl_gemm_operand *operand = walk->table->operand;
    const home_source homes = choose_homes(walk->table);
    if (!walk->table->whole_atoms || operand->tile_major) {
        walk_tiles(walk, &homes);
    } else if (operand->k_contiguous) {
        walk_k_contiguous(walk, &homes);
    } else {
        walk_panel_contiguous(walk, &homes);
    }
}

uint32_t tl_set_walk_width(const tl_set_table *table)
{
    /* Rows that are not longer than the sets are cut to those of a walk without loss; others are looked at again. */
    const tl_gemm_operand *operand = table->operand;
    const uint64_t row_bytes = operand->k_extent * operand->config->gemm.element_bytes;
    const bool cheap = table->whole_atoms && operand->k_contiguous &&
                       operand->config->machine.set_index == TL_SET_MODULO &&
                       row_bytes >> operand->line_shift <= table->sets;
    return cheap ? SETS_AT_ONCE : table->sets;
}
