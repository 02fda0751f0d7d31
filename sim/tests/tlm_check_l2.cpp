// SPDX-License-Identifier: Apache-2.0
// The L2 and the channels behind it with initiators that are no GPU: reads and writes of any size and alignment, on
// every slice, in every style of the base protocol.
#include "tlm_traffic.h"

using namespace tilelens;

namespace
{

constexpr uint64_t ns = 1000, access_bytes = 64, page_bytes = 4096;

// Without refresh, so that times follow from latencies alone.
const settings base = small_machine + settings{"prefetch=none", "system.refresh.mode=none"};

uint64_t covering(uint64_t address, uint64_t bytes, uint64_t unit)
{
    return ((address + bytes - 1) / unit - address / unit + 1) * unit;
}

// One user; the other slices stand still.
struct single_user {
    single_user(const settings &keys, std::vector<test_access> accesses, uint64_t in_flight = 1,
                end_style style = end_style::completed, uint64_t late_ps = 0)
        : bench(keys), user("user", std::move(accesses), in_flight, style, late_ps)
    {
        bench.use(0, user.initiator.socket);
        for (uint32_t slice = 1; slice < bench.config.system.l2.slices; slice++) {
            others.emplace_back(
                sc_core::sc_gen_unique_name("other"), [](uint64_t, test_access &) { return false; }, 1);
            bench.use(slice, others.back().socket);
        }
    }

    const tl_statistics &run()
    {
        sc_core::sc_start();
        bench.expect_clean();
        return bench.system.settle();
    }

