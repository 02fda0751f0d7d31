// SPDX-License-Identifier: Apache-2.0
#include "Vtma_paper.h"
#include "Vtma_paper___024root.h"
#include "verilated_dut.h"

std::unique_ptr<cosim::Dut> cosim::make_dut_paper()
{
    return std::make_unique<VerilatedDut<Vtma_paper, TopTaps>>("paper");
}
