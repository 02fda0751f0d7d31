// SPDX-License-Identifier: Apache-2.0
#include "sram_module.h"

#include "../tlm/sim_time.h"

namespace tilelens
{

sram_buffer::sram_buffer(const sc_core::sc_module_name &name, const sram_buffer_config &config)
    : sc_module(name), targets("targets", config.channels), initiators("initiators", config.channels),
      evictions("evictions"), m_config(config), m_sram(tl_sram_create(&config.sram)), m_responses(config.channels),
      m_served(this, &sram_buffer::on_served)
{
    for (unsigned channel = 0; channel < config.channels; channel++) {
        const int tag = static_cast<int>(channel);
        targets[channel].register_nb_transport_fw(this, &sram_buffer::nb_transport_fw, tag);
        initiators[channel].register_nb_transport_bw(this, &sram_buffer::nb_transport_bw, tag);
    }
}

sram_buffer::~sram_buffer()
{
    tl_sram_destroy(m_sram);
}

uint64_t sram_buffer::memory_address(unsigned channel, uint64_t local_address) const
{
    const tl_location location = {m_config.first_channel + channel, local_address};
    uint64_t address = 0;
    tl_address_map_address(m_config.map, &location, &address);
    return address;
}

tlm::tlm_sync_enum sram_buffer::nb_transport_fw(int tag, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                                sc_core::sc_time &delay)
{
    const auto channel = static_cast<unsigned>(tag);
    if (phase == tlm::END_RESP) {
        m_responses[channel].end_response(targets[channel], trans);
        return tlm::TLM_COMPLETED;
    }
    if (phase == tlm::BEGIN_REQ && trans.is_read() &&
        tl_sram_lookup(m_sram, memory_address(channel, trans.get_address()))) {
        serve(channel, trans, delay);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    if (phase != tlm::BEGIN_REQ && m_in_service.count(&trans) != 0) {
        return tlm::TLM_ACCEPTED; // of no use to a page that is on its way
    }
    return initiators[channel]->nb_transport_fw(trans, phase, delay);
}

// The page leaves the SRAM when its latency has passed and the channel's bus is free.
void sram_buffer::serve(unsigned channel, tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay)
{
    const uint64_t now = now_ps();
    const uint64_t ready = now + delay.value() + m_config.sram.hit_latency_ps;
    const uint64_t start = tl_bus_reserve(m_config.buses[channel], ready, m_config.transfer_ps);

    trans.acquire();
    if (memory_info *info = m_info_of(trans)) {
        info->from_buffer = true;
    }
    m_in_service.emplace(&trans, channel);
    m_served.notify(trans, tlm::BEGIN_RESP, time_of(start + m_config.transfer_ps - now));
}

void sram_buffer::on_served(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &)
{
    const auto served = m_in_service.find(&trans);
    const unsigned channel = served->second;
    m_in_service.erase(served);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    m_responses[channel].respond(targets[channel], trans, sc_core::SC_ZERO_TIME);
}

// A channel's response ends here and goes on in turn with those of the SRAM.
tlm::tlm_sync_enum sram_buffer::nb_transport_bw(int tag, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                                sc_core::sc_time &delay)
{
    const auto channel = static_cast<unsigned>(tag);
    if (phase != tlm::BEGIN_RESP) {
        return targets[channel]->nb_transport_bw(trans, phase, delay);
    }
    const memory_info *info = m_info_of(trans);
    if (info != nullptr && info->mem_class == TL_MEM_PREFETCH_FAR && trans.is_response_ok()) {
        keep(memory_address(channel, trans.get_address()));
    }
    trans.acquire();
    m_responses[channel].respond(targets[channel], trans, delay);
    return tlm::TLM_COMPLETED;
}

void sram_buffer::keep(uint64_t address)
{
    uint64_t evicted;
    if (tl_sram_fill(m_sram, address, TL_MEM_PREFETCH_FAR, &evicted) && evicted != TL_SRAM_NO_ADDRESS) {
        evictions.write({page_event::evicted, m_config.base_address + evicted, TL_DEMAND_MISS, TL_TIER_BUFFER});
    }
}

} // namespace tilelens
