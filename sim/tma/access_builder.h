// SPDX-License-Identifier: Apache-2.0
// Requests of the engine -> the reads that the global socket carries: cut at multiples of access_bytes, widened to
// whole sectors, and merged where requests touch inside access_bytes while the read is still open.
#ifndef TILELENS_SIM_TMA_ACCESS_BUILDER_H
#define TILELENS_SIM_TMA_ACCESS_BUILDER_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilelens/load.h"

namespace tilelens
{

// A part of a request inside one read.
struct access_piece {
    uint64_t source;
    uint32_t destination; // before swizzle
    uint16_t bytes;
    uint8_t swizzle_xor;
};

struct built_read {
    uint64_t address = 0;
    uint32_t bytes = 0;
    std::vector<access_piece> pieces;

    // Field by field: a piece was written so a moment ago, and a wider read of it would wait for its fields.
    void add(const access_piece &piece)
    {
        access_piece &to = pieces.emplace_back();
        to.source = piece.source;
        to.destination = piece.destination;
        to.bytes = piece.bytes;
        to.swizzle_xor = piece.swizzle_xor;
    }
};

class access_builder
{
public:
    // merge_entries: reads that stay open, 0: none does.
    access_builder(uint32_t access_bytes, uint32_t sector_bytes, uint32_t merge_entries)
        : m_access_mask(access_bytes - 1), m_sector_mask(sector_bytes - 1), m_merge_entries(merge_entries),
          m_open(merge_entries)
    {
    }

    bool is_empty() const { return m_rest_bytes == 0 && m_open_count == 0; }

    // Of a source request, only when one is wanted.
    void add(const tl_request &request)
    {
        m_rest_source = request.src_address;
        m_rest_destination = request.dst_address;
        m_rest_bytes = request.bytes;
        m_swizzle_xor = request.swizzle_xor;
    }

    // The next read that is complete. False: a request is wanted. `read` has no pieces before.
    bool next(built_read &read)
    {
        while (m_rest_bytes != 0) {
            const access_piece piece = first_of_rest();
            if (m_merge_entries == 0) {
                begin(read, piece);
                take(piece);
                return true;
            }
            const uint32_t entry = find(piece);
            if (entry == m_open_count && m_open_count == m_merge_entries) {
                close(0, read); // the oldest one makes room
                return true;
            }
            take(piece);
            if (m_open[entry].bytes > m_access_mask) {
                close(entry, read);
                return true;
            }
        }
        return false;
    }

    // The oldest open read, whatever might still join it. False: there is none.
    bool flush(built_read &read)
    {
        if (m_open_count == 0) {
            return false;
        }
        close(0, read);
        return true;
    }

private:
    uint64_t sector_begin(const access_piece &piece) const { return piece.source & ~m_sector_mask; }
    uint64_t sector_end(const access_piece &piece) const
    {
        return (piece.source + piece.bytes + m_sector_mask) & ~m_sector_mask;
    }

    access_piece first_of_rest() const
    {
        const uint64_t to_edge = m_access_mask + 1 - (m_rest_source & m_access_mask);
        const auto bytes = static_cast<uint16_t>(std::min<uint64_t>(m_rest_bytes, to_edge));
        return {m_rest_source, m_rest_destination, bytes, m_swizzle_xor};
    }

    void take(const access_piece &piece)
    {
        m_rest_source += piece.bytes;
        m_rest_destination += piece.bytes;
        m_rest_bytes -= piece.bytes;
    }

    void begin(built_read &read, const access_piece &piece) const
    {
        read.address = sector_begin(piece);
        read.bytes = static_cast<uint32_t>(sector_end(piece) - read.address);
        read.add(piece);
    }

    // The entry that the piece has joined, or has begun behind the others if there is room.
    uint32_t find(const access_piece &piece)
    {
        for (uint32_t entry = m_open_count; entry-- != 0;) {
            if (join(m_open[entry], piece)) {
                return entry;
            }
        }
        if (m_open_count == m_merge_entries) {
            return m_open_count;
        }
        begin(m_open[m_open_count], piece);
        return m_open_count++;
    }

    // Whether the piece touches the read inside the same access_bytes; then the read covers it.
    bool join(built_read &read, const access_piece &piece) const
    {
        const uint64_t low = sector_begin(piece), high = sector_end(piece), end = read.address + read.bytes;
        if (((low ^ read.address) & ~m_access_mask) != 0 || low > end || high < read.address) {
            return false;
        }
        const uint64_t new_low = std::min(low, read.address);
        read.bytes = static_cast<uint32_t>(std::max(high, end) - new_low);
        read.address = new_low;
        read.add(piece);
        return true;
    }

    void close(uint32_t entry, built_read &read)
    {
        std::swap(read, m_open[entry]); // no allocation: vectors change places
        std::rotate(m_open.begin() + entry, m_open.begin() + entry + 1, m_open.begin() + m_open_count);
        m_open_count--;
    }

    const uint64_t m_access_mask, m_sector_mask;
    const uint32_t m_merge_entries;
    std::vector<built_read> m_open; // the oldest first
    uint32_t m_open_count = 0;
    uint64_t m_rest_source = 0; // the rest of the request
    uint32_t m_rest_destination = 0, m_rest_bytes = 0;
    uint8_t m_swizzle_xor = 0;
};

} // namespace tilelens
#endif
