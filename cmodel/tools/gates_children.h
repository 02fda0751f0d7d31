/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A temporary folder, and programs that run in it, a few at a time.
 */
#ifndef TILELENS_GATES_CHILDREN_H
#define TILELENS_GATES_CHILDREN_H

#include <stddef.h>

enum { TL_FOLDER_BYTES = 1024 };

/** First line that a program prints on stdout. @return 0, or 2 (and nothing on stderr) when it cannot be run */
int tl_child_first_line(const char *const *argv, char *line, size_t line_bytes);

/** Make a new folder in $TMPDIR. @return 0, or 2 after a line on stderr */
int tl_folder_make(char path[TL_FOLDER_BYTES]);

/** Remove a folder and all it holds. */
void tl_folder_remove(const char *path);

/** Programs to run: `prepare` makes folder n ready, `argv` runs there, `finish` reads what it left. */
typedef struct tl_children {
    size_t count;
    const char *const *argv;
    const char *folder; /* program n runs in folder/n with its output in folder/n/log.txt and $TMPDIR there too */
    int (*prepare)(void *context, size_t n, const char *folder);
    int (*finish)(void *context, size_t n, const char *folder, int succeeded);
    void *context;
    const char *progress; /* what is counted on stderr when that is a terminal */
} tl_children;

/**
 * Run all of them, one per processor at a time.
 * @return 0, or the first status that prepare or finish gave; the rest are then stopped.
 *         128 + the signal when interrupted, with every program stopped.
 */
int tl_children_run(const tl_children *children);

#endif
