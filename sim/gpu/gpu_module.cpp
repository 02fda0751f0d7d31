// SPDX-License-Identifier: Apache-2.0
// Thread blocks and events; the reads of a tile are in gpu_reads.cpp.
#include "gpu_module.h"

#include <algorithm>

namespace tilelens
{

namespace
{

template <typename Value> uint32_t largest(const tl_load_source &source, Value tl_kernel::*member)
{
    uint32_t most = 1;
    for (uint32_t k = 0; k < source.kernel_count; k++) {
        most = std::max(most, source.kernels[k].*member);
    }
    return most;
}

} // namespace

gpu::gpu(const sc_core::sc_module_name &name, const gpu_config &config, const tl_load_source &source,
         tl_statistics &statistics, tl_trace_recorder *recorder, std::function<uint32_t(uint64_t)> slice_of)
    : sc_module(name), slices("slices", config.slices), waves("waves"), m_config(config), m_source(source),
      m_statistics(statistics), m_recorder(recorder), m_port_rate(config.port_bytes_per_clock, config.clock_khz),
      m_tma_rate(config.tma_bytes_per_clock, config.clock_khz),
      m_setup_ps(byte_rate(1, config.clock_khz).ps(config.tma_setup_clocks)), m_port_free_ps(config.sm_count),
      m_tma_free_ps(config.sm_count), m_slice_of(std::move(slice_of)), m_slices(config.slices),
      m_noc_rate(byte_rate::of_gbytes_per_s(config.noc_gbytes_per_s)), m_departures(byte_rate(1, config.clock_khz).ps(1))
{
    const uint32_t slots = largest(source, &tl_kernel::ctas_per_sm);
    const tl_sm_config sm_config = {slots, largest(source, &tl_kernel::stages)};
    tl_input_error error = {};

    m_loads = tl_tile_loads_create(&source, &config.loads, &error);
    m_scheduler = tl_cta_scheduler_create(config.sm_count, slots);
    for (uint32_t sm = 0; sm < config.sm_count; sm++) {
        m_sms.push_back(tl_sm_create(&sm_config));
    }
    for (uint32_t slice = 0; slice < config.slices; slice++) {
        slices[slice].register_nb_transport_bw(this, &gpu::nb_transport_bw, static_cast<int>(slice));
    }
    if (m_loads == nullptr || m_scheduler == nullptr || m_sms.back() == nullptr) {
        fail(m_loads == nullptr ? std::string(error.path) + ": found " + error.found + ", expected " + error.expected
                                : "too little memory");
    }
    for (uint32_t k = 0; k < source.kernel_count; k++) {
        m_cta_count += source.kernels[k].cta_count;
    }
    SC_METHOD(on_events);
    sensitive << m_wake;
    dont_initialize();
    SC_METHOD(on_departures);
    sensitive << m_depart;
    dont_initialize();
}

gpu::~gpu()
{
    for (tl_sm *sm : m_sms) {
        tl_sm_destroy(sm);
    }
    tl_cta_scheduler_destroy(m_scheduler);
    tl_tile_loads_destroy(m_loads);
}

void gpu::fail(const std::string &text)
{
    if (m_error.empty()) { // the first error is the reason; SystemC warns of a second stop
        m_error = text;
        sc_core::sc_stop();
    }
}

void gpu::start_of_simulation()
{
    if (m_error.empty() && !finished()) {
        launch();
        schedule();
    }
}

// ---- kernels and thread blocks ----

void gpu::launch()
{
    const tl_kernel &kernel = m_source.kernels[m_kernel];
    tl_tile_accesses first;
    tl_cta_scheduler_launch(m_scheduler, now_ps(), kernel.cta_count, kernel.ctas_per_sm);
    m_brought.clear();
    if (tl_tile_loads_run(m_loads, m_kernel, 0, 0, &first) == TL_OK) {
        m_pages_per_tile = first.count[TL_OPERAND_WEIGHT];
    }
    start_ctas();
}

void gpu::start_ctas()
{
    const tl_kernel &kernel = m_source.kernels[m_kernel];
    tl_cta_assignment next;
    while (tl_cta_scheduler_next(m_scheduler, now_ps(), &next)) {
        const tl_sm_cta cta = {next.cta, kernel.step_count, kernel.stages, kernel.tiles_in_flight, kernel.compute_ps};
        tl_sm_start_cta(m_sms[next.sm], next.slot_in_sm, &cta);
        push(now_ps(), cta_started, next.sm, next.slot_in_sm, 0);
    }
    waves.write({tl_cta_scheduler_active(m_scheduler), m_pages_per_tile, kernel.step_count});
}

void gpu::retire(uint32_t sm, uint32_t slot)
{
    tl_cta_scheduler_retire(m_scheduler, now_ps(), sm, slot);
    m_retired++;
    if (m_tell) {
        m_tell(m_retired, m_cta_count);
    }
    if (!tl_cta_scheduler_finished(m_scheduler)) {
        start_ctas();
        return;
    }
    m_statistics.time_ps = now_ps();
    if (++m_kernel < m_source.kernel_count) {
        launch();
    }
}

void gpu::run_sm(uint32_t sm)
{
    tl_sm_decision decision;
    while (m_error.empty() && tl_sm_decide(m_sms[sm], now_ps(), &decision)) {
        switch (decision.kind) {
        case TL_SM_ISSUE:
            issue(sm, decision);
            break;
        case TL_SM_COMPUTE:
            push(decision.end_ps, compute_ended, sm, decision.slot, decision.step);
            break;
        case TL_SM_RETIRE:
            retire(sm, decision.slot);
            break;
        }
    }
}

// ---- events ----

void gpu::push(uint64_t time_ps, event_kind kind, uint32_t sm, uint32_t slot, uint32_t step)
{
    m_events.push({time_ps, m_event_count++, kind, sm, slot, step});
    schedule();
}

void gpu::schedule()
{
    const uint64_t next = m_events.top().time_ps;
    if (next < m_wake_ps) {
        m_wake_ps = next;
        m_wake.notify(time_of(next - now_ps()));
    }
}

void gpu::on_events()
{
    m_wake_ps = 0; // pushes from inside need not schedule
    while (!m_events.empty() && m_events.top().time_ps <= now_ps() && m_error.empty()) {
        const event next = m_events.top();
        m_events.pop();
        m_statistics.events++;
        if (next.kind == tile_landed) {
            tl_sm_tile_landed(m_sms[next.sm], next.slot, next.step, now_ps());
        } else if (next.kind == compute_ended) {
            tl_sm_compute_ended(m_sms[next.sm], now_ps());
        }
        run_sm(next.sm);
    }
    m_wake_ps = TL_NEVER_PS;
    if (!m_events.empty() && m_error.empty()) {
        schedule();
    }
}

std::string gpu::waiting(unsigned lines) const
{
    std::string text;
    const uint32_t slots = largest(m_source, &tl_kernel::ctas_per_sm);
    for (uint32_t sm = 0; sm < m_config.sm_count; sm++) {
        for (uint32_t slot = 0; slot < slots; slot++) {
            tl_sm_wait wait;
            if (lines == 0 || !tl_sm_waiting(m_sms[sm], slot, &wait)) {
                continue;
            }
            lines--;
            text += "SM " + std::to_string(sm) + ", thread block " + std::to_string(wait.cta) + ", K-step " +
                    std::to_string(wait.step) + ": waits for " +
                    (wait.issued ? std::to_string(wait.missing_accesses) + " reads of its tile" : "its tile's issue") +
                    "\n";
        }
    }
    return text;
}

} // namespace tilelens
