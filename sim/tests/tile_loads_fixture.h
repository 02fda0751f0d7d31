/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of a workload, in pages or in requests. */
#ifndef TILELENS_SIM_TESTS_TILE_LOADS_FIXTURE_H
#define TILELENS_SIM_TESTS_TILE_LOADS_FIXTURE_H

#include "gpu_fixture.h"
#include "tile_loads.h"

enum { PAGE_BYTES = 4096, REQUEST_BYTES = 512, SECTOR_BYTES = 32 };

static const tl_tile_loads_config PAGES = {.page_bytes = PAGE_BYTES, .request_bytes = REQUEST_BYTES};
static const tl_tile_loads_config LINES = {.page_bytes = 0, .request_bytes = REQUEST_BYTES};

static inline tl_tile_loads *make_source_loads(const tl_load_source *source, tl_tile_loads_config config)
{
    tl_input_error error;
    tl_tile_loads *loads = tl_tile_loads_create(source, &config, &error);
    ck_assert_msg(loads != NULL, "%s: %s, %s", error.path, error.found, error.expected);
    return loads;
}

static inline tl_tile_loads *make_loads(const tl_workload *workload, tl_tile_loads_config config)
{
    return make_source_loads(tl_workload_source(workload), config);
}

static inline tl_tile_accesses run_tile(tl_tile_loads *loads, uint32_t kernel, uint32_t cta, uint32_t step)
{
    tl_tile_accesses tile;
    if (tl_tile_loads_run(loads, kernel, cta, step, &tile) != TL_OK)
        ck_abort_msg("kernel %u, CTA %u, step %u: the engine refuses a load", kernel, cta, step);
    return tile;
}

static inline bool same_tile(const tl_tile_accesses *left, const tl_tile_accesses *right)
{
    for (unsigned operand = 0; operand < TL_OPERAND_COUNT; operand++)
        if (left->count[operand] != right->count[operand] ||
            left->useful_bytes[operand] != right->useful_bytes[operand] ||
            memcmp(left->accesses[operand], right->accesses[operand],
                   left->count[operand] * sizeof(tl_tile_access)) != 0)
            return false;
    return left->requests == right->requests && left->fill_bytes == right->fill_bytes;
}

#endif
