// SPDX-License-Identifier: Apache-2.0
#include "Vtma_general.h"
#include "Vtma_general___024root.h"
#include "verilated_dut.h"

std::unique_ptr<cosim::Dut> cosim::make_dut_general()
{
    return std::make_unique<VerilatedDut<Vtma_general, TopTaps>>("general");
}
