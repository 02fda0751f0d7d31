/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole matrices, linear <-> tile-major. i runs along the contiguous dimension of the tile-major layout, j along the
 * other, as in Eq. 1-2.
 *
 * Without transposing, a memory tile is b segments of a*s bytes, each one column of the linear matrix further. Both
 * directions take a run of neighbouring tiles column by column: long enough to read and write whole lines, short
 * enough for few streams on the tile side. They write past the caches, since nobody reads the result soon, and
 * prefetch by hand, since they read more streams than a hardware prefetcher follows. Both keep up with memcpy on
 * matrices larger than the caches (target `bench`).
 *
 * With transposing, elements pass through a small buffer, so that both matrices are touched in whole lines; tiles are
 * visited along the linear matrix's contiguous dimension, where the next tile needs the same pages.
 */
#include "tilelens/layout.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    LINE_BYTES = 64,
    STREAM_BYTES = 16,
    PREFETCH_BYTES = 512,
    PACK_RUN_BYTES = 128,
    UNPACK_RUN_BYTES = 1024,
    PACK_ROWS = 64,       /* transposing: linear rows of a line each that meet in the buffer */
    UNPACK_COLUMNS = 256, /* transposing: linear elements of a row that meet in the buffer */
    STAGE_BYTES = LINE_BYTES * UNPACK_COLUMNS
};

typedef unsigned char byte;

/* The joint geometry of one copy. */
typedef struct geometry {
    size_t s;             /* element size, bytes */
    size_t a, b;          /* memory tile, elements */
    size_t extent_i;      /* of the matrix, elements */
    size_t extent_j;
    size_t tiles_i;       /* memory tiles of the image, padding included */
    size_t tiles_j;
    size_t segment_bytes; /* a * s: one column of a memory tile */
    size_t tile_bytes;    /* a * b * s */
    size_t linear_step;   /* linear matrix: bytes from one index to the next along its non-contiguous dimension */
    bool transposing;     /* the linear matrix is contiguous along j */
} geometry;

static tl_status check_pair(const tl_layout *linear, const void *linear_image, const tl_layout *tiled,
                            const void *tiled_image)
{
    tl_status status = tl_layout_check(linear);
    if (status == TL_OK)
        status = tl_layout_check(tiled);
    if (status != TL_OK)
        return status;
    if (linear_image == NULL || tiled_image == NULL)
        return TL_ERR_NULL;
    if (linear->memory_tile[0] != 1 || linear->memory_tile[1] != 1 || tiled->memory_tile[0] == 1 ||
        linear->rows != tiled->rows || linear->columns != tiled->columns ||
        linear->element_bytes != tiled->element_bytes || tl_layout_bytes(linear) > SIZE_MAX ||
        tl_layout_bytes(tiled) > SIZE_MAX)
        return TL_ERR_LAYOUT;
    return TL_OK;
}

static geometry join(const tl_layout *linear, const tl_layout *tiled)
{
    const bool column_major = tiled->order == TL_COLUMN_MAJOR;
    geometry g = {
        .s = tiled->element_bytes,
        .a = tiled->memory_tile[0],
        .b = tiled->memory_tile[1],
        .extent_i = (size_t)(column_major ? tiled->rows : tiled->columns),
        .extent_j = (size_t)(column_major ? tiled->columns : tiled->rows),
        .linear_step = (size_t)linear->leading * linear->element_bytes,
        .transposing = linear->order != tiled->order,
    };
    g.tiles_i = (size_t)tiled->leading / g.a;
    g.tiles_j = (g.extent_j + g.b - 1) / g.b;
    g.segment_bytes = g.a * g.s;
    g.tile_bytes = g.b * g.segment_bytes;
    return g;
}

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* How much of [start, start + count) lies below `extent`. */
static size_t clip(size_t extent, size_t start, size_t count)
{
    return start >= extent ? 0 : smaller(extent - start, count);
}

/* The lines of a segment that is read soon; it may lie beyond the image, where pointer arithmetic is undefined. */
static void prefetch(const byte *address, size_t ahead_bytes, size_t bytes)
{
#if defined(__GNUC__)
    const uintptr_t first = (uintptr_t)address + ahead_bytes;
    for (size_t line = 0; line < bytes; line += LINE_BYTES)
        __builtin_prefetch((const void *)(first + line), 0, 2); /* NOLINT(performance-no-int-to-ptr) */
#else
    (void)address, (void)ahead_bytes, (void)bytes;
#endif
}

