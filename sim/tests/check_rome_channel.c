/* SPDX-License-Identifier: Apache-2.0 */
/* RoMe channel: its ten timing parameters, the two-entry scheduler, refresh, peak bandwidth. */
#include "channel_fixture.h"

enum { ROW = 4096, CHANNELS = 108 };

static tl_rome_config config;

static void setup(void)
{
    tl_rome_config_default(&config);
    config.vba_map = TL_MAP_MODULO; /* address -> VBA by hand in most tests */
}

static uint64_t vba_address(uint64_t vba, uint64_t row)
{
    return (row * 32 + vba) * ROW;
}

static tl_mem_request stream(void *context, uint64_t index)
{
    const uint64_t offset = context != NULL ? *(const uint64_t *)context : 0;
    return read_of(0, (index + offset) % (config.capacity_bytes / ROW) * ROW, ROW);
}

START_TEST(one_read)
{
    tl_rome *rome = tl_rome_create(&config);
    const tl_mem_request request = read_of(7, 0, ROW);
    ck_assert(tl_rome_push(rome, 1000, &request));
    const tl_mem_completion done = pop_next(&rome_ops, rome);
    ck_assert_uint_eq(done.tag, 7);
    ck_assert_uint_eq(done.queued_ps, 1000);
    ck_assert_uint_eq(done.time_ps, 1000 + 28000 + 80000);
    ck_assert_uint_eq(tl_rome_next_ps(rome), TL_NEVER_PS);
    tl_rome_destroy(rome);
}
END_TEST

/* Two commands pushed together: the distance of their ends is the distance of the commands. */
static const struct {
    bool first_write, second_write;
    uint64_t second_vba; /* the first is VBA 0; VBA 8 is the next stack ID */
    uint64_t distance_ps;
} pairs[] = {
    {false, false, 1, 80000},  {false, false, 8, 84000}, {false, true, 1, 85000},  {false, true, 8, 89000},
    {true, false, 1, 87000},   {true, false, 8, 91000},  {true, true, 1, 80000},   {true, true, 8, 84000},
    {false, false, 0, 111000}, {true, true, 0, 131000},  {false, true, 0, 111000}, {true, false, 0, 131000},
};

START_TEST(ten_parameters)
{
    tl_rome *rome = tl_rome_create(&config);
    tl_mem_request request = read_of(1, 0, ROW);
    request.write = pairs[_i].first_write;
    ck_assert(tl_rome_push(rome, 0, &request));
    request = read_of(2, vba_address(pairs[_i].second_vba, 3), ROW);
    request.write = pairs[_i].second_write;
    ck_assert(tl_rome_push(rome, 0, &request));
    const tl_mem_completion first = pop_next(&rome_ops, rome), second = pop_next(&rome_ops, rome);
    ck_assert_uint_eq(first.tag, 1);
    ck_assert_uint_eq(second.tag, 2);
    ck_assert_uint_eq(second.time_ps - first.time_ps, pairs[_i].distance_ps);
    tl_rome_destroy(rome);
}
END_TEST

/* 108 channels of one system, each with its share of a stream: at least 98 % of 5.53 TB/s. */
START_TEST(stream_of_108_channels)
{
    config.vba_map = TL_MAP_PERMUTATION;
    const tl_address_map_config map_config = {.kind = TL_MAP_PERMUTATION,
                                              .targets = CHANNELS,
                                              .unit_bytes = ROW,
                                              .access_bytes = ROW,
                                              .units_per_target = config.capacity_bytes / ROW};
    tl_address_map map;
    ck_assert_int_eq(tl_address_map_init(&map, &map_config), TL_MEM_OK);
    enum { PAGES = CHANNELS * 400 };
    tl_rome *rome[CHANNELS];
    config.queue = 400;
    for (unsigned c = 0; c < CHANNELS; c++) {
        rome[c] = tl_rome_create(&config);
    }
    for (uint64_t page = 0; page < PAGES; page++) {
        tl_location location;
        ck_assert_int_eq(tl_address_map_locate(&map, page * ROW, ROW, &location), TL_MEM_OK);
        const tl_mem_request request = read_of(page, location.local_address, ROW);
        ck_assert(tl_rome_push(rome[location.target], 0, &request));
    }
    uint64_t end_ps = 0, answered = 0;
    for (unsigned c = 0; c < CHANNELS; c++) {
        while (tl_rome_pending(rome[c]) != 0) {
            const uint64_t done_ps = pop_next(&rome_ops, rome[c]).time_ps;
            end_ps = done_ps > end_ps ? done_ps : end_ps;
            answered++;
        }
        tl_rome_destroy(rome[c]);
    }
    ck_assert_uint_eq(answered, PAGES);
    const double bytes_per_ns = (double)PAGES * ROW * 1e3 / (double)end_ps;
    ck_assert_double_ge(bytes_per_ns, 0.98 * 108 * 51.2);
    ck_assert_double_le(bytes_per_ns, 108 * 51.2);
}
END_TEST

