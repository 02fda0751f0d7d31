// SPDX-License-Identifier: Apache-2.0
// Entry point of the shared library that user_rtl.cpp builds from a user's RTL.
#include "Vtma_user.h"
#include "verilated_dut.h"

#ifdef TILELENS_COSIM_TAPS
#include "Vtma_user___024root.h"
using UserTaps = cosim::TopTaps;
#else
using UserTaps = cosim::NoTaps;
#endif

extern "C" cosim::Dut *tilelens_make_user_dut()
{
    return new cosim::VerilatedDut<Vtma_user, UserTaps>("user");
}
