// SPDX-License-Identifier: Apache-2.0
// The Tensor Memory Accelerator as a TLM-2.0 module: commands in by registers or by a call, reads of global memory out,
// data after swizzle into shared memory, then the mbarrier's complete_tx. docs/10-tlm-integration.md is its manual.
//
// Commands run in order of their tickets as far as their requests go; they end in the order in which memory answers.
// The request stream is that of the engine, whatever targets do: a command that has failed still sends all its reads.
// Nothing is assumed about the targets but the base protocol.
#ifndef TILELENS_SIM_TMA_MODULE_H
#define TILELENS_SIM_TMA_MODULE_H

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include "../tlm/payload_pool.h"
#include "../tlm/response_port.h"
#include "access_builder.h"
#include "edge_wake.h"
#include "initiator_port.h"
#include "map_cache.h"
#include "register_window.h"
#include "request_engine.h"
#include "shared_lines.h"
#include "tma_types.h"

namespace tilelens
{

class tma final : public sc_core::sc_module, private register_window::owner
{
public:
    using command_socket = tlm_utils::simple_target_socket_optional<tma>;

    // A configuration out of its ranges, or an engine that is not built in, is a fatal report.
    tma(const sc_core::sc_module_name &name, const tma_config &config);
    ~tma() override;
    tma(const tma &) = delete;
    tma &operator=(const tma &) = delete;
    SC_HAS_PROCESS(tma);

private:
    edge_wake m_clock; // of work() or run(); before the ports, which wake it
    initiator_port m_global, m_shared;

public:
    command_socket commands;                               // the register window; may stay unbound
    tlm::tlm_initiator_socket<> &global = m_global.socket; // tensor maps and boxes are read here
    tlm::tlm_initiator_socket<> &shared = m_shared.socket; // data and complete_tx are written here
    tlm::tlm_analysis_port<tma_completion> completions;   // every command that is over; may stay unbound

    // ---- the same without registers ----

    bool has_room() const override { return m_order.size() < m_config.queue_entries; }
    // Ticket of the command; only with room.
    uint64_t issue(const tma_command &command) { return issue_at(command, sc_core::SC_ZERO_TIME); }
    const sc_core::sc_event &room() const { return m_room; } // notified when there is room again
    void invalidate_map(uint64_t address) override { m_maps.forget(address); } // fence.proxy.tensormap
    void invalidate_all_maps() override { m_maps.forget_all(); }

    uint64_t issued() const override { return m_issued; }
    uint64_t completed() const override { return m_completed; }
    const tma_counters &counters() const override { return m_counters; }
    const tma_config &config() const { return m_config; }

private:
    struct command_state {
        tma_command command;
        uint64_t ticket;
        uint64_t start_cycle;
        uint64_t ready_cycle;                // of the first request; meaningful with is_ready
        std::shared_ptr<map_entry> map;      // while it is awaited
        tl_tensor_map tensor_map;
        uint64_t fill_pattern;
        uint32_t element_bytes;
        bool is_ready, is_offered, last_taken, is_generated, barrier_sent;
        uint32_t reads_open, writes_open;
        uint32_t accesses;                   // reads and fills so far
        uint32_t failed_access;              // number of the one behind the fault
        tma_completion result;
    };
    struct read_payload final : port_payload {
        using port_payload::port_payload;
        command_state *owner = nullptr;
        std::shared_ptr<map_entry> map; // of a tensor map
        uint32_t number = 0;            // of the command's accesses
        built_read built;
        std::vector<uint8_t> data;
    };
    struct write_payload final : port_payload {
        using port_payload::port_payload;
        ~write_payload() override { clear_extension(&barrier); }
        command_state *owner = nullptr;
        uint32_t number = 0; // of the command's accesses
        bool is_barrier = false;
        complete_tx_info barrier;
        std::array<uint8_t, shared_line_bytes> data;
    };

    // ---- commands: tma_module.cpp ----
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    unsigned transport_dbg(tlm::tlm_generic_payload &trans) { return m_registers.debug(trans); }
    void on_annotated(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase);
    void access_held();
    uint64_t issue_at(const tma_command &command, const sc_core::sc_time &delay) override;
    uint32_t queue_free() const override { return m_config.queue_entries - static_cast<uint32_t>(m_order.size()); }
    void leave_order();
    void complete(command_state &state);
    command_state &take_state();

    // ---- tensor map to reads to writes, in either timing: tma_generate.cpp ----
    void map_arrived(command_state &state, uint64_t cycle);
    void offer_loads(uint64_t cycle);
    read_payload *build_read(command_state &state, uint64_t &cycle);
    bool take_request(command_state &state, uint64_t &cycle, request_beat &beat);
    void write_fill(command_state &state, const tl_request &request);
    void write_data(const read_payload &read);
    void note_fault(command_state &state, tma_fault fault, const port_payload &trans, uint32_t number);
    read_payload &new_map_read(uint64_t address, uint32_t bytes);
    void set_up_read(read_payload &read, uint64_t address, uint32_t bytes);
    write_payload &new_write(command_state &state, uint32_t address, uint32_t bytes);
    write_payload &new_barrier(command_state &state);

    // ---- approximately timed: tma_approximate.cpp ----
    void work();
    void take_reads();
    void take_writes();
    void start_commands();
    void look_up_map(command_state &state);
    void map_read_done(read_payload &read);
    bool send_map_read();
    bool build_next();
    bool send_read();
    void send_write();
    void settle(command_state &state);
    uint64_t next_cycle() const;

    // ---- loosely timed: tma_loose.cpp ----
    void run();
    void run_command(command_state &state);
    void fetch_map(command_state &state, uint64_t &at);
    uint64_t run_reads(command_state &state);
    void put_off_writes(uint64_t start);
    uint64_t run_writes(uint64_t until);
    uint64_t transport(initiator_port &port, port_payload &trans, uint64_t at);
    void finish_commands();

    static constexpr uint64_t never = edge_wake::never;

    const tma_config m_config;
    register_window m_registers;
    uint64_t m_cycle = 0; // of work()
    response_port<command_socket> m_responses;
    tlm_utils::peq_with_cb_and_phase<tma> m_annotated;
    tlm::tlm_generic_payload *m_held = nullptr; // rings the doorbell of a full queue

    std::deque<command_state> m_states;
    std::vector<command_state *> m_free_states;
    std::deque<command_state *> m_order; // whose requests are not all generated
    size_t m_started = 0, m_offered = 0; // of m_order
    uint64_t m_next_start = 0; // cycle
    sc_core::sc_event m_room;

    const std::unique_ptr<request_engine> m_engine;
    access_builder m_builder;
    map_cache m_maps;
    payload_pool<read_payload> m_read_pool;
    payload_pool<write_payload> m_write_pool;
    std::deque<read_payload *> m_map_reads; // to be sent
    read_payload *m_spare = nullptr;        // for the read being built
    read_payload *m_read = nullptr;         // built, to be sent in m_read_cycle
    uint64_t m_read_cycle = 0;
    uint64_t m_next_cycle = 0;              // in which the engine may give its next request
    uint32_t m_reads_in_flight = 0;
    std::deque<write_payload *> m_writes; // to be sent, one a cycle
    uint64_t m_next_write = 0; // cycle
    std::vector<port_payload *> m_answers;
    std::multimap<uint64_t, write_payload *> m_later_writes; // loosely timed: by their start
    std::multimap<uint64_t, command_state *> m_finished;     // loosely timed: by the time of their completion
    sc_core::sc_event m_finish;

    uint64_t m_issued = 0, m_completed = 0;
    tma_counters m_counters;
};

} // namespace tilelens
#endif
