/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast engine: sets that see the same stream are simulated once.
 *
 * A stream is the body of the set for A, the one for B, and how their K-steps interleave. Equal streams give equal hits
 * and misses under any schedule; the misses go to the homes of each set. Sets are built in portions that fit memory.
 */
#include <stdlib.h>
#include <string.h>

#include "locality_engines.h"
#include "locality_work.h"
#include "set_portion.h"
#include "set_stream.h"

#define NO_CLASS UINT32_MAX

/* Codes of an axis: a K-step in which the set is touched by A, by B or by both. */
enum { TOUCHED_BY_A = 1, TOUCHED_BY_B = 2 };

/* Sets that see the same stream. */
typedef struct set_class {
    uint32_t bodies[TL_OPERANDS];
    uint64_t hash;
    uint8_t *axis;
    uint32_t axis_count;
    uint32_t next; /* of the same hash slot */
    uint32_t first_set, last_set;
} set_class;

typedef struct engine {
    const tl_locality_config *config;
    tl_gemm_operand operands[TL_OPERANDS];
    tl_set_table tables[TL_OPERANDS];
    tl_wave_plan plans[TL_CHIPLETS_MAX];
    tl_set_simulator *simulator;
    set_class *classes; /* of the portion */
    uint32_t class_count;
    uint32_t *slots;    /* hash table: first class of a slot */
    uint32_t *next_set; /* sets of a class, linked, by set - start of the portion */
    uint8_t *axis;      /* of the set at hand */
    uint32_t *steps[TL_OPERANDS];
    const tl_progress *progress;
    bool is_slower; /* than the plain engine: seen in the first portion, and given up */
    tl_locality_counters *out;
} engine;

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static const uint64_t *steps_of(const tl_set_table *table, uint32_t set)
{
    return &table->steps[(set % table->period - table->start) * table->step_words];
}

/* The axis of a set: a code for each K-step that touches it. */
static uint32_t make_axis(const engine *e, uint32_t set)
{
    const uint64_t *a = steps_of(&e->tables[TL_OPERAND_A], set);
    const uint64_t *b = steps_of(&e->tables[TL_OPERAND_B], set);
    uint32_t count = 0;
    for (uint64_t word = 0; word < e->tables[TL_OPERAND_A].step_words; word++) {
        for (uint64_t both = a[word] | b[word]; both != 0; both &= both - 1) {
            const uint64_t bit = both & (~both + 1);
            e->axis[count++] =
                (uint8_t)(((a[word] & bit) != 0 ? TOUCHED_BY_A : 0) | ((b[word] & bit) != 0 ? TOUCHED_BY_B : 0));
        }
    }
    return count;
}

static uint64_t hash_stream(const uint32_t bodies[TL_OPERANDS], const uint8_t *axis, uint32_t count)
{
    uint64_t hash = ((uint64_t)bodies[TL_OPERAND_A] << 32 | bodies[TL_OPERAND_B]) * 0x9e3779b97f4a7c15u;
    for (uint32_t n = 0; n < count; n++) {
        hash = (hash ^ axis[n]) * 0x100000001b3u;
    }
    return hash ^ hash >> 32;
}

/* Put a set into the class of its stream. */
static bool classify(engine *e, uint32_t set, uint32_t start, uint32_t slot_mask)
{
    const uint32_t bodies[TL_OPERANDS] = {tl_set_table_view(&e->tables[TL_OPERAND_A], set)->body,
                                          tl_set_table_view(&e->tables[TL_OPERAND_B], set)->body};
    const uint32_t count = make_axis(e, set);
    const uint64_t hash = hash_stream(bodies, e->axis, count);
    e->next_set[set - start] = NO_CLASS;
    for (uint32_t n = e->slots[hash & slot_mask]; n != NO_CLASS; n = e->classes[n].next) {
        set_class *known = &e->classes[n];
        if (known->hash == hash && memcmp(known->bodies, bodies, sizeof bodies) == 0 && known->axis_count == count &&
            memcmp(known->axis, e->axis, count) == 0) {
            e->next_set[known->last_set - start] = set;
            known->last_set = set;
            return true;
        }
    }
    uint8_t *axis = malloc(count + 1);
    if (axis == NULL) {
        return false;
    }
    memcpy(axis, e->axis, count);
    e->classes[e->class_count] = (set_class){.bodies = {bodies[TL_OPERAND_A], bodies[TL_OPERAND_B]},
                                             .hash = hash,
                                             .axis = axis,
                                             .axis_count = count,
                                             .next = e->slots[hash & slot_mask],
                                             .first_set = set,
                                             .last_set = set};
    e->slots[hash & slot_mask] = e->class_count++;
    return true;
}