#if defined(__SSE2__)
/* One line past the caches: all loads before all stores, so that the line leaves the processor in one piece. */
static void stream_line(byte *dst, const byte *src)
{
    const __m128i *from = (const __m128i *)(const void *)src;
    __m128i *to = (__m128i *)(void *)dst;
    const __m128i part0 = _mm_loadu_si128(from);
    const __m128i part1 = _mm_loadu_si128(from + 1);
    const __m128i part2 = _mm_loadu_si128(from + 2);
    const __m128i part3 = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, part0);
    _mm_stream_si128(to + 1, part1);
    _mm_stream_si128(to + 2, part2);
    _mm_stream_si128(to + 3, part3);
}
#endif

/* memcpy, past the caches where the processor can; `dst` is read again long after, or by somebody else. */
static void stream(byte *dst, const byte *src, size_t bytes)
{
#if defined(__SSE2__)
    if ((uintptr_t)dst % STREAM_BYTES == 0)
        for (; bytes >= LINE_BYTES; bytes -= LINE_BYTES, dst += LINE_BYTES, src += LINE_BYTES)
            stream_line(dst, src);
#endif
    memcpy(dst, src, bytes);
}

/* Streamed stores are weakly ordered: make them visible before anything that follows the copy. */
static void finish_stream(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/* `rows` and `columns` elements of neighbouring memory tiles, column by column; the last tile may be cut. */
static void pack_run(const geometry *g, byte *tile, const byte *linear, size_t rows, size_t columns)
{
    for (size_t j = 0; j < columns; j++) {
        const byte *source = linear + j * g->linear_step;
        byte *target = tile + j * g->segment_bytes;
        prefetch(source, PREFETCH_BYTES, rows * g->s);
        for (size_t i = 0; i < rows; i += g->a, source += g->segment_bytes, target += g->tile_bytes)
            stream(target, source, smaller(g->a, rows - i) * g->s);
    }
}

static void unpack_run(const geometry *g, byte *linear, const byte *tile, size_t rows, size_t columns)
{
    const size_t run_bytes = (rows + g->a - 1) / g->a * g->tile_bytes;
    for (size_t j = 0; j < columns; j++) {
        const byte *source = tile + j * g->segment_bytes;
        byte *target = linear + j * g->linear_step;
        for (size_t i = 0; i < rows; i += g->a, source += g->tile_bytes, target += g->segment_bytes) {
            prefetch(source, run_bytes, g->segment_bytes);
            stream(target, source, smaller(g->a, rows - i) * g->s);
        }
    }
}

/* dst[c][r] = src[r][c]. `s` is a constant at each call. */
static inline void transpose_elements(byte *dst, size_t dst_step, const byte *src, size_t src_step, size_t rows,
                                      size_t columns, size_t s)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy(dst + c * dst_step + r * s, src + r * src_step + c * s, s);
}

static void transpose(byte *dst, size_t dst_step, const byte *src, size_t src_step, size_t rows, size_t columns,
                      size_t s)
{
    switch (s) {
    case 1: transpose_elements(dst, dst_step, src, src_step, rows, columns, 1); break;
    case 2: transpose_elements(dst, dst_step, src, src_step, rows, columns, 2); break;
    case 4: transpose_elements(dst, dst_step, src, src_step, rows, columns, 4); break;
    default: transpose_elements(dst, dst_step, src, src_step, rows, columns, 8); break;
    }
}

/* One memory tile: PACK_ROWS linear rows of one line each become columns of the tile. */
static void pack_transposed(const geometry *g, byte *tile, const byte *linear, size_t rows, size_t columns)
{
    const size_t width = LINE_BYTES / g->s;
    byte stage[STAGE_BYTES];

    for (size_t j = 0; j < columns; j += width) {
        for (size_t i = 0; i < rows; i += PACK_ROWS) {
            const size_t block_rows = smaller(PACK_ROWS, rows - i);
            const size_t block_columns = smaller(width, columns - j);
            const byte *source = linear + i * g->linear_step + j * g->s;
            byte *target = tile + j * g->segment_bytes + i * g->s;
            for (size_t r = 0; r < block_rows; r++)
                prefetch(source + r * g->linear_step, LINE_BYTES, LINE_BYTES);
            transpose(stage, block_rows * g->s, source, g->linear_step, block_rows, block_columns, g->s);
            for (size_t c = 0; c < block_columns; c++)
                stream(target + c * g->segment_bytes, stage + c * block_rows * g->s, block_rows * g->s);
        }
    }
}

