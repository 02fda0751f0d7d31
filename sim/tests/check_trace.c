/* SPDX-License-Identifier: Apache-2.0 */
/* Traces recorded and replayed. */
#include "trace_fixture.h"

enum { RANDOM_MODELS = 20 };

static void check_same_kernels(const tl_load_source *left, const tl_load_source *right)
{
    ck_assert_uint_eq(left->kernel_count, right->kernel_count);
    ck_assert_uint_eq(left->map_count, right->map_count);
    for (uint32_t k = 0; k < left->kernel_count; k++) {
        ck_assert_str_eq(left->kernels[k].name, right->kernels[k].name);
        ck_assert_uint_eq(left->kernels[k].cta_count, right->kernels[k].cta_count);
        ck_assert_uint_eq(left->kernels[k].step_count, right->kernels[k].step_count);
        ck_assert_uint_eq(left->kernels[k].compute_ps, right->kernels[k].compute_ps);
        ck_assert_uint_eq(left->kernels[k].ctas_per_sm, right->kernels[k].ctas_per_sm);
        ck_assert_uint_eq(left->kernels[k].stages, right->kernels[k].stages);
        ck_assert_uint_eq(left->kernels[k].tiles_in_flight, right->kernels[k].tiles_in_flight);
    }
    for (uint32_t k = 0; k < left->map_count; k++) {
        ck_assert_mem_eq(left->maps[k].map.word, right->maps[k].map.word, sizeof left->maps[k].map.word);
        ck_assert_int_eq(left->maps[k].operand, right->maps[k].operand);
    }
}

static void check_same_source(const tl_load_source *left, const tl_load_source *right)
{
    tl_tile_loads *of_left = make_source_loads(left, PAGES), *of_right = make_source_loads(right, PAGES);
    uint64_t different = 0;
    check_same_kernels(left, right);
    for (uint32_t kernel = 0; kernel < left->kernel_count; kernel++) {
        for (uint32_t cta = 0; cta < left->kernels[kernel].cta_count; cta++) {
            for (uint32_t step = 0; step < left->kernels[kernel].step_count; step++) {
                const tl_tile_accesses of_this = run_tile(of_left, kernel, cta, step);
                const tl_tile_accesses of_that = run_tile(of_right, kernel, cta, step);
                different += !same_tile(&of_this, &of_that);
            }
        }
    }
    ck_assert_uint_eq(different, 0);
    tl_tile_loads_destroy(of_left);
    tl_tile_loads_destroy(of_right);
}

START_TEST(replay_equals_workload)
{
    uint64_t state = (uint64_t)_i + 1;
    const tl_model model = small_model(&state);
    tl_workload *workload = make_workload(&model);
    const tl_load_source *source = tl_workload_source(workload);
    const char *path = _i % 2 != 0 ? plain_path : gzip_path;
    record(path, source, _i % 4 >= 2);
    tl_trace *trace = open_trace(path);
    check_same_source(source, tl_trace_source(trace));
    tl_trace_close(trace);
    tl_workload_destroy(workload);
}
END_TEST

/* Byte for byte the same file each time; compression pays. */
START_TEST(recording_is_repeatable)
{
    const char *first_path = _i != 0 ? gzip_path : plain_path;
    const tl_model model = qwen_model(1, TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    char *first, *second, *text;
    record(first_path, tl_workload_source(workload), false);
    const size_t first_bytes = read_file(first_path, &first);
    record(first_path, tl_workload_source(workload), false);
    const size_t second_bytes = read_file(first_path, &second);
    ck_assert_uint_eq(first_bytes, second_bytes);
    ck_assert_mem_eq(first, second, first_bytes);
    record(plain_path, tl_workload_source(workload), false);
    const size_t text_bytes = read_file(plain_path, &text);
    ck_assert_int_eq(strncmp(text, "tilelens-trace 1\nkernel gate_up 48 16 139951 3 1 1\n", 51), 0);
    if (_i != 0)
        ck_assert_uint_lt(first_bytes * 5, text_bytes);
    free(first);
    free(second);
    free(text);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(comments_and_empty_lines)
{
    static const char TEXT[] = "tilelens-trace 1\n# a comment\n\n  kernel \t k 1 2 0x10 1 1 1 # more\r\n"
                               "read 0 0 1 weight 0x1000 64\nread 0 0 0 activation 17 3\nend 2";
    write_file(plain_path, TEXT, sizeof TEXT - 1);
    tl_trace *trace = open_trace(plain_path);
    const tl_load_source *source = tl_trace_source(trace);
    tl_tile_load load;
    ck_assert_uint_eq(source->kernels[0].compute_ps, 16);
    ck_assert_uint_eq(source->tile_loads(source->context, 0, 0, 0, &load), 1);
    ck_assert_uint_eq(load.map, TL_MAP_NONE);
    ck_assert_int_eq(load.operand, TL_OPERAND_ACTIVATION);
    ck_assert_uint_eq(load.of.plain.address, 17);
    ck_assert_uint_eq(load.of.plain.bytes, 3);
    ck_assert_uint_eq(source->tile_loads(source->context, 0, 0, 1, &load), 1);
    ck_assert_uint_eq(load.of.plain.address, 0x1000);
    tl_trace_close(trace);
}
END_TEST

int main(void)
{
    TCase *tcase = trace_case("trace");
    tcase_add_loop_test(tcase, replay_equals_workload, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, recording_is_repeatable, 0, 2);
    tcase_add_test(tcase, comments_and_empty_lines);
    return run_case(tcase, "trace");
}
