/* SPDX-License-Identifier: Apache-2.0 */
/* Tile-major rules 1-5 at their boundaries, and the fields that encode derives from a tile-major map. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "random_load.h"
#include "tilelens/tensor_map.h"
#include "tilelens/tensor_map_bits.h"

#define COUNT_OF(array)  ((int)(sizeof(array) / sizeof(array)[0]))
#define TWO_TO(exponent) (UINT64_C(1) << (exponent))

__extension__ typedef unsigned __int128 uint128;

/** Everything the rules look at; box and modes do not matter to them. */
typedef struct view {
    tl_data_type type;
    uint64_t matrix, global, leading;
    uint32_t a, b;
    uint32_t rank;
    uint64_t dim[TL_MAX_RANK];
    uint64_t stride[TL_MAX_RANK - 1];
} view;

static tl_tensor_params params_of(const view *v)
{
    tl_tensor_params params = {
        .data_type = v->type,
        .rank = v->rank,
        .global_address = v->global,
        .box_dim = {16, 1, 1, 1, 1},
        .element_strides = {1, 1, 1, 1, 1},
        .has_tile_major = true,
        .tile_major = {.leading_stride_bytes = v->leading, .memory_tile = {v->a, v->b}, .matrix_address = v->matrix},
    };
    memcpy(params.global_dim, v->dim, sizeof v->dim);
    memcpy(params.global_strides, v->stride, sizeof v->stride);
    return params;
}

typedef struct rule_case {
    view view;
    tl_status status;
    int bad_dim;
} rule_case;

#define M   TWO_TO(36) /* matrix address, aligned to every granularity */
#define F16 TL_FLOAT16
#define W   (3 * TWO_TO(32))

