// SPDX-License-Identifier: Apache-2.0
// Division without a division, and the queue of what happens on clock edges.
#include "tlm_suite.h"

#include <queue>
#include <random>

#include "../tlm/tick_queue.h"

using namespace tilelens;

namespace
{

// The quotient is exact at multiples and beside them, up to 2^64.
START_TEST(a_quotient_is_exact)
{
    std::mt19937_64 random(1);
    for (unsigned n = 0; n < 200000; n++) {
        const uint64_t divisor = (random() >> random() % 64) | 1, other = random() >> random() % 64;
        const uint64_t multiple = other / divisor * divisor;
        const tl_divisor by = tl_divisor_of(divisor);
        for (const uint64_t number : {other, multiple, multiple - 1, multiple + divisor - 1, UINT64_MAX, uint64_t{0}}) {
            ck_assert_msg(tl_quotient(&by, number) == number / divisor, "%llu / %llu",
                          static_cast<unsigned long long>(number), static_cast<unsigned long long>(divisor));
        }
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        const tl_divisor by = tl_divisor_of(uint64_t{1} << bit);
        ck_assert_uint_eq(tl_quotient(&by, UINT64_MAX), UINT64_MAX >> bit);
    }
}
END_TEST

// Items leave at the first edge at or after their time, those of one edge in the order in which they came.
START_TEST(items_leave_on_their_edges)
{
    constexpr uint64_t tick_ps = 546;
    struct expected {
        uint64_t edge_ps, number;
        bool operator<(const expected &other) const
        {
            return edge_ps != other.edge_ps ? edge_ps > other.edge_ps : number > other.number;
        }
    };
    std::mt19937_64 random(2);
    tick_queue<uint64_t> queue(tick_ps);
    std::priority_queue<expected> model;
    uint64_t now_ps = 0, number = 0;
    for (unsigned step = 0; step < 50000; step++) {
        // Up to half the ring ahead: beyond it the order within an edge is not kept.
        const uint64_t reach_ps = step / 1000 % 2 == 0 ? 2000 * tick_ps : 10 * tick_ps;
        for (uint64_t left = random() % 3; left != 0; left--) {
            const uint64_t time_ps = now_ps + random() % reach_ps;
            queue.push(now_ps, time_ps, number);
            model.push({(time_ps + tick_ps - 1) / tick_ps * tick_ps, number++});
        }
        uint64_t item;
        while (queue.pop(now_ps, item)) {
            ck_assert(!model.empty() && model.top().edge_ps <= now_ps);
            ck_assert_uint_eq(item, model.top().number);
            model.pop();
        }
        ck_assert(model.empty() || model.top().edge_ps > now_ps);
        if (!queue.empty()) {
            ck_assert_uint_eq(queue.next_ps(), model.top().edge_ps);
        }
        now_ps = queue.empty() || random() % 4 == 0 ? now_ps + random() % (3 * tick_ps) : queue.next_ps();
    }
}
END_TEST

START_TEST(an_item_beyond_the_ring_waits)
{
    tick_queue<int> queue(1000);
    int item = 0;
    queue.push(0, 20000 * 1000, 7);
    for (uint64_t now_ps = 0; now_ps < 20000 * 1000; now_ps = queue.next_ps()) {
        ck_assert(!queue.pop(now_ps, item));
        ck_assert(!queue.empty());
    }
    ck_assert(queue.pop(20000 * 1000, item));
    ck_assert_int_eq(item, 7);
    ck_assert(queue.empty());
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("time");
    tcase_add_test(tests, a_quotient_is_exact);
    tcase_add_test(tests, items_leave_on_their_edges);
    tcase_add_test(tests, an_item_beyond_the_ring_waits);
    return tests;
}