static double stream_rate(void)
{
    tl_rome *rome = tl_rome_create(&config);
    const loop_result result = run_loop(&rome_ops, rome, (loop_config){20000, 8, 0}, stream, NULL);
    ck_assert_uint_eq(tl_rome_counters_of(rome)->mem.reads, 20000);
    ck_assert_uint_eq(tl_rome_counters_of(rome)->mem.read_bytes, 20000 * ROW);
    ck_assert_uint_eq(tl_rome_counters_of(rome)->mem.bus_busy_ps, 20000 * UINT64_C(80000));
    tl_rome_destroy(rome);
    return steady_rate(&result);
}

/* 8 VBAs of a stack ID at 80 ns, then 4 ns more for the switch. */
START_TEST(stream_of_one_channel)
{
    ASSERT_NEAR(stream_rate(), 8.0 / (8 * 80 + 4), 0.001);
}
END_TEST

START_TEST(refresh_costs_its_share)
{
    const double without = stream_rate();
    tl_refresh_all_bank(&config.refresh, 0, 1);
    ASSERT_NEAR(stream_rate(), without * (1.0 - 260.0 / 3900.0), 0.01);
}
END_TEST

/* One VBA at a time is away; another takes its turn: under 1 % lost. */
START_TEST(refresh_of_one_vba_is_almost_free)
{
    const double without = stream_rate();
    config.refresh = (tl_refresh_config){TL_REFRESH_PER_BANK, 3900000 / 32, 288000, 1000};
    const double with = stream_rate();
    ck_assert_double_lt(with, without);
    ck_assert_double_gt(with, without * (1.0 - 288.0 / 3900.0));
}
END_TEST

START_TEST(idle_refreshes_are_counted)
{
    tl_refresh_all_bank(&config.refresh, 0, 108);
    tl_rome *rome = tl_rome_create(&config);
    tl_rome_advance(rome, 39000000 + 1);
    ck_assert_uint_eq(tl_rome_next_ps(rome), TL_NEVER_PS);
    ck_assert_uint_eq(tl_rome_counters_of(rome)->mem.refreshes, 10);
    /* A request that falls into a refresh waits for its end. */
    const tl_mem_request request = read_of(1, 0, ROW);
    const uint64_t due_ps = config.refresh.phase_ps + 10 * config.refresh.interval_ps;
    ck_assert(tl_rome_push(rome, due_ps + 1, &request));
    ck_assert_uint_eq(pop_next(&rome_ops, rome).time_ps, due_ps + 260000 + 28000 + 80000);
    tl_rome_destroy(rome);
}
END_TEST

/* Requests 0, 1 of one VBA and 2 of another: 2 goes between them. */
START_TEST(avoids_the_same_vba_twice)
{
    tl_rome *rome = tl_rome_create(&config);
    const uint64_t addresses[] = {vba_address(0, 0), vba_address(0, 1), vba_address(1, 0)};
    for (uint64_t i = 0; i < 3; i++) {
        const tl_mem_request request = read_of(i, addresses[i], ROW);
        ck_assert(tl_rome_push(rome, 0, &request));
    }
    ck_assert_uint_eq(pop_next(&rome_ops, rome).tag, 0);
    ck_assert_uint_eq(pop_next(&rome_ops, rome).tag, 2);
    const tl_mem_completion last = pop_next(&rome_ops, rome);
    ck_assert_uint_eq(last.tag, 1);
    ck_assert_uint_eq(last.time_ps, 2 * 80000 + 28000 + 80000);
    ck_assert_uint_eq(tl_rome_counters_of(rome)->bypasses, 1);
    tl_rome_destroy(rome);
}
END_TEST

