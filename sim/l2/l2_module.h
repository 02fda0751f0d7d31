// SPDX-License-Identifier: Apache-2.0
// The L2 as a SystemC module: one target socket for each slice, one initiator socket for each channel of the memories
// behind it, and the memory controllers' queues between (cache.h, mshr.h, Sec. 5.2).
//
// Reads of any size and alignment are taken, cut at pages (page memories) or requests (line memories), and answered when
// all their bytes are there: after config.latency_ps on a hit, half of it before the tags and half after. A slice serves
// the channels whose number in their memory is its own modulo the slices; it takes no request while it holds
// max_waiting that have not reached the tags or the queue of their channel. Where MSHRs are missing, demands wait in
// order. Writes go past the L2 to their channel, cut the same way; a part of a 64-byte access, or of a page, costs a
// whole one. An address outside the memories gets TLM_ADDRESS_ERROR_RESPONSE, an error of a channel its own status,
// and what came with it does not stay in the L2.
//
// Data are read and written in `contents`, if there are any, at the tags: in the order in which transactions reach them.
//
// `prefetches` takes the prefetcher's requests (TLM_IGNORE_COMMAND, answered at once); `pages` tells it about pages.
#ifndef TILELENS_SIM_L2_L2_MODULE_H
#define TILELENS_SIM_L2_L2_MODULE_H

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include "../memory/address_map.h"
#include "../prefetch/page_event.h"
#include "../stats/statistics.h"
#include "../tlm/response_port.h"
#include "../tlm/sim_time.h"
#include "../tlm/sparse_memory.h"
#include "../tlm/tick_queue.h"
#include "cache.h"
#include "controller.h"
#include "mshr.h"

namespace tilelens
{

// A memory behind the L2: addresses base .. base + capacity of the map, spread over channels.
struct l2_memory {
    uint64_t base_address;
    bool pages;               // read in whole pages of 4096 B
    uint32_t request_bytes;   // longest request to a channel, a power of two
    uint32_t first_channel;   // number of the socket of the map's target 0
    tl_address_map map;
    uint64_t tl_byte_counts::*moved; // where its bytes are counted
};

struct l2_config {
    tl_cache_config cache;
    tl_mshr_config mshr;
    uint64_t latency_ps;
    uint64_t clock_khz;
    uint32_t slice_bytes_per_clock; // 0: unlimited
    bool promote_queued;            // a demand that meets a prefetch in a channel's queue makes it a demand there
    uint32_t slices;
    uint32_t channels;              // sockets
    std::vector<l2_memory> memories;
    uint64_t weight_base, weight_bytes; // reads of this range are counted as weights
    sparse_memory *contents;            // by system address, not owned; null: timing alone
};

class l2 final : public sc_core::sc_module
{
public:
    using target_socket = tlm_utils::simple_target_socket_tagged<l2>;

    l2(const sc_core::sc_module_name &name, const l2_config &config, tl_statistics &statistics);
    ~l2() override;
    l2(const l2 &) = delete;
    l2 &operator=(const l2 &) = delete;
    SC_HAS_PROCESS(l2);

    sc_core::sc_vector<target_socket> slices;
    sc_core::sc_vector<controller::initiator_socket> channels;
    tlm_utils::simple_target_socket_optional<l2> prefetches; // need not be bound
    tlm::tlm_analysis_port<page_event> pages;

    static constexpr uint32_t max_waiting = 128; // more than its bandwidth x half its latency

    uint32_t slice_of(uint64_t address) const; // of an address outside the memories: 0
    const tl_address_map *map_at(uint64_t address) const { return &memory_of(address, 1)->map; } // of its memory
    void settle(); // counters of cache and MSHRs into the statistics, at the end of a run
    uint32_t pending() const { return m_pending; } // reads and writes not answered yet
    uint32_t reads_in_flight() const { return m_controller.in_flight(); }

private:
    // A transaction on its way to the tags, with all that is asked of it.
    struct arrival {
        tlm::tlm_generic_payload *trans;
        const l2_memory *memory; // null: the address is in none
        uint64_t address;
        uint32_t bytes, useful_bytes;
        uint16_t slice;
        bool write, resident;
        int8_t status; // of its response, as far as it is known: tlm_response_status
    };
    // A transaction at the tags; `parts` of it are still on their way.
    struct access {
        tlm::tlm_generic_payload *trans;
        uint32_t slice, parts;
        uint32_t useful_bytes;
        tlm::tlm_response_status status; // as above
    };
    // Of a channel, until the next clock edge.
    struct channel_answer {
        channel_request *request;
        uint64_t time_ps; // of its last byte
    };
    struct channel_location {
        uint32_t channel;
        uint64_t address;
    };

