/* SPDX-License-Identifier: Apache-2.0 */
/* Where programs and results are. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_list.h"

bool tl_run_file(const tl_run_list *list, const char *id, const char *ending, char path[TL_FIGURE_PATH_BYTES])
{
    (void)snprintf(path, TL_FIGURE_PATH_BYTES, "%.*s/runs/%s%s", TL_FIGURE_PATH_BYTES - 64, list->out, id, ending);
    return access(path, R_OK) == 0;
}

/* FOLDER/tilelens-COMMAND, if it can be run. */
static bool try_folder(const char *folder, size_t length, const char *command, char path[TL_FIGURE_PATH_BYTES])
{
    const int used = snprintf(path, TL_FIGURE_PATH_BYTES, "%.*s/tilelens-%s", (int)length, folder, command);
    return used < TL_FIGURE_PATH_BYTES && access(path, X_OK) == 0;
}

bool tl_program_find(const char *command, char path[TL_FIGURE_PATH_BYTES])
{
    char self[TL_FIGURE_PATH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(self, '/');
    if (slash != NULL && try_folder(self, (size_t)(slash - self), command, path)) {
        return true;
    }
    for (const char *folder = getenv("PATH"); folder != NULL && folder[0] != '\0';) {
        const size_t folder_length = strcspn(folder, ":");
        if (folder_length < TL_FIGURE_PATH_BYTES && folder[0] == '/' &&
            try_folder(folder, folder_length, command, path)) {
            return true;
        }
        folder += folder_length + (folder[folder_length] == ':');
    }
    return false;
}