/* The columns j.. of a row of memory tiles: lines of tile columns become `columns` elements of `rows` linear rows. */
static void unpack_transposed(const geometry *g, byte *linear, const byte *tile_row, size_t j, size_t rows,
                              size_t columns)
{
    const size_t width = LINE_BYTES / g->s;
    byte stage[STAGE_BYTES];

    for (size_t i = 0; i < rows; i += width) {
        const size_t block_rows = smaller(width, rows - i);
        size_t part;
        for (size_t c = 0; c < columns; c += part) { /* a part lies in one memory tile */
            const size_t tile = (j + c) / g->b;
            const size_t column = (j + c) % g->b;
            const byte *source = tile_row + tile * g->tiles_i * g->tile_bytes + column * g->segment_bytes + i * g->s;
            part = smaller(g->b - column, columns - c);
            transpose(stage + c * g->s, columns * g->s, source, g->segment_bytes, part, block_rows, g->s);
        }
        for (size_t r = 0; r < block_rows; r++)
            stream(linear + (i + r) * g->linear_step, stage + r * columns * g->s, columns * g->s);
    }
}

/* What lies in a memory tile beyond its `rows` x `columns` elements of the matrix. */
static void clear_padding(const geometry *g, byte *tile, size_t rows, size_t columns)
{
    const size_t used_bytes = rows * g->s;
    if (used_bytes < g->segment_bytes)
        for (size_t j = 0; j < columns; j++)
            memset(tile + j * g->segment_bytes + used_bytes, 0, g->segment_bytes - used_bytes);
    if (columns < g->b)
        memset(tile + columns * g->segment_bytes, 0, (g->b - columns) * g->segment_bytes);
}

static void clear_all_padding(const geometry *g, byte *image)
{
    for (size_t tj = 0; tj < g->tiles_j; tj++) {
        const size_t columns = clip(g->extent_j, tj * g->b, g->b);
        /* tiles that are full along i have none, but in the last tile column */
        const size_t first = columns < g->b ? 0 : g->extent_i / g->a;
        for (size_t ti = first; ti < g->tiles_i; ti++)
            clear_padding(g, image + (tj * g->tiles_i + ti) * g->tile_bytes, clip(g->extent_i, ti * g->a, g->a),
                          columns);
    }
}

/* Elements along i of a run of whole tiles that is about `run_bytes` wide. */
static size_t run_rows(const geometry *g, size_t run_bytes)
{
    return g->segment_bytes >= run_bytes ? g->a : run_bytes / g->segment_bytes * g->a;
}

tl_status tl_pack(const tl_layout *linear, const void *linear_image, const tl_layout *tiled, void *tiled_image)
{
    const tl_status status = check_pair(linear, linear_image, tiled, tiled_image);
    if (status != TL_OK)
        return status;

    const geometry g = join(linear, tiled);
    const byte *source = linear_image;
    byte *target = tiled_image;
    if (g.transposing) {
        for (size_t i = 0; i < g.extent_i; i += g.a)
            for (size_t j = 0; j < g.extent_j; j += g.b)
                pack_transposed(&g, target + j * g.tiles_i * g.segment_bytes + i * g.b * g.s,
                                source + i * g.linear_step + j * g.s, clip(g.extent_i, i, g.a),
                                clip(g.extent_j, j, g.b));
    } else {
        const size_t rows = run_rows(&g, PACK_RUN_BYTES);
        for (size_t j = 0; j < g.extent_j; j += g.b)
            for (size_t i = 0; i < g.extent_i; i += rows)
                pack_run(&g, target + j * g.tiles_i * g.segment_bytes + i * g.b * g.s,
                         source + j * g.linear_step + i * g.s, clip(g.extent_i, i, rows), clip(g.extent_j, j, g.b));
    }
    clear_all_padding(&g, target);
    finish_stream();
    return TL_OK;
}

tl_status tl_unpack(const tl_layout *tiled, const void *tiled_image, const tl_layout *linear, void *linear_image)
{
    const tl_status status = check_pair(linear, linear_image, tiled, tiled_image);
    if (status != TL_OK)
        return status;

    const geometry g = join(linear, tiled);
    const byte *source = tiled_image;
    byte *target = linear_image;
    if (g.transposing) {
        for (size_t i = 0; i < g.extent_i; i += g.a)
            for (size_t j = 0; j < g.extent_j; j += UNPACK_COLUMNS)
                unpack_transposed(&g, target + i * g.linear_step + j * g.s, source + i * g.b * g.s, j,
                                  clip(g.extent_i, i, g.a), clip(g.extent_j, j, UNPACK_COLUMNS));
    } else {
        const size_t rows = run_rows(&g, UNPACK_RUN_BYTES);
        for (size_t j = 0; j < g.extent_j; j += g.b)
            for (size_t i = 0; i < g.extent_i; i += rows)
                unpack_run(&g, target + j * g.linear_step + i * g.s,
                           source + j * g.tiles_i * g.segment_bytes + i * g.b * g.s, clip(g.extent_i, i, rows),
                           clip(g.extent_j, j, g.b));
    }
    finish_stream();
    return TL_OK;
}
