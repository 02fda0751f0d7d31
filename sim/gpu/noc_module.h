// SPDX-License-Identifier: Apache-2.0
// The network between the SMs (or any other initiators) and the slices of the L2: a crossbar of TLM-2.0 sockets.
//
// A transaction goes to the slice that `route` names for its address. Half of the latency is added to the annotated
// delay on the way there and half on the way back; the responses of all slices together share `gbytes_per_s`. Nothing
// is queued but what the exclusion rules of the base protocol hold up.
#ifndef TILELENS_SIM_GPU_NOC_MODULE_H
#define TILELENS_SIM_GPU_NOC_MODULE_H

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include "../tlm/sim_time.h"

namespace tilelens
{

struct noc_config {
    uint32_t initiators, slices;
    uint64_t latency_ps;   // both ways together
    uint64_t gbytes_per_s; // 0: unlimited
};

class noc final : public sc_core::sc_module
{
public:
    using target_socket = tlm_utils::simple_target_socket_tagged<noc>;
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<noc>;

    noc(const sc_core::sc_module_name &name, const noc_config &config, std::function<uint32_t(uint64_t)> route);

    sc_core::sc_vector<target_socket> targets;       // to the initiators
    sc_core::sc_vector<initiator_socket> initiators; // to the slices

private:
    // Where a transaction came from, while it is on its way.
    struct origin final : tlm::tlm_extension<origin> {
        uint32_t initiator = 0, slice = 0;
        tlm::tlm_extension_base *clone() const override { return new origin(*this); }
        void copy_from(const tlm::tlm_extension_base &from) override { *this = static_cast<const origin &>(from); }
    };
    struct held {
        tlm::tlm_generic_payload *trans;
        sc_core::sc_time due;
    };
    // One direction of one port: what is between BEGIN and END there, and what waits for it.
    struct exclusion {
        tlm::tlm_generic_payload *busy = nullptr;
        std::deque<held> waiting;
    };

    tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_bw(int slice, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    tlm::tlm_sync_enum respond(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    void request_ended(uint32_t slice);
    void response_ended(uint32_t initiator);
    void delay_response(const tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
    void attach(tlm::tlm_generic_payload &trans, uint32_t initiator);
    void detach(tlm::tlm_generic_payload &trans);

    const std::function<uint32_t(uint64_t)> m_route;
    const sc_core::sc_time m_half_latency;
    const byte_rate m_rate;
    uint64_t m_free_ps = 0;
    std::vector<exclusion> m_requests;  // of each slice
    std::vector<exclusion> m_responses; // of each initiator
    std::deque<origin> m_origins;
    std::vector<origin *> m_free_origins;
};

} // namespace tilelens
#endif
