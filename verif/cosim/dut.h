// SPDX-License-Identifier: Apache-2.0
// The device under test as the harness sees it: pins by cycle, and the values between the stages of tma_top.
//
// A cycle is settle() with clock low, where outputs and taps are read, then clock(), the rising edge.
#ifndef TILELENS_COSIM_DUT_H
#define TILELENS_COSIM_DUT_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "tilelens/load.h"

namespace cosim
{

struct LoadPins {
    tl_tensor_map map;
    tl_load load;
    bool same_map;
};

struct RequestPins {
    uint64_t src_address;
    uint32_t dst_address;
    uint32_t swizzle_xor;
    uint32_t bytes;
    bool fill;
    bool last;
    uint32_t status;
};

// Outputs of one settled cycle. `request` is meaningful when req_valid; the events are false without taps.
struct CyclePins {
    bool load_ready;
    bool req_valid;
    RequestPins request;
    bool product_done; // the multiplier holds a finished product
    bool run_taken;    // a run goes from the counters to req_gen
};

struct DecodeTap {
    uint32_t status, rank, log2_a16, log2_b, row_bytes, pitch_bytes, origin_column;
    uint64_t origin;
    std::array<uint64_t, TL_MAX_RANK> stride; // entry 0 unused
};

// Products of the set-up program, numbered as tma_pkg::Step*.
enum class ProductStep : uint32_t {
    column,
    linear,
    column_product,
    column_advance,
    column_rewind,
    advance,
    rewind,
    tile_advance
};

struct ProductTap {
    ProductStep step;
    uint32_t dim;
    uint64_t product;
};

// Valid in the cycle in which the load is taken.
struct SetupTap {
    uint32_t split_status, split_column;
    uint64_t split_x, delta_tile;
    std::array<uint64_t, TL_MAX_RANK> delta; // entry 0 unused
};

struct RunTap {
    tl_run run;
    uint64_t permuted_source;
};

class Dut
{
  public:
    virtual ~Dut() = default;
    virtual void reset() = 0;
    virtual void present(const LoadPins &pins) = 0; // the load's payload, held until the next call
    virtual void settle(bool load_valid, bool req_ready, CyclePins &out) = 0;
    virtual void clock() = 0;
    virtual bool has_taps() const = 0;
    virtual void read(DecodeTap &tap) const = 0;
    virtual void read(ProductTap &tap) const = 0;
    virtual void read(SetupTap &tap) const = 0;
    virtual void read(RunTap &tap) const = 0;
    virtual void open_trace(const std::string &path) = 0; // FST
};

// The RTL of this project, one Verilated model per variant.
std::unique_ptr<Dut> make_dut(tl_variant variant);
std::unique_ptr<Dut> make_dut_baseline();
std::unique_ptr<Dut> make_dut_paper();
std::unique_ptr<Dut> make_dut_general();

} // namespace cosim

#endif
