// SPDX-License-Identifier: Apache-2.0
// The driver: presents loads, stalls both ends at random, and gives every cycle to the scoreboard.
#ifndef TILELENS_COSIM_DRIVER_H
#define TILELENS_COSIM_DRIVER_H

#include <functional>

#include "dut.h"
#include "random_load.h"
#include "stimulus.h"

namespace cosim {

class Scoreboard;

// Readiness of the consumer and gaps between loads; a load's seed chooses the pattern.
class Stalls {
public:
    void choose(uint64_t seed);
    uint64_t gap_cycles(); // before the next load is presented
    bool ready();

private:
    enum class Mode { always, random, bursts };

    tl_random random_{};
    Mode mode_ = Mode::always;
    uint64_t percent_ = 100;
    uint64_t longest_gap_ = 0;
    uint64_t burst_left_ = 0;
    bool burst_ready_ = true;
};

class Driver {
public:
    Driver(Dut &dut, Scoreboard *scoreboard) : dut_(dut), scoreboard_(scoreboard) {}

    // Called once a load with the number of loads taken so far.
    void on_progress(std::function<void(uint64_t)> callback) { progress_ = std::move(callback); }
    // All loads of the source, to the last request. Stops early when the scoreboard is lost.
    void run(LoadSource &source);
    uint64_t cycles() const { return cycle_; }
    uint64_t requests() const { return requests_; }

private:
    bool present_next(LoadSource &source);
    void watch(const CyclePins &pins, bool load_taken, bool req_ready);

    Dut &dut_;
    Scoreboard *scoreboard_; // null: drive only
    std::function<void(uint64_t)> progress_;
    Stalls stalls_;
    uint64_t cycle_ = 0;
    uint64_t requests_ = 0;
    uint64_t last_progress_ = 0;
    uint64_t loads_open_ = 0;
    bool hung_ = false;
};

} // namespace cosim

#endif
