// SPDX-License-Identifier: Apache-2.0
// One memory channel as a TLM target: every way to talk to it, and what other simulators got wrong, with times that
// follow from the configuration.
#include "tlm_links.h"
#include "tlm_requester.h"
#include "tlm_suite.h"

#include "../memory/channel_module.h"

using namespace tilelens;

namespace
{

enum channel_kind { hbm, hbf, rome, kind_count };

constexpr uint64_t ns = 1000;

// The requests of a kind, and how long one takes alone.
struct channel_facts {
    uint32_t bytes;
    uint64_t first_ps; // the first
    uint64_t later_ps; // one more, at the next address (HBM: of the same row)
    uint64_t capacity_bytes;
};

std::unique_ptr<channel_model> make(int kind, uint32_t queue, channel_facts &facts)
{
    if (kind == hbm) {
        tl_hbm_config config;
        tl_hbm_config_simple(&config);
        config.read_queue = config.write_queue = queue;
        config.write_high = std::min(config.write_high, queue);
        config.write_low = std::min(config.write_low, queue - 1);
        config.hash_banks = false;
        const uint64_t hit_ps = config.timing.cl_ps + config.access_ps;
        facts = {TL_HBM_ACCESS_BYTES, config.timing.rcd_read_ps + hit_ps, hit_ps, config.capacity_bytes};
        return make_channel(config);
    }
    if (kind == hbf) {
        tl_hbf_config config;
        tl_hbf_config_default(&config);
        config.queue = queue;
        config.group_map = TL_MAP_MODULO;
        const uint64_t one_ps = config.read_latency_ps + config.transfer_ps;
        facts = {config.page_bytes, one_ps, one_ps, config.capacity_bytes};
        return make_channel(config);
    }
    tl_rome_config config;
    tl_rome_config_default(&config);
    config.queue = queue;
    config.vba_map = TL_MAP_MODULO;
    const uint64_t one_ps = config.first_data_ps + config.transfer_ps;
    facts = {config.row_bytes, one_ps, one_ps, config.capacity_bytes};
    return make_channel(config);
}

struct bench {
    bench(int kind, uint32_t queue) : channel("channel", make(kind, queue, facts)) {}

    void connect(tlm::tlm_initiator_socket<> &socket) { links.connect(socket, channel.socket); }

    // Runs to the end; nothing is left in the channel and no rule was broken.
    void run()
    {
        sc_core::sc_start();
        const std::string violation = links.violation();
        ck_assert_msg(violation.empty(), "%s", violation.c_str());
        ck_assert_uint_eq(channel.model().pending(), 0);
    }

    const tl_mem_counters &counters() const { return channel.model().counters(); }