/* Beyond the window nothing is seen: both of the first two are of the busy VBA, the third may not pass. */
START_TEST(window_of_two)
{
    tl_rome *rome = tl_rome_create(&config);
    const uint64_t addresses[] = {vba_address(0, 0), vba_address(0, 1), vba_address(0, 2), vba_address(1, 0)};
    for (uint64_t i = 0; i < 4; i++) {
        const tl_mem_request request = read_of(i, addresses[i], ROW);
        ck_assert(tl_rome_push(rome, 0, &request));
    }
    ck_assert_uint_eq(pop_next(&rome_ops, rome).time_ps, 108000);
    const tl_mem_completion second = pop_next(&rome_ops, rome);
    ck_assert_uint_eq(second.tag, 1);
    ck_assert_uint_eq(second.time_ps, 111000 + 108000);
    tl_rome_destroy(rome);
}
END_TEST

/* A stream on one stack ID does not starve a request of another, though that costs 4 ns more. */
START_TEST(other_stack_is_not_starved)
{
    tl_rome *rome = tl_rome_create(&config);
    tl_mem_request request = read_of(0, vba_address(0, 0), ROW);
    ck_assert(tl_rome_push(rome, 0, &request));
    request = read_of(1, vba_address(31, 0), ROW);
    ck_assert(tl_rome_push(rome, 0, &request));
    for (uint64_t i = 2; i < 20; i++) {
        request = read_of(i, vba_address(i % 8, i), ROW);
        ck_assert(tl_rome_push(rome, 0, &request));
    }
    ck_assert_uint_eq(pop_next(&rome_ops, rome).tag, 0);
    ck_assert_uint_eq(pop_next(&rome_ops, rome).tag, 1);
    tl_rome_destroy(rome);
}
END_TEST

START_TEST(demand_first_and_promotion)
{
    tl_rome *rome = tl_rome_create(&config);
    for (uint64_t i = 0; i < 4; i++) { /* the first starts at once; 1..3 wait */
        tl_mem_request request = read_of(i, vba_address(i, 0), ROW);
        request.mem_class = i == 0 ? TL_MEM_DEMAND : TL_MEM_PREFETCH_NEAR;
        ck_assert(tl_rome_push(rome, 0, &request));
    }
    tl_mem_completion done;
    ck_assert(!tl_rome_pop(rome, 1000, &done));
    const tl_mem_request demand = read_of(9, vba_address(5, 0), ROW);
    ck_assert(tl_rome_push(rome, 1000, &demand));
    ck_assert(!tl_rome_promote(rome, 1000, 0)); /* a demand, and on the bus already */
    ck_assert(!tl_rome_promote(rome, 1000, 77));
    ck_assert(tl_rome_promote(rome, 1000, 2)); /* older than the demand */
    ck_assert(!tl_rome_promote(rome, 1000, 2));
    const uint64_t order[] = {0, 2, 9, 1, 3};
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(pop_next(&rome_ops, rome).tag, order[i]);
    }
    ck_assert_uint_eq(tl_rome_counters_of(rome)->mem.promotions, 1);
    tl_rome_destroy(rome);
}
END_TEST

static tl_mem_request random_mix(void *context, uint64_t index)
{
    (void)context;
    const uint64_t hash = tl_mix64(index);
    tl_mem_request request = read_of(0, hash % (config.capacity_bytes / ROW) * ROW, ROW);
    request.write = (hash >> 50) % 4 == 0;
    request.mem_class = (tl_mem_class)((hash >> 40) % 3);
    return request;
}

/* Waking by next_ps alone gives what polling every nanosecond gives. */
START_TEST(conservation_and_wakeups)
{
    tl_refresh_all_bank(&config.refresh, 3, 108);
    config.far_lowest = true;
    loop_result result[2];
    for (unsigned poll = 0; poll < 2; poll++) {
        tl_rome *rome = tl_rome_create(&config);
        result[poll] = run_loop(&rome_ops, rome, (loop_config){3000, 40, poll * 1000}, random_mix, NULL);
        const tl_rome_counters *counters = tl_rome_counters_of(rome);
        ck_assert_uint_eq(counters->mem.reads + counters->mem.writes, 3000);
        ck_assert_uint_eq(counters->mem.read_bytes + counters->mem.write_bytes, 3000 * ROW);
        ck_assert_uint_eq(counters->mem.queue_integral, result[poll].latency_ps);
        ck_assert_uint_eq(counters->mem.queue_peak, 40);
        ck_assert_uint_eq(tl_rome_pending(rome), 0);
        tl_rome_destroy(rome);
    }
    ck_assert_uint_eq(result[0].end_ps, result[1].end_ps);
    ck_assert_uint_eq(result[0].latency_ps, result[1].latency_ps);
}
END_TEST

