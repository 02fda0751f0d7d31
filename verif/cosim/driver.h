// SPDX-License-Identifier: Apache-2.0
// The driver: presents loads, stalls both ends at random, and gives every cycle to the scoreboard.
#ifndef TILELENS_COSIM_DRIVER_H
#define TILELENS_COSIM_DRIVER_H

#include <functional>

#include "dut.h"
#include "random_load.h"
#include "stimulus.h"

namespace cosim
{

class Scoreboard;

// Readiness of the consumer, gaps between loads and now and then a reset; a load's seed chooses the pattern.
class Stalls
{
  public:
    void choose(uint64_t seed);
    uint64_t gap_cycles(); // before the next load is presented
    bool ready();
    bool reset_now(); // asked once a cycle

  private:
    enum class Mode { always, random, bursts };

    tl_random random_{};
    Mode mode_ = Mode::always;
    uint64_t percent_ = 100;
    uint64_t longest_gap_ = 0;
    uint64_t burst_left_ = 0;
    bool burst_ready_ = true;
    uint64_t cycles_to_reset_ = 0; // 0: none
};

class Driver
{
  public:
    Driver(Dut &dut, Scoreboard *scoreboard) : dut_(dut), scoreboard_(scoreboard)
    {
    }

    // Called once a load with the number of loads taken so far.
    void on_progress(std::function<void(uint64_t)> callback)
    {
        progress_ = std::move(callback);
    }
    // All loads of the source, to the last request. Stops early when the scoreboard is lost.
    void run(LoadSource &source);
    uint64_t cycles() const
    {
        return cycle_;
    }
    uint64_t requests() const
    {
        return requests_;
    }

  private:
    void reset();
    void present();
    bool step();
    bool finished() const;
    void watch(const CyclePins &pins, bool load_taken, bool req_ready);

    Dut &dut_;
    Scoreboard *scoreboard_; // null: drive only
    std::function<void(uint64_t)> progress_;
    Stalls stalls_;
    Stimulus stimulus_{};    // the load that is presented, or comes next
    bool more_ = false;      // there is one
    bool presented_ = false; // its pins are set
    uint64_t gap_cycles_ = 0;
    uint64_t cycle_ = 0;
    uint64_t requests_ = 0;
    uint64_t silent_cycles_ = 0; // since anything was taken, while the consumer was ready
    uint64_t loads_open_ = 0;
    bool hung_ = false;
};

} // namespace cosim

#endif
