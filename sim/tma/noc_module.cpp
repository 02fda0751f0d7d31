// SPDX-License-Identifier: Apache-2.0
#include "noc_module.h"

#include <algorithm>
#include <utility>

namespace tilelens
{

namespace
{

double ticks_per_byte(double gbytes_per_s)
{
    const double ticks_per_ns = sc_core::sc_time(1, sc_core::SC_NS) / sc_core::sc_get_time_resolution();
    return gbytes_per_s > 0 ? ticks_per_ns / gbytes_per_s : 0;
}

} // namespace

noc::noc(const sc_core::sc_module_name &name, const noc_config &config, std::function<uint32_t(uint64_t)> slice_of)
    : sc_module(name), targets("targets", config.initiators), slices("slices", config.slices),
      m_route(std::move(slice_of)), m_half_latency(config.latency / 2),
      m_ticks_per_byte(ticks_per_byte(config.gbytes_per_s)),
      m_requests(config.slices), m_responses(config.initiators)
{
    for (unsigned n = 0; n < targets.size(); n++) {
        targets[n].register_nb_transport_fw(this, &noc::nb_transport_fw, static_cast<int>(n));
        targets[n].register_b_transport(this, &noc::b_transport, static_cast<int>(n));
        targets[n].register_transport_dbg(this, &noc::transport_dbg, static_cast<int>(n));
    }
    for (unsigned n = 0; n < slices.size(); n++) {
        slices[n].register_nb_transport_bw(this, &noc::nb_transport_bw, static_cast<int>(n));
    }
    SC_METHOD(on_arrivals);
    sensitive << m_wake;
    dont_initialize();
}

void noc::b_transport(int, payload &trans, sc_core::sc_time &delay)
{
    delay += m_half_latency;
    slices[m_route(trans.get_address())]->b_transport(trans, delay);
    delay += m_half_latency;
}

unsigned noc::transport_dbg(int, payload &trans)
{
    return slices[m_route(trans.get_address())]->transport_dbg(trans);
}

// ---- from and to the initiators ----

tlm::tlm_sync_enum noc::nb_transport_fw(int initiator, payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    const auto number = static_cast<uint32_t>(initiator);
    if (phase == tlm::BEGIN_REQ) {
        trans.acquire();
        m_routes[&trans] = {number, m_route(trans.get_address())};
        arrive(trans, delay + m_half_latency, false);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    if (phase == tlm::END_RESP) {
        response_ended(number);
        return tlm::TLM_COMPLETED;
    }
    const auto found = m_routes.find(&trans); // an ignorable phase
    return found == m_routes.end() ? tlm::TLM_ACCEPTED
                                   : slices[found->second.slice]->nb_transport_fw(trans, phase, delay);
}

void noc::send_response(uint32_t initiator)
{
    port &at = m_responses[initiator];
    while (at.busy == nullptr && !at.waiting.empty()) {
        payload &trans = *at.waiting.front();
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        at.waiting.pop_front();
        at.busy = &trans;
        m_routes.erase(&trans);
        const tlm::tlm_sync_enum result = targets[initiator]->nb_transport_bw(trans, phase, delay);
        if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
            at.busy = nullptr;
        }
        trans.release();
    }
}

void noc::response_ended(uint32_t initiator)
{
    m_responses[initiator].busy = nullptr;
    m_free_initiators.push_back(initiator);
    m_wake.notify(sc_core::SC_ZERO_TIME);
}

// ---- to and from the slices ----

void noc::send_request(uint32_t slice)
{
    port &at = m_requests[slice];
    while (at.busy == nullptr && !at.waiting.empty()) {
        payload &trans = *at.waiting.front();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        at.waiting.pop_front();
        at.busy = &trans;
        const tlm::tlm_sync_enum result = slices[slice]->nb_transport_fw(trans, phase, delay);
        if (result == tlm::TLM_ACCEPTED) {
            continue;
        }
        at.busy = nullptr;
        if (result == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
            continue;
        }
        leave_slice(trans, delay);
        if (result == tlm::TLM_UPDATED) { // BEGIN_RESP by return: its end has to be called
            phase = tlm::END_RESP;
            slices[slice]->nb_transport_fw(trans, phase, delay);
        }
    }
}

tlm::tlm_sync_enum noc::nb_transport_bw(int tag, payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    const auto slice = static_cast<uint32_t>(tag);
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
        return tlm::TLM_ACCEPTED;
    }
    if (m_requests[slice].busy == &trans) {
        m_requests[slice].busy = nullptr;
        m_free_slices.push_back(slice);
        m_wake.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase == tlm::END_REQ) {
        return tlm::TLM_ACCEPTED;
    }
    leave_slice(trans, delay);
    return tlm::TLM_COMPLETED;
}

// A response on its way back, over what the slices share.
void noc::leave_slice(payload &trans, const sc_core::sc_time &delay)
{
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const auto begins = std::max(static_cast<double>((now + delay).value()), m_free_at);
    m_free_at = begins + m_ticks_per_byte * trans.get_data_length();
    arrive(trans, sc_core::sc_time::from_value(static_cast<uint64_t>(begins)) - now + m_half_latency, true);
}

// ---- the way between ----

void noc::arrive(payload &trans, const sc_core::sc_time &delay, bool is_response)
{
    m_arrivals.push({(sc_core::sc_time_stamp() + delay).value(), m_count++, &trans, is_response});
    m_wake.notify(delay);
}

void noc::on_arrivals()
{
    const uint64_t now = sc_core::sc_time_stamp().value();
    for (const uint32_t initiator : std::exchange(m_free_initiators, {})) {
        send_response(initiator);
    }
    for (const uint32_t slice : std::exchange(m_free_slices, {})) {
        send_request(slice);
    }
    while (!m_arrivals.empty() && m_arrivals.top().time <= now) {
        const arrival next = m_arrivals.top();
        m_arrivals.pop();
        const route at = m_routes.at(next.trans);
        if (next.is_response) {
            m_responses[at.initiator].waiting.push_back(next.trans);
            send_response(at.initiator);
        } else {
            m_requests[at.slice].waiting.push_back(next.trans);
            send_request(at.slice);
        }
    }
    if (!m_arrivals.empty()) {
        m_wake.notify(sc_core::sc_time::from_value(m_arrivals.top().time - now));
    }
}

} // namespace tilelens
