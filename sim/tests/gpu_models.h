/* SPDX-License-Identifier: Apache-2.0 */
/* The two models of the paper as test fixtures. */
#ifndef TILELENS_SIM_TESTS_GPU_MODELS_H
#define TILELENS_SIM_TESTS_GPU_MODELS_H

#include "workload.h"

static const tl_tensor_rate H200_RATE = {.flop_per_s = 989e12, .sm_count = 132, .efficiency = 1};
static const tl_placement TEST_PLACEMENT = {.weight_base = UINT64_C(1) << 40, .activation_base = UINT64_C(1) << 32};

static inline tl_model qwen_model(uint32_t batch, tl_weight_layout layout)
{
    return (tl_model){
        .hidden = 2048,
        .intermediate = 768,
        .gated = true,
        .experts = 128,
        .top_k = 8,
        .routing_seed = 47,
        .batch = batch,
        .element_bytes = 2,
        .tile_m = batch <= 64 ? 16 : 32,
        .tile_n = 256,
        .tile_k = 128,
        .down_split_k = 1,
        .group_size_m = batch <= 64 ? 1 : 16,
        .ctas_per_sm = 3,
        .stages = 1,
        .tiles_in_flight = 1,
        .weight_layout = layout,
        .memory_tile = {64, 32},
    };
}

static inline tl_model llama_model(uint32_t batch, tl_weight_layout layout)
{
    const uint32_t stages = batch <= 16 ? 6 : batch <= 64 ? 4 : 2;
    return (tl_model){
        .hidden = 8192,
        .intermediate = 28672,
        .gated = true,
        .experts = 1,
        .top_k = 1,
        .batch = batch,
        .element_bytes = 2,
        .tile_m = batch,
        .tile_n = 128,
        .tile_k = 64,
        .down_split_k = 1,
        .group_size_m = 1,
        .ctas_per_sm = 2,
        .stages = stages,
        .tiles_in_flight = stages,
        .weight_layout = layout,
        .memory_tile = {64, 32},
    };
}

#endif
