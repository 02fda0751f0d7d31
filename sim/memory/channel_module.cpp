// SPDX-License-Identifier: Apache-2.0
#include "channel_module.h"

#include "../tlm/sim_time.h"

namespace tilelens
{

namespace
{

// What the base protocol allows and a channel does not do.
tlm::tlm_response_status unsupported(const tlm::tlm_generic_payload &trans)
{
    if (!trans.is_read() && !trans.is_write()) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    if (trans.get_byte_enable_ptr() != nullptr) {
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
    return trans.get_streaming_width() < trans.get_data_length() ? tlm::TLM_BURST_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status response_to(tl_mem_status status)
{
    switch (status) {
    case TL_MEM_OK:
    case TL_MEM_FULL:
        return tlm::TLM_OK_RESPONSE;
    case TL_MEM_BAD_SIZE:
        return tlm::TLM_BURST_ERROR_RESPONSE;
    default:
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
}

} // namespace

memory_channel::memory_channel(const sc_core::sc_module_name &name, std::unique_ptr<channel_model> model,
                               sparse_memory *contents, channel_timer *timer)
    : sc_module(name), socket("socket"), m_model(std::move(model)), m_contents(contents), m_timer(timer),
      m_annotated(this, &memory_channel::on_annotated)
{
    socket.register_nb_transport_fw(this, &memory_channel::nb_transport_fw);
    SC_METHOD(on_wake);
    sensitive << m_wake;
    dont_initialize();
}

void memory_channel::settle()
{
    m_model->advance(now_ps());
}

tlm::tlm_sync_enum memory_channel::nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                                   sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ) {
        trans.acquire();
    }
    if (delay != sc_core::SC_ZERO_TIME) {
        m_annotated.notify(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::BEGIN_REQ) {
        return begin_request(trans, phase);
    }
    if (phase == tlm::END_RESP) {
        m_responses.end_response(socket, trans);
        return tlm::TLM_COMPLETED;
    }
    if (phase == promote && m_model->promote(now_ps(), reinterpret_cast<uint64_t>(&trans))) {
        schedule(now_ps());
    }
    return tlm::TLM_ACCEPTED;
}

// A phase whose annotated delay has passed, or the response of refuse().
void memory_channel::on_annotated(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase)
{
    tlm::tlm_phase next = phase;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    if (phase == tlm::BEGIN_RESP) {
        m_responses.respond(socket, trans, none);
    } else if (phase != tlm::BEGIN_REQ) {
        nb_transport_fw(trans, next, none);
    } else if (begin_request(trans, next) == tlm::TLM_UPDATED) {
        socket->nb_transport_bw(trans, next, none);
    }
}

tl_mem_request memory_channel::request_of(tlm::tlm_generic_payload &trans)
{
    const memory_info *info = m_info_of(trans);
    return {reinterpret_cast<uint64_t>(&trans), trans.get_address(), trans.get_data_length(), trans.is_write(),
            info != nullptr ? info->mem_class : TL_MEM_DEMAND};
}

tlm::tlm_sync_enum memory_channel::begin_request(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase)
{
    const uint64_t now = now_ps();
    const tl_mem_request request = request_of(trans);
    tlm::tlm_response_status status = unsupported(trans);

    if (status == tlm::TLM_OK_RESPONSE) {
        if (accept(now, trans, request)) {
            schedule(now);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        status = response_to(m_model->admit(now, request));
    }
    if (status == tlm::TLM_OK_RESPONSE) {
        m_held = &trans;
    } else {
        refuse(trans, status);
    }
    return tlm::TLM_ACCEPTED;
}

// False: the channel is full or refuses.
bool memory_channel::accept(uint64_t now, tlm::tlm_generic_payload &trans, const tl_mem_request &request)
{
    const bool accepted = m_model->push(now, request);
    if (accepted && m_contents != nullptr) {
        m_contents->perform(trans);
    }
    return accepted;
}

// A response that begins in the next delta cycle; it implies END_REQ.
void memory_channel::refuse(tlm::tlm_generic_payload &trans, tlm::tlm_response_status status)
{
    trans.set_response_status(status);
    m_annotated.notify(trans, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
}

void memory_channel::admit_held(uint64_t now)
{
    if (m_held == nullptr || !accept(now, *m_held, request_of(*m_held))) {
        return;
    }
    tlm::tlm_generic_payload &trans = *m_held;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    m_held = nullptr;
    socket->nb_transport_bw(trans, phase, delay);
}

void memory_channel::schedule(uint64_t now)
{
    const uint64_t next = m_model->next_ps();
    if (next >= m_wake_ps) {
        return;
    }
    if (m_timer == nullptr) {
        m_wake_ps = next;
        m_wake.notify(time_of(next - now));
    } else if (const uint64_t edge = m_timer->edge_ps(next); edge < m_wake_ps) {
        m_wake_ps = edge;
        m_timer->wake(*this, now, edge);
    }
}

void memory_channel::on_wake()
{
    answer(now_ps());
}

// Another edge than the latest that was asked for: an earlier one has taken its place.
void memory_channel::on_edge(uint64_t now)
{
    if (m_wake_ps == now) {
        answer(now);
    }
}

void memory_channel::answer(uint64_t now)
{
    tl_mem_completion completion;
    m_wakeups++;
    m_wake_ps = 0; // pushes from inside the responses need not schedule
    while (m_model->pop(now, completion)) {
        auto &trans = *reinterpret_cast<tlm::tlm_generic_payload *>(completion.tag);
        prefetch_payload(&trans);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        admit_held(now);
        m_responses.respond(socket, trans, sc_core::SC_ZERO_TIME);
    }
    m_wake_ps = TL_NEVER_PS;
    schedule(now);
}

} // namespace tilelens
