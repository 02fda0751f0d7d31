/* SPDX-License-Identifier: Apache-2.0 */
/* Figures from text, in a folder of their own that leave_folder removes. */
#ifndef TILELENS_TESTS_SWEEP_FIXTURE_H
#define TILELENS_TESTS_SWEEP_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure.h"

#define FIGURE_TOP                                                                                                     \
    "title: T\n"                                                                                                       \
    "config: run.yaml\n"                                                                                               \
    "axes:\n"                                                                                                          \
    "  memory: {hbm: {set: {m: 1}, cost: 4}, hbf: {set: {m: 2, only: x}}}\n"                                           \
    "  layout: {row: {set: {l: [1, 2]}, cost: 3}, tile: , more: {label: More, set: {l: \"\"}}}\n"
#define FIGURE_METRICS "metrics: {t: {key: time}, r: {key: time, over: {memory: hbm, layout: tile}}}\n"
#define FIGURE_PLOT    "plot: {kind: bars, x: memory, series: layout, y: t}\n"

static char old_folder[1024];
static char new_folder[64];

static inline void enter_folder(void)
{
    (void)snprintf(new_folder, sizeof new_folder, "/tmp/check_sweep_XXXXXX");
    ck_assert_ptr_nonnull(getcwd(old_folder, sizeof old_folder));
    ck_assert_ptr_nonnull(mkdtemp(new_folder));
    ck_assert_int_eq(chdir(new_folder), 0);
}

static inline void leave_folder(void)
{
    char command[128];
    ck_assert_int_eq(chdir(old_folder), 0);
    (void)snprintf(command, sizeof command, "rm -rf %s", new_folder);
    ck_assert_int_eq(system(command), 0);
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* The figure of a text, which must be right. */
static inline tl_figure *figure_of(const char *text)
{
    char error[2048] = "";
    tl_figure *figure = NULL;
    write_file("f.yaml", text);
    ck_assert_msg(tl_figure_load("f.yaml", &figure, error, sizeof error) == 0, "%s", error);
    return figure;
}

#endif
