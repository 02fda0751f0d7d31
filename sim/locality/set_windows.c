/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of a wave, one after the other. */
#include <stdlib.h>

#include "set_simulator.h"

enum { SIZE_MAX_LINES = 255 };
#define NO_READING UINT32_MAX

static bool reserve(tl_set_simulator *s, uint64_t readings)
{
    if (readings <= s->wave_reading_capacity) {
        return true;
    }
    free(s->wave_readings);
    free(s->window);
    s->wave_readings = malloc(readings * sizeof *s->wave_readings);
    s->window = malloc(readings * sizeof *s->window);
    s->wave_reading_capacity = s->wave_readings == NULL || s->window == NULL ? 0 : readings;
    return s->wave_reading_capacity != 0;
}

/* Link the readings of a wave by step. @return false: too little memory */
static bool gather(tl_set_simulator *s, const tl_wave *wave)
{
    uint64_t total = 0;
    for (uint32_t p = 0; p < wave->panel_count; p++) {
        total += tl_reads_of(s, &wave->panels[p])->readings;
    }
    if (!reserve(s, total)) {
        return false;
    }
    memset(s->heads, 0xff, s->step_count * sizeof *s->heads); /* NO_READING everywhere */
    uint32_t used = 0;
    for (uint32_t p = wave->panel_count; p-- > 0;) {
        const uint32_t operand = wave->panels[p].operand;
        const tl_panel_reads *panel = tl_reads_of(s, &wave->panels[p]);
        for (uint32_t e = panel->end; e-- > panel->begin;) {
            const tl_atom_read *read = &s->reads[operand][e];
            for (uint32_t step = read->first; step <= read->last; step++) {
                s->wave_readings[used] = (tl_wave_reading){s->heads[step], p, read->atom, read->lines,
                                                           &s->misses->lines[operand][read->home]};
                s->heads[step] = used++;
            }
        }
    }
    return true;
}

/* The readings of one step, in the order of first reading. @return how many */
static uint32_t open_window(tl_set_simulator *s, uint32_t step, uint64_t *lines)
{
    uint32_t count = 0;
    uint64_t sum = 0;
    for (uint32_t n = s->heads[step]; n != NO_READING; n = s->wave_readings[n].next) {
        const tl_wave_reading *reading = &s->wave_readings[n];
        s->window[count++] = (tl_window_reading){reading->atom, reading->lines, reading->panel, reading->misses};
        sum += reading->lines;
    }
    *lines = sum;
    return count;
}

/* Order readings by the last time that their panels read; the readings of one panel keep their order. */
static void sort_by_last(const tl_wave *wave, tl_window_reading *window, uint32_t count)
{
    for (uint32_t n = 1; n < count; n++) {
        const tl_window_reading moved = window[n];
        const uint32_t last = wave->panels[moved.panel].last;
        uint32_t at = n;
        for (; at > 0 && wave->panels[window[at - 1].panel].last > last; at--) {
            window[at] = window[at - 1];
        }
        window[at] = moved;
    }
}

/* Where the readings of each panel are, and how many lines they have. */
static void index_panels(tl_set_simulator *s, const tl_wave *wave, uint32_t count)
{
    memset(s->begin, 0, wave->panel_count * sizeof *s->begin);
    memset(s->end, 0, wave->panel_count * sizeof *s->end);
    memset(s->sizes, 0, wave->panel_count);
    uint32_t n = 0;
    while (n < count) {
        const uint32_t panel = s->window[n].panel;
        uint64_t lines = 0;
        s->begin[panel] = n;
        for (; n < count && s->window[n].panel == panel; n++) {
            lines += s->window[n].lines;
        }
        s->end[panel] = n;
        s->sizes[panel] = (uint8_t)(lines < SIZE_MAX_LINES ? lines : SIZE_MAX_LINES);
    }
}

