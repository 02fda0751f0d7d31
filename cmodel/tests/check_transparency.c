/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The theorem, with real bytes: a matrix packed tile-major and read through TileLens-HW gives every view the bytes
 * that the linear matrix gives through a plain TMA, in the same places; and so does a plain TMA with the Eq. 3 view
 * (TileLens-SW), wherever that view exists.
 */
#include <stdlib.h>
#include <string.h>

#include "random_load.h"
#include "stage_fixture.h"
#include "tilelens/layout.h"
#include "tilelens/mover.h"

enum { MATRIX = 1 << 24, SHARED = 1 << 12, UNTOUCHED = 0xA5 };

/* A matrix in both layouts, and where loads of it go. */
typedef struct bench {
    tl_layout linear, tiled;
    tl_image linear_image, tiled_image;
    uint64_t loads, views; /* executed; of these, also through an Eq. 3 view */
} bench;

static tl_image new_image(uint64_t base, uint64_t bytes)
{
    tl_image image = {.base = base, .data = malloc((size_t)bytes), .bytes = (size_t)bytes};
    ck_assert_ptr_nonnull(image.data);
    memset(image.data, UNTOUCHED, image.bytes);
    return image;
}

static bench bench_new(tl_layout tiled)
{
    bench b = {.tiled = tiled, .linear = tiled};
    uint64_t state = 0x9E3779B97F4A7C15;
    b.linear.memory_tile[0] = b.linear.memory_tile[1] = 1;
    b.linear_image = new_image(MATRIX, tl_layout_bytes(&b.linear));
    b.tiled_image = new_image(MATRIX, tl_layout_bytes(&b.tiled));
    for (size_t k = 0; k < b.linear_image.bytes; k++) {
        b.linear_image.data[k] = (uint8_t)(next_random(&state) >> 32);
    }
    ck_assert_int_eq(tl_pack(&b.linear, b.linear_image.data, &b.tiled, b.tiled_image.data), TL_OK);
    return b;
}

static void bench_free(bench *b)
{
    free(b->linear_image.data);
    free(b->tiled_image.data);
}

/* One load into fresh shared memory; returns the bytes that the mbarrier counts. */
static uint64_t execute(const tl_tensor_params *params, const tl_load *load, tl_variant variant,
                        const tl_image *global, tl_image *shared)
{
    tl_tensor_map map;
    uint64_t mbarrier_bytes = 0;
    tl_status status = tl_tensor_map_encode(&map, params);
    ck_assert_msg(status == TL_OK, "encode: %s", tl_status_name(status));
    *shared = new_image(SHARED, load->shared_address - SHARED + tl_load_footprint_bytes(&map) + 256);
    status = tl_load_execute(&map, load, variant, global, shared, NULL, &mbarrier_bytes);
    ck_assert_msg(status == TL_OK, "execute: %s", tl_status_name(status));
    return mbarrier_bytes;
}

static void compare(const tl_image *expected, uint64_t expected_count, tl_image *got, uint64_t count, const char *what)
{
    ck_assert_uint_eq(count, expected_count);
    ck_assert_uint_eq(got->bytes, expected->bytes);
    ck_assert_msg(memcmp(got->data, expected->data, got->bytes) == 0, "%s: other bytes", what);
    free(got->data);
}

/* `params` is a tile-major map of b's matrix. */
static void check_load(bench *b, const tl_tensor_params *params, const tl_load *load)
{
    tl_tensor_params plain = *params, view;
    tl_load view_load;
    tl_image expected, got;
    plain.has_tile_major = false;
    const uint64_t expected_count = execute(&plain, load, TL_BASELINE, &b->linear_image, &expected);
    uint64_t count = execute(params, load, TL_GENERAL, &b->tiled_image, &got);
    compare(&expected, expected_count, &got, count, "TileLens-HW");
    b->loads++;
    if (tl_tile_view_load(params, load, &view, &view_load) == TL_OK) {
        count = execute(&view, &view_load, TL_BASELINE, &b->tiled_image, &got);
        compare(&expected, expected_count, &got, count, "TileLens-SW");
        b->views++;
    }
    free(expected.data);
}

static tl_data_type type_of(uint32_t element_bytes, bool floating)
{
    switch (element_bytes) {
    case 1: return TL_UINT8;
    case 2: return floating ? TL_BFLOAT16 : TL_UINT16;
    case 4: return floating ? TL_FLOAT32 : TL_INT32;
    default: return floating ? TL_FLOAT64 : TL_UINT64;
    }
}

static uint32_t below(tl_random *random, uint32_t bound)
{
    return (uint32_t)tl_random_below(random, bound);
}

