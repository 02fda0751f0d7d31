// SPDX-License-Identifier: Apache-2.0
// The L2 of a configuration with its memory controllers and the memories behind it, and no GPU: a target socket for
// each slice, free for initiators of the user's own. With several initiators, put a `noc` between. Reads bring what was
// written, by transactions, by transport_dbg or into contents(); zero elsewhere.
#ifndef TILELENS_SIM_TMA_MEMORY_SYSTEM_H
#define TILELENS_SIM_TMA_MEMORY_SYSTEM_H

#include <deque>
#include <string>
#include <vector>

#include "../system/gpu_system.h"

namespace tilelens
{

class memory_system final
{
public:
    // Files and settings as for `tilelens simulate`; bad ones are a fatal report.
    memory_system(const std::string &config_path, const std::vector<std::string> &settings);

    const tl_config &config() const { return m_config; }
    uint32_t slices() const { return static_cast<uint32_t>(m_slices.size()); }
    tlm::tlm_base_target_socket_b<> &slice(uint32_t number) { return *m_slices[number]; }
    uint32_t slice_of(uint64_t address) const { return m_l2->slice_of(address); }
    sparse_memory &contents() { return m_contents; } // by the addresses of the slices
    uint64_t weights_base() const { return placement_of(m_config.system).weight_base; }

    // Counters of all modules; once, after the simulation. Those of tiles and of the GPU's time are 0.
    const tl_statistics &settle() { return m_system.settle(); }

private:
    void link(tlm::tlm_initiator_socket<> &from, tlm::tlm_base_target_socket_b<> &to);

    struct nobody;
    const tl_config m_config;
    const tl_load_source m_no_work{};
    std::vector<tlm::tlm_base_target_socket_b<> *> m_slices;
    std::deque<tlm_utils::simple_target_socket<nobody>> m_idle; // where the sockets of the idle GPU end
    const l2 *m_l2 = nullptr;
    sparse_memory m_contents;
    gpu_system m_system;
};

} // namespace tilelens
#endif
