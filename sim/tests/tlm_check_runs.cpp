// SPDX-License-Identifier: Apache-2.0
// Whole runs of small machines over all memories, layouts, prefetchers and limits: every byte and every request arrives
// once, and no socket sees a broken rule of the base protocol.
#include "tlm_machine.h"

using namespace tilelens;

namespace
{

const struct memory_case {
    const char *system;
    bool flash;
} memories[] = {
    {"h200_hbm", false}, {"h200_rome", false}, {"h200_hbf", true}, {"h200_hbf_strict", true}, {"h200_hbf_sram", true},
};

const char *const layouts[] = {"column_major", "row_major", "tile_major"};

const settings prefetchers[] = {
    {"prefetch=none"},
    {"prefetch=adaptive"},
    {"prefetch=forced", "forced_degree=4"},
};

const settings workloads[] = {
    small_workload,
    // one thread block of one K-step a product
    {"workload.hidden=16", "workload.intermediate=16", "workload.experts=1", "workload.top_k=1", "workload.batch=1",
     "workload.tile_n=16", "workload.tile_k=16", "workload.memory_tile=[16, 16]"},
    // one token, half a tile of columns, many tiles in flight
    {"workload.hidden=1040", "workload.intermediate=72", "workload.experts=3", "workload.top_k=1", "workload.batch=1",
     "workload.tile_n=128", "workload.tile_k=32", "workload.stages=6", "workload.tiles_in_flight=6"},
    // dense, bytes, blocks of tokens that share their weights
    {"workload.hidden=512", "workload.intermediate=176", "workload.experts=1", "workload.top_k=1", "workload.batch=33",
     "workload.element_bytes=1", "workload.gated=false", "workload.tile_n=64", "workload.tile_k=128",
     "workload.group_size_m=3", "workload.memory_tile=[128, 32]"},
};

constexpr int memory_count = std::size(memories), layout_count = std::size(layouts);
constexpr int prefetcher_count = std::size(prefetchers), workload_count = std::size(workloads);

void expect_conserved(machine &machine)
{
    const tl_statistics &statistics = machine.run();
    const std::string violation = machine.links.violation();
    ck_assert_msg(violation.empty(), "%s", violation.c_str());
    ck_assert_int_eq(check_run("run", machine.system, statistics), 0);
    ck_assert_uint_eq(statistics.bytes.weights_asked, tl_workload_asked_weight_bytes(machine.workload));
    ck_assert_uint_eq(statistics.bytes.tma_delivered, statistics.bytes.tma_asked);
    ck_assert_uint_eq(machine.links.ended("l2.channels"), statistics.sent.count);
    ck_assert_uint_eq(statistics.channel_reads + statistics.caches.sram_hits, statistics.sent.count);
    ck_assert_uint_gt(machine.links.ended("gpu.slices"), 0);
}

START_TEST(every_byte_arrives_once)
{
    const memory_case &memory = memories[_i / workload_count / prefetcher_count / layout_count];
    const settings &prefetcher = prefetchers[_i / workload_count / layout_count % prefetcher_count];
    if (!memory.flash && &prefetcher != prefetchers) {
        return; // only flash has a prefetcher
    }
    machine machine(small_machine + system_named(memory.system) +
                    settings{std::string("layout=") + layouts[_i / workload_count % layout_count]} + prefetcher +
                    workloads[_i % workload_count]);
    expect_conserved(machine);
}
END_TEST

// ---- limits: every queue and every MSHR full, at the same time ----

const settings limits[] = {
    {"system.mshr.page_entries=1", "system.mshr.line_entries=4"},
    {"system.hbf.queue_entries=1", "system.hbm.read_queue_entries=1", "system.hbm.write_queue_entries=1",
     "system.rome.queue_entries=1", "system.hbm.write_drain_high=1", "system.hbm.write_drain_low=0"},
    {"system.mshr.page_entries=3", "system.mshr.line_entries=8", "system.hbf.queue_entries=2",
     "system.hbm.read_queue_entries=2", "system.rome.queue_entries=2", "system.l2.slices=1"},
    {"system.l2.ways=1", "system.l2.slice_bytes_per_clock=1", "system.noc.gbytes_per_s=1"},
    {"system.l2.replacement=random", "system.l2.set_index=modulo", "system.placement.page_map=modulo"},
    {"system.refresh.mode=per_bank", "system.placement.page_map=hashed", "system.hbm.timing=full"},
    {"system.refresh.mode=none", "system.hbm.timing=bus", "system.hbf.planes_per_channel=1"},
    {"system.noc.latency_ns=0", "system.l2.latency_ns=0", "system.gpu.tma_setup_clocks=0"},
    {"system.hbm.request_bytes=64", "system.gpu.sm_count=1", "system.hbf.read_latency_us=0.001"},
};
constexpr int limit_count = std::size(limits);

START_TEST(every_byte_arrives_once_when_all_is_full)
{
    const memory_case &memory = memories[_i / limit_count];
    machine machine(small_machine + system_named(memory.system) + (memory.flash ? prefetchers[2] : prefetchers[0]) +
                    settings{"layout=row_major"} + small_workload + limits[_i % limit_count]);
    expect_conserved(machine);
}
END_TEST

// The buffer answers while channels answer, over and over again.
START_TEST(the_sram_buffer_is_read)
{
    machine machine(small_machine + system_named("h200_hbf_sram") + settings{"layout=row_major"} + prefetchers[2] +
                    settings{"workload.hidden=2048", "workload.experts=3", "workload.top_k=1"});
    expect_conserved(machine);
    ck_assert_uint_gt(machine.system.settle().caches.sram_hits, 100);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("runs");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_byte_arrives_once, 0,
                        memory_count * prefetcher_count * layout_count * workload_count);
    tcase_add_loop_test(tests, every_byte_arrives_once_when_all_is_full, 0, memory_count * limit_count);
    tcase_add_test(tests, the_sram_buffer_is_read);
    return tests;
}
