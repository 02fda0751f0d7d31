// SPDX-License-Identifier: Apache-2.0
#include "controller.h"

#include "../tlm/sim_time.h"
#include "cache.h"

namespace tilelens
{

namespace
{

unsigned char no_data[TL_CACHE_PAGE_BYTES]; // timing alone is modelled

constexpr uint32_t entry_number(uint32_t entry)
{
    return entry & 0x7fffffffu; // without the bit that tells the partition
}

} // namespace

controller::controller(sc_core::sc_vector<initiator_socket> &sockets, std::function<void(channel_request &)> answered,
                       std::function<void(uint32_t)> freed)
    : m_sockets(sockets), m_answered(std::move(answered)), m_freed(std::move(freed)), m_ports(sockets.size()),
      m_waiting(sockets.size()), m_late_answers(this, &controller::on_late_answer)
{
    for (size_t channel = 0; channel < sockets.size(); channel++) {
        sockets[channel].register_nb_transport_bw(this, &controller::nb_transport_bw, static_cast<int>(channel));
    }
}

void controller::send(const pending_request &request)
{
    channel_port &port = m_ports[request.origin.channel];
    m_in_flight++;
    uint32_t &waiting = m_waiting[request.origin.channel];
    if (port.in_request == nullptr && waiting == 0) {
        issue(request);
    } else {
        waiting++;
        (request.mem_class == TL_MEM_DEMAND ? port.demands : port.prefetches).push_back(request);
    }
}

channel_request &controller::transaction_of(const pending_request &request)
{
    channel_request &trans = m_pool.take();
    trans.origin = request.origin;
    trans.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    trans.set_address(request.local_address);
    trans.set_data_length(request.bytes);
    trans.set_streaming_width(request.bytes);
    trans.set_data_ptr(no_data);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.info.mem_class = request.mem_class;
    trans.info.useful_bytes = request.bytes;
    trans.info.from_buffer = false;
    return trans;
}

void controller::issue(const pending_request &pending)
{
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const uint32_t channel = pending.origin.channel;
    channel_port &port = m_ports[channel];
    channel_request &request = transaction_of(pending);

    if (pending.mem_class != TL_MEM_DEMAND) {
        const uint32_t number = entry_number(pending.origin.entry);
        if (number >= m_prefetches.size()) {
            m_prefetches.resize(2 * (size_t{number} + 1));
        }
        m_prefetches[number] = &request;
    }
    port.in_request = &request;
    const tlm::tlm_sync_enum result = m_sockets[channel]->nb_transport_fw(request, phase, delay);
    if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)) {
        port.in_request = nullptr;
        if (phase == tlm::BEGIN_RESP && result == tlm::TLM_UPDATED) {
            tlm::tlm_phase end = tlm::END_RESP;
            sc_core::sc_time at = delay;
            m_sockets[channel]->nb_transport_fw(request, end, at);
        }
        answer(request, delay);
    } else if (result == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
        port.in_request = nullptr;
    }
}

void controller::reclassify(uint32_t channel, uint32_t entry, tl_mem_class mem_class, bool moves)
{
    channel_port &port = m_ports[channel];
    for (auto at = port.prefetches.begin(); at != port.prefetches.end(); ++at) {
        if (at->origin.entry == entry) {
            at->mem_class = mem_class;
            if (moves) {
                port.demands.push_back(*at);
                port.prefetches.erase(at);
            }
            return;
        }
    }
    channel_request &request = *m_prefetches[entry_number(entry)];
    request.info.mem_class = mem_class;
    if (moves && !request.origin.answered) {
        tlm::tlm_phase phase = promote;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        m_sockets[channel]->nb_transport_fw(request, phase, delay);
    }
}

void controller::request_ended(uint32_t channel)
{
    m_ports[channel].in_request = nullptr;
    if (m_waiting[channel] != 0) {
        m_freed(channel);
    }
}

// The next request for the channel. False: none waits.
bool controller::take(uint32_t channel, pending_request &request)
{
    channel_port &port = m_ports[channel];
    std::deque<pending_request> &queue = port.demands.empty() ? port.prefetches : port.demands;
    if (queue.empty()) {
        return false;
    }
    request = queue.front();
    queue.pop_front();
    m_waiting[channel]--;
    return true;
}

void controller::issue_waiting(uint32_t channel)
{
    pending_request next;
    while (m_ports[channel].in_request == nullptr && take(channel, next)) {
        issue(next);
    }
}

tlm::tlm_sync_enum controller::nb_transport_bw(int tag, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                               sc_core::sc_time &delay)
{
    const auto channel = static_cast<uint32_t>(tag);
    if (phase == tlm::END_REQ) {
        request_ended(channel);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
        return tlm::TLM_ACCEPTED;
    }
    const bool ends_request = m_ports[channel].in_request == &trans;
    answer(static_cast<channel_request &>(trans), delay);
    if (ends_request) {
        request_ended(channel);
    }
    return tlm::TLM_COMPLETED;
}

void controller::answer(channel_request &request, const sc_core::sc_time &delay)
{
    if (delay == sc_core::SC_ZERO_TIME) {
        m_in_flight -= request.origin.answered ? 0 : 1;
        m_answered(request);
    } else {
        m_late_answers.notify(request, tlm::BEGIN_RESP, delay);
    }
}

void controller::on_late_answer(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &)
{
    answer(static_cast<channel_request &>(trans), sc_core::SC_ZERO_TIME);
}

} // namespace tilelens
