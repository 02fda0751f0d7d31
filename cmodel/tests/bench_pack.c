/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast whole matrices are packed and unpacked, beside memcpy of the same bytes, on one thread and on matrices far
 * larger than the caches. Processor time, best of several rounds; memcpy is measured between the others, so that a
 * busy machine is equally unkind to all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tilelens/layout.h"

enum { ROUNDS = 5 };

typedef struct bench_case {
    const char *name;
    tl_order linear;
    tl_order tiled;
    uint64_t rows, columns;
    uint32_t element_bytes, a, b;
} bench_case;

static const bench_case CASES[] = {
    {"bf16 64x32", TL_COLUMN_MAJOR, TL_COLUMN_MAJOR, 8192, 16384, 2, 64, 32},
    {"bf16 64x32, odd", TL_COLUMN_MAJOR, TL_COLUMN_MAJOR, 7168, 18439, 2, 64, 32},
    {"bf16 128x16", TL_COLUMN_MAJOR, TL_COLUMN_MAJOR, 8192, 16384, 2, 128, 16},
    {"bf16 row-major", TL_ROW_MAJOR, TL_ROW_MAJOR, 16384, 8192, 2, 64, 32},
    {"fp8 64x64", TL_COLUMN_MAJOR, TL_COLUMN_MAJOR, 16384, 16384, 1, 64, 64},
    {"fp32 32x32", TL_COLUMN_MAJOR, TL_COLUMN_MAJOR, 8192, 8192, 4, 32, 32},
    {"fp64 16x32", TL_COLUMN_MAJOR, TL_COLUMN_MAJOR, 4096, 8192, 8, 16, 32},
    {"bf16 transposing", TL_ROW_MAJOR, TL_COLUMN_MAJOR, 8192, 16384, 2, 64, 32},
    {"fp8 transposing", TL_ROW_MAJOR, TL_COLUMN_MAJOR, 16384, 16384, 1, 64, 64},
};

static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void keep_best(double *best, double start)
{
    const double seconds = seconds_now() - start;
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

/* Returns false when memory is short or the image does not survive the round trip. */
static bool run_case(const bench_case *c)
{
    const tl_layout linear = tl_layout_linear(c->linear, c->rows, c->columns, c->element_bytes);
    const tl_layout tiled = tl_layout_tile_major(c->tiled, c->rows, c->columns, c->element_bytes, c->a, c->b);
    const size_t linear_bytes = (size_t)tl_layout_bytes(&linear);
    unsigned char *image = malloc(linear_bytes);
    unsigned char *packed = malloc((size_t)tl_layout_bytes(&tiled));
    unsigned char *copy = malloc(linear_bytes);
    bool good = image != NULL && packed != NULL && copy != NULL;

    if (good) {
        double pack_s = 0, unpack_s = 0, memcpy_s = 0;
        for (size_t k = 0; k < linear_bytes; k++)
            image[k] = (unsigned char)(k ^ k >> 8 ^ k >> 16);
        memset(packed, 0, (size_t)tl_layout_bytes(&tiled)); /* map the pages before the clock runs */
        memset(copy, 0, linear_bytes);
        for (int round = 0; round < ROUNDS; round++) {
            double start = seconds_now();
            memcpy(copy, image, linear_bytes);
            keep_best(&memcpy_s, start);
            start = seconds_now();
            good = good && tl_pack(&linear, image, &tiled, packed) == TL_OK;
            keep_best(&pack_s, start);
            start = seconds_now();
            good = good && tl_unpack(&tiled, packed, &linear, copy) == TL_OK;
            keep_best(&unpack_s, start);
        }
        good = good && memcmp(copy, image, linear_bytes) == 0;
        const double gigabytes = (double)linear_bytes * 1e-9;
        printf("%-18s %5.0f MB  %6.2f %6.2f %6.2f GB/s   %5.2f %5.2f\n", c->name, gigabytes * 1e3, gigabytes / pack_s,
               gigabytes / unpack_s, gigabytes / memcpy_s, memcpy_s / pack_s, memcpy_s / unpack_s);
    }
    free(image);
    free(packed);
    free(copy);
    return good;
}

int main(void)
{
    printf("%-18s %8s  %6s %6s %6s        %5s %5s\n", "matrix", "size", "pack", "unpack", "memcpy", "pack/", "unpack/");
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        if (!run_case(&CASES[k])) {
            fprintf(stderr, "bench_pack: %s: out of memory, or wrong bytes\n", CASES[k].name);
            return 1;
        }
    }
    return 0;
}
