// SPDX-License-Identifier: Apache-2.0
// Loads through the sockets: every byte of shared memory against the oracle, both engines against each other.
#include "tlm_suite.h"

#include <algorithm>
#include <filesystem>

#include "case_file.h"
#include "random_load.h"
#include "tma_bench.h"

using namespace tilelens;

namespace
{

constexpr uint64_t shared_end = uint64_t{1} << 32, shared_grain = 2048;

unsigned long count_from(const char *name, unsigned long otherwise)
{
    const char *text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

bool has_rtl()
{
    return make_rtl_engine(TL_GENERAL) != nullptr;
}

// Gives each load room of its own in shared memory, at the phase of the swizzle that it asked for.
class job_maker
{
public:
    explicit job_maker(uint64_t seed) : m_random(tl_random_from(seed)) {}

    tma_job make(const tl_tensor_params &params, const tl_tensor_map &map, tl_load load, bool legal)
    {
        if (legal) {
            const uint64_t bytes = (tl_load_footprint_bytes(&map) / shared_grain + 2) * shared_grain;
            m_shared = m_shared + bytes > shared_end ? 0 : m_shared;
            load.shared_address = static_cast<uint32_t>(m_shared + load.shared_address % (shared_grain / 2));
            m_shared += bytes;
        }
        tma_job job{{}, params, legal};
        job.command.operation = tl_random_below(&m_random, 16) == 0 ? tma_operation::prefetch : tma_operation::load;
        job.legal = legal || (job.command.operation == tma_operation::prefetch && is_launch(map, load));
        job.command.inline_map = tl_random_below(&m_random, 4) == 0;
        job.command.map = map;
        job.command.map_address = global_memory::map_address(m_count++);
        job.command.load = load;
        job.command.mbarrier_address = static_cast<uint32_t>(8 * tl_random_below(&m_random, 64));
        return job;
    }

    tma_job random(uint64_t seed, uint64_t index)
    {
        tl_random_load load;
        tl_random_load_make(&load, seed, index);
        return make(load.params, load.map, load.load, load.legal);
    }

private:
    static bool is_launch(const tl_tensor_map &map, tl_load load)
    {
        load.shared_address = 0;
        return tl_launch_check(&map, &load) == TL_OK;
    }

    tl_random m_random;
    uint64_t m_shared = 0, m_count = 0;
};

std::vector<tma_job> random_jobs(uint64_t seed, unsigned long count)
{
    job_maker maker(seed);
    std::vector<tma_job> jobs;
    for (unsigned long k = 0; k < count; k++) {
        jobs.push_back(maker.random(seed, k));
    }
    return jobs;
}

std::vector<tma_job> case_jobs()
{
    job_maker maker(1);
    std::vector<tma_job> jobs;
    for (const auto &entry : std::filesystem::directory_iterator("../../configs/cases")) {
        tl_case in;
        tl_tensor_map map;
        char error[TL_CASE_ERROR_BYTES];
        const std::string path = entry.path().string();
        if (entry.path().extension() == ".yaml") {
            ck_assert_msg(tl_case_load(path.c_str(), &in, error, sizeof error) == 0, "%s", error);
            ck_assert_msg(tl_case_launch(path.c_str(), &in, &map, error, sizeof error) == 0, "%s", error);
            jobs.push_back(maker.make(in.params, map, in.load, true));
        }
    }
    ck_assert_uint_gt(jobs.size(), 100);
    return jobs;
}

void give(tma_bench &bench, const std::vector<tma_job> &jobs)
{
    for (const tma_job &job : jobs) {
        bench.global.put_map(job.command.map_address, job.command.map);
        bench.add(job);
    }
}

void expect_good(tma_bench &bench)
{
    const std::string verdict = bench.verdict();
    ck_assert_msg(verdict.empty(), "%s: %s", bench.name(), verdict.c_str());
}

void expect_same_results(const tma_bench &left, const tma_bench &right)
{
    ck_assert_uint_eq(left.completions.size(), right.completions.size());
    for (size_t k = 0; k < left.completions.size(); k++) {
        const tma_completion &a = left.completions[k], &b = right.completions[k];
        ck_assert_msg(a.fault == b.fault && a.status == b.status && a.response == b.response &&
                          a.address == b.address && a.bytes == b.bytes,
                      "command %zu: %s and %s", k + 1, name_of(a.fault), name_of(b.fault));
    }
}

tma_config fast_config()
{
    tma_config config;
    config.issue_gap_cycles = 2;
    config.setup_cycles = 20;
    return config;
}

// A configuration for each of several runs.
tma_config config_of(unsigned long n)
{
    tma_config config = fast_config();
    config.variant = n % 4 == 1 ? TL_PAPER : n % 4 == 2 ? TL_BASELINE : TL_GENERAL;
    config.access_bytes = n % 3 == 0 ? 128u : n % 3 == 1 ? 4096u : 32u;
    config.sector_bytes = n % 2 == 0 ? 32u : 1u;
    config.merge_entries = n % 3 == 1 ? 1 + static_cast<uint32_t>(n) : 0;
    config.max_reads_per_load = n % 5 == 0 ? 3u : 48u;
    config.queue_entries = n % 2 == 0 ? 16u : 2u;
    config.issue_gap_cycles = n % 2 == 0 ? 2u : 0u;
    config.setup_cycles = n % 4 == 0 ? 0u : 60u;
    return config;
}

void break_some(tma_bench &bench, const tma_config &config)
{
    bench.global.failing = {config.access_bytes, 200};
    bench.global.failing_maps = {global_memory::map_bytes, 60};
    bench.shared.failing = {128, 800};
}

// ---- tests ----

START_TEST(cases_arrive)
{
    tma_config config = config_of(static_cast<unsigned long>(_i));
    config.variant = TL_GENERAL;
    tma_bench bench("bench", config, 7, 400000);
    give(bench, case_jobs());
    sc_core::sc_start();
    expect_good(bench);
}
END_TEST

START_TEST(random_loads_arrive)
{
    const tma_config config = config_of(static_cast<unsigned long>(_i));
    tma_bench bench("bench", config, 11 + static_cast<uint64_t>(_i), _i == 1 ? 0 : 500000);
    give(bench, random_jobs(100 + static_cast<uint64_t>(_i), count_from("TILELENS_TMA_LOADS", 400)));
    sc_core::sc_start();
    expect_good(bench);
}
END_TEST

START_TEST(errors_are_surfaced)
{
    const tma_config config = config_of(static_cast<unsigned long>(_i));
    tma_bench bench("bench", config, 23, 500000);
    break_some(bench, config);
    give(bench, random_jobs(200 + static_cast<uint64_t>(_i), count_from("TILELENS_TMA_LOADS", 400)));
    sc_core::sc_start();
    expect_good(bench);
    ck_assert_uint_gt(bench.dut.counters().failed, 0);
}
END_TEST

START_TEST(loose_loads_arrive)
{
    tma_config config = config_of(static_cast<unsigned long>(_i));
    config.timing = tma_timing::loose;
    config.engine = _i % 2 == 1 && has_rtl() ? tma_engine::rtl : tma_engine::c;
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(_i % 3, sc_core::SC_US));
    tma_bench bench("bench", config, 29, 50000);
    if (_i >= 3) {
        break_some(bench, config);
    }
    give(bench, random_jobs(300 + static_cast<uint64_t>(_i), count_from("TILELENS_TMA_LOADS", 400)));
    sc_core::sc_start();
    expect_good(bench);
}
END_TEST

// The same commands into both engines, with targets that behave differently: the same reads in the same order, the same
// shared memory (each against the oracle), the same result of every command.
void compare_engines(unsigned long n, const std::vector<tma_job> &jobs, bool errors)
{
    tma_config config = config_of(n);
    tma_bench c("c", config, 31 + n, 300000);
    config.engine = tma_engine::rtl;
    tma_bench rtl("rtl", config, 41 + n, 700000);
    for (tma_bench *bench : {&c, &rtl}) {
        if (errors) {
            break_some(*bench, config);
        }
        give(*bench, jobs);
    }
    sc_core::sc_start();
    expect_good(c);
    expect_good(rtl);
    expect_same_results(c, rtl);
    ck_assert_uint_gt(c.reads.size(), 0);
    ck_assert_uint_eq(c.reads.size(), rtl.reads.size());
    for (size_t k = 0; k < c.reads.size(); k++) {
        ck_assert_msg(c.reads[k] == rtl.reads[k], "read %zu: 0x%llx and 0x%llx", k,
                      static_cast<unsigned long long>(c.reads[k].address),
                      static_cast<unsigned long long>(rtl.reads[k].address));
    }
}

START_TEST(engines_agree_on_cases)
{
    if (has_rtl()) {
        compare_engines(static_cast<unsigned long>(_i), case_jobs(), false);
    }
}
END_TEST

START_TEST(engines_agree_on_random_loads)
{
    if (has_rtl()) {
        const auto n = static_cast<unsigned long>(_i);
        compare_engines(n, random_jobs(400 + n, count_from("TILELENS_TMA_LOADS", 400)), n >= 4);
    }
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("loads");
    tcase_set_timeout(tests, 3600);
    tcase_add_loop_test(tests, cases_arrive, 0, 3);
    tcase_add_loop_test(tests, random_loads_arrive, 0, 6);
    tcase_add_loop_test(tests, errors_are_surfaced, 0, 4);
    tcase_add_loop_test(tests, loose_loads_arrive, 0, 6);
    tcase_add_loop_test(tests, engines_agree_on_cases, 0, 3);
    tcase_add_loop_test(tests, engines_agree_on_random_loads, 0, 8);
    return tests;
}
