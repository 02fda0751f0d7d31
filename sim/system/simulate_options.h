// SPDX-License-Identifier: Apache-2.0
#ifndef TILELENS_SIM_SYSTEM_SIMULATE_OPTIONS_H
#define TILELENS_SIM_SYSTEM_SIMULATE_OPTIONS_H

#include <string>
#include <vector>

namespace tilelens
{

struct simulate_options {
    std::string config;
    std::vector<std::string> settings; // KEY=VALUE
    std::string record, replay, json;  // empty: none
};

// Returns -1 to go on, or the exit status of the command.
int read_options(int argc, char **argv, simulate_options &out);

} // namespace tilelens
#endif
