// SPDX-License-Identifier: Apache-2.0
// The scoreboard: every load's stages and requests against the mirror, in lock-step, and the mirror against the
// oracle. It counts what it compares, and a run without comparisons is a failure.
#ifndef TILELENS_COSIM_SCOREBOARD_H
#define TILELENS_COSIM_SCOREBOARD_H

#include <array>
#include <string>
#include <utility>

#include "dut.h"
#include "expected_load.h"

namespace cosim
{

struct Tally {
    uint64_t loads = 0;
    uint64_t accepted = 0;
    uint64_t refused = 0;
    uint64_t requests = 0;
    uint64_t checks = 0;     // values compared
    uint64_t mismatches = 0; // loads with at least one, and breaches of the handshake rules
    uint64_t cycles = 0;
    double seconds = 0;
    std::array<uint64_t, TL_RANDOM_CLASS_COUNT> class_loads{};
    std::array<uint64_t, TL_RANDOM_CLASS_COUNT> class_accepted{};
};

// The first mismatch of a variant.
struct Mismatch {
    std::string text;  // stage, load, field, expected and found
    Stimulus stimulus; // of the load
};

class Scoreboard
{
  public:
    Scoreboard(const Dut &dut, tl_variant variant) : dut_(dut), has_taps_(dut.has_taps()), variant_(variant)
    {
    }

    void keep_logs()
    {
        keep_logs_ = true;
    }
    void present(const Stimulus &stimulus, uint64_t cycle);
    // The device is reset: every load that is not finished is given up.
    void reset();
    // After settle(): compare what the cycle shows. May be called once per cycle only.
    void observe(const CyclePins &pins, bool load_valid, bool req_ready, uint64_t cycle);
    void hang(uint64_t cycles);
    bool idle() const
    {
        return in_flight_ == 0 && !presented_;
    }
    // A mismatch after which requests can no longer be told apart.
    bool lost() const
    {
        return lost_;
    }

    Tally &tally()
    {
        return tally_;
    }
    const Mismatch &first() const
    {
        return first_;
    }
    // With keep_logs: the first load that mismatched, or the last one, and all its comparisons.
    std::pair<Stimulus, std::string> shown() const
    {
        return {shown_, shown_log_};
    }

  private:
    enum : unsigned { Slots = 4, PendingRequests = 4 };

    // A load from its presentation to its last request. Its requests wait here between the taps before and after
    // req_gen.
    struct Slot {
        ExpectedLoad load;
        std::array<RequestPins, PendingRequests> pending;
        uint64_t pending_in, pending_out;
        uint64_t excess; // requests that the mirror does not have
    };

    void compare(ExpectedLoad &load, const char *stage, const char *field, int index, uint64_t expected,
                 uint64_t found);
    void report(ExpectedLoad &load, const char *stage, const std::string &what);
    void log(ExpectedLoad &load, const char *stage, const char *field, int index, uint64_t expected, uint64_t found);
    void check_mirror(ExpectedLoad &load);
    void check_decode(ExpectedLoad &load);
    void check_product(ExpectedLoad &load);
    void check_setup(ExpectedLoad &load);
    void check_run(Slot &slot);
    void check_request(Slot &slot, const RequestPins &found);
    void check_handshake(const CyclePins &pins, bool req_ready);
    void take_load();
    void finish_load(uint64_t cycle);
    void show(const ExpectedLoad &load);

    Slot &slot(uint64_t number)
    {
        return slots_[number % Slots];
    }

    const Dut &dut_;
    const bool has_taps_;
    tl_variant variant_;
    Tally tally_;
    Mismatch first_;
    Stimulus shown_{};
    std::string shown_log_;
    bool shown_failed_ = false;
    bool keep_logs_ = false;
    bool lost_ = false;

    std::array<Slot, Slots> slots_{};
    uint64_t taken_ = 0;    // loads handed over; the presented one is number taken_
    uint64_t running_ = 0;  // load whose runs leave the counters
    uint64_t finished_ = 0; // load whose requests are seen next
    unsigned in_flight_ = 0;
    bool presented_ = false;
    bool decoded_ = false;

    bool stalled_ = false; // a request was offered and not taken in the cycle before
    RequestPins stalled_request_{};
    bool inside_load_ = false;   // between two requests of one load
    bool next_is_ready_ = false; // the load after the finished one has had the time to be set up
};

} // namespace cosim

#endif
