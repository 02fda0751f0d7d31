// SPDX-License-Identifier: Apache-2.0
#include "register_window.h"

#include <algorithm>

namespace tilelens
{

using namespace tma_register;

namespace
{

// Offset of byte k of a transaction: a streaming width below the length starts over at the address.
uint64_t offset_of(const tlm::tlm_generic_payload &trans, unsigned k)
{
    return trans.get_address() + k % trans.get_streaming_width();
}

bool is_enabled(const tlm::tlm_generic_payload &trans, unsigned k)
{
    const unsigned char *enables = trans.get_byte_enable_ptr();
    return enables == nullptr || enables[k % trans.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

bool is_doorbell(uint64_t offset)
{
    return offset >= doorbell && offset < write_end;
}

bool is_command(uint32_t value)
{
    return value >= static_cast<uint32_t>(tma_doorbell::load) &&
           value <= static_cast<uint32_t>(tma_doorbell::prefetch_map);
}

} // namespace

tlm::tlm_response_status register_window::check(const tlm::tlm_generic_payload &trans) const
{
    const uint64_t begin = trans.get_address();
    const uint64_t width = std::min(trans.get_streaming_width(), trans.get_data_length());
    if (!trans.is_read() && !trans.is_write()) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    if (trans.get_byte_enable_ptr() != nullptr && trans.get_byte_enable_length() == 0) {
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
    if (width == 0) {
        return tlm::TLM_BURST_ERROR_RESPONSE;
    }
    if (begin >= read_end || width > read_end - begin) {
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    return trans.is_write() && begin + width > write_end ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

// Whether a write reaches the doorbell with a command in it: that needs room in the queue.
bool register_window::rings(const tlm::tlm_generic_payload &trans) const
{
    for (unsigned k = 0; trans.is_write() && k < trans.get_data_length(); k++) {
        if (is_enabled(trans, k) && is_doorbell(offset_of(trans, k))) {
            return true;
        }
    }
    return false;
}

bool register_window::access(tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay)
{
    tlm::tlm_response_status status = check(trans);
    if (status == tlm::TLM_OK_RESPONSE && rings(trans) && !m_owner.has_room()) {
        return false;
    }
    if (status == tlm::TLM_OK_RESPONSE) {
        const bool is_ringing = rings(trans);
        debug(trans);
        if (is_ringing && !ring(delay)) {
            status = tlm::TLM_GENERIC_ERROR_RESPONSE;
        }
    }
    trans.set_response_status(status);
    return true;
}

unsigned register_window::debug(tlm::tlm_generic_payload &trans)
{
    if (check(trans) != tlm::TLM_OK_RESPONSE) {
        return 0;
    }
    refresh();
    unsigned char *data = trans.get_data_ptr();
    for (unsigned k = 0; k < trans.get_data_length(); k++) {
        if (is_enabled(trans, k)) {
            uint8_t &byte = m_bytes[offset_of(trans, k)];
            (trans.is_write() ? byte : data[k]) = trans.is_write() ? data[k] : byte;
        }
    }
    return trans.get_data_length();
}

tma_command register_window::command(bool inline_map) const
{
    tma_command out;
    out.inline_map = inline_map;
    for (unsigned word = 0; word < TL_TENSOR_MAP_WORDS; word++) {
        out.map.word[word] = get(map + 8 * word, 8);
    }
    out.map_address = get(map_address, 8);
    out.load.shared_address = static_cast<uint32_t>(get(shared_address, 4));
    out.mbarrier_address = static_cast<uint32_t>(get(mbarrier_address, 4));
    for (unsigned d = 0; d < TL_MAX_RANK; d++) {
        out.load.coordinates[d] = static_cast<int32_t>(get(coordinates + 4 * d, 4));
    }
    return out;
}

// False: no such command.
bool register_window::ring(const sc_core::sc_time &delay)
{
    const auto value = static_cast<uint32_t>(get(doorbell, 4));
    const auto code = static_cast<tma_doorbell>(value);
    if (is_command(value)) {
        tma_command next = command(code == tma_doorbell::load_inline || code == tma_doorbell::prefetch_inline);
        next.operation = value <= static_cast<uint32_t>(tma_doorbell::load_inline) ? tma_operation::load
                         : code == tma_doorbell::prefetch_map                     ? tma_operation::prefetch_map
                                                                                  : tma_operation::prefetch;
        m_owner.issue_at(next, delay);
        return true;
    }
    switch (code) {
    case tma_doorbell::invalidate_map:
        m_owner.invalidate_map(get(map_address, 8));
        return true;
    case tma_doorbell::invalidate_all_maps:
        m_owner.invalidate_all_maps();
        return true;
    case tma_doorbell::clear_fault:
        m_fault = {};
        return true;
    default:
        return false;
    }
}

void register_window::note(const tma_completion &completion)
{
    if (m_fault.fault == tma_fault::none) {
        m_fault = completion;
    }
}

void register_window::refresh()
{
    set(issued, 8, m_owner.issued());
    set(completed, 8, m_owner.completed());
    set(failed, 8, m_owner.counters().failed);
    set(queue_free, 4, m_owner.queue_free());
    set(fault, 4, static_cast<uint64_t>(m_fault.fault));
    set(fault_status, 4, static_cast<uint64_t>(m_fault.status));
    set(fault_response, 4, static_cast<uint64_t>(m_fault.response));
    set(fault_address, 8, m_fault.address);
    set(fault_ticket, 8, m_fault.ticket);
}

uint64_t register_window::get(uint64_t offset, unsigned bytes) const
{
    uint64_t value = 0;
    for (unsigned k = 0; k < bytes; k++) {
        value |= static_cast<uint64_t>(m_bytes[offset + k]) << (8 * k);
    }
    return value;
}

void register_window::set(uint64_t offset, unsigned bytes, uint64_t value)
{
    for (unsigned k = 0; k < bytes; k++) {
        m_bytes[offset + k] = static_cast<uint8_t>(value >> (8 * k));
    }
}

} // namespace tilelens
