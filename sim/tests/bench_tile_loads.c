/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tiles of a whole run cost: TMA requests through the engine, accesses after merging, processor time for each
 * request. Weights in pages of 4 KiB and in requests of up to 512 bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gpu_models.h"
#include "tile_loads.h"

static const char *const LAYOUT_NAMES[TL_WEIGHT_LAYOUT_COUNT] = {"column", "row", "tile"};

typedef struct totals {
    uint64_t requests, tiles;
    uint64_t accesses[TL_OPERAND_COUNT], useful_bytes[TL_OPERAND_COUNT];
} totals;

static totals run_all(tl_tile_loads *loads, const tl_load_source *source)
{
    totals sum = {0};
    for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++) {
        for (uint32_t cta = 0; cta < source->kernels[kernel].cta_count; cta++) {
            for (uint32_t step = 0; step < source->kernels[kernel].step_count; step++) {
                tl_tile_accesses tile;
                if (tl_tile_loads_run(loads, kernel, cta, step, &tile) != TL_OK)
                    abort();
                sum.requests += tile.requests;
                sum.tiles++;
                for (unsigned operand = 0; operand < TL_OPERAND_COUNT; operand++) {
                    sum.accesses[operand] += tile.count[operand];
                    sum.useful_bytes[operand] += tile.useful_bytes[operand];
                }
            }
        }
    }
    return sum;
}

static void bench(const char *name, const tl_model *model, uint32_t page_bytes, bool step)
{
    const tl_tile_loads_config config = {.page_bytes = page_bytes, .request_bytes = 512, .step_every_request = step};
    tl_input_error error;
    tl_workload *workload = tl_workload_create(model, &H200_RATE, &TEST_PLACEMENT, &error);
    if (workload == NULL)
        abort();
    tl_tile_loads *loads = tl_tile_loads_create(tl_workload_source(workload), &config, &error);
    if (loads == NULL)
        abort();
    const clock_t start = clock();
    const totals sum = run_all(loads, tl_workload_source(workload));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%-5s %-6s %4u  %-7s %5u %9.3f %11.3f %11.3f %9.1f %9.1f %8.3f %10.1f\n", step ? "step" : "reuse", name,
           model->batch, LAYOUT_NAMES[model->weight_layout], page_bytes, (double)sum.requests / 1e6,
           (double)sum.accesses[TL_OPERAND_WEIGHT] / 1e6, (double)sum.accesses[TL_OPERAND_ACTIVATION] / 1e6,
           (double)sum.useful_bytes[TL_OPERAND_WEIGHT] / 1e6, (double)sum.useful_bytes[TL_OPERAND_ACTIVATION] / 1e6,
           seconds, seconds * 1e9 / (double)sum.requests);
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}

static void bench_models(uint32_t page_bytes, bool step)
{
    static const uint32_t BATCHES[] = {16, 64, 256};
    for (unsigned b = 0; b < sizeof BATCHES / sizeof BATCHES[0]; b++) {
        for (unsigned layout = 0; layout < TL_WEIGHT_LAYOUT_COUNT; layout++) {
            const tl_model qwen = qwen_model(BATCHES[b], (tl_weight_layout)layout);
            const tl_model llama = llama_model(BATCHES[b], (tl_weight_layout)layout);
            bench("qwen", &qwen, page_bytes, step);
            bench("llama", &llama, page_bytes, step);
        }
    }
}

int main(void)
{
    printf("%-5s %-6s %4s  %-7s %5s %9s %11s %11s %9s %9s %8s %10s\n", "mode", "model", "b", "layout", "page",
           "Mrequests", "Mweight acc", "Mactiv acc", "weight MB", "activ MB", "CPU s", "ns/request");
    for (unsigned step = 0; step < 2; step++)
        for (uint32_t page_bytes = 0; page_bytes <= 4096; page_bytes += 4096)
            bench_models(page_bytes, step != 0);
    return 0;
}