/* Pairs: just legal, just illegal. KL = 1024 elements (2048 B) unless the rule is about it. */
static const rule_case CASES[] = {
    /* Rule 1: memory tile. */
    {{F16, M, M, 2048, 64, 32, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 0, 32, 1, {1024}, {0}}, TL_ERR_TILE_SHAPE, -1},
    {{F16, M, M, 2048, 64, 0, 1, {1024}, {0}}, TL_ERR_TILE_SHAPE, -1},
    {{F16, M, M, 2048 * 3, 96, 32, 1, {1024}, {0}}, TL_ERR_TILE_SHAPE, -1},
    {{F16, M, M, 2048, 64, 24, 1, {1024}, {0}}, TL_ERR_TILE_SHAPE, -1},
    {{F16, M, M, 2048, 8, 32, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 4, 64, 1, {1024}, {0}}, TL_ERR_TILE_ROW_BYTES, -1},
    {{TL_UINT8, M, M, 2048, 16, 32, 1, {1024}, {0}}, TL_OK, -1},
    {{TL_UINT8, M, M, 2048, 8, 64, 1, {1024}, {0}}, TL_ERR_TILE_ROW_BYTES, -1},
    {{TL_FLOAT64, M, M, 2048, 2, 32, 1, {256}, {0}}, TL_OK, -1},
    {{TL_FLOAT64, M, M, 2048, 1, 64, 1, {256}, {0}}, TL_ERR_TILE_ROW_BYTES, -1},
    {{F16, M, M, 2048, 8, 16, 1, {1024}, {0}}, TL_ERR_TILE_GRANULARITY, -1},
    {{F16, M, M, 2048, 256, 1, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 128, 1, 1, {1024}, {0}}, TL_ERR_TILE_GRANULARITY, -1},
    {{F16, M, M, 2048, 1024, 32, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 1024, 64, 1, {1024}, {0}}, TL_ERR_TILE_GRANULARITY, -1},
    {{F16, M, M, 2048, 8, 4096, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 8, 8192, 1, {1024}, {0}}, TL_ERR_TILE_GRANULARITY, -1},
    {{TL_UINT8, M, M, 65536, 65536, 1, 1, {65536}, {0}}, TL_OK, -1},
    {{TL_FLOAT64, M, M, 65536, 0x80000000, 0x80000000, 1, {16}, {0}}, TL_ERR_TILE_GRANULARITY, -1},
    /* Rule 1: leading stride. */
    {{F16, M, M, 0, 64, 32, 1, {64}, {0}}, TL_ERR_LEADING_STRIDE_ALIGN, -1},
    {{F16, M, M, 128, 64, 32, 1, {64}, {0}}, TL_OK, -1},
    {{F16, M, M, 64, 64, 32, 1, {16}, {0}}, TL_ERR_LEADING_STRIDE_ALIGN, -1},
    {{F16, M, M, 2048 + 64, 64, 32, 1, {64}, {0}}, TL_ERR_LEADING_STRIDE_ALIGN, -1},
    {{F16, M, M, 2048 + 16, 8, 32, 1, {64}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048 + 8, 8, 32, 1, {64}, {0}}, TL_ERR_LEADING_STRIDE_ALIGN, -1},
    {{F16, M, M, TWO_TO(40) - 512, 256, 1, 1, {64}, {0}}, TL_OK, -1},
    {{F16, M, M, TWO_TO(40), 256, 1, 1, {64}, {0}}, TL_ERR_LEADING_STRIDE_RANGE, -1},
    /* Rule 1: matrix address. */
    {{F16, 0, M, 2048, 64, 32, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M + 4096, M + 4096, 2048, 64, 32, 1, {1024}, {0}}, TL_OK, -1},
    {{F16, M + 2048, M + 4096, 2048, 64, 32, 1, {64}, {0}}, TL_ERR_MATRIX_ADDRESS_ALIGN, -1},
    {{F16, M + 16, M + 16, 2048, 64, 32, 1, {64}, {0}}, TL_ERR_MATRIX_ADDRESS_ALIGN, -1},
    {{F16, M, M + 16, 2048, 64, 32, 1, {1016}, {0}}, TL_OK, -1},
    {{F16, M, M - 16, 2048, 64, 32, 1, {8}, {0}}, TL_ERR_MATRIX_ADDRESS_ORDER, -1},
    /* Rule 2: diagonals. */
    {{F16, M, M, 2048, 64, 32, 3, {64, 1, 2}, {2064, 4096}}, TL_OK, -1},
    {{F16, M, M, 2048, 64, 32, 3, {64, 2, 2}, {2064, 4096}}, TL_ERR_DIAGONAL_VIEW, 1},
    {{F16, M, M, 2048, 64, 32, 3, {64, 2, 2}, {2048, 4080}}, TL_ERR_DIAGONAL_VIEW, 2},
    {{F16, M, M, 2048, 64, 32, 5, {64, 2, 2, 2, 2}, {2048, 4096, 8192, 16384 + 128}}, TL_ERR_DIAGONAL_VIEW, 4},
    {{F16, M, M, 2048, 64, 32, 2, {64, 2}, {2032}}, TL_ERR_SHEARED_VIEW, -1},
    {{F16, M, M, 2048, 64, 32, 2, {64, 2}, {1920}}, TL_OK, -1},
    /* Rule 3: shear. */
    {{F16, M, M, 2048, 64, 32, 1, {1025}, {0}}, TL_ERR_SHEARED_VIEW, -1},
    {{F16, M, M + 1024, 2048, 64, 32, 1, {512}, {0}}, TL_OK, -1},
    {{F16, M, M + 1024, 2048, 64, 32, 1, {513}, {0}}, TL_ERR_SHEARED_VIEW, -1},
    {{F16, M, M + 5 * 2048 + 1024, 2048, 64, 32, 1, {512}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 64, 32, 3, {64, 16, 4}, {128, 2048}}, TL_OK, -1},
    {{F16, M, M, 2048, 64, 32, 3, {64, 17, 4}, {128, 2048}}, TL_ERR_SHEARED_VIEW, -1},
    {{F16, M, M + 128, 2048, 64, 32, 3, {64, 15, 4}, {128, 2048}}, TL_OK, -1},
    {{F16, M, M + 128, 2048, 64, 32, 3, {64, 16, 4}, {128, 2048}}, TL_ERR_SHEARED_VIEW, -1},
    {{F16, M, M, 2048, 64, 32, 2, {1024, TWO_TO(32)}, {0}}, TL_OK, -1},
    {{F16, M, M, 2048, 64, 32, 2, {1024, TWO_TO(32)}, {16}}, TL_ERR_SHEARED_VIEW, -1},
    /* Rule 4: wrap at 2^64; W is no power of two, and wide enough that rule 5 leaves column indices alone. */
    {{F16, 0, 0 - UINT64_C(16), W, 8, 32, 1, {8}, {0}}, TL_OK, -1},
    {{F16, 0, 0 - UINT64_C(16), W, 8, 32, 1, {9}, {0}}, TL_ERR_WRAPPING_VIEW, -1},
    {{F16, 0, 0 - W - 16, W, 8, 32, 2, {8, 2}, {W}}, TL_OK, -1},
    {{F16, 0, 0 - W - 16, W, 8, 32, 2, {8, 3}, {W}}, TL_ERR_WRAPPING_VIEW, -1},
    {{F16, 0, 0 - W - 16, W, 8, 32, 4, {8, 2, 1, 2}, {W, W, 16}}, TL_ERR_WRAPPING_VIEW, -1},
    {{F16, 0, 0 - UINT64_C(2064), 2048, 64, 32, 2, {8, 3}, {2048}}, TL_OK, -1},
    /* Rule 5: tile column. */
    {{F16, M, M, TWO_TO(34), 256, 32, 1, {64}, {0}}, TL_OK, -1},
    {{F16, M, M, TWO_TO(35) - 512, 256, 32, 1, {64}, {0}}, TL_OK, -1},
    {{F16, M, M, TWO_TO(35), 256, 32, 1, {64}, {0}}, TL_ERR_TILE_COLUMN_RANGE, -1},
    {{F16, M, M, TWO_TO(28), 8, 4096, 1, {64}, {0}}, TL_ERR_TILE_COLUMN_RANGE, -1},
    /* Rule 5: column index. */
    {{F16, M, M, 3072, 64, 32, 2, {64, TWO_TO(31)}, {3072}}, TL_OK, -1},
    {{F16, M, M, 3072, 64, 32, 2, {64, TWO_TO(31) + 1}, {3072}}, TL_ERR_COLUMN_INDEX_RANGE, -1},
    {{F16, M, M, 2048, 64, 32, 2, {64, TWO_TO(32)}, {2048}}, TL_OK, -1},
    {{F16, 0, 3072 * (TWO_TO(31) - 1), 3072, 64, 32, 1, {64}, {0}}, TL_OK, -1},
    {{F16, 0, 3072 * TWO_TO(31), 3072, 64, 32, 1, {64}, {0}}, TL_ERR_COLUMN_INDEX_RANGE, -1},
};

