/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "gates_job.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"
#include "complaint.h"
#include "paths.h"

/* A register output or port of the speed runs drives as much as four NAND2. */
enum { OUTPUT_LOAD_NAND2 = 4, LINE_BYTES = 4096 };

_Static_assert(TL_PATH_BYTES >= PATH_MAX, "realpath fills PATH_MAX bytes");

/* ---- sources ----------------------------------------------------------------------------------------------------- */

/* rtl below `data`, a folder relative to that of this executable. */
static bool find_rtl(const char *data, char rtl[TL_PATH_BYTES])
{
    char executable[TL_PATH_BYTES];
    char path[2 * TL_PATH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length <= 0) {
        return false;
    }
    executable[length] = '\0';
    char *slash = strrchr(executable, '/');
    *(slash != NULL ? slash : executable) = '\0';
    (void)snprintf(path, sizeof path, "%s/%s/rtl", executable, data);
    if (realpath(path, rtl) == NULL) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/rtl.f", rtl);
    return access(path, R_OK) == 0;
}

int tl_gates_sources_find(tl_gates_sources *out)
{
    char path[TL_PATH_BYTES + 8];
    char line[LINE_BYTES];
    if (!find_rtl(TL_DATA_DIR_INSTALL, out->rtl) && !find_rtl(TL_DATA_DIR_BUILD, out->rtl)) {
        return tl_fail("gates: found no rtl/rtl.f beside this program, expected the RTL in its build or install tree");
    }
    (void)snprintf(path, sizeof path, "%s/rtl.f", out->rtl);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return tl_fail("%s: cannot be read: %s", path, strerror(errno));
    }
    out->files[0] = '\0';
    while (fgets(line, sizeof line, file) != NULL) {
        const char *name = strtok(line, " \t\r\n");
        if (name != NULL && strncmp(name, "//", 2) != 0) {
            tl_append(out->files, sizeof out->files, " rtl/%s", name);
        }
    }
    (void)fclose(file);
    return 0;
}

