// SPDX-License-Identifier: Apache-2.0
#include "controller.h"

#include "../tlm/sim_time.h"

namespace tilelens
{

void controller::request_queue::push(channel_request &request)
{
    request.next = nullptr;
    (head == nullptr ? head : tail->next) = &request;
    tail = &request;
}

channel_request *controller::request_queue::pop()
{
    channel_request *request = head;
    if (request != nullptr) {
        head = request->next;
    }
    return request;
}

bool controller::request_queue::remove(const channel_request &request)
{
    channel_request *before = nullptr;
    for (channel_request *at = head; at != nullptr; before = at, at = at->next) {
        if (at == &request) {
            (before == nullptr ? head : before->next) = at->next;
            tail = tail == at ? before : tail;
            return true;
        }
    }
    return false;
}

controller::controller(sc_core::sc_vector<initiator_socket> &sockets, std::function<void(channel_request &)> answered)
    : m_sockets(sockets), m_answered(std::move(answered)), m_ports(sockets.size()),
      m_late_answers(this, &controller::on_late_answer)
{
    for (size_t channel = 0; channel < sockets.size(); channel++) {
        sockets[channel].register_nb_transport_bw(this, &controller::nb_transport_bw, static_cast<int>(channel));
    }
}

void controller::send(channel_request &request)
{
    channel_port &port = m_ports[request.channel];
    request.in_flight = true;
    m_in_flight++;
    if (port.in_request == nullptr) {
        issue(request);
    } else {
        port.waiting++;
        (request.info.mem_class == TL_MEM_DEMAND ? port.demands : port.prefetches).push(request);
    }
}

void controller::issue(channel_request &request)
{
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    channel_port &port = m_ports[request.channel];

    port.in_request = &request;
    const tlm::tlm_sync_enum result = m_sockets[request.channel]->nb_transport_fw(request, phase, delay);
    if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)) {
        port.in_request = nullptr;
        if (phase == tlm::BEGIN_RESP && result == tlm::TLM_UPDATED) {
            tlm::tlm_phase end = tlm::END_RESP;
            sc_core::sc_time at = delay;
            m_sockets[request.channel]->nb_transport_fw(request, end, at);
        }
        answer(request, delay);
    } else if (result == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
        port.in_request = nullptr;
    }
}

void controller::promote_request(channel_request &request)
{
    channel_port &port = m_ports[request.channel];
    if (port.prefetches.remove(request)) {
        port.demands.push(request);
        return;
    }
    tlm::tlm_phase phase = promote;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    m_sockets[request.channel]->nb_transport_fw(request, phase, delay);
}

// The channel takes requests again.
void controller::request_ended(channel_port &port)
{
    port.in_request = nullptr;
    while (port.in_request == nullptr) {
        channel_request *next = port.demands.head != nullptr ? port.demands.pop() : port.prefetches.pop();
        if (next == nullptr) {
            return;
        }
        port.waiting--;
        issue(*next);
    }
}

tlm::tlm_sync_enum controller::nb_transport_bw(int channel, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                               sc_core::sc_time &delay)
{
    channel_port &port = m_ports[static_cast<size_t>(channel)];
    if (phase == tlm::END_REQ) {
        request_ended(port);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
        return tlm::TLM_ACCEPTED;
    }
    const bool ends_request = port.in_request == &trans;
    answer(static_cast<channel_request &>(trans), delay);
    if (ends_request) {
        request_ended(port);
    }
    return tlm::TLM_COMPLETED;
}

void controller::answer(channel_request &request, const sc_core::sc_time &delay)
{
    if (delay == sc_core::SC_ZERO_TIME) {
        m_answered(request);
        if (request.in_flight) {
            request.in_flight = false;
            m_in_flight--;
            request.release();
        }
    } else {
        m_late_answers.notify(request, tlm::BEGIN_RESP, delay);
    }
}

void controller::on_late_answer(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &)
{
    answer(static_cast<channel_request &>(trans), sc_core::SC_ZERO_TIME);
}

} // namespace tilelens
