// SPDX-License-Identifier: Apache-2.0
// The bytes of a memory of any size, kept where they were written; zero elsewhere.
#ifndef TILELENS_SIM_TLM_SPARSE_MEMORY_H
#define TILELENS_SIM_TLM_SPARSE_MEMORY_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tlm>
#include <unordered_map>

namespace tilelens
{

class sparse_memory
{
public:
    void read(uint64_t address, unsigned char *data, uint64_t bytes) const
    {
        each_page(address, bytes, [&](uint64_t page, uint64_t offset, uint64_t at, uint64_t count) {
            const auto found = m_pages.find(page);
            if (found == m_pages.end()) {
                std::memset(data + at, 0, count);
            } else {
                std::memcpy(data + at, found->second->data() + offset, count);
            }
        });
    }

    void write(uint64_t address, const unsigned char *data, uint64_t bytes)
    {
        each_page(address, bytes, [&](uint64_t page, uint64_t offset, uint64_t at, uint64_t count) {
            std::unique_ptr<page_bytes> &contents = m_pages[page];
            if (contents == nullptr) {
                contents = std::make_unique<page_bytes>();
            }
            std::memcpy(contents->data() + offset, data + at, count);
        });
    }

    // A read or write of all the payload's bytes.
    void perform(tlm::tlm_generic_payload &trans)
    {
        if (trans.is_read()) {
            read(trans.get_address(), trans.get_data_ptr(), trans.get_data_length());
        } else if (trans.is_write()) {
            write(trans.get_address(), trans.get_data_ptr(), trans.get_data_length());
        }
    }

private:
    static constexpr uint64_t bytes_per_page = 4096;
    using page_bytes = std::array<unsigned char, bytes_per_page>;

    // visit(page, offset in the page, offset in the access, bytes)
    template <typename Visit> static void each_page(uint64_t address, uint64_t bytes, Visit visit)
    {
        for (uint64_t at = 0, count; at < bytes; at += count) {
            const uint64_t offset = (address + at) % bytes_per_page;
            count = std::min(bytes - at, bytes_per_page - offset);
            visit((address + at) / bytes_per_page, offset, at, count);
        }
    }

    std::unordered_map<uint64_t, std::unique_ptr<page_bytes>> m_pages;
};

} // namespace tilelens
#endif
