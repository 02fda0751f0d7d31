/* SPDX-License-Identifier: Apache-2.0 */
#include "run_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "digest.h"

enum { ERROR_BYTES = 2048 };

/* A value that names a file stands for its content. */
static uint64_t digest_value(uint64_t digest, const tl_figure *figure, const char *value)
{
    char path[TL_FIGURE_PATH_BYTES];
    const bool fits = value[0] != '\0' && tl_path_from(figure->folder, value, path, sizeof path);
    return fits && tl_digest_config(&digest, path) ? tl_digest_text(digest, "file") : tl_digest_text(digest, value);
}

static void write_id(const tl_figure *figure, size_t run, uint64_t program, char id[TL_RUN_ID_BYTES])
{
    tl_setting settings[TL_FIGURE_RUN_SETTINGS];
    const size_t count = tl_figure_run_settings(figure, run, settings);
    uint64_t digest = digest_value(tl_digest_bytes(TL_DIGEST_START, &program, sizeof program), figure, figure->config);
    for (size_t n = 0; n < count; n++) {
        digest = digest_value(tl_digest_text(digest, settings[n].key), figure, settings[n].value);
    }
    (void)snprintf(id, TL_RUN_ID_BYTES, "%016" PRIx64, digest);
}

/* Add a run unless it is there. */
static void add_run(tl_run_list *list, const tl_sweep_figure *from, size_t run)
{
    const double cost = tl_figure_run_cost(from->figure, run);
    for (size_t n = 0; n < list->count; n++) {
        if (strcmp(list->runs[n].id, from->ids[run]) == 0) {
            list->runs[n].cost = cost > list->runs[n].cost ? cost : list->runs[n].cost;
            return;
        }
    }
    tl_sweep_run *out = &list->runs[list->count];
    *out = (tl_sweep_run){
        .figure = from->figure, .figure_run = run, .program = from->program, .cost = cost, .order = list->count};
    memcpy(out->id, from->ids[run], TL_RUN_ID_BYTES);
    list->count++;
}

static int add_runs(tl_run_list *list, tl_sweep_figure *from)
{
    const tl_figure *figure = from->figure;
    uint64_t program = TL_DIGEST_START;
    if (!tl_program_find(figure->command, from->program) || !tl_digest_file(&program, from->program)) {
        return tl_fail("%s: command: found no program tilelens-%s, expected it beside tilelens or in $PATH",
                       figure->path, figure->command);
    }
    tl_sweep_run *runs = realloc(list->runs, (list->count + figure->run_count) * sizeof *runs);
    list->runs = runs != NULL ? runs : list->runs;
    from->ids = malloc(figure->run_count * sizeof *from->ids);
    if (runs == NULL || from->ids == NULL) {
        return tl_fail("%s: file: found too little memory, expected some for its runs", figure->path);
    }
    for (size_t run = 0; run < figure->run_count; run++) {
        write_id(figure, run, program, from->ids[run]);
        add_run(list, from, run);
    }
    return 0;
}

/* Results are named after the file: two of one name would overwrite each other. */
static int check_name(const tl_run_list *list, const tl_figure *figure)
{
    for (size_t n = 0; n < list->figure_count; n++) {
        if (strcmp(list->figures[n].figure->name, figure->name) == 0) {
            return tl_fail("%s: file: found a second figure %s, expected each name once", figure->path, figure->name);
        }
    }
    return 0;
}

int tl_run_list_add(tl_run_list *list, const char *path)
{
    char error[ERROR_BYTES];
    tl_figure *figure = NULL;
    if (list->figure_count == TL_SWEEP_FIGURES) {
        return tl_fail("sweep: found more figure files, expected at most %d", TL_SWEEP_FIGURES);
    }
    if (tl_figure_load(path, &figure, error, sizeof error) != 0) {
        return tl_fail("%s", error);
    }
    const int status = check_name(list, figure);
    tl_sweep_figure *slot = &list->figures[list->figure_count++];
    slot->figure = figure;
    return status != 0 ? status : add_runs(list, slot);
}

static int compare_runs(const void *left, const void *right)
{
    const tl_sweep_run *a = left;
    const tl_sweep_run *b = right;
    if (a->cost != b->cost) {
        return a->cost > b->cost ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

void tl_run_list_finish(tl_run_list *list)
{
    if (list->count > 0) {
        qsort(list->runs, list->count, sizeof list->runs[0], compare_runs);
    }
}

void tl_run_list_free(tl_run_list *list)
{
    for (size_t n = 0; n < list->figure_count; n++) {
        free(list->figures[n].ids);
        tl_figure_free(list->figures[n].figure);
    }
    free(list->runs);
}
