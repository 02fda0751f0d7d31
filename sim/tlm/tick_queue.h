// SPDX-License-Identifier: Apache-2.0
// What happens when, on the edges of a clock: a ring of ticks, first come first served inside a tick.
#ifndef TILELENS_SIM_TLM_TICK_QUEUE_H
#define TILELENS_SIM_TLM_TICK_QUEUE_H

#include <array>
#include <cstdint>
#include <vector>

#include "../memory/divisor.h"

namespace tilelens
{

template <typename Item> class tick_queue
{
public:
    explicit tick_queue(uint64_t tick_ps) : m_tick_ps(tick_ps), m_ticks_in(tl_divisor_of(tick_ps)) { m_slots.fill({none, none}); }

    // Due at the first tick at or after time_ps >= now_ps.
    void push(uint64_t now_ps, uint64_t time_ps, const Item &item)
    {
        if (m_count++ == 0) {
            m_base = tl_quotient(&m_ticks_in, now_ps);
        }
        append({tick_at(time_ps), item});
    }

    bool empty() const { return m_count == 0; }

    // The first tick at or after time_ps.
    uint64_t edge_ps(uint64_t time_ps) const { return tick_at(time_ps) * m_tick_ps; }

    // Not to be called on an empty queue.
    uint64_t next_ps() const { return first_tick() * m_tick_ps; }

    // The next item due at or before now_ps. False: none left.
    bool pop(uint64_t now_ps, Item &item)
    {
        while (m_count != 0) {
            const uint64_t tick = first_tick();
            if (tick * m_tick_ps > now_ps) {
                return false;
            }
            m_base = tick;
            const entry next = take(tick);
            if (next.tick > tick) { // it was beyond the ring
                append(next);
                continue;
            }
            item = next.item;
            m_count--;
            return true;
        }
        return false;
    }

private:
    static constexpr uint32_t none = UINT32_MAX, chunk_entries = 8, prefetch_ahead = 2;
    static constexpr uint64_t ticks = 4096, word_bits = 64;

    struct entry {
        uint64_t tick;
        Item item;
    };
    // Entries of one tick lie side by side: a simulation waits for memory once a chunk, not once an entry.
    struct chunk {
        uint32_t next, first, end;
        entry entries[chunk_entries];
    };
    struct slot {
        uint32_t head, tail;
    };

    // The first tick at or after time_ps.
    uint64_t tick_at(uint64_t time_ps) const { return tl_quotient(&m_ticks_in, time_ps + m_tick_ps - 1); }

    uint32_t take_chunk()
    {
        uint32_t number = m_free;
        if (number == none) {
            number = static_cast<uint32_t>(m_chunks.size());
            m_chunks.emplace_back();
        } else {
            m_free = m_chunks[number].next;
        }
        m_chunks[number].next = none;
        m_chunks[number].first = m_chunks[number].end = 0;
        return number;
    }

    void append(const entry &added)
    {
        const uint64_t last = m_base + ticks - 1;
        const uint64_t tick = added.tick < last ? added.tick : last;
        slot &at = m_slots[tick % ticks];
        if (at.head == none || m_chunks[at.tail].end == chunk_entries) {
            const uint32_t number = take_chunk();
            (at.head == none ? at.head : m_chunks[at.tail].next) = number;
            at.tail = number;
        }
        chunk &tail = m_chunks[at.tail];
        tail.entries[tail.end++] = added;
        m_used[tick % ticks / word_bits] |= uint64_t{1} << tick % word_bits;
    }

    entry take(uint64_t tick)
    {
        slot &at = m_slots[tick % ticks];
        const uint32_t number = at.head;
        chunk &head = m_chunks[number];
        const entry taken = head.entries[head.first++];
        __builtin_prefetch(&head.entries[head.first + prefetch_ahead]); // a hint: it may lie behind the chunk
        if (head.first == head.end) {
            at.head = head.next;
            head.next = m_free;
            m_free = number;
            if (at.head == none) {
                m_used[tick % ticks / word_bits] &= ~(uint64_t{1} << tick % word_bits);
            }
        }
        return taken;
    }

    uint64_t first_tick() const
    {
        uint64_t tick = m_base;
        uint64_t word = m_used[tick % ticks / word_bits] >> tick % word_bits;
        while (word == 0) {
            tick = (tick / word_bits + 1) * word_bits;
            word = m_used[tick % ticks / word_bits];
        }
        return tick + static_cast<uint64_t>(__builtin_ctzll(word));
    }

    const uint64_t m_tick_ps;
    const tl_divisor m_ticks_in;
    uint64_t m_base = 0; // no item is due before this tick
    uint64_t m_count = 0;
    uint32_t m_free = none;
    std::vector<chunk> m_chunks;
    std::array<slot, ticks> m_slots;
    std::array<uint64_t, ticks / word_bits> m_used{};
};

} // namespace tilelens
#endif
