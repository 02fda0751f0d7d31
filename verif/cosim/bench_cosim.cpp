// SPDX-License-Identifier: Apache-2.0
// Requests per second of processor time: the bare Verilated model with the same loads and stalls, and the full check.
// Best of several rounds, taken in turn, so that a busy machine is equally unkind to both.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <ctime>

#include "case_names.h"
#include "driver.h"
#include "scoreboard.h"

namespace
{

constexpr uint64_t Seed = 1, RandomLoads = 20000;
constexpr int Rounds = 5;

double seconds_now()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Round {
    double seconds;
    uint64_t requests, cycles, mismatches;
};

Round run(tl_variant variant, bool checked)
{
    const std::vector<cosim::CaseLoad> no_cases;
    const auto dut = cosim::make_dut(variant);
    cosim::Scoreboard scoreboard(*dut, variant);
    cosim::Driver driver(*dut, checked ? &scoreboard : nullptr);
    cosim::LoadSource source(no_cases, Seed, RandomLoads);
    const double start = seconds_now();
    driver.run(source);
    return {seconds_now() - start, driver.requests(), driver.cycles(), scoreboard.tally().mismatches};
}

} // namespace

int main()
{
    bool good = true;
    std::printf("%-9s %12s %18s %18s %7s %14s\n", "variant", "requests", "bare, requests/s", "check, requests/s",
                "ratio", "bare, cycles/s");
    for (int variant = TL_BASELINE; variant < TL_VARIANT_COUNT; variant++) {
        double bare_s = 1e9, checked_s = 1e9;
        Round round{};
        for (int k = 0; k < Rounds; k++) {
            round = run(static_cast<tl_variant>(variant), false);
            bare_s = std::min(bare_s, round.seconds);
            round = run(static_cast<tl_variant>(variant), true);
            checked_s = std::min(checked_s, round.seconds);
            good = good && round.mismatches == 0;
        }
        const double requests = static_cast<double>(round.requests);
        std::printf("%-9s %12" PRIu64 " %18.0f %18.0f %7.2f %14.0f\n", tl_variant_names[variant], round.requests,
                    requests / bare_s, requests / checked_s, bare_s / checked_s,
                    static_cast<double>(round.cycles) / bare_s);
    }
    return good ? 0 : 1;
}
