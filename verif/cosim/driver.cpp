// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include "scoreboard.h"

namespace cosim {

namespace {

// The longest honest silence is a set-up of 57 cycles; stalls do not count.
constexpr uint64_t HangCycles = 1000;

} // namespace

void Stalls::choose(uint64_t seed)
{
    random_ = tl_random_from(seed ^ 0x5354414C4C53u);
    const uint64_t kind = tl_random_below(&random_, 8);
    mode_ = kind < 5 ? Mode::always : kind < 7 ? Mode::random : Mode::bursts;
    percent_ = 20 + tl_random_below(&random_, 80);
    const uint64_t gap_kind = tl_random_below(&random_, 8);
    longest_gap_ = gap_kind < 5 ? 0 : gap_kind < 7 ? 5 : 100;
}

uint64_t Stalls::gap_cycles()
{
    return longest_gap_ == 0 ? 0 : tl_random_below(&random_, longest_gap_ + 1);
}

bool Stalls::ready()
{
    if (mode_ == Mode::always)
        return true;
    if (mode_ == Mode::random)
        return tl_random_below(&random_, 100) < percent_;
    if (burst_left_ == 0) {
        burst_ready_ = !burst_ready_;
        burst_left_ = 1 + tl_random_below(&random_, burst_ready_ ? 40 : 12);
    }
    burst_left_--;
    return burst_ready_;
}

void Driver::watch(const CyclePins &pins, bool load_taken, bool req_ready)
{
    const bool request_taken = pins.req_valid && req_ready;
    if (load_taken)
        loads_open_++;
    if (request_taken) {
        requests_++;
        if (pins.request.last)
            loads_open_--;
    }
    if (load_taken || request_taken || !req_ready) {
        last_progress_ = cycle_;
    } else if (cycle_ - last_progress_ > HangCycles) {
        hung_ = true;
        if (scoreboard_ != nullptr)
            scoreboard_->hang(HangCycles);
    }
}

void Driver::run(LoadSource &source)
{
    Stimulus stimulus{};
    bool more = source.next(stimulus);
    bool presented = false;
    uint64_t gap_cycles = 0, taken = 0;

    dut_.reset();
    while ((more || loads_open_ > 0) && !hung_ && !(scoreboard_ != nullptr && scoreboard_->lost())) {
        const bool load_valid = more && gap_cycles == 0;
        if (load_valid && !presented) {
            stalls_.choose(stimulus.seed);
            dut_.present({stimulus.map, stimulus.load, stimulus.same_map});
            if (scoreboard_ != nullptr)
                scoreboard_->present(stimulus, cycle_);
            presented = true;
        }
        if (gap_cycles > 0)
            gap_cycles--;

        CyclePins pins;
        const bool req_ready = stalls_.ready();
        dut_.settle(load_valid, req_ready, pins);
        if (scoreboard_ != nullptr)
            scoreboard_->observe(pins, load_valid, req_ready, cycle_);
        const bool load_taken = load_valid && pins.load_ready;
        watch(pins, load_taken, req_ready);
        if (load_taken) {
            presented = false;
            gap_cycles = stalls_.gap_cycles();
            more = source.next(stimulus);
            if (progress_)
                progress_(++taken);
        }
        dut_.clock();
        cycle_++;
    }
}

} // namespace cosim
