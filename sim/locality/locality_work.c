/* SPDX-License-Identifier: Apache-2.0 */
#include "locality_work.h"

#include <inttypes.h>
#include <math.h>

#include "complaint.h"
#include "cta_schedule.h"
#include "locality_result.h"
#include "set_portion.h"
#include "set_walk.h"

#define TILES_MAX ((uint64_t)1 << 20)
#define WAVES_MAX ((uint64_t)1 << 18)
#define WORK_MAX  ((uint64_t)1 << 36) /* about ten minutes */

/* Below this much, a tenth of a second, the fast engine runs whatever the plain one would cost. */
static const double SMALL_WORK = 1 << 24;

/* Work of the fast engine in line reads, as measured. */
static const double WAVE_WORK = 8.0;       /* a wave of one set */
static const double PANEL_WORK = 0.5;      /* and each panel of the wave, whether it touches the set or not */
static const double STEPS_A_LINE = 8.0;    /* K-steps of one set looked through in the time of a line read */
static const double PANELS_A_LINE = 16.0;  /* panels of a wave */
static const double READ_WORK = 1.0 / 16;  /* a line read that is part of whole atoms */
static const double SPLIT_READ_WORK = 2.0; /* the same where an atom is one line */

enum { LARGE_WAVE = 1024 }; /* CTAs, from which on looking through the panels of a wave counts */

/* Contiguous runs of an operand's tiles, and the lines of each. */
static double count_runs(const tl_gemm_operand *operand)
{
    if (operand->tile_major) {
        return (double)(operand->end - operand->base) / (double)operand->pitch_bytes;
    }
    return operand->k_contiguous ? (double)operand->panel_extent * (double)operand->steps
                                 : (double)operand->k_extent * (double)operand->panels;
}

static double lines_of_run(const tl_gemm_operand *operand)
{
    const uint64_t element = operand->config->gemm.element_bytes;
    const uint64_t bytes =
        operand->tile_major ? operand->pitch_bytes
                            : element * (operand->k_contiguous ? tl_least(operand->tile_k, operand->k_extent)
                                                               : tl_least(operand->tile_panel, operand->panel_extent));
    return (double)tl_ceil_div(bytes, operand->config->machine.line_bytes);
}

/* The same without lines read twice in a row: runs may be much shorter than a line. */
static double count_visits(const tl_gemm_operand *operand)
{
    const double visits = count_runs(operand) * lines_of_run(operand);
    const uint64_t line_bytes = operand->config->machine.line_bytes;
    const bool dense = !operand->tile_major && operand->pitch_bytes < line_bytes;
    return dense ? fmin(visits, visits * (double)operand->pitch_bytes / (double)line_bytes +
                                    (double)operand->panels * (double)operand->steps)
                 : visits;
}

static double walk_work(const tl_set_table *table, uint32_t portion)
{
    const tl_gemm_operand *operand = table->operand;
    const double visits = count_visits(operand);
    const double times = table->period < table->sets ? 1.0 : ceil((double)table->sets / portion);
    const uint32_t width = tl_set_walk_width(table);
    if (width == table->sets) {
        return times * visits;
    }
    /* Rows are cut to the sets of a part, and looked at in each part that they touch. */
    const double built = table->period;
    const double row_lines = lines_of_run(operand) * (double)operand->steps;
    const double parts = ceil(built / width);
    return parts * (double)operand->panel_extent + visits * (1.0 + row_lines / width);
}

static double simulation_work(const tl_locality_config *config, const tl_set_table tables[TL_OPERANDS], double reads)
{
    tl_cta_schedule schedule;
    tl_cta_schedule_make(config, &schedule);
    const uint64_t tiles = schedule.rows * schedule.columns;
    const double waves = (double)(tiles / schedule.wave + schedule.chiplets);
    const double steps = (double)tl_set_touched_steps(tables);
    const uint32_t period = tables[TL_OPERAND_A].period > tables[TL_OPERAND_B].period ? tables[TL_OPERAND_A].period
                                                                                      : tables[TL_OPERAND_B].period;
    const double panels = (double)tl_least(2 * schedule.wave, schedule.rows + schedule.columns);
    double work = period * waves * (WAVE_WORK + PANEL_WORK * panels + steps / STEPS_A_LINE) + reads * READ_WORK;
    if (schedule.wave > LARGE_WAVE) {
        work += fmin(period * waves * steps, reads / config->machine.l2_ways) * panels / PANELS_A_LINE;
    }
    return work;
}

