/* SPDX-License-Identifier: Apache-2.0 */
/* Trace files of a test. */
#ifndef TILELENS_SIM_TESTS_TRACE_FIXTURE_H
#define TILELENS_SIM_TESTS_TRACE_FIXTURE_H

#include <stdio.h>
#include <unistd.h>

#include "tile_loads_fixture.h"
#include "trace.h"

enum { MAX_FILE_BYTES = 1 << 22 };

/* Files of one test; the names differ between processes, which Check runs side by side. */
static char plain_path[256], other_path[256], gzip_path[256];

static inline void name_files(void)
{
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    snprintf(plain_path, sizeof plain_path, "%s/tilelens_trace_%d.txt", folder, (int)getpid());
    snprintf(other_path, sizeof other_path, "%s/tilelens_trace_%d_other.txt", folder, (int)getpid());
    snprintf(gzip_path, sizeof gzip_path, "%s/tilelens_trace_%d.gz", folder, (int)getpid());
}

static inline void remove_files(void)
{
    remove(plain_path);
    remove(other_path);
    remove(gzip_path);
}

static inline size_t read_file(const char *path, char **text)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    *text = malloc(MAX_FILE_BYTES + 1);
    ck_assert_ptr_nonnull(*text);
    const size_t length = fread(*text, 1, MAX_FILE_BYTES, file);
    ck_assert_uint_lt(length, MAX_FILE_BYTES);
    (*text)[length] = '\0';
    fclose(file);
    return length;
}

static inline void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

/* Tiles from the first to the last, or from the last to the first. */
static inline void record(const char *path, const tl_load_source *source, bool backwards)
{
    tl_input_error error;
    tl_tile_load *loads = malloc(source->max_loads * sizeof *loads);
    tl_trace_recorder *recorder = tl_trace_record_open(path, source, &error);
    ck_assert(loads != NULL && recorder != NULL);
    for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++) {
        const uint32_t steps = source->kernels[kernel].step_count;
        const uint32_t tiles = source->kernels[kernel].cta_count * steps;
        for (uint32_t k = 0; k < tiles; k++) {
            const uint32_t tile = backwards ? tiles - 1 - k : k;
            const uint32_t count = source->tile_loads(source->context, kernel, tile / steps, tile % steps, loads);
            tl_trace_record_tile(recorder, kernel, tile / steps, tile % steps, loads, count);
        }
    }
    ck_assert(tl_trace_record_close(recorder, &error));
    free(loads);
}

static inline tl_trace *open_trace(const char *path)
{
    tl_input_error error;
    tl_trace *trace = tl_trace_open(path, &error);
    ck_assert_msg(trace != NULL, "%s: %s, %s", error.path, error.found, error.expected);
    return trace;
}

static inline TCase *trace_case(const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, name_files, remove_files);
    return tcase;
}

#endif
