/* SPDX-License-Identifier: Apache-2.0 */
/* Heavy subcommands are programs of their own, so that `tilelens` needs neither Verilator nor SystemC. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"

/* `tilelens-NAME` in the folder of this executable; empty where that is not known or too long. */
static void path_beside(const char *program, char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    const size_t folder_length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (folder_length == 0 || folder_length + strlen(program) >= PATH_MAX) {
        path[0] = '\0';
        return;
    }
    memcpy(path + folder_length, program, strlen(program) + 1);
}

int tl_run_program(const char *missing, char **argv)
{
    char program[64];
    char beside[PATH_MAX];
    const char *name = argv[0];
    (void)snprintf(program, sizeof program, "tilelens-%s", name);
    path_beside(program, beside);
    argv[0] = program;
    if (beside[0] != '\0') {
        (void)execv(beside, argv);
        if (errno != ENOENT) {
            return tl_fail("%s: cannot run %s: %s", name, beside, strerror(errno));
        }
    }
    (void)execvp(program, argv);
    if (errno != ENOENT) {
        return tl_fail("%s: cannot run %s: %s", name, program, strerror(errno));
    }
    return tl_fail("%s: found no program %s, expected %s", name, program, missing);
}
