/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens sweep`: runs figure files, and writes what they show. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line.h"
#include "plot.h"
#include "run_jobs.h"
#include "tables.h"

enum { JOBS_MAX = 1024 };

static const char HELP[] =
    "usage: tilelens sweep FILE... [--jobs N] [--out DIR]\n"
    "\n"
    "Runs the figures that the files describe and prints a table beside the paper's numbers for each. Into DIR go, "
    "for\n"
    "fig14.yaml, fig14.md (the table), fig14.csv (every number), fig14.svg (drawn by gnuplot) and fig14.gnuplot (its\n"
    "script, with the data in it). Each run is one process, over the processors with GNU parallel; its result stays "
    "in\n"
    "DIR/runs. A sweep that was stopped goes on where it was; a run that several figures share is run once; a run is\n"
    "repeated when its settings, a file that they name, or the program has changed.\n"
    "\n"
    "  --jobs N   runs at a time; default: one a processor\n"
    "  --out DIR  where results go, made if need be; default: results\n"
    "\n"
    "A figure file:\n"
    "\n"
    "  title: Execution time by layout and NAND latency\n"
    "  config: base/run.yaml              # each run is tilelens simulate CONFIG --set KEY=VALUE... --json FILE, "
    "started\n"
    "  axes:                              # in the folder of this file: one run for each choice of points\n"
    "    latency:\n"
    "      1us: {label: \"1\", set: {system.hbf.read_latency_us: 1}}\n"
    "      5us: {label: \"5\", set: {system.hbf.read_latency_us: 5}}\n"
    "    layout:\n"
    "      column: {label: Column-major, set: {layout: column_major}, cost: 8}   # cost: long runs start first\n"
    "      tile:   {label: Tile-major, set: {layout: tile_major}}\n"
    "  metrics:                           # KEY of the JSON; of one run, or beside another one:\n"
    "    slowdown: {key: time_ns, over: {layout: tile}}                          # (key / per - minus) / over x scale\n"
    "    wait_us: {key: [queue_ns_mean, straggler_ns_mean], scale: 0.001}        # a list is added up\n"
    "  plot: {kind: lines, x: latency, series: layout, y: slowdown, x_label: NAND latency (us)}\n"
    "  paper:                             # as: geomean, mean, min, max or range of what is under at\n"
    "    - {what: Column-major, of: slowdown, at: {layout: column}, as: range, value: [8, 10],\n"
    "       reason: shown where ours is more than a tolerance of 0.05 away}\n"
    "\n"
    "More keys: command (default simulate); cases, a list of {at, set} for runs where points meet (a setting without "
    "a\n"
    "value is not made); of plot: kind (bars, stacked_bars, lines; cdf, timeline), panels, panel_columns, at, "
    "y_label,\n"
    "geomean: true (a group of bars more); x, series or panels may be metric, with a list of metrics as y. cdf and\n"
    "timeline draw curve, a list in the JSON, and take x_scale and x_max.\n"
    "\n"
    "example: tilelens sweep configs/figure/fig14.yaml --out results\n";

typedef struct options {
    const char *out;
    unsigned jobs;
} options;

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static int read_jobs(const char *text, unsigned *out)
{
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > JOBS_MAX) {
        return tl_fail("sweep: --jobs: found %s, expected a number from 1 to %d", text, JOBS_MAX);
    }
    *out = (unsigned)value;
    return -1;
}

static int read_option(options *o, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        return tl_fail("sweep: %s: found nothing, expected a value", name);
    }
    if (strcmp(name, "--jobs") == 0) {
        return read_jobs(value, &o->jobs);
    }
    o->out = value;
    return -1;
}

/* Options and files in any order; files are left in argv[1..*file_count]. @return -1 to go on, or the exit status */
static int read_arguments(int argc, char **argv, options *o, int *file_count)
{
    bool with_options = true;
    *file_count = 0;
    for (int n = 1; n < argc; n++) {
        char *argument = argv[n];
        int status = -1;
        if (with_options && strcmp(argument, "--") == 0) {
            with_options = false;
        } else if (with_options && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            return tl_print(HELP);
        } else if (with_options && (strcmp(argument, "--jobs") == 0 || strcmp(argument, "--out") == 0)) {
            status = read_option(o, argument, n + 1 < argc ? argv[n + 1] : NULL);
            n++;
        } else if (with_options && strncmp(argument, "--jobs=", 7) == 0) {
            status = read_option(o, "--jobs", argument + 7);
        } else if (with_options && strncmp(argument, "--out=", 6) == 0) {
            status = read_option(o, "--out", argument + 6);
        } else if (with_options && argument[0] == '-') {
            status = tl_fail("sweep: found unknown option %s, expected --jobs, --out or --help", argument);
        } else {
            argv[++*file_count] = argument;
        }
        if (status >= 0) {
            return status;
        }
    }
    return *file_count > 0 ? -1 : tl_fail("sweep: found no figure file, expected one or more");
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Make OUT and OUT/runs. */
static int make_out(const char *out, tl_run_list *list)
{
    char runs[TL_FIGURE_PATH_BYTES];
    const bool fits = snprintf(runs, sizeof runs, "%s/runs", out) < (int)sizeof runs - 64;
    char *absolute = NULL;
    if (fits && (mkdir(out, 0777) == 0 || errno == EEXIST) && (mkdir(runs, 0777) == 0 || errno == EEXIST)) {
        absolute = realpath(out, NULL);
    }
    if (absolute == NULL || strlen(absolute) > sizeof list->out - 64 || access(absolute, W_OK) != 0) {
        free(absolute);
        return tl_fail("sweep: --out: found %s (%s), expected a folder to write to", out,
                       strerror(fits ? errno : ENAMETOOLONG));
    }
    memcpy(list->out, absolute, strlen(absolute) + 1);
    free(absolute);
    return 0;
}

/* OUT/NAMEENDING, or null after a line on stderr. */
static FILE *open_output(const tl_results *results, const char *ending, char path[TL_FIGURE_PATH_BYTES])
{
    (void)snprintf(path, TL_FIGURE_PATH_BYTES, "%.*s/%s%s", TL_FIGURE_PATH_BYTES - TL_FIGURE_NAME_BYTES - 32,
                   results->list->out, results->figure->figure->name, ending);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)tl_fail("%s: file: found %s, expected a file to write to", path, strerror(errno));
    }
    return file;
}

static int close_output(FILE *file, const char *path)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        return tl_fail("%s: file: found %s, expected room for it", path, strerror(errno));
    }
    return 0;
}

static int write_csv(const tl_results *results, FILE *to)
{
    tl_csv_write(results, to);
    return 0;
}

static int write_table(const tl_results *results, FILE *to)
{
    tl_paper_table_write(results, to);
    return 0;
}

/* gnuplot draws NAME.svg from the script NAME.gnuplot. */
static int draw(const tl_results *results)
{
    const tl_figure *figure = results->figure->figure;
    char script[TL_FIGURE_NAME_BYTES + 16];
    (void)snprintf(script, sizeof script, "%s.gnuplot", figure->name);
    const char *const argv[] = {"gnuplot", "-d", script, NULL};
    const int status = tl_run_quietly(argv, results->list->out);
    if (status == 127) {
        return tl_fail("sweep: found no gnuplot, expected Debian package gnuplot-nox");
    }
    return status == 0
               ? 0
               : tl_fail("%s: plot: found that gnuplot gave up on %s, expected a drawing", figure->path, script);
}

static int write_figure(const tl_run_list *list, const tl_sweep_figure *figure)
{
    static const struct {
        const char *ending;
        int (*write)(const tl_results *results, FILE *to);
    } outputs[] = {
        {".csv", write_csv}, {".md", write_table}, {".gnuplot", tl_plot_write}, {"_curve.csv", tl_csv_write_curves}};
    const size_t count = figure->figure->plot.curve == NULL ? 3 : 4;
    tl_results results;
    int status = tl_results_load(list, figure, &results);
    if (status != 0) {
        return status;
    }
    for (size_t n = 0; status == 0 && n < count; n++) {
        char path[TL_FIGURE_PATH_BYTES];
        FILE *file = open_output(&results, outputs[n].ending, path);
        status = file == NULL ? 2 : outputs[n].write(&results, file);
        const int close_status = file == NULL ? 2 : close_output(file, path);
        status = status != 0 ? status : close_status;
    }
    status = status != 0 ? status : draw(&results);
    tl_results_free(&results);
    return status;
}

/* The tables, once everything else has worked. */
static int print_tables(const tl_run_list *list)
{
    for (size_t n = 0; n < list->figure_count; n++) {
        tl_results results;
        if (tl_results_load(list, &list->figures[n], &results) != 0) {
            return 2;
        }
        tl_paper_table_write(&results, stdout);
        tl_results_free(&results);
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0
               ? 0
               : tl_fail("standard output: found %s, expected a place to write to", strerror(errno));
}

static int sweep(tl_run_list *list, const options *o, char *const *files, int file_count)
{
    int status = 0;
    for (int n = 0; n < file_count && status == 0; n++) {
        status = tl_run_list_add(list, files[n]);
    }
    status = status != 0 ? status : make_out(o->out, list);
    if (status == 0) {
        tl_run_list_finish(list);
        status = tl_run_jobs(list, o->jobs);
    }
    for (size_t n = 0; n < list->figure_count && status == 0; n++) {
        status = write_figure(list, &list->figures[n]);
    }
    return status != 0 ? status : print_tables(list);
}

int main(int argc, char **argv)
{
    static tl_run_list list; /* too large for the stack */
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    options o = {.out = "results",
                 .jobs = processors < 1          ? 1
                         : processors > JOBS_MAX ? JOBS_MAX
                                                 : (unsigned)processors};
    int file_count = 0;
    const int status = read_arguments(argc, argv, &o, &file_count);
    if (status >= 0) {
        return status;
    }
    if (setenv("LC_ALL", "C", 1) != 0) { /* of every program that is started */
        return tl_fail("sweep: found too little memory, expected some for its environment");
    }
    const int sweep_status = sweep(&list, &o, argv + 1, file_count);
    tl_run_list_free(&list);
    return sweep_status;
}