START_TEST(rule_boundary)
{
    const rule_case *row = &CASES[_i];
    const tl_tensor_params params = params_of(&row->view);
    tl_tensor_map map;
    int bad_dim = 99;
    const tl_status status = tl_tensor_map_encode_dim(&map, &params, &bad_dim);
    ck_assert_msg(status == row->status, "row %d: found %s, expected %s", _i, tl_status_name(status),
                  tl_status_name(row->status));
    ck_assert_int_eq(bad_dim, row->bad_dim);
    ck_assert_int_eq(tl_oracle_tile_major_legal(&params), row->status == TL_OK);
}
END_TEST

/* Triton's ragged view (64-bit wrap): legal for a power-of-two leading stride and no other. */
START_TEST(ragged_view_needs_a_power_of_two_leading_stride)
{
    const uint64_t leading = _i == 0 ? 8192 : 8192 - 128;
    const view ragged = {F16,
                         M,
                         M,
                         leading,
                         64,
                         32,
                         4,
                         {64, TWO_TO(30), 0x7fff0000, 0x7fff0000},
                         {leading, leading, TWO_TO(35) - leading}};
    tl_tensor_params params = params_of(&ragged);
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), _i == 0 ? TL_OK : TL_ERR_DIAGONAL_VIEW);
    /* A multiple of the odd leading stride removes the diagonal and leaves the wrap. */
    params.global_strides[2] -= params.global_strides[2] % leading;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), _i == 0 ? TL_OK : TL_ERR_WRAPPING_VIEW);
    params.has_tile_major = false;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
}
END_TEST

