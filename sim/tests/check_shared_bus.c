/* SPDX-License-Identifier: Apache-2.0 */
/* The daisy chain: an HBM and an HBF channel on one data bus. */
#include "channel_fixture.h"

enum { PAGE = 4096 };

static tl_hbf_config config;

static void setup(void)
{
    tl_hbf_config_default(&config);
}

static tl_hbf *create(void)
{
    tl_hbf *hbf = tl_hbf_create(&config);
    ck_assert_msg(hbf != NULL, "%s", tl_hbf_config_check(&config));
    return hbf;
}

static tl_mem_request page_of(uint64_t tag, uint64_t page)
{
    return read_of(tag, page * PAGE, PAGE);
}

typedef struct chained {
    const channel_ops *ops;
    void *self;
    uint64_t pushed, answered, busy_ps;
} chained;

static void chained_push(chained *channel, uint64_t now_ps, uint64_t in_flight_now)
{
    while (channel->pushed - channel->answered < in_flight_now) {
        const uint64_t tag = channel->pushed;
        const tl_mem_request request =
            channel->ops == &hbm_ops ? read_of(tag, tag % 1000000 * 512, 512) : page_of(tag, tag % 1000000);
        if (!channel->ops->push(channel->self, now_ps, &request)) {
            break;
        }
        channel->pushed++;
    }
}

/* HBM and HBF together on one bus, each with enough in flight to fill it alone: it is full, and both get their share.
 */
START_TEST(shared_bus)
{
    tl_bus bus = {{0, 0}};
    tl_hbm_config hbm_config;
    tl_hbm_config_simple(&hbm_config);
    hbm_config.shared_bus = config.shared_bus = &bus;
    chained channels[2] = {{&hbm_ops, tl_hbm_create(&hbm_config), 0, 0, 0}, {&hbf_ops, create(), 0, 0, 0}};
    const uint64_t end_ps = 200000000;
    uint64_t now_ps = 0;
    chained_push(&channels[0], 0, 32);
    chained_push(&channels[1], 0, 150);
    while (now_ps < end_ps) {
        const uint64_t next_ps[2] = {channels[0].ops->next_ps(channels[0].self),
                                     channels[1].ops->next_ps(channels[1].self)};
        chained *due = &channels[next_ps[1] < next_ps[0]];
        REQUIRE(next_ps[due - channels] >= now_ps && next_ps[due - channels] != TL_NEVER_PS);
        now_ps = next_ps[due - channels];
        tl_mem_completion done;
        while (due->ops->pop(due->self, now_ps, &done)) {
            REQUIRE(done.time_ps <= now_ps);
            due->answered++;
        }
        chained_push(due, now_ps, due == channels ? 32 : 150);
    }
    const double hbm_bytes = (double)channels[0].answered * 512, hbf_bytes = (double)channels[1].answered * PAGE;
    const double peak_bytes = 51.2 * (double)end_ps / 1e3;
    ck_assert_double_le(hbm_bytes + hbf_bytes, peak_bytes * 1.001);
    ck_assert_double_ge(hbm_bytes + hbf_bytes, peak_bytes * 0.90); /* a page starts only when both halves are free */
    ck_assert_double_ge(hbm_bytes, 0.1 * peak_bytes);
    ck_assert_double_ge(hbf_bytes, 0.1 * peak_bytes);
    channels[0].ops->destroy(channels[0].self);
    channels[1].ops->destroy(channels[1].self);
}
END_TEST

/* Somebody else (the path of the base-die SRAM) reserves the bus in between. */
enum { REQUESTS = 300, STEPS = 2 * REQUESTS };

typedef struct interval {
    uint64_t begin_ps, end_ps;
} interval;

typedef struct visited_run {
    uint64_t done_ps[REQUESTS];
    interval others[REQUESTS];
} visited_run;

static void pop_until(chained *channel, uint64_t now_ps, visited_run *run)
{
    tl_mem_completion done;
    while (channel->ops->pop(channel->self, now_ps, &done)) {
        REQUIRE(done.tag < REQUESTS && run->done_ps[done.tag] == 0);
        run->done_ps[done.tag] = done.time_ps;
        channel->answered++;
    }
}

/* Pushes and foreign reservations in turn, at times of their own. `eager`: pop before each of them too, not only when
 * next_ps says so. */
static visited_run visit(chained channel, tl_bus *bus, uint32_t bytes, bool eager)
{
    visited_run run = {{0}, {{0, 0}}};
    uint64_t now_ps = 0;
    for (uint64_t step = 0; step < STEPS || channel.answered < REQUESTS; step++) {
        now_ps += tl_mix64(step) % 150000;
        for (uint64_t due_ps; (due_ps = channel.ops->next_ps(channel.self)) <= now_ps;) {
            pop_until(&channel, due_ps, &run);
        }
        if (eager) {
            pop_until(&channel, now_ps, &run);
        }
        if (step < STEPS && step % 2 == 0) {
            const tl_mem_request request = read_of(step / 2, tl_mix64(step) % 100000 * bytes, bytes);
            REQUIRE(channel.ops->push(channel.self, now_ps, &request));
        } else if (step < STEPS) {
            const uint64_t begin_ps = tl_bus_reserve(bus, now_ps, 80000);
            run.others[step / 2] = (interval){begin_ps, begin_ps + 80000};
        }
    }
    channel.ops->destroy(channel.self);
    return run;
}

START_TEST(reservations_of_others)
{
    const bool flash = _i == 0;
    const uint64_t transfer_ps = flash ? config.transfer_ps : 20000;
    visited_run runs[2];
    for (unsigned eager = 0; eager < 2; eager++) {
        tl_bus bus = {{0, 0}};
        tl_hbm_config hbm_config;
        (_i == 1 ? tl_hbm_config_simple : tl_hbm_config_bus)(&hbm_config);
        hbm_config.read_queue = REQUESTS;
        hbm_config.shared_bus = config.shared_bus = &bus;
        void *self = flash ? (void *)create() : (void *)tl_hbm_create(&hbm_config);
        runs[eager] = visit((chained){flash ? &hbf_ops : &hbm_ops, self, 0, 0, 0}, &bus, flash ? PAGE : 512, eager);
    }
    ck_assert_mem_eq(runs[0].done_ps, runs[1].done_ps, sizeof runs[0].done_ps);
    ck_assert_mem_eq(runs[0].others, runs[1].others, sizeof runs[0].others);
    for (unsigned i = 0; i < REQUESTS; i++) {
        for (unsigned other = 0; other < REQUESTS; other++) {
            const interval taken = runs[0].others[other];
            REQUIRE(runs[0].done_ps[i] <= taken.begin_ps || runs[0].done_ps[i] - transfer_ps >= taken.end_ps);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shared_bus");
    TCase *tcase = tcase_create("shared_bus");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, shared_bus);
    tcase_add_loop_test(tcase, reservations_of_others, 0, 3);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
