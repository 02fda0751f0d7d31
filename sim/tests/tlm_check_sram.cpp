// SPDX-License-Identifier: Apache-2.0
// The SRAM buffer alone, between two users and two flash channels: what it answers itself, what it passes on, and that
// both kinds of responses take turns on their socket.
#include "tlm_links.h"
#include "tlm_requester.h"
#include "tlm_suite.h"

#include "../memory/channel_module.h"
#include "../memory/sram_module.h"

using namespace tilelens;

namespace
{

constexpr uint64_t ns = 1000, page_bytes = 4096;
constexpr uint64_t flash_ps = 5080 * ns, sram_latency_ps = 100 * ns, transfer_ps = 80 * ns;
constexpr uint32_t channels = 2;

struct bench {
    explicit bench(uint64_t capacity_pages)
    {
        const tl_address_map_config map_config = {TL_MAP_MODULO, channels, page_bytes, page_bytes, 1 << 20, 0, {}};
        ck_assert_int_eq(tl_address_map_init(&map, &map_config), TL_MEM_OK);
        sram_buffer_config config;
        tl_sram_config_default(&config.sram);
        config.sram.capacity_bytes = capacity_pages * page_bytes;
        config.map = &map;
        config.channels = channels;
        config.transfer_ps = transfer_ps;
        for (uint32_t channel = 0; channel < channels; channel++) {
            tl_hbf_config flash;
            tl_hbf_config_default(&flash);
            flash.shared_bus = &buses[channel];
            memories.emplace_back(sc_core::sc_gen_unique_name("flash"), make_channel(flash));
            config.buses.push_back(&buses[channel]);
        }
        sram = std::make_unique<sram_buffer>("sram", config);
        for (uint32_t channel = 0; channel < channels; channel++) {
            links.connect(sram->initiators[channel], memories[channel].socket);
        }
    }

    void connect(uint32_t channel, listed_requester &user)
    {
        links.connect(user.initiator.socket, sram->targets[channel]);
    }

    void run()
    {
        sc_core::sc_start();
        const std::string violation = links.violation();
        ck_assert_msg(violation.empty(), "%s", violation.c_str());
    }
    uint64_t flash_reads(uint32_t channel) const { return memories[channel].model().counters().reads; }

    tl_address_map map{};
    tl_bus buses[channels]{};
    std::deque<memory_channel> memories;
    std::unique_ptr<sram_buffer> sram;
    monitored_links links;
};

test_access page_at(uint64_t page, uint64_t at_ps, tl_mem_class mem_class = TL_MEM_DEMAND)
{
    test_access access = read_at(page * page_bytes, page_bytes);
    access.at_ps = at_ps;
    access.mem_class = mem_class;
    return access;
}

// A page that a far prefetch has brought comes from the SRAM, at its latency and over the bus; that of a demand or of a
// near prefetch does not stay.
START_TEST(far_prefetches_stay)
{
    const struct {
        tl_mem_class mem_class;
        bool stays;
    } cases[] = {{TL_MEM_PREFETCH_FAR, true}, {TL_MEM_PREFETCH_NEAR, false}, {TL_MEM_DEMAND, false}};
    bench bench(16);
    const uint64_t later_ps = 10000 * ns;
    listed_requester user("user", {page_at(3, 0, cases[_i].mem_class), page_at(3, later_ps)});
    listed_requester other("other", {page_at(3, later_ps)}); // page 3 of the other channel is another page
    bench.connect(0, user);
    bench.connect(1, other);
    bench.run();
    ck_assert(user.all_answered());
    ck_assert_uint_eq(user.answers[0].time_ps, flash_ps);
    ck_assert_uint_eq(user.answers[1].time_ps - later_ps, cases[_i].stays ? sram_latency_ps + transfer_ps : flash_ps);
    ck_assert_uint_eq(other.answers[0].time_ps - later_ps, flash_ps);
    ck_assert_uint_eq(bench.flash_reads(0), cases[_i].stays ? 1 : 2);
    ck_assert_uint_eq(bench.sram->counters().hits, cases[_i].stays ? 1 : 0);
}
END_TEST

// Payloads are used again for pages that are not there: each read is answered once, by the one or by the other.
START_TEST(pages_of_the_sram_and_of_the_flash_alternate)
{
    const struct {
        end_style style;
        uint64_t late_ps;
    } styles[] = {{end_style::completed, 0}, {end_style::returned, 0}, {end_style::called_later, 3000 * ns}};
    constexpr uint64_t pages = 20;
    std::vector<test_access> list;
    for (uint64_t n = 0; n < pages; n++) {
        list.push_back(page_at(n, 0, TL_MEM_PREFETCH_FAR));
    }
    for (uint64_t n = 0; n < 2 * pages; n++) { // every other page is in the SRAM
        list.push_back(page_at(n % 2 == 0 ? n / 2 : pages + n, 200000 * ns));
    }
    bench bench(4 * pages);
    listed_requester users[] = {{"user_0", list, 4, styles[_i].style, styles[_i].late_ps},
                                {"user_1", list, 4, styles[_i].style, styles[_i].late_ps}};
    for (uint32_t channel = 0; channel < channels; channel++) {
        bench.connect(channel, users[channel]);
    }
    bench.run();
    for (uint32_t channel = 0; channel < channels; channel++) {
        ck_assert(users[channel].all_answered());
        ck_assert_uint_eq(bench.flash_reads(channel), 2 * pages);
    }
    ck_assert_uint_eq(bench.sram->counters().hits, channels * pages);
}
END_TEST

START_TEST(writes_and_bad_reads_pass_through)
{
    bench bench(16);
    listed_requester user("user", {write_at(page_bytes, page_bytes), read_at(0x41, 64), read_at(0, page_bytes)}, 1);
    listed_requester other("other", {});
    bench.connect(0, user);
    bench.connect(1, other);
    bench.run();
    ck_assert_int_eq(user.answers[0].status, tlm::TLM_OK_RESPONSE);
    ck_assert_int_eq(user.answers[1].status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    ck_assert_int_eq(user.answers[2].status, tlm::TLM_OK_RESPONSE);
    ck_assert_uint_eq(bench.memories[0].model().counters().writes, 1);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("sram");
    tcase_add_loop_test(tests, far_prefetches_stay, 0, 3);
    tcase_add_loop_test(tests, pages_of_the_sram_and_of_the_flash_alternate, 0, 3);
    tcase_add_test(tests, writes_and_bad_reads_pass_through);
    return tests;
}
