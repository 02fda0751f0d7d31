// SPDX-License-Identifier: Apache-2.0
// One function a variant, each in a file of its own: the generated classes share no header.
#ifndef TILELENS_SIM_TMA_ENGINE_RTL_H
#define TILELENS_SIM_TMA_ENGINE_RTL_H

#include "request_engine.h"

namespace tilelens
{

std::unique_ptr<request_engine> make_rtl_engine_baseline();
std::unique_ptr<request_engine> make_rtl_engine_paper();
std::unique_ptr<request_engine> make_rtl_engine_general();

} // namespace tilelens
#endif
