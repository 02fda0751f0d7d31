/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which experts the tokens of a batch are routed to: seeded and deterministic, so that a run can be repeated.
 *
 * Each token draws top_k different experts, one after the other, with the experts' popularity as weights. Tokens draw
 * in order from one stream: a smaller batch is the beginning of a larger one.
 */
#ifndef TILELENS_SIM_ROUTING_H
#define TILELENS_SIM_ROUTING_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @param[out] experts  batch * top_k entries; entry token * top_k + slot is the expert of that token's slot
 * @return false when memory runs out
 */
bool tl_route(const tl_model *model, uint32_t *experts);

#ifdef __cplusplus
}
#endif
#endif
