// SPDX-License-Identifier: Apache-2.0
// Wakes many channels on the edges of one clock, all that are due at an edge together: SystemC sees one event for them,
// and not one each.
#ifndef TILELENS_SIM_MEMORY_CHANNEL_TIMER_H
#define TILELENS_SIM_MEMORY_CHANNEL_TIMER_H

#include <systemc>

#include "../tlm/sim_time.h"
#include "../tlm/tick_queue.h"
#include "channel.h"

namespace tilelens
{

class memory_channel;

class channel_timer final : public sc_core::sc_module
{
public:
    channel_timer(const sc_core::sc_module_name &name, uint64_t tick_ps);
    SC_HAS_PROCESS(channel_timer);

    // The first edge at or after time_ps.
    uint64_t edge_ps(uint64_t time_ps) const { return m_due.edge_ps(time_ps); }

    // The channel's on_edge() is called at edge_ps(time_ps).
    void wake(memory_channel &channel, uint64_t now_ps, uint64_t time_ps);

private:
    void on_wake();
    void schedule(uint64_t now_ps);

    tick_queue<memory_channel *> m_due;
    sc_core::sc_event m_wake;
    uint64_t m_wake_ps = TL_NEVER_PS;
};

} // namespace tilelens
#endif