/** Rules 2-5 by their wording, in elements, for a view that meets rule 1. */
static tl_status view_rules(const view *v)
{
    const uint64_t s = tl_element_bytes(v->type);
    const uint128 KL = v->leading / s;
    const uint128 start = (v->global - v->matrix) / s;
    uint128 i = start % KL, last = start;
    bool diagonal = false;
    for (uint32_t d = 0; d < v->rank; d++) {
        const uint128 st = d == 0 ? 1 : v->stride[d - 1] / s;
        if (v->dim[d] == 1) {
            continue;
        }
        i += st < KL ? (v->dim[d] - 1) * st : 0;
        diagonal = diagonal || (st >= KL && st % KL != 0);
        last += (v->dim[d] - 1) * st;
    }
    const bool odd = (v->leading & (v->leading - 1)) != 0;
    return diagonal                                   ? TL_ERR_DIAGONAL_VIEW
           : i >= KL                                  ? TL_ERR_SHEARED_VIEW
           : odd && last * s + s > (uint128)1 << 64   ? TL_ERR_WRAPPING_VIEW
           : (uint128)v->b * v->leading >= TWO_TO(40) ? TL_ERR_TILE_COLUMN_RANGE
           : odd && last / KL >= TWO_TO(31)           ? TL_ERR_COLUMN_INDEX_RANGE
                                                      : TL_OK;
}

/** A view that meets rule 1, with extents and strides drawn close to where rules 2-5 begin. */
static void draw_view(tl_random *random, view *v)
{
    static const tl_data_type types[] = {TL_UINT8, TL_FLOAT16, TL_FLOAT32, TL_FLOAT64};
    const uint32_t log2_s = (uint32_t)tl_random_below(random, 4);
    const uint32_t log2_row = 4 + (uint32_t)tl_random_below(random, 6);
    const uint32_t log2_b = (uint32_t)tl_random_below(random, 8);
    v->type = types[log2_s];
    v->a = 1u << (log2_row - log2_s);
    v->b = 1u << (log2_row + log2_b < 9 ? 9 - log2_row : log2_b);
    v->leading = (1 + tl_random_below(random, 4)) << (log2_row + tl_random_below(random, 28));
    v->matrix = tl_random_below(random, 2) * M;
    const uint64_t column = tl_random_below(random, 2) << tl_random_below(random, 24);
    v->global = v->matrix + column * v->leading + tl_random_below(random, 3) * 16;
    v->global += v->global == 0 ? 16 : 0;
    v->rank = 1 + (uint32_t)tl_random_below(random, TL_MAX_RANK);
    uint64_t left = v->leading >> log2_s; /* row elements not yet covered */
    v->dim[0] = left >> tl_random_below(random, 5);
    for (uint32_t d = 1; d < v->rank; d++) {
        const uint64_t q = tl_random_below(random, 4) << tl_random_below(random, 24);
        const bool row_side = tl_random_below(random, 3) == 0;
        v->stride[d - 1] = row_side ? v->leading >> tl_random_below(random, 4) : q * v->leading;
        v->stride[d - 1] += tl_random_below(random, 10) == 0 ? 16 : 0;
        v->stride[d - 1] = v->stride[d - 1] / 16 * 16 % TWO_TO(40);
        v->dim[d] = 1 + (tl_random_below(random, 4) << (row_side ? 0 : tl_random_below(random, 31)));
    }
    for (uint32_t d = 0; d < v->rank; d++) {
        v->dim[d] = v->dim[d] < 1 ? 1 : v->dim[d] > TWO_TO(32) ? TWO_TO(32) : v->dim[d];
    }
}

START_TEST(rules_match_their_wording)
{
    unsigned seen[TL_STATUS_COUNT] = {0};
    tl_random random = tl_random_from(7);
    for (int k = 0; k < 50000; k++) {
        view v = {.type = F16};
        draw_view(&random, &v);
        const tl_tensor_params params = params_of(&v);
        tl_tensor_map map;
        const tl_status status = tl_tensor_map_encode(&map, &params);
        ck_assert_msg(status == view_rules(&v), "view %d: found %s, expected %s", k, tl_status_name(status),
                      tl_status_name(view_rules(&v)));
        ck_assert_int_eq(tl_oracle_tile_major_legal(&params), status == TL_OK);
        seen[status]++;
    }
    ck_assert_uint_gt(seen[TL_OK], 1000);
    for (int rule = TL_ERR_DIAGONAL_VIEW; rule <= TL_ERR_COLUMN_INDEX_RANGE; rule++) {
        ck_assert_msg(seen[rule] > 25, "%s drawn %u times", tl_status_name((tl_status)rule), seen[rule]);
    }
}
END_TEST

