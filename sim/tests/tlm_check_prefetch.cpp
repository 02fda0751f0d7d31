// SPDX-License-Identifier: Apache-2.0
// The prefetcher as a module: what it asks for at which degree, what it does when the L2 has no room, and how late
// prefetches are counted. The test stands for the L2 and the GPU.
#include "tlm_suite.h"

#include <tlm_utils/simple_target_socket.h>

#include "../prefetch/prefetch_module.h"
#include "../tlm/sim_time.h"

using namespace tilelens;

namespace
{

constexpr uint64_t page = 4096, base = 1 << 20, ns = 1000;

// One matrix of 64 pages in one run; a K-step is a page further.
const tl_prefetch_tensor tensor = {base, 64 * page, 64 * page, page};

// B x L is 12 pages, taken twice.
tl_degree_config degree_config(tl_degree_reach reach)
{
    return {12 * page * UINT64_C(1000000), 1000 * ns, page, 2000, TL_FLOOR_OF_PRODUCT, reach, TL_DEGREE_NOT_FORCED};
}

struct bench final : sc_core::sc_module {
    bench(const sc_core::sc_module_name &name, tl_degree_reach reach)
        : sc_module(name), pages("pages"), waves("waves"),
          dut("dut", {&tensor, 1, page, TL_PREFETCH_ON_DEMAND, TL_PREFETCH_ALL}, degree_config(reach)), l2("l2")
    {
        l2.register_nb_transport_fw(this, &bench::nb_transport_fw);
        dut.socket.bind(l2);
        pages.bind(dut.pages);
        waves.bind(dut.waves);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &, sc_core::sc_time &)
    {
        const auto *info = trans.get_extension<memory_info>();
        ck_assert_ptr_nonnull(info);
        ck_assert_int_eq(trans.get_command(), tlm::TLM_IGNORE_COMMAND);
        asked.push_back({(trans.get_address() - base) / page, info->mem_class});
        trans.set_response_status(has_room ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }

    void demand(uint64_t number, tl_demand_outcome outcome = TL_DEMAND_MISS)
    {
        asked.clear();
        pages.write({page_event::demand, base + number * page, outcome, TL_TIER_L2});
    }
    void filled(uint64_t number) { pages.write({page_event::filled, base + number * page, TL_DEMAND_MISS, TL_TIER_L2}); }
    static void pass(uint64_t ps) { sc_core::sc_start(time_of(ps)); } // 0: the beginning of the simulation

    // What the last demand made it ask for.
    void expect(const std::vector<uint64_t> &near, const std::vector<uint64_t> &far = {})
    {
        std::vector<uint64_t> found[2];
        for (const auto &[number, mem_class] : asked) {
            found[mem_class == TL_MEM_PREFETCH_FAR].push_back(number);
        }
        ck_assert(found[0] == near);
        ck_assert(found[1] == far);
    }

    tlm::tlm_analysis_port<page_event> pages;
    tlm::tlm_analysis_port<wave_event> waves;
    prefetcher dut;
    tlm_utils::simple_target_socket<bench> l2;
    bool has_room = true;
    std::vector<std::pair<uint64_t, tl_mem_class>> asked;
};

// Eq. 6 by hand: 2 x 12 pages over active thread blocks x pages of a tile, at most the K-steps; 0 before the first.
START_TEST(the_degree_follows_the_thread_blocks)
{
    bench bench("bench", TL_REACH_NEAR_ONLY);
    bench.pass(0);
    bench.demand(0);
    bench.expect({});
    bench.waves.write({4, 2, 50}); // 24 / 8
    bench.demand(1);
    bench.expect({2, 3, 4});
    bench.waves.write({2, 2, 50}); // 24 / 4: half of them have retired
    bench.demand(2);
    bench.expect({5, 6, 7, 8});
    bench.waves.write({1, 2, 5}); // 24 / 2, but there are only 5 K-steps
    ck_assert_uint_eq(bench.dut.degree().near, 5);
    bench.waves.write({0, 2, 50});
    bench.demand(3);
    bench.expect({});
}
END_TEST

START_TEST(the_far_tier_is_asked_for_as_far)
{
    bench bench("bench", TL_REACH_TWICE);
    bench.pass(0);
    bench.waves.write({6, 2, 50}); // 24 / 12
    bench.demand(0);
    bench.expect({1, 2}, {3, 4});
}
END_TEST

// What was refused is asked for again by the next demand, and is not counted.
START_TEST(a_refused_prefetch_is_forgotten)
{
    bench bench("bench", TL_REACH_NEAR_ONLY);
    bench.pass(0);
    bench.waves.write({4, 2, 50});
    bench.has_room = false;
    bench.demand(0);
    bench.expect({1, 2, 3});
    ck_assert_uint_eq(bench.dut.counters().issued[TL_TIER_L2], 0);
    bench.has_room = true;
    bench.demand(0, TL_DEMAND_MERGE);
    bench.expect({1, 2, 3});
    ck_assert_uint_eq(bench.dut.counters().issued[TL_TIER_L2], 3);
}
END_TEST

// From each demand that meets a prefetch on its way to its arrival, summed: 50 and 20 ns here, then nothing more.
START_TEST(late_prefetches_are_timed)
{
    bench bench("bench", TL_REACH_NEAR_ONLY);
    bench.pass(0);
    bench.waves.write({4, 2, 50});
    bench.demand(0);
    bench.pass(100 * ns);
    bench.demand(1, TL_DEMAND_MERGE);
    bench.pass(30 * ns);
    bench.demand(1, TL_DEMAND_MERGE);
    bench.pass(20 * ns);
    ck_assert_uint_eq(bench.dut.late_ps(), 0);
    bench.filled(1);
    ck_assert_uint_eq(bench.dut.late_ps(), (50 + 20) * ns);
    bench.pass(40 * ns);
    bench.filled(2); // in time
    bench.demand(2, TL_DEMAND_HIT);
    bench.pass(40 * ns);
    ck_assert_uint_eq(bench.dut.late_ps(), (50 + 20) * ns);
    ck_assert_uint_eq(bench.dut.counters().late, 2);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("prefetch");
    tcase_add_test(tests, the_degree_follows_the_thread_blocks);
    tcase_add_test(tests, the_far_tier_is_asked_for_as_far);
    tcase_add_test(tests, a_refused_prefetch_is_forgotten);
    tcase_add_test(tests, late_prefetches_are_timed);
    return tests;
}
