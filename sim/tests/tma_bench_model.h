// SPDX-License-Identifier: Apache-2.0
// The bare Verilated tma_top, apart from SystemC: the two do not go into one translation unit.
#ifndef TILELENS_SIM_TESTS_TMA_BENCH_MODEL_H
#define TILELENS_SIM_TESTS_TMA_BENCH_MODEL_H

#include <cstdint>

#include "tilelens/load.h"

namespace tilelens
{

// Clocks it until it has given so many requests of loads of one map: the next load waits at the ports, each request is
// taken at once. Returns a sum of what the ports said.
uint64_t run_bare_model(const tl_tensor_map &map, tl_load (*load)(uint32_t number), uint64_t requests);

} // namespace tilelens
#endif
