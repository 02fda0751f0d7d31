// SPDX-License-Identifier: Apache-2.0
// The memory controllers: a queue in front of each channel, demand before prefetch, and the initiator side of the
// protocol towards the channel.
#ifndef TILELENS_SIM_L2_CONTROLLER_H
#define TILELENS_SIM_L2_CONTROLLER_H

#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

#include "../tlm/payload_pool.h"

namespace tilelens
{

// What the L2 wants to know of a request when its answer comes.
struct request_origin {
    uint64_t system_address;
    uint64_t created_ps; // when the L2 handed it to the controller
    uint32_t entry;      // of the MSHRs; of a write, the access
    uint32_t sectors;    // that the entry waits for
    uint32_t number;     // of all requests of a run, modulo 2^32
    uint16_t channel;
    uint8_t memory; // of the L2's configuration
    bool answered;  // the first answer has come; the request is the controller's until done()
};

// What the L2 asks a channel for. Becomes a transaction when the channel takes it: many wait, few are under way.
struct pending_request {
    request_origin origin;
    uint64_t local_address; // the channel's own
    uint32_t bytes;
    tl_mem_class mem_class;
    bool write;
};

// Three lines of the simulating machine's cache.
struct channel_request final : info_payload {
    using info_payload::info_payload;
    request_origin origin{};
};
static_assert(sizeof(channel_request) <= 3 * host_line_bytes);

class controller
{
public:
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<controller>;

    // `answered` is called for every answer, at the time of its last byte: once for each request unless a channel errs.
    // After the first one, done() is due.
    // `freed` when a channel for which something waits takes requests again: then issue_waiting() is due, in a process,
    // for no nb_transport_fw may come out of nb_transport_bw.
    controller(sc_core::sc_vector<initiator_socket> &sockets, std::function<void(channel_request &)> answered,
               std::function<void(uint32_t channel)> freed);

    void send(const pending_request &request);
    void done(channel_request &request) { request.release(); }
    void issue_waiting(uint32_t channel);
    // The prefetch of an entry of the MSHRs is of another class now. As a demand it moves up in the queue here, or in that
    // of its channel, if `moves`.
    void reclassify(uint32_t channel, uint32_t entry, tl_mem_class mem_class, bool moves);
    uint32_t in_flight() const { return m_in_flight; }
    uint32_t waiting(uint32_t channel) const { return m_waiting[channel]; } // not yet sent to their channel

private:
    struct channel_port {
        channel_request *in_request = nullptr; // waits for END_REQ
        std::deque<pending_request> demands, prefetches;
    };

    tlm::tlm_sync_enum nb_transport_bw(int channel, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    channel_request &transaction_of(const pending_request &request);
    void issue(const pending_request &request);
    bool take(uint32_t channel, pending_request &request);
    void request_ended(uint32_t channel);
    void answer(channel_request &request, const sc_core::sc_time &delay);
    void on_late_answer(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase);

    sc_core::sc_vector<initiator_socket> &m_sockets;
    const std::function<void(channel_request &)> m_answered;
    const std::function<void(uint32_t)> m_freed;
    std::vector<channel_port> m_ports;
    std::vector<uint32_t> m_waiting; // in the queues of each port: by itself, for it is looked at more often than they
    payload_pool<channel_request> m_pool;
    std::vector<channel_request *> m_prefetches; // that channels were sent, by entry of the MSHRs
    tlm_utils::peq_with_cb_and_phase<controller> m_late_answers; // whose delay is annotated
    uint32_t m_in_flight = 0;
};

} // namespace tilelens
#endif
