// SPDX-License-Identifier: Apache-2.0
// The response side of one target socket: one response at a time (BEGIN_RESP exclusion), the others wait in order.
// The target holds a reference to each transaction from BEGIN_REQ until here. A response that another one's END_RESP lets
// go begins in a process of its own: no nb_transport_bw comes out of nb_transport_fw.
#ifndef TILELENS_SIM_TLM_RESPONSE_PORT_H
#define TILELENS_SIM_TLM_RESPONSE_PORT_H

#include <deque>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

namespace tilelens
{

template <typename Socket> class response_port
{
public:
    response_port() : m_next(this, &response_port::on_next) {}
    response_port(const response_port &) = delete;
    response_port &operator=(const response_port &) = delete;

    // The response leaves `delay` from now, or when the one before it has been taken.
    void respond(Socket &socket, tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay)
    {
        if (m_in_response != nullptr) {
            m_waiting.push_back({&trans, sc_core::sc_time_stamp() + delay});
        } else {
            send(socket, trans, delay);
        }
    }

    // END_RESP has come. False: for a transaction that is not in its response.
    bool end_response(Socket &socket, const tlm::tlm_generic_payload &trans)
    {
        if (&trans != m_in_response) {
            return false;
        }
        finish();
        m_socket = &socket;
        if (!m_waiting.empty()) {
            m_in_response = m_waiting.front().trans;
            m_next.notify(*m_in_response, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
        }
        return true;
    }

private:
    struct waiting {
        tlm::tlm_generic_payload *trans;
        sc_core::sc_time due;
    };

    // The turn of those that wait; the first of them counts as in its response already.
    void on_next(tlm::tlm_generic_payload &, const tlm::tlm_phase &)
    {
        do {
            const waiting next = m_waiting.front();
            m_waiting.pop_front();
            const sc_core::sc_time now = sc_core::sc_time_stamp();
            send(*m_socket, *next.trans, next.due > now ? next.due - now : sc_core::SC_ZERO_TIME);
        } while (m_in_response == nullptr && !m_waiting.empty());
    }

    void send(Socket &socket, tlm::tlm_generic_payload &trans, sc_core::sc_time delay)
    {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        m_in_response = &trans;
        const tlm::tlm_sync_enum result = socket->nb_transport_bw(trans, phase, delay);
        if (m_in_response == &trans &&
            (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP))) {
            finish();
        }
    }

    void finish()
    {
        tlm::tlm_generic_payload *trans = m_in_response;
        m_in_response = nullptr;
        trans->release();
    }

    Socket *m_socket = nullptr;
    tlm_utils::peq_with_cb_and_phase<response_port> m_next;
    tlm::tlm_generic_payload *m_in_response = nullptr;
    std::deque<waiting> m_waiting;
};

} // namespace tilelens
#endif
