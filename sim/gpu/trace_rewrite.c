/* SPDX-License-Identifier: Apache-2.0 */
/* Plain reads of a linear matrix, moved to its tile-major image: what an instrumented binary would read. */
#include "tilelens/offset.h"
#include "trace_file.h"

typedef struct tile_mapping {
    tl_operand operand;
    uint64_t linear_address, linear_bytes;
    uint64_t linear_leading; /* elements */
    uint64_t tiled_address;
    uint64_t tiled_leading;
    uint32_t element_bytes;
    tl_log2 log2_a, log2_b;
} tile_mapping;

static tl_log2 log2_of(uint32_t power)
{
    tl_log2 log2 = 0;
    while (((uint32_t)1 << log2) < power)
        log2++;
    return log2;
}

static bool make_mapping(const tl_trace_rewriting *from, tile_mapping *to, tl_input_error *error)
{
    const tl_layout *linear = &from->linear;
    const uint32_t a = from->memory_tile[0], b = from->memory_tile[1];
    tl_layout tiled = tl_layout_tile_major(linear->order, linear->rows, linear->columns, linear->element_bytes, a, b);
    tl_status status = tl_layout_check(linear);
    if (status == TL_OK && (linear->memory_tile[0] != 1 || linear->memory_tile[1] != 1))
        status = TL_ERR_LAYOUT;
    if (status == TL_OK) {
        /* Padding of the original stays: every address inside it has a place. */
        const uint64_t width = linear->leading > tiled.leading ? linear->leading : tiled.leading;
        tiled.leading = a == 0 ? width : (width + a - 1) / a * a;
        status = tl_layout_check(&tiled);
    }
    if (status != TL_OK)
        return tl_input_error_status(error, "memory_tile", status);
    if (from->linear_address > UINT64_MAX - tl_layout_bytes(linear) ||
        from->tiled_address > UINT64_MAX - tl_layout_bytes(&tiled))
        return tl_input_error_set(error, "address", "a matrix over the end of memory", "one below 2^64");
    *to = (tile_mapping){
        .operand = from->operand,
        .linear_address = from->linear_address,
        .linear_bytes = tl_layout_bytes(linear),
        .linear_leading = linear->leading,
        .tiled_address = from->tiled_address,
        .tiled_leading = tiled.leading,
        .element_bytes = linear->element_bytes,
        .log2_a = log2_of(a),
        .log2_b = log2_of(b),
    };
    return true;
}

/* Bytes from here to where the tile-major image stops being contiguous: the end of a memory tile's row, or of the
 * matrix's. */
static uint64_t run_bytes(const tile_mapping *mapping, uint64_t offset)
{
    const uint64_t leading_bytes = mapping->linear_leading * mapping->element_bytes;
    const uint64_t tile_bytes = (uint64_t)mapping->element_bytes << mapping->log2_a;
    const uint64_t in_row = offset % leading_bytes;
    const uint64_t to_tile = tile_bytes - in_row % tile_bytes;
    return to_tile < leading_bytes - in_row ? to_tile : leading_bytes - in_row;
}

static uint64_t tiled_address(const tile_mapping *mapping, uint64_t offset)
{
    const uint64_t element = offset / mapping->element_bytes;
    const uint64_t tiled = tl_tile_major_offset(element % mapping->linear_leading, element / mapping->linear_leading,
                                                mapping->tiled_leading, mapping->log2_a, mapping->log2_b);
    return mapping->tiled_address + tiled * mapping->element_bytes + offset % mapping->element_bytes;
}

/* Neighbouring runs that are neighbours in the image too become one read: a whole memory tile, for one. */
static void write_runs(const tile_mapping *mapping, tl_trace_writer *writer, const tl_trace_line *line)
{
    uint64_t offset = line->load.of.plain.address - mapping->linear_address;
    uint64_t left = line->load.of.plain.bytes;
    tl_tile_load piece = line->load;
    piece.of.plain.bytes = 0;
    while (left != 0) {
        const uint64_t run = run_bytes(mapping, offset) < left ? run_bytes(mapping, offset) : left;
        const uint64_t address = tiled_address(mapping, offset);
        if (piece.of.plain.bytes != 0 && piece.of.plain.address + piece.of.plain.bytes != address) {
            tl_trace_write_load(writer, &line->tile, &piece, 0);
            piece.of.plain.bytes = 0;
        }
        if (piece.of.plain.bytes == 0)
            piece.of.plain.address = address;
        piece.of.plain.bytes += (uint32_t)run;
        offset += run;
        left -= run;
    }
    tl_trace_write_load(writer, &line->tile, &piece, 0);
}

static tl_trace_result rewrite_load(const tile_mapping *mapping, const tl_trace_reader *reader, tl_trace_writer *writer,
                                    const tl_trace_line *line, uint64_t *rewritten, tl_input_error *error)
{
    const uint64_t first = line->load.of.plain.address, last = first + line->load.of.plain.bytes - 1;
    const uint64_t end = mapping->linear_address + mapping->linear_bytes;
    const bool plain = line->load.map == TL_MAP_NONE && line->load.operand == mapping->operand;
    const bool first_inside = plain && first >= mapping->linear_address && first < end;
    const bool last_inside = plain && last >= mapping->linear_address && last < end;

    if (first_inside != last_inside || (plain && first < mapping->linear_address && last >= end))
        return tl_trace_reader_error(reader, error, "a read over the edge of the matrix",
                                     "reads inside or outside of 0x%llx..0x%llx",
                                     (unsigned long long)mapping->linear_address, (unsigned long long)(end - 1));
    if (first_inside) {
        write_runs(mapping, writer, line);
        ++*rewritten;
    } else {
        tl_trace_write_load(writer, &line->tile, &line->load, line->coordinate_count);
    }
    return TL_TRACE_LINE;
}

static tl_trace_result copy_line(const tile_mapping *mapping, const tl_trace_reader *reader, tl_trace_writer *writer,
                                 const tl_trace_line *line, uint64_t *rewritten, tl_input_error *error)
{
    if (line->kind == TL_TRACE_LOAD)
        return rewrite_load(mapping, reader, writer, line, rewritten, error);
    if (line->kind == TL_TRACE_KERNEL)
        tl_trace_write_kernel(writer, &line->kernel);
    else
        tl_trace_write_map(writer, &line->map);
    return TL_TRACE_LINE;
}

bool tl_trace_rewrite(const char *from_path, const char *to_path, const tl_trace_rewriting *rewriting,
                      uint64_t *rewritten, tl_input_error *error)
{
    tile_mapping mapping = {0};
    tl_trace_reader reader;
    tl_trace_writer writer;
    tl_trace_line line;

    *rewritten = 0;
    if (!make_mapping(rewriting, &mapping, error))
        return false;
    if (!tl_trace_reader_open(&reader, from_path, error) || !tl_trace_writer_open(&writer, to_path, error)) {
        tl_trace_reader_close(&reader);
        return false;
    }
    tl_trace_result result;
    do {
        result = tl_trace_reader_next(&reader, &line, error);
        if (result == TL_TRACE_LINE)
            result = copy_line(&mapping, &reader, &writer, &line, rewritten, error);
    } while (result == TL_TRACE_LINE);
    tl_trace_reader_close(&reader);
    tl_input_error write_error;
    const bool written = tl_trace_writer_close(&writer, &write_error);
    if (result == TL_TRACE_END && !written)
        *error = write_error;
    return result == TL_TRACE_END && written;
}
