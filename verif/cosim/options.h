// SPDX-License-Identifier: Apache-2.0
// The command line of `tilelens check`.
#ifndef TILELENS_COSIM_OPTIONS_H
#define TILELENS_COSIM_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "tilelens/load.h"

namespace cosim
{

struct Options {
    std::vector<std::string> cases;
    std::vector<tl_variant> variants;
    uint64_t random_loads = 0;
    uint64_t seed = 1;
    std::string rtl; // file list of the user's RTL; empty: ours
    std::string top;
    bool taps = false;
    std::string fst;
    bool dump = false;
    std::string json;
};

// Returns -1 to go on, or the exit status of the program.
int read_options(int argc, char **argv, Options &out);

// Print `tilelens: ` and the text as one line on stderr; returns 2, the exit status of bad input.
int fail(const std::string &text);

} // namespace cosim

#endif
