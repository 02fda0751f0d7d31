// SPDX-License-Identifier: Apache-2.0
// What the mirror says about one load: its set-up, then its runs and requests, one at a time.
#ifndef TILELENS_COSIM_EXPECTED_LOAD_H
#define TILELENS_COSIM_EXPECTED_LOAD_H

#include <string>

#include "dut.h"
#include "stimulus.h"

namespace cosim
{

struct ExpectedRun {
    tl_run run;
    uint64_t permuted_source;
    RequestPins request;
};

struct ExpectedLoad {
    Stimulus stimulus;
    tl_engine engine;
    tl_status status; // of the load: TL_OK, or why it is refused
    uint64_t presented_cycle;
    uint64_t runs;     // taken so far
    uint64_t requests; // seen so far
    bool failed;       // a mismatch has been reported
    std::string log;   // every comparison, for --dump

    void start(const Stimulus &from, tl_variant variant, uint64_t cycle);
    tl_status decode_status() const;
    tl_status split_status() const;
    uint64_t product(ProductStep step, uint32_t dim) const; // low 12 bits of column products
    bool has_run() const;                                   // one more run is due
    void next_run(ExpectedRun &out);

  private:
    bool refusal_given_ = false;
};

// Products of columns are kept mod 2^12; their upper bits mean nothing.
bool is_column_product(ProductStep step);

} // namespace cosim

#endif
