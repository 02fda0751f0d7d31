// SPDX-License-Identifier: Apache-2.0
#include "channel_timer.h"

#include "channel_module.h"

namespace tilelens
{

channel_timer::channel_timer(const sc_core::sc_module_name &name, uint64_t tick_ps) : sc_module(name), m_due(tick_ps)
{
    SC_METHOD(on_wake);
    sensitive << m_wake;
    dont_initialize();
}

void channel_timer::wake(memory_channel &channel, uint64_t now_ps, uint64_t time_ps)
{
    m_due.push(now_ps, time_ps, &channel);
    schedule(now_ps);
}

void channel_timer::schedule(uint64_t now_ps)
{
    const uint64_t next_ps = m_due.next_ps();
    if (next_ps < m_wake_ps) {
        m_wake_ps = next_ps;
        m_wake.notify(time_of(next_ps - now_ps));
    }
}

void channel_timer::on_wake()
{
    const uint64_t now = now_ps();
    memory_channel *channel;
    m_wake_ps = 0; // what channels ask for meanwhile need not schedule
    while (m_due.pop(now, channel)) {
        channel->on_edge(now);
    }
    m_wake_ps = TL_NEVER_PS;
    if (!m_due.empty()) {
        schedule(now);
    }
}

} // namespace tilelens