static uint64_t get_dim(const tl_tensor_map *map, unsigned lsb, unsigned pitch, unsigned bits, uint32_t dim)
{
    return tl_map_get(map, lsb + pitch * (dim - 1), bits);
}

/* (c_d * stride_d summed onto the origin) is i*b + j*KL, and the columns sum to j mod b: at every extent's last
 * element. */
START_TEST(derived_fields_give_row_and_column)
{
    const uint64_t mask = TWO_TO(60) - 1;
    int views = 0;
    for (uint64_t index = 0; index < 5000; index++) {
        tl_random_load drawn;
        tl_random_load_make(&drawn, 2, index);
        const tl_tensor_params *params = &drawn.params;
        if (!drawn.legal || !params->has_tile_major) {
            continue;
        }
        views++;
        const uint64_t b = params->tile_major.memory_tile[1], leading = params->tile_major.leading_stride_bytes;
        const tl_tensor_map *map = &drawn.map;
        ck_assert_uint_lt(tl_map_get(map, TL_MAP_ORIGIN_COLUMN_LSB, TL_MAP_ORIGIN_COLUMN_BITS), b);
        ck_assert_uint_eq(tl_map_get(map, TL_MAP_TILE_COLUMN_LSB, TL_MAP_TILE_COLUMN_BITS), b * leading / 16);
        for (uint32_t last = 0; last < params->rank; last++) { /* extents up to `last` at their end */
            uint64_t linear = params->global_address - params->tile_major.matrix_address;
            uint64_t units = tl_map_get(map, TL_MAP_ORIGIN_LSB, TL_MAP_ORIGIN_BITS);
            uint64_t column = tl_map_get(map, TL_MAP_ORIGIN_COLUMN_LSB, TL_MAP_ORIGIN_COLUMN_BITS);
            for (uint32_t d = 1; d <= last; d++) {
                const uint64_t c = params->global_dim[d] - 1;
                linear += c * params->global_strides[d - 1];
                units += c * get_dim(map, TL_MAP_STRIDE_LSB, 40, TL_MAP_STRIDE_BITS, d);
                column += c * get_dim(map, TL_MAP_COLUMN_STEP_LSB, 64, TL_MAP_COLUMN_STEP_BITS, d);
            }
            const uint64_t row = linear % leading / 16, j = linear / leading;
            ck_assert_uint_eq(units & mask,
                              (params->tile_major.matrix_address / 16 + row * b + j * (leading / 16)) & mask);
            ck_assert_uint_eq(column % b, j % b);
        }
        for (uint32_t d = 1; d < TL_MAX_RANK; d++) {
            const uint32_t step = d < params->rank ? params->element_strides[d] : 1;
            ck_assert_uint_eq(get_dim(map, TL_MAP_LIMIT_LSB, 64, TL_MAP_LIMIT_BITS, d),
                              (tl_box_count(params, d) - 1) * step);
            ck_assert_uint_lt(get_dim(map, TL_MAP_COLUMN_STEP_LSB, 64, TL_MAP_COLUMN_STEP_BITS, d), b);
        }
    }
    ck_assert_int_gt(views, 1000);
}
END_TEST

typedef struct paper_case {
    uint64_t global;
    uint64_t stride[3];
    uint32_t box[4];
    uint32_t step[4];
    uint64_t refusal;
    uint64_t split_dim;
} paper_case;

