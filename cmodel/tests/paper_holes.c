/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the TileLens paper's hardware text goes: a markdown table of the element addresses that go wrong when its
 * Eq. 4, Eq. 5 and Case 2 are taken as printed, beside those of the general variant. Ground truth is the oracle.
 * Fails when the general variant has a wrong address.
 *
 * The reading is as kind as the text allows: v < b counts as one partial memory tile, v / b is rounded down, and
 * elements that are never loaded count as wrong.
 */
#include <stdio.h>
#include <stdlib.h>

#include "oracle.h"
#include "tilelens/load.h"

enum { MATRIX = 1 << 20, KL = 768, NEVER_LOADED = 0 };

/* One fp8 load of a column-major matrix with 768 rows. */
typedef struct example {
    const char *hole;
    const char *text;
    uint32_t a, b;
    uint64_t dim[3];
    uint64_t stride[2]; /* elements */
    uint32_t rank;
    uint32_t box[3];
    int32_t coordinates[3];
    uint32_t element_stride_1;
} example;

static const example EXAMPLES[] = {
    {"none", "Case 1: a = u, v = 2b", 64, 64, {KL, 256}, {KL}, 2, {64, 128}, {128, 64}, 1},
    {"none", "Case 2: 32 x 32 box, 128 x 32 memory tile", 128, 32, {KL, 256}, {KL}, 2, {32, 32}, {160, 64}, 1},
    {"1", "row-side box > 1: (64, N, K/64), box (64, 64, 2)", 64, 64, {64, 256, 12}, {KL, 64}, 3, {64, 64, 2},
     {0, 64, 2}, 1},
    {"1", "the same, 128 x 32 memory tile", 128, 32, {64, 256, 12}, {KL, 64}, 3, {64, 64, 2}, {0, 64, 2}, 1},
    {"2", "columns inside a memory tile: (64, 16, 8), strides (1, K, 16K), box (64, 16, 4)", 64, 64, {64, 16, 8},
     {KL, 12288}, 3, {64, 16, 4}, {0, 0, 0}, 1},
    {"3", "j mod b = 16, box (64, 64)", 64, 64, {KL, 256}, {KL}, 2, {64, 64}, {0, 16}, 1},
    {"4", "v = 96, b = 64", 64, 64, {KL, 256}, {KL}, 2, {64, 96}, {0, 64}, 1},
    {"4", "v = 48, b = 64 (one partial tile)", 64, 64, {KL, 256}, {KL}, 2, {64, 48}, {0, 64}, 1},
    {"5", "i mod u = 16, a = u = 64", 64, 64, {KL, 256}, {KL}, 2, {64, 64}, {16, 64}, 1},
    {"5", "i mod u = 16, a = 128, u = 64", 128, 32, {KL, 256}, {KL}, 2, {64, 64}, {16, 64}, 1},
    {"6", "a < u: box (128, 64), 64 x 64 memory tile", 64, 64, {KL, 256}, {KL}, 2, {128, 64}, {256, 64}, 1},
    {"14", "element stride 3: B_1 = 8, c_1 = 60", 64, 64, {KL, 256}, {KL}, 2, {64, 8}, {0, 60}, 3},
    {"14", "element stride 2: B_1 = 128, c_1 = 64", 64, 64, {KL, 256}, {KL}, 2, {64, 128}, {0, 64}, 2},
};

static tl_tensor_params params_of(const example *x)
{
    tl_tensor_params params = {
        .data_type = TL_UINT8,
        .rank = x->rank,
        .global_address = MATRIX,
        .has_tile_major = true,
        .tile_major = {.leading_stride_bytes = KL, .memory_tile = {x->a, x->b}, .matrix_address = MATRIX},
    };
    for (uint32_t d = 0; d < x->rank; d++) {
        params.global_dim[d] = x->dim[d];
        params.box_dim[d] = x->box[d];
        params.element_strides[d] = d == 1 ? x->element_stride_1 : 1;
        if (d > 0) {
            params.global_strides[d - 1] = x->stride[d - 1];
        }
    }
    return params;
}

