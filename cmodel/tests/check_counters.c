/* SPDX-License-Identifier: Apache-2.0 */
/* Stage counters: order, windows, memory-tile cuts and cursors against nested loops over the box. */
#include <string.h>

#include "stage_fixture.h"
#include "tilelens/load.h"

enum { K = 448, N = 200 }; /* KL = 448 elements of one byte: 7 memory tiles of 64 */

typedef struct scenario {
    tl_tensor_params params;
    tl_load load;
} scenario;

/* 3-D view of a K x N byte matrix: (64-element slices of a column, columns, slices), as kernels use it, or 2-D. */
static scenario random_scenario(uint64_t *state)
{
    scenario s;
    memset(&s, 0, sizeof s);
    const bool sliced = random_below(state, 2) == 0;
    tl_tensor_params *p = &s.params;
    p->data_type = TL_UINT8;
    p->rank = sliced ? 3 : 2;
    p->global_address = 0x40000;
    p->global_dim[0] = sliced ? 64 : K;
    p->global_dim[1] = N;
    p->global_dim[2] = K / 64;
    p->global_strides[0] = K;
    p->global_strides[1] = 64;
    p->box_dim[0] = 16 * (1 + random_below(state, sliced ? 4 : 16));
    p->box_dim[1] = 1 + random_below(state, 80);
    p->box_dim[2] = 1 + random_below(state, 5);
    for (unsigned d = 0; d < 3; d++) {
        p->element_strides[d] = d == 0 ? 1 : 1 + random_below(state, 4);
    }
    p->has_tile_major = true;
    p->tile_major.leading_stride_bytes = K;
    p->tile_major.memory_tile[0] = 16u << random_below(state, 3);
    p->tile_major.memory_tile[1] = 32u << random_below(state, 4);
    p->tile_major.matrix_address = p->global_address;
    s.load.coordinates[0] = 16 * ((int32_t)random_below(state, sliced ? 6 : 32) - 2);
    s.load.coordinates[1] = (int32_t)random_below(state, N + 60) - 40;
    s.load.coordinates[2] = (int32_t)random_below(state, 9) - 2;
    s.load.shared_address = 128 * random_below(state, 100);
    return s;
}

static bool inside(int64_t coordinate, uint64_t extent)
{
    return coordinate >= 0 && (uint64_t)coordinate < extent;
}

/* Cursor of view position (row i, column j): X = floor(j/b)*b*KL + i*b + j mod b, one-byte elements. */
static uint64_t packed(const tl_tensor_params *p, int64_t i, int64_t j)
{
    const int64_t b = p->tile_major.memory_tile[1];
    return p->global_address / 16 + (uint64_t)((j / b) * b * (K / 16) + i / 16 * b + j % b);
}

/* Expect the runs of one row of the box; g holds the coordinates of its first element. */
static void check_row(const scenario *s, tl_engine *engine, const int64_t g[3], uint32_t row_address)
{
    const tl_tensor_params *p = &s->params;
    const bool row_inside = inside(g[1], p->global_dim[1]) && (p->rank < 3 || inside(g[2], p->global_dim[2]));
    const int64_t slice = p->rank < 3 ? 0 : g[2] * 64;
    uint32_t position = 0;
    while (position < p->box_dim[0]) {
        tl_run run;
        ck_assert(!engine->counters.done);
        tl_counters_step(&engine->counters, &engine->fields, &engine->levels, &run);
        ck_assert_uint_eq(run.address, row_address + position);
        const bool first_inside = row_inside && inside(g[0] + position, p->global_dim[0]);
        ck_assert(run.fill == !first_inside);
        ck_assert_uint_ge(run.bytes, 1);
        bool uniform = true; /* one assertion a run: Check records every one */
        for (uint32_t e = 0; e < run.bytes; e++) {
            const int64_t i = g[0] + position + e;
            uniform &= (row_inside && inside(i, p->global_dim[0])) == first_inside;
            uniform &= !first_inside || (i + slice) / p->tile_major.memory_tile[0] ==
                                            (g[0] + position + slice) / p->tile_major.memory_tile[0];
        }
        ck_assert(uniform);
        if (first_inside) {
            const int64_t i = g[0] + position + slice;
            ck_assert_uint_eq(run.x, packed(p, i, g[1]));
            ck_assert_uint_eq(run.row_index, (uint64_t)i % p->tile_major.memory_tile[0] / 16);
        }
        position += run.bytes;
    }
    ck_assert_uint_eq(position, p->box_dim[0]);
}

START_TEST(runs_of_random_boxes)
{
    uint64_t state = 20261130;
    for (int round = 0; round < 1000; round++) {
        const scenario s = random_scenario(&state);
        tl_tensor_map map;
        tl_engine engine;
        ck_assert_int_eq(tl_tensor_map_encode(&map, &s.params), TL_OK);
        ck_assert_int_eq(tl_engine_start(&engine, &map, &s.load, TL_GENERAL), TL_OK);
        uint32_t row_address = s.load.shared_address;
        const uint32_t depth = s.params.rank < 3 ? 1 : s.params.box_dim[2];
        for (uint32_t k2 = 0; k2 < depth; k2 += s.params.element_strides[2]) {
            for (uint32_t k1 = 0; k1 < s.params.box_dim[1]; k1 += s.params.element_strides[1]) {
                const int64_t g[3] = {s.load.coordinates[0], (int64_t)s.load.coordinates[1] + k1,
                                      (int64_t)s.load.coordinates[2] + k2};
                check_row(&s, &engine, g, row_address);
                row_address += s.params.box_dim[0];
            }
        }
        ck_assert(engine.counters.done);
    }
}
END_TEST

START_TEST(last_marks_the_last_run_only)
{
    uint64_t state = 777;
    for (int round = 0; round < 200; round++) {
        const scenario s = random_scenario(&state);
        tl_tensor_map map;
        tl_engine engine;
        ck_assert_int_eq(tl_tensor_map_encode(&map, &s.params), TL_OK);
        ck_assert_int_eq(tl_engine_start(&engine, &map, &s.load, TL_GENERAL), TL_OK);
        tl_run run = {.last = false};
        while (!engine.counters.done) {
            ck_assert(!run.last);
            tl_counters_step(&engine.counters, &engine.fields, &engine.levels, &run);
        }
        ck_assert(run.last);
    }
}
END_TEST

/* Extreme coordinates: nothing is inside, nothing overflows, the row is one fill run. */
START_TEST(far_coordinates_fill)
{
    static const int32_t far[] = {INT32_MIN, INT32_MIN + 1024, -257 * 16, 0x7fffff00, 448};
    uint64_t state = 99;
    scenario s = random_scenario(&state);
    s.load.coordinates[0] = far[_i] / 16 * 16;
    tl_tensor_map map;
    tl_engine engine;
    tl_run run;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &s.params), TL_OK);
    ck_assert_int_eq(tl_engine_start(&engine, &map, &s.load, TL_GENERAL), TL_OK);
    tl_counters_step(&engine.counters, &engine.fields, &engine.levels, &run);
    ck_assert(run.fill);
    ck_assert_uint_eq(run.bytes, s.params.box_dim[0]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("counters");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, runs_of_random_boxes);
    tcase_add_test(tcase, last_marks_the_last_run_only);
    tcase_add_loop_test(tcase, far_coordinates_fill, 0, 5);
    return run_case(tcase, "counters");
}
