// SPDX-License-Identifier: Apache-2.0
// The whole machine of one configuration: SMs, network, L2 with its memory controllers, prefetcher, SRAM buffers and
// memory channels, bound together.
#ifndef TILELENS_SIM_SYSTEM_GPU_SYSTEM_H
#define TILELENS_SIM_SYSTEM_GPU_SYSTEM_H

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "../config/system_config.h"
#include "../gpu/gpu_module.h"
#include "../gpu/weight_walk.h"
#include "../gpu/workload.h"
#include "../l2/l2_module.h"
#include "../memory/channel_module.h"
#include "../memory/sram_module.h"
#include "../prefetch/prefetch_module.h"

namespace tilelens
{

// System addresses: the memory of the activations begins at 0, flash behind everything else.
constexpr uint64_t flash_base_address = uint64_t{1} << 44;

// Where the tensors of a workload go in this system.
tl_placement placement_of(const tl_system_config &system);

// System addresses of the memory that an operand is in.
tl_byte_range home_of(const tl_system_config &system, tl_operand operand);

// What a memory lacks to hold the tensors of a workload placed so, `KEY: found ..., expected ...`; empty: nothing.
// Weights and activations in one memory have half of it each.
std::string missing_room(const tl_system_config &system, const tl_load_source &source);

// Binds an initiator socket of the machine to its target; whoever gives one can put a module of their own between.
using socket_link = std::function<void(tlm::tlm_initiator_socket<> &from, tlm::tlm_base_target_socket_b<> &to)>;

inline void link_directly(tlm::tlm_initiator_socket<> &from, tlm::tlm_base_target_socket_b<> &to)
{
    from.bind(to);
}

class gpu_system final : public sc_core::sc_module
{
public:
    // The source must outlive the module. `recorder` may be null. Of `contents`, see l2_module.h.
    gpu_system(const sc_core::sc_module_name &name, const tl_config &config, const tl_load_source &source,
               tl_trace_recorder *recorder, socket_link link = link_directly, sparse_memory *contents = nullptr);

    gpu &processors() { return m_gpu; }

    // Counters of all modules; once, after the simulation.
    const tl_statistics &settle();
    // What still waits when nothing happens any more; empty when nothing does.
    std::string deadlock() const;

private:
    void add_memory(int memory);
    void add_channel(const char *memory, uint32_t number, std::unique_ptr<channel_model> model);
    void add_buffers(uint32_t first_channel);
    void add_prefetcher(const tl_load_source &source);
    bool is_daisy_chained() const; // HBM and HBF of a stack share the data bus

    const tl_config m_config;
    const socket_link m_link;
    tl_statistics m_statistics{};
    std::deque<tl_bus> m_buses; // one a channel position, shared by HBM and the flash behind it
    channel_timer m_timer; // on the L2's clock, as answers are
    std::vector<std::unique_ptr<memory_channel>> m_channels;
    std::vector<std::unique_ptr<sram_buffer>> m_buffers;
    gpu m_gpu;
    l2 m_l2;
    std::unique_ptr<prefetcher> m_prefetcher;
};

} // namespace tilelens
#endif
