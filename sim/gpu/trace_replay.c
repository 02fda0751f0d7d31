/* SPDX-License-Identifier: Apache-2.0 */
/* A trace in memory, sorted by tile, as a source of loads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_file.h"

enum { MAX_TILE_BYTES = 1 << 20 }; /* several times the shared memory of an SM */

typedef struct trace_load {
    uint64_t tile; /* number of the tile over all kernels */
    tl_tile_load load;
} trace_load;

/* The addresses of an operand, and the lines of the first byte and the last. */
typedef struct extent {
    tl_byte_range bytes;
    uint64_t first_line, last_line;
} extent;

struct tl_trace {
    tl_load_source source;
    tl_kernel *kernels;
    uint64_t *first_tile; /* of each kernel */
    uint64_t tile_count;
    tl_source_map *maps;
    uint32_t *ranks;
    trace_load *unsorted;
    size_t load_count;
    tl_tile_load *loads;  /* sorted by tile, else in the order of the file */
    size_t *first_load;   /* of each tile, and one past the last */
    extent extents[TL_OPERAND_COUNT];
};

/* Room for one element more; capacity doubles at powers of two. @return false when memory runs out */
static bool grow(void **array, size_t count, size_t element_bytes)
{
    if (count != 0 && (count & (count - 1)) != 0)
        return true;
    void *larger = realloc(*array, (count == 0 ? 1 : 2 * count) * element_bytes);
    if (larger == NULL)
        return false;
    *array = larger;
    return true;
}

static tl_trace_result no_memory(const tl_trace_reader *reader, tl_input_error *error)
{
    return tl_trace_reader_error(reader, error, "more than memory holds", "a smaller trace");
}

static tl_trace_result refuse_status(const tl_trace_reader *reader, tl_status status, tl_input_error *error)
{
    tl_input_error parts;
    tl_input_error_status(&parts, "", status);
    return tl_trace_reader_error(reader, error, parts.found, "%s", parts.expected);
}

static tl_trace_result add_kernel(tl_trace *trace, const tl_trace_reader *reader, const tl_kernel *kernel,
                                  tl_input_error *error)
{
    const uint32_t index = trace->source.kernel_count;
    if (!grow((void **)&trace->kernels, index, sizeof *trace->kernels) ||
        !grow((void **)&trace->first_tile, index, sizeof *trace->first_tile))
        return no_memory(reader, error);
    trace->kernels[index] = *kernel;
    trace->first_tile[index] = trace->tile_count;
    if ((uint64_t)kernel->cta_count * kernel->step_count > UINT32_MAX)
        return tl_trace_reader_error(reader, error, "more", "at most 2^32 tiles in a kernel");
    trace->tile_count += (uint64_t)kernel->cta_count * kernel->step_count;
    trace->source.kernel_count++;
    return TL_TRACE_LINE;
}

static void widen(extent *to, tl_byte_range by, uint64_t line)
{
    const bool empty = to->first_line == 0;
    if (empty || by.begin < to->bytes.begin) {
        to->bytes.begin = by.begin;
        to->first_line = line;
    }
    if (empty || by.end > to->bytes.end) {
        to->bytes.end = by.end;
        to->last_line = line;
    }
}

static tl_trace_result add_map(tl_trace *trace, const tl_trace_reader *reader, const tl_source_map *map,
                               tl_input_error *error)
{
    const uint32_t index = trace->source.map_count;
    tl_tensor_params params;
    const tl_status status = tl_tensor_map_decode(&map->map, &params);
    if (status != TL_OK)
        return refuse_status(reader, status, error);
    if (!grow((void **)&trace->maps, index, sizeof *trace->maps) ||
        !grow((void **)&trace->ranks, index, sizeof *trace->ranks))
        return no_memory(reader, error);
    trace->maps[index] = *map;
    trace->ranks[index] = params.rank;
    trace->source.map_count++;
    widen(&trace->extents[map->operand], tl_map_range(map), reader->line_number);
    return TL_TRACE_LINE;
}

static tl_trace_result out_of(const tl_trace_reader *reader, const char *what, uint32_t found, uint32_t count,
                              tl_input_error *error)
{
    char text[32];
    snprintf(text, sizeof text, "%s %" PRIu32, what, found);
    return tl_trace_reader_error(reader, error, text, "one of %" PRIu32 ", counted from 0", count);
}

