/* SPDX-License-Identifier: Apache-2.0 */
/* The GEMMs of the locality study: two models, two projections, forward and both backward products; and the mappings.
 */
#ifndef TILELENS_TESTS_LOCALITY_GEMMS_H
#define TILELENS_TESTS_LOCALITY_GEMMS_H

#include <stddef.h>
#include <stdint.h>

#include "locality_config.h"

enum { GEMM_FORWARD, GEMM_DX, GEMM_DW, GEMM_KINDS };
enum { PROJECTION_COUNT = 4, ATTENTION_COUNT = 4, GEMM_COUNT = PROJECTION_COUNT * GEMM_KINDS, MAPPING_COUNT = 5 };

typedef struct projection {
    const char *name;
    uint64_t out, in; /* features */
} projection;

static const projection PROJECTIONS[PROJECTION_COUNT] = {
    {"Qwen gate-up", 49152, 2048},
    {"Qwen down", 2048, 24576},
    {"Llama gate-up", 57344, 8192},
    {"Llama down", 8192, 28672},
};

/* Fused queries, keys and values, and the output projection: heads of 128. */
static const projection ATTENTION[ATTENTION_COUNT] = {
    {"Qwen QKV", 5120, 2048},
    {"Qwen O", 2048, 4096},
    {"Llama QKV", 10240, 8192},
    {"Llama O", 8192, 8192},
};

static const struct {
    const char *name;
    int data, cta;
} MAPPINGS[MAPPING_COUNT] = {
    {"base", TL_DATA_INTERLEAVE, TL_CTA_ROUND_ROBIN},  {"rr", TL_DATA_ROW_SPLIT, TL_CTA_ROW_SPLIT},
    {"rc", TL_DATA_ROW_SPLIT, TL_CTA_COLUMN_SPLIT},    {"cr", TL_DATA_COLUMN_SPLIT, TL_CTA_ROW_SPLIT},
    {"cc", TL_DATA_COLUMN_SPLIT, TL_CTA_COLUMN_SPLIT},
};

/* A GEMM of `tokens` tokens, weights first, laid out as a framework stores it; interleaved, CTAs in turn, row order. */
static inline tl_locality_config projection_config(const projection *of, unsigned kind, uint64_t tokens)
{
    const uint64_t out = of->out;
    const uint64_t in = of->in;
    tl_locality_config config;
    tl_locality_defaults(&config);
    switch (kind) {
    case GEMM_FORWARD:
        config.gemm = (tl_locality_gemm){out, tokens, in, 2};
        config.layout.a = TL_ROW_MAJOR;
        config.layout.b = TL_COLUMN_MAJOR;
        config.layout.c = TL_COLUMN_MAJOR;
        break;
    case GEMM_DX:
        config.gemm = (tl_locality_gemm){in, tokens, out, 2};
        config.layout.a = TL_COLUMN_MAJOR;
        config.layout.b = TL_COLUMN_MAJOR;
        config.layout.c = TL_COLUMN_MAJOR;
        break;
    default:
        config.gemm = (tl_locality_gemm){out, in, tokens, 2};
        config.layout.a = TL_COLUMN_MAJOR;
        config.layout.b = TL_ROW_MAJOR;
        config.layout.c = TL_ROW_MAJOR;
        break;
    }
    return config;
}

/* GEMM 0..11: projections, and of each the three kinds. */
static inline tl_locality_config gemm_config(unsigned gemm, uint64_t tokens)
{
    return projection_config(&PROJECTIONS[gemm / GEMM_KINDS], gemm % GEMM_KINDS, tokens);
}

static inline tl_locality_config mapping_config(unsigned gemm, unsigned mapping, uint64_t tokens)
{
    tl_locality_config config = gemm_config(gemm, tokens);
    config.placement.data = MAPPINGS[mapping].data;
    config.placement.cta = MAPPINGS[mapping].cta;
    return config;
}

#endif
