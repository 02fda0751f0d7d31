// SPDX-License-Identifier: Apache-2.0
// Memories for a TMA under test: a global one in which every byte is a function of its address, and a shared one that
// counts the writes of each byte. Both can be told to fail where their hash says so.
#ifndef TILELENS_SIM_TESTS_TMA_MEMORIES_H
#define TILELENS_SIM_TESTS_TMA_MEMORIES_H

#include <array>
#include <cstring>
#include <map>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "../memory/hash.h"
#include "../tma/tma_types.h"

namespace tilelens
{

// Little-endian words.
inline std::array<uint8_t, sizeof(tl_tensor_map)> bytes_of_map(const tl_tensor_map &map)
{
    std::array<uint8_t, sizeof(tl_tensor_map)> bytes;
    for (unsigned k = 0; k < bytes.size(); k++) {
        bytes[k] = static_cast<uint8_t>(map.word[k / 8] >> (k % 8 * 8));
    }
    return bytes;
}

// One unit of `unit_bytes` out of `one_in` fails; 0: none does.
struct failing_units {
    uint64_t unit_bytes = 4096, one_in = 0;

    bool hit(uint64_t address) const { return one_in != 0 && tl_mix64(address / unit_bytes) % one_in == 0; }
};

struct access_record {
    uint64_t address;
    uint32_t bytes;
    bool operator==(const access_record &other) const { return address == other.address && bytes == other.bytes; }
};

class global_memory
{
public:
    static constexpr uint64_t maps_begin = 0x5500'0000'0000, map_bytes = 128, maps_end = maps_begin + (1 << 24);

    failing_units failing, failing_maps;

    static uint8_t byte_at(uint64_t address) { return static_cast<uint8_t>(tl_mix64(address / 8) >> (address % 8 * 8)); }
    static uint64_t map_address(uint64_t number) { return maps_begin + number * map_bytes; }

    static bool is_map(uint64_t address) { return address >= maps_begin && address < maps_end; }

    void put_map(uint64_t address, const tl_tensor_map &map)
    {
        m_maps[address] = bytes_of_map(map);
    }

    tlm::tlm_response_status perform(tlm::tlm_generic_payload &trans)
    {
        const uint64_t begin = trans.get_address();
        if (!trans.is_read()) {
            return tlm::TLM_COMMAND_ERROR_RESPONSE;
        }
        if (is_map(begin)) {
            if (failing_maps.hit(begin)) {
                return tlm::TLM_ADDRESS_ERROR_RESPONSE;
            }
            const auto &bytes = m_maps.at(begin / map_bytes * map_bytes);
            std::memcpy(trans.get_data_ptr(), &bytes[begin % map_bytes], trans.get_data_length());
            return tlm::TLM_OK_RESPONSE;
        }
        if (failing.hit(begin)) {
            return tlm::TLM_GENERIC_ERROR_RESPONSE;
        }
        for (uint64_t k = 0; k < trans.get_data_length(); k++) {
            trans.get_data_ptr()[k] = byte_at(begin + k);
        }
        return tlm::TLM_OK_RESPONSE;
    }

private:
    std::map<uint64_t, std::array<uint8_t, map_bytes>> m_maps;
};

class shared_memory
{
public:
    failing_units failing{128, 0};
    std::vector<complete_tx_info> barriers; // in order
    std::vector<uint32_t> barrier_addresses;

    tlm::tlm_response_status perform(tlm::tlm_generic_payload &trans)
    {
        const uint64_t begin = trans.get_address();
        if (!trans.is_write() || begin + trans.get_data_length() > uint64_t{1} << 32) {
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        }
        if (const complete_tx_info *barrier = trans.get_extension<complete_tx_info>()) {
            barriers.push_back(*barrier);
            barrier_addresses.push_back(static_cast<uint32_t>(begin));
            uint64_t count = 0;
            for (unsigned k = 0; k < 8; k++) {
                count |= static_cast<uint64_t>(trans.get_data_ptr()[k]) << (8 * k);
            }
            return trans.get_data_length() == 8 && count == barrier->bytes ? tlm::TLM_OK_RESPONSE
                                                                           : tlm::TLM_BURST_ERROR_RESPONSE;
        }
        if (failing.hit(begin)) {
            return tlm::TLM_BURST_ERROR_RESPONSE;
        }
        for (uint64_t k = 0; k < trans.get_data_length(); k++) {
            cell &at = m_pages[(begin + k) / page_bytes][(begin + k) % page_bytes];
            at.byte = trans.get_data_ptr()[k];
            at.writes++;
        }
        return tlm::TLM_OK_RESPONSE;
    }

    struct cell {
        uint8_t byte = 0, writes = 0;
    };

    cell at(uint64_t address) const
    {
        const auto found = m_pages.find(address / page_bytes);
        return found == m_pages.end() ? cell{} : found->second[address % page_bytes];
    }

    // Forgets begin..begin+bytes and what shares its pages.
    void forget(uint64_t begin, uint64_t bytes)
    {
        for (uint64_t page = begin / page_bytes; page <= (begin + bytes) / page_bytes; page++) {
            m_pages.erase(page);
        }
    }

private:
    static constexpr uint64_t page_bytes = 1024;
    std::unordered_map<uint64_t, std::array<cell, page_bytes>> m_pages;
};

} // namespace tilelens
#endif
