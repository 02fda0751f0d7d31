/* SPDX-License-Identifier: Apache-2.0 */
/* Waves that are added up: what a wave reads of an operand, kept while the waves read the same panels of it. */
#include "set_simulator.h"

enum { STEP_LINES_MAX = 8191 }; /* more than the ways; four of them fit 16 bits */

static int16_t add_lines(int16_t lines, uint32_t more)
{
    const uint32_t sum = (uint32_t)lines + (more < STEP_LINES_MAX ? more : STEP_LINES_MAX);
    return (int16_t)(sum < STEP_LINES_MAX ? sum : STEP_LINES_MAX);
}

static void add_panel(tl_wave_summary *summary, const tl_panel_reads *panel, const tl_atom_read *reads)
{
    summary->early += panel->early;
    summary->late += panel->late;
    if (panel->home != TL_HOME_MIXED) {
        summary->by_home[panel->home] += panel->lines;
    }
    for (uint32_t e = panel->begin; e < panel->end; e++) {
        const tl_atom_read *read = &reads[e];
        if (panel->home == TL_HOME_MIXED) {
            summary->by_home[read->home] += read->lines;
        }
        summary->lines.fresh[read->first] = add_lines(summary->lines.fresh[read->first], read->lines);
        for (uint32_t step = read->first; step <= read->last; step++) {
            summary->lines.total[step] = add_lines(summary->lines.total[step], read->lines);
        }
    }
}

void tl_wave_summarise(tl_set_simulator *s, const tl_wave *wave)
{
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        tl_wave_summary *summary = &s->summaries[n];
        if (summary->is_current && wave->same_panels[n]) {
            continue;
        }
        summary->is_current = true;
        summary->early = 0;
        summary->late = 0;
        memset(summary->by_home, 0, sizeof summary->by_home);
        memset(summary->lines.total, 0, s->step_count * sizeof *summary->lines.total);
        memset(summary->lines.fresh, 0, s->step_count * sizeof *summary->lines.fresh);
        for (uint32_t p = 0; p < wave->operand_count[n]; p++) {
            const tl_panel_reads *panel = &s->panels[n][wave->operand_panels[n][p]];
            if (panel->end != 0) {
                add_panel(summary, panel, s->reads[n]);
            }
        }
    }
}

bool tl_only_first_miss(const tl_set_simulator *s)
{
    const unsigned most =
        tl_step_lines_most(&s->summaries[TL_OPERAND_A].lines, &s->summaries[TL_OPERAND_B].lines, s->step_count);
    return most <= s->stack.ways;
}

void tl_miss_all(tl_set_simulator *s)
{
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        for (unsigned home = 0; home < TL_CHIPLETS_MAX; home++) {
            s->misses->lines[n][home] += s->summaries[n].by_home[home];
        }
    }
}
