// SPDX-License-Identifier: Apache-2.0
// Wakes a process on clock edges: at most once on each, and only on those for which somebody asked.
#ifndef TILELENS_SIM_TMA_EDGE_WAKE_H
#define TILELENS_SIM_TMA_EDGE_WAKE_H

#include <cstdint>
#include <systemc>

namespace tilelens
{

class edge_wake
{
public:
    static constexpr uint64_t never = UINT64_MAX;

    explicit edge_wake(const sc_core::sc_time &period) : m_period(period.value()), m_period_time(period) {}

    sc_core::sc_event event; // what the process waits for

    // First thing of the process when it is woken. Returns its cycle; edges are counted from time 0.
    uint64_t begin()
    {
        m_cycle = m_next;
        m_time = time_of(m_cycle);
        m_next = never;
        return m_cycle;
    }

    // Whether it is woken on the edge after that of begin(), the earliest that there is.
    bool is_due() const { return m_next == m_cycle + 1; }

    // Something has happened: the next edge looks at it, this one too if the process has not been there.
    void wake()
    {
        if (!is_due()) {
            const uint64_t now = sc_core::sc_time_stamp().value();
            const bool is_soon = now - m_time <= m_period; // spares the division
            notify(is_soon ? m_cycle + 1 : cycle_at(now), now);
        }
    }

    // In a cycle from now on, or earlier if it is woken earlier anyway.
    void wake_in(uint64_t cycle) { notify(cycle, sc_core::sc_time_stamp().value()); }

    // Time values: of the first edge at or after a time, and of an edge.
    uint64_t cycle_at(uint64_t time) const { return (time + m_period - 1) / m_period; }
    uint64_t time_of(uint64_t cycle) const { return cycle * m_period; }

private:
    void notify(uint64_t cycle, uint64_t now)
    {
        if (cycle < m_next) {
            const uint64_t delay = time_of(cycle) - now;
            m_next = cycle;
            event.notify(delay == m_period ? m_period_time : sc_core::sc_time::from_value(delay));
        }
    }

    const uint64_t m_period; // time value
    const sc_core::sc_time m_period_time;
    uint64_t m_cycle = never, m_next = never;
    uint64_t m_time = time_of(never); // of the edge of m_cycle, modulo 2^64
};

} // namespace tilelens
#endif