START_TEST(refusals)
{
    tl_rome *rome = tl_rome_create(&config);
    const struct {
        uint64_t address;
        uint32_t bytes;
        tl_mem_status status;
    } bad[] = {{0x41, ROW, TL_MEM_MISALIGNED},
               {0, 64, TL_MEM_BAD_SIZE},
               {0, 2 * ROW, TL_MEM_BAD_SIZE},
               {0, 0, TL_MEM_BAD_SIZE},
               {config.capacity_bytes, ROW, TL_MEM_OUT_OF_RANGE},
               {0x7ffffffff000, ROW, TL_MEM_OUT_OF_RANGE}};
    for (unsigned i = 0; i < 6; i++) {
        const tl_mem_request request = read_of(i, bad[i].address, bad[i].bytes);
        ck_assert_int_eq(tl_rome_admit(rome, 0, &request), bad[i].status);
        ck_assert(!tl_rome_push(rome, 0, &request));
    }
    tl_mem_request request = read_of(1, 0, ROW);
    for (unsigned i = 0; i < config.queue; i++) {
        ck_assert(tl_rome_push(rome, 1000, &request));
    }
    ck_assert_int_eq(tl_rome_admit(rome, 1000, &request), TL_MEM_FULL);
    ck_assert(!tl_rome_push(rome, 1000, &request));
    ck_assert_int_eq(tl_rome_admit(rome, 999, &request), TL_MEM_TIME_BACKWARD);
    tl_mem_completion done;
    ck_assert(!tl_rome_pop(rome, 999, &done));
    const tl_mem_counters *counters = &tl_rome_counters_of(rome)->mem;
    ck_assert_uint_eq(counters->refused_address, 6);
    ck_assert_uint_eq(counters->refused_full, 1);
    ck_assert_uint_eq(counters->refused_time, 1);
    (void)pop_next(&rome_ops, rome);
    ck_assert(tl_rome_push(rome, 108000 + 1000, &request));
    tl_rome_destroy(rome);
}
END_TEST

START_TEST(bad_configurations)
{
    const tl_rome_config good = config;
#define REFUSED(change)                                                                                                \
    config = good;                                                                                                     \
    change;                                                                                                            \
    ck_assert_ptr_nonnull(tl_rome_config_check(&config));                                                              \
    ck_assert_ptr_null(tl_rome_create(&config))
    REFUSED(config.row_bytes = 3000);
    REFUSED(config.vbas = 0);
    REFUSED(config.stack_ids = 3);
    REFUSED(config.timing.w2rr_ps = 79999);
    REFUSED(config.queue = 0);
    REFUSED(config.window = 0);
    REFUSED(config.capacity_bytes = 4096);
    REFUSED(config.vba_map = TL_MAP_BITS);
    REFUSED((config.refresh = (tl_refresh_config){TL_REFRESH_ALL_BANK, 100, 100, 1}));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rome_channel");
    TCase *tcase = tcase_create("rome_channel");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, one_read);
    tcase_add_loop_test(tcase, ten_parameters, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(tcase, stream_of_108_channels);
    tcase_add_test(tcase, stream_of_one_channel);
    tcase_add_test(tcase, refresh_costs_its_share);
    tcase_add_test(tcase, refresh_of_one_vba_is_almost_free);
    tcase_add_test(tcase, idle_refreshes_are_counted);
    tcase_add_test(tcase, avoids_the_same_vba_twice);
    tcase_add_test(tcase, window_of_two);
    tcase_add_test(tcase, other_stack_is_not_starved);
    tcase_add_test(tcase, demand_first_and_promotion);
    tcase_add_test(tcase, conservation_and_wakeups);
    tcase_add_test(tcase, refusals);
    tcase_add_test(tcase, bad_configurations);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
