// SPDX-License-Identifier: Apache-2.0
#include "prefetch_module.h"

#include "../tlm/sim_time.h"

namespace tilelens
{

prefetcher::prefetcher(const sc_core::sc_module_name &name, const tl_prefetcher_config &config,
                       const tl_degree_config &degree)
    : sc_module(name), socket("socket"), pages(*this), waves(*this), m_degree_config(degree),
      m_prefetcher(tl_prefetcher_create(&config))
{
    if (m_prefetcher == nullptr) {
        SC_REPORT_FATAL("tilelens/prefetcher", "tensors overlap, are misaligned, or memory is short");
    }
}

prefetcher::~prefetcher()
{
    tl_prefetcher_destroy(m_prefetcher);
}

void prefetcher::on_wave(const wave_event &event)
{
    m_degree = tl_degree_of(&m_degree_config, event.active_ctas, event.pages_per_tile, event.k_steps);
}

void prefetcher::on_page(const page_event &event)
{
    switch (event.kind) {
    case page_event::demand:
        on_demand(event);
        break;
    case page_event::filled:
        on_filled(event.address);
        break;
    case page_event::evicted:
        tl_prefetcher_evicted(m_prefetcher, event.address, event.tier);
        break;
    }
}

void prefetcher::on_demand(const page_event &event)
{
    const tl_prefetch_met met = tl_prefetcher_demand(m_prefetcher, event.address, event.outcome, m_degree);
    if (met == TL_MET_NEAR_IN_FLIGHT || met == TL_MET_FAR_IN_FLIGHT) {
        late_demands &late = m_late[event.address];
        late.count++;
        late.demanded_ps += now_ps();
    }
    tl_prefetch prefetch;
    while (tl_prefetcher_next(m_prefetcher, &prefetch)) {
        request(prefetch);
    }
}

void prefetcher::on_filled(uint64_t address)
{
    tl_prefetcher_filled(m_prefetcher, address);
    const auto late = m_late.empty() ? m_late.end() : m_late.find(address);
    if (late != m_late.end()) {
        m_late_ps += late->second.count * now_ps() - late->second.demanded_ps;
        m_late.erase(late);
    }
}

void prefetcher::request(const tl_prefetch &prefetch)
{
    info_payload &trans = m_payloads.take();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;

    trans.set_command(tlm::TLM_IGNORE_COMMAND);
    trans.set_address(prefetch.page_address);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.info.mem_class = prefetch.mem_class;
    socket->nb_transport_fw(trans, phase, delay);
    if (!trans.is_response_ok()) {
        tl_prefetcher_drop(m_prefetcher, &prefetch);
    }
    trans.release();
}

} // namespace tilelens
