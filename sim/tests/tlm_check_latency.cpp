// SPDX-License-Identifier: Apache-2.0
// What a parameter does to a run: of each pair of runs one parameter differs, and the difference follows from its
// meaning. SystemC elaborates once in a process, so each run has its own.
#include <sys/wait.h>
#include <unistd.h>

#include "../tlm/sim_time.h"
#include "tlm_machine.h"

using namespace tilelens;

namespace
{

constexpr uint64_t ns = 1000, us = 1000 * ns;

struct outcome {
    uint64_t time_ps, prefetch_demands, tile_bytes, lookups, weight_accesses;
};

outcome outcome_of(const settings &keys)
{
    int ends[2];
    outcome found = {};
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        machine machine(keys);
        const tl_statistics &statistics = machine.run();
        found = {now_ps(), statistics.prefetch.demands, statistics.bytes.tma_delivered,
                 statistics.caches.l2_hits + statistics.caches.l2_misses, statistics.tiles.accesses};
        const bool written = write(ends[1], &found, sizeof found) == sizeof found;
        _exit(written && check_run("run", machine.system, statistics) == 0 ? 0 : 1);
    }
    int status = 1;
    ck_assert_int_eq(static_cast<int>(read(ends[0], &found, sizeof found)), static_cast<int>(sizeof found));
    waitpid(child, &status, 0);
    ck_assert_int_eq(status, 0);
    close(ends[0]);
    close(ends[1]);
    return found;
}

// Two products of one thread block and one K-step each: two tiles, the second behind the first.
constexpr uint64_t tiles = 2, clock_khz = 1830000;
const settings two_tiles =
    small_machine + system_named("h200_hbf") +
    settings{"workload.hidden=16", "workload.intermediate=16", "workload.experts=1", "workload.top_k=1",
             "workload.batch=1", "workload.gated=false", "workload.tile_n=16", "workload.tile_k=16",
             "workload.memory_tile=[16, 16]", "prefetch=none", "system.refresh.mode=none"};

const struct parameter {
    const char *key, *low, *high;
    uint64_t later_ps; // of a tile
} parameters[] = {
    {"system.gpu.tma_setup_clocks", "0", "1000", 1000 * UINT64_C(1000000000) / clock_khz},
    {"system.noc.latency_ns", "0", "200", 200 * ns},
    {"system.l2.latency_ns", "0", "100", 100 * ns},
    {"system.hbf.read_latency_us", "1", "3", 2 * us},
};

// Times are rounded up to clock edges on the way, four times at most.
START_TEST(a_parameter_delays_each_tile_by_itself)
{
    const parameter &p = parameters[_i];
    const std::string key = std::string(p.key) + "=";
    const uint64_t low = outcome_of(two_tiles + settings{key + p.low}).time_ps;
    const uint64_t high = outcome_of(two_tiles + settings{key + p.high}).time_ps;
    const uint64_t slack = 4 * tiles * UINT64_C(1000000000) / clock_khz;
    ck_assert_msg(high - low + slack >= tiles * p.later_ps && high - low <= tiles * p.later_ps + slack,
                  "%s: found %llu ps, expected %llu", p.key, static_cast<unsigned long long>(high - low),
                  static_cast<unsigned long long>(tiles * p.later_ps));
}
END_TEST

// All that comes to the SMs passes a port of theirs, and a network with a limit: a run takes as long as its bytes need,
// and a little longer.
START_TEST(a_narrow_way_takes_its_time)
{
    const settings one_sm = small_machine + system_named("h200_hbf") + small_workload +
                            settings{"layout=tile_major", "prefetch=none", "system.gpu.sm_count=1"};
    const outcome wide = outcome_of(one_sm);
    const outcome port = outcome_of(one_sm + settings{"system.gpu.sm_port_bytes_per_clock=1"});
    const outcome network = outcome_of(one_sm + settings{"system.noc.gbytes_per_s=1"});
    const uint64_t port_ps = port.tile_bytes * UINT64_C(1000000000) / clock_khz, network_ps = network.tile_bytes * ns;
    ck_assert_uint_ge(port.time_ps, port_ps);
    ck_assert_uint_le(port.time_ps, port_ps + wide.time_ps);
    ck_assert_uint_ge(network.time_ps, network_ps);
    ck_assert_uint_le(network.time_ps, network_ps + wide.time_ps);
}
END_TEST

// Thread blocks that share rows of activations look them up once: 4 rows in 4 K-steps of the first product, which has two
// thread blocks, and in 2 K-steps of the second one, which has four.
START_TEST(shared_activations_are_looked_up_once)
{
    const outcome found = outcome_of(two_tiles + settings{"workload.batch=4", "workload.tile_m=16", "workload.hidden=64",
                                                          "workload.intermediate=32"});
    ck_assert_uint_eq(found.lookups, found.weight_accesses + 4 * (4 + 2));
}
END_TEST

// ---- prefetches ----

const settings prefetching = small_machine + system_named("h200_hbf") + small_workload +
                             settings{"layout=row_major", "prefetch=forced", "forced_degree=4"};

// A demand that meets a prefetch in a channel's queue moves it up.
START_TEST(promotion_saves_time)
{
    const outcome promoted = outcome_of(prefetching + settings{"system.prefetch.promote=true"});
    const outcome queued = outcome_of(prefetching + settings{"system.prefetch.promote=false"});
    ck_assert_uint_lt(promoted.time_ps, queued.time_ps);
    ck_assert_uint_eq(promoted.prefetch_demands, queued.prefetch_demands);
}
END_TEST

// The prefetcher hears of every demand, of those that waited for an MSHR too.
START_TEST(parked_demands_are_told)
{
    const outcome free = outcome_of(prefetching);
    const outcome parked = outcome_of(prefetching + settings{"system.mshr.page_entries=1"});
    ck_assert_uint_gt(free.prefetch_demands, 0);
    ck_assert_uint_eq(free.prefetch_demands, parked.prefetch_demands);
    ck_assert_uint_lt(free.time_ps, parked.time_ps);
}
END_TEST

// ---- what the GPU tells the prefetcher ----

struct wave_log final : tlm::tlm_analysis_if<wave_event> {
    std::vector<wave_event> events;
    void write(const wave_event &event) override { events.push_back(event); }
};

// The start of a kernel, and each retirement but the last of a kernel: as many as thread blocks. Towards the end of a
// kernel fewer run than before.
START_TEST(thread_blocks_that_retire_are_told)
{
    machine machine(small_machine + system_named("h200_hbf") + small_workload + settings{"layout=row_major"});
    const tl_load_source &source = *tl_workload_source(machine.workload);
    wave_log log;
    machine.system.processors().waves.bind(log);
    machine.run();
    uint64_t thread_blocks = 0, falls = 0;
    for (uint32_t k = 0; k < source.kernel_count; k++) {
        thread_blocks += source.kernels[k].cta_count;
    }
    for (size_t n = 1; n < log.events.size(); n++) {
        falls += log.events[n].active_ctas < log.events[n - 1].active_ctas;
    }
    ck_assert_uint_eq(log.events.size(), thread_blocks);
    ck_assert_uint_gt(falls, 0);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("latency");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_parameter_delays_each_tile_by_itself, 0, static_cast<int>(std::size(parameters)));
    tcase_add_test(tests, a_narrow_way_takes_its_time);
    tcase_add_test(tests, shared_activations_are_looked_up_once);
    tcase_add_test(tests, promotion_saves_time);
    tcase_add_test(tests, parked_demands_are_told);
    tcase_add_test(tests, thread_blocks_that_retire_are_told);
    return tests;
}