/* ---- simulation -------------------------------------------------------------------------------------------------- */

static void add_misses(const engine *e, const set_class *class, uint32_t start, unsigned chiplet,
                       const tl_set_misses *misses)
{
    for (uint32_t set = class->first_set; set != NO_CLASS; set = e->next_set[set - start]) {
        for (unsigned n = 0; n < TL_OPERANDS; n++) {
            const uint32_t homes = tl_set_table_view(&e->tables[n], set)->home_count;
            for (uint32_t home = 0; home < homes; home++) {
                e->out->chiplet[chiplet].misses[n][tl_set_table_home(&e->tables[n], set, home)] +=
                    misses->lines[n][home];
            }
        }
    }
}

static bool simulate_class(engine *e, const set_class *class, uint32_t start, uint32_t count)
{
    uint32_t used[TL_OPERANDS] = {0, 0};
    for (uint32_t n = 0; n < class->axis_count; n++) {
        if ((class->axis[n] & TOUCHED_BY_A) != 0) {
            e->steps[TL_OPERAND_A][used[TL_OPERAND_A]++] = n;
        }
        if ((class->axis[n] & TOUCHED_BY_B) != 0) {
            e->steps[TL_OPERAND_B][used[TL_OPERAND_B]++] = n;
        }
    }
    const tl_set_stream stream = {
        .bodies = {&e->tables[TL_OPERAND_A].bodies[class->bodies[TL_OPERAND_A]],
                   &e->tables[TL_OPERAND_B].bodies[class->bodies[TL_OPERAND_B]]},
        .whole_atoms = {e->tables[TL_OPERAND_A].whole_atoms, e->tables[TL_OPERAND_B].whole_atoms},
        .steps = {e->steps[TL_OPERAND_A], e->steps[TL_OPERAND_B]},
        .step_count = class->axis_count};
    if (!tl_set_simulator_load(e->simulator, &stream)) {
        return false;
    }
    const unsigned chiplets = e->config->machine.chiplets;
    for (unsigned chiplet = 0; chiplet < chiplets; chiplet++) {
        tl_set_misses misses;
        if (!tl_set_simulate(e->simulator, &e->plans[chiplet], &misses)) {
            return false;
        }
        add_misses(e, class, start, chiplet, &misses);
        const double classes = (double)(class - e->classes) + (chiplet + 1.0) / chiplets;
        tl_progress_tell(e->progress, (start + count * classes / e->class_count) / e->tables[TL_OPERAND_A].sets);
    }
    e->out->simulated_sets++;
    return true;
}

/* ---- portions ---------------------------------------------------------------------------------------------------- */

static bool build_tables(engine *e, uint32_t start, uint32_t count)
{
    bool ready = true;
    for (unsigned n = 0; n < TL_OPERANDS && ready; n++) {
        tl_set_table *table = &e->tables[n];
        if (table->period == table->sets) {
            ready = tl_set_table_build(table, start, count);
        } else if (start == 0) {
            ready = tl_set_table_build(table, 0, table->period);
        }
    }
    return ready;
}

static bool run_portion(engine *e, uint32_t start, uint32_t count, uint32_t slot_mask)
{
    bool ready = build_tables(e, start, count);
    e->class_count = 0;
    memset(e->slots, 0xff, ((size_t)slot_mask + 1) * sizeof *e->slots); /* NO_CLASS everywhere */
    for (uint32_t set = start; set < start + count && ready; set++) {
        ready = classify(e, set, start, slot_mask);
    }
    e->is_slower = ready && start == 0 && tl_fast_is_slower(e->config, e->class_count, count);
    ready = ready && !e->is_slower;
    for (uint32_t n = 0; n < e->class_count && ready; n++) {
        ready = simulate_class(e, &e->classes[n], start, count);
    }
    for (uint32_t n = 0; n < e->class_count; n++) {
        free(e->classes[n].axis);
    }
    return ready;
}

