// SPDX-License-Identifier: Apache-2.0
// One memory channel as a SystemC module: a target socket around an HBM3e, HBF or RoMe channel (hbm_channel.h,
// hbf_channel.h, rome_channel.h), whose rules for address and size hold for every transaction. Addresses are the
// channel's own.
//
// Answers come at the time of their last byte, or on the next edge of a timer that channels share.
//
// Data are read and written when the channel accepts the transaction, in that order.
//
// BEGIN_REQ is answered with END_REQ at once while the queue has room, otherwise when a request has left it. What the
// channel refuses gets its response at once: TLM_ADDRESS_ERROR_RESPONSE (out of range, misaligned), TLM_BURST_ERROR_
// RESPONSE (size, streaming), TLM_BYTE_ENABLE_ERROR_RESPONSE, TLM_COMMAND_ERROR_RESPONSE (neither read nor write).
#ifndef TILELENS_SIM_MEMORY_CHANNEL_MODULE_H
#define TILELENS_SIM_MEMORY_CHANNEL_MODULE_H

#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "../tlm/payload_pool.h"
#include "../tlm/response_port.h"
#include "../tlm/sparse_memory.h"
#include "channel.h"
#include "channel_timer.h"
#include "hbf_channel.h"
#include "hbm_channel.h"
#include "rome_channel.h"

namespace tilelens
{

// The five functions of channel.h, for any type of channel.
class channel_model
{
public:
    virtual ~channel_model() = default;
    virtual tl_mem_status admit(uint64_t now_ps, const tl_mem_request &request) const = 0;
    virtual bool push(uint64_t now_ps, const tl_mem_request &request) = 0;
    virtual uint64_t next_ps() = 0;
    virtual bool pop(uint64_t now_ps, tl_mem_completion &completion) = 0;
    virtual bool promote(uint64_t now_ps, uint64_t tag) = 0;
    virtual void advance(uint64_t now_ps) = 0;
    virtual const tl_mem_counters &counters() const = 0;
    virtual uint32_t pending() const = 0;
    virtual uint64_t row_hits() const { return 0; }
    virtual uint64_t row_misses() const { return 0; }
    virtual const tl_hbf_counters *flash() const { return nullptr; }
    virtual void end_load() {}
};

// Null: the configuration is refused (tl_X_config_check says why).
std::unique_ptr<channel_model> make_channel(const tl_hbm_config &config);
std::unique_ptr<channel_model> make_channel(const tl_hbf_config &config);
std::unique_ptr<channel_model> make_channel(const tl_rome_config &config);

class memory_channel final : public sc_core::sc_module
{
public:
    using target_socket = tlm_utils::simple_target_socket<memory_channel>;

    // contents: by the channel's addresses, not owned; null: timing alone. timer: not owned; null: an event of its own.
    memory_channel(const sc_core::sc_module_name &name, std::unique_ptr<channel_model> model,
                   sparse_memory *contents = nullptr, channel_timer *timer = nullptr);

    target_socket socket;

    const channel_model &model() const { return *m_model; }
    void end_load() { m_model->end_load(); } // from here on a write to flash is counted as an error
    void settle();                           // counters up to now, at the end of a run
    uint64_t wakeups() const { return m_wakeups; }
    void on_edge(uint64_t now_ps); // of the timer

    SC_HAS_PROCESS(memory_channel);

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    tlm::tlm_sync_enum begin_request(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase);
    void on_annotated(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase);
    tl_mem_request request_of(tlm::tlm_generic_payload &trans);
    bool accept(uint64_t now_ps, tlm::tlm_generic_payload &trans, const tl_mem_request &request);
    void refuse(tlm::tlm_generic_payload &trans, tlm::tlm_response_status status);
    void admit_held(uint64_t now_ps);
    void schedule(uint64_t now_ps);
    void on_wake();
    void answer(uint64_t now_ps);

    std::unique_ptr<channel_model> m_model;
    sparse_memory *const m_contents;
    channel_timer *const m_timer;
    info_finder m_info_of;
    response_port<target_socket> m_responses;
    tlm_utils::peq_with_cb_and_phase<memory_channel> m_annotated;
    tlm::tlm_generic_payload *m_held = nullptr; // its END_REQ waits for room
    sc_core::sc_event m_wake;
    uint64_t m_wake_ps = TL_NEVER_PS;
    uint64_t m_wakeups = 0;
};

} // namespace tilelens
#endif
