/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for; realpath */

#include "whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line.h"

static int complain(const char *path)
{
    return tl_fail("%s: file: found %s, expected a file to write to", path, strerror(errno));
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

/* May a new file be made beside `path`? */
static bool folder_is_writable(const char *path)
{
    char *folder = copy_text(path);
    if (folder == NULL) {
        return false;
    }
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder] = '\0'; /* the root keeps its slash */
    }
    const bool writable = access(slash == NULL ? "." : folder, W_OK | X_OK) == 0;
    free(folder);
    return writable;
}

int tl_whole_file_check(const char *path)
{
    struct stat found;
    if (stat(path, &found) == 0) {
        errno = EISDIR; /* access() says what else is wrong */
        return !S_ISDIR(found.st_mode) && access(path, W_OK) == 0 ? 0 : complain(path);
    }
    return errno == ENOENT && folder_is_writable(path) ? 0 : complain(path);
}

static void forget(tl_whole_file *file)
{
    free(file->path);
    free(file->part);
    *file = (tl_whole_file){.file = NULL};
}

int tl_whole_file_open(tl_whole_file *out, const char *path)
{
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    *out = (tl_whole_file){.path = exists ? realpath(path, NULL) : copy_text(path)};
    if (out->path != NULL && (!exists || S_ISREG(found.st_mode))) {
        const size_t bytes = strlen(out->path) + 32;
        out->part = malloc(bytes);
        if (out->part != NULL) {
            (void)snprintf(out->part, bytes, "%s.%ld.part", out->path, (long)getpid());
        }
    }
    const bool named = out->path != NULL && (out->part != NULL || (exists && !S_ISREG(found.st_mode)));
    out->file = named ? fopen(out->part != NULL ? out->part : out->path, "w") : NULL;
    if (out->file == NULL) {
        const int status = complain(path);
        forget(out);
        return status;
    }
    return 0;
}

int tl_whole_file_close(tl_whole_file *file)
{
    const bool failed = ferror(file->file) != 0;
    if (fclose(file->file) == 0 && !failed) {
        file->file = NULL;
        return 0;
    }
    file->file = NULL;
    const int status = tl_fail("%s: file: found %s, expected room to write", file->path, strerror(errno));
    tl_whole_file_drop(file);
    return status;
}

int tl_whole_file_keep(tl_whole_file *file)
{
    const int status = file->part == NULL || rename(file->part, file->path) == 0 ? 0 : complain(file->path);
    if (status != 0) {
        tl_whole_file_drop(file);
    } else {
        forget(file);
    }
    return status;
}

void tl_whole_file_drop(tl_whole_file *file)
{
    if (file->file != NULL) {
        (void)fclose(file->file);
    }
    if (file->part != NULL) {
        (void)remove(file->part);
    }
    forget(file);
}
