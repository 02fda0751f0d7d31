/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The one line that bad input gets: `FILE: PATH: found ..., expected ...`.
 */
#ifndef TILELENS_COMPLAINT_H
#define TILELENS_COMPLAINT_H

#include <stddef.h>

/** Where the line goes; the caller owns `text`. */
typedef struct tl_complaint {
    const char *file;
    char *text;
    size_t text_bytes;
} tl_complaint;

/** Write the line. `found` is quoted from the file: a long one is cut. @return 2, the exit status of bad input */
__attribute__((format(printf, 4, 5))) int tl_complain(const tl_complaint *to, const char *path, const char *found,
                                                      const char *expected, ...);

/** Replace what would break a line or a terminal: control characters become '?'. */
void tl_one_line(char *text);

/** Append formatted text to the string in `text`, cut at its end. */
__attribute__((format(printf, 3, 4))) void tl_append(char *text, size_t text_bytes, const char *format, ...);

#endif
