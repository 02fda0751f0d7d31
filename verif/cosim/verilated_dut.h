// SPDX-License-Identifier: Apache-2.0
// A Verilated tma_top (or a user's module with its ports) as a Dut.
#ifndef TILELENS_COSIM_VERILATED_DUT_H
#define TILELENS_COSIM_VERILATED_DUT_H

#include <verilated.h>
#ifndef TILELENS_COSIM_NO_TRACE
#include <verilated_fst_c.h>
#endif
#ifdef TILELENS_COVERAGE_DIR
#include <unistd.h>
#include <verilated_cov.h>
#endif

#include "dut.h"

namespace cosim
{

#ifdef TILELENS_COSIM_NO_TRACE
struct Trace { // of a model that was built without waveforms
    bool isOpen() const
    {
        return false;
    }
    void dump(uint64_t)
    {
    }
    void close()
    {
    }
};
#else
using Trace = VerilatedFstC;
#endif

template <typename Words> uint64_t bits_of(const Words &words, unsigned lsb, unsigned count)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < count; k++) {
        const unsigned bit = lsb + k;
        value |= static_cast<uint64_t>(words[bit / 32] >> (bit % 32) & 1) << k;
    }
    return value;
}

// Taps of a module that has none.
struct NoTaps {
    static constexpr bool present = false;
    template <typename Model> static void events(const Model &, CyclePins &out)
    {
        out.product_done = out.run_taken = false;
    }
    template <typename Model, typename Tap> static void read(const Model &, Tap &)
    {
    }
};

// Signals of tma_top that are public to the simulator.
struct TopTaps {
    static constexpr bool present = true;

    template <typename Model> static void events(const Model &model, CyclePins &out)
    {
        const auto &root = *model.rootp;
        out.product_done = root.tma_top__DOT__mul_valid;
        out.run_taken = root.tma_top__DOT__cnt_valid && root.tma_top__DOT__cnt_ready;
    }

    template <typename Model> static void read(const Model &model, DecodeTap &tap)
    {
        const auto &root = *model.rootp;
        tap.status = root.tma_top__DOT__dec_status;
        tap.rank = root.tma_top__DOT__dec_rank;
        tap.log2_a16 = root.tma_top__DOT__dec_log2_a16;
        tap.log2_b = root.tma_top__DOT__dec_log2_b;
        tap.row_bytes = root.tma_top__DOT__dec_row_bytes;
        tap.pitch_bytes = root.tma_top__DOT__dec_pitch_bytes;
        tap.origin_column = root.tma_top__DOT__dec_origin_column;
        tap.origin = root.tma_top__DOT__dec_origin;
        for (unsigned d = 1; d < TL_MAX_RANK; d++)
            tap.stride[d] = bits_of(root.tma_top__DOT__dec_stride, 36 * (d - 1), 36);
    }

    template <typename Model> static void read(const Model &model, ProductTap &tap)
    {
        const auto &root = *model.rootp;
        tap.step = static_cast<ProductStep>(root.tma_top__DOT__mul_step);
        tap.dim = root.tma_top__DOT__mul_dim;
        tap.product = root.tma_top__DOT__mul_product;
    }

    template <typename Model> static void read(const Model &model, SetupTap &tap)
    {
        const auto &root = *model.rootp;
        tap.split_status = root.tma_top__DOT__split_status;
        tap.split_column = root.tma_top__DOT__split_column;
        tap.split_x = root.tma_top__DOT__split_x;
        tap.delta_tile = root.tma_top__DOT__conv_delta_tile;
        for (unsigned d = 1; d < TL_MAX_RANK; d++)
            tap.delta[d] = bits_of(root.tma_top__DOT__conv_delta, 60 * (d - 1), 60);
    }

    template <typename Model> static void read(const Model &model, RunTap &tap)
    {
        const auto &root = *model.rootp;
        tap.run.x = root.tma_top__DOT__cnt_x;
        tap.run.row_index = root.tma_top__DOT__cnt_row_index;
        tap.run.address = root.tma_top__DOT__cnt_address;
        tap.run.bytes = root.tma_top__DOT__cnt_bytes;
        tap.run.fill = root.tma_top__DOT__cnt_fill;
        tap.run.last = root.tma_top__DOT__cnt_last;
        tap.permuted_source = root.tma_top__DOT__perm_source;
    }
};

template <typename Model, typename Taps> class VerilatedDut final : public Dut
{
  public:
    // The name tells models apart in coverage files.
    explicit VerilatedDut(const char *name) : name_(name)
    {
        context_.traceEverOn(true);
        context_.randReset(0);
    }

    ~VerilatedDut() override
    {
        model_.final();
        trace_.close();
#ifdef TILELENS_COVERAGE_DIR
        const std::string path = std::string(TILELENS_COVERAGE_DIR "/") + name_ + "-" + std::to_string(getpid());
        context_.coveragep()->write((path + ".dat").c_str());
#endif
    }

    void reset() override
    {
        CyclePins unused{};
        model_.rst_ni = 0;
        settle(false, false, unused);
        clock();
        model_.rst_ni = 1;
    }

    void present(const LoadPins &pins) override
    {
        for (unsigned k = 0; k < 2 * TL_TENSOR_MAP_WORDS; k++)
            model_.load_tensor_map_i[k] = static_cast<uint32_t>(pins.map.word[k / 2] >> (k % 2 * 32));
        for (unsigned d = 0; d < TL_MAX_RANK; d++)
            model_.load_coordinates_i[d] = static_cast<uint32_t>(pins.load.coordinates[d]);
        model_.load_shared_address_i = pins.load.shared_address;
        model_.load_same_map_i = pins.same_map;
    }

    void settle(bool load_valid, bool req_ready, CyclePins &out) override
    {
        model_.load_valid_i = load_valid;
        model_.req_ready_i = req_ready;
        model_.clk_i = 0;
        evaluate();
        out.load_ready = model_.load_ready_o;
        out.req_valid = model_.req_valid_o;
        if (out.req_valid) {
            out.request = {model_.req_src_address_o, model_.req_dst_address_o, model_.req_swizzle_xor_o,
                           model_.req_bytes_o,       model_.req_fill_o != 0,   model_.req_last_o != 0,
                           model_.req_status_o};
        }
        Taps::events(model_, out);
    }

    void clock() override
    {
        model_.clk_i = 1;
        evaluate();
    }

    bool has_taps() const override
    {
        return Taps::present;
    }
    void read(DecodeTap &tap) const override
    {
        Taps::read(model_, tap);
    }
    void read(ProductTap &tap) const override
    {
        Taps::read(model_, tap);
    }
    void read(SetupTap &tap) const override
    {
        Taps::read(model_, tap);
    }
    void read(RunTap &tap) const override
    {
        Taps::read(model_, tap);
    }

    void open_trace([[maybe_unused]] const std::string &path) override
    {
#ifndef TILELENS_COSIM_NO_TRACE
        model_.trace(&trace_, 99);
        trace_.open(path.c_str());
#endif
    }

  private:
    void evaluate()
    {
        model_.eval();
        if (trace_.isOpen())
            trace_.dump(time_ps_);
        time_ps_ += 500;
    }

    [[maybe_unused]] const char *name_;
    VerilatedContext context_;
    Model model_{&context_, ""};
    Trace trace_;
    uint64_t time_ps_ = 0;
};

} // namespace cosim

#endif
