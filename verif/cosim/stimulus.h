// SPDX-License-Identifier: Apache-2.0
// The loads of a run: case files first, then random ones.
#ifndef TILELENS_COSIM_STIMULUS_H
#define TILELENS_COSIM_STIMULUS_H

#include <cstdint>
#include <string>
#include <vector>

#include "random_load.h"
#include "tilelens/load.h"

namespace cosim
{

struct CaseLoad {
    std::string path;
    tl_tensor_params params;
    tl_tensor_map map;
    tl_load load;
};

struct Stimulus {
    const char *label; // path of the case, or ID of the random class
    bool is_case;
    tl_random_class_index class_index; // of a random load
    bool legal;                        // false: hardware must refuse it in every variant
    bool same_map;                     // the map is that of the load before
    uint64_t index;                    // in its run, cases first
    uint64_t seed;                     // of the load's stalls; a random load is load 0 of this seed
    tl_tensor_params params;
    tl_tensor_map map;
    tl_load load;
};

class LoadSource
{
  public:
    LoadSource(const std::vector<CaseLoad> &cases, uint64_t seed, uint64_t random_loads);
    bool next(Stimulus &out);
    uint64_t size() const
    {
        return cases_.size() + random_loads_;
    }

  private:
    void next_case(Stimulus &out) const;
    void next_random(Stimulus &out) const;

    const std::vector<CaseLoad> &cases_;
    uint64_t seed_;
    uint64_t random_loads_;
    uint64_t index_ = 0;
};

} // namespace cosim

#endif
