/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Lines of a trace, read and written (trace.h has the format).
 */
#ifndef TILELENS_SIM_TRACE_FILE_H
#define TILELENS_SIM_TRACE_FILE_H

#include <zlib.h>

#include "trace.h"
#include "trace_input.h"

enum { TL_TRACE_LINE_BYTES = 512, TL_TRACE_MAX_READ_BYTES = 65536 };

/** Where a load belongs. */
typedef struct tl_trace_tile {
    uint32_t kernel, cta, step;
} tl_trace_tile;

typedef enum tl_trace_line_kind { TL_TRACE_KERNEL, TL_TRACE_MAP, TL_TRACE_LOAD } tl_trace_line_kind;

typedef struct tl_trace_line {
    tl_trace_line_kind kind;
    tl_kernel kernel;         /* TL_TRACE_KERNEL */
    tl_source_map map;        /* TL_TRACE_MAP */
    tl_trace_tile tile;       /* TL_TRACE_LOAD, load and read */
    tl_tile_load load;
    uint32_t coordinate_count;
} tl_trace_line;

typedef struct tl_trace_reader {
    tl_trace_input input;
    uint64_t line_number;
    uint64_t load_count; /* load and read lines so far */
    bool ended;
    char text[TL_TRACE_LINE_BYTES];
} tl_trace_reader; /* must not move while it is open */

typedef enum tl_trace_result { TL_TRACE_LINE, TL_TRACE_END, TL_TRACE_BAD } tl_trace_result;

/** @return false and *error; close it all the same */
bool tl_trace_reader_open(tl_trace_reader *reader, const char *path, tl_input_error *error);
void tl_trace_reader_close(tl_trace_reader *reader);

/** The next line that says something. TL_TRACE_END comes once, after a good `end` line and nothing behind it. */
tl_trace_result tl_trace_reader_next(tl_trace_reader *reader, tl_trace_line *line, tl_input_error *error);

/** Complain about the line read last. @return TL_TRACE_BAD */
__attribute__((format(printf, 4, 5))) tl_trace_result tl_trace_reader_error(const tl_trace_reader *reader,
                                                                            tl_input_error *error, const char *found,
                                                                            const char *expected, ...);

/** One field of a line as a number of at most `high`. @return false when it is none */
bool tl_trace_number(const char *text, uint64_t high, uint64_t *value);

typedef struct tl_trace_writer {
    gzFile file;
    uint64_t load_count;
    bool failed;
} tl_trace_writer;

bool tl_trace_writer_open(tl_trace_writer *writer, const char *path, tl_input_error *error);
void tl_trace_write_kernel(tl_trace_writer *writer, const tl_kernel *kernel);
void tl_trace_write_map(tl_trace_writer *writer, const tl_source_map *map);
void tl_trace_write_load(tl_trace_writer *writer, const tl_trace_tile *tile, const tl_tile_load *load,
                         uint32_t coordinate_count);
bool tl_trace_writer_close(tl_trace_writer *writer, tl_input_error *error);

#endif
