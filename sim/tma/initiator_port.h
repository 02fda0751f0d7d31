// SPDX-License-Identifier: Apache-2.0
// The initiator's side of the base protocol on one socket.
//
// Takes every legal answer: END_REQ or BEGIN_RESP by return or by call, TLM_COMPLETED at once, each with or without an
// annotated delay. A response that was called back is ended with TLM_COMPLETED, one that was returned by a call of
// END_RESP. No nb_transport_fw comes out of nb_transport_bw: answers are handed over in a process of the module.
#ifndef TILELENS_SIM_TMA_INITIATOR_PORT_H
#define TILELENS_SIM_TMA_INITIATOR_PORT_H

#include <map>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <vector>

#include "../tlm/payload_pool.h"
#include "edge_wake.h"

namespace tilelens
{

struct port_payload : info_payload {
    using info_payload::info_payload;
    uint64_t sent_address = 0; // the attribute may be another one when the answer comes: a bus may translate it
    bool in_flight = false;
};

class initiator_port final : public tlm::tlm_bw_transport_if<>
{
public:
    // `wake` is woken when something has happened.
    initiator_port(const char *name, edge_wake &wake);

    tlm::tlm_initiator_socket<> socket;

    // ---- approximately timed ----

    bool can_send() const { return m_in_request == nullptr; }
    // Command, address, data and length are set; the port holds a reference until the answer has been taken.
    void send(port_payload &trans);
    bool has_answers() const { return !m_answers.empty(); }
    // Those that have been answered since the last call; the references are the caller's.
    void take_answers(std::vector<port_payload *> &answers);

    // ---- loosely timed ----

    // By DMI where the target has granted it, else by b_transport. Grants of less than an access are of no use.
    void transport(port_payload &trans, sc_core::sc_time &delay);

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override;

    void at(tlm::tlm_phase_enum event, tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay);
    void on_delayed(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &event);
    void on_event(tlm::tlm_generic_payload &trans, tlm::tlm_phase_enum event);
    using grants = std::map<uint64_t, tlm::tlm_dmi>; // by their start
    grants &grants_for(const port_payload &trans) { return trans.is_write() ? m_write_grants : m_read_grants; }
    const tlm::tlm_dmi *granted(const port_payload &trans);
    void ask_for_grant(port_payload &trans);

    edge_wake &m_wake;
    tlm_utils::peq_with_cb_and_phase<initiator_port> m_delayed;
    const tlm::tlm_generic_payload *m_in_request = nullptr;
    std::vector<port_payload *> m_answers;
    grants m_read_grants, m_write_grants;
};

} // namespace tilelens
#endif
