// SPDX-License-Identifier: Apache-2.0
// A Verilated tma_held as a request engine. Model: the class that Verilator has generated for one variant.
#ifndef TILELENS_SIM_TMA_RTL_ENGINE_H
#define TILELENS_SIM_TMA_RTL_ENGINE_H

#include <algorithm>
#include <cstring>
#include <verilated.h>

#include "request_engine.h"

namespace tilelens
{

template <typename Model> class rtl_engine final : public request_engine
{
public:
    rtl_engine()
    {
        m_context.randReset(0);
        m_model.rst_ni = 0;
        m_model.eval();
        tick(false);
        m_model.rst_ni = 1;
        m_cycle = 0;
    }
    ~rtl_engine() override { m_model.final(); }
    rtl_engine(const rtl_engine &) = delete;
    rtl_engine &operator=(const rtl_engine &) = delete;

    bool has_room() const override { return !m_model.load_valid_i; }

    void offer(uint64_t cycle, const tl_tensor_map &map, const tl_load &load) override
    {
        stall_until(cycle);
        m_model.load_same_map_i = m_map_known && std::memcmp(&map, &m_map, sizeof map) == 0;
        m_map = map;
        m_map_known = true;
        for (unsigned k = 0; k < 2 * TL_TENSOR_MAP_WORDS; k++) {
            m_model.load_tensor_map_i[k] = static_cast<uint32_t>(map.word[k / 2] >> (k % 2 * 32));
        }
        for (unsigned d = 0; d < TL_MAX_RANK; d++) {
            m_model.load_coordinates_i[d] = static_cast<uint32_t>(load.coordinates[d]);
        }
        m_model.load_shared_address_i = load.shared_address;
        show_load(true);
        m_loads++;
        m_setup_left = longest_setup_cycles;
    }

    uint64_t take(uint64_t cycle, request_beat &beat) override
    {
        stall_until(cycle);
        while (!tick(true)) {
        }
        beat = m_beat;
        if (beat.request.last) { // the set-up of a load that waits may begin
            m_loads--;
            m_setup_left = longest_setup_cycles;
        }
        return m_cycle - 1;
    }

private:
    // The longest set-up has 57 cycles. Behind it, a request that is taken lets the two stages of the pipeline move on.
    static constexpr uint64_t longest_setup_cycles = 64, pipeline_cycles = 4;

    // Cycles in which no request is taken; those in which nothing can move are skipped.
    void stall_until(uint64_t cycle)
    {
        if (cycle <= m_cycle) {
            return;
        }
        const uint64_t moving = m_loads == 0 ? 0 : std::max(m_setup_left, pipeline_cycles);
        for (uint64_t left = std::min(cycle - m_cycle, moving); left != 0; left--) {
            tick(false);
        }
        m_cycle = cycle;
    }

    // The next cycle sees the load ports as they are then.
    void show_load(bool valid)
    {
        m_model.load_valid_i = valid;
        m_load_changed = true;
    }

    // One clock cycle. True: m_beat was taken in it. The request ports are those of registers or of the load: they are
    // right before the cycle, whatever `ready` is.
    bool tick(bool ready)
    {
        if (m_load_changed) {
            m_model.load_clk_i = 1;
            m_model.eval();
            m_model.load_clk_i = 0;
            m_load_changed = false;
        }
        const bool taken = ready && m_model.req_valid_o;
        if (taken) {
            m_beat.request = {m_model.req_src_address_o,
                              m_model.req_dst_address_o,
                              m_model.req_bytes_o,
                              m_model.req_swizzle_xor_o,
                              m_model.req_fill_o != 0,
                              m_model.req_last_o != 0};
            m_beat.status = static_cast<tl_status>(m_model.req_status_o);
        }
        m_model.req_ready_i = ready;
        m_model.step_i = !m_model.step_i;
        m_model.eval();
        if (m_model.load_taken_o) {
            show_load(false);
        }
        m_cycle++;
        m_setup_left -= m_setup_left != 0;
        return taken;
    }

    VerilatedContext m_context;
    Model m_model{&m_context, ""};
    request_beat m_beat{};
    tl_tensor_map m_map{};
    bool m_map_known = false;
    bool m_load_changed = true;
    uint64_t m_cycle = 0;
    uint64_t m_setup_left = 0; // cycles until every set-up that can go on has ended
    uint32_t m_loads = 0;      // offered, their last beat not taken
};

} // namespace tilelens
#endif
