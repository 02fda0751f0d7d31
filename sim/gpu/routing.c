/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded routing of tokens to experts. */
#include "routing.h"

#include <math.h>
#include <stdlib.h>

/* Weights are integers, so that no sum depends on the order or the rounding of additions. */
static const double WEIGHT_OF_FIRST = 4294967296.0;

__extension__ typedef unsigned __int128 uint128;

/* splitmix64: the state is a counter, every value appears once in 2^64 draws. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t popularity(uint32_t expert, double skew)
{
    const double weight = WEIGHT_OF_FIRST * pow((double)expert + 1, -skew);
    return weight < 1 ? 1 : (uint64_t)weight;
}

/* The expert at a position on the line of all weights that are left. */
static uint32_t expert_at(const uint64_t *weights, uint64_t position)
{
    uint32_t expert = 0;
    while (position >= weights[expert])
        position -= weights[expert++];
    return expert;
}

static void route_token(uint64_t *weights, uint64_t total, uint32_t top_k, uint64_t *state, uint32_t *experts)
{
    uint64_t taken[TL_MODEL_MAX_TOP_K]; /* of the experts drawn, put back for the next token */
    for (uint32_t slot = 0; slot < top_k; slot++) {
        experts[slot] = expert_at(weights, (uint64_t)((uint128)next_random(state) * total >> 64));
        taken[slot] = weights[experts[slot]];
        total -= taken[slot];
        weights[experts[slot]] = 0;
    }
    for (uint32_t slot = 0; slot < top_k; slot++)
        weights[experts[slot]] = taken[slot];
}

bool tl_route(const tl_model *model, uint32_t *experts)
{
    uint64_t *weights = malloc(model->experts * sizeof *weights);
    uint64_t total = 0;
    uint64_t state = model->routing_seed;

    if (weights == NULL)
        return false;
    for (uint32_t expert = 0; expert < model->experts; expert++)
        total += weights[expert] = popularity(expert, model->routing_skew);
    for (uint32_t token = 0; token < model->batch; token++)
        route_token(weights, total, model->top_k, &state, experts + (size_t)token * model->top_k);
    free(weights);
    return true;
}
