/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "set_simulator.h"

static bool reserve_panels(tl_set_simulator *s, uint64_t panels)
{
    if (panels <= s->panel_capacity) {
        return true;
    }
    free(s->begin);
    free(s->end);
    free(s->sizes);
    s->begin = malloc(panels * sizeof *s->begin);
    s->end = malloc(panels * sizeof *s->end);
    s->sizes = malloc(panels);
    s->panel_capacity = s->begin == NULL || s->end == NULL || s->sizes == NULL ? 0 : panels;
    return s->panel_capacity != 0;
}

/*
 * A wave is cold if no line that was read before it is still there when it is first read in the wave: at least `ways`
 * other lines came in between. For a line first read in the second half of the axis, those of the first half; for one
 * in the first half, those that the wave before read in the second half, after the line's last step.
 */
bool tl_set_simulate(tl_set_simulator *s, const tl_wave_plan *plan, tl_set_misses *out)
{
    memset(out, 0, sizeof *out);
    s->misses = out;
    tl_lru_clear(&s->stack);
    bool stack_is_current = true;
    uint64_t late_before = s->stack.ways; /* the first wave has none before */
    uint64_t early_needed = 0;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        s->summaries[n].is_current = false;
    }
    bool ready = reserve_panels(s, plan->panels_max);
    for (uint32_t w = 0; w < plan->wave_count && ready && s->whole_atoms; w++) {
        const tl_wave *wave = &plan->waves[w];
        tl_wave_summarise(s, wave);
        const uint64_t early = s->summaries[TL_OPERAND_A].early + s->summaries[TL_OPERAND_B].early;
        const bool cold = early >= early_needed && late_before >= s->stack.ways;
        late_before = s->summaries[TL_OPERAND_A].late + s->summaries[TL_OPERAND_B].late;
        early_needed = s->stack.ways;
        if (cold && tl_only_first_miss(s)) {
            tl_miss_all(s);
            stack_is_current = false;
            continue;
        }
        ready = (stack_is_current || tl_rebuild_stack(s, wave - 1)) && tl_run_windows(s, wave);
        stack_is_current = true;
    }
    for (uint32_t w = 0; w < plan->wave_count && ready && !s->whole_atoms; w++) {
        ready = tl_run_windows(s, &plan->waves[w]);
    }
    return ready;
}
