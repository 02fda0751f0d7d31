// SPDX-License-Identifier: Apache-2.0
// Tensor maps by address: those that were read, and those that are on their way.
//
// Invalidation (fence.proxy.tensormap) forgets a map: whoever looks for it afterwards reads it anew, while those who
// wait for a read that is on its way still get that one.
#ifndef TILELENS_SIM_TMA_MAP_CACHE_H
#define TILELENS_SIM_TMA_MAP_CACHE_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <tlm>

#include "initiator_port.h"
#include "tilelens/tensor_map.h"

namespace tilelens
{

struct map_entry {
    uint64_t address = 0;
    uint8_t bytes[sizeof(tl_tensor_map)] = {};
    uint32_t reads_open = 0; // not 0: on its way
    bool valid = true;       // false: forgotten, or in error; found by nobody
    tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE; // the first error in address order
    uint64_t error_address = 0;

    // What one of its reads has brought.
    void take(const port_payload &read)
    {
        if (read.is_response_ok()) {
            std::memcpy(bytes + (read.sent_address - address), read.get_data_ptr(), read.get_data_length());
        } else if (response == tlm::TLM_OK_RESPONSE || read.sent_address < error_address) {
            valid = false;
            response = read.get_response_status();
            error_address = read.sent_address;
        }
    }
};

// Calls read(address, bytes) for each read that a map takes. The last address is followed by 0.
template <typename Read> void cut_map(uint64_t address, uint32_t access_bytes, Read read)
{
    for (uint32_t done = 0, bytes; done < sizeof(tl_tensor_map); done += bytes) {
        const uint64_t at = address + done;
        bytes = std::min<uint32_t>(sizeof(tl_tensor_map) - done, access_bytes - static_cast<uint32_t>(at % access_bytes));
        read(at, bytes);
    }
}

// Little-endian bytes -> words.
inline tl_tensor_map map_of_bytes(const uint8_t *bytes)
{
    tl_tensor_map map{};
    for (unsigned k = 0; k < sizeof map; k++) {
        map.word[k / 8] |= static_cast<uint64_t>(bytes[k]) << (k % 8 * 8);
    }
    return map;
}

class map_cache
{
public:
    explicit map_cache(uint32_t entries) : m_entries(entries) {}

    // The entry of an address, new with `reads_open` 0 and no bytes where `is_new` comes back true.
    std::shared_ptr<map_entry> find(uint64_t address, bool &is_new)
    {
        const auto found = std::find_if(m_list.begin(), m_list.end(), [=](const auto &entry) {
            return entry->address == address && entry->valid;
        });
        is_new = found == m_list.end();
        if (is_new) {
            m_list.remove_if([](const auto &entry) { return !entry->valid; });
            m_list.push_front(std::make_shared<map_entry>());
            m_list.front()->address = address;
            if (m_list.size() > m_entries) {
                m_list.pop_back();
            }
        } else {
            m_list.splice(m_list.begin(), m_list, found);
        }
        return m_list.front();
    }

    void forget(uint64_t address)
    {
        for (const auto &entry : m_list) {
            entry->valid = entry->valid && entry->address != address;
        }
    }
    void forget_all()
    {
        for (const auto &entry : m_list) {
            entry->valid = false;
        }
    }

private:
    const uint32_t m_entries;
    std::list<std::shared_ptr<map_entry>> m_list; // the most recently used one first
};

} // namespace tilelens
#endif
