// SPDX-License-Identifier: Apache-2.0
// The SMs of a GPU and their network as a SystemC module, one initiator socket for each slice of the L2: thread blocks
// from the CTA scheduler, K-loops (sm.h), and the reads of each tile from the golden model of the TMA (tile_loads.h).
//
// A tile's reads leave its SM's TMA `tma_setup_clocks` after its issue, one after the other at the TMA's rate; their
// useful bytes come in over the SM's port. A read for a slice that takes no request waits in the network, in the order of
// arrival there; reads for other slices pass it. Half of the network's latency lies before the slice, half behind. Rows of activations that an earlier tile has brought to the L2 are read as
// one resident transaction: the tile waits for them and its port carries them, but nobody looks at tags again.
#ifndef TILELENS_SIM_GPU_GPU_MODULE_H
#define TILELENS_SIM_GPU_GPU_MODULE_H

#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <unordered_set>
#include <vector>

#include "../prefetch/page_event.h"
#include "../stats/statistics.h"
#include "../tlm/payload_pool.h"
#include "../tlm/sim_time.h"
#include "../tlm/tick_queue.h"
#include "cta_scheduler.h"
#include "sm.h"
#include "tile_loads.h"
#include "trace.h"

namespace tilelens
{

struct gpu_config {
    uint32_t sm_count;
    uint64_t clock_khz;
    uint32_t port_bytes_per_clock, tma_bytes_per_clock, tma_setup_clocks;
    uint64_t noc_latency_ps;   // both ways together
    uint64_t noc_gbytes_per_s; // to all SMs together; 0: unlimited
    uint32_t slices;
    tl_tile_loads_config loads;
};

class gpu final : public sc_core::sc_module
{
public:
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<gpu>;

    // The source must outlive the module. `recorder` may be null. slice_of: address -> slice.
    gpu(const sc_core::sc_module_name &name, const gpu_config &config, const tl_load_source &source,
        tl_statistics &statistics, tl_trace_recorder *recorder, std::function<uint32_t(uint64_t)> slice_of);
    ~gpu() override;
    gpu(const gpu &) = delete;
    gpu &operator=(const gpu &) = delete;
    SC_HAS_PROCESS(gpu);

    sc_core::sc_vector<initiator_socket> slices;
    tlm::tlm_analysis_port<wave_event> waves;

    void on_progress(std::function<void(uint64_t done, uint64_t total)> tell) { m_tell = std::move(tell); } // CTAs
    tl_tile_loads *loads() { return m_loads; } // to look at the source before the run
    bool finished() const { return m_kernel == m_source.kernel_count; }
    std::string error() const { return m_error; } // what ended the run early, or empty
    // Thread blocks that wait, and what for, one a line; at most `lines` of them.
    std::string waiting(unsigned lines) const;

private:
    struct tile_name {
        uint32_t step;
        uint16_t sm;
        uint8_t slot;
    };
    // A read before it becomes a transaction: many wait, few are under way. Small, for their sake.
    struct pending_read {
        uint64_t address;
        uint64_t at_slice_ps; // not before
        uint32_t bytes, useful_bytes;
        tile_name tile;
        bool weight, resident;
    };
    struct read final : info_payload {
        using info_payload::info_payload;
        tile_name tile{};
        bool weight = false;
    };
    struct slice_port {
        tlm::tlm_generic_payload *in_request = nullptr; // waits for END_REQ
        std::deque<pending_read> waiting;
    };
    enum event_kind { cta_started, tile_landed, compute_ended };
    struct event {
        uint64_t time_ps, number; // events of one time keep their order
        event_kind kind;
        uint32_t sm, slot, step;
        bool operator>(const event &other) const
        {
            return time_ps != other.time_ps ? time_ps > other.time_ps : number > other.number;
        }
    };

    void start_of_simulation() override;
    tlm::tlm_sync_enum nb_transport_bw(int slice, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    void arrived(read &read, uint64_t at_ps);

    void launch();
    void start_ctas();
    void retire(uint32_t sm, uint32_t slot);
    void run_sm(uint32_t sm);
    void issue(uint32_t sm, const tl_sm_decision &decision);
    void send_reads(const tl_tile_accesses &tile, tl_operand operand, bool resident, const tile_name &name);
    void plan_read(const tl_tile_access &access, tl_operand operand, bool resident, const tile_name &name,
                   uint64_t now);
    void on_departures();
    void depart_by(uint64_t time_ps);
    void schedule_departures();
    void send_read(uint32_t slice, const pending_read &pending, uint64_t now);
    void request_ended(uint32_t slice);
    void send_waiting(uint32_t slice, uint64_t now);
    bool brought_before(const tl_tile_accesses &tile);
    void fail(const std::string &text);

    void push(uint64_t time_ps, event_kind kind, uint32_t sm, uint32_t slot, uint32_t step);
    void schedule();
    void on_events();

    const gpu_config m_config;
    const tl_load_source &m_source;
    tl_statistics &m_statistics;
    tl_trace_recorder *const m_recorder;
    const byte_rate m_port_rate, m_tma_rate;
    const uint64_t m_setup_ps;
    tl_tile_loads *m_loads;
    tl_cta_scheduler *m_scheduler;
    std::vector<tl_sm *> m_sms;
    std::vector<uint64_t> m_port_free_ps, m_tma_free_ps; // of each SM
    const std::function<uint32_t(uint64_t)> m_slice_of;
    std::vector<slice_port> m_slices;
    const byte_rate m_noc_rate;
    uint64_t m_noc_free_ps = 0;
    tick_queue<pending_read> m_departures;
    std::vector<uint32_t> m_freed_slices; // take requests again, from the next clock edge on, and some wait for them
    sc_core::sc_event m_depart;
    uint64_t m_depart_ps = TL_NEVER_PS;
    std::unordered_set<uint64_t> m_brought;              // activations of a tile, by a hash of what is read
    payload_pool<read> m_reads;
    std::priority_queue<event, std::vector<event>, std::greater<event>> m_events;
    uint64_t m_event_count = 0;
    sc_core::sc_event m_wake;
    uint64_t m_wake_ps = TL_NEVER_PS;
    uint32_t m_kernel = 0;
    uint32_t m_pages_per_tile = 0; // of the kernel's weights
    uint64_t m_retired = 0, m_cta_count = 0;
    std::function<void(uint64_t, uint64_t)> m_tell;
    std::string m_error;
};

} // namespace tilelens
#endif
