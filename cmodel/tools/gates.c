/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens gates`: synthesizes the RTL with Yosys and counts gates. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"
#include "gates_children.h"
#include "gates_job.h"
#include "gates_table.h"

enum { LIBRARIES_MAX = 8 };

static const char HELP[] =
    "usage: tilelens gates [--liberty FILE]... [--orderings N] [--json FILE]\n"
    "\n"
    "Gate equivalents of the address generator, per stage and in total, in its three variants, what the tile-major\n"
    "extension adds, and the longest path. Runs Yosys (Debian package yosys) on all processors; about a minute on "
    "two.\n"
    "\n"
    "  --liberty FILE   cell library, instead of rtl/syn/nand2eq.lib; may be repeated, one table each\n"
    "  --orderings N    repeat with N orders of the same netlist, 1 to 25, and report medians; default 1.\n"
    "                   abc's result moves by about 100 gates with the order: 5 for a figure to quote\n"
    "  --json FILE      also write the numbers of the first library as JSON\n"
    "\n"
    "example: tilelens gates --orderings 5 --json gates.json\n";

typedef struct options {
    const char *libraries[LIBRARIES_MAX];
    unsigned library_count;
    unsigned orderings;
    const char *json;
} options;

/* ---- options ----------------------------------------------------------------------------------------------------- */

static int read_orderings(const char *text, unsigned *out)
{
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > TL_ORDERINGS_MAX) {
        return tl_fail("gates: --orderings: found %s, expected a number from 1 to %d", text, TL_ORDERINGS_MAX);
    }
    *out = (unsigned)value;
    return 0;
}

static int take_option(options *o, const char *name, const char *value)
{
    if (strcmp(name, "--orderings") == 0) {
        return read_orderings(value, &o->orderings);
    }
    if (strcmp(name, "--json") == 0) {
        o->json = value;
        return 0;
    }
    if (o->library_count == LIBRARIES_MAX) {
        return tl_fail("gates: --liberty: found more than %d, expected at most that many", LIBRARIES_MAX);
    }
    o->libraries[o->library_count++] = value;
    return 0;
}

/* @return -1 to go on, or the exit status */
static int read_options(int argc, char **argv, options *o)
{
    static const char *const names[] = {"--liberty", "--orderings", "--json"};
    for (int n = 1; n < argc; n++) {
        const char *argument = argv[n];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            return tl_print(HELP);
        }
        int status = -1;
        for (size_t k = 0; status < 0 && k < sizeof names / sizeof names[0]; k++) {
            const size_t length = strlen(names[k]);
            if (strcmp(argument, names[k]) == 0) {
                n++;
                status = n < argc ? take_option(o, names[k], argv[n])
                                  : tl_fail("gates: %s: found nothing, expected a value", names[k]);
            } else if (strncmp(argument, names[k], length) == 0 && argument[length] == '=') {
                status = take_option(o, names[k], argument + length + 1);
            }
        }
        if (status < 0) {
            status = tl_fail("gates: found %s, expected --liberty, --orderings, --json or --help", argument);
        }
        if (status != 0) {
            return status;
        }
    }
    return -1;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct run {
    tl_gates_sources sources;
    char own_library[TL_PATH_BYTES + 32];
    tl_gates_table tables[LIBRARIES_MAX];
    unsigned table_count;
    tl_gates_job *jobs;
    size_t job_count;
} run;

static int prepare(void *context, size_t n, const char *folder)
{
    const run *r = context;
    return tl_gates_job_prepare(&r->jobs[n], &r->sources, folder);
}

static int finish(void *context, size_t n, const char *folder, int succeeded)
{
    const run *r = context;
    return tl_gates_job_finish(&r->jobs[n], folder, succeeded);
}

/* The multipliers first: they show soon whether Yosys and abc take the library. Then the longest. */
static void add_jobs(run *r, tl_gates_table *table, unsigned ordering)
{
    static const int widths[] = {32, 64};
    for (int n = 0; n < 2; n++) {
        r->jobs[r->job_count++] = (tl_gates_job){
            .design = TL_JOB_MULTIPLIER, .product_width = widths[n], .ordering = ordering, .table = table};
    }
    for (int design = TL_JOB_TOTAL; design <= TL_JOB_STAGES; design++) {
        for (int v = TL_VARIANT_COUNT - 1; v >= 0; v--) {
            r->jobs[r->job_count++] = (tl_gates_job){
                .design = (tl_job_design)design, .variant = (tl_variant)v, .ordering = ordering, .table = table};
        }
    }
}

static int run_jobs(run *r)
{
    static const char *const yosys[] = {"yosys", "-Q", "-T", "-e", "implicitly declared", "-s", "job.ys", NULL};
    char folder[TL_FOLDER_BYTES];
    if (tl_folder_make(folder) != 0) {
        return 2;
    }
    const tl_children children = {.count = r->job_count,
                                  .argv = yosys,
                                  .folder = folder,
                                  .prepare = prepare,
                                  .finish = finish,
                                  .context = r,
                                  .progress = "synthesis runs done:"};
    const int status = tl_children_run(&children);
    tl_folder_remove(folder);
    return status;
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

static int start_tables(run *r, const options *o)
{
    static const char *const version[] = {"yosys", "-V", NULL};
    char tools[TL_TOOLS_BYTES];
    if (tl_child_first_line(version, tools, sizeof tools) != 0) {
        return tl_fail("gates: found no program yosys, expected Debian package yosys");
    }
    if (tl_gates_sources_find(&r->sources) != 0) {
        return 2;
    }
    (void)snprintf(r->own_library, sizeof r->own_library, "%s/syn/nand2eq.lib", r->sources.rtl);
    r->table_count = o->library_count > 0 ? o->library_count : 1;
    for (unsigned n = 0; n < r->table_count; n++) {
        tl_gates_table *table = &r->tables[n];
        table->liberty_path = o->library_count > 0 ? o->libraries[n] : r->own_library;
        table->orderings = o->orderings;
        (void)snprintf(table->tools, sizeof table->tools, "%s", tools);
        if (tl_liberty_read(table->liberty_path, &table->liberty) != 0) {
            return 2;
        }
    }
    return 0;
}

static int measure(run *r, unsigned orderings)
{
    enum { JOBS_PER_ORDERING = 2 * TL_VARIANT_COUNT + 2 };
    r->jobs = calloc((size_t)r->table_count * orderings * JOBS_PER_ORDERING, sizeof *r->jobs);
    if (r->jobs == NULL) {
        return tl_fail("gates: out of memory");
    }
    for (unsigned n = 0; n < r->table_count; n++) {
        for (unsigned ordering = 0; ordering < orderings; ordering++) {
            add_jobs(r, &r->tables[n], ordering);
        }
    }
    const int status = run_jobs(r);
    free(r->jobs);
    return status;
}

static int print_tables(const run *r)
{
    tl_output output;
    tl_output_start(&output);
    for (unsigned n = 0; n < r->table_count; n++) {
        tl_output_text(&output, n > 0 ? "\n\n" : "");
        tl_gates_print(&output, &r->tables[n]);
    }
    return tl_output_end(&output);
}

int tl_cmd_gates(int argc, char **argv)
{
    static run r; /* too large for a stack */
    options o = {.orderings = 1};
    int status = read_options(argc, argv, &o);
    if (status >= 0) {
        return status;
    }
    status = start_tables(&r, &o);
    if (status == 0) {
        status = measure(&r, o.orderings);
    }
    if (status == 0 && o.json != NULL) {
        status = tl_gates_write_json(o.json, &r.tables[0]);
    }
    return status == 0 ? print_tables(&r) : status;
}