static tl_trace_result check_tile(const tl_trace *trace, const tl_trace_reader *reader, const tl_trace_tile *tile,
                                  tl_input_error *error)
{
    if (tile->kernel >= trace->source.kernel_count)
        return out_of(reader, "kernel", tile->kernel, trace->source.kernel_count, error);
    const tl_kernel *kernel = &trace->kernels[tile->kernel];
    if (tile->cta >= kernel->cta_count)
        return out_of(reader, "CTA", tile->cta, kernel->cta_count, error);
    if (tile->step >= kernel->step_count)
        return out_of(reader, "step", tile->step, kernel->step_count, error);
    return TL_TRACE_LINE;
}

static tl_trace_result check_tma(const tl_trace *trace, const tl_trace_reader *reader, const tl_trace_line *line,
                                 tl_input_error *error)
{
    const uint32_t map = line->load.map;
    if (map >= trace->source.map_count)
        return out_of(reader, "map", map, trace->source.map_count, error);
    if (line->coordinate_count != trace->ranks[map]) {
        char found[32];
        snprintf(found, sizeof found, "%" PRIu32 " coordinates", line->coordinate_count);
        return tl_trace_reader_error(reader, error, found, "%" PRIu32 ", the rank of map %" PRIu32, trace->ranks[map],
                                     map);
    }
    const tl_status status = tl_launch_check(&trace->maps[map].map, &line->load.of.tma);
    if (status != TL_OK)
        return refuse_status(reader, status, error);
    return TL_TRACE_LINE;
}

static tl_trace_result add_load(tl_trace *trace, const tl_trace_reader *reader, const tl_trace_line *line,
                                tl_input_error *error)
{
    tl_trace_result result = check_tile(trace, reader, &line->tile, error);
    if (result == TL_TRACE_LINE && line->load.map != TL_MAP_NONE)
        result = check_tma(trace, reader, line, error);
    if (result != TL_TRACE_LINE)
        return result;
    if (!grow((void **)&trace->unsorted, trace->load_count, sizeof *trace->unsorted))
        return no_memory(reader, error);
    const uint64_t steps = trace->kernels[line->tile.kernel].step_count;
    trace_load *added = &trace->unsorted[trace->load_count++];
    added->tile = trace->first_tile[line->tile.kernel] + line->tile.cta * steps + line->tile.step;
    added->load = line->load;
    if (line->load.map != TL_MAP_NONE) {
        added->load.operand = trace->maps[line->load.map].operand;
        return TL_TRACE_LINE;
    }
    const tl_plain_read *read = &line->load.of.plain;
    widen(&trace->extents[line->load.operand], (tl_byte_range){read->address, read->address + read->bytes},
          reader->line_number);
    return TL_TRACE_LINE;
}

static tl_trace_result add_line(tl_trace *trace, const tl_trace_reader *reader, const tl_trace_line *line,
                                tl_input_error *error)
{
    switch (line->kind) {
    case TL_TRACE_KERNEL:
        return add_kernel(trace, reader, &line->kernel, error);
    case TL_TRACE_MAP:
        return add_map(trace, reader, &line->map, error);
    default:
        return add_load(trace, reader, line, error);
    }
}

/* Counting sort by tile: it keeps the order of the file within a tile. */
static bool sort_loads(tl_trace *trace)
{
    trace->first_load = calloc((size_t)trace->tile_count + 2, sizeof *trace->first_load);
    trace->loads = malloc((trace->load_count + 1) * sizeof *trace->loads);
    if (trace->first_load == NULL || trace->loads == NULL)
        return false;
    size_t *next = trace->first_load + 1; /* becomes first_load once every load has found its place */
    for (size_t k = 0; k < trace->load_count; k++)
        next[trace->unsorted[k].tile + 1]++;
    for (uint64_t tile = 0; tile < trace->tile_count; tile++)
        next[tile + 1] += next[tile];
    for (size_t k = 0; k < trace->load_count; k++)
        trace->loads[next[trace->unsorted[k].tile]++] = trace->unsorted[k].load;
    free(trace->unsorted);
    trace->unsorted = NULL;
    return true;
}

static uint64_t load_bytes(const tl_trace *trace, const tl_tile_load *load)
{
    return load->map == TL_MAP_NONE ? load->of.plain.bytes : tl_load_bytes(&trace->maps[load->map].map);
}

