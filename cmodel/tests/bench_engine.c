/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the C model turns loads into requests, beside two yardsticks over the same bytes: Eq. 2 evaluated element by
 * element with divisions, and memset. Processor time, best of several rounds, all three taken in turn, so that a busy
 * machine is equally unkind to all.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tilelens/load.h"

enum { ROUNDS = 7, LOADS_PER_ROUND = 2000, NAIVE_PER_ROUND = 20, BOX_BYTES_MAX = 65536 };

typedef struct bench_load {
    const char *name;
    tl_data_type data_type;
    tl_swizzle swizzle;
    uint32_t s;
    uint64_t K, N; /* matrix, elements */
    uint32_t u, v; /* box */
    uint32_t a, b; /* memory tile; 0: plain */
    int32_t i, j;  /* box origin */
} bench_load;

static const bench_load LOADS[] = {
    {"bf16 64x256, tile 64x32", TL_BFLOAT16, TL_SWIZZLE_128B, 2, 8192, 4096, 64, 256, 64, 32, 128, 512},
    {"bf16 64x256, off the tile", TL_BFLOAT16, TL_SWIZZLE_128B, 2, 8192, 4096, 64, 256, 64, 32, 136, 517},
    {"bf16 64x256, plain", TL_BFLOAT16, TL_SWIZZLE_128B, 2, 8192, 4096, 64, 256, 0, 0, 128, 512},
    {"fp8 128x128, tile 128x32", TL_UINT8, TL_SWIZZLE_128B, 1, 7168, 4096, 128, 128, 128, 32, 256, 128},
    {"fp8 128x128, tile 64x64", TL_UINT8, TL_SWIZZLE_128B, 1, 7168, 4096, 128, 128, 64, 64, 256, 128},
    {"fp8 128x112, ragged", TL_UINT8, TL_SWIZZLE_128B, 1, 7168, 4096, 128, 112, 128, 32, 256, 4032},
};

static tl_tensor_params params_of(const bench_load *from)
{
    tl_tensor_params params = {
        .data_type = from->data_type,
        .rank = 2,
        .global_address = UINT64_C(0x7F0000000000),
        .global_dim = {from->K, from->N},
        .global_strides = {from->K * from->s},
        .box_dim = {from->u, from->v},
        .element_strides = {1, 1},
        .swizzle = from->swizzle,
        .has_tile_major = from->a != 0,
        .tile_major = {from->K * from->s, {from->a, from->b}, UINT64_C(0x7F0000000000)},
    };
    return params;
}

/* Source of every element by Eq. 1-2, and its destination; the sum keeps the compiler from dropping it. */
static uint64_t naive(const tl_tensor_params *p, const tl_load *load, uint32_t s)
{
    const uint64_t KL = p->global_strides[0] / s;
    const uint64_t a = p->has_tile_major ? p->tile_major.memory_tile[0] : KL;
    const uint64_t b = p->has_tile_major ? p->tile_major.memory_tile[1] : 1;
    uint64_t sum = 0;
    for (uint32_t y = 0; y < p->box_dim[1]; y++) {
        for (uint32_t x = 0; x < p->box_dim[0]; x++) {
            const int64_t g0 = load->coordinates[0] + (int64_t)x, g1 = load->coordinates[1] + (int64_t)y;
            const uint64_t line = load->shared_address + (uint64_t)y * p->box_dim[0] * s + (uint64_t)x * s;
            sum += line ^ (line >> 3 & 0x70);
            if (g0 < 0 || g1 < 0 || (uint64_t)g0 >= p->global_dim[0] || (uint64_t)g1 >= p->global_dim[1])
                continue;
            const uint64_t L = (uint64_t)g0 + (uint64_t)g1 * KL, i = L % KL, j = L / KL;
            sum += p->global_address + ((j / b * (KL / a) + i / a) * (a * b) + j % b * a + i % a) * s;
        }
    }
    return sum;
}

static uint64_t run_engine(const tl_tensor_map *map, const tl_load *load, uint64_t *requests)
{
    tl_engine engine;
    tl_request request;
    uint64_t sum = 0;
    if (tl_engine_start(&engine, map, load, TL_GENERAL) != TL_OK)
        return 0;
    while (tl_engine_next(&engine, &request)) {
        sum += request.src_address + request.dst_address + request.bytes;
        ++*requests;
    }
    return sum;
}

static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void keep_best(double *best, double start, unsigned loads)
{
    const double seconds = (seconds_now() - start) / loads;
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

/* Returns false when the map is refused. */
static bool run_load(const bench_load *from, volatile uint64_t *sink)
{
    static unsigned char box[BOX_BYTES_MAX];
    const tl_tensor_params params = params_of(from);
    const tl_load load = {{from->i, from->j}, 0x400};
    const size_t box_bytes = (size_t)from->u * from->v * from->s;
    double engine_s = 0, naive_s = 0, memset_s = 0;
    uint64_t requests = 0;
    tl_tensor_map map;

    if (tl_tensor_map_encode(&map, &params) != TL_OK)
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds_now();
        requests = 0;
        for (int k = 0; k < LOADS_PER_ROUND; k++)
            *sink += run_engine(&map, &load, &requests);
        keep_best(&engine_s, start, LOADS_PER_ROUND);
        start = seconds_now();
        for (int k = 0; k < NAIVE_PER_ROUND; k++)
            *sink += naive(&params, &load, from->s);
        keep_best(&naive_s, start, NAIVE_PER_ROUND);
        start = seconds_now();
        for (int k = 0; k < LOADS_PER_ROUND; k++) {
            memset(box, k, box_bytes);
            *sink += box[(size_t)k % box_bytes];
        }
        keep_best(&memset_s, start, LOADS_PER_ROUND);
    }
    const double per_load = (double)requests / LOADS_PER_ROUND;
    printf("%-26s %8.0f %10.2f %12.1f %12.0f %12.2f\n", from->name, per_load, engine_s * 1e6, per_load / engine_s / 1e6,
           naive_s / engine_s, engine_s / memset_s);
    return true;
}

int main(void)
{
    volatile uint64_t sink = 0;
    bool good = true;
    printf("%-26s %8s %10s %12s %12s %12s\n", "load", "requests", "us/load", "Mrequests/s", "x naive", "/ memset");
    for (size_t k = 0; k < sizeof LOADS / sizeof LOADS[0]; k++)
        good = run_load(&LOADS[k], &sink) && good;
    return good ? 0 : 1;
}
