// SPDX-License-Identifier: Apache-2.0
#include "noc_module.h"

#include <algorithm>

#include "../tlm/memory_info.h"

namespace tilelens
{

namespace
{

sc_core::sc_time from_now(const sc_core::sc_time &due)
{
    return std::max(due, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
}

} // namespace

noc::noc(const sc_core::sc_module_name &name, const noc_config &config, std::function<uint32_t(uint64_t)> route)
    : sc_module(name), targets("targets", config.initiators), initiators("initiators", config.slices),
      m_route(std::move(route)), m_half_latency(time_of(config.latency_ps / 2)),
      m_rate(byte_rate::of_gbytes_per_s(config.gbytes_per_s)), m_requests(config.slices),
      m_responses(config.initiators)
{
    for (unsigned n = 0; n < targets.size(); n++) {
        targets[n].register_nb_transport_fw(this, &noc::nb_transport_fw, static_cast<int>(n));
    }
    for (unsigned n = 0; n < initiators.size(); n++) {
        initiators[n].register_nb_transport_bw(this, &noc::nb_transport_bw, static_cast<int>(n));
    }
}

void noc::attach(tlm::tlm_generic_payload &trans, uint32_t initiator)
{
    if (m_free_origins.empty()) {
        m_free_origins.push_back(&m_origins.emplace_back());
    }
    origin *from = m_free_origins.back();
    m_free_origins.pop_back();
    from->initiator = initiator;
    from->slice = m_route(trans.get_address());
    trans.set_extension(from);
}

void noc::detach(tlm::tlm_generic_payload &trans)
{
    m_free_origins.push_back(trans.get_extension<origin>());
    trans.clear_extension<origin>();
}

tlm::tlm_sync_enum noc::nb_transport_fw(int initiator, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                        sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ) {
        attach(trans, static_cast<uint32_t>(initiator));
        delay += m_half_latency;
        exclusion &requests = m_requests[trans.get_extension<origin>()->slice];
        if (requests.busy != nullptr) {
            requests.waiting.push_back({&trans, sc_core::sc_time_stamp() + delay});
            return tlm::TLM_ACCEPTED;
        }
        return forward(trans, phase, delay);
    }
    if (phase == tlm::END_RESP) {
        const uint32_t slice = trans.get_extension<origin>()->slice;
        detach(trans);
        m_responses[static_cast<size_t>(initiator)].busy = nullptr;
        const tlm::tlm_sync_enum result = initiators[slice]->nb_transport_fw(trans, phase, delay);
        response_ended(static_cast<uint32_t>(initiator));
        return result;
    }
    const origin *from = trans.get_extension<origin>();
    return from == nullptr ? tlm::TLM_ACCEPTED : initiators[from->slice]->nb_transport_fw(trans, phase, delay);
}

// BEGIN_REQ to the slice; its answer is that of the initiator's call, or goes back to it.
tlm::tlm_sync_enum noc::forward(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    const origin from = *trans.get_extension<origin>();
    exclusion &requests = m_requests[from.slice];

    requests.busy = &trans;
    const tlm::tlm_sync_enum result = initiators[from.slice]->nb_transport_fw(trans, phase, delay);
    if (result == tlm::TLM_ACCEPTED) {
        return result;
    }
    requests.busy = nullptr;
    if (result == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) {
        delay_response(trans, delay);
    }
    if (result == tlm::TLM_COMPLETED) {
        detach(trans);
    } else if (phase == tlm::BEGIN_RESP) {
        m_responses[from.initiator].busy = &trans;
    }
    return result;
}

void noc::request_ended(uint32_t slice)
{
    exclusion &requests = m_requests[slice];
    requests.busy = nullptr;
    while (requests.busy == nullptr && !requests.waiting.empty()) {
        const held next = requests.waiting.front();
        const uint32_t initiator = next.trans->get_extension<origin>()->initiator;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = from_now(next.due);
        requests.waiting.pop_front();
        if (forward(*next.trans, phase, delay) == tlm::TLM_UPDATED) {
            targets[initiator]->nb_transport_bw(*next.trans, phase, delay);
        }
    }
}

tlm::tlm_sync_enum noc::nb_transport_bw(int tag, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                        sc_core::sc_time &delay)
{
    const auto slice = static_cast<uint32_t>(tag);
    const uint32_t initiator = trans.get_extension<origin>()->initiator;
    const bool ends_request = m_requests[slice].busy == &trans; // END_REQ, or a response that implies it
    tlm::tlm_sync_enum result = tlm::TLM_ACCEPTED;

    if (phase == tlm::BEGIN_RESP) {
        delay_response(trans, delay);
        exclusion &responses = m_responses[initiator];
        if (responses.busy == nullptr) {
            result = respond(trans, phase, delay);
        } else {
            responses.waiting.push_back({&trans, sc_core::sc_time_stamp() + delay});
        }
    } else {
        result = targets[initiator]->nb_transport_bw(trans, phase, delay);
    }
    if (ends_request) {
        request_ended(slice);
    }
    return result;
}

tlm::tlm_sync_enum noc::respond(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    const uint32_t initiator = trans.get_extension<origin>()->initiator;
    m_responses[initiator].busy = &trans;
    const tlm::tlm_sync_enum result = targets[initiator]->nb_transport_bw(trans, phase, delay);
    if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
        m_responses[initiator].busy = nullptr;
        detach(trans);
    }
    return result;
}

void noc::response_ended(uint32_t initiator)
{
    exclusion &responses = m_responses[initiator];
    while (responses.busy == nullptr && !responses.waiting.empty()) {
        const held next = responses.waiting.front();
        const uint32_t slice = next.trans->get_extension<origin>()->slice;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = from_now(next.due);
        responses.waiting.pop_front();
        const tlm::tlm_sync_enum result = respond(*next.trans, phase, delay);
        if (result != tlm::TLM_ACCEPTED) {
            phase = tlm::END_RESP;
            initiators[slice]->nb_transport_fw(*next.trans, phase, delay);
        }
    }
}

void noc::delay_response(const tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
{
    if (m_rate.limited()) {
        const uint64_t now = now_ps();
        const uint64_t leaves = std::max<uint64_t>(now + delay.value(), m_free_ps);
        m_free_ps = leaves + m_rate.ps(useful_bytes_of(trans));
        delay = time_of(leaves - now);
    }
    delay += m_half_latency;
}

} // namespace tilelens
