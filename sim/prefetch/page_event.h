// SPDX-License-Identifier: Apache-2.0
// What the prefetcher must know of the pages that the L2 and the SRAM buffers hold; sent through TLM analysis ports.
#ifndef TILELENS_SIM_PREFETCH_PAGE_EVENT_H
#define TILELENS_SIM_PREFETCH_PAGE_EVENT_H

#include "stride_prefetcher.h"

namespace tilelens
{

struct page_event {
    enum event_kind { demand, filled, evicted } kind;
    uint64_t address;
    tl_demand_outcome outcome; // of a demand
    tl_prefetch_tier tier;     // of an eviction
};

// Thread blocks have started or retired: what Eq. 6 depends on.
struct wave_event {
    uint32_t active_ctas;
    uint32_t pages_per_tile;
    uint32_t k_steps;
};

} // namespace tilelens
#endif
