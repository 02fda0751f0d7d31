/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A progress bar on stderr, for runs of more than two seconds on a terminal.
 */
#ifndef TILELENS_PROGRESS_BAR_H
#define TILELENS_PROGRESS_BAR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_progress_bar {
    const char *name;
    bool is_terminal, is_drawn;
    uint64_t next_ms; /* when to draw next */
} tl_progress_bar;

void tl_progress_bar_start(tl_progress_bar *bar, const char *name);

/** The `tell` of a tl_progress. @param bar  a tl_progress_bar. @param part  0 to 1 */
void tl_progress_bar_tell(void *bar, double part);

/** Take the bar away, before anything else is printed. */
void tl_progress_bar_end(tl_progress_bar *bar);

#ifdef __cplusplus
}
#endif

#endif
