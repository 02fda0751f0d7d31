// SPDX-License-Identifier: Apache-2.0
// What a TMA module is configured with, what it is told to do, and what it says when it is done.
#ifndef TILELENS_SIM_TMA_TYPES_H
#define TILELENS_SIM_TMA_TYPES_H

#include <cstdint>
#include <systemc>
#include <tlm>

#include "tilelens/load.h"
#include "tilelens/mover.h"

namespace tilelens
{

enum class tma_engine {
    c,  // the stages of the C model
    rtl // the Verilated tma_top
};

enum class tma_timing {
    approximate, // nb_transport, four phases
    loose        // b_transport and DMI, running ahead by the global quantum
};

// Defaults: the calibrated figures of an H100 where there are any, 1830 MHz.
struct tma_config {
    tma_engine engine = tma_engine::c;
    tma_timing timing = tma_timing::approximate;
    tl_variant variant = TL_GENERAL;
    sc_core::sc_time clock_period{1000.0 / 1.83, sc_core::SC_PS};

    uint32_t issue_gap_cycles = 32;         // between the starts of two commands
    uint32_t setup_cycles = 170;            // from the tensor map to the first request; the RTL needs up to 57 of them
    uint32_t tile_major_setup_cycles = 7;   // more, for a tile-major map
    uint32_t map_cache_entries = 32;        // tensor maps kept, the least recently used one goes

    uint32_t access_bytes = 128;            // longest read, never across a multiple of it: 32..4096, a power of two
    uint32_t sector_bytes = 32;             // reads are made of whole sectors: 1..access_bytes, a power of two
    uint32_t merge_entries = 0;             // open reads that later requests may still join; 0: each request alone
    uint32_t max_reads = 384;               // in flight
    uint32_t max_reads_per_load = 48;       // in flight
    uint32_t queue_entries = 16;            // commands whose requests have not all been generated

    tl_nan_patterns nan = TL_NAN_DEFAULT;
};

// Null: the configuration can be run. Else the field that is out of its range.
const char *tma_config_check(const tma_config &config);

enum class tma_operation {
    load,        // box to shared memory, then complete_tx
    prefetch,    // reads of the box, data dropped
    prefetch_map // tensor map to the map cache
};

struct tma_command {
    tma_operation operation = tma_operation::load;
    bool inline_map = false;       // `map` is the tensor map; else it is fetched from `map_address`
    tl_tensor_map map{};
    uint64_t map_address = 0;      // in global memory, multiple of 64
    tl_load load{};                // coordinates; the shared address counts for a load only
    uint32_t mbarrier_address = 0; // in shared memory, multiple of 8; of a load
};

// Why a command has failed.
enum class tma_fault : uint32_t {
    none,
    refused,      // by a rule: `status`
    map_read,     // the tensor map could not be read: `response`, `address`
    data_read,    // a read of the box got an error
    shared_write, // a write of data got an error
    mbarrier      // the complete_tx got an error
};

const char *name_of(tma_fault fault);

// A failed load never completes its mbarrier. What its good reads brought is in shared memory, the rest is as before.
struct tma_completion {
    uint64_t ticket = 0; // commands are counted from 1
    tma_fault fault = tma_fault::none;
    tl_status status = TL_OK;
    tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE; // of the first access that failed, in request order
    uint64_t address = 0;                                     // of that access
    uint64_t bytes = 0;                                       // of the box, fill included: what complete_tx counts
};

struct tma_counters {
    uint64_t commands = 0, failed = 0;
    uint64_t map_hits = 0, map_fetches = 0;
    uint64_t requests = 0, fill_requests = 0; // of the engine
    uint64_t reads = 0, read_bytes = 0;       // of boxes, on the global socket
    uint64_t useful_bytes = 0;                // of read_bytes, asked for
    uint64_t shared_writes = 0, shared_bytes = 0;
};

// On the complete_tx of a load, a write of 8 bytes (the byte count, little-endian) to its mbarrier. Ignorable: a plain
// memory stores the count, a model of an mbarrier finds this extension and counts.
struct complete_tx_info final : tlm::tlm_extension<complete_tx_info> {
    uint64_t bytes = 0;
    uint64_t ticket = 0;

    tlm::tlm_extension_base *clone() const override { return new complete_tx_info(*this); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        *this = static_cast<const complete_tx_info &>(from);
    }
};

} // namespace tilelens
#endif
