/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The lines of a text file, compressed with gzip or not.
 *
 * zlib's own gzgets tells neither the end from a fault nor a whole line from a part, and ends in silence where
 * something else follows the compressed data.
 */
#ifndef TILELENS_SIM_TRACE_INPUT_H
#define TILELENS_SIM_TRACE_INPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <zlib.h>

enum { TL_TRACE_INPUT_BYTES = 1 << 14 };

typedef enum tl_trace_input_result {
    TL_TRACE_INPUT_LINE,
    TL_TRACE_INPUT_END,
    TL_TRACE_INPUT_DAMAGED, /* unreadable, cut, or followed by what is not compressed */
    TL_TRACE_INPUT_NO_LINE  /* longer than the room for it, or with a zero byte */
} tl_trace_input_result;

/** Must not move while it is open. */
typedef struct tl_trace_input {
    FILE *file;
    bool compressed;
    bool in_member; /* of the gzip file: between its header and its checksum */
    z_stream stream;
    unsigned char raw[TL_TRACE_INPUT_BYTES];
    unsigned char plain[TL_TRACE_INPUT_BYTES];
    size_t at, count; /* next byte of `plain`, and how many it has */
} tl_trace_input;

/** @return false when the file cannot be opened, or memory runs out; close it all the same */
bool tl_trace_input_open(tl_trace_input *input, const char *path);
void tl_trace_input_close(tl_trace_input *input);

/** The next line without its end, LF or CR LF. */
tl_trace_input_result tl_trace_input_line(tl_trace_input *input, char *text, size_t text_bytes);

#endif
