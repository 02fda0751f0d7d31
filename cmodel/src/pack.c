/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole matrices, linear <-> tile-major.
 *
 * Without transposing, a memory tile is b segments of a*s bytes, each one column of the linear matrix further. Both
 * directions write in the order of the destination, past the caches, since nobody reads it soon; and prefetch by
 * hand, since their sources are more streams than a hardware prefetcher follows. Packing writes tile by tile;
 * unpacking a run of neighbouring tiles column by column, so that it too writes whole lines. Both then keep up with
 * memcpy on matrices larger than the caches (target `bench`).
 *
 * With transposing, tiles are visited along the linear matrix's contiguous dimension, so that the a lines and pages
 * that one tile touches serve the next one too.
 */
#include "tilelens/layout.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LINE_BYTES = 64, PREFETCH_BYTES = 512, RUN_BYTES = 1024, STREAM_BYTES = 16, STAGE_BYTES = 4096 };

typedef unsigned char byte;

/* The joint geometry of one copy; i runs along the contiguous dimension of the tile-major layout, j along the other. */
typedef struct geometry {
    size_t s;             /* element size, bytes */
    size_t a, b;          /* memory tile, elements */
    size_t extent_i;      /* of the matrix, elements */
    size_t extent_j;
    size_t tiles_i;       /* memory tiles of the image, padding included */
    size_t tiles_j;
    size_t linear_step;   /* linear matrix: bytes from one index to the next along its non-contiguous dimension */
    bool transposing;     /* the linear matrix is contiguous along j */
} geometry;

/* One memory tile and its counterpart in the linear matrix. */
typedef struct tile_place {
    size_t tile_offset;   /* bytes */
    size_t linear_offset; /* bytes */
    size_t count_i;       /* elements of the matrix in this tile; the rest is padding */
    size_t count_j;
} tile_place;

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
    return g;
}

static size_t clip(size_t extent, size_t start, size_t count)
{
    if (start >= extent)
        return 0;
    return extent - start < count ? extent - start : count;
}

/* Place number n of the visit: along i without transposing, along j with it. */
static tile_place place(const geometry *g, size_t n)
{
    const size_t ti = g->transposing ? n / g->tiles_j : n % g->tiles_i;
    const size_t tj = g->transposing ? n % g->tiles_j : n / g->tiles_i;
    const size_t step_i = g->transposing ? g->linear_step : g->s;
    const size_t step_j = g->transposing ? g->s : g->linear_step;
    const size_t count_i = clip(g->extent_i, ti * g->a, g->a);
    return (tile_place){
        .tile_offset = (tj * g->tiles_i + ti) * g->a * g->b * g->s,
        .linear_offset = count_i == 0 ? 0 : ti * g->a * step_i + tj * g->b * step_j,
        .count_i = count_i,
        .count_j = clip(g->extent_j, tj * g->b, g->b),
    };
}

/* The lines of a segment that is read soon; it may lie beyond the image. */
static void prefetch(const byte *address, size_t ahead_bytes, size_t bytes)
{
#if defined(__GNUC__)
    for (size_t line = 0; line < bytes; line += LINE_BYTES)
        __builtin_prefetch((const void *)((uintptr_t)address + ahead_bytes + line), 0, 2);
#else
    (void)address, (void)ahead_bytes, (void)bytes;
#endif
}

/* memcpy past the caches where the processor can; `dst` is read again long after, or by somebody else. */
static void stream(byte *dst, const byte *src, size_t bytes)
{
#if defined(__SSE2__)
    if ((uintptr_t)dst % STREAM_BYTES == 0) {
        for (; bytes >= STREAM_BYTES; bytes -= STREAM_BYTES, dst += STREAM_BYTES, src += STREAM_BYTES)
            _mm_stream_si128((__m128i *)(void *)dst, _mm_loadu_si128((const __m128i *)(const void *)src));
    }
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

/* One memory tile, segment by segment. */
static void pack_tile(const geometry *g, byte *tile, const byte *linear, const tile_place *p)
{
    const size_t bytes = p->count_i * g->s;
    for (size_t j = 0; j < p->count_j; j++, tile += g->a * g->s, linear += g->linear_step) {
        prefetch(linear, PREFETCH_BYTES, bytes);
        stream(tile, linear, bytes);
    }
}

/* `tiles` neighbouring memory tiles, column by column; the last one may hold fewer than a rows. */
static void unpack_run(const geometry *g, byte *linear, const byte *tile, size_t tiles, size_t rows, size_t columns)
{
    const size_t segment_bytes = g->a * g->s;
    const size_t tile_bytes = g->b * segment_bytes;

    for (size_t j = 0; j < columns; j++) {
        for (size_t t = 0; t < tiles; t++) {
            const size_t bytes = clip(rows, t * g->a, g->a) * g->s;
            const byte *segment = tile + t * tile_bytes + j * segment_bytes;
            if (bytes == 0)
                break;
            prefetch(segment, tiles * tile_bytes, segment_bytes);
            stream(linear + j * g->linear_step + t * segment_bytes, segment, bytes);
        }
    }
}

/* dst[c][r] = src[r][c], both at most STAGE_BYTES and in the caches. `s` is a constant at each call. */
static inline void transpose_elements(byte *dst, size_t dst_step, const byte *src, size_t src_step, size_t rows,
                                      size_t columns, size_t s)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy(dst + c * dst_step + r * s, src + r * src_step + c * s, s);
}

