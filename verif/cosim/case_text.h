// SPDX-License-Identifier: Apache-2.0
// A load as a case file, so that a random load can be kept, edited and given to every command.
#ifndef TILELENS_COSIM_CASE_TEXT_H
#define TILELENS_COSIM_CASE_TEXT_H

#include <string>

#include "stimulus.h"

namespace cosim
{

std::string case_text(const Stimulus &stimulus);

} // namespace cosim

#endif
