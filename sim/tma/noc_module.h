// SPDX-License-Identifier: Apache-2.0
// The network between initiators and the slices of an L2: a crossbar of TLM-2.0 sockets.
//
// A transaction goes to the slice that `slice_of` names for its address: half of the latency on the way there, half on
// the way back; the responses of all slices together share `gbytes_per_s`. A request gets END_REQ at once and waits in
// the network for its slice, in order of arrival there; requests for other slices pass it. How many wait is bounded by
// what the initiators have in flight. Responses wait, in order, for the response before them at their initiator.
#ifndef TILELENS_SIM_TMA_NOC_MODULE_H
#define TILELENS_SIM_TMA_NOC_MODULE_H

#include <deque>
#include <functional>
#include <queue>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <unordered_map>
#include <vector>

namespace tilelens
{

struct noc_config {
    uint32_t initiators, slices;
    sc_core::sc_time latency; // both ways together
    double gbytes_per_s;      // of responses; 0: unlimited
};

class noc final : public sc_core::sc_module
{
public:
    using target_socket = tlm_utils::simple_target_socket_tagged<noc>;
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<noc>;

    // slice_of: address -> slice, below config.slices.
    noc(const sc_core::sc_module_name &name, const noc_config &config, std::function<uint32_t(uint64_t)> slice_of);
    SC_HAS_PROCESS(noc);

    sc_core::sc_vector<target_socket> targets; // for the initiators
    sc_core::sc_vector<initiator_socket> slices;

    uint64_t in_flight() const { return m_routes.size(); }

private:
    using payload = tlm::tlm_generic_payload;

    struct route {
        uint32_t initiator, slice;
    };
    // One direction of one port: what is between BEGIN and END there, and what waits for it.
    struct port {
        const payload *busy = nullptr;
        std::deque<payload *> waiting;
    };
    struct arrival {
        uint64_t time, number;
        payload *trans;
        bool is_response;
        bool operator>(const arrival &other) const
        {
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    tlm::tlm_sync_enum nb_transport_fw(int initiator, payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_bw(int slice, payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    void b_transport(int initiator, payload &trans, sc_core::sc_time &delay);
    unsigned transport_dbg(int initiator, payload &trans);
    void arrive(payload &trans, const sc_core::sc_time &delay, bool is_response);
    void leave_slice(payload &trans, const sc_core::sc_time &delay);
    void on_arrivals();
    void send_request(uint32_t slice);
    void send_response(uint32_t initiator);
    void response_ended(uint32_t initiator);

    const std::function<uint32_t(uint64_t)> m_route;
    const sc_core::sc_time m_half_latency;
    const double m_ticks_per_byte; // time value; 0: unlimited
    double m_free_at = 0;          // time value
    std::vector<port> m_requests;  // of each slice
    std::vector<port> m_responses; // of each initiator
    std::unordered_map<const payload *, route> m_routes;
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> m_arrivals;
    uint64_t m_count = 0;
    std::vector<uint32_t> m_free_slices, m_free_initiators; // that can take the next one
    sc_core::sc_event m_wake;
};

} // namespace tilelens
#endif
