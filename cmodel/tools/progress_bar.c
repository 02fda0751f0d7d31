/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "progress_bar.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 2000, INTERVAL_MS = 200, WIDTH = 40 };

static uint64_t now_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void tl_progress_bar_start(tl_progress_bar *bar, const char *name)
{
    *bar = (tl_progress_bar){.name = name, .is_terminal = isatty(STDERR_FILENO) == 1, .next_ms = now_ms() + FIRST_MS};
}

void tl_progress_bar_tell(void *context, double part)
{
    static const char FULL[] = "########################################";
    tl_progress_bar *bar = context;
    const uint64_t now = bar->is_terminal ? now_ms() : 0;
    if (!bar->is_terminal || now < bar->next_ms) {
        return;
    }
    bar->next_ms = now + INTERVAL_MS;
    bar->is_drawn = true;
    (void)fprintf(stderr, "\r%s [%-*.*s] %3d %%", bar->name, WIDTH, (int)(part * WIDTH), FULL, (int)(part * 100.0));
    (void)fflush(stderr);
}

void tl_progress_bar_end(tl_progress_bar *bar)
{
    if (bar->is_drawn) {
        (void)fputs("\r\033[K", stderr);
    }
    bar->is_drawn = false;
}
