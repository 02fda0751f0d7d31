// SPDX-License-Identifier: Apache-2.0
#include "stimulus.h"

namespace cosim
{

LoadSource::LoadSource(const std::vector<CaseLoad> &cases, uint64_t seed, uint64_t random_loads)
    : cases_(cases), seed_(seed), random_loads_(random_loads)
{
}

bool LoadSource::next(Stimulus &out)
{
    if (index_ == size())
        return false;
    out.index = index_;
    if (index_ < cases_.size())
        next_case(out);
    else
        next_random(out);
    index_++;
    return true;
}

void LoadSource::next_case(Stimulus &out) const
{
    const CaseLoad &from = cases_[index_];
    out.label = from.path.c_str();
    out.is_case = true;
    out.legal = true;
    out.same_map = false;
    out.seed = tl_random_load_seed(seed_, index_);
    out.params = from.params;
    out.map = from.map;
    out.load = from.load;
}

void LoadSource::next_random(Stimulus &out) const
{
    const uint64_t number = index_ - cases_.size();
    tl_random_load random;
    tl_random_load_make(&random, seed_, number);
    out.label = tl_random_class(random.class_index)->id;
    out.is_case = false;
    out.class_index = random.class_index;
    out.legal = random.legal;
    out.seed = tl_random_load_seed(seed_, number);
    out.same_map = random.same_map && number > 0 && out.seed % 4 != 0; // hardware need not be told
    out.params = random.params;
    out.map = random.map;
    out.load = random.load;
}

} // namespace cosim