/* One block, by way of a buffer that stays in the cache: the destination is written in whole lines, past the caches. */
static void transpose_block(byte *dst, size_t dst_step, const byte *src, size_t src_step, size_t rows, size_t columns,
                            size_t s)
{
    byte stage[STAGE_BYTES];
    const size_t stage_step = rows * s;

    for (size_t r = 0; r < rows; r++)
        prefetch(src + r * src_step, columns * s, columns * s);
    switch (s) {
    case 1: transpose_elements(stage, stage_step, src, src_step, rows, columns, 1); break;
    case 2: transpose_elements(stage, stage_step, src, src_step, rows, columns, 2); break;
    case 4: transpose_elements(stage, stage_step, src, src_step, rows, columns, 4); break;
    default: transpose_elements(stage, stage_step, src, src_step, rows, columns, 8); break;
    }
    for (size_t c = 0; c < columns; c++)
        stream(dst + c * dst_step, stage + c * stage_step, rows * s);
}

/* dst[c][r] = src[r][c] for one memory tile, cut into blocks of whole lines on both sides. */
static void transpose_tile(byte *dst, size_t dst_step, const byte *src, size_t src_step, size_t rows, size_t columns,
                           size_t s)
{
    const size_t block = STAGE_BYTES / LINE_BYTES; /* rows of a line each, or lines of a row each */
    const size_t width = LINE_BYTES / s;

    for (size_t c = 0; c < columns; c += width)
        for (size_t r = 0; r < rows; r += block)
            transpose_block(dst + c * dst_step + r * s, dst_step, src + r * src_step + c * s, src_step,
                            clip(rows, r, block), clip(columns, c, width), s);
}

static void clear_padding(const geometry *g, byte *tile, const tile_place *p)
{
    const size_t segment_bytes = g->a * g->s;
    const size_t used_bytes = p->count_i * g->s;

    if (used_bytes < segment_bytes)
        for (size_t j = 0; j < p->count_j; j++)
            memset(tile + j * segment_bytes + used_bytes, 0, segment_bytes - used_bytes);
    if (p->count_j < g->b)
        memset(tile + p->count_j * segment_bytes, 0, (g->b - p->count_j) * segment_bytes);
}

tl_status tl_pack(const tl_layout *linear, const void *linear_image, const tl_layout *tiled, void *tiled_image)
{
    const tl_status status = check_pair(linear, linear_image, tiled, tiled_image);
    if (status != TL_OK)
        return status;

    const geometry g = join(linear, tiled);
    for (size_t n = 0; n < g.tiles_i * g.tiles_j; n++) {
        const tile_place p = place(&g, n);
        byte *tile = (byte *)tiled_image + p.tile_offset;
        const byte *source = (const byte *)linear_image + p.linear_offset;
        if (g.transposing)
            transpose_tile(tile, g.a * g.s, source, g.linear_step, p.count_i, p.count_j, g.s);
        else
            pack_tile(&g, tile, source, &p);
        clear_padding(&g, tile, &p);
    }
    finish_stream();
    return TL_OK;
}

tl_status tl_unpack(const tl_layout *tiled, const void *tiled_image, const tl_layout *linear, void *linear_image)
{
    const tl_status status = check_pair(linear, linear_image, tiled, tiled_image);
    if (status != TL_OK)
        return status;

    const geometry g = join(linear, tiled);
    const size_t run = g.transposing || g.a * g.s >= RUN_BYTES ? 1 : RUN_BYTES / (g.a * g.s);
    for (size_t n = 0; n < g.tiles_i * g.tiles_j;) {
        const tile_place p = place(&g, n);
        const byte *tile = (const byte *)tiled_image + p.tile_offset;
        byte *target = (byte *)linear_image + p.linear_offset;
        if (g.transposing) {
            transpose_tile(target, g.linear_step, tile, g.a * g.s, p.count_j, p.count_i, g.s);
            n++;
        } else {
            const size_t tiles = clip(g.tiles_i, n % g.tiles_i, run);
            unpack_run(&g, target, tile, tiles, clip(g.extent_i, n % g.tiles_i * g.a, tiles * g.a), p.count_j);
            n += tiles;
        }
    }
    finish_stream();
    return TL_OK;
}
