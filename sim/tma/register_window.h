// SPDX-License-Identifier: Apache-2.0
// The registers behind the command socket: little-endian, any size and alignment of access, byte enables and streaming
// width honoured. docs/10-tlm-integration.md has the table.
#ifndef TILELENS_SIM_TMA_REGISTER_WINDOW_H
#define TILELENS_SIM_TMA_REGISTER_WINDOW_H

#include <array>
#include <cstdint>
#include <tlm>

#include "tma_types.h"

namespace tilelens
{

// Offsets in bytes. The first block is written and read, the second only read.
namespace tma_register
{
constexpr uint64_t map = 0x000;              // 128 bytes, the inline tensor map
constexpr uint64_t map_address = 0x080;      // 64 bits
constexpr uint64_t shared_address = 0x088;   // 32 bits
constexpr uint64_t mbarrier_address = 0x08c; // 32 bits
constexpr uint64_t coordinates = 0x090;      // 5 x 32 bits, signed
constexpr uint64_t doorbell = 0x0a4;         // 32 bits: a tma_doorbell
constexpr uint64_t write_end = 0x0a8;

constexpr uint64_t issued = 0x100;         // 64 bits: ticket of the last command
constexpr uint64_t completed = 0x108;      // 64 bits: commands that are over, failed ones included
constexpr uint64_t failed = 0x110;         // 64 bits
constexpr uint64_t queue_free = 0x118;     // 32 bits: commands that may be issued without waiting
constexpr uint64_t fault = 0x11c;          // 32 bits: tma_fault of the first failed command since clear_fault
constexpr uint64_t fault_status = 0x120;   // 32 bits: tl_status
constexpr uint64_t fault_response = 0x124; // 32 bits, signed: tlm_response_status
constexpr uint64_t fault_address = 0x128;  // 64 bits
constexpr uint64_t fault_ticket = 0x130;   // 64 bits
constexpr uint64_t read_end = 0x138;
} // namespace tma_register

// What a write to the doorbell does. The write waits while the queue is full.
enum class tma_doorbell : uint32_t {
    load = 1, // tensor map at map_address
    load_inline = 2,
    prefetch = 3,
    prefetch_inline = 4,
    prefetch_map = 5,
    invalidate_map = 6, // the one at map_address
    invalidate_all_maps = 7,
    clear_fault = 8
};

class register_window
{
public:
    // What of the rest of the module the window shows and moves.
    class owner
    {
    public:
        virtual bool has_room() const = 0;
        virtual uint64_t issue_at(const tma_command &command, const sc_core::sc_time &delay) = 0;
        virtual void invalidate_map(uint64_t address) = 0;
        virtual void invalidate_all_maps() = 0;
        virtual uint64_t issued() const = 0;
        virtual uint64_t completed() const = 0;
        virtual const tma_counters &counters() const = 0;
        virtual uint32_t queue_free() const = 0;

    protected:
        ~owner() = default;
    };

    explicit register_window(owner &of) : m_owner(of) {}

    // False: the transaction rings the doorbell for a command and the queue is full; nothing has happened.
    bool access(tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay);
    // Bytes read or written, without any effect but that.
    unsigned debug(tlm::tlm_generic_payload &trans);

    void note(const tma_completion &completion); // of a failed command

private:
    tlm::tlm_response_status check(const tlm::tlm_generic_payload &trans) const;
    bool rings(const tlm::tlm_generic_payload &trans) const;
    bool ring(const sc_core::sc_time &delay);
    tma_command command(bool inline_map) const;
    void refresh();
    uint64_t get(uint64_t offset, unsigned bytes) const;
    void set(uint64_t offset, unsigned bytes, uint64_t value);

    owner &m_owner;
    std::array<uint8_t, tma_register::read_end> m_bytes{};
    tma_completion m_fault{};
};

} // namespace tilelens
#endif
