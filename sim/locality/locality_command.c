/* SPDX-License-Identifier: Apache-2.0 */
#include "locality_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command_line.h"
#include "complaint.h"
#include "locality_best.h"
#include "locality_result.h"
#include "progress_bar.h"
#include "whole_file.h"

enum { SETTINGS_MAX = 256, TEXT_BYTES = 8192 };

static const char HELP[] =
    "usage: tilelens locality CONFIG [--set KEY=VALUE]... [--engine fast|reference] [--best] [--json FILE]\n"
    "\n"
    "L2 hit rate, local and remote HBM traffic, roofline time and energy of a GEMM on a GPU of several chiplets, each\n"
    "with its own L2 and HBM, from the layouts, the traversal, the placement of data and the mapping of CTAs.\n"
    "\n"
    "  --set KEY=VALUE   in place of the file's value; may be repeated\n"
    "  --engine NAME     fast (default): exact, and falls back to reference where it does not apply, which the output\n"
    "                    says; reference: one access at a time\n"
    "  --best            search layouts of A and B, mappings and traversals for the fewest remote bytes\n"
    "  --json FILE       also write the numbers as JSON; a failure leaves no new file\n"
    "\n"
    "example: tilelens locality configs/locality/qwen_gate_up_fwd.yaml --set machine.set_index=xor\n"
    "\n"
    "keys (0 stands for the default; the groups gemm, layout, tile and traversal must be in the file, if only as "
    "{}):\n";

typedef struct options {
    const char *config;
    const char *settings[SETTINGS_MAX];
    size_t setting_count;
    tl_locality_engine engine;
    bool best;
    const char *json;
} options;

/* ---- options ----------------------------------------------------------------------------------------------------- */

static int print_help(void)
{
    (void)fputs(HELP, stdout);
    tl_locality_print_keys(stdout);
    (void)fputs("\nresults:\n", stdout);
    tl_locality_print_results(stdout);
    return fflush(stdout) == 0 && ferror(stdout) == 0
               ? 0
               : tl_fail("standard output: found %s, expected a place to write to", strerror(errno));
}

static int take_option(options *o, const char *name, const char *value)
{
    if (strcmp(name, "--json") == 0) {
        o->json = value;
        return value[0] != '\0' ? -1 : tl_fail("locality: --json: found nothing, expected a file to write to");
    }
    if (strcmp(name, "--engine") == 0) {
        o->engine = strcmp(value, "reference") == 0 ? TL_ENGINE_REFERENCE : TL_ENGINE_FAST;
        return o->engine == TL_ENGINE_REFERENCE || strcmp(value, "fast") == 0
                   ? -1
                   : tl_fail("locality: --engine: found %s, expected fast or reference", value);
    }
    if (o->setting_count == SETTINGS_MAX) {
        return tl_fail("locality: --set: found more than %d, expected at most that many", SETTINGS_MAX);
    }
    o->settings[o->setting_count++] = value;
    return -1;
}

/* An option with a value, as two arguments or with `=`. @return -1 to go on, or the exit status */
static int read_option(int argc, char **argv, int *n, options *o)
{
    static const char *const names[] = {"--set", "--engine", "--json"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const size_t length = strlen(names[k]);
        if (strcmp(argv[*n], names[k]) == 0) {
            ++*n;
            return *n < argc ? take_option(o, names[k], argv[*n])
                             : tl_fail("locality: %s: found nothing, expected a value", names[k]);
        }
        if (strncmp(argv[*n], names[k], length) == 0 && argv[*n][length] == '=') {
            return take_option(o, names[k], argv[*n] + length + 1);
        }
    }
    return tl_fail("locality: found unknown option %s, expected --set, --engine, --best, --json or --help", argv[*n]);
}

