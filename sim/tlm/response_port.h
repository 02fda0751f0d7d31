// SPDX-License-Identifier: Apache-2.0
// The response side of one target socket: one response at a time (BEGIN_RESP exclusion), the others wait in order.
// The target holds a reference to each transaction from BEGIN_REQ until here.
#ifndef TILELENS_SIM_TLM_RESPONSE_PORT_H
#define TILELENS_SIM_TLM_RESPONSE_PORT_H

#include <deque>
#include <systemc>
#include <tlm>

namespace tilelens
{

template <typename Socket> class response_port
{
public:
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
        while (m_in_response == nullptr && !m_waiting.empty()) {
            const waiting next = m_waiting.front();
            m_waiting.pop_front();
            const sc_core::sc_time now = sc_core::sc_time_stamp();
            send(socket, *next.trans, next.due > now ? next.due - now : sc_core::SC_ZERO_TIME);
        }
        return true;
    }

private:
    struct waiting {
        tlm::tlm_generic_payload *trans;
        sc_core::sc_time due;
    };

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

    tlm::tlm_generic_payload *m_in_response = nullptr;
    std::deque<waiting> m_waiting;
};

} // namespace tilelens
#endif
