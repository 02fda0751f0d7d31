/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What other memory simulators got wrong, put to the page channels, with the right value: livelock of reads and writes
 * of one address, writes that never drain, runs that end early, reads of one address counted once. For HBM the same is
 * in check_hbm_faults.c.
 */
#include "channel_fixture.h"

enum { PAGE = 4096, LARGEST = 128 };

static tl_hbf_config hbf_config;
static tl_rome_config rome_config;

typedef struct page_channel {
    const channel_ops *ops;
    void *self;
    uint64_t first_ps; /* a read on its own */
    const tl_mem_counters *counters;
} page_channel;

static void setup(void)
{
    tl_hbf_config_default(&hbf_config);
    tl_rome_config_default(&rome_config);
    hbf_config.group_map = rome_config.vba_map = TL_MAP_MODULO;
}

static page_channel create(int kind)
{
    if (kind == 0) {
        tl_hbf *hbf = tl_hbf_create(&hbf_config);
        return (page_channel){&hbf_ops, hbf, hbf_config.read_latency_ps + hbf_config.transfer_ps,
                              &tl_hbf_counters_of(hbf)->mem};
    }
    tl_rome *rome = tl_rome_create(&rome_config);
    return (page_channel){&rome_ops, rome, rome_config.first_data_ps + rome_config.transfer_ps,
                          &tl_rome_counters_of(rome)->mem};
}

static tl_mem_request access_of(uint64_t tag, uint64_t page, bool write)
{
    return (tl_mem_request){tag, page * PAGE, PAGE, write, TL_MEM_DEMAND};
}

/* The time of the last of `count` answers; each tag once, and nothing comes after. */
static uint64_t drain(const page_channel *channel, uint64_t count)
{
    bool seen[LARGEST] = {false};
    uint64_t last_ps = 0;
    for (uint64_t i = 0; i < count; i++) {
        const tl_mem_completion done = pop_next(channel->ops, channel->self);
        REQUIRE(done.tag < count && !seen[done.tag]);
        seen[done.tag] = true;
        last_ps = done.time_ps;
    }
    ck_assert_uint_eq(channel->ops->next_ps(channel->self), TL_NEVER_PS);
    return last_ps;
}

/* 64 reads and 64 writes of the same pages, one of each a step, writes in reverse. */
static const uint64_t page_strides[] = {0, 1, 32, 62, 256};
enum { STRIDES = sizeof page_strides / sizeof *page_strides };

START_TEST(reads_and_writes_of_the_same_addresses)
{
    rome_config.queue = LARGEST;
    const page_channel channel = create(_i / STRIDES);
    const uint64_t stride = page_strides[_i % STRIDES];
    for (uint64_t i = 0; i < LARGEST / 2; i++) {
        const tl_mem_request read = access_of(i, i * stride, false);
        const tl_mem_request write = access_of(LARGEST / 2 + i, (LARGEST / 2 - 1 - i) * stride, true);
        ck_assert(channel.ops->push(channel.self, i * 1000, &read));
        ck_assert(channel.ops->push(channel.self, i * 1000, &write));
    }
    drain(&channel, LARGEST);
    ck_assert_uint_eq(channel.counters->reads, LARGEST / 2);
    ck_assert_uint_eq(channel.counters->writes, LARGEST / 2);
    ck_assert_uint_eq(channel.counters->read_bytes, channel.counters->write_bytes);
    channel.ops->destroy(channel.self);
}
END_TEST

/* Eight writes, then nothing: done at once, one transfer (in HBF then a program) after the other. */
START_TEST(writes_alone_are_drained)
{
    const page_channel channel = create(_i);
    for (uint64_t i = 0; i < 8; i++) {
        const tl_mem_request write = access_of(i, i, true);
        ck_assert(channel.ops->push(channel.self, 0, &write));
    }
    const uint64_t after_bus_ps = _i == 0 ? hbf_config.program_ps : rome_config.first_data_ps;
    ck_assert_uint_eq(drain(&channel, 8), 8 * 80000 + after_bus_ps);
    ck_assert_uint_eq(channel.counters->writes, 8);
    channel.ops->destroy(channel.self);
}
END_TEST

/* An empty run ends at once; a run is not over when its last request is sent. */
START_TEST(one_request_and_then_the_end)
{
    const page_channel channel = create(_i);
    tl_mem_completion done;
    ck_assert_uint_eq(channel.ops->next_ps(channel.self), TL_NEVER_PS);
    ck_assert(!channel.ops->pop(channel.self, 0, &done));
    const tl_mem_request read = access_of(0, 0, false);
    ck_assert(channel.ops->push(channel.self, 0, &read));
    ck_assert_uint_ne(channel.ops->next_ps(channel.self), TL_NEVER_PS);
    ck_assert(!channel.ops->pop(channel.self, channel.first_ps - 1, &done));
    ck_assert(channel.ops->pop(channel.self, channel.first_ps, &done));
    ck_assert_uint_eq(done.time_ps, channel.first_ps);
    ck_assert_uint_eq(channel.counters->reads, 1);
    channel.ops->destroy(channel.self);
}
END_TEST

/*
 * Eight reads of one page and one of another are nine reads. HBF: a group of two planes gives two of the page every
 * 5 us, the last at 20 us + two transfers; the ninth read overlaps. RoMe: the virtual bank takes a command every
 * 111 ns; the other read slips in before the eighth, which so comes 80 ns after it.
 */
START_TEST(nine_reads_with_eight_the_same)
{
    const page_channel channel = create(_i);
    for (uint64_t i = 0; i < 9; i++) {
        const tl_mem_request read = access_of(i, i < 8 ? 0 : 1, false);
        ck_assert(channel.ops->push(channel.self, 0, &read));
    }
    const uint64_t last_ps = _i == 0 ? 4 * hbf_config.read_latency_ps + 2 * hbf_config.transfer_ps
                                     : 6 * UINT64_C(111000) + 2 * UINT64_C(80000) + channel.first_ps;
    ck_assert_uint_eq(drain(&channel, 9), last_ps);
    ck_assert_uint_eq(channel.counters->reads, 9);
    ck_assert_uint_eq(channel.counters->read_bytes, 9 * PAGE);
    ck_assert_uint_eq(channel.counters->bus_busy_ps, 9 * 80000);
    channel.ops->destroy(channel.self);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("peer_faults");
    TCase *tcase = tcase_create("peer_faults");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, reads_and_writes_of_the_same_addresses, 0, 2 * STRIDES);
    tcase_add_loop_test(tcase, writes_alone_are_drained, 0, 2);
    tcase_add_loop_test(tcase, one_request_and_then_the_end, 0, 2);
    tcase_add_loop_test(tcase, nine_reads_with_eight_the_same, 0, 2);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
