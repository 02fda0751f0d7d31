// SPDX-License-Identifier: Apache-2.0
// The C11 logic counts integer picoseconds, which is the resolution of SystemC's time here.
#ifndef TILELENS_SIM_TLM_SIM_TIME_H
#define TILELENS_SIM_TLM_SIM_TIME_H

#include <cstdint>
#include <systemc>

#include "../memory/divisor.h"

namespace tilelens
{

inline uint64_t now_ps()
{
    return sc_core::sc_time_stamp().value();
}

inline sc_core::sc_time time_of(uint64_t ps)
{
    return sc_core::sc_time::from_value(ps);
}

// Bytes over a port of `bytes_per_clock`; 0 is unlimited.
class byte_rate
{
public:
    byte_rate(uint64_t bytes_per_clock, uint64_t clock_khz)
        : m_limited(bytes_per_clock * clock_khz != 0),
          m_divisor(tl_divisor_of(m_limited ? bytes_per_clock * clock_khz : 1))
    {
    }
    static byte_rate of_gbytes_per_s(uint64_t gbytes_per_s) { return byte_rate(gbytes_per_s, 1000000); }

    bool limited() const { return m_limited; }
    uint64_t ps(uint64_t bytes) const { return m_limited ? tl_quotient(&m_divisor, bytes * ps_khz) : 0; }

private:
    static constexpr uint64_t ps_khz = 1000000000;
    bool m_limited;
    tl_divisor m_divisor;
};

} // namespace tilelens
#endif
