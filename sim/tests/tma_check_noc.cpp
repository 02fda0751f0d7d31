// SPDX-License-Identifier: Apache-2.0
// The network: every transaction reaches the right slice and comes back once, by the rules on both of its sides, and in
// its time.
#include "tlm_suite.h"

#include <deque>
#include <memory>

#include "../tma/noc_module.h"
#include "tlm_links.h"
#include "tlm_requester.h"
#include "tma_target.h"

using namespace tilelens;

namespace
{

constexpr uint32_t initiators = 3, slices = 4;
constexpr uint64_t line_bytes = 128;

uint32_t slice_of(uint64_t address)
{
    return static_cast<uint32_t>(address / line_bytes % slices);
}

class noc_bench
{
public:
    noc_bench(uint64_t latency_ps, double gbytes_per_s, uint64_t late_ps)
        : network("network", {initiators, slices, time_of(latency_ps), gbytes_per_s}, slice_of)
    {
        for (uint32_t slice = 0; slice < slices; slice++) {
            targets.push_back(std::make_unique<random_target>(
                ("slice_" + std::to_string(slice)).c_str(), slice + 1, late_ps, [slice](auto &trans) {
                    return slice_of(trans.get_address()) == slice ? tlm::TLM_OK_RESPONSE
                                                                  : tlm::TLM_ADDRESS_ERROR_RESPONSE;
                }));
            links.connect(network.slices[slice], targets.back()->socket);
        }
    }

    listed_requester &add(std::vector<test_access> accesses, uint64_t in_flight = UINT64_MAX,
                          end_style style = end_style::completed)
    {
        const auto number = static_cast<uint32_t>(users.size());
        users.emplace_back(("user_" + std::to_string(number)).c_str(), std::move(accesses), in_flight, style, 3000);
        links.connect(users.back().initiator.socket, network.targets[number]);
        return users.back();
    }

    void run()
    {
        sc_core::sc_start();
        const std::string violation = links.violation();
        ck_assert_msg(violation.empty(), "%s", violation.c_str());
        ck_assert_uint_eq(network.in_flight(), 0);
        for (const listed_requester &user : users) {
            ck_assert(user.all_answered());
        }
    }

    noc network;
    monitored_links links;
    std::vector<std::unique_ptr<random_target>> targets;
    std::deque<listed_requester> users;
};

std::vector<test_access> random_reads(uint64_t seed, unsigned count)
{
    tl_random random = tl_random_from(seed);
    std::vector<test_access> accesses;
    for (unsigned k = 0; k < count; k++) {
        accesses.push_back(read_at(tl_random_below(&random, 1 << 20), 64));
    }
    return accesses;
}

START_TEST(all_come_back_from_their_slice)
{
    const end_style styles[] = {end_style::completed, end_style::returned, end_style::called_later};
    noc_bench bench(20000, _i == 0 ? 0 : 50, _i == 2 ? 0 : 200000);
    for (unsigned k = 0; k < initiators; k++) {
        bench.add(random_reads(k + 1, 2000), k == 0 ? 1 : 40, styles[k]);
    }
    bench.run();
    ck_assert_uint_eq(bench.links.ended("network"), 3 * 2000);
}
END_TEST

START_TEST(latency_is_paid_once)
{
    noc_bench bench(30000, 0, 0);
    const listed_requester &user = bench.add({read_at(0, 64), read_at(128, 64)});
    bench.add({});
    bench.add({});
    bench.run();
    ck_assert_uint_eq(user.answers[0].time_ps, 30000);
    ck_assert_uint_eq(user.answers[1].time_ps, 30000); // of another slice
}
END_TEST

START_TEST(responses_share_the_bandwidth)
{
    noc_bench bench(0, 64, 0); // 64 bytes a nanosecond
    for (unsigned k = 0; k < initiators; k++) {
        bench.add(random_reads(k + 9, 100));
    }
    bench.run();
    uint64_t last_ps = 0;
    for (const listed_requester &user : bench.users) {
        last_ps = std::max(last_ps, user.last_ps());
    }
    ck_assert_uint_ge(last_ps, 299 * 1000);
    ck_assert_uint_le(last_ps, 301 * 1000);
}
END_TEST

START_TEST(blocking_reads_pass)
{
    noc_bench bench(20000, 0, 0);
    blocking_requester cpu("cpu", {read_at(256, 64), read_at(384, 64)});
    bench.links.connect(cpu.socket, bench.network.targets[0]);
    bench.users.emplace_back("idle_0", std::vector<test_access>{});
    bench.users.emplace_back("idle_1", std::vector<test_access>{});
    bench.links.connect(bench.users[0].initiator.socket, bench.network.targets[1]);
    bench.links.connect(bench.users[1].initiator.socket, bench.network.targets[2]);
    bench.run();
    ck_assert_uint_eq(cpu.answers.size(), 2);
    for (const requester::answer &answer : cpu.answers) {
        ck_assert_int_eq(answer.status, tlm::TLM_OK_RESPONSE);
        ck_assert_uint_eq(answer.time_ps, 20000);
    }
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("network");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, all_come_back_from_their_slice, 0, 3);
    tcase_add_test(tests, latency_is_paid_once);
    tcase_add_test(tests, responses_share_the_bandwidth);
    tcase_add_test(tests, blocking_reads_pass);
    return tests;
}
