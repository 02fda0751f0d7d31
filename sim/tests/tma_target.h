// SPDX-License-Identifier: Apache-2.0
// A target of the base protocol that answers in every legal way, drawn at random: END_REQ or a response by return or by
// call, with and without an annotated delay, late and out of order. What a transaction does, a function says.
#ifndef TILELENS_SIM_TESTS_TMA_TARGET_H
#define TILELENS_SIM_TESTS_TMA_TARGET_H

#include <algorithm>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "random_load.h"

namespace tilelens
{

class random_target final : public sc_core::sc_module
{
public:
    using payload = tlm::tlm_generic_payload;

    // late_ps: longest latency, and longest wait for END_REQ; 0: everything is answered at once by TLM_COMPLETED.
    random_target(const sc_core::sc_module_name &name, uint64_t seed, uint64_t late_ps,
                  std::function<tlm::tlm_response_status(payload &)> perform)
        : sc_module(name), socket("socket"), m_perform(std::move(perform)), m_random(tl_random_from(seed)),
          m_late_ps(late_ps), m_events(this, &random_target::on_event)
    {
        socket.register_nb_transport_fw(this, &random_target::nb_transport_fw);
        socket.register_b_transport(this, &random_target::b_transport);
    }

    tlm_utils::simple_target_socket<random_target> socket;
    uint64_t most_in_flight = 0;
    bool fixed = false; // END_REQ at once, the response after late_ps: always
    std::function<void(const payload &)> on_request = [](const payload &) {}; // in the order of the requests

private:
    // Phases of the event queue: END_REQ to be called, BEGIN_RESP to be called, END_RESP to be taken.
    tlm::tlm_sync_enum nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        if (phase == tlm::END_RESP) {
            m_events.notify(trans, tlm::END_RESP, delay);
            return tlm::TLM_COMPLETED;
        }
        on_request(trans);
        const uint64_t way = m_late_ps == 0 ? 0 : fixed ? 7 : tl_random_below(&m_random, 8);
        if (way == 0) { // early completion
            trans.set_response_status(m_perform(trans));
            delay += late(8);
            return tlm::TLM_COMPLETED;
        }
        trans.acquire();
        m_in_flight++;
        most_in_flight = std::max(most_in_flight, m_in_flight);
        if (way == 1 && m_in_response == nullptr) { // the response by return
            trans.set_response_status(m_perform(trans));
            m_in_response = &trans;
            phase = tlm::BEGIN_RESP;
            delay += late(8);
            return tlm::TLM_UPDATED;
        }
        const sc_core::sc_time request_end = delay + late(way == 2 ? 1 : 16);
        if (way <= 3) { // END_REQ by call
            m_events.notify(trans, tlm::END_REQ, request_end);
            m_events.notify(trans, tlm::BEGIN_RESP, request_end + late(1));
            return tlm::TLM_ACCEPTED;
        }
        m_events.notify(trans, tlm::BEGIN_RESP, request_end + late(1));
        if (way == 4) { // no END_REQ at all
            return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_REQ;
        delay += way == 5 ? request_end : sc_core::SC_ZERO_TIME;
        return tlm::TLM_UPDATED;
    }

    void on_event(payload &trans, const tlm::tlm_phase &phase)
    {
        tlm::tlm_phase next = phase;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        if (phase == tlm::END_REQ) {
            socket->nb_transport_bw(trans, next, delay);
            return;
        }
        if (phase == tlm::END_RESP) {
            end(trans);
        } else {
            m_waiting.push_back(&trans);
        }
        while (m_in_response == nullptr && !m_waiting.empty()) {
            respond(*m_waiting.front());
        }
    }

    void respond(payload &trans)
    {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = !fixed && tl_random_below(&m_random, 4) == 0 ? late(8) : sc_core::SC_ZERO_TIME;
        m_waiting.pop_front();
        trans.set_response_status(m_perform(trans));
        m_in_response = &trans;
        const tlm::tlm_sync_enum result = socket->nb_transport_bw(trans, phase, delay);
        if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
            end(trans);
        }
    }

    void end(payload &trans)
    {
        m_in_response = nullptr;
        m_in_flight--;
        trans.release();
    }

    void b_transport(payload &trans, sc_core::sc_time &delay)
    {
        on_request(trans);
        if (m_late_ps != 0 && tl_random_below(&m_random, 4) == 0) {
            sc_core::wait(delay + late(1));
            delay = sc_core::SC_ZERO_TIME;
        }
        trans.set_response_status(m_perform(trans));
        delay += late(1);
    }

    // 0 one time out of four, else up to a part of the longest; fixed: the longest, or 0 for a part of it.
    sc_core::sc_time late(uint64_t part)
    {
        if (fixed) {
            return sc_core::sc_time(part == 1 ? static_cast<double>(m_late_ps) : 0, sc_core::SC_PS);
        }
        if (m_late_ps == 0 || tl_random_below(&m_random, 4) == 0) {
            return sc_core::SC_ZERO_TIME;
        }
        return sc_core::sc_time(static_cast<double>(tl_random_below(&m_random, m_late_ps / part + 1)), sc_core::SC_PS);
    }

    const std::function<tlm::tlm_response_status(payload &)> m_perform;
    tl_random m_random;
    const uint64_t m_late_ps;
    tlm_utils::peq_with_cb_and_phase<random_target> m_events;
    std::deque<payload *> m_waiting; // for their response
    payload *m_in_response = nullptr;
    uint64_t m_in_flight = 0;
};

} // namespace tilelens
#endif
