// SPDX-License-Identifier: Apache-2.0
// The adaptive stride prefetcher of the memory controllers as a SystemC module (stride_prefetcher.h, degree.h, Sec. 5.3).
//
// It listens to the pages of the L2 and of the SRAM buffers (`pages`) and to the thread blocks that run (`waves`), and
// asks the L2 for pages through its initiator socket: TLM_IGNORE_COMMAND with memory_info's class near (into the L2) or
// far (into the SRAM buffer). The L2 answers at once; an error response means that it had no room.
#ifndef TILELENS_SIM_PREFETCH_PREFETCH_MODULE_H
#define TILELENS_SIM_PREFETCH_PREFETCH_MODULE_H

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <unordered_map>

#include "../tlm/payload_pool.h"
#include "page_event.h"

namespace tilelens
{

class prefetcher final : public sc_core::sc_module
{
public:
    prefetcher(const sc_core::sc_module_name &name, const tl_prefetcher_config &config, const tl_degree_config &degree);
    ~prefetcher() override;
    prefetcher(const prefetcher &) = delete;
    prefetcher &operator=(const prefetcher &) = delete;

    tlm_utils::simple_initiator_socket<prefetcher> socket;

    // Subscribers, to be bound to the analysis ports of L2, SRAM buffers and GPU.
    struct page_listener final : tlm::tlm_analysis_if<page_event> {
        explicit page_listener(prefetcher &owner) : m_owner(owner) {}
        void write(const page_event &event) override { m_owner.on_page(event); }
        prefetcher &m_owner;
    } pages;
    struct wave_listener final : tlm::tlm_analysis_if<wave_event> {
        explicit wave_listener(prefetcher &owner) : m_owner(owner) {}
        void write(const wave_event &event) override { m_owner.on_wave(event); }
        prefetcher &m_owner;
    } waves;

    tl_degree degree() const { return m_degree; }
    const tl_prefetcher_counters &counters() const { return *tl_prefetcher_get_counters(m_prefetcher); }
    uint64_t late_ps() const { return m_late_ps; } // from a demand to the arrival of its prefetch, summed

private:
    // Demands that wait for one page which a prefetch asked for.
    struct late_demands {
        uint64_t count, demanded_ps; // their times, summed
    };

    void on_page(const page_event &event);
    void on_wave(const wave_event &event);
    void on_demand(const page_event &event);
    void on_filled(uint64_t address);
    void request(const tl_prefetch &prefetch);

    const tl_degree_config m_degree_config;
    tl_degree m_degree{};
    tl_prefetcher *m_prefetcher;
    payload_pool<info_payload> m_payloads;
    std::unordered_map<uint64_t, late_demands> m_late;
    uint64_t m_late_ps = 0;
};

} // namespace tilelens
#endif
