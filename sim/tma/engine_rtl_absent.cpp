// SPDX-License-Identifier: Apache-2.0
// In place of engine_rtl*.cpp where Verilator is not installed.
#include "request_engine.h"

namespace tilelens
{

std::unique_ptr<request_engine> make_rtl_engine(tl_variant)
{
    return nullptr;
}

} // namespace tilelens
