/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Inside of set_stream.h: the stream as it is loaded, and the working memory of a wave.
 *
 * A set's stream falls into windows: one wave, one K-step of the axis. What is known decides how they run:
 *
 * - a wave in which every reading of an atom but the first hits, and every first one misses, is added up (cold_wave.c);
 * - a window whose lines fit the ways: only first readings can miss, and the last ones leave the order of the stack;
 * - any other window: the misses of repeated readings depend on the shape of the wave and the sizes alone, and are
 *   remembered (window_memo.c); where panels share atoms it is read CTA by CTA.
 */
#ifndef TILELENS_SET_SIMULATOR_H
#define TILELENS_SET_SIMULATOR_H

#include "lru_stack.h"
#include "set_stream.h"
#include "step_lines.h"
#include "window_memo.h"

#define TL_HOME_MIXED UINT32_MAX

/** An entry of the stream: an atom of A or B, and the steps of the axis in which it is read. */
typedef struct tl_atom_read {
    uint32_t first, last;
    uint32_t atom, lines, home;
} tl_atom_read;

/** What a panel reads. */
typedef struct tl_panel_reads {
    uint32_t begin, end;  /* of reads[operand] */
    uint32_t readings;    /* steps of its reads together */
    uint32_t lines, home; /* of all of it; the home may be TL_HOME_MIXED */
    uint32_t early, late; /* lines first read in the first half of the axis; and well in the second half */
} tl_panel_reads;

/** What a wave reads of one operand. */
typedef struct tl_wave_summary {
    bool is_current;
    tl_step_lines lines;
    int16_t *store; /* behind `lines` */
    uint64_t early, late;
    uint64_t by_home[TL_CHIPLETS_MAX]; /* all of it */
} tl_wave_summary;

/** A reading of a wave, linked by step, in the order of first reading. */
typedef struct tl_wave_reading {
    uint32_t next;
    uint32_t panel; /* of the wave */
    uint32_t atom, lines;
    uint64_t *misses; /* where they count */
} tl_wave_reading;

/** A reading in the window at hand. */
typedef struct tl_window_reading {
    uint32_t atom, lines;
    uint32_t panel;
    uint64_t *misses;
} tl_window_reading;

struct tl_set_simulator {
    uint32_t step_count; /* of the axis */
    bool whole_atoms;
    tl_atom_read *reads[TL_OPERANDS];
    uint64_t read_capacity[TL_OPERANDS];
    tl_panel_reads *panels[TL_OPERANDS];
    uint32_t *loaded[TL_OPERANDS]; /* panels that read something */
    uint32_t loaded_count[TL_OPERANDS];

    tl_wave_summary summaries[TL_OPERANDS];
    uint32_t *heads; /* first wave reading of a step */
    tl_wave_reading *wave_readings;
    uint64_t wave_reading_capacity;
    tl_window_reading *window;
    uint32_t *begin, *end; /* readings in `window` of a panel of the wave */
    uint8_t *sizes;        /* lines of a panel of the wave in the window, at most 255 */
    uint32_t *stamps;      /* the last window that was looked at and had the atom, by atom */
    uint32_t stamp;
    uint64_t stamp_capacity;
    uint64_t panel_capacity;
    tl_window_memo *memo;
    tl_lru_stack stack;
    tl_set_misses *misses;
};

static inline const tl_panel_reads *tl_reads_of(const tl_set_simulator *s, const tl_wave_panel *panel)
{
    return &s->panels[panel->operand][panel->panel];
}

/** Bring the summaries up to a wave. */
void tl_wave_summarise(tl_set_simulator *s, const tl_wave *wave);

/** Every reading of an atom in the summarised wave but the first hits. */
bool tl_only_first_miss(const tl_set_simulator *s);

/** Every first reading of the summarised wave misses. */
void tl_miss_all(tl_set_simulator *s);

/** Run a wave window by window, from the stack that the wave before left. @return false: too little memory */
bool tl_run_windows(tl_set_simulator *s, const tl_wave *wave);

/** The stack after a wave that was only added up: its last readings, from the end. @return false: too little memory */
bool tl_rebuild_stack(tl_set_simulator *s, const tl_wave *wave);

#endif
