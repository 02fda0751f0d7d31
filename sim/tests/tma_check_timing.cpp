// SPDX-License-Identifier: Apache-2.0
// When reads leave the TMA, how many are in flight, and what the map cache saves.
#include "tlm_suite.h"

#include <algorithm>

#include "../tlm/sim_time.h"
#include "tma_bench.h"

using namespace tilelens;

namespace
{

constexpr uint64_t clock_ps = 1000;

// 64 rows of 128 bytes, 16 KiB apart: a read a row.
tma_job plain_job(uint64_t number)
{
    tma_job job{{}, {}, true};
    tl_tensor_params &params = job.params;
    params.data_type = TL_BFLOAT16;
    params.rank = 2;
    params.global_address = 0x7f0000000000;
    params.global_dim[0] = 8192;
    params.global_dim[1] = 4096;
    params.global_strides[0] = 16384;
    params.box_dim[0] = 64;
    params.box_dim[1] = 64;
    params.element_strides[0] = params.element_strides[1] = 1;
    params.swizzle = TL_SWIZZLE_128B;
    ck_assert_int_eq(tl_tensor_map_encode(&job.command.map, &params), TL_OK);
    job.command.map_address = global_memory::map_address(1);
    job.command.load = {{64 * static_cast<int32_t>(number), 0}, static_cast<uint32_t>(number) << 16};
    return job;
}

tma_config round_config()
{
    tma_config config;
    config.clock_period = time_of(clock_ps);
    config.max_reads_per_load = 64;
    return config;
}

// A bench that notes when things happen; late_ps 0: memory answers at once.
class timing_bench
{
public:
    explicit timing_bench(const tma_config &config, uint64_t late_ps = 0)
        : bench("bench", config, 1, late_ps)
    {
        bench.on_request = [this](const tlm::tlm_generic_payload &trans) {
            (global_memory::is_map(trans.get_address()) ? map_ps : read_ps).push_back(now_ps());
        };
    }

    void add(const tma_job &job)
    {
        bench.global.put_map(job.command.map_address, job.command.map);
        bench.add(job);
    }
    void run()
    {
        sc_core::sc_start();
        const std::string verdict = bench.verdict();
        ck_assert_msg(verdict.empty(), "%s", verdict.c_str());
    }

