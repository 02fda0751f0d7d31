// SPDX-License-Identifier: Apache-2.0
// Approximately timed: one method, run at most once on a clock edge, and only on those on which something is due or
// something has happened since the one before.
#include "tma_module.h"

#include <algorithm>

namespace tilelens
{

void tma::work()
{
    m_cycle = m_clock.begin();
    if (m_global.has_answers()) {
        take_reads();
    }
    if (m_shared.has_answers()) {
        take_writes();
    }
    if (m_started < m_order.size()) {
        start_commands();
    }
    if (m_offered < m_started && m_engine->has_room()) {
        offer_loads(m_cycle);
    }
    while (send_map_read() || build_next() || send_read()) {
    }
    send_write();
    if (!m_clock.is_due()) {
        m_clock.wake_in(next_cycle());
    }
}

void tma::take_reads()
{
    m_global.take_answers(m_answers);
    for (port_payload *trans : m_answers) {
        auto &read = static_cast<read_payload &>(*trans);
        if (read.map != nullptr) {
            map_read_done(read);
        } else {
            command_state &state = *read.owner;
            m_reads_in_flight--;
            state.reads_open--;
            if (read.is_response_ok()) {
                write_data(read);
            } else {
                note_fault(state, tma_fault::data_read, read, read.number);
            }
            settle(state);
        }
        read.release();
    }
}

void tma::take_writes()
{
    m_shared.take_answers(m_answers);
    for (port_payload *trans : m_answers) {
        auto &write = static_cast<write_payload &>(*trans);
        command_state &state = *write.owner;
        state.writes_open--;
        if (!write.is_response_ok()) {
            note_fault(state, write.is_barrier ? tma_fault::mbarrier : tma_fault::shared_write, write, write.number);
        }
        write.release();
        settle(state);
    }
}

// ---- tensor maps ----

void tma::start_commands()
{
    for (; m_started < m_order.size() && m_order[m_started]->start_cycle <= m_cycle; m_started++) {
        look_up_map(*m_order[m_started]);
    }
}

void tma::look_up_map(command_state &state)
{
    const tma_command &command = state.command;
    bool is_new = false;
    if (state.result.fault != tma_fault::none || command.inline_map) {
        state.tensor_map = command.map;
        map_arrived(state, m_cycle);
        return;
    }
    state.map = m_maps.find(command.map_address, is_new);
    if (!is_new) {
        m_counters.map_hits++;
        if (state.map->reads_open == 0) {
            state.tensor_map = map_of_bytes(state.map->bytes);
            map_arrived(state, m_cycle);
        }
        return;
    }
    m_counters.map_fetches++;
    cut_map(command.map_address, m_config.access_bytes, [&](uint64_t at, uint32_t bytes) {
        m_map_reads.push_back(&new_map_read(at, bytes));
        m_map_reads.back()->map = state.map;
        state.map->reads_open++;
    });
}

void tma::map_read_done(read_payload &read)
{
    const std::shared_ptr<map_entry> entry = std::move(read.map);
    read.map = nullptr;
    entry->take(read);
    if (--entry->reads_open != 0) {
        return;
    }
    for (size_t k = 0; k < m_started; k++) {
        command_state &state = *m_order[k];
        if (state.map != entry) {
            continue;
        }
        if (entry->response == tlm::TLM_OK_RESPONSE) {
            state.tensor_map = map_of_bytes(entry->bytes);
        } else {
            state.result.fault = tma_fault::map_read;
            state.result.response = entry->response;
            state.result.address = entry->error_address;
        }
        map_arrived(state, m_cycle);
    }
}

bool tma::send_map_read()
{
    if (m_map_reads.empty() || !m_global.can_send()) {
        return false;
    }
    read_payload &read = *m_map_reads.front();
    m_map_reads.pop_front();
    m_global.send(read);
    return true;
}

// ---- reads and writes ----

// Builds the next read, at most one cycle ahead. False: one is waiting to be sent, or nothing can be built now.
bool tma::build_next()
{
    if (m_read != nullptr || m_started == 0) {
        return false;
    }
    command_state &state = *m_order.front();
    if (!state.is_ready || state.ready_cycle > m_cycle) {
        return false;
    }
    if (!state.is_offered) { // failed before its first request, or has none
        leave_order();
        settle(state);
        return true;
    }
    uint64_t cycle = std::max(m_next_cycle, m_cycle);
    if (cycle > m_cycle + 1 || m_reads_in_flight >= m_config.max_reads ||
        state.reads_open >= m_config.max_reads_per_load) {
        return false;
    }
    m_read = build_read(state, cycle);
    m_read_cycle = cycle;
    m_next_cycle = cycle + 1;
    if (state.is_generated) {
        leave_order();
        offer_loads(cycle + 1);
        settle(state);
    }
    return true;
}

bool tma::send_read()
{
    if (m_read == nullptr || m_read_cycle > m_cycle || !m_global.can_send()) {
        return false;
    }
    read_payload &read = *m_read;
    m_read = nullptr;
    m_next_cycle = std::max(m_next_cycle, m_cycle + 1);
    m_reads_in_flight++;
    m_global.send(read);
    return true;
}

void tma::send_write()
{
    if (!m_writes.empty() && m_next_write <= m_cycle && m_shared.can_send()) {
        write_payload &write = *m_writes.front();
        m_writes.pop_front();
        m_next_write = m_cycle + 1;
        m_shared.send(write);
    }
}

// Ends a command that waits for nothing more; before that, the complete_tx of a good load.
void tma::settle(command_state &state)
{
    if (!state.is_generated || state.reads_open != 0 || state.writes_open != 0) {
        return;
    }
    if (state.result.fault == tma_fault::none && state.command.operation == tma_operation::load &&
        !state.barrier_sent) {
        new_barrier(state);
    } else {
        complete(state);
    }
}

// The next cycle in which something is due that no answer brings.
uint64_t tma::next_cycle() const
{
    uint64_t next = never;
    const auto due = [&](uint64_t cycle) {
        if (cycle > m_cycle) {
            next = std::min(next, cycle);
        }
    };
    if (m_started < m_order.size()) {
        due(m_order[m_started]->start_cycle);
    }
    if (m_read != nullptr) {
        due(m_read_cycle);
    } else if (m_started != 0 && m_order.front()->is_ready) {
        due(m_order.front()->ready_cycle);
        due(m_next_cycle - (m_next_cycle != 0)); // it is built a cycle ahead
    }
    if (!m_writes.empty()) {
        due(m_next_write);
    }
    return next;
}

} // namespace tilelens