/* Memory tiles and matrix shapes of the random tests: small, so that many edges and padding columns are met. */
static bench random_bench(tl_random *random)
{
    const uint32_t element_bytes = 1u << below(random, 4);
    const uint32_t row_bytes = 16u << below(random, 5);
    const uint32_t least_b = 512 / row_bytes;
    const uint32_t a = row_bytes / element_bytes;
    const uint32_t b = (least_b == 0 ? 1 : least_b) << below(random, 3);
    const uint64_t contiguous = (uint64_t)a * (1 + below(random, 8));
    const uint64_t other = 1 + below(random, 3 * b + 40);
    const tl_order order = (tl_order)below(random, 2);
    return bench_new(order == TL_COLUMN_MAJOR
                         ? tl_layout_tile_major(order, contiguous, other, element_bytes, a, b)
                         : tl_layout_tile_major(order, other, contiguous, element_bytes, a, b));
}

static uint64_t other_extent(const tl_layout *layout)
{
    return layout->order == TL_COLUMN_MAJOR ? layout->columns : layout->rows;
}

static void random_format(tl_tensor_params *params, tl_random *random)
{
    const uint32_t row_bytes = params->box_dim[0] * tl_element_bytes(params->data_type);
    params->swizzle = (tl_swizzle)below(random, TL_SWIZZLE_COUNT);
    if (row_bytes > tl_swizzle_span_bytes(params->swizzle)) {
        params->swizzle = TL_SWIZZLE_NONE;
    }
    const bool floating = params->data_type != type_of(tl_element_bytes(params->data_type), false);
    params->oob_fill = floating && below(random, 2) != 0 ? TL_OOB_NAN : TL_OOB_ZERO;
}

/* A box of up to `most` elements, a whole number of 16-byte units. */
static uint32_t random_row(tl_random *random, uint32_t unit, uint32_t most)
{
    const uint32_t limit = most > 256 ? 256 : most;
    return unit * (1 + below(random, limit / unit));
}

/* Somewhere between wholly before and wholly behind [0, extent). */
static int32_t random_coordinate(tl_random *random, uint64_t extent, uint32_t box)
{
    return (int32_t)below(random, (uint32_t)extent + box + 1) - (int32_t)box;
}

/*
 * A random view: dimension 0 runs along part of a column; every further one steps along the rest of the row range or
 * over some columns, until the matrix is used up; the dimensions are shuffled. Not every draw is a legal map.
 */
static void random_view(const bench *b, tl_random *random, tl_tensor_params *params, tl_load *load)
{
    const tl_layout *layout = &b->tiled;
    const uint32_t unit = layout->element_bytes >= 16 ? 1 : 16 / layout->element_bytes;
    uint64_t rows = layout->leading;
    uint64_t columns = other_extent(layout);
    const uint64_t i0 = below(random, 3) == 0 ? unit * tl_random_below(random, rows / unit) : 0;
    const uint64_t j0 = below(random, 3) == 0 ? tl_random_below(random, columns) : 0;
    rows -= i0;
    columns -= j0;

    memset(params, 0, sizeof *params);
    params->data_type = type_of(layout->element_bytes, below(random, 2) != 0);
    params->rank = 1 + below(random, TL_MAX_RANK);
    params->global_address = MATRIX + (j0 * layout->leading + i0) * layout->element_bytes;
    uint64_t row_step = unit * (1 + tl_random_below(random, rows / unit)); /* rows that dimension 0 covers */
    if (below(random, 2) != 0) {
        row_step = rows;
    }
    params->global_dim[0] = row_step;
    params->box_dim[0] = random_row(random, unit, (uint32_t)row_step + unit);
    uint64_t column_step = 1;
    for (uint32_t d = 1; d < params->rank; d++) {
        const bool row_side = rows / row_step > 1 && below(random, 2) != 0;
        const uint64_t room = row_side ? rows / row_step : (columns + column_step - 1) / column_step;
        const uint64_t extent = 1 + tl_random_below(random, room);
        params->global_dim[d] = extent;
        params->global_strides[d - 1] =
            (row_side ? row_step : column_step * layout->leading) * layout->element_bytes;
        params->element_strides[d] = below(random, 4) == 0 ? 1 + below(random, 8) : 1;
        params->box_dim[d] = 1 + below(random, extent > 40 ? 40 : (uint32_t)extent + 3);
        if (row_side) {
            rows -= (extent - 1) * row_step;
            row_step *= extent;
        } else {
            columns -= (extent - 1) * column_step;
            column_step *= extent;
        }
    }
    params->element_strides[0] = 1;
    for (uint32_t d = params->rank; d-- > 2;) { /* shuffle dimensions 1.. */
        const uint32_t other = 1 + below(random, d);
        const uint64_t dim = params->global_dim[d], stride = params->global_strides[d - 1];
        params->global_dim[d] = params->global_dim[other];
        params->global_strides[d - 1] = params->global_strides[other - 1];
        params->global_dim[other] = dim;
        params->global_strides[other - 1] = stride;
    }
    params->has_tile_major = true;
    params->tile_major = (tl_tile_major){
        .leading_stride_bytes = layout->leading * layout->element_bytes,
        .memory_tile = {layout->memory_tile[0], layout->memory_tile[1]},
        .matrix_address = MATRIX,
    };
    random_format(params, random);
    for (uint32_t d = 0; d < params->rank; d++) {
        load->coordinates[d] = random_coordinate(random, params->global_dim[d], params->box_dim[d]);
    }
    load->coordinates[0] -= load->coordinates[0] % (int32_t)unit;
    load->shared_address = SHARED + 128 * below(random, 16);
}