/* @return -1 to go on, or the exit status */
static int read_options(int argc, char **argv, options *o)
{
    bool files_only = false;
    for (int n = 1; n < argc; n++) {
        const char *argument = argv[n];
        int status = -1;
        if (!files_only && strcmp(argument, "--") == 0) {
            files_only = true;
        } else if (!files_only && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            return print_help();
        } else if (!files_only && strcmp(argument, "--best") == 0) {
            o->best = true;
        } else if (!files_only && argument[0] == '-') {
            status = read_option(argc, argv, &n, o);
        } else if (o->config != NULL) {
            status = tl_fail("locality: found a second file %s, expected one", argument);
        } else {
            o->config = argument;
        }
        if (status >= 0) {
            return status;
        }
    }
    return o->config != NULL ? -1 : tl_fail("locality: found no file, expected one");
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static int run_one(const options *o, const tl_locality_config *config, tl_progress_bar *bar, tl_whole_file *json,
                   char *text)
{
    static tl_locality_counters counters; /* large for a stack */
    tl_locality_metrics metrics;
    char error[TL_LOCALITY_ERROR_BYTES];
    const tl_progress progress = {tl_progress_bar_tell, bar};
    const clock_t start = clock();
    const int status = tl_locality_run(config, o->engine, &progress, &counters, error, sizeof error);
    tl_progress_bar_end(bar);
    if (status != 0) {
        return tl_fail("%s", error);
    }
    tl_locality_measure(config, &counters, (double)(clock() - start) / CLOCKS_PER_SEC, &metrics);
    tl_locality_write_text(&metrics, &counters, text, TEXT_BYTES);
    if (o->json != NULL && tl_whole_file_open(json, o->json) != 0) {
        return 2;
    }
    if (o->json != NULL) {
        tl_locality_write_json(&metrics, &counters, json->file);
    }
    return 0;
}

static int run_best(const options *o, const tl_locality_config *config, tl_progress_bar *bar, tl_whole_file *json,
                    char *text)
{
    static tl_locality_best best; /* large for a stack */
    char error[TL_LOCALITY_ERROR_BYTES];
    const tl_progress progress = {tl_progress_bar_tell, bar};
    const int status = tl_locality_search(config, o->engine, &progress, &best, error, sizeof error);
    tl_progress_bar_end(bar);
    if (status != 0) {
        return tl_fail("%s", error);
    }
    tl_locality_best_write_text(&best, text, TEXT_BYTES);
    if (o->json != NULL && tl_whole_file_open(json, o->json) != 0) {
        return 2;
    }
    if (o->json != NULL) {
        tl_locality_best_write_json(&best, json->file);
    }
    return 0;
}

/* The JSON file is written before the text is printed, and put in place after: a failure leaves neither. */
static int run(const options *o, const tl_locality_config *config)
{
    char text[TEXT_BYTES];
    tl_whole_file json;
    tl_progress_bar bar;
    tl_progress_bar_start(&bar, "locality");
    int status = (o->best ? run_best : run_one)(o, config, &bar, &json, text);
    if (status != 0 || o->json == NULL) {
        return status != 0 ? status : tl_print(text);
    }
    status = tl_whole_file_close(&json);
    if (status != 0) {
        return status;
    }
    status = tl_print(text);
    if (status != 0) {
        tl_whole_file_drop(&json);
        return status;
    }
    return tl_whole_file_keep(&json);
}

int tl_locality_command(int argc, char **argv)
{
    options o = {.engine = TL_ENGINE_FAST};
    char error[TL_LOCALITY_ERROR_BYTES];
    tl_locality_config config;
    const int status = read_options(argc, argv, &o);
    if (status >= 0) {
        return status;
    }
    if (tl_locality_load(o.config, o.settings, o.setting_count, &config, error, sizeof error) != 0 ||
        tl_locality_check_work(&config, o.engine, o.config, error, sizeof error) != 0) {
        return tl_fail("%s", error);
    }
    if (o.json != NULL && tl_whole_file_check(o.json) != 0) {
        return 2;
    }
    return run(&o, &config);
}