    tma_bench bench;
    std::vector<uint64_t> map_ps, read_ps;
};

START_TEST(setup_then_one_request_a_cycle)
{
    timing_bench at(round_config());
    at.add(plain_job(0));
    at.run();
    ck_assert_uint_eq(at.map_ps.size(), 1);
    ck_assert_uint_eq(at.map_ps[0], 0); // its answer is looked at on the next edge
    ck_assert_uint_eq(at.read_ps.size(), 64);
    for (uint64_t k = 0; k < 64; k++) {
        ck_assert_uint_eq(at.read_ps[k], (171 + k) * clock_ps);
    }
}
END_TEST

START_TEST(rtl_sets_up_within_the_same_time)
{
    tma_config config = round_config();
    config.engine = tma_engine::rtl;
    if (make_rtl_engine(TL_GENERAL) == nullptr) {
        return;
    }
    timing_bench at(config);
    at.add(plain_job(0));
    at.run();
    for (uint64_t k = 0; k < 64; k++) {
        ck_assert_uint_eq(at.read_ps[k], (171 + k) * clock_ps);
    }
}
END_TEST

START_TEST(rtl_without_setup_takes_its_own)
{
    tma_config config = round_config();
    config.engine = tma_engine::rtl;
    config.setup_cycles = 0;
    if (make_rtl_engine(TL_GENERAL) == nullptr) {
        return;
    }
    timing_bench at(config);
    at.add(plain_job(0));
    at.run();
    ck_assert_uint_gt(at.read_ps[0], 8 * clock_ps);
    ck_assert_uint_le(at.read_ps[0], 60 * clock_ps);
    ck_assert_uint_eq(at.read_ps[63] - at.read_ps[0], 63 * clock_ps);
}
END_TEST

START_TEST(tile_major_set_up_is_longer)
{
    tma_job job = plain_job(0);
    job.params.has_tile_major = true;
    job.params.tile_major = {16384, {64, 32}, job.params.global_address};
    ck_assert_int_eq(tl_tensor_map_encode(&job.command.map, &job.params), TL_OK);
    timing_bench at(round_config());
    at.add(job);
    at.run();
    ck_assert_uint_eq(at.read_ps[0], 178 * clock_ps);
}
END_TEST

START_TEST(starts_keep_the_issue_gap)
{
    tma_config config = round_config();
    config.issue_gap_cycles = 100;
    timing_bench at(config);
    for (uint64_t k = 0; k < 3; k++) {
        at.add(plain_job(k));
    }
    at.run();
    for (uint64_t k = 0; k < 3; k++) {
        ck_assert_uint_eq(at.read_ps[64 * k], (170 + 100 * k + (k == 0)) * clock_ps);
    }
}
END_TEST

// The set-up of the next load hides behind the reads of the one before.
START_TEST(reads_of_loads_follow_each_other)
{
    timing_bench at(round_config());
    for (uint64_t k = 0; k < 4; k++) {
        at.add(plain_job(k));
    }
    at.run();
    ck_assert_uint_eq(at.read_ps.size(), 256);
    ck_assert_uint_eq(at.read_ps[255], (171 + 255) * clock_ps);
}
END_TEST

START_TEST(reads_in_flight_are_bounded)
{
    tma_config config = round_config();
    config.max_reads = _i == 0 ? 5 : 384;
    config.max_reads_per_load = _i == 0 ? 64 : 7;
    timing_bench at(config, 300000);
    at.bench.global_target().fixed = true;
    at.add(plain_job(0));
    at.run();
    ck_assert_uint_eq(at.bench.global_target().most_in_flight, _i == 0 ? 5 : 7);
}
END_TEST

// Behind back-pressure too there is a read a cycle at most.
START_TEST(reads_never_bunch)
{
    timing_bench at(round_config(), 100000);
    for (uint64_t k = 0; k < 4; k++) {
        at.add(plain_job(k));
    }
    at.run();
    ck_assert_uint_eq(at.read_ps.size(), 256);
    for (size_t k = 1; k < at.read_ps.size(); k++) {
        ck_assert_uint_ge(at.read_ps[k], at.read_ps[k - 1] + clock_ps);
    }
}
END_TEST

START_TEST(map_is_fetched_once)
{
    timing_bench at(round_config());
    for (uint64_t k = 0; k < 5; k++) {
        at.add(plain_job(k));
    }
    at.run();
    ck_assert_uint_eq(at.map_ps.size(), 1);
    ck_assert_uint_eq(at.bench.dut.counters().map_fetches, 1);
    ck_assert_uint_eq(at.bench.dut.counters().map_hits, 4);
}
END_TEST

// After a change of the map in memory: the old one as long as nobody says so, then the new one.
START_TEST(invalidation_brings_the_new_map)
{
    timing_bench at(round_config());
    tma_job changed = plain_job(2);
    changed.params.global_address += 1 << 20;
    ck_assert_int_eq(tl_tensor_map_encode(&changed.command.map, &changed.params), TL_OK);
    tma_job stale = plain_job(1);
    at.bench.on_completion = [&](const tma_completion &done) {
        if (done.ticket == 1) {
            at.bench.global.put_map(changed.command.map_address, changed.command.map);
            at.bench.add(stale);
        } else if (done.ticket == 2) {
            if (_i == 0) {
                at.bench.dut.invalidate_map(changed.command.map_address);
            } else {
                at.bench.dut.invalidate_all_maps();
            }
            at.bench.add(changed);
        }
    };
    at.add(plain_job(0));
    at.run(); // data are checked against each job's own parameters
    ck_assert_uint_eq(at.map_ps.size(), 2);
}
END_TEST

START_TEST(oldest_map_leaves_a_full_cache)
{
    tma_config config = round_config();
    config.map_cache_entries = 2;
    timing_bench at(config);
    const uint64_t order[] = {1, 2, 1, 3, 1, 2};
    for (uint64_t k = 0; k < 6; k++) {
        tma_job job = plain_job(k);
        job.command.map_address = global_memory::map_address(order[k]);
        at.add(job);
    }
    at.run();
    ck_assert_uint_eq(at.bench.dut.counters().map_fetches, 4); // 1, 2, 3, and 2 once more
}
END_TEST

START_TEST(prefetched_map_is_there)
{
    timing_bench at(round_config());
    tma_job job = plain_job(0);
    job.command.operation = tma_operation::prefetch_map;
    at.bench.check_data = false;
    at.add(job);
    at.run();
    ck_assert_uint_eq(at.map_ps.size(), 1);
    ck_assert_uint_eq(at.read_ps.size(), 0);
    ck_assert_int_eq(static_cast<int>(at.bench.completions[0].fault), static_cast<int>(tma_fault::none));
}
END_TEST

START_TEST(misaligned_addresses_fail_before_the_first_read)
{
    timing_bench at(round_config());
    tma_job map = plain_job(0), barrier = plain_job(1);
    map.command.map_address += 8;
    barrier.command.mbarrier_address = 4;
    at.bench.check_data = false;
    at.bench.add(map);
    at.bench.add(barrier);
    at.run();
    ck_assert_int_eq(static_cast<int>(at.bench.completions[0].fault), static_cast<int>(tma_fault::map_read));
    ck_assert_int_eq(static_cast<int>(at.bench.completions[1].fault), static_cast<int>(tma_fault::mbarrier));
    ck_assert_uint_eq(at.read_ps.size() + at.map_ps.size(), 0);
}
END_TEST

START_TEST(merged_reads_are_whole_tiles)
{
    tma_job job = plain_job(0);
    job.params.has_tile_major = true;
    job.params.tile_major = {16384, {64, 32}, job.params.global_address};
    ck_assert_int_eq(tl_tensor_map_encode(&job.command.map, &job.params), TL_OK);
    tma_config config = round_config();
    config.access_bytes = 4096;
    config.merge_entries = 1;
    timing_bench at(config);
    at.add(job);
    at.run();
    ck_assert_uint_eq(at.bench.reads.size(), 2); // 64 columns of 64 rows: two memory tiles of 4096 bytes
    ck_assert_uint_eq(at.bench.reads[0].bytes, 4096);
    ck_assert_uint_eq(at.bench.reads[1].bytes, 4096);
    ck_assert_uint_eq(at.read_ps[1] - at.read_ps[0], 32 * clock_ps); // the engine gives a request a cycle
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("timing");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, setup_then_one_request_a_cycle);
    tcase_add_test(tests, rtl_sets_up_within_the_same_time);
    tcase_add_test(tests, rtl_without_setup_takes_its_own);
    tcase_add_test(tests, tile_major_set_up_is_longer);
    tcase_add_test(tests, starts_keep_the_issue_gap);
    tcase_add_test(tests, reads_of_loads_follow_each_other);
    tcase_add_loop_test(tests, reads_in_flight_are_bounded, 0, 2);
    tcase_add_test(tests, reads_never_bunch);
    tcase_add_test(tests, map_is_fetched_once);
    tcase_add_loop_test(tests, invalidation_brings_the_new_map, 0, 2);
    tcase_add_test(tests, oldest_map_leaves_a_full_cache);
    tcase_add_test(tests, prefetched_map_is_there);
    tcase_add_test(tests, misaligned_addresses_fail_before_the_first_read);
    tcase_add_test(tests, merged_reads_are_whole_tiles);
    return tests;
}