/* Fig. 12c: (sub-tile | column | row) -> (column | sub-tile | row), within one a x b memory tile. */
static uint64_t case2_permutation(uint64_t offset, uint64_t u, uint64_t a, uint64_t b)
{
    const uint64_t row = offset % u;
    const uint64_t column = offset / u % b;
    const uint64_t sub_tile = offset / (u * b) % (a / u);
    return offset / (a * b) * (a * b) + column * a + sub_tile * u + row;
}

/* The paper's mechanism: Eq. 4's tileBase, plus counters whose K dimension is split as Eq. 5 says. */
static uint64_t literal_address(const example *x, uint64_t element)
{
    const uint64_t width = x->box[0] < x->a ? x->box[0] : x->a; /* Case 2 assumes a u x b memory tile */
    uint64_t row_sum = (uint64_t)x->coordinates[0];
    uint64_t column_sum = 0;                                    /* K * j */
    uint64_t counters = element % x->box[0];
    uint64_t rest = element / x->box[0];

    for (uint32_t d = 1; d < x->rank; d++) {
        const uint64_t stride = x->stride[d - 1];
        const uint64_t step = d == 1 ? x->element_stride_1 : 1;
        const uint64_t n = (x->box[d] + step - 1) / step;
        const uint64_t k = rest % n;
        rest /= n;
        if (stride >= KL) {
            column_sum += (uint64_t)x->coordinates[d] * stride;
        } else {
            row_sum += (uint64_t)x->coordinates[d] * stride;
        }
        if (stride != KL) {
            counters += k * stride * step;
        } else if (n >= x->b && k >= n / x->b * x->b) {
            return NEVER_LOADED;
        } else {
            counters += k % x->b * width + k / x->b * x->b * KL;
        }
    }
    const uint64_t offset = column_sum + row_sum * x->b + counters;
    return MATRIX + (x->box[0] < x->a ? case2_permutation(offset, x->box[0], x->a, x->b) : offset);
}

/* Elements that the general variant does not load exactly once from the right address. */
static uint64_t general_wrong(const tl_tensor_params *params, const tl_load *load, uint64_t total)
{
    uint64_t right = 0, loaded = 0;
    tl_tensor_map map;
    tl_engine engine;
    tl_request request;

    if (tl_tensor_map_encode(&map, params) != TL_OK || tl_engine_start(&engine, &map, load, TL_GENERAL) != TL_OK) {
        return total;
    }
    while (tl_engine_next(&engine, &request)) {
        for (uint32_t k = 0; k < request.bytes; k++, loaded++) { /* fp8, no swizzle: byte k is element k */
            tl_oracle_element expected;
            tl_oracle_map(params, load, request.dst_address - load->shared_address + k, &expected);
            right += !request.fill && !expected.fill && request.src_address + k == expected.src_address;
        }
    }
    return loaded == total ? total - right : total;
}

int main(void)
{
    uint64_t all_general_wrong = 0;
    printf("| hole | example | wrong of total, literal text | wrong, general variant |\n|---|---|---|---|\n");
    for (size_t n = 0; n < sizeof EXAMPLES / sizeof EXAMPLES[0]; n++) {
        const example *x = &EXAMPLES[n];
        const tl_tensor_params params = params_of(x);
        const uint64_t total = tl_oracle_count(&params);
        tl_load load = {.shared_address = 1024};
        uint64_t literal_wrong = 0;
        for (uint32_t d = 0; d < x->rank; d++) {
            load.coordinates[d] = x->coordinates[d];
        }
        for (uint64_t element = 0; element < total; element++) {
            tl_oracle_element expected;
            tl_oracle_map(&params, &load, element, &expected);
            literal_wrong += expected.fill || literal_address(x, element) != expected.src_address;
        }
        const uint64_t wrong = general_wrong(&params, &load, total);
        all_general_wrong += wrong;
        printf("| %s | %s | %llu of %llu | %llu |\n", x->hole, x->text, (unsigned long long)literal_wrong,
               (unsigned long long)total, (unsigned long long)wrong);
    }
    return all_general_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
