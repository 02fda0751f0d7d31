// SPDX-License-Identifier: Apache-2.0
// The reads of a tile: from the golden model to the sockets, and their arrivals.
#include "gpu_module.h"

#include <algorithm>

#include "../memory/hash.h"

namespace tilelens
{

void gpu::issue(uint32_t sm, const tl_sm_decision &decision)
{
    const uint64_t now = now_ps();
    tl_tile_accesses tile;
    const tl_status status = tl_tile_loads_run(m_loads, m_kernel, decision.cta, decision.step, &tile);
    if (status != TL_OK) {
        fail("thread block " + std::to_string(decision.cta) + ", K-step " + std::to_string(decision.step) +
             ": found a load that the TMA refuses (" + tl_status_str(status) + "), expected a legal one");
        return;
    }
    if (m_recorder != nullptr) {
        uint32_t count;
        const tl_tile_load *loads = tl_tile_loads_last(m_loads, &count);
        tl_trace_record_tile(m_recorder, m_kernel, decision.cta, decision.step, loads, count);
    }
    const uint32_t weights = tile.count[TL_OPERAND_WEIGHT], activations = tile.count[TL_OPERAND_ACTIVATION];
    const bool resident = activations > 1 && brought_before(tile);
    const uint32_t reads = weights + (resident ? 1 : activations);

    m_statistics.tiles.issued++;
    m_statistics.tiles.accesses += weights;
    m_statistics.bytes.weights_asked += tile.useful_bytes[TL_OPERAND_WEIGHT];
    m_statistics.bytes.tma_asked += tile.useful_bytes[TL_OPERAND_WEIGHT] + tile.useful_bytes[TL_OPERAND_ACTIVATION];
    if (tl_sm_tile_issued(m_sms[sm], decision.slot, decision.step, now, reads)) {
        m_statistics.tiles.delivered++;
        return;
    }
    m_tma_free_ps[sm] = std::max(m_tma_free_ps[sm], now + m_setup_ps);
    const tile_name name = {decision.step, static_cast<uint16_t>(sm), static_cast<uint8_t>(decision.slot)};
    send_reads(tile, TL_OPERAND_ACTIVATION, resident, name);
    send_reads(tile, TL_OPERAND_WEIGHT, false, name);
}

// Whether a tile with just these activations was read before in this kernel.
bool gpu::brought_before(const tl_tile_accesses &tile)
{
    uint64_t hash = 0;
    for (uint32_t n = 0; n < tile.count[TL_OPERAND_ACTIVATION]; n++) {
        const tl_tile_access &access = tile.accesses[TL_OPERAND_ACTIVATION][n];
        hash = tl_mix64(hash ^ access.address) + access.bytes;
    }
    return !m_brought.insert(hash).second;
}

void gpu::send_reads(const tl_tile_accesses &tile, tl_operand operand, bool resident, const tile_name &name)
{
    const uint32_t count = tile.count[operand];
    const tl_tile_access *accesses = tile.accesses[operand];
    const uint64_t now = now_ps();
    if (resident) {
        const auto bytes = static_cast<uint32_t>(tile.useful_bytes[operand]);
        plan_read({accesses[0].address, bytes, bytes}, operand, true, name, now);
    } else {
        for (uint32_t n = 0; n < count; n++) {
            plan_read(accesses[n], operand, false, name, now);
        }
    }
    schedule_departures();
}

// ---- the network ----

// The read leaves the TMA when those before it have left.
void gpu::plan_read(const tl_tile_access &access, tl_operand operand, bool resident, const tile_name &name,
                    uint64_t now)
{
    const uint64_t leaves_ps = m_tma_free_ps[name.sm];
    m_tma_free_ps[name.sm] += m_tma_rate.ps(access.useful_bytes);
    m_departures.push(now, leaves_ps,
                      {access.address, leaves_ps + m_config.noc_latency_ps / 2, access.bytes, access.useful_bytes, name,
                       operand == TL_OPERAND_WEIGHT, resident});
}

void gpu::depart_by(uint64_t time_ps)
{
    if (time_ps < m_depart_ps) {
        m_depart_ps = time_ps;
        m_depart.notify(time_of(time_ps - now_ps()));
    }
}

void gpu::schedule_departures()
{
    if (!m_departures.empty()) {
        depart_by(m_departures.next_ps());
    }
}

void gpu::on_departures()
{
    const uint64_t now = now_ps();
    pending_read pending;
    for (size_t n = 0; n < m_freed_slices.size(); n++) { // it may grow on the way
        send_waiting(m_freed_slices[n], now);
    }
    m_freed_slices.clear();
    while (m_departures.pop(now, pending)) {
        const uint32_t slice = m_slice_of(pending.address);
        slice_port &port = m_slices[slice];
        if (port.in_request == nullptr && port.waiting.empty()) {
            send_read(slice, pending, now);
        } else {
            port.waiting.push_back(pending);
        }
    }
    m_depart_ps = TL_NEVER_PS;
    schedule_departures();
}

void gpu::send_read(uint32_t slice, const pending_read &pending, uint64_t now)
{
    static unsigned char no_data[TL_MERGER_MAX_UNIT_BYTES]; // timing alone is modelled
    read &trans = m_reads.take();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = time_of(std::max(pending.at_slice_ps, now) - now);

    trans.tile = pending.tile;
    trans.weight = pending.weight;
    trans.info.useful_bytes = pending.useful_bytes;
    trans.info.resident = pending.resident;
    trans.set_read();
    trans.set_address(pending.address);
    trans.set_data_ptr(no_data);
    trans.set_data_length(pending.bytes);
    trans.set_streaming_width(pending.bytes);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    m_slices[slice].in_request = &trans;
    if (slices[slice]->nb_transport_fw(trans, phase, delay) == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
        m_slices[slice].in_request = nullptr;
    }
}

// No nb_transport_fw may come out of nb_transport_bw: the next request goes in a process.
void gpu::request_ended(uint32_t slice)
{
    m_slices[slice].in_request = nullptr;
    if (m_slices[slice].waiting.empty()) {
        return;
    }
    m_freed_slices.push_back(slice);
    depart_by(m_departures.edge_ps(now_ps()));
}

void gpu::send_waiting(uint32_t slice, uint64_t now)
{
    slice_port &port = m_slices[slice];
    while (port.in_request == nullptr && !port.waiting.empty()) {
        const pending_read next = port.waiting.front();
        port.waiting.pop_front();
        send_read(slice, next, now);
    }
}

tlm::tlm_sync_enum gpu::nb_transport_bw(int tag, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                        sc_core::sc_time &delay)
{
    const auto slice = static_cast<uint32_t>(tag);
    const bool ends_request = m_slices[slice].in_request == &trans;
    if (phase == tlm::BEGIN_RESP) {
        arrived(static_cast<read &>(trans), now_ps() + delay.value() + m_config.noc_latency_ps / 2);
    }
    if (ends_request) {
        request_ended(slice);
    }
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

// The useful bytes pass the SM's port from at_ps on; responses come in the order of their time.
void gpu::arrived(read &trans, uint64_t at_ps)
{
    const uint64_t useful = trans.info.useful_bytes;
    const tile_name tile = trans.tile;
    if (trans.is_response_error()) {
        fail("address " + std::to_string(trans.get_address()) + ": found " + trans.get_response_string() +
             ", expected a read that the memory system can serve");
    }
    if (m_noc_rate.limited()) {
        at_ps = std::max(at_ps, m_noc_free_ps);
        m_noc_free_ps = at_ps + m_noc_rate.ps(useful);
    }
    const uint64_t done_ps = std::max(at_ps, m_port_free_ps[tile.sm]) + m_port_rate.ps(useful);
    tl_tile_times times;

    m_port_free_ps[tile.sm] = done_ps;
    m_statistics.bytes.tma_delivered += useful;
    if (trans.weight) {
        tl_statistics_useful(&m_statistics, done_ps, useful);
    }
    if (tl_sm_access_arrived(m_sms[tile.sm], tile.slot, tile.step, trans.weight, done_ps, &times)) {
        tl_statistics_tile(&m_statistics, times.issue_ps, times.first_arrival_ps, times.last_arrival_ps);
        tl_statistics_tile_weights(&m_statistics, times.issue_ps, times.first_weight_ps, times.last_weight_ps);
        push(done_ps, tile_landed, tile.sm, tile.slot, tile.step);
    }
    trans.release();
}

} // namespace tilelens
