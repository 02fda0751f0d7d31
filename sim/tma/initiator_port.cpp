// SPDX-License-Identifier: Apache-2.0
#include "initiator_port.h"

#include <cstring>
#include <iterator>

namespace tilelens
{

namespace
{

// What happens to a transaction, for the queue of what happens later: END_REQ is the end of its request, BEGIN_RESP a
// response whose END_RESP has to be called, END_RESP a response that has been ended already.
constexpr tlm::tlm_phase_enum request_ends = tlm::END_REQ, response_returned = tlm::BEGIN_RESP,
                              response_ended = tlm::END_RESP;

} // namespace

initiator_port::initiator_port(const char *name, edge_wake &wake)
    : socket(name), m_wake(wake), m_delayed(this, &initiator_port::on_delayed)
{
    socket.bind(*this);
}

void initiator_port::send(port_payload &trans)
{
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.set_dmi_allowed(false);
    trans.in_flight = true;
    m_in_request = &trans;
    const tlm::tlm_sync_enum result = socket->nb_transport_fw(trans, phase, delay);
    if (result == tlm::TLM_COMPLETED) {
        at(response_ended, trans, delay);
    } else if (result == tlm::TLM_UPDATED) {
        at(phase == tlm::BEGIN_RESP ? response_returned : request_ends, trans, delay);
    }
}

tlm::tlm_sync_enum initiator_port::nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                                   sc_core::sc_time &delay)
{
    if (phase == tlm::END_REQ) {
        at(request_ends, trans, delay);
    } else if (phase == tlm::BEGIN_RESP) {
        if (!static_cast<port_payload &>(trans).in_flight) {
            SC_REPORT_ERROR("tilelens/tma", (std::string(socket.name()) + ": second response").c_str());
            return tlm::TLM_COMPLETED;
        }
        at(response_ended, trans, delay);
        return tlm::TLM_COMPLETED;
    }
    return tlm::TLM_ACCEPTED;
}

void initiator_port::at(tlm::tlm_phase_enum event, tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay)
{
    if (event != request_ends) {
        static_cast<port_payload &>(trans).in_flight = false;
    }
    if (delay == sc_core::SC_ZERO_TIME) {
        on_event(trans, event);
    } else {
        m_delayed.notify(trans, event, delay);
    }
}

void initiator_port::on_delayed(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &event)
{
    on_event(trans, static_cast<tlm::tlm_phase_enum>(static_cast<unsigned>(event)));
}

void initiator_port::on_event(tlm::tlm_generic_payload &trans, tlm::tlm_phase_enum event)
{
    if (&trans == m_in_request) {
        m_in_request = nullptr;
    }
    if (event == response_returned) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(trans, phase, delay);
    }
    if (event != request_ends) {
        m_answers.push_back(static_cast<port_payload *>(&trans));
    }
    m_wake.wake();
}

void initiator_port::take_answers(std::vector<port_payload *> &answers)
{
    answers.clear();
    answers.swap(m_answers);
}

namespace
{

bool covers(const tlm::tlm_dmi &dmi, const port_payload &trans)
{
    return dmi.get_start_address() <= trans.sent_address &&
           trans.sent_address + trans.get_data_length() - 1 <= dmi.get_end_address();
}

} // namespace

const tlm::tlm_dmi *initiator_port::granted(const port_payload &trans)
{
    const grants &known = grants_for(trans);
    const auto next = known.upper_bound(trans.sent_address);
    return next != known.begin() && covers(std::prev(next)->second, trans) ? &std::prev(next)->second : nullptr;
}

void initiator_port::ask_for_grant(port_payload &trans)
{
    tlm::tlm_dmi dmi;
    trans.set_address(trans.sent_address);
    if (!socket->get_direct_mem_ptr(trans, dmi) || !covers(dmi, trans)) {
        return;
    }
    if (dmi.is_read_allowed()) {
        m_read_grants[dmi.get_start_address()] = dmi;
    }
    if (dmi.is_write_allowed()) {
        m_write_grants[dmi.get_start_address()] = dmi;
    }
}

void initiator_port::transport(port_payload &trans, sc_core::sc_time &delay)
{
    if (const tlm::tlm_dmi *dmi = granted(trans)) {
        unsigned char *memory = dmi->get_dmi_ptr() + (trans.sent_address - dmi->get_start_address());
        if (trans.is_write()) {
            std::memcpy(memory, trans.get_data_ptr(), trans.get_data_length());
            delay += dmi->get_write_latency();
        } else {
            std::memcpy(trans.get_data_ptr(), memory, trans.get_data_length());
            delay += dmi->get_read_latency();
        }
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.set_dmi_allowed(false);
    socket->b_transport(trans, delay);
    if (trans.is_dmi_allowed()) {
        ask_for_grant(trans);
    }
}

void initiator_port::invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end)
{
    for (grants *known : {&m_read_grants, &m_write_grants}) {
        for (auto at = known->begin(); at != known->end();) {
            const tlm::tlm_dmi &dmi = at->second;
            at = dmi.get_start_address() <= end && begin <= dmi.get_end_address() ? known->erase(at) : std::next(at);
        }
    }
}

} // namespace tilelens
