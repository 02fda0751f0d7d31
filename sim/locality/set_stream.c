/* SPDX-License-Identifier: Apache-2.0 */
#include "set_stream.h"

#include <stdlib.h>

#include "set_simulator.h"

tl_set_simulator *tl_set_simulator_create(const tl_gemm_operand operands[TL_OPERANDS], unsigned ways)
{
    tl_set_simulator *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    const uint64_t steps = operands[TL_OPERAND_A].steps;
    s->stack.ways = ways;
    s->heads = malloc(steps * sizeof *s->heads);
    s->memo = tl_window_memo_create(ways);
    bool ready = s->heads != NULL && s->memo != NULL;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        tl_wave_summary *summary = &s->summaries[n];
        s->panels[n] = calloc(operands[n].panels, sizeof *s->panels[n]);
        s->loaded[n] = malloc(operands[n].panels * sizeof *s->loaded[n]);
        summary->store = calloc(2 * steps + 1, sizeof *summary->store);
        ready = ready && s->panels[n] != NULL && s->loaded[n] != NULL && summary->store != NULL;
        if (ready) {
            summary->lines = (tl_step_lines){.total = summary->store + 1, .fresh = summary->store + 1 + steps};
        }
    }
    if (!ready) {
        tl_set_simulator_destroy(s);
        return NULL;
    }
    return s;
}

void tl_set_simulator_destroy(tl_set_simulator *s)
{
    if (s == NULL) {
        return;
    }
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        free(s->reads[n]);
        free(s->panels[n]);
        free(s->loaded[n]);
        free(s->summaries[n].store);
    }
    tl_window_memo_destroy(s->memo);
    free(s->heads);
    free(s->wave_readings);
    free(s->window);
    free(s->begin);
    free(s->end);
    free(s->sizes);
    free(s->stamps);
    free(s);
}

static void unload(tl_set_simulator *s)
{
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        for (uint32_t p = 0; p < s->loaded_count[n]; p++) {
            s->panels[n][s->loaded[n][p]] = (tl_panel_reads){.end = 0};
        }
        s->loaded_count[n] = 0;
    }
}

static bool load_operand(tl_set_simulator *s, unsigned n, const tl_set_stream *stream)
{
    const tl_set_body *body = stream->bodies[n];
    if (body->entry_count > s->read_capacity[n]) {
        free(s->reads[n]);
        s->reads[n] = malloc(body->entry_count * sizeof *s->reads[n]);
        s->read_capacity[n] = s->reads[n] == NULL ? 0 : body->entry_count;
        if (s->reads[n] == NULL) {
            return false;
        }
    }
    const uint32_t first_atom = n == TL_OPERAND_A ? 0 : stream->bodies[TL_OPERAND_A]->atom_count;
    for (uint32_t e = 0; e < body->entry_count; e++) {
        const tl_set_entry *entry = &body->entries[e];
        tl_panel_reads *panel = &s->panels[n][entry->panel];
        if (panel->end == 0) {
            *panel = (tl_panel_reads){.begin = e, .home = entry->home};
            s->loaded[n][s->loaded_count[n]++] = entry->panel;
        }
        panel->end = e + 1;
        const uint32_t lines = stream->whole_atoms[n] ? entry->value : 1;
        const uint32_t atom = stream->whole_atoms[n] ? e : entry->value;
        panel->lines += lines;
        panel->readings += entry->span + 1u;
        panel->home = panel->home == entry->home ? panel->home : TL_HOME_MIXED;
        const uint32_t first = stream->steps[n][entry->first];
        s->reads[n][e] = (tl_atom_read){first, first + entry->span, first_atom + atom, lines, entry->home};
    }
    return true;
}

/* Halves of the axis, apart by the longest time that an atom is read in one wave. */
static void split_panels(tl_set_simulator *s)
{
    uint32_t span = 0;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        for (uint32_t p = 0; p < s->loaded_count[n]; p++) {
            const tl_panel_reads *panel = &s->panels[n][s->loaded[n][p]];
            for (uint32_t e = panel->begin; e < panel->end; e++) {
                const uint32_t steps = s->reads[n][e].last - s->reads[n][e].first;
                span = steps > span ? steps : span;
            }
        }
    }
    const uint32_t half = s->step_count / 2;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        for (uint32_t p = 0; p < s->loaded_count[n]; p++) {
            tl_panel_reads *panel = &s->panels[n][s->loaded[n][p]];
            for (uint32_t e = panel->begin; e < panel->end; e++) {
                const tl_atom_read *read = &s->reads[n][e];
                panel->early += read->first < half ? read->lines : 0;
                panel->late += read->first > half + span ? read->lines : 0;
            }
        }
    }
}

static bool reserve_stamps(tl_set_simulator *s, uint64_t atoms)
{
    if (atoms <= s->stamp_capacity) {
        return true;
    }
    free(s->stamps);
    s->stamps = calloc(atoms, sizeof *s->stamps);
    s->stamp_capacity = s->stamps == NULL ? 0 : atoms;
    s->stamp = 0;
    return s->stamp_capacity != 0;
}

bool tl_set_simulator_load(tl_set_simulator *s, const tl_set_stream *stream)
{
    unload(s);
    s->step_count = stream->step_count;
    s->whole_atoms = stream->whole_atoms[TL_OPERAND_A] && stream->whole_atoms[TL_OPERAND_B];
    if (!load_operand(s, TL_OPERAND_A, stream) || !load_operand(s, TL_OPERAND_B, stream)) {
        return false;
    }
    split_panels(s);
    return s->whole_atoms || reserve_stamps(s, (uint64_t)stream->bodies[TL_OPERAND_A]->atom_count +
                                                   stream->bodies[TL_OPERAND_B]->atom_count);
}
