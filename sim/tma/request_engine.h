// SPDX-License-Identifier: Apache-2.0
// Loads in, requests out: the C stages or the Verilated RTL. An engine knows cycles and no simulated time.
#ifndef TILELENS_SIM_TMA_REQUEST_ENGINE_H
#define TILELENS_SIM_TMA_REQUEST_ENGINE_H

#include <cstdint>
#include <memory>

#include "tilelens/load.h"

namespace tilelens
{

// `status` other than TL_OK: the load is refused; the only beat of that load.
struct request_beat {
    tl_request request;
    tl_status status;
};

class request_engine
{
public:
    virtual ~request_engine() = default;

    // Whether one more load may be offered.
    virtual bool has_room() const = 0;
    virtual void offer(uint64_t cycle, const tl_tensor_map &map, const tl_load &load) = 0;
    // Takes the next beat of the loads offered, in their order, in the first cycle from `cycle` on that has it.
    // Returns that cycle. Cycles never decrease from call to call.
    virtual uint64_t take(uint64_t cycle, request_beat &beat) = 0;
};

std::unique_ptr<request_engine> make_c_engine(tl_variant variant);
// Null: built without Verilator.
std::unique_ptr<request_engine> make_rtl_engine(tl_variant variant);

} // namespace tilelens
#endif
