// SPDX-License-Identifier: Apache-2.0
// 132 TMAs, a network, the L2 and six HBF stacks under a workload of our own: the SMs stream the tiles of one matrix.
#include <tilelens/sim/tma/memory_system.h>
#include <tilelens/sim/tma/noc_module.h>
#include <tilelens/sim/tma/tma_module.h>

#include <cstdio>
#include <memory>
#include <string>
#include <tlm_utils/simple_target_socket.h>

using namespace tilelens;

constexpr uint64_t rows = 4096, columns = 8192, row_tiles = rows / 128, tiles = row_tiles * (columns / 128);

// One SM: four tiles of 128 x 128 bf16 in flight, its own shared memory, which takes everything at once.
struct sm : sc_core::sc_module, tlm::tlm_analysis_if<tma_completion> {
    sm(sc_core::sc_module_name name, const tma_config &config, const tl_tensor_map &map, uint64_t first, uint64_t step)
        : sc_module(name), dma("dma", config), shared("shared"), m_next(first), m_step(step)
    {
        m_command.inline_map = true;
        m_command.map = map;
        shared.register_nb_transport_fw(this, &sm::take);
        dma.shared.bind(shared);
        dma.completions.bind(*this);
        for (unsigned k = 0; k < 4; k++)
            issue();
    }
    void issue()
    {
        if (m_next >= tiles)
            return;
        m_command.load.coordinates[0] = static_cast<int32_t>(m_next % row_tiles * 128);
        m_command.load.coordinates[1] = static_cast<int32_t>(m_next / row_tiles * 128);
        m_command.load.shared_address = static_cast<uint32_t>(dma.issued() % 4 * 32768);
        m_command.mbarrier_address = static_cast<uint32_t>(131072 + dma.issued() % 4 * 8);
        dma.issue(m_command);
        m_next += m_step;
    }
    void write(const tma_completion &done) override
    {
        if (done.fault != tma_fault::none)
            SC_REPORT_FATAL("sm", name_of(done.fault));
        issue();
    }
    tlm::tlm_sync_enum take(tlm::tlm_generic_payload &trans, tlm::tlm_phase &, sc_core::sc_time &)
    {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }

    tma dma;
    tlm_utils::simple_target_socket<sm> shared;

private:
    tma_command m_command;
    uint64_t m_next;
    const uint64_t m_step;
};

int sc_main(int, char **)
{
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    memory_system memory(TILELENS_CONFIGS "/figure/base/run.yaml",
                         {"system_file=" TILELENS_CONFIGS "/system/h200_hbf.yaml", "prefetch=none"});
    const uint64_t dims[] = {rows, columns}, strides[] = {2 * rows};
    const uint32_t box[] = {128, 128}, steps[] = {1, 1};
    const tl_tile_major layout = {2 * rows, {64, 32}, memory.weights_base()}; // memory tiles of one page
    tl_tensor_map map;
    if (tl_tensor_map_encode_tiled(&map, TL_BFLOAT16, 2, layout.matrix_address, dims, strides, box, steps,
                                   TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, TL_L2_NONE, TL_OOB_ZERO, &layout) != TL_OK)
        return 1;
    const uint32_t count = memory.config().system.gpu.sm_count;
    noc network("network", {count, memory.slices(), sc_core::sc_time(100, sc_core::SC_NS), 0},
                [&](uint64_t address) { return memory.slice_of(address); });
    for (uint32_t slice = 0; slice < memory.slices(); slice++)
        network.slices[slice].bind(memory.slice(slice));
    tma_config config;
    config.access_bytes = 4096; // a read for each page:
    config.merge_entries = 2;   // rows of a box alternate between two memory tiles
    std::vector<std::unique_ptr<sm>> sms;
    for (uint32_t n = 0; n < count; n++) {
        sms.push_back(std::make_unique<sm>(("sm_" + std::to_string(n)).c_str(), config, map, n, count));
        sms.back()->dma.global.bind(network.targets[n]);
    }
    sc_core::sc_start();
    const tl_statistics &statistics = memory.settle();
    uint64_t loads = 0, useful = 0;
    for (const auto &each : sms) {
        loads += each->dma.completed();
        useful += each->dma.counters().useful_bytes;
    }
    const double ns = sc_core::sc_time_stamp().to_seconds() * 1e9;
    std::printf("loads %llu of %llu, time %.0f ns, %.1f GB/s, read amplification %.3f, L2 hits %llu, misses %llu\n",
                static_cast<unsigned long long>(loads), static_cast<unsigned long long>(tiles), ns,
                static_cast<double>(useful) / ns, static_cast<double>(statistics.bytes.channels_read) / useful,
                static_cast<unsigned long long>(statistics.caches.l2_hits),
                static_cast<unsigned long long>(statistics.caches.l2_misses));
    return loads != tiles;
}