static bool check_tile_size(tl_trace *trace, uint32_t kernel, uint32_t tile, tl_input_error *error)
{
    const uint32_t steps = trace->kernels[kernel].step_count;
    const size_t *first = &trace->first_load[trace->first_tile[kernel] + tile];
    const size_t loads = first[1] - first[0];
    uint64_t bytes = 0;
    for (size_t load = first[0]; load < first[1]; load++)
        bytes += load_bytes(trace, &trace->loads[load]);
    if (loads == 0 || loads > MAX_TILE_BYTES || bytes > MAX_TILE_BYTES) {
        char found[80];
        snprintf(found, sizeof found, "%s: kernel %" PRIu32 ", CTA %" PRIu32 ", step %" PRIu32,
                 loads == 0 ? "no load" : "a larger tile", kernel, tile / steps, tile % steps);
        return tl_input_error_set(error, "trace", found, "1 byte to %d bytes in every tile", MAX_TILE_BYTES);
    }
    if (loads > trace->source.max_loads)
        trace->source.max_loads = (uint32_t)loads;
    if (bytes > trace->source.max_bytes)
        trace->source.max_bytes = (uint32_t)bytes;
    return true;
}

static bool check_tiles(tl_trace *trace, tl_input_error *error)
{
    for (uint32_t kernel = 0; kernel < trace->source.kernel_count; kernel++) {
        const uint32_t tiles = trace->kernels[kernel].cta_count * trace->kernels[kernel].step_count;
        for (uint32_t tile = 0; tile < tiles; tile++)
            if (!check_tile_size(trace, kernel, tile, error))
                return false;
    }
    return true;
}

static uint32_t trace_tile_loads(const void *context, uint32_t kernel, uint32_t cta, uint32_t step,
                                 tl_tile_load *loads)
{
    const tl_trace *trace = context;
    const uint64_t tile = trace->first_tile[kernel] + (uint64_t)cta * trace->kernels[kernel].step_count + step;
    const size_t first = trace->first_load[tile];
    const uint32_t count = (uint32_t)(trace->first_load[tile + 1] - first);
    memcpy(loads, trace->loads + first, count * sizeof *loads);
    return count;
}

/* Every tile has a load, so that there are no more tiles than loads: checked before memory is taken for them. */
static bool finish(tl_trace *trace, tl_input_error *error)
{
    char found[80];
    if (trace->load_count == 0)
        return tl_input_error_set(error, "trace", "no load", "at least one");
    if (trace->tile_count > trace->load_count) {
        snprintf(found, sizeof found, "%zu loads for %" PRIu64 " tiles", trace->load_count, trace->tile_count);
        return tl_input_error_set(error, "trace", found, "at least one load in every tile");
    }
    if (!sort_loads(trace))
        return tl_input_error_set(error, "trace", "more than memory holds", "a smaller trace");
    trace->source.context = trace;
    trace->source.kernels = trace->kernels;
    trace->source.maps = trace->maps;
    trace->source.tile_loads = trace_tile_loads;
    return check_tiles(trace, error);
}

tl_trace *tl_trace_open(const char *path, tl_input_error *error)
{
    tl_trace_reader reader;
    tl_trace_line line;
    tl_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) {
        tl_input_error_set(error, "trace", "no memory left", "memory for a trace");
        return NULL;
    }
    tl_trace_result result = TL_TRACE_BAD;
    if (tl_trace_reader_open(&reader, path, error)) {
        do {
            result = tl_trace_reader_next(&reader, &line, error);
            if (result == TL_TRACE_LINE)
                result = add_line(trace, &reader, &line, error);
        } while (result == TL_TRACE_LINE);
    }
    tl_trace_reader_close(&reader);
    if (result == TL_TRACE_END && finish(trace, error))
        return trace;
    tl_trace_close(trace);
    return NULL;
}

void tl_trace_close(tl_trace *trace)
{
    if (trace == NULL)
        return;
    free(trace->kernels);
    free(trace->first_tile);
    free(trace->maps);
    free(trace->ranks);
    free(trace->unsorted);
    free(trace->loads);
    free(trace->first_load);
    free(trace);
}

const tl_load_source *tl_trace_source(const tl_trace *trace)
{
    return &trace->source;
}

bool tl_trace_check_addresses(const tl_trace *trace, tl_operand operand, tl_byte_range memory, tl_input_error *error)
{
    static const char *const NAMES[TL_OPERAND_COUNT] = {"weights", "activations"};
    const extent *found = &trace->extents[operand];
    const bool below = found->bytes.begin < memory.begin;
    char line[32], text[64];
    if (found->first_line == 0 || (!below && found->bytes.end <= memory.end))
        return true;
    snprintf(line, sizeof line, "line %" PRIu64, below ? found->first_line : found->last_line);
    snprintf(text, sizeof text, "%s at 0x%" PRIx64, NAMES[operand], below ? found->bytes.begin : found->bytes.end - 1);
    return tl_input_error_set(error, line, text, "0x%" PRIx64 " to 0x%" PRIx64 ", the memory that has them",
                              memory.begin, memory.end - 1);
}
