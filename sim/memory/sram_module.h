// SPDX-License-Identifier: Apache-2.0
// The SRAM buffer of one stack's base die (sram_buffer.h, Sec. 6.1): it stands between the memory controller and the
// flash channels of the stack, one pair of sockets for each channel.
//
// Reads that find their page are answered after the latency of the SRAM and the transfer over the channel's bus, without
// the flash. Everything else passes through; a far prefetch that comes back leaves its page here. Pages that go are
// announced at `evictions`, with the system address that the memory map gives.
#ifndef TILELENS_SIM_MEMORY_SRAM_MODULE_H
#define TILELENS_SIM_MEMORY_SRAM_MODULE_H

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <unordered_map>
#include <vector>

#include "../prefetch/page_event.h"
#include "../tlm/payload_pool.h"
#include "../tlm/response_port.h"
#include "address_map.h"
#include "bus.h"
#include "sram_buffer.h"

namespace tilelens
{

struct sram_buffer_config {
    tl_sram_config sram;
    const tl_address_map *map = nullptr; // channel and its address -> address in the memory
    uint64_t base_address = 0;           // of the memory in the system
    uint32_t first_channel = 0;          // of this stack
    uint32_t channels = 0;
    uint64_t transfer_ps = 0;     // of a page
    std::vector<tl_bus *> buses;  // of the channels; not owned
};

class sram_buffer final : public sc_core::sc_module
{
public:
    using target_socket = tlm_utils::simple_target_socket_tagged<sram_buffer>;
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<sram_buffer>;

    sram_buffer(const sc_core::sc_module_name &name, const sram_buffer_config &config);
    ~sram_buffer() override;
    sram_buffer(const sram_buffer &) = delete;
    sram_buffer &operator=(const sram_buffer &) = delete;

    sc_core::sc_vector<target_socket> targets;
    sc_core::sc_vector<initiator_socket> initiators;
    tlm::tlm_analysis_port<page_event> evictions;

    const tl_sram_counters &counters() const { return *tl_sram_counters_of(m_sram); }

private:
    tlm::tlm_sync_enum nb_transport_fw(int channel, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_bw(int channel, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    void serve(unsigned channel, tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay);
    void keep(uint64_t address);
    void on_served(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase);
    uint64_t memory_address(unsigned channel, uint64_t local_address) const;

    const sram_buffer_config m_config;
    tl_sram *m_sram;
    info_finder m_info_of;
    std::vector<response_port<target_socket>> m_responses;
    tlm_utils::peq_with_cb_and_phase<sram_buffer> m_served;
    std::unordered_map<const tlm::tlm_generic_payload *, unsigned> m_in_service; // of reads from the SRAM: channel
};

} // namespace tilelens
#endif
