// SPDX-License-Identifier: Apache-2.0
// Bytes of a request -> contiguous runs of shared memory after swizzle, none across a line of 128 bytes.
//
// The swizzle mask has bits 3..6 only, so that a line's bytes stay in their line, and blocks of the mask's lowest bit
// stay whole.
#ifndef TILELENS_SIM_TMA_SHARED_LINES_H
#define TILELENS_SIM_TMA_SHARED_LINES_H

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tilelens
{

constexpr uint32_t shared_line_bytes = 128;

// Bytes from `at` on, to the end of its line, whose sources lie in low..high without a gap.
inline uint64_t run_bytes(uint64_t at, uint64_t low, uint64_t high, uint32_t mask, uint32_t block_bytes)
{
    const uint64_t line_end = at / shared_line_bytes * shared_line_bytes + shared_line_bytes;
    uint64_t next = at;
    while (next < line_end) {
        const uint64_t source = next ^ mask;
        if (source < low || source >= high) {
            break;
        }
        const uint64_t block_end = next / block_bytes * block_bytes + block_bytes;
        const uint64_t step = std::min(block_end - next, high - source);
        next += step;
        if (next != block_end) {
            break;
        }
    }
    return next - at;
}

// A whole line, in blocks that the mask leaves whole.
template <uint32_t block_bytes> void copy_line(uint8_t *to, const uint8_t *from, uint32_t mask)
{
    for (uint32_t block = 0; block < shared_line_bytes; block += block_bytes) {
        std::memcpy(to + (block ^ mask), from + block, block_bytes);
    }
}

// Calls write(address, bytes), which returns where these bytes go. address < 2^32.
template <typename Write>
void write_swizzled(const uint8_t *data, uint32_t destination, uint32_t bytes, uint32_t mask, Write &&write)
{
    const uint64_t end = uint64_t{destination} + bytes;
    const uint32_t block_bytes = mask == 0 ? shared_line_bytes : mask & (~mask + 1);
    for (uint64_t low = destination, high; low < end; low = high) {
        const uint64_t line = low / shared_line_bytes * shared_line_bytes;
        high = std::min(end, line + shared_line_bytes);
        if (high - low == shared_line_bytes) { // the usual case: one run
            uint8_t *const to = write(static_cast<uint32_t>(low), shared_line_bytes);
            const uint8_t *const from = data + (low - destination);
            (block_bytes >= 16 ? copy_line<16> : copy_line<8>)(to, from, mask);
            continue;
        }
        uint8_t *run = nullptr;
        uint64_t run_end = 0, run_left = 0;
        for (uint64_t block = line; block < line + shared_line_bytes; block += block_bytes) { // of destinations
            const uint64_t source = block ^ mask;
            const uint64_t from = std::max(source, low), to = std::min(source + block_bytes, high);
            if (from >= to) {
                continue;
            }
            const uint64_t at = from ^ mask;
            if (run_left == 0 || at != run_end) {
                run_left = run_bytes(at, low, high, mask, block_bytes);
                run = write(static_cast<uint32_t>(at), static_cast<uint32_t>(run_left));
            }
            std::memcpy(run, data + (from - destination), to - from);
            run += to - from;
            run_end = at + (to - from);
            run_left -= to - from;
        }
    }
}

} // namespace tilelens
#endif