/* f16, a = 64, b = 32, KL = 1024 (2048 B); dims (64, 16, 64, 64). */
static const paper_case PAPER[] = {
    {M, {128, 2048, 131072}, {64, 1, 1, 1}, {1, 1, 1, 1}, 0, 0},
    {M + 128, {128, 2048, 131072}, {64, 1, 1, 1}, {1, 1, 1, 1}, TL_ERR_PAPER_ORIGIN, 0},
    {M, {128, 2048, 131072}, {8, 1, 1, 1}, {1, 1, 1, 1}, 0, 0},
    {M, {128, 2048, 131072}, {24, 1, 1, 1}, {1, 1, 1, 1}, TL_ERR_PAPER_BOX, 0},
    {M, {128, 2048, 131072}, {128, 1, 1, 1}, {1, 1, 1, 1}, TL_ERR_PAPER_BOX, 0},
    {M, {128, 2048, 131072}, {64, 2, 1, 1}, {1, 1, 1, 1}, 0, 0},
    {M, {64, 2048, 131072}, {64, 2, 1, 1}, {1, 1, 1, 1}, TL_ERR_PAPER_ROW_STRIDE, 0},
    {M, {64, 2048, 131072}, {64, 2, 1, 1}, {1, 2, 1, 1}, 0, 0}, /* one row left */
    {M, {64, 2048, 131072}, {64, 3, 1, 1}, {1, 2, 1, 1}, 0, 0}, /* 2 * 64 B steps */
    {M, {64, 2048, 131072}, {32, 2, 1, 1}, {1, 1, 1, 1}, 0, 0},
    {M, {128, 2048, 131072}, {64, 2, 31, 1}, {1, 1, 1, 1}, 0, 2},
    {M, {128, 2048, 131072}, {64, 2, 32, 1}, {1, 1, 1, 1}, 0, 2},
    {M, {128, 2048, 131072}, {64, 2, 33, 1}, {1, 1, 1, 1}, TL_ERR_PAPER_COLUMN_STRIDE, 0},
    {M, {128, 2048, 131072}, {64, 2, 64, 1}, {1, 1, 1, 1}, 0, 2},
    {M, {128, 2048, 131072}, {64, 2, 16, 1}, {1, 1, 2, 1}, TL_ERR_PAPER_COLUMN_STRIDE, 0},
    {M, {128, 65536, 2048}, {64, 1, 4, 1}, {1, 1, 1, 1}, 0, 0}, /* whole tile columns */
    {M, {128, 32768, 2048}, {64, 1, 4, 1}, {1, 1, 2, 1}, 0, 0}, /* 2 * 16 columns */
    {M, {128, 32768, 2048}, {64, 1, 4, 1}, {1, 1, 1, 1}, TL_ERR_PAPER_COLUMN_STRIDE, 0},
    {M, {128, 65536, 2048}, {64, 2, 4, 8}, {1, 1, 1, 1}, 0, 3},
    {M, {128, 32768, 2048}, {64, 2, 4, 8}, {1, 1, 1, 1}, TL_ERR_PAPER_COLUMN_STRIDE, 0},
    {M, {128, 2048, 2048}, {64, 1, 4, 4}, {1, 1, 1, 1}, TL_ERR_PAPER_COLUMN_STRIDE, 0},
    {M, {64, 4096, 2048}, {64, 2, 4, 4}, {1, 1, 1, 1}, TL_ERR_PAPER_ROW_STRIDE, 0}, /* the row side is named first */
};

START_TEST(paper_refusal_and_split_dimension)
{
    const paper_case *row = &PAPER[_i];
    tl_tensor_params params = {
        .data_type = F16,
        .rank = 4,
        .global_address = row->global,
        .global_dim = {64, 8, 64, 64},
        .has_tile_major = true,
        .tile_major = {.leading_stride_bytes = 2048, .memory_tile = {64, 32}, .matrix_address = M},
    };
    memcpy(params.global_strides, row->stride, sizeof row->stride);
    memcpy(params.box_dim, row->box, sizeof row->box);
    memcpy(params.element_strides, row->step, sizeof row->step);
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode(&map, &params), TL_OK);
    ck_assert_uint_eq(tl_map_get(&map, TL_MAP_PAPER_REFUSAL_LSB, TL_MAP_PAPER_REFUSAL_BITS), row->refusal);
    ck_assert_uint_eq(tl_map_get(&map, TL_MAP_SPLIT_DIM_LSB, TL_MAP_SPLIT_DIM_BITS), row->split_dim);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tile_rules");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 30);
    tcase_add_loop_test(rules, rule_boundary, 0, COUNT_OF(CASES));
    tcase_add_loop_test(rules, ragged_view_needs_a_power_of_two_leading_stride, 0, 2);
    tcase_add_test(rules, rules_match_their_wording);
    suite_add_tcase(suite, rules);

    TCase *derived = tcase_create("derived fields");
    tcase_add_test(derived, derived_fields_give_row_and_column);
    tcase_add_loop_test(derived, paper_refusal_and_split_dimension, 0, COUNT_OF(PAPER));
    suite_add_tcase(suite, derived);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
