// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include "scoreboard.h"

namespace cosim
{

namespace
{

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
    cycles_to_reset_ = tl_random_below(&random_, 256) == 0 ? 1 + tl_random_below(&random_, 80) : 0;
}

bool Stalls::reset_now()
{
    return cycles_to_reset_ > 0 && --cycles_to_reset_ == 0;
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

// One cycle with the loads given up: what was presented is presented anew.
void Driver::reset()
{
    dut_.reset();
    if (scoreboard_ != nullptr)
        scoreboard_->reset();
    presented_ = false;
    stimulus_.same_map = false;
    loads_open_ = 0;
}

void Driver::present()
{
    dut_.present({stimulus_.map, stimulus_.load, stimulus_.same_map});
    if (scoreboard_ != nullptr)
        scoreboard_->present(stimulus_, cycle_);
    presented_ = true;
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
    if (load_taken || request_taken)
        silent_cycles_ = 0;
    else if (req_ready && ++silent_cycles_ > HangCycles) {
        hung_ = true;
        if (scoreboard_ != nullptr)
            scoreboard_->hang(HangCycles);
    }
}

// Returns true when the presented load is taken.
bool Driver::step()
{
    const bool load_valid = more_ && gap_cycles_ == 0;
    if (load_valid && !presented_)
        present();
    if (gap_cycles_ > 0)
        gap_cycles_--;

    CyclePins pins;
    const bool req_ready = stalls_.ready();
    dut_.settle(load_valid, req_ready, pins);
    if (scoreboard_ != nullptr)
        scoreboard_->observe(pins, load_valid, req_ready, cycle_);
    const bool load_taken = load_valid && pins.load_ready;
    watch(pins, load_taken, req_ready);
    dut_.clock();
    cycle_++;
    return load_taken;
}

bool Driver::finished() const
{
    return (!more_ && loads_open_ == 0) || hung_ || (scoreboard_ != nullptr && scoreboard_->lost());
}

void Driver::run(LoadSource &source)
{
    uint64_t taken = 0;
    more_ = source.next(stimulus_);
    stalls_.choose(stimulus_.seed);
    reset();
    while (!finished()) {
        if (step()) {
            presented_ = false;
            gap_cycles_ = stalls_.gap_cycles();
            // The stalls of a load come from its own seed, so that a replay that ends with it has them too.
            stalls_.choose(stimulus_.seed);
            more_ = source.next(stimulus_);
            if (progress_)
                progress_(++taken);
        } else if (stalls_.reset_now()) {
            reset();
        }
    }
}

} // namespace cosim
