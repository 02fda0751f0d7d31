/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "gates_children.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_line.h"

enum { AT_ONCE_LIMIT = 16, OPEN_FOLDERS = 16 };

static volatile sig_atomic_t interrupted; /* the signal that asked us to stop, or 0 */

static void note_signal(int signal_number)
{
    interrupted = signal_number;
}

/* ---- one program ------------------------------------------------------------------------------------------------- */

static void redirect(const char *path, int flags, int to)
{
    const int from = open(path, flags, 0666);
    if (from < 0 || dup2(from, to) < 0) {
        _exit(126);
    }
    (void)close(from);
}

static void exec_program(const char *const *argv)
{
    (void)execvp(argv[0], (char *const *)argv); /* execvp changes nothing; its type predates const */
    _exit(127);
}

int tl_child_first_line(const char *const *argv, char *line, size_t line_bytes)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return 2;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        exec_program(argv);
    }
    (void)close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    bool found = false;
    if (output != NULL) {
        found = pid > 0 && fgets(line, (int)line_bytes, output) != NULL;
        (void)fclose(output);
    }
    if (pid > 0) {
        (void)waitpid(pid, NULL, 0);
    }
    line[found ? strcspn(line, "\n") : 0] = '\0';
    return found ? 0 : 2;
}

/* Leads its own process group, so that what it starts can be stopped with it. */
static pid_t start(const char *const *argv, const char *folder)
{
    const pid_t pid = fork();
    if (pid != 0) {
        if (pid > 0) {
            (void)setpgid(pid, pid);
        }
        return pid;
    }
    (void)setpgid(0, 0);
    if (chdir(folder) != 0 || setenv("TMPDIR", folder, 1) != 0) {
        _exit(126);
    }
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect("log.txt", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect("log.txt", O_WRONLY | O_APPEND, STDERR_FILENO);
    exec_program(argv);
    return -1;
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

/* Yosys hands its folder to a shell and to abc, which stop at blanks and more. */
static bool plain_path(const char *path)
{
    return path != NULL && path[0] == '/' &&
           strspn(path, "/._-+ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == strlen(path);
}

int tl_folder_make(char path[TL_FOLDER_BYTES])
{
    const char *parent = getenv("TMPDIR");
    const int length =
        snprintf(path, TL_FOLDER_BYTES, "%s/tilelens-gates-XXXXXX", plain_path(parent) ? parent : "/tmp");
    if (length >= TL_FOLDER_BYTES || mkdtemp(path) == NULL) {
        return tl_fail("gates: TMPDIR: cannot make a folder %s: %s", path, strerror(errno));
    }
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    (void)remove(path);
    return 0;
}

void tl_folder_remove(const char *path)
{
    (void)nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* ---- several programs -------------------------------------------------------------------------------------------- */

typedef struct slot {
    pid_t pid; /* 0: free */
    size_t n;
} slot;

typedef struct pool {
    const tl_children *children;
    slot slots[AT_ONCE_LIMIT];
    size_t at_once;
    size_t next, done;
    int status;
} pool;

static int folder_of(const tl_children *children, size_t n, char path[TL_FOLDER_BYTES])
{
    return snprintf(path, TL_FOLDER_BYTES, "%s/%zu", children->folder, n) < TL_FOLDER_BYTES ? 0 : -1;
}

static void start_next(pool *p, slot *free_slot)
{
    char folder[TL_FOLDER_BYTES];
    const size_t n = p->next++;
    if (folder_of(p->children, n, folder) != 0 || mkdir(folder, 0777) != 0) {
        p->status = tl_fail("gates: TMPDIR: cannot make a folder %s: %s", folder, strerror(errno));
        return;
    }
    p->status = p->children->prepare(p->children->context, n, folder);
    if (p->status != 0) {
        return;
    }
    const pid_t pid = start(p->children->argv, folder);
    if (pid < 0) {
        p->status = tl_fail("gates: cannot start %s: %s", p->children->argv[0], strerror(errno));
        return;
    }
    *free_slot = (slot){.pid = pid, .n = n};
}

static void show_progress(const pool *p)
{
    if (isatty(STDERR_FILENO)) {
        (void)fprintf(stderr, "\r%s %zu of %zu", p->children->progress, p->done, p->children->count);
    }
}

static void end_progress(const pool *p)
{
    if (isatty(STDERR_FILENO)) {
        (void)fprintf(stderr, "\r%*s\r", (int)strlen(p->children->progress) + 24, "");
    }
}

static void finish(pool *p, slot *ended, int wait_status)
{
    char folder[TL_FOLDER_BYTES];
    const size_t n = ended->n;
    ended->pid = 0;
    (void)folder_of(p->children, n, folder);
    if (p->status == 0 && !interrupted) {
        const int succeeded = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
        p->done++;
        if (!succeeded) {
            end_progress(p);
        }
        p->status = p->children->finish(p->children->context, n, folder, succeeded);
    }
    tl_folder_remove(folder);
}

static void stop_all(pool *p)
{
    for (size_t n = 0; n < p->at_once; n++) {
        if (p->slots[n].pid > 0) {
            (void)kill(-p->slots[n].pid, SIGTERM);
        }
    }
}

/* Fill the free slots. @return whether any program is running */
static bool fill(pool *p)
{
    bool running = false;
    for (size_t n = 0; n < p->at_once; n++) {
        if (p->slots[n].pid == 0 && p->status == 0 && !interrupted && p->next < p->children->count) {
            start_next(p, &p->slots[n]);
        }
        running = running || p->slots[n].pid > 0;
    }
    return running;
}

static void run_all(pool *p)
{
    show_progress(p);
    while (fill(p)) {
        if (p->status != 0 || interrupted) {
            stop_all(p);
        }
        int wait_status = 0;
        const pid_t pid = waitpid(-1, &wait_status, 0);
        for (size_t n = 0; pid > 0 && n < p->at_once; n++) {
            if (p->slots[n].pid == pid) {
                finish(p, &p->slots[n], wait_status);
                show_progress(p);
            }
        }
    }
    end_progress(p);
}

static size_t processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > AT_ONCE_LIMIT ? AT_ONCE_LIMIT : (size_t)count;
}

int tl_children_run(const tl_children *children)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    enum { SIGNALS = sizeof signals / sizeof signals[0] };
    struct sigaction before[SIGNALS];
    struct sigaction note;
    memset(&note, 0, sizeof note);
    note.sa_handler = note_signal; /* without SA_RESTART: waitpid returns */
    (void)sigemptyset(&note.sa_mask);
    interrupted = 0;
    for (int n = 0; n < SIGNALS; n++) {
        (void)sigaction(signals[n], &note, &before[n]);
        if (before[n].sa_handler == SIG_IGN) { /* nohup */
            (void)sigaction(signals[n], &before[n], NULL);
        }
    }
    pool p = {.children = children, .at_once = processors()};
    run_all(&p);
    for (int n = 0; n < SIGNALS; n++) {
        (void)sigaction(signals[n], &before[n], NULL);
    }
    return interrupted ? 128 + interrupted : p.status;
}
