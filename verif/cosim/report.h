// SPDX-License-Identifier: Apache-2.0
// What a run prints: table, mismatches with their replay lines, JSON.
#ifndef TILELENS_COSIM_REPORT_H
#define TILELENS_COSIM_REPORT_H

#include <string>
#include <vector>

#include "options.h"
#include "scoreboard.h"

namespace cosim
{

struct Result {
    tl_variant variant;
    Tally tally;
    Mismatch first;  // meaningful when tally.mismatches > 0
    Stimulus shown;  // with --dump: the load whose comparisons are printed
    std::string log; // its comparisons; empty: none to print
};

void print_results(const Options &options, const std::vector<Result> &results);

// Returns false when the file cannot be written.
bool write_json(const Options &options, const std::vector<Result> &results);

// True when something was compared in every variant, and all of it was equal.
bool passed(const std::vector<Result> &results);

} // namespace cosim

#endif
