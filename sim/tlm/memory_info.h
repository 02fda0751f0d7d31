// SPDX-License-Identifier: Apache-2.0
// What a read tells the memory system beyond the base protocol. Ignorable: a transaction without it is a demand all of
// whose bytes are useful.
#ifndef TILELENS_SIM_TLM_MEMORY_INFO_H
#define TILELENS_SIM_TLM_MEMORY_INFO_H

#include <cstdint>
#include <tlm>

#include "../memory/channel.h"

namespace tilelens
{

struct memory_info final : tlm::tlm_extension<memory_info> {
    tl_mem_class mem_class = TL_MEM_DEMAND; // may rise while the read is on its way (phase `promote`)
    uint32_t useful_bytes = 0;              // of the read, asked for by its initiator
    bool resident = false;                  // known to be in the L2: answered without a look at the tags
    bool from_buffer = false;               // answered by the SRAM buffer, not by a channel

    tlm::tlm_extension_base *clone() const override { return new memory_info(*this); }
    void copy_from(const tlm::tlm_extension_base &from) override { *this = static_cast<const memory_info &>(from); }
};

// An ignorable phase on the forward path, between END_REQ and BEGIN_RESP: a prefetch has become a demand.
DECLARE_EXTENDED_PHASE(promote);

} // namespace tilelens
#endif