static bool run_sets(engine *e)
{
    const uint32_t sets = e->tables[TL_OPERAND_A].sets;
    const uint32_t portion = tl_set_portion(e->tables);
    const uint32_t slot_mask = ((uint32_t)1 << (tl_log2(portion) + 1)) - 1;
    const uint64_t steps = e->operands[TL_OPERAND_A].steps;
    e->classes = malloc(portion * sizeof *e->classes);
    e->slots = malloc(((size_t)slot_mask + 1) * sizeof *e->slots);
    e->next_set = malloc(portion * sizeof *e->next_set);
    e->axis = malloc(steps);
    e->steps[TL_OPERAND_A] = malloc(steps * sizeof *e->steps[TL_OPERAND_A]);
    e->steps[TL_OPERAND_B] = malloc(steps * sizeof *e->steps[TL_OPERAND_B]);
    e->simulator = tl_set_simulator_create(e->operands, e->config->machine.l2_ways);
    bool ready = e->classes != NULL && e->slots != NULL && e->next_set != NULL && e->axis != NULL &&
                 e->steps[TL_OPERAND_A] != NULL && e->steps[TL_OPERAND_B] != NULL && e->simulator != NULL;
    for (uint32_t start = 0; start < sets && ready; start += portion) {
        ready = run_portion(e, start, (uint32_t)tl_least(portion, sets - start), slot_mask);
    }
    return ready;
}

static void release(engine *e)
{
    for (unsigned n = 0; n < TL_CHIPLETS_MAX; n++) {
        tl_wave_plan_free(&e->plans[n]);
    }
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        tl_set_table_free(&e->tables[n]);
        free(e->steps[n]);
    }
    tl_set_simulator_destroy(e->simulator);
    free(e->classes);
    free(e->slots);
    free(e->next_set);
    free(e->axis);
}

/* Accesses follow from the schedule alone. */
static bool count_accesses(const engine *e)
{
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        const uint64_t panels = e->operands[n].panels;
        uint64_t *lines = malloc(panels * sizeof *lines);
        if (lines == NULL) {
            return false;
        }
        for (uint64_t panel = 0; panel < panels; panel++) {
            lines[panel] = tl_gemm_panel_accesses(&e->operands[n], panel);
        }
        for (unsigned chiplet = 0; chiplet < e->config->machine.chiplets; chiplet++) {
            const tl_wave_plan *plan = &e->plans[chiplet];
            for (uint32_t w = 0; w < plan->wave_count; w++) {
                const tl_wave *wave = &plan->waves[w];
                for (uint32_t cta = 0; cta < wave->cta_count; cta++) {
                    e->out->chiplet[chiplet].accesses[n] += lines[wave->panels[wave->ctas[2 * cta + n]].panel];
                }
            }
        }
        free(lines);
    }
    return true;
}

tl_fast_outcome tl_fast_run(const tl_locality_config *config, const tl_progress *progress, tl_locality_counters *out)
{
    engine *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return TL_FAST_NO_MEMORY;
    }
    e->config = config;
    e->progress = progress;
    e->out = out;
    tl_gemm_operands(config, e->operands);
    tl_cta_schedule schedule;
    tl_cta_schedule_make(config, &schedule);
    bool ready = true;
    for (unsigned chiplet = 0; chiplet < config->machine.chiplets && ready; chiplet++) {
        ready = tl_wave_plan_make(&schedule, chiplet, &e->plans[chiplet]);
    }
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        tl_set_table_init(&e->operands[n], &e->tables[n]);
    }
    ready = ready && tl_wave_shapes_number(e->plans, config->machine.chiplets) && count_accesses(e) && run_sets(e);
    const bool is_slower = e->is_slower;
    release(e);
    free(e);
    return ready ? TL_FAST_DONE : is_slower ? TL_FAST_IS_SLOWER : TL_FAST_NO_MEMORY;
}
