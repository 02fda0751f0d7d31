// SPDX-License-Identifier: Apache-2.0
// The C11 logic counts integer picoseconds, which is the resolution of SystemC's time here.
#ifndef TILELENS_SIM_TLM_SIM_TIME_H
#define TILELENS_SIM_TLM_SIM_TIME_H

#include <cstdint>
#include <systemc>

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

// Exact division of 64-bit numbers by one that is known beforehand: a multiplication in place of a division.
class fixed_divisor
{
public:
    explicit fixed_divisor(uint64_t divisor) : m_divisor(divisor), m_inverse(UINT64_MAX / divisor) {}

    uint64_t quotient(uint64_t number) const
    {
        // At most 1 below the quotient, for the inverse is less than 1 too small.
        const auto guess = static_cast<uint64_t>(static_cast<wide>(number) * m_inverse >> 64);
        return guess + (number - guess * m_divisor >= m_divisor ? 1 : 0);
    }

private:
    __extension__ using wide = unsigned __int128;
    uint64_t m_divisor, m_inverse;
};

// Bytes over a port of `bytes_per_clock`; 0 is unlimited.
class byte_rate
{
public:
    byte_rate(uint64_t bytes_per_clock, uint64_t clock_khz)
        : m_limited(bytes_per_clock * clock_khz != 0), m_divisor(m_limited ? bytes_per_clock * clock_khz : 1)
    {
    }
    static byte_rate of_gbytes_per_s(uint64_t gbytes_per_s) { return byte_rate(gbytes_per_s, 1000000); }

    bool limited() const { return m_limited; }
    uint64_t ps(uint64_t bytes) const { return m_limited ? m_divisor.quotient(bytes * ps_khz) : 0; }

private:
    static constexpr uint64_t ps_khz = 1000000000;
    bool m_limited;
    fixed_divisor m_divisor;
};

} // namespace tilelens
#endif
