/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Misses of repeated readings in a window, remembered by the shape of its wave and the lines of each panel.
 *
 * In one window a panel reads its lines together and in one piece, so it hits or misses as a whole: a repeated reading
 * hits exactly if the lines of the panels read since, and its own, fit the ways. Nothing else matters.
 */
#ifndef TILELENS_WINDOW_MEMO_H
#define TILELENS_WINDOW_MEMO_H

#include "wave_plan.h"

typedef struct tl_window_memo tl_window_memo;

/** @return null: too little memory */
tl_window_memo *tl_window_memo_create(unsigned ways);
void tl_window_memo_destroy(tl_window_memo *memo);

/**
 * @param sizes  lines of each panel of the wave in the window, at most 255
 * @return for each panel of the wave how many of its readings but the first miss, valid until the next call; or null:
 *         too little memory
 */
const uint32_t *tl_window_memo_repeats(tl_window_memo *memo, const tl_wave *wave, const uint8_t *sizes);

#endif
