// SPDX-License-Identifier: Apache-2.0
// The files that the program reads at run time: cases, and the harness sources that a user's RTL is built against.
#ifndef TILELENS_COSIM_DATA_DIR_H
#define TILELENS_COSIM_DATA_DIR_H

#include <string>
#include <vector>

namespace cosim
{

// Source tree, or share/tilelens of an installed program.
std::string data_dir();

// Where tilelens/*.h lie.
std::string include_dir();

// configs/cases/*.yaml in alphabetical order.
std::vector<std::string> default_cases();

} // namespace cosim

#endif
