// SPDX-License-Identifier: Apache-2.0
#include "Vtlm_baseline.h"
#include "engine_rtl.h"
#include "rtl_engine.h"

std::unique_ptr<tilelens::request_engine> tilelens::make_rtl_engine_baseline()
{
    return std::make_unique<rtl_engine<Vtlm_baseline>>();
}
