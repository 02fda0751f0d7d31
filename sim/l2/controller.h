// SPDX-License-Identifier: Apache-2.0
// The memory controllers: a queue in front of each channel, demand before prefetch, and the initiator side of the
// protocol towards the channel.
#ifndef TILELENS_SIM_L2_CONTROLLER_H
#define TILELENS_SIM_L2_CONTROLLER_H

#include <functional>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

#include "../tlm/payload_pool.h"

namespace tilelens
{

// What the L2 asks a channel for. The payload's address is the channel's own.
struct channel_request final : info_payload {
    using info_payload::info_payload;

    uint64_t system_address = 0;
    uint64_t number = 0;     // of all requests of a run
    uint64_t created_ps = 0; // when the L2 handed it to the controller
    uint32_t entry = 0;      // of the MSHRs; of a write, the access
    uint32_t sectors = 0;    // that the entry waits for
    uint32_t channel = 0;
    bool in_flight = false;  // from send() to the first answer
    const struct l2_memory *memory = nullptr;
    channel_request *next = nullptr; // in a queue
};

class controller
{
public:
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<controller>;

    // `answered` is called for every answer, at the time of its last byte: once for each request unless a channel errs.
    controller(sc_core::sc_vector<initiator_socket> &sockets, std::function<void(channel_request &)> answered);

    channel_request &take() { return m_pool.take(); }
    void send(channel_request &request);
    // A prefetch has become a demand: moves it up in the queue here, or tells the channel.
    void promote_request(channel_request &request);
    uint32_t in_flight() const { return m_in_flight; }
    uint32_t waiting(uint32_t channel) const { return m_ports[channel].waiting; } // not yet sent to their channel

private:
    struct request_queue {
        channel_request *head = nullptr, *tail = nullptr;
        void push(channel_request &request);
        channel_request *pop();
        bool remove(const channel_request &request);
    };
    struct channel_port {
        channel_request *in_request = nullptr; // waits for END_REQ
        uint32_t waiting = 0;
        request_queue demands, prefetches;
    };

    tlm::tlm_sync_enum nb_transport_bw(int channel, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    void issue(channel_request &request);
    void request_ended(channel_port &port);
    void answer(channel_request &request, const sc_core::sc_time &delay);
    void on_late_answer(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase);

    sc_core::sc_vector<initiator_socket> &m_sockets;
    const std::function<void(channel_request &)> m_answered;
    std::vector<channel_port> m_ports;
    payload_pool<channel_request> m_pool;
    tlm_utils::peq_with_cb_and_phase<controller> m_late_answers; // whose delay is annotated
    uint32_t m_in_flight = 0;
};

} // namespace tilelens
#endif
