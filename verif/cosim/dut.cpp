// SPDX-License-Identifier: Apache-2.0
#include "dut.h"

namespace cosim
{

std::unique_ptr<Dut> make_dut(tl_variant variant)
{
    switch (variant) {
    case TL_BASELINE:
        return make_dut_baseline();
    case TL_PAPER:
        return make_dut_paper();
    default:
        return make_dut_general();
    }
}

} // namespace cosim