START_TEST(random_views_of_any_rank)
{
    tl_random random = tl_random_from((uint64_t)_i);
    bench b = random_bench(&random);
    for (int draw = 0; draw < 200; draw++) {
        tl_tensor_params params;
        tl_tensor_map map;
        tl_load load = {.shared_address = 0};
        random_view(&b, &random, &params, &load);
        if (tl_tensor_map_encode(&map, &params) == TL_OK) {
            check_load(&b, &params, &load);
        }
    }
    ck_assert_uint_ge(b.loads, 100);
    bench_free(&b);
}
END_TEST

/* A box that lies inside one memory tile along a dimension, or covers whole ones. */
static void tile_friendly_box(tl_random *random, uint32_t unit, uint32_t tile, uint32_t *box, int32_t *coordinate)
{
    if (tile <= 128 && below(random, 2) != 0) {
        *box = tile * (1 + below(random, 256 / tile));
        *coordinate = (int32_t)tile * ((int32_t)below(random, 12) - 3);
    } else {
        const uint32_t units = tile / unit;
        const uint32_t start = below(random, units);
        const uint32_t most = units - start > 256 / unit ? 256 / unit : units - start;
        *box = unit * (1 + below(random, most));
        *coordinate = (int32_t)tile * ((int32_t)below(random, 12) - 3) + (int32_t)(start * unit);
    }
}

START_TEST(two_dimensional_loads_have_an_eq3_view)
{
    tl_random random = tl_random_from((uint64_t)_i);
    bench b = random_bench(&random);
    const uint32_t unit = 16 / b.tiled.element_bytes;
    const int inner = b.tiled.order == TL_COLUMN_MAJOR ? 0 : 1;
    const tl_data_type type = type_of(b.tiled.element_bytes, true);
    const tl_layout *layout = &b.tiled;
    for (int draw = 0; draw < 100; draw++) {
        uint32_t box[2];
        int32_t origin[2];
        tl_tensor_params params;
        tl_load load;
        tile_friendly_box(&random, unit, layout->memory_tile[0], &box[inner], &origin[inner]);
        tile_friendly_box(&random, 1, layout->memory_tile[1], &box[1 - inner], &origin[1 - inner]);
        ck_assert_int_eq(tl_layout_load(layout, type, MATRIX, box, origin, &params, &load), TL_OK);
        load.shared_address = SHARED + 128 * below(&random, 16);
        random_format(&params, &random);
        if (params.box_dim[0] > layout->memory_tile[0]) {
            params.swizzle = TL_SWIZZLE_NONE;
        }
        /* a view of whole tiles: all rows, or an aligned part of the matrix */
        params.global_dim[1] -= params.global_dim[1] % layout->memory_tile[1];
        if (params.global_dim[1] == 0) {
            continue;
        }
        const uint64_t skip_i = tl_random_below(&random, params.global_dim[0] / layout->memory_tile[0]);
        const uint64_t skip_j = tl_random_below(&random, params.global_dim[1] / layout->memory_tile[1]);
        params.global_dim[0] -= skip_i * layout->memory_tile[0];
        params.global_dim[1] -= skip_j * layout->memory_tile[1];
        params.global_address += skip_i * layout->memory_tile[0] * layout->element_bytes +
                                 skip_j * layout->memory_tile[1] * params.global_strides[0];
        check_load(&b, &params, &load);
    }
    ck_assert_uint_eq(b.views, b.loads);
    ck_assert(b.loads > 0 || other_extent(layout) < layout->memory_tile[1]);
    bench_free(&b);
}
END_TEST