/* Runs of C that are cut at pages; they repeat, but how soon differs. */
static double output_work(const tl_locality_config *config)
{
    const bool by_rows = config->layout.c == TL_ROW_MAJOR;
    const uint64_t leading = config->layout.c_leading_dimension;
    const uint64_t tile_rows = tl_ceil_div(config->gemm.m, config->tile.m);
    const uint64_t tile_columns = tl_ceil_div(config->gemm.n, config->tile.n);
    if (config->placement.cta != TL_CTA_ROUND_ROBIN || (leading == 0 && (by_rows ? tile_columns : tile_rows) == 1)) {
        return (double)tile_rows * (double)tile_columns;
    }
    return by_rows ? (double)config->gemm.m * (double)tile_columns : (double)config->gemm.n * (double)tile_rows;
}

static void init_tables(const tl_locality_config *config, tl_gemm_operand operands[TL_OPERANDS],
                        tl_set_table tables[TL_OPERANDS])
{
    tl_gemm_operands(config, operands);
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        tl_set_table_init(&operands[n], &tables[n]);
    }
}

tl_locality_work tl_locality_work_estimate(const tl_locality_config *config)
{
    tl_gemm_operand operands[TL_OPERANDS];
    tl_set_table tables[TL_OPERANDS];
    init_tables(config, operands, tables);
    double reads = 0.0;
    double walk = 0.0;
    const uint32_t portion = tl_set_portion(tables);
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        reads += count_runs(&operands[n]) * lines_of_run(&operands[n]) * (double)operands[1 - n].panels;
        walk += portion == 0 ? INFINITY : walk_work(&tables[n], portion);
    }
    const double output = output_work(config);
    return (tl_locality_work){.reference = reads + output,
                              .fast = walk + simulation_work(config, tables, reads) + output,
                              .is_sure = tables[TL_OPERAND_A].whole_atoms && tables[TL_OPERAND_B].whole_atoms};
}

bool tl_fast_is_slower(const tl_locality_config *config, uint32_t simulated, uint32_t sets)
{
    const tl_locality_work work = tl_locality_work_estimate(config);
    return !work.is_sure && work.reference > SMALL_WORK && SPLIT_READ_WORK * simulated > sets;
}

const char *tl_fast_refusal(const tl_locality_config *config)
{
    tl_gemm_operand operands[TL_OPERANDS];
    tl_set_table tables[TL_OPERANDS];
    init_tables(config, operands, tables);
    const tl_gemm_operand *a = &operands[TL_OPERAND_A];
    const tl_gemm_operand *b = &operands[TL_OPERAND_B];
    const uint64_t wave = (uint64_t)config->machine.compute_units * config->machine.ctas_per_unit;
    if (tl_first_line(a) <= tl_last_line(b) && tl_first_line(b) <= tl_last_line(a)) {
        return "A and B share memory lines";
    }
    if (a->panels * b->panels > TILES_MAX) {
        return "more than 2^20 tiles of C";
    }
    if (tl_set_portion(tables) == 0 || a->panels * b->panels / wave > WAVES_MAX) {
        return "its tables would take too much memory";
    }
    const tl_locality_work work = tl_locality_work_estimate(config);
    return work.fast > SMALL_WORK && work.fast > work.reference ? TL_FAST_SLOWER : NULL;
}

int tl_locality_check_work(const tl_locality_config *config, tl_locality_engine engine, const char *file, char *error,
                           size_t error_bytes)
{
    const tl_locality_work work = tl_locality_work_estimate(config);
    const bool fast = engine == TL_ENGINE_FAST && tl_fast_refusal(config) == NULL && work.is_sure;
    if ((fast ? work.fast : work.reference) <= (double)WORK_MAX) {
        return 0;
    }
    const tl_locality_gemm *gemm = &config->gemm;
    const tl_complaint to = {file, error, error_bytes};
    const bool m_is_longest = gemm->m >= gemm->n && gemm->m >= gemm->k;
    const uint64_t longest = m_is_longest ? gemm->m : gemm->n >= gemm->k ? gemm->n : gemm->k;
    char found[32];
    (void)snprintf(found, sizeof found, "%" PRIu64, longest);
    return tl_complain(&to,
                       m_is_longest         ? "gemm.m"
                       : longest == gemm->n ? "gemm.n"
                                            : "gemm.k",
                       found, "a GEMM of at most 2^36 line reads, with this tile and layout about 2^%.1f",
                       log2(fast ? work.fast : work.reference));
}