/* ---- before the run ---------------------------------------------------------------------------------------------- */

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[TL_PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

static bool link_in(const char *folder, const char *name, const char *target)
{
    char path[TL_PATH_BYTES];
    char absolute[TL_PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return realpath(target, absolute) != NULL && symlink(absolute, path) == 0;
}

static void write_script(const tl_gates_job *job, const tl_gates_sources *sources, FILE *file)
{
    if (job->design == TL_JOB_MULTIPLIER) {
        (void)fprintf(file, "read_verilog -sv rtl/syn/mul_yardstick.sv\n");
        (void)fprintf(file, "hierarchy -check -top mul_yardstick -chparam ProductWidth %d\n", job->product_width);
    } else {
        (void)fprintf(file, "read_verilog -sv%s rtl/syn/tma_synth.sv\n", sources->files);
        (void)fprintf(file, "hierarchy -check -top tma_synth -chparam TileMajor %d\n", (int)job->variant);
    }
    if (job->design == TL_JOB_STAGES) {
        (void)fprintf(file, "script rtl/syn/stages.ys\n");
    }
    (void)fprintf(file, "script rtl/syn/netlist.ys\n");
    /* `opt` sorts cells by name: new names are a new order for abc. */
    (void)fprintf(file, "rename -scramble-name -seed %u\nopt\n", job->ordering + 1);
    (void)fprintf(file, "script rtl/syn/area.ys\n");
    if (job->design == TL_JOB_TOTAL) {
        (void)fprintf(file, "script rtl/syn/speed.ys\n");
    }
}

static void write_constraints(const tl_gates_job *job, FILE *file)
{
    (void)fprintf(file, "set_driving_cell %s\nset_load %.4f\n", job->table->liberty.inverter,
                  OUTPUT_LOAD_NAND2 * job->table->liberty.nand2_input_ff);
}

int tl_gates_job_prepare(const tl_gates_job *job, const tl_gates_sources *sources, const char *folder)
{
    FILE *script = open_in(folder, "job.ys", "w");
    FILE *constraints = open_in(folder, "load.constr", "w");
    const bool linked = link_in(folder, "rtl", sources->rtl) && link_in(folder, "cells.lib", job->table->liberty_path);
    bool written = script != NULL && constraints != NULL && linked;
    if (written) {
        write_script(job, sources, script);
        write_constraints(job, constraints);
    }
    written = (script == NULL || fclose(script) == 0) && written;
    written = (constraints == NULL || fclose(constraints) == 0) && written;
    return written ? 0 : tl_fail("gates: TMPDIR: cannot write into %s: %s", folder, strerror(errno));
}

/* ---- after the run ----------------------------------------------------------------------------------------------- */

/* Area that `stat` gives for the module whose name holds `module`; 0 for one without cells, negative when absent. */
static double read_area(const char *folder, const char *report, const char *module)
{
    char line[LINE_BYTES];
    double area = -1;
    FILE *file = open_in(folder, report, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *name = strstr(line, module);
        const char *value = strstr(line, "': ");
        if (name != NULL && strncmp(line, "=== ", 4) == 0 && area < 0) {
            area = 0;
        } else if (name != NULL && value != NULL && strstr(line, "Chip area for module") != NULL) {
            area = strtod(value + 3, NULL);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return area;
}

/* The delay that abc's stime reports, in ps; negative when absent. */
static double read_delay(const char *folder)
{
    char line[LINE_BYTES];
    double delay = -1;
    FILE *file = open_in(folder, "speed.txt", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strstr(line, "Delay =");
        if (value != NULL && strstr(line, "WireLoad") != NULL) {
            delay = strtod(value + 7, NULL);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return delay;
}

/* First line of a report that holds `text`, or false. */
static bool find_line(const char *folder, const char *report, const char *text, char line[LINE_BYTES])
{
    bool found = false;
    FILE *file = open_in(folder, report, "r");
    while (file != NULL && !found && fgets(line, LINE_BYTES, file) != NULL) {
        found = strstr(line, text) != NULL;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    line[found ? strcspn(line, "\n") : 0] = '\0';
    return found;
}

/* Once area.ys runs the netlist is sound, and the library is to blame. */
static int report_failure(const tl_gates_job *job, const char *folder)
{
    char line[LINE_BYTES];
    const bool mapping = find_line(folder, "log.txt", "rtl/syn/area.ys", line);
    if (!find_line(folder, "log.txt", "ERROR", line)) {
        (void)snprintf(line, sizeof line, "no message");
    }
    (void)tl_fail("%s: yosys: %s", mapping ? job->table->liberty_path : "rtl/rtl.f", line);
    return mapping ? 2 : 1;
}

static int missing(const tl_gates_job *job, const char *what)
{
    return tl_fail("%s: yosys: found no %s in its report, expected one", job->table->liberty_path, what);
}

static int take_total(const tl_gates_job *job, const char *folder, double nand2_area)
{
    tl_gates_table *table = job->table;
    const double area = read_area(folder, "area.txt", "tma_synth");
    const double speed_area = read_area(folder, "speed_area.txt", "tma_synth");
    const double delay = read_delay(folder);
    if (area <= 0 || speed_area <= 0 || delay <= 0) {
        return missing(job, area > 0 && speed_area > 0 ? "delay" : "area");
    }
    table->area[job->variant].value[job->ordering] = area / nand2_area;
    table->speed_area[job->variant].value[job->ordering] = speed_area / nand2_area;
    table->delay[job->variant].value[job->ordering] = delay / 1000;
    return 0;
}

static int take_stages(const tl_gates_job *job, const char *folder, double nand2_area)
{
    for (int s = 0; s < TL_STAGE_COUNT; s++) {
        char module[64];
        (void)snprintf(module, sizeof module, "tma_%s", tl_gates_stages[s]);
        const double area = read_area(folder, "area.txt", module);
        if (area < 0) {
            return missing(job, module);
        }
        job->table->stage_area[s][job->variant].value[job->ordering] = area / nand2_area;
    }
    return 0;
}

static int take_multiplier(const tl_gates_job *job, const char *folder, double nand2_area)
{
    tl_gates_table *table = job->table;
    const double area = read_area(folder, "area.txt", "mul_yardstick");
    if (area <= 0) {
        return missing(job, "area");
    }
    (job->product_width == 64 ? &table->mul64_area : &table->mul32_area)->value[job->ordering] = area / nand2_area;
    return 0;
}

int tl_gates_job_finish(const tl_gates_job *job, const char *folder, int succeeded)
{
    char line[LINE_BYTES];
    const double nand2_area = job->table->liberty.nand2_area;
    if (!succeeded) {
        return report_failure(job, folder);
    }
    /* A gate of Yosys' own that is left, a flip-flop most likely, has no area. */
    if (find_line(folder, "area.txt", "cell type $_", line)) {
        return tl_fail("%s: yosys: %s, expected a D flip-flop in the library", job->table->liberty_path, line);
    }
    switch (job->design) {
    case TL_JOB_TOTAL:
        return take_total(job, folder, nand2_area);
    case TL_JOB_STAGES:
        return take_stages(job, folder, nand2_area);
    default:
        return take_multiplier(job, folder, nand2_area);
    }
}
