// SPDX-License-Identifier: Apache-2.0
#include "scoreboard.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "case_names.h"
#include "compare_load.h"

namespace cosim
{

namespace
{

// Set-up of a load that waits behind a running one is hidden after so many cycles (tma_setup: at most 57).
constexpr uint64_t SetupCycles = 64;
// A load that does not end is given up after so many requests too many.
constexpr uint64_t ExcessRequests = 1000;
constexpr size_t LogBytes = 1 << 20;

std::string format(const char *pattern, const char *field, int index, uint64_t expected, uint64_t found)
{
    char name[64], text[256];
    if (index >= 0)
        std::snprintf(name, sizeof name, "%s[%d]", field, index);
    else
        std::snprintf(name, sizeof name, "%s", field);
    std::snprintf(text, sizeof text, pattern, name, expected, found);
    return text;
}

bool same(const RequestPins &x, const RequestPins &y)
{
    return x.src_address == y.src_address && x.dst_address == y.dst_address && x.swizzle_xor == y.swizzle_xor &&
           x.bytes == y.bytes && x.fill == y.fill && x.last == y.last && x.status == y.status;
}

} // namespace

void Scoreboard::log(ExpectedLoad &load, const char *stage, const char *field, int index, uint64_t expected,
                     uint64_t found)
{
    if (load.log.size() > LogBytes)
        return;
    char line[32];
    std::snprintf(line, sizeof line, "%-12s ", stage);
    load.log += line;
    load.log += format("%-20s mirror %#-18" PRIx64 " rtl %#" PRIx64, field, index, expected, found);
    load.log += expected == found ? "\n" : "   <-- mismatch\n";
    if (load.log.size() > LogBytes)
        load.log += "(the rest is left out)\n";
}

void Scoreboard::report(ExpectedLoad &load, const char *stage, const std::string &what)
{
    if (load.failed)
        return;
    load.failed = true;
    if (tally_.mismatches++ > 0)
        return;
    char text[512];
    std::snprintf(text, sizeof text, "%s: stage %s, load %" PRIu64 " (%s), request %" PRIu64 ": ",
                  tl_variant_names[variant_], stage, load.stimulus.index, load.stimulus.label, load.requests);
    first_.text = text + what;
    first_.stimulus = load.stimulus;
}

inline void Scoreboard::compare(ExpectedLoad &load, const char *stage, const char *field, int index, uint64_t expected,
                                uint64_t found)
{
    tally_.checks++;
    if (keep_logs_)
        log(load, stage, field, index, expected, found);
    if (expected != found && !load.failed)
        report(load, stage, format("%s: expected %#" PRIx64 ", found %#" PRIx64, field, index, expected, found));
}

// ---- the mirror against the oracle ----

void Scoreboard::check_mirror(ExpectedLoad &load)
{
    const Stimulus &from = load.stimulus;
    const bool tile_major = from.legal && from.params.has_tile_major;
    bool accept = from.legal;
    if (variant_ == TL_BASELINE)
        accept = accept && !tile_major;
    if (variant_ == TL_PAPER && accept)
        accept = tl_oracle_paper_accepts(&from.params, &from.load);
    compare(load, "mirror", "accepted", -1, accept, load.status == TL_OK);
    if (!accept || load.status != TL_OK)
        return;
    tl_engine engine = load.engine;
    tl_comparison comparison;
    if (!tl_compare_load(&from.params, &from.load, tl_load_bytes(&from.map), TL_COMPARE_UNITS, &engine, &comparison))
        report(load, "mirror",
               "element " + std::to_string(comparison.element) + " against the oracle, " +
                   format("%s: expected %#" PRIx64 ", found %#" PRIx64, comparison.fault, -1, comparison.expected,
                          comparison.found));
    tally_.checks += comparison.asked;
}

// ---- set-up ----

void Scoreboard::check_decode(ExpectedLoad &load)
{
    DecodeTap tap{};
    dut_.read(tap);
    compare(load, "desc_decode", "status", -1, static_cast<uint64_t>(load.decode_status()), tap.status);
    if (load.decode_status() != TL_OK)
        return;
    const tl_fields &fields = load.engine.fields;
    compare(load, "desc_decode", "rank", -1, fields.rank, tap.rank);
    compare(load, "desc_decode", "log2_a16", -1, fields.log2_a16, tap.log2_a16);
    compare(load, "desc_decode", "log2_b", -1, fields.log2_b, tap.log2_b);
    compare(load, "desc_decode", "row_bytes", -1, fields.row_bytes, tap.row_bytes);
    compare(load, "desc_decode", "pitch_bytes", -1, fields.pitch_bytes, tap.pitch_bytes);
    compare(load, "desc_decode", "origin", -1, fields.origin, tap.origin);
    compare(load, "desc_decode", "origin_column", -1, fields.origin_column, tap.origin_column);
    for (unsigned d = 1; d < TL_MAX_RANK; d++)
        compare(load, "desc_decode", "stride", static_cast<int>(d), fields.stride[d], tap.stride[d]);
}

// Every factor of a product comes from desc_decode, but for j' of the box origin and of a packed delta.
void Scoreboard::check_product(ExpectedLoad &load)
{
    static const char *const names[] = {"column",        "linear",  "column_product", "column_advance",
                                        "column_rewind", "advance", "rewind",         "tile_advance"};
    ProductTap tap{};
    dut_.read(tap);
    const char *stage = "coord_mul";
    if (tap.step == ProductStep::column_product) {
        SetupTap setup{};
        dut_.read(setup);
        compare(load, "split_sum", "column", -1, load.engine.base.column, setup.split_column);
    }
    if (tap.step == ProductStep::advance && load.engine.fields.tile_major && variant_ == TL_GENERAL)
        stage = "dim_convert";
    const uint64_t found = is_column_product(tap.step) ? tap.product & 0xFFF : tap.product;
    compare(load, stage, names[static_cast<unsigned>(tap.step)], static_cast<int>(tap.dim),
            tap.dim < TL_MAX_RANK ? load.product(tap.step, tap.dim) : ~found, found);
}

void Scoreboard::check_setup(ExpectedLoad &load)
{
    if (load.decode_status() != TL_OK)
        return;
    SetupTap tap{};
    dut_.read(tap);
    compare(load, "split_sum", "status", -1, static_cast<uint64_t>(load.split_status()), tap.split_status);
    compare(load, "split_sum", "column", -1, load.engine.base.column, tap.split_column);
    compare(load, "split_sum", "x", -1, load.engine.base.x, tap.split_x);
    for (unsigned d = 1; d < load.engine.fields.rank; d++)
        compare(load, "dim_convert", "delta", static_cast<int>(d), load.engine.levels.delta[d], tap.delta[d]);
    if (load.engine.fields.split_dim != 0)
        compare(load, "dim_convert", "delta_tile", -1, load.engine.levels.delta_tile, tap.delta_tile);
}

// ---- runs and requests ----

void Scoreboard::check_run(Slot &slot)
{
    ExpectedLoad &load = slot.load;
    RunTap tap{};
    ExpectedRun want{};
    dut_.read(tap);
    if (load.has_run()) {
        load.next_run(want);
        compare(load, "counters", "bytes", -1, want.run.bytes, tap.run.bytes);
        compare(load, "counters", "last", -1, want.run.last, tap.run.last);
        if (load.status == TL_OK) {
            compare(load, "counters", "x", -1, want.run.x, tap.run.x);
            compare(load, "counters", "row_index", -1, want.run.row_index, tap.run.row_index);
            compare(load, "counters", "address", -1, want.run.address, tap.run.address);
            compare(load, "counters", "fill", -1, want.run.fill, tap.run.fill);
            compare(load, "permute", "source", -1, want.permuted_source, tap.permuted_source);
        }
        if (slot.pending_in - slot.pending_out < PendingRequests)
            slot.pending[slot.pending_in++ % PendingRequests] = want.request;
    } else {
        report(load, "counters", "a run after the last one");
    }
    load.runs++;
    if (tap.run.last)
        running_++;
}

void Scoreboard::check_request(Slot &slot, const RequestPins &found)
{
    ExpectedLoad &load = slot.load;
    RequestPins want{};
    if (slot.pending_out < slot.pending_in) {
        want = slot.pending[slot.pending_out++ % PendingRequests];
    } else if (!has_taps_ && load.has_run()) {
        ExpectedRun run{};
        load.next_run(run);
        want = run.request;
    } else {
        report(load, "req_gen", "a request that the mirror does not have");
        lost_ = ++slot.excess > ExcessRequests;
        return;
    }
    compare(load, "req_gen", "status", -1, want.status, found.status);
    compare(load, "req_gen", "bytes", -1, want.bytes, found.bytes);
    compare(load, "req_gen", "last", -1, want.last, found.last);
    compare(load, "req_gen", "src_address", -1, want.src_address, found.src_address);
    if (want.status == TL_OK) {
        compare(load, "req_gen", "dst_address", -1, want.dst_address, found.dst_address);
        compare(load, "req_gen", "swizzle_xor", -1, want.swizzle_xor, found.swizzle_xor);
        compare(load, "req_gen", "fill", -1, want.fill, found.fill);
        tally_.requests++;
    }
}

void Scoreboard::check_handshake(const CyclePins &pins, bool req_ready)
{
    ExpectedLoad &load = slot(finished_).load;
    if (stalled_ && (!pins.req_valid || !same(pins.request, stalled_request_)))
        report(load, "req_gen", "handshake: a request changed before it was taken");
    if (has_taps_ && inside_load_ && !pins.req_valid)
        report(load, "req_gen", "throughput: a cycle without a request inside a load");
    if (has_taps_ && next_is_ready_ && !pins.req_valid)
        report(load, "req_gen", "throughput: an idle cycle between two loads although the second one was set up");
    next_is_ready_ = false;
    stalled_ = pins.req_valid && !req_ready;
    if (stalled_)
        stalled_request_ = pins.request;
}

// ---- the life of a load ----

void Scoreboard::present(const Stimulus &stimulus, uint64_t cycle)
{
    Slot &next = slot(taken_);
    next.load.start(stimulus, variant_, cycle);
    next.pending_in = next.pending_out = next.excess = 0;
    presented_ = true;
    decoded_ = false;
    check_mirror(next.load);
}

void Scoreboard::reset()
{
    finished_ = running_ = taken_;
    in_flight_ = 0;
    presented_ = stalled_ = inside_load_ = next_is_ready_ = false;
}

void Scoreboard::take_load()
{
    ExpectedLoad &load = slot(taken_).load;
    if (has_taps_)
        check_setup(load);
    tally_.loads++;
    if (!load.stimulus.is_case) {
        tally_.class_loads[load.stimulus.class_index]++;
        tally_.class_accepted[load.stimulus.class_index] += load.status == TL_OK;
    }
    (load.status == TL_OK ? tally_.accepted : tally_.refused)++;
    taken_++;
    in_flight_++;
    presented_ = false;
    if (in_flight_ == Slots) {
        report(load, "counters", "a load is taken before the requests of the loads before it");
        lost_ = true;
    }
}

void Scoreboard::show(const ExpectedLoad &load)
{
    if (!keep_logs_ || shown_failed_)
        return;
    shown_ = load.stimulus;
    shown_log_ = load.log;
    shown_failed_ = load.failed;
}

void Scoreboard::finish_load(uint64_t cycle)
{
    Slot &done = slot(finished_);
    if (done.pending_out != done.pending_in || done.load.has_run())
        report(done.load, "req_gen", "the last request came too early");
    show(done.load);
    finished_++;
    in_flight_--;
    running_ = std::max(running_, finished_);
    const bool next_exists = in_flight_ > 0 || presented_;
    next_is_ready_ = next_exists && slot(finished_).load.presented_cycle + SetupCycles <= cycle;
}

void Scoreboard::observe(const CyclePins &pins, bool load_valid, bool req_ready, uint64_t cycle)
{
    if (has_taps_ && load_valid && !decoded_) {
        check_decode(slot(taken_).load);
        decoded_ = true;
    }
    if (pins.product_done && presented_)
        check_product(slot(taken_).load);
    if (load_valid && pins.load_ready)
        take_load();
    if (pins.run_taken) {
        if (running_ < taken_)
            check_run(slot(running_));
        else
            report(slot(running_).load, "counters", "a run without a load");
    }
    check_handshake(pins, req_ready);
    if (!pins.req_valid || !req_ready)
        return;
    if (in_flight_ == 0) {
        report(slot(finished_).load, "req_gen", "a request without a load");
        lost_ = true;
        return;
    }
    check_request(slot(finished_), pins.request);
    slot(finished_).load.requests++;
    inside_load_ = !pins.request.last;
    if (pins.request.last)
        finish_load(cycle);
}

void Scoreboard::hang(uint64_t cycles)
{
    report(slot(finished_).load, "req_gen", "hang: no progress in " + std::to_string(cycles) + " cycles");
    show(slot(finished_).load);
    lost_ = true;
}

} // namespace cosim
