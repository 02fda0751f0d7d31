/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The script has a case for each run, which GNU parallel calls by a name that ends in the run's ID:
 *     *ID) cd FOLDER && PROGRAM CONFIG --set ... --json runs/ID.part.PID 2>runs/ID.err &&
 *          mv runs/ID.part.PID runs/ID.json && rm -f runs/ID.err || echo $? ID >>runs/failed.PID;;
 * with absolute paths. It never fails, since GNU parallel would say so on stderr: the file `failed` does, and where
 * that is, nothing more is started.
 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "run_script.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"

enum { POINTS_BYTES = 1024 };

/* As one word of the shell: 'it'\''s'. */
static void put_word(FILE *to, const char *text)
{
    (void)fputc('\'', to);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '\'' ? "'\\''" : (char[2]){*text, '\0'}, to);
    }
    (void)fputs("' ", to);
}

static void put_file(FILE *to, const tl_run_list *list, const char *id, const char *ending)
{
    char path[TL_FIGURE_PATH_BYTES];
    (void)tl_run_file(list, id, ending, path);
    put_word(to, path);
}

static void put_setting(FILE *to, const tl_setting *setting)
{
    char text[TL_FIGURE_PATH_BYTES];
    (void)snprintf(text, sizeof text, "%s=%s", setting->key, setting->value);
    put_word(to, text);
}

/* One run as a case of the script. */
static void put_run(const tl_run_list *list, const tl_sweep_run *run, const tl_run_script *script, FILE *to)
{
    tl_setting settings[TL_FIGURE_RUN_SETTINGS];
    char part[TL_RUN_PART_BYTES];
    const size_t count = tl_figure_run_settings(run->figure, run->figure_run, settings);
    tl_run_part_ending(part);
    (void)fprintf(to, "*%s) cd ", run->id);
    put_word(to, run->figure->folder);
    (void)fputs("&& ", to);
    put_word(to, run->program);
    put_word(to, run->figure->config);
    for (size_t n = 0; n < count; n++) {
        (void)fputs("--set ", to);
        put_setting(to, &settings[n]);
    }
    (void)fputs("--json ", to);
    put_file(to, list, run->id, part);
    (void)fputs("</dev/null >/dev/null 2>", to);
    put_file(to, list, run->id, ".err");
    (void)fputs("&& mv ", to);
    put_file(to, list, run->id, part);
    put_file(to, list, run->id, ".json");
    (void)fputs("&& rm -f ", to);
    put_file(to, list, run->id, ".err");
    (void)fprintf(to, "|| echo $? %s >>", run->id);
    put_word(to, script->failed);
    (void)fputs(";;\n", to);
}

/* The script, and the names by which GNU parallel calls it. */
static void put_script(const tl_run_list *list, tl_run_script *out, FILE *to)
{
    char path[TL_FIGURE_PATH_BYTES];
    (void)fputs("test -e ", to);
    put_word(to, out->failed);
    (void)fputs("&& exit\ncase $1 in\n", to);
    for (size_t n = 0; n < list->count; n++) {
        const tl_sweep_run *run = &list->runs[n];
        if (!tl_run_file(list, run->id, ".json", path)) {
            char points[POINTS_BYTES];
            tl_figure_run_name(run->figure, run->figure_run, points, sizeof points);
            put_run(list, run, out, to);
            (void)fprintf(out->names, "%s: %s, %s\n", run->figure->name, points, run->id);
            out->run_count++;
        }
    }
    (void)fputs("esac\n", to);
}

void tl_run_part_ending(char ending[TL_RUN_PART_BYTES])
{
    (void)snprintf(ending, TL_RUN_PART_BYTES, ".part.%ld", (long)getpid());
}

int tl_run_script_write(const tl_run_list *list, tl_run_script *out)
{
    char own[32];
    out->run_count = 0;
    (void)snprintf(own, sizeof own, ".%ld", (long)getpid());
    (void)tl_run_file(list, "script", own, out->path);
    (void)tl_run_file(list, "failed", own, out->failed);
    FILE *file = fopen(out->path, "w");
    out->names = tmpfile();
    bool written = file != NULL && out->names != NULL;
    if (written) {
        put_script(list, out, file);
        written = fflush(out->names) == 0 && lseek(fileno(out->names), 0, SEEK_SET) == 0;
    }
    written = file != NULL && fclose(file) == 0 && written;
    if (!written) {
        (void)tl_fail("%s: file: found %s, expected a file to write to", out->path, strerror(errno));
        tl_run_script_remove(out);
    }
    return written ? 0 : 2;
}

void tl_run_script_remove(tl_run_script *script)
{
    if (script->names != NULL) {
        (void)fclose(script->names);
    }
    (void)remove(script->path);
    (void)remove(script->failed);
}
