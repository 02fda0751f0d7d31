/* SPDX-License-Identifier: Apache-2.0 */
/* GNU parallel runs the script of run_script.c once for each run without a result. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "run_jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_line.h"
#include "gates_children.h"
#include "run_script.h"

enum { MESSAGE_BYTES = 4096 };

static volatile sig_atomic_t interrupted; /* the signal that asked us to stop, or 0 */

static void note_signal(int signal_number)
{
    interrupted = signal_number;
}

/* ---- children ---------------------------------------------------------------------------------------------------- */

static void point_to(int file, const char *path, int flags)
{
    const int from = open(path, flags);
    if (from < 0 || dup2(from, file) < 0) {
        _exit(126);
    }
    (void)close(from);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return 126;
        }
        if (interrupted != 0) {
            (void)kill(pid, SIGTERM);
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

int tl_run_quietly(const char *const *argv, const char *folder)
{
    const pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder) != 0) {
            _exit(126);
        }
        point_to(STDIN_FILENO, "/dev/null", O_RDONLY);
        point_to(STDOUT_FILENO, "/dev/null", O_WRONLY);
        point_to(STDERR_FILENO, "/dev/null", O_WRONLY);
        (void)execvp(argv[0], (char *const *)argv); /* execvp changes nothing; its type predates const */
        _exit(127);
    }
    return pid < 0 ? 126 : wait_for(pid);
}

/* Start GNU parallel with the names of the runs on `names`; it does not outlive us. */
static pid_t start_parallel(unsigned jobs, const char *script, int names)
{
    char job_count[16];
    (void)snprintf(job_count, sizeof job_count, "%u", jobs);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    static const char call[] = "/bin/sh \"$TILELENS_SWEEP_SCRIPT\" {}";
    const char *const argv[] = {
        "parallel", "--plain", "--will-cite", "--jobs", job_count, terminal ? "--bar" : call, terminal ? call : NULL,
        NULL};
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid != 0) {
        return pid;
    }
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent || dup2(names, STDIN_FILENO) < 0 ||
        setenv("PARALLEL_SHELL", "/bin/sh", 1) != 0 || setenv("TILELENS_SWEEP_SCRIPT", script, 1) != 0) {
        _exit(126);
    }
    (void)close(names);
    point_to(STDOUT_FILENO, "/dev/null", O_WRONLY);
    if (!terminal) {
        point_to(STDERR_FILENO, "/dev/null", O_WRONLY);
    }
    (void)execvp(argv[0], (char *const *)argv);
    _exit(127);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

/* Exit status that a run failed with, 0 where it did not. */
static int failed_status(const char *path, const char *id)
{
    FILE *file = fopen(path, "r");
    char failed_id[TL_RUN_ID_BYTES];
    int status = 0;
    int found = 0;
    while (file != NULL && found == 0 && fscanf(file, "%d %16s", &status, failed_id) == 2) {
        found = strcmp(failed_id, id) == 0 ? status : 0;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

/* First line that a run wrote on stderr, without the `tilelens: ` in front. */
static void read_message(const char *path, char message[MESSAGE_BYTES])
{
    static const char PREFIX[] = "tilelens: ";
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(message, MESSAGE_BYTES, file) == NULL) {
        (void)snprintf(message, MESSAGE_BYTES, "found no result, expected one");
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    message[strcspn(message, "\n")] = '\0';
    if (strncmp(message, PREFIX, sizeof PREFIX - 1) == 0) {
        memmove(message, message + sizeof PREFIX - 1, strlen(message + sizeof PREFIX - 1) + 1);
    }
}

/* Say what the first run that failed said. */
static int report_failure(const tl_run_list *list, const char *failed_path)
{
    char path[TL_FIGURE_PATH_BYTES];
    char message[MESSAGE_BYTES] = "";
    char name[1024];
    int status = 0;
    for (size_t n = 0; n < list->count; n++) {
        const tl_sweep_run *run = &list->runs[n];
        const int run_status = failed_status(failed_path, run->id);
        (void)tl_run_file(list, run->id, ".err", path);
        if (run_status != 0 && status == 0) {
            read_message(path, message);
            tl_figure_run_name(run->figure, run->figure_run, name, sizeof name);
            (void)tl_fail("%s: %s: %s", run->figure->path, name, message);
            status = run_status == 2 ? 2 : 1;
        }
        if (run_status != 0) {
            (void)remove(path);
        }
    }
    return status;
}

/* Files that runs left which did not end. */
static void remove_unfinished(const tl_run_list *list)
{
    char path[TL_FIGURE_PATH_BYTES];
    char ending[TL_RUN_PART_BYTES];
    tl_run_part_ending(ending);
    for (size_t n = 0; n < list->count; n++) {
        const char *const endings[] = {ending, ".err"};
        for (size_t e = 0; e < 2; e++) {
            if (tl_run_file(list, list->runs[n].id, endings[e], path)) {
                (void)remove(path);
            }
        }
    }
}

static int check_parallel(void)
{
    static const char *const argv[] = {"parallel", "--plain", "--version", NULL};
    char line[256];
    if (tl_child_first_line(argv, line, sizeof line) != 0 || strncmp(line, "GNU parallel", 12) != 0) {
        return tl_fail("sweep: found no GNU parallel, expected Debian package parallel");
    }
    return 0;
}

static int run_script(const tl_run_script *script, unsigned jobs)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction note;
    memset(&note, 0, sizeof note);
    note.sa_handler = note_signal; /* without SA_RESTART: waitpid returns */
    (void)sigemptyset(&note.sa_mask);
    for (int n = 0; n < 3; n++) {
        (void)sigaction(signals[n], &note, NULL);
    }
    const pid_t pid = start_parallel(jobs, script->path, fileno(script->names));
    const int status = pid < 0 ? 126 : wait_for(pid);
    if (interrupted != 0) {
        return 128 + interrupted;
    }
    return status == 0 ? 0 : tl_fail("sweep: found that GNU parallel gave up (%d), expected it to run", status);
}

int tl_run_jobs(const tl_run_list *list, unsigned jobs)
{
    tl_run_script script;
    if (tl_run_script_write(list, &script) != 0) {
        return 2;
    }
    int status = script.run_count == 0 ? 0 : check_parallel();
    if (script.run_count > 0 && status == 0) {
        status = run_script(&script, jobs);
        status = status != 0 ? status : report_failure(list, script.failed);
        remove_unfinished(list);
    }
    tl_run_script_remove(&script);
    return status;
}
