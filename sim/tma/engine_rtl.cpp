// SPDX-License-Identifier: Apache-2.0
#include "engine_rtl.h"

namespace tilelens
{

std::unique_ptr<request_engine> make_rtl_engine(tl_variant variant)
{
    switch (variant) {
    case TL_BASELINE:
        return make_rtl_engine_baseline();
    case TL_PAPER:
        return make_rtl_engine_paper();
    default:
        return make_rtl_engine_general();
    }
}

} // namespace tilelens
