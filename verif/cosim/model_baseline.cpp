// SPDX-License-Identifier: Apache-2.0
#include "Vtma_baseline.h"
#include "Vtma_baseline___024root.h"
#include "verilated_dut.h"

std::unique_ptr<cosim::Dut> cosim::make_dut_baseline()
{
    return std::make_unique<VerilatedDut<Vtma_baseline, TopTaps>>("baseline");
}
