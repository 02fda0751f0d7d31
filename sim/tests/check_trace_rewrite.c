/* SPDX-License-Identifier: Apache-2.0 */
/* Plain reads of a linear matrix rewritten to its tile-major image. */
#include "trace_fixture.h"

typedef struct matrix_case {
    tl_order order;
    uint64_t rows, columns, leading;
    uint32_t element_bytes, a, b;
} matrix_case;

static const matrix_case MATRICES[] = {
    {TL_COLUMN_MAJOR, 256, 64, 256, 2, 64, 32}, {TL_ROW_MAJOR, 64, 256, 256, 2, 64, 32},
    {TL_COLUMN_MAJOR, 200, 50, 200, 2, 64, 32}, /* neither a multiple */
    {TL_COLUMN_MAJOR, 192, 40, 208, 1, 128, 32}, /* padded by less than a memory tile */
    {TL_ROW_MAJOR, 33, 100, 120, 4, 8, 16},
};
enum { MATRIX_COUNT = sizeof MATRICES / sizeof MATRICES[0] };

static tl_trace_rewriting rewriting_of(const matrix_case *matrix)
{
    tl_trace_rewriting rewriting = {
        .operand = TL_OPERAND_WEIGHT,
        .linear = tl_layout_linear(matrix->order, matrix->rows, matrix->columns, matrix->element_bytes),
        .linear_address = 0x10000,
        .tiled_address = 0x7000000,
        .memory_tile = {matrix->a, matrix->b},
    };
    rewriting.linear.leading = matrix->leading;
    return rewriting;
}

/* Address of every byte of a source's only tile, in order. */
static size_t bytes_of(const tl_load_source *source, uint64_t *addresses, size_t capacity)
{
    tl_tile_load *loads = malloc(source->max_loads * sizeof *loads);
    size_t count = 0;
    ck_assert_ptr_nonnull(loads);
    const uint32_t load_count = source->tile_loads(source->context, 0, 0, 0, loads);
    for (uint32_t k = 0; k < load_count; k++) {
        ck_assert_uint_eq(loads[k].map, TL_MAP_NONE);
        for (uint32_t byte = 0; byte < loads[k].of.plain.bytes && count < capacity; byte++)
            addresses[count++] = loads[k].of.plain.address + byte;
    }
    free(loads);
    return count;
}

/* Where a byte of the linear matrix belongs, by the inverse of Eq. 1-2 and Eq. 1-2; padding has no element. */
static bool expected_address(const tl_trace_rewriting *rewriting, const tl_layout *tiled, uint64_t linear_address,
                             uint64_t *address)
{
    const uint64_t offset = linear_address - rewriting->linear_address;
    const uint32_t s = rewriting->linear.element_bytes;
    uint64_t row, column, element;
    if (tl_layout_index(&rewriting->linear, offset / s, &row, &column) != TL_OK ||
        tl_layout_offset(tiled, row, column, &element) != TL_OK)
        return false;
    *address = rewriting->tiled_address + element * s + offset % s;
    return true;
}

START_TEST(rewriting_follows_eq_2)
{
    const matrix_case *matrix = &MATRICES[_i];
    const tl_trace_rewriting rewriting = rewriting_of(matrix);
    const uint64_t bytes = tl_layout_bytes(&rewriting.linear);
    tl_layout tiled = tl_layout_tile_major(matrix->order, matrix->rows, matrix->columns, matrix->element_bytes,
                                           matrix->a, matrix->b);
    if (tiled.leading < matrix->leading)
        tiled.leading = (matrix->leading + matrix->a - 1) / matrix->a * matrix->a;

    FILE *file = fopen(plain_path, "w");
    uint64_t state = 1, reads = 0;
    ck_assert_ptr_nonnull(file);
    fprintf(file, "tilelens-trace 1\nkernel k 1 1 100 1 1 1\n");
    for (uint64_t at = 0; at < bytes; reads++) { /* all bytes, in reads of any length and alignment */
        const uint64_t length = 1 + random_below(&state, 700);
        const uint64_t read = length < bytes - at ? length : bytes - at;
        fprintf(file, "read 0 0 0 weight %llu %llu\n", (unsigned long long)(rewriting.linear_address + at),
                (unsigned long long)read);
        at += read;
    }
    fprintf(file, "end %llu\n", (unsigned long long)reads);
    fclose(file);

    tl_input_error error;
    uint64_t rewritten, wrong = 0;
    ck_assert_msg(tl_trace_rewrite(plain_path, other_path, &rewriting, &rewritten, &error), "%s: %s, %s", error.path,
                  error.found, error.expected);
    ck_assert_uint_eq(rewritten, reads);
    tl_trace *from = open_trace(plain_path), *to = open_trace(other_path);
    uint64_t *before = malloc(bytes * sizeof *before), *after = malloc(bytes * sizeof *after);
    ck_assert(before != NULL && after != NULL);
    ck_assert_uint_eq(bytes_of(tl_trace_source(from), before, bytes), bytes);
    ck_assert_uint_eq(bytes_of(tl_trace_source(to), after, bytes), bytes);
    for (uint64_t k = 0; k < bytes; k++) {
        uint64_t address;
        if (expected_address(&rewriting, &tiled, before[k], &address))
            wrong += after[k] != address;
    }
    ck_assert_uint_eq(wrong, 0);
    free(before);
    free(after);
    tl_trace_close(from);
    tl_trace_close(to);
}
END_TEST

