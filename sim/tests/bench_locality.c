/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the locality simulator costs: the five mappings of twelve GEMMs at 16384 tokens by the fast engine, and three
 * configurations by both engines in the same run. Processor seconds of one core.
 */
#define _DEFAULT_SOURCE /* getrusage */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "locality_gemms.h"
#include "locality_result.h"

enum { TOKENS = 16384, CONFIG_COUNT = GEMM_COUNT * MAPPING_COUNT };

static double run(const tl_locality_config *config, tl_locality_engine engine, tl_locality_counters *counters)
{
    char error[TL_LOCALITY_ERROR_BYTES];
    const clock_t start = clock();
    if (tl_locality_run(config, engine, NULL, counters, error, sizeof error) != 0) {
        (void)fprintf(stderr, "%s\n", error);
        exit(EXIT_FAILURE);
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void bench_mappings(void)
{
    static tl_locality_counters counters;
    double seconds[CONFIG_COUNT];
    double sum = 0.0;
    for (unsigned n = 0; n < CONFIG_COUNT; n++) {
        const tl_locality_config config = mapping_config(n / MAPPING_COUNT, n % MAPPING_COUNT, TOKENS);
        seconds[n] = run(&config, TL_ENGINE_FAST, &counters);
        sum += seconds[n];
    }
    qsort(seconds, CONFIG_COUNT, sizeof seconds[0], compare_seconds);
    (void)printf("60 mapping configurations: %.2f s in all (aim 15), median %.3f (aim 0.15), worst %.2f (aim 1.5)\n",
                 sum, seconds[CONFIG_COUNT / 2], seconds[CONFIG_COUNT - 1]);
}

static uint64_t accesses(const tl_locality_counters *counters)
{
    uint64_t sum = 0;
    for (unsigned chiplet = 0; chiplet < TL_CHIPLETS_MAX; chiplet++) {
        sum += counters->chiplet[chiplet].accesses[TL_OPERAND_A] + counters->chiplet[chiplet].accesses[TL_OPERAND_B];
    }
    return sum;
}

static void bench_pair(const char *name, const tl_locality_config *config)
{
    static tl_locality_counters fast;
    static tl_locality_counters plain;
    const double fast_s = run(config, TL_ENGINE_FAST, &fast);
    const double plain_s = run(config, TL_ENGINE_REFERENCE, &plain);
    const double lines = (double)accesses(&plain);
    (void)printf("%-34s %6.2f G lines  reference %7.2f s, %4.0f M lines/s  fast %7.3f s, %6.1fx%s\n", name,
                 lines * 1e-9, plain_s, lines / plain_s * 1e-6, fast_s, plain_s / fast_s,
                 memcmp(fast.chiplet, plain.chiplet, sizeof fast.chiplet) == 0 ? "" : "  DIFFERENT");
}

int main(void)
{
    bench_mappings();
    tl_locality_config config = mapping_config(0, 0, TOKENS);
    bench_pair("Qwen gate-up Fwd, base (thrashing)", &config);
    config = mapping_config(6, 0, TOKENS);
    config.layout.a_leading_dimension = 8192 + 64;
    config.layout.b_leading_dimension = 8192 + 64;
    bench_pair("Llama gate-up Fwd, padded", &config);
    config.layout.a_leading_dimension = 0;
    config.layout.b_leading_dimension = 0;
    config.machine.set_index = TL_SET_XOR;
    bench_pair("Llama gate-up Fwd, XOR index", &config);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        (void)printf("peak memory %ld MB (aim 300)\n", usage.ru_maxrss / 1024);
    }
    return EXIT_SUCCESS;
}
