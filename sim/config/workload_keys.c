/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the run itself and of the workload. */
#include "config_groups.h"

static const char *const layouts[] = {"column_major", "row_major", "tile_major"};
static const char *const prefetches[] = {"none", "adaptive", "forced"};

static const tl_config_key run_keys[] = {
    TL_KEY_TEXT(system_file, system_file, "", "file with the key system; relative to the folder of this file"),
    TL_KEY_TEXT(workload_file, workload_file, "", "file with the key workload; relative to the folder of this file"),
    TL_KEY_CHOICE(layout, layout, layouts, "tile_major", "how weights lie in memory"),
    TL_KEY_CHOICE(prefetch, prefetch, prefetches, "adaptive",
                  "prefetcher of the HBF controllers: none, adaptive (Eq. 6) or forced (always forced_degree); "
                  "HBM and RoMe have none"),
    TL_KEY_NUMBER(forced_degree, forced_degree, 0, 1, 1024, NULL, "1", "degree of prefetch: forced"),
};
const tl_config_group tl_config_run_group = TL_CONFIG_GROUP("", run_keys);

static const tl_config_key workload_keys[] = {
    TL_KEY_TEXT(name, workload.name, "qwen3_30b_b16", "what reports call the workload"),
    TL_KEY_NUMBER(hidden, workload.model.hidden, 0, 1, 1 << 20, NULL, "2048", "elements of one token"),
    TL_KEY_NUMBER(intermediate, workload.model.intermediate, 0, 1, 1 << 20, NULL, "768",
                  "elements between the two products, of one expert or of the dense layer"),
    TL_KEY_SWITCH(gated, workload.model.gated, "true", "the first product makes a gate and a value, fused along N"),
    TL_KEY_NUMBER(experts, workload.model.experts, 0, 1, 1 << 16, NULL, "128", "experts; 1: a dense layer"),
    TL_KEY_NUMBER(top_k, workload.model.top_k, 0, 1, 1 << 10, NULL, "8", "experts that one token is routed to"),
    TL_KEY_NUMBER(routing_skew, workload.model.routing_skew, 3, 0, 8000, NULL, "0",
                  "popularity of expert e is (e + 1)^-skew; 0: uniform"),
    TL_KEY_NUMBER(routing_seed, workload.model.routing_seed, 0, 0, UINT64_MAX, NULL, "47", "seed of the routing"),
    TL_KEY_NUMBER(batch, workload.model.batch, 0, 1, 1 << 20, NULL, "16", "tokens"),
    TL_KEY_NUMBER(element_bytes, workload.model.element_bytes, 0, 1, 8, NULL, "2", "1, 2, 4 or 8"),
    TL_KEY_NUMBER(tile_m, workload.model.tile_m, 0, 1, 1024, NULL, "16",
                  "compute tile: tokens, a power of two (Triton BLOCK_M)"),
    TL_KEY_NUMBER(tile_n, workload.model.tile_n, 0, 1, 1024, NULL, "256",
                  "compute tile: columns of the weight, a power of two (BLOCK_N)"),
    TL_KEY_NUMBER(tile_k, workload.model.tile_k, 0, 1, 1024, NULL, "128",
                  "compute tile: elements of one K-step, a power of two (BLOCK_K)"),
    TL_KEY_NUMBER(group_size_m, workload.model.group_size_m, 0, 1, 1 << 20, NULL, "1",
                  "blocks of tokens that a raster group walks before the next column (GROUP_SIZE_M)"),
    TL_KEY_NUMBER(down_split_k, workload.model.down_split_k, 0, 1, 64, NULL, "1",
                  "thread blocks that share the K-loop of one tile of the second product (split-K)"),
    TL_KEY_NUMBER(ctas_per_sm, workload.model.ctas_per_sm, 0, 1, 32, NULL, "2", "thread blocks on one SM"),
    TL_KEY_NUMBER(stages, workload.model.stages, 0, 1, 64, NULL, "1",
                  "shared-memory buffers of one thread block, each for one K-step"),
    TL_KEY_NUMBER(tiles_in_flight, workload.model.tiles_in_flight, 0, 1, 64, NULL, "1",
                  "K-steps that a thread block waits for at once, at most stages"),
    TL_KEY_PAIR(memory_tile, workload.model.memory_tile, 1, 65536, "64 32",
                "tile_major: elements along K and columns of one memory tile, powers of two"),
};
const tl_config_group tl_config_workload_group = TL_CONFIG_GROUP("workload", workload_keys);