/* A tile of Qwen's gate_up by plain reads of a column each: 256 pages before, 16 full ones after, as with the TMA. */
START_TEST(rewriting_mends_read_amplification)
{
    const tl_trace_rewriting rewriting = {
        .operand = TL_OPERAND_WEIGHT,
        .linear = tl_layout_linear(TL_COLUMN_MAJOR, 2048, 1536, 2),
        .linear_address = 0x100000,
        .tiled_address = 0x100000,
        .memory_tile = {64, 32},
    };
    FILE *file = fopen(gzip_path, "w"); /* no gzip inside: the content decides, not the name */
    ck_assert_ptr_nonnull(file);
    fprintf(file, "tilelens-trace 1\nkernel k 1 1 100 1 1 1\n");
    for (unsigned n = 512; n < 768; n++)
        fprintf(file, "read 0 0 0 weight %u 256\n", 0x100000 + n * 4096 + 3 * 256);
    fprintf(file, "end 256\n");
    fclose(file);

    tl_input_error error;
    uint64_t rewritten;
    ck_assert(tl_trace_rewrite(gzip_path, plain_path, &rewriting, &rewritten, &error));
    for (unsigned after = 0; after < 2; after++) {
        tl_trace *trace = open_trace(after != 0 ? plain_path : gzip_path);
        tl_tile_loads *loads = make_source_loads(tl_trace_source(trace), PAGES);
        const tl_tile_accesses tile = run_tile(loads, 0, 0, 0);
        ck_assert_uint_eq(tile.count[TL_OPERAND_WEIGHT], after != 0 ? 16 : 256);
        for (uint32_t k = 0; k < tile.count[TL_OPERAND_WEIGHT]; k++)
            ck_assert_uint_eq(tile.accesses[TL_OPERAND_WEIGHT][k].useful_bytes, after != 0 ? 4096 : 256);
        tl_tile_loads_destroy(loads);
        tl_trace_close(trace);
    }
}
END_TEST

/* Everything but reads of the operand inside the matrix is copied as it stands. */
START_TEST(rewriting_copies_the_rest)
{
    const tl_model model = qwen_model(1, TL_WEIGHT_COLUMN_MAJOR);
    const tl_trace_rewriting rewriting = rewriting_of(&MATRICES[0]);
    tl_workload *workload = make_workload(&model);
    tl_input_error error;
    uint64_t rewritten;
    char *before, *after;
    record(plain_path, tl_workload_source(workload), false);
    ck_assert(tl_trace_rewrite(plain_path, other_path, &rewriting, &rewritten, &error));
    ck_assert_uint_eq(rewritten, 0);
    ck_assert_uint_eq(read_file(plain_path, &before), read_file(other_path, &after));
    ck_assert_str_eq(before, after);
    free(before);
    free(after);

    static const char READS[] = "tilelens-trace 1\nkernel k 1 1 100 1 1 1\nread 0 0 0 activation 0x10000 64\n"
                                "read 0 0 0 weight 0xffc0 64\nread 0 0 0 weight 0x18000 64\nend 3\n";
    write_file(plain_path, READS, sizeof READS - 1);
    ck_assert(tl_trace_rewrite(plain_path, other_path, &rewriting, &rewritten, &error));
    ck_assert_uint_eq(rewritten, 0);
    read_file(other_path, &after);
    ck_assert_str_eq(after, READS);
    free(after);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(rewriting_refuses)
{
    static const char *const READS[] = {"0xfff0 32", "0x17ff0 32", "0xfff0 65536"};
    tl_trace_rewriting rewriting = rewriting_of(&MATRICES[0]);
    tl_input_error error;
    uint64_t rewritten;
    char text[160];
    for (unsigned k = 0; k < 3; k++) { /* over the first byte, over the last, over both */
        snprintf(text, sizeof text, "tilelens-trace 1\nkernel k 1 1 100 1 1 1\nread 0 0 0 weight %s\nend 1\n",
                 READS[k]);
        write_file(plain_path, text, strlen(text));
        ck_assert(!tl_trace_rewrite(plain_path, other_path, &rewriting, &rewritten, &error));
        ck_assert_str_eq(error.path, "line 3");
    }
    rewriting.memory_tile[0] = 48;
    ck_assert(!tl_trace_rewrite(plain_path, other_path, &rewriting, &rewritten, &error));
    ck_assert_str_eq(error.path, "memory_tile");
}
END_TEST

int main(void)
{
    TCase *tcase = trace_case("trace_rewrite");
    tcase_add_loop_test(tcase, rewriting_follows_eq_2, 0, MATRIX_COUNT);
    tcase_add_test(tcase, rewriting_mends_read_amplification);
    tcase_add_test(tcase, rewriting_copies_the_rest);
    tcase_add_test(tcase, rewriting_refuses);
    return run_case(tcase, "trace_rewrite");
}
