// SPDX-License-Identifier: Apache-2.0
// Rates of whole memory systems behind the L2: what bus, refresh and page latency allow, and nothing else. Every slice
// has a user that streams through the pages of its channels.
#include "tlm_traffic.h"

using namespace tilelens;

namespace
{

constexpr uint64_t page_bytes = 4096, refresh_interval_ps = 3900000;

// The n-th page of a slice, in order of address.
class page_walk
{
public:
    page_walk(const tl_address_map &map, uint32_t slice, uint32_t slices) : m_map(map), m_slice(slice), m_slices(slices)
    {
    }
    uint64_t next()
    {
        tl_location location;
        do {
            tl_address_map_locate(&m_map, m_page++ * page_bytes, page_bytes, &location);
        } while (location.target % m_slices != m_slice);
        return (m_page - 1) * page_bytes;
    }

private:
    const tl_address_map &m_map;
    const uint32_t m_slice, m_slices;
    uint64_t m_page = 0;
};

struct stream {
    settings keys;
    uint64_t base_address;
    uint32_t bytes;            // of a read
    uint64_t reads_in_flight;  // of all slices
    uint64_t begin_ps, end_ps; // when bytes are counted
};

// Bytes per ps that the users get.
double rate_of(const stream &stream)
{
    memory_bench bench(stream.keys);
    const uint32_t slices = bench.config.system.l2.slices;
    tl_address_map_config map_config;
    tl_address_map map;
    std::deque<requester> users;
    uint64_t answered = 0;
    tl_config_page_map(&bench.config.system, &map_config);
    tl_address_map_init(&map, &map_config);
    for (uint32_t slice = 0; slice < slices; slice++) {
        auto walk = std::make_shared<page_walk>(map, slice, slices);
        auto page = std::make_shared<uint64_t>(0);
        const uint64_t share = stream.reads_in_flight / slices + (slice < stream.reads_in_flight % slices ? 1 : 0);
        users.emplace_back(
            sc_core::sc_gen_unique_name("user"),
            [&stream, walk, page](uint64_t n, test_access &access) {
                const uint64_t in_page = n * stream.bytes % page_bytes;
                if (in_page == 0) {
                    *page = walk->next();
                }
                access = read_at(stream.base_address + *page + in_page, stream.bytes);
                return true;
            },
            share);
        users.back().on_answer = [&stream, &answered](const requester::answer &answer) {
            answered += answer.time_ps >= stream.begin_ps && answer.time_ps < stream.end_ps ? answer.bytes : 0;
        };
        bench.use(slice, users.back().socket);
    }
    sc_core::sc_start(time_of(stream.end_ps));
    return static_cast<double>(answered) / static_cast<double>(stream.end_ps - stream.begin_ps);
}

void expect_between(double found, double low, double high)
{
    ck_assert_msg(found >= low && found <= high, "found %g TB/s, expected %g to %g", found, low, high);
}

constexpr double channel_bytes_per_ps = 64 * 6.4 / 8 / 1000; // 64 pins at 6.4 Gb/s
constexpr double left_by_refresh = 1 - 260.0 / 3900;

// More in flight than a bus has time for: 64 of 512 B a channel are 640 ns of transfers, the round trip 250 ns.
START_TEST(hbm_streams)
{
    const bool refresh = _i != 0;
    const double rate =
        rate_of({system_named("h200_hbm") +
                     settings{"prefetch=none", refresh ? "system.refresh.mode=all_bank" : "system.refresh.mode=none"},
                 0, 512, 96 * 64, refresh_interval_ps, 4 * refresh_interval_ps});
    const double peak = 96 * channel_bytes_per_ps * (refresh ? left_by_refresh : 1);
    expect_between(rate, 0.99 * peak, 1.001 * peak);
}
END_TEST

START_TEST(rome_streams)
{
    const bool refresh = _i != 0;
    const double rate =
        rate_of({system_named("h200_rome") +
                     settings{"prefetch=none", refresh ? "system.refresh.mode=all_bank" : "system.refresh.mode=none"},
                 0, page_bytes, 108 * 32, 2 * refresh_interval_ps, 12 * refresh_interval_ps});
    const double peak = 108 * channel_bytes_per_ps * (refresh ? left_by_refresh : 1);
    expect_between(rate, 0.98 * peak, 1.001 * peak);
}
END_TEST

// Little's law below the peak: pages in flight over the time of one, which is that of the channel and the L2's latency.
// 6000 pages inside the memory are 6000 x 5.23 / 5.08 seen from before the L2. Pages come in bursts, one a round: the
// count begins and ends between two.
START_TEST(hbf_pages_in_flight)
{
    static const uint64_t pages[] = {96, 1000, 2000, 4000, 6177, 12000};
    constexpr uint64_t channel_ps = 5080000, round_ps = channel_ps + 150000;
    const double rate = rate_of({system_named("h200_hbf") + settings{"prefetch=none", "system.refresh.mode=none"},
                                 flash_base_address, page_bytes, pages[_i], 7 * round_ps / 2, 31 * round_ps / 2});
    const double peak = 96 * channel_bytes_per_ps;
    const double littles = static_cast<double>(pages[_i] * page_bytes) / round_ps;
    if (littles < 0.9 * peak) {
        expect_between(rate, 0.98 * littles, 1.02 * littles);
    } else {
        expect_between(rate, 0.97 * peak, 1.001 * peak);
    }
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("rates");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, hbm_streams, 0, 2);
    tcase_add_loop_test(tests, rome_streams, 0, 2);
    tcase_add_loop_test(tests, hbf_pages_in_flight, 0, 6);
    return tests;
}
