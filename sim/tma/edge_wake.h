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

    explicit edge_wake(const sc_core::sc_time &period) : m_period(period.value()) {}

    sc_core::sc_event event; // what the process waits for

    // First thing of the process when it is woken. Returns its cycle; edges are counted from time 0.
    uint64_t begin()
    {
        m_cycle = m_next;
        m_next = never;
        return m_cycle;
    }

    // Something has happened: the next edge looks at it, this one too if the process has not been there.
    void wake()
    {
        if (m_next != m_cycle + 1) { // the usual case
            const uint64_t cycle = cycle_at(sc_core::sc_time_stamp().value());
            wake_in(cycle == m_cycle ? cycle + 1 : cycle);
        }
    }

    // In a cycle from now on, or earlier if it is woken earlier anyway.
    void wake_in(uint64_t cycle)
    {
        if (cycle < m_next) {
            m_next = cycle;
            event.notify(sc_core::sc_time::from_value(time_of(cycle) - sc_core::sc_time_stamp().value()));
        }
    }

    // Time values: of the first edge at or after a time, and of an edge.
    uint64_t cycle_at(uint64_t time) const { return (time + m_period - 1) / m_period; }
    uint64_t time_of(uint64_t cycle) const { return cycle * m_period; }

private:
    const uint64_t m_period; // time value
    uint64_t m_cycle = never, m_next = never;
};

} // namespace tilelens
#endif