    channel_facts facts{};
    memory_channel channel;
    monitored_links links;
};

std::vector<test_access> reads(const channel_facts &facts, unsigned count, uint64_t stride = 1)
{
    std::vector<test_access> list;
    for (unsigned n = 0; n < count; n++) {
        list.push_back(read_at(n * stride * facts.bytes, facts.bytes));
    }
    return list;
}

// ---- queues ----

// A queue of one: each request enters when the one before has left.
START_TEST(a_full_queue_holds_the_next_request)
{
    bench bench(_i, 1);
    const unsigned count = 8; // of one HBM row
    listed_requester user("user", reads(bench.facts, count));
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(user.last_ps(), bench.facts.first_ps + (count - 1) * bench.facts.later_ps);
    ck_assert_uint_eq(bench.counters().reads, count);
    ck_assert_uint_eq(bench.counters().refused_address, 0);
}
END_TEST

// A flash queue of four, eight pages in as many planes: the second four follow the first at the distance of their
// transfers, because the channel takes the next request as soon as one has left.
START_TEST(a_full_queue_stays_full)
{
    const uint64_t read_ps = 5000 * ns, transfer_ps = 80 * ns;
    bench bench(hbf, 4);
    listed_requester user("user", reads(bench.facts, 8));
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(user.last_ps(), 2 * read_ps + 5 * transfer_ps);
}
END_TEST

// Reads and writes of the same addresses, writes in reverse; more of both than the queue takes.
const uint32_t queues[] = {1, 2, 16, 64};
const uint64_t strides[] = {0, 1, 16, 512};
constexpr int queue_count = std::size(queues), stride_count = std::size(strides);

START_TEST(reads_and_writes_of_the_same_addresses_end)
{
    const int kind = _i / queue_count / stride_count;
    const uint64_t stride = strides[_i % stride_count];
    bench bench(kind, queues[_i / stride_count % queue_count]);
    std::vector<test_access> list;
    for (uint64_t n = 0; n < 64; n++) {
        list.push_back(read_at(n * stride * bench.facts.bytes, bench.facts.bytes));
        list.push_back(write_at((63 - n) * stride * bench.facts.bytes, bench.facts.bytes));
    }
    listed_requester user("user", list);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(bench.counters().reads, 64);
    ck_assert_uint_eq(bench.counters().writes, 64);
    ck_assert_uint_eq(bench.counters().read_bytes, 64 * bench.facts.bytes);
    ck_assert_uint_eq(bench.counters().write_bytes, 64 * bench.facts.bytes);
}
END_TEST

START_TEST(nine_reads_with_eight_the_same_are_nine)
{
    bench bench(_i, 64);
    std::vector<test_access> list(8, read_at(0, bench.facts.bytes));
    list.push_back(read_at(bench.facts.bytes, bench.facts.bytes));
    listed_requester user("user", list);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(bench.counters().reads, 9);
    ck_assert_uint_eq(bench.counters().read_bytes, 9 * bench.facts.bytes);
    if (_i == hbm) {
        ck_assert_uint_eq(bench.channel.model().row_hits(), 8);
        ck_assert_uint_eq(bench.channel.model().row_misses(), 1);
    }
}
END_TEST

START_TEST(eight_writes_and_nothing_more_end)
{
    bench bench(_i, 64);
    std::vector<test_access> list = reads(bench.facts, 8);
    for (test_access &access : list) {
        access.command = tlm::TLM_WRITE_COMMAND;
    }
    listed_requester user("user", list);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(bench.counters().writes, 8);
}
END_TEST

// ---- what a channel refuses ----

const struct refusal {
    const char *what;
    void (*spoil)(const channel_facts &, test_access &);
    tlm::tlm_response_status status;
} refusals[] = {
    {"misaligned", [](const channel_facts &, test_access &a) { a.address = 0x41; }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"odd length", [](const channel_facts &f, test_access &a) { a.bytes = f.bytes - 1; }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"beyond the end", [](const channel_facts &f, test_access &a) { a.address = f.capacity_bytes; },
     tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"far beyond the end", [](const channel_facts &, test_access &a) { a.address = UINT64_C(0x7ffffffff000); },
     tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"the last address there is", [](const channel_facts &f, test_access &a) { a.address = 0 - uint64_t{f.bytes}; },
     tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"empty", [](const channel_facts &, test_access &a) { a.bytes = 0; }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"too long", [](const channel_facts &, test_access &a) { a.bytes = 1 << 16; }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"streaming", [](const channel_facts &, test_access &a) { a.streaming_width = 4; }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"byte enables", [](const channel_facts &, test_access &a) { a.byte_enables = true; },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
    {"no command", [](const channel_facts &, test_access &a) { a.command = tlm::TLM_IGNORE_COMMAND; },
     tlm::TLM_COMMAND_ERROR_RESPONSE},
};
constexpr int refusal_count = std::size(refusals);

// The response comes at once; requests before and behind are served as if it had not been there.
START_TEST(a_bad_request_gets_its_error)
{
    const refusal &bad = refusals[_i % refusal_count];
    bench bench(_i / refusal_count, 64);
    std::vector<test_access> list = reads(bench.facts, 3);
    bad.spoil(bench.facts, list[1]);
    listed_requester user("user", list);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert_msg(user.answers[1].status == bad.status && user.answers[1].time_ps == 0, "%s: status %d after %lu ps",
                  bad.what, user.answers[1].status, static_cast<unsigned long>(user.answers[1].time_ps));
    for (const unsigned good : {0u, 2u}) {
        ck_assert_uint_eq(user.counts[good], 1);
        ck_assert_int_eq(user.answers[good].status, tlm::TLM_OK_RESPONSE);
    }
    ck_assert_uint_eq(bench.counters().reads, 2);
}
END_TEST

// ---- styles of initiators ----

START_TEST(the_end_of_responses_may_be_returned_or_called)
{
    bench bench(_i / 2, 4);
    listed_requester user("user", reads(bench.facts, 40, 3), UINT64_MAX,
                          _i % 2 == 0 ? end_style::returned : end_style::called_later);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(bench.counters().reads, 40);
}
END_TEST

// One response at a time: an initiator that holds each for 50 us gets them 50 us apart.
START_TEST(a_late_end_of_a_response_delays_the_next)
{
    const uint64_t late_ps = 50000 * ns;
    const unsigned count = 10;
    bench bench(_i, 4);
    listed_requester user("user", reads(bench.facts, count), UINT64_MAX, end_style::called_later, late_ps);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(user.last_ps(), bench.facts.first_ps + (count - 1) * late_ps);
}
END_TEST

// An annotated delay is waited for.
START_TEST(an_annotated_request_comes_later)
{
    bench bench(_i, 64);
    test_access access = read_at(0, bench.facts.bytes);
    access.at_ps = 10 * ns;
    access.delay_ps = 30 * ns;
    test_access bad = access;
    bad.address = 0x41;
    listed_requester user("user", {access, bad}, 1);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert_uint_eq(user.answers[0].time_ps, 40 * ns + bench.facts.first_ps);
    ck_assert_int_eq(user.answers[0].status, tlm::TLM_OK_RESPONSE);
    ck_assert_uint_eq(user.answers[1].time_ps, user.answers[0].time_ps + 30 * ns);
    ck_assert_int_eq(user.answers[1].status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}
END_TEST

START_TEST(annotated_requests_fill_the_queue)
{
    bench bench(_i, 2);
    std::vector<test_access> list = reads(bench.facts, 20, 5);
    for (size_t n = 0; n < list.size(); n++) {
        list[n].delay_ps = n % 3 * 7 * ns;
    }
    listed_requester user("user", list);
    bench.connect(user.initiator.socket);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(bench.counters().reads, 20);
}
END_TEST

// The same times by b_transport, with and without an annotated delay.
START_TEST(blocking_transport_takes_as_long)
{
    bench bench(_i, 64);
    test_access late = read_at(bench.facts.bytes, bench.facts.bytes);
    late.delay_ps = 20 * ns;
    blocking_requester user("user", {read_at(0, bench.facts.bytes), late, read_at(0x41, bench.facts.bytes)});
    bench.connect(user.socket);
    bench.run();
    ck_assert_uint_eq(user.answers.size(), 3);
    ck_assert_int_eq(user.answers[0].status, tlm::TLM_OK_RESPONSE);
    ck_assert_uint_eq(user.answers[0].time_ps, bench.facts.first_ps);
    ck_assert_int_eq(user.answers[1].status, tlm::TLM_OK_RESPONSE);
    ck_assert_uint_eq(user.answers[1].time_ps, bench.facts.first_ps + 20 * ns + bench.facts.later_ps);
    ck_assert_int_eq(user.answers[2].status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    ck_assert_uint_eq(user.answers[2].time_ps, user.answers[1].time_ps);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("channel");
    tcase_add_loop_test(tests, a_full_queue_holds_the_next_request, 0, kind_count);
    tcase_add_test(tests, a_full_queue_stays_full);
    tcase_add_loop_test(tests, reads_and_writes_of_the_same_addresses_end, 0, kind_count * queue_count * stride_count);
    tcase_add_loop_test(tests, nine_reads_with_eight_the_same_are_nine, 0, kind_count);
    tcase_add_loop_test(tests, eight_writes_and_nothing_more_end, 0, kind_count);
    tcase_add_loop_test(tests, a_bad_request_gets_its_error, 0, kind_count * refusal_count);
    tcase_add_loop_test(tests, the_end_of_responses_may_be_returned_or_called, 0, 2 * kind_count);
    tcase_add_loop_test(tests, a_late_end_of_a_response_delays_the_next, 0, kind_count);
    tcase_add_loop_test(tests, an_annotated_request_comes_later, 0, kind_count);
    tcase_add_loop_test(tests, annotated_requests_fill_the_queue, 0, kind_count);
    tcase_add_loop_test(tests, blocking_transport_takes_as_long, 0, kind_count);
    return tests;
}
