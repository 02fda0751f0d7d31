// SPDX-License-Identifier: Apache-2.0
// Loosely timed: a thread that runs ahead of simulated time by at most the global quantum. The reads of a command
// overlap, as each starts in its own cycle, and so do the writes of what they bring; the thread takes them in the order
// of their times. The bounds on reads in flight do not count here.
#include "tma_module.h"

#include <algorithm>

namespace tilelens
{

void tma::run()
{
    for (;;) {
        while (m_order.empty()) {
            m_clock.begin();
            sc_core::wait(m_clock.event);
        }
        run_command(*m_order.front());
    }
}

void tma::run_command(command_state &state)
{
    uint64_t at = std::max<uint64_t>(m_clock.time_of(state.start_cycle), sc_core::sc_time_stamp().value());
    m_started = 1;
    fetch_map(state, at);
    map_arrived(state, m_clock.cycle_at(at));
    at = m_clock.time_of(state.ready_cycle);
    m_next_cycle = std::max(m_next_cycle, state.ready_cycle);
    offer_loads(m_next_cycle);
    if (state.is_offered) {
        at = std::max(at, run_reads(state));
    }
    leave_order();
    if (state.result.fault == tma_fault::none && state.command.operation == tma_operation::load) {
        new_barrier(state);
        put_off_writes(at);
        at = run_writes(never);
    }
    m_finished.emplace(at, &state);
    m_finish.notify(sc_core::SC_ZERO_TIME);
}

void tma::fetch_map(command_state &state, uint64_t &at)
{
    const tma_command &command = state.command;
    bool is_new = false;
    state.tensor_map = command.map;
    if (state.result.fault != tma_fault::none || command.inline_map) {
        return;
    }
    const std::shared_ptr<map_entry> entry = m_maps.find(command.map_address, is_new);
    (is_new ? m_counters.map_fetches : m_counters.map_hits)++;
    const uint64_t begin = at;
    if (is_new) {
        cut_map(command.map_address, m_config.access_bytes, [&](uint64_t from, uint32_t bytes) {
            read_payload &read = new_map_read(from, bytes);
            at = std::max(at, transport(m_global, read, begin));
            entry->take(read);
            read.release();
        });
    }
    state.tensor_map = map_of_bytes(entry->bytes);
    if (entry->response != tlm::TLM_OK_RESPONSE) {
        state.result.fault = tma_fault::map_read;
        state.result.response = entry->response;
        state.result.address = entry->error_address;
    }
}

// All reads of a command and the writes of what they bring. Returns the time of the last answer.
uint64_t tma::run_reads(command_state &state)
{
    uint64_t last = 0;
    while (!state.is_generated) {
        uint64_t cycle = m_next_cycle;
        read_payload *read = build_read(state, cycle);
        const uint64_t start = m_clock.time_of(cycle);
        m_next_cycle = cycle + 1;
        put_off_writes(start); // of fills
        last = std::max(last, run_writes(start));
        if (read != nullptr) {
            const uint64_t end = transport(m_global, *read, start);
            last = std::max(last, end);
            state.reads_open--;
            if (read->is_response_ok()) {
                write_data(*read);
                put_off_writes(end);
            } else {
                note_fault(state, tma_fault::data_read, *read, read->number);
            }
            read->release();
        }
    }
    return std::max(last, run_writes(never));
}

// The new writes start at a time.
void tma::put_off_writes(uint64_t start)
{
    for (; !m_writes.empty(); m_writes.pop_front()) {
        m_later_writes.emplace(start, m_writes.front());
    }
}

// The writes that start until a time. Returns the time of the last answer.
uint64_t tma::run_writes(uint64_t until)
{
    uint64_t last = 0;
    while (!m_later_writes.empty() && m_later_writes.begin()->first <= until) {
        write_payload &write = *m_later_writes.begin()->second;
        last = std::max(last, transport(m_shared, write, m_later_writes.begin()->first));
        m_later_writes.erase(m_later_writes.begin());
        write.owner->writes_open--;
        if (!write.is_response_ok()) {
            note_fault(*write.owner, write.is_barrier ? tma_fault::mbarrier : tma_fault::shared_write, write,
                       write.number);
        }
        write.release();
    }
    return last;
}

// An access that starts at a time from now on. Returns the time of its answer.
uint64_t tma::transport(initiator_port &port, port_payload &trans, uint64_t at)
{
    const sc_core::sc_time start = sc_core::sc_time::from_value(at), now = sc_core::sc_time_stamp();
    if (start > now + tlm::tlm_global_quantum::instance().get()) {
        sc_core::wait(start - now);
    }
    sc_core::sc_time delay = std::max(start, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
    port.transport(trans, delay);
    return (sc_core::sc_time_stamp() + delay).value();
}

void tma::finish_commands()
{
    const uint64_t now = sc_core::sc_time_stamp().value();
    while (!m_finished.empty() && m_finished.begin()->first <= now) {
        command_state &state = *m_finished.begin()->second;
        m_finished.erase(m_finished.begin());
        complete(state);
    }
    if (!m_finished.empty()) {
        m_finish.notify(sc_core::sc_time::from_value(m_finished.begin()->first - now));
    }
}

} // namespace tilelens