    memory_bench bench;
    listed_requester user;
    std::deque<requester> others;
};

// ---- reads ----

const uint32_t offsets[] = {0, 1, 31, 32, 63, 64, 100, 4090, 4095};
const uint32_t sizes[] = {1, 3, 32, 64, 65, 127, 512, 513, 4096, 4097, 20000};
constexpr int offset_count = std::size(offsets), size_count = std::size(sizes);

// A cold read fetches the accesses, or pages, that it touches. A second one fetches nothing and takes the latency of a
// hit, in one piece or in many; half of it lies before the next clock edge, where the tags are read.
START_TEST(a_read_of_any_size_fetches_what_it_touches)
{
    const bool flash = _i % 2 != 0;
    const uint64_t address = (flash ? flash_base_address : 0) + (1 << 21) + offsets[_i / 2 % offset_count];
    const uint32_t bytes = sizes[_i / 2 / offset_count];
    const uint64_t fetched = covering(address, bytes, flash ? page_bytes : access_bytes);
    std::vector<test_access> list(2, read_at(address, bytes));
    list[1].at_ps = 100000 * ns;
    single_user bench(base + system_named(flash ? "h200_hbf" : "h200_hbm"), list);
    const tl_statistics &statistics = bench.run();
    ck_assert(bench.user.all_answered());
    ck_assert_uint_eq(statistics.bytes.channels_read, fetched);
    ck_assert_uint_eq(statistics.bytes.l2_filled, fetched);
    const uint64_t hit_ps = bench.user.answers[1].time_ps - list[1].at_ps;
    ck_assert_uint_ge(hit_ps, 150 * ns);
    ck_assert_uint_lt(hit_ps, 150 * ns + 547);
    char broken[TL_STATISTICS_BROKEN_BYTES];
    ck_assert_msg(tl_statistics_check(&statistics, broken), "%s", broken);
}
END_TEST

// ---- MSHRs ----

// A demand that waited for an MSHR and finds its page in the L2 consumes its part like any other. One MSHR, two ways: P
// and the first half of Q are read, then R, and the second half of Q comes back to a page that is there. Q is done with,
// so X takes its place and P stays: four pages are fetched.
START_TEST(a_demand_that_was_parked_consumes_its_page)
{
    constexpr uint64_t p = flash_base_address, same_set_bytes = 5 * 26 * 25 * page_bytes; // 25 or 26 sets a slice
    constexpr uint64_t q = p + same_set_bytes, r = p + page_bytes, x = q + same_set_bytes;
    std::vector<test_access> list = {read_at(p, 2048), read_at(q, 2048), read_at(r, 2048), read_at(q + 2048, 2048),
                                     read_at(x, 2048), read_at(p, 2048)};
    list[4].at_ps = 100000 * ns;
    list[5].at_ps = 200000 * ns;
    single_user bench(base + system_named("h200_hbf") +
                          settings{"system.mshr.page_entries=1", "system.l2.ways=2", "system.l2.set_index=modulo"},
                      list, 4);
    const tl_statistics &statistics = bench.run();
    ck_assert(bench.user.all_answered());
    ck_assert_uint_eq(statistics.bytes.channels_read, 4 * page_bytes);
}
END_TEST

// ---- writes ----

START_TEST(writes_go_to_their_channels)
{
    std::vector<test_access> list;
    uint64_t bytes = 0;
    for (uint32_t n = 1; n <= 40; n++) {
        list.push_back(write_at(n * 40000 / 64 * 64, n * 64));
        bytes += n * 64;
    }
    single_user bench(base + system_named("h200_hbm"), list, 8);
    const tl_statistics &statistics = bench.run();
    ck_assert(bench.user.all_answered());
    ck_assert_uint_eq(statistics.bytes.hbm_moved, bytes);
    ck_assert_uint_eq(statistics.bytes.channels_read, 0);
    char broken[TL_STATISTICS_BROKEN_BYTES];
    ck_assert_msg(tl_statistics_check(&statistics, broken), "%s", broken);
}
END_TEST

// A part of an access, or of a page, costs a whole one.
START_TEST(a_part_is_written_as_a_whole)
{
    const struct {
        test_access access;
        uint64_t moved_bytes;
    } writes[] = {
        {write_at(4096, 20), 64},
        {write_at(4100, 64), 128},
        {write_at(4095, 2), 128},
        {write_at(4100, 9000), covering(4100, 9000, access_bytes)},
        {write_at(flash_base_address + 100, 8), page_bytes},
        {write_at(flash_base_address + 4000, 100), 2 * page_bytes},
    };
    single_user bench(base + system_named("h200_hbf"), {writes[_i].access});
    const tl_statistics &statistics = bench.run();
    ck_assert(bench.user.all_answered());
    ck_assert_uint_eq(statistics.bytes.hbm_moved + statistics.bytes.hbf_moved, writes[_i].moved_bytes);
}
END_TEST

// An access of many parts, or of a short and a long one, ends with the last; nothing happens after that.
START_TEST(the_last_part_ends_an_access)
{
    const settings keys = base + system_named("h200_hbm") + settings{"system.l2.latency_ns=0"};
    const test_access accesses[] = {read_at(100, 20000), write_at(64, 20032), read_at(448, 576), write_at(448, 576)};
    single_user bench(keys, {accesses[_i]});
    bench.run();
    ck_assert(bench.user.all_answered());
    ck_assert_uint_eq(bench.user.answers[0].time_ps, now_ps());
}
END_TEST

// Flash wears out: a write after load time is served, counted, and fails the run.
START_TEST(a_write_to_flash_fails_the_run)
{
    single_user bench(base + system_named("h200_hbf"), {write_at(flash_base_address, 4096)});
    const tl_statistics &statistics = bench.run();
    char broken[TL_STATISTICS_BROKEN_BYTES];
    ck_assert(bench.user.all_answered());
    ck_assert(!tl_statistics_check(&statistics, broken));
    ck_assert_msg(std::string(broken).find("hbf_writes_after_load: found 1, expected 0") == 0, "%s", broken);
}
END_TEST

// ---- errors ----

const struct bad_access {
    const char *what;
    test_access access;
    tlm::tlm_response_status status;
} bad_accesses[] = {
    {"behind HBM", read_at(UINT64_C(3) * 1536 << 20, 64), tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"over the end of HBM", read_at((UINT64_C(3) * 1536 << 20) - 64, 65), tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"behind flash", read_at(flash_base_address + (UINT64_C(3) * 32 << 30), 1), tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"the last address there is", read_at(UINT64_MAX, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"over the last address there is", read_at(UINT64_MAX - 10, 64), tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"nothing", read_at(4096, 0), tlm::TLM_BURST_ERROR_RESPONSE},
    {"streaming", {4096, 64, tlm::TLM_READ_COMMAND, 0, 0, 4, false}, tlm::TLM_BURST_ERROR_RESPONSE},
    {"byte enables", {4096, 64, tlm::TLM_WRITE_COMMAND, 0, 0, 0, true}, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
    {"no command", {4096, 64, tlm::TLM_IGNORE_COMMAND}, tlm::TLM_COMMAND_ERROR_RESPONSE},
};

START_TEST(a_bad_access_gets_its_error)
{
    const bad_access &bad = bad_accesses[_i];
    single_user bench(base + system_named("h200_hbf"), {read_at(0, 64), bad.access, read_at(64, 64)}, 3);
    bench.run();
    ck_assert_msg(bench.user.answers[1].status == bad.status, "%s: status %d", bad.what, bench.user.answers[1].status);
    for (const unsigned n : {0u, 2u}) {
        ck_assert_int_eq(bench.user.answers[n].status, tlm::TLM_OK_RESPONSE);
    }
    for (const unsigned count : bench.user.counts) {
        ck_assert_uint_eq(count, 1);
    }
}
END_TEST

// ---- many initiators ----

const struct style_case {
    end_style style;
    uint64_t late_ps, in_flight;
} styles[] = {
    {end_style::completed, 0, 1},     {end_style::completed, 0, UINT64_MAX},           {end_style::returned, 0, 20},
    {end_style::called_later, 0, 20}, {end_style::called_later, 500 * ns, UINT64_MAX},
};
constexpr int style_count = std::size(styles);

const settings squeezes[] = {
    {},
    {"system.mshr.page_entries=1", "system.mshr.line_entries=4", "system.hbf.queue_entries=1",
     "system.hbm.read_queue_entries=1", "system.hbm.write_queue_entries=1", "system.hbm.write_drain_high=1",
     "system.hbm.write_drain_low=0"},
};

// Five of them with 300 accesses each to both memories, many to the same few pages; each is answered once.
START_TEST(random_traffic_is_answered_once)
{
    constexpr unsigned count = 300;
    const style_case &style = styles[_i % style_count];
    memory_bench bench(base + system_named("h200_hbf") + squeezes[_i / style_count]);
    std::deque<listed_requester> users;
    uint64_t random = 88172645463325252, reads = 0;
    for (uint32_t slice = 0; slice < bench.config.system.l2.slices; slice++) {
        std::vector<test_access> list;
        for (unsigned n = 0; n < count; n++) {
            const uint64_t pick = next_random(random), place = next_random(random);
            const auto bytes = static_cast<uint32_t>(1 + next_random(random) % (pick % 16 == 0 ? 9000 : 200));
            if (pick % 8 == 1) {
                list.push_back(write_at(place % (1 << 18), bytes));
            } else {
                list.push_back(read_at((pick % 2 == 0 ? flash_base_address : 0) + place % (1 << 18), bytes));
                reads++;
            }
            list.back().at_ps = n * (pick % 3) * 10 * ns;
            list.back().delay_ps = pick % 5 * ns;
        }
        users.emplace_back(sc_core::sc_gen_unique_name("user"), list, style.in_flight, style.style, style.late_ps);
        bench.use(slice, users.back().initiator.socket);
    }
    sc_core::sc_start();
    bench.expect_clean();
    for (const listed_requester &user : users) {
        ck_assert(user.all_answered());
    }
    const tl_statistics &statistics = bench.system.settle();
    char broken[TL_STATISTICS_BROKEN_BYTES];
    ck_assert_msg(tl_statistics_check(&statistics, broken), "%s", broken);
    ck_assert_uint_eq(bench.links.ended("l2.channels"), statistics.sent.count);
    ck_assert_uint_gt(reads, count);
}
END_TEST

// One response at a time: an initiator that holds each for 5 us gets them 5 us apart.
START_TEST(a_late_end_of_a_response_delays_the_next)
{
    const uint64_t late_ps = 5000 * ns;
    std::vector<test_access> list(10, read_at(1 << 21, 64));
    single_user bench(base + system_named("h200_hbm"), list, UINT64_MAX, end_style::called_later, late_ps);
    bench.run();
    ck_assert(bench.user.all_answered());
    for (size_t n = 1; n < list.size(); n++) {
        ck_assert_uint_eq(bench.user.answers[n].time_ps - bench.user.answers[n - 1].time_ps, late_ps);
    }
}
END_TEST

// b_transport takes as long as the phases do.
START_TEST(blocking_transport_takes_as_long)
{
    const std::vector<test_access> list = {read_at(1 << 21, 64), read_at(flash_base_address + 5, 5000),
                                           read_at(1 << 21, 64), read_at(UINT64_MAX, 1)};
    memory_bench bench(base + system_named("h200_hbf"));
    blocking_requester blocking("blocking", list);
    listed_requester phases("phases", list, 1);
    std::deque<requester> others;
    bench.use(0, blocking.socket);
    bench.use(1, phases.initiator.socket);
    for (uint32_t slice = 2; slice < bench.config.system.l2.slices; slice++) {
        others.emplace_back(
            sc_core::sc_gen_unique_name("other"), [](uint64_t, test_access &) { return false; }, 1);
        bench.use(slice, others.back().socket);
    }
    sc_core::sc_start();
    bench.expect_clean();
    ck_assert_uint_eq(blocking.answers.size(), list.size());
    for (size_t n = 0; n < list.size(); n++) {
        ck_assert_int_eq(blocking.answers[n].status, phases.answers[n].status);
        ck_assert_uint_ge(blocking.answers[n].time_ps, phases.answers[n].time_ps);
        ck_assert_uint_lt(blocking.answers[n].time_ps, phases.answers[n].time_ps + 100 * ns * (n + 1));
    }
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("l2");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_read_of_any_size_fetches_what_it_touches, 0, 2 * offset_count * size_count);
    tcase_add_test(tests, writes_go_to_their_channels);
    tcase_add_loop_test(tests, a_part_is_written_as_a_whole, 0, 6);
    tcase_add_loop_test(tests, the_last_part_ends_an_access, 0, 4);
    tcase_add_test(tests, a_write_to_flash_fails_the_run);
    tcase_add_test(tests, a_demand_that_was_parked_consumes_its_page);
    tcase_add_loop_test(tests, a_bad_access_gets_its_error, 0, static_cast<int>(std::size(bad_accesses)));
    tcase_add_loop_test(tests, random_traffic_is_answered_once, 0, style_count * static_cast<int>(std::size(squeezes)));
    tcase_add_test(tests, a_late_end_of_a_response_delays_the_next);
    tcase_add_test(tests, blocking_transport_takes_as_long);
    return tests;
}