/* No atom is read by two panels, or twice by one, in the window. */
static bool is_disjoint(tl_set_simulator *s, uint32_t count)
{
    if (s->whole_atoms) {
        return true;
    }
    if (++s->stamp == 0) { /* after 2^32 windows: old stamps could match */
        memset(s->stamps, 0, s->stamp_capacity * sizeof *s->stamps);
        s->stamp = 1;
    }
    bool disjoint = true;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t *stamp = &s->stamps[s->window[n].atom];
        disjoint = disjoint && *stamp != s->stamp;
        *stamp = s->stamp;
    }
    return disjoint;
}

static inline void read_atom(tl_set_simulator *s, const tl_window_reading *reading)
{
    if (!tl_lru_touch(&s->stack, reading->atom, reading->lines)) {
        *reading->misses += reading->lines;
    }
}

/* ---- kinds of windows -------------------------------------------------------------------------------------------- */

static void run_fitting(tl_set_simulator *s, const tl_wave *wave, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        read_atom(s, &s->window[n]);
    }
    if (count > 1) {
        sort_by_last(wave, s->window, count);
        for (uint32_t n = 0; n < count; n++) {
            read_atom(s, &s->window[n]);
        }
    }
}

static void run_ctas(tl_set_simulator *s, const tl_wave *wave)
{
    for (uint32_t n = 0; n < 2 * wave->cta_count; n++) {
        const uint32_t panel = wave->ctas[n];
        for (uint32_t at = s->begin[panel]; at < s->end[panel]; at++) {
            read_atom(s, &s->window[at]);
        }
    }
}

/* The stack after the window or wave whose readings are indexed: by last reading, from the end. @return it has room */
static bool fill_stack(tl_set_simulator *s, const tl_wave *wave)
{
    bool room = true;
    for (uint32_t n = 0; n < wave->panel_count && room; n++) {
        const uint32_t panel = wave->by_last[n];
        for (uint32_t at = s->end[panel]; at > s->begin[panel] && room; at--) {
            room = tl_lru_append(&s->stack, s->window[at - 1].atom, s->window[at - 1].lines);
        }
    }
    return room;
}

/*
 * More lines than ways. A first reading can hit only while fewer than `ways` lines of the window came before it; the
 * misses of the others do not depend on what came before; and no older line stays.
 */
static bool run_crowded(tl_set_simulator *s, const tl_wave *wave, uint32_t count)
{
    const uint32_t *repeats = tl_window_memo_repeats(s->memo, wave, s->sizes);
    if (repeats == NULL) {
        return false;
    }
    uint64_t lines_before = 0;
    for (uint32_t n = 0; n < count; n++) {
        const tl_window_reading *reading = &s->window[n];
        uint64_t times = repeats[reading->panel];
        if (lines_before >= s->stack.ways || !tl_lru_touch(&s->stack, reading->atom, reading->lines)) {
            times++;
        }
        *reading->misses += times * reading->lines;
        lines_before += reading->lines;
    }
    tl_lru_clear(&s->stack);
    (void)fill_stack(s, wave);
    return true;
}

/* ---- the wave ---------------------------------------------------------------------------------------------------- */

bool tl_run_windows(tl_set_simulator *s, const tl_wave *wave)
{
    bool ready = gather(s, wave);
    for (uint32_t step = 0; step < s->step_count && ready; step++) {
        if (s->heads[step] == NO_READING) {
            continue;
        }
        uint64_t lines;
        const uint32_t count = open_window(s, step, &lines);
        if (lines <= s->stack.ways) {
            run_fitting(s, wave, count);
            continue;
        }
        index_panels(s, wave, count);
        if (is_disjoint(s, count)) {
            ready = run_crowded(s, wave, count);
        } else {
            run_ctas(s, wave);
        }
    }
    return ready;
}

bool tl_rebuild_stack(tl_set_simulator *s, const tl_wave *wave)
{
    tl_lru_clear(&s->stack);
    if (!gather(s, wave)) {
        return false;
    }
    bool room = true;
    for (uint32_t step = s->step_count; step-- > 0 && room;) {
        uint64_t lines;
        index_panels(s, wave, open_window(s, step, &lines));
        room = fill_stack(s, wave);
    }
    return true;
}
