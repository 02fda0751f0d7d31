/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A result file that appears whole or not at all: a run that fails leaves nothing new and an older file as it was.
 */
#ifndef TILELENS_WHOLE_FILE_H
#define TILELENS_WHOLE_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_whole_file {
    char *path; /* symbolic links followed */
    char *part; /* where it is written until it is whole; null: straight to `path`, which is a device or a pipe */
    FILE *file; /* to write to, between open and close */
} tl_whole_file;

/** Before a long run: can `path` be written? Writes nothing. @return 0, or 2 after a line on stderr */
int tl_whole_file_check(const char *path);

/** @return 0, or 2 after a line on stderr */
int tl_whole_file_open(tl_whole_file *out, const char *path);

/** All is written. What `path` names is still the older file. @return 0, or 2 after a line on stderr: nothing is left
 */
int tl_whole_file_close(tl_whole_file *file);

/** Put it in place after `close`. @return 0, or 2 after a line on stderr: nothing is left */
int tl_whole_file_keep(tl_whole_file *file);

/** Or leave nothing of it. */
void tl_whole_file_drop(tl_whole_file *file);

#ifdef __cplusplus
}
#endif

#endif