    tlm::tlm_sync_enum nb_transport_fw(int slice, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    unsigned transport_dbg(int slice, tlm::tlm_generic_payload &trans);
    tlm::tlm_sync_enum nb_prefetch_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);

    void accept(tlm::tlm_generic_payload &trans, uint32_t slice, uint64_t at_ps);
    bool is_backed_up(uint32_t slice) const;
    void resume(uint32_t slice);
    uint32_t take_access(const access &started);
    void wake_by(uint64_t time_ps);
    void schedule();
    void schedule_edge();
    void on_clock();
    void take_arrivals();
    void prefetch_tags(const arrival &arrived) const;
    void start(const arrival &arrived);
    void start_parts(uint32_t number, const arrival &arrived, const l2_memory &memory);
    void part_done(uint32_t number);
    void finish(const access &done);
    const l2_memory *memory_of(uint64_t address, uint64_t bytes) const;

    void demand_page(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number);
    bool miss_page(const l2_memory &memory, const tl_mshr_request &request, const tl_mshr_answer &answer);
    void demand_lines(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number);
    void miss_lines(const l2_memory &memory, const tl_mshr_request &request, const tl_mshr_answer &answer);
    void write_part(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number);
    void upgrade(const l2_memory &memory, uint64_t page, uint32_t entry, tl_mem_class mem_class);
    void entries_freed(tl_mshr_partition partition);
    void resume_parked(tl_mshr_partition partition);

    void on_answer(channel_request &request);
    void take_answers();
    void prefetch_fills(const channel_answer *batch, size_t count) const;
    void take_answer(const channel_answer &answered);
    void filled_page(const channel_request &read);
    void filled_lines(const channel_request &read);
    void serve(tl_mshr_waiters waiters, const channel_request &read);
    void note_status(uint32_t number, const channel_request &request);
    void count_read(const channel_answer &answered, const l2_memory &memory);
    static channel_location location_of(const l2_memory &memory, uint64_t address, uint32_t bytes);
    pending_request new_request(const l2_memory &memory, uint64_t address, uint32_t bytes);
    pending_request new_read(const l2_memory &memory, uint64_t address, uint32_t bytes, tl_mem_class mem_class,
                             uint32_t entry, uint32_t sectors);
    static void on_evict(void *self, const tl_cache_eviction *eviction);

    const l2_config m_config;
    tl_statistics &m_statistics;
    tl_cache *m_cache;
    tl_mshr *m_mshr;
    controller m_controller;
    const byte_rate m_slice_rate;
    const sc_core::sc_time m_half_latency;
    std::vector<response_port<target_socket>> m_responses;
    std::vector<uint64_t> m_slice_free_ps;
    // A request that waits for END_REQ, of each slice.
    struct held_request {
        tlm::tlm_generic_payload *trans;
        uint64_t at_ps;
    };
    std::vector<held_request> m_held;
    std::vector<uint32_t> m_arriving; // accepted, not at the tags yet, of each slice
    std::vector<access> m_accesses;
    std::vector<uint32_t> m_free_accesses;
    uint32_t m_pending = 0;
    info_finder m_info_of;
    tick_queue<arrival> m_arrivals;
    // What comes from the channels is looked at on the next clock edge: all at once, and in a process (controller.h).
    std::vector<channel_answer> m_answers;
    std::vector<uint32_t> m_slice_of_channel, m_freed_channels;
    std::vector<std::vector<uint32_t>> m_channels_of_slice;
    bool m_entries_freed[TL_MSHR_PARTITIONS] = {false, false}; // while demands are parked
    uint64_t m_now_ps = 0; // read once at each way in
    sc_core::sc_event m_wake;
    uint64_t m_wake_ps = TL_NEVER_PS;
};

} // namespace tilelens
#endif
