/* SPDX-License-Identifier: Apache-2.0 */
/* Traces written: lines, and a recorder of a source's tiles. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace_file.h"

static const char *operand_name(tl_operand operand)
{
    return operand == TL_OPERAND_WEIGHT ? "weight" : "activation";
}

static void note(tl_trace_writer *writer, int written)
{
    writer->failed = writer->failed || written <= 0;
}

bool tl_trace_writer_open(tl_trace_writer *writer, const char *path, tl_input_error *error)
{
    const size_t length = strlen(path);
    const bool compressed = length >= 3 && strcmp(path + length - 3, ".gz") == 0;
    *writer = (tl_trace_writer){.file = gzopen(path, compressed ? "wb6" : "wbT")};
    if (writer->file == NULL)
        return tl_input_error_set(error, "trace", "a file that cannot be written", "a place for a trace");
    note(writer, gzputs(writer->file, "tilelens-trace 1\n"));
    return true;
}

void tl_trace_write_kernel(tl_trace_writer *writer, const tl_kernel *kernel)
{
    note(writer, gzprintf(writer->file, "kernel %s %" PRIu32 " %" PRIu32 " %" PRIu64, kernel->name, kernel->cta_count,
                          kernel->step_count, kernel->compute_ps));
    note(writer, gzprintf(writer->file, " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", kernel->ctas_per_sm, kernel->stages,
                          kernel->tiles_in_flight));
}

void tl_trace_write_map(tl_trace_writer *writer, const tl_source_map *map)
{
    char hex[2 * sizeof map->map + 1];
    for (size_t byte = 0; byte < sizeof map->map; byte++) {
        const unsigned value = (unsigned)(map->map.word[byte / 8] >> (byte % 8 * 8)) & 0xff;
        hex[2 * byte] = "0123456789abcdef"[value >> 4];
        hex[2 * byte + 1] = "0123456789abcdef"[value & 15];
    }
    hex[sizeof hex - 1] = '\0';
    note(writer, gzprintf(writer->file, "map %s %s\n", operand_name(map->operand), hex));
}

void tl_trace_write_load(tl_trace_writer *writer, const tl_trace_tile *tile, const tl_tile_load *load,
                         uint32_t coordinate_count)
{
    writer->load_count++;
    if (load->map == TL_MAP_NONE) {
        note(writer, gzprintf(writer->file, "read %" PRIu32 " %" PRIu32 " %" PRIu32 " %s 0x%" PRIx64 " %" PRIu32 "\n",
                              tile->kernel, tile->cta, tile->step, operand_name(load->operand), load->of.plain.address,
                              load->of.plain.bytes));
        return;
    }
    note(writer, gzprintf(writer->file, "load %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " 0x%" PRIx32, tile->kernel,
                          tile->cta, tile->step, load->map, load->of.tma.shared_address));
    for (uint32_t k = 0; k < coordinate_count; k++)
        note(writer, gzprintf(writer->file, " %" PRId32, load->of.tma.coordinates[k]));
    note(writer, gzputc(writer->file, '\n'));
}

bool tl_trace_writer_close(tl_trace_writer *writer, tl_input_error *error)
{
    note(writer, gzprintf(writer->file, "end %" PRIu64 "\n", writer->load_count));
    const bool closed = gzclose(writer->file) == Z_OK;
    writer->file = NULL;
    if (closed && !writer->failed)
        return true;
    return tl_input_error_set(error, "trace", "a write error", "room for the trace");
}

struct tl_trace_recorder {
    tl_trace_writer writer;
    uint32_t *ranks; /* of the maps */
};

static bool find_ranks(tl_trace_recorder *recorder, const tl_load_source *source)
{
    recorder->ranks = calloc((size_t)source->map_count + 1, sizeof *recorder->ranks);
    for (uint32_t map = 0; recorder->ranks != NULL && map < source->map_count; map++) {
        tl_tensor_params params;
        if (tl_tensor_map_decode(&source->maps[map].map, &params) == TL_OK)
            recorder->ranks[map] = params.rank;
    }
    return recorder->ranks != NULL;
}

tl_trace_recorder *tl_trace_record_open(const char *path, const tl_load_source *source, tl_input_error *error)
{
    tl_trace_recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL || !find_ranks(recorder, source)) {
        free(recorder);
        tl_input_error_set(error, "trace", "no memory left", "memory for a recorder");
        return NULL;
    }
    if (!tl_trace_writer_open(&recorder->writer, path, error)) {
        free(recorder->ranks);
        free(recorder);
        return NULL;
    }
    for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++)
        tl_trace_write_kernel(&recorder->writer, &source->kernels[kernel]);
    for (uint32_t map = 0; map < source->map_count; map++)
        tl_trace_write_map(&recorder->writer, &source->maps[map]);
    return recorder;
}

void tl_trace_record_tile(tl_trace_recorder *recorder, uint32_t kernel, uint32_t cta, uint32_t step,
                          const tl_tile_load *loads, uint32_t load_count)
{
    const tl_trace_tile tile = {kernel, cta, step};
    for (uint32_t k = 0; k < load_count; k++)
        tl_trace_write_load(&recorder->writer, &tile, &loads[k],
                            loads[k].map == TL_MAP_NONE ? 0 : recorder->ranks[loads[k].map]);
}

bool tl_trace_record_close(tl_trace_recorder *recorder, tl_input_error *error)
{
    const bool good = tl_trace_writer_close(&recorder->writer, error);
    free(recorder->ranks);
    free(recorder);
    return good;
}