/* Fig. 9's 128 x 64 tile at (256, 64) in its three views, for both memory tiles of the paper; fp8. */
START_TEST(fig9_views)
{
    static const struct {
        uint32_t rank;
        uint64_t dim[4], strides_bytes[3];
        uint32_t box[4];
        int32_t coordinates[4];
    } views[] = {
        {2, {384, 128}, {384}, {128, 64}, {256, 64}},
        {3, {128, 128, 3}, {384, 128}, {128, 64, 1}, {0, 64, 2}},
        {4, {128, 64, 3, 2}, {384, 128, 24576}, {128, 64, 1, 1}, {0, 0, 2, 1}},
        {4, {128, 3, 2, 64}, {128, 24576, 384}, {128, 1, 1, 64}, {0, 2, 1, 0}}, /* reordered */
    };
    static const uint32_t tiles[2][2] = {{128, 32}, {64, 64}};
    const uint32_t *tile = tiles[_i / 4];
    bench b = bench_new(tl_layout_tile_major(TL_COLUMN_MAJOR, 384, 128, 1, tile[0], tile[1]));
    tl_tensor_params params = {
        .data_type = TL_UINT8, .rank = views[_i % 4].rank, .global_address = MATRIX, .swizzle = TL_SWIZZLE_128B,
        .element_strides = {1, 1, 1, 1}, .has_tile_major = true,
        .tile_major = {.leading_stride_bytes = 384, .memory_tile = {tile[0], tile[1]}, .matrix_address = MATRIX},
    };
    tl_load load = {.shared_address = SHARED};
    for (uint32_t d = 0; d < params.rank; d++) {
        params.global_dim[d] = views[_i % 4].dim[d];
        params.box_dim[d] = views[_i % 4].box[d];
        load.coordinates[d] = views[_i % 4].coordinates[d];
        if (d > 0) {
            params.global_strides[d - 1] = views[_i % 4].strides_bytes[d - 1];
        }
    }
    check_load(&b, &params, &load);
    params.swizzle = TL_SWIZZLE_NONE;
    check_load(&b, &params, &load);
    /* a 64-wide tile splits the swizzled 128-byte box row: only the unswizzled load has an Eq. 3 view */
    ck_assert_uint_eq(b.views, _i % 4 != 0 ? 0 : tile[0] == 128 ? 2 : 1);
    bench_free(&b);
}
END_TEST

/* Each condition of tl_tile_view_load, broken alone. */
START_TEST(eq3_view_refusals)
{
    const tl_layout layout = tl_layout_tile_major(TL_COLUMN_MAJOR, 384, 128, 2, 64, 32);
    const uint32_t box[2] = {64, 64};
    const int32_t origin[2] = {64, 32};
    tl_tensor_params params, view;
    tl_load load, view_load;
    tl_status expected = TL_ERR_VIEW;
    ck_assert_int_eq(tl_layout_load(&layout, TL_FLOAT16, MATRIX, box, origin, &params, &load), TL_OK);
    params.swizzle = TL_SWIZZLE_128B;
    switch (_i) {
    case 0: expected = TL_OK; break;
    case 1: params.has_tile_major = false; break;
    case 2: params.rank = 1; break;
    case 3: params.global_strides[0] *= 2; params.global_dim[1] = 64; break;
    case 4: params.element_strides[1] = 2; break;
    case 5: params.global_address += 64; params.global_dim[0] = 320; break;
    case 6: params.global_address += 768; params.global_dim[1] = 96; break;
    case 7: params.global_dim[0] = 376; break;
    case 8: params.global_dim[1] = 127; break;
    case 9: load.coordinates[0] = 72; break;
    case 10: load.coordinates[1] = 33; params.box_dim[1] = 32; break;
    case 11: params.box_dim[1] = 48; break;
    case 12: params.swizzle = TL_SWIZZLE_NONE; params.box_dim[0] = 96; break;
    case 13: params.swizzle = TL_SWIZZLE_NONE; params.box_dim[0] = 128; expected = TL_OK; break;
    case 14: params.tile_major.memory_tile[0] = 32; params.tile_major.memory_tile[1] = 64; break; /* swizzled, u > a */
    case 15: params.tile_major.memory_tile[0] = 48; expected = TL_ERR_TILE_SHAPE; break;
    default: params.box_dim[0] = 16; params.box_dim[1] = 5; load.coordinates[0] = 112; load.coordinates[1] = -5;
             expected = TL_OK; break;
    }
    ck_assert_int_eq(tl_tile_view_load(&params, &load, &view, &view_load), expected);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("transparency");
    tcase_add_loop_test(tcase, random_views_of_any_rank, 0, 40);
    tcase_add_loop_test(tcase, two_dimensional_loads_have_an_eq3_view, 0, 40);
    tcase_add_loop_test(tcase, fig9_views, 0, 8);
    tcase_add_loop_test(tcase, eq3_view_refusals, 0, 17);
    return run_case(tcase, "transparency");
}
