/* SPDX-License-Identifier: Apache-2.0 */
/* HBM channel: latencies, rates against closed forms, the timing table, scheduling, refresh. Faults:
 * check_hbm_faults.c. */
#include "../memory/address_map.h"
#include "hbm_timing_checker.h"

#include "hbm_fixture.h" /* last: its `config` must not be shadowed */

/* ---- latency ------------------------------------------------------------------------------------------------------
 */

/* To the first byte 42 ns without, 14 ns with the row open; 64 B follow in 2.5 ns. */
START_TEST(simple_latencies)
{
    tl_hbm *hbm = create();
    ck_assert_uint_eq(one_read_ps(hbm, 1000, address_of(0, 0, 0, 0, 0), false), 42000 + 2500);
    ck_assert_uint_eq(one_read_ps(hbm, 1000000, address_of(0, 0, 0, 0, 64), true), 14000 + 2500);
    ck_assert_uint_eq(one_read_ps(hbm, 2000000, address_of(0, 0, 0, 1, 0), false), 42000 + 2500);
    ck_assert_uint_eq(one_read_ps(hbm, 3000000, address_of(1, 0, 0, 1, 0), false), 42000 + 2500);
    const tl_hbm_counters *counters = tl_hbm_counters_of(hbm);
    ck_assert_uint_eq(counters->row_hits, 1);
    ck_assert_uint_eq(counters->row_misses, 3);
    ck_assert_uint_eq(counters->activates, 3);
    ck_assert_uint_eq(counters->precharges, 1);
    ck_assert_uint_eq(counters->mem.read_bytes, 256);
    ck_assert_uint_eq(counters->mem.bus_busy_ps, 4 * 2500);
    tl_hbm_destroy(hbm);
}
END_TEST

/* tRP + tRCD + tCL, then two bursts tCCD_L apart, the last taking half of 2.5 ns. */
START_TEST(full_latencies)
{
    tl_hbm *hbm = create();
    const uint64_t bursts_ps = 2500 + 1250;
    ck_assert_uint_eq(one_read_ps(hbm, 1000, address_of(0, 0, 0, 0, 0), false), 14000 + 14000 + bursts_ps);
    ck_assert_uint_eq(one_read_ps(hbm, 1000000, address_of(0, 0, 0, 0, 64), true), 14000 + bursts_ps);
    ck_assert_uint_eq(one_read_ps(hbm, 2000000, address_of(0, 0, 0, 1, 0), false), 42000 + bursts_ps);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->column_commands, 6);
    tl_hbm_destroy(hbm);
}
END_TEST

/* ---- streams ------------------------------------------------------------------------------------------------------
 */

static uint32_t source_bytes = 64;

static tl_mem_request stream(void *context, uint64_t index)
{
    (void)context;
    return read_of(0, index * source_bytes % config.capacity_bytes, source_bytes);
}

/* 16 MB take 328 us: 84 refresh intervals, so the last, incomplete one counts for less than 0.1 %. */
static double stream_bytes_per_ns(uint32_t bytes)
{
    source_bytes = bytes;
    tl_hbm *hbm = create();
    const uint64_t requests = UINT64_C(16) * 1024 * 1024 / bytes;
    const loop_result result = run_loop(&hbm_ops, hbm, (loop_config){requests, 64, 0}, stream, NULL);
    const tl_hbm_counters *counters = tl_hbm_counters_of(hbm);
    ck_assert_uint_eq(counters->mem.reads, requests);
    ck_assert_uint_eq(counters->mem.read_bytes, requests * bytes);
    ck_assert_uint_eq(counters->mem.bus_busy_ps, requests * bytes / 64 * 2500);
    ck_assert_uint_eq(counters->mem.queue_integral, result.latency_ps);
    ck_assert_uint_eq(counters->row_hits, result.row_hits);
    if (config.refresh.mode == TL_REFRESH_NONE) {
        ck_assert_uint_eq(counters->activates, requests * bytes / 1024); /* each row once */
    }
    tl_hbm_destroy(hbm);
    return (double)(requests * bytes) * 1e3 / (double)result.end_ps;
}

static const uint32_t request_sizes[] = {64, 128, 256, 512};

START_TEST(stream_fills_the_bus)
{
    const double rate = stream_bytes_per_ns(request_sizes[_i]);
    ck_assert_double_ge(rate, 0.97 * 51.2);
    ck_assert_double_le(rate, 1.0001 * 51.2);
}
END_TEST

/* One stream over 96 channels in 4 KB pieces, as far ahead as the queues allow: 95 % of 4.915 TB/s. */
START_TEST(stream_of_96_channels)
{
    enum { CHANNELS = 96, BYTES = 512, REQUESTS = 96 * 1000 };
    const tl_address_map_config map_config = {.kind = TL_MAP_PERMUTATION,
                                              .targets = CHANNELS,
                                              .unit_bytes = 4096,
                                              .access_bytes = 64,
                                              .units_per_target = config.capacity_bytes / 4096};
    tl_address_map map;
    tl_hbm *hbm[CHANNELS];
    ck_assert_int_eq(tl_address_map_init(&map, &map_config), TL_MEM_OK);
    for (unsigned c = 0; c < CHANNELS; c++) {
        hbm[c] = create();
    }
    uint64_t pushed = 0, answered = 0, now_ps = 0;
    while (answered < REQUESTS) {
        for (; pushed < REQUESTS; pushed++) {
            tl_location location = {0, 0};
            REQUIRE(tl_address_map_locate(&map, pushed * BYTES, BYTES, &location) == TL_MEM_OK);
            const tl_mem_request request = read_of(pushed, location.local_address, BYTES);
            if (!tl_hbm_push(hbm[location.target], now_ps, &request)) {
                break;
            }
        }
        now_ps += 20000;
        for (unsigned c = 0; c < CHANNELS; c++) {
            tl_mem_completion done;
            while (tl_hbm_pop(hbm[c], now_ps, &done)) {
                answered++;
            }
        }
    }
    const double bytes_per_ns = (double)REQUESTS * BYTES * 1e3 / (double)now_ps;
    ck_assert_double_ge(bytes_per_ns, 0.95 * 96 * 51.2);
    ck_assert_double_le(bytes_per_ns, 96 * 51.2);
    for (unsigned c = 0; c < CHANNELS; c++) {
        tl_hbm_destroy(hbm[c]);
    }
}
END_TEST

START_TEST(refresh_costs_its_share)
{
    const double without = stream_bytes_per_ns(request_sizes[_i]);
    tl_refresh_all_bank(&config.refresh, 0, 96);
    ASSERT_NEAR(stream_bytes_per_ns(request_sizes[_i]), without * (1.0 - 260.0 / 3900.0), 0.01);
}
END_TEST

/* A bank is away 200 ns of 3.9 us; the other 31 of the PC take over, so less than half of that is lost. */
START_TEST(refresh_per_bank_costs_little)
{
    const double without = stream_bytes_per_ns(64);
    config.refresh = (tl_refresh_config){TL_REFRESH_PER_BANK, 3900000 / 32, 200000, 5000};
    ck_assert_double_gt(stream_bytes_per_ns(64), without * (1.0 - 0.5 * 200.0 / 3900.0));
}
END_TEST

/* ---- random reads against closed forms -----------------------------------------------------------------------------
 */

static tl_mem_request random_read(void *context, uint64_t index)
{
    (void)context;
    return read_of(0, tl_mix64(index) % (config.capacity_bytes / 64) * 64, 64);
}

static double random_rate(uint64_t requests, uint64_t in_flight)
{
    tl_hbm *hbm = create();
    const loop_result result = run_loop(&hbm_ops, hbm, (loop_config){requests, in_flight, 0}, random_read, NULL);
    tl_hbm_destroy(hbm);
    return steady_rate(&result);
}

static const uint64_t miss_times_ps[] = {30000, 42000, 60000, 100000};

/* Few banks, hardly ever one without work: banks / (miss + transfer). The map has 2 banks in each of 2 PCs, 2^18 rows.
 */
START_TEST(random_reads_of_busy_banks)
{
    ck_assert_int_eq(tl_bit_map_parse("rrrrrrrrrrrrrrrrrrbpcccccccccc", &config.map), TL_MEM_OK);
    config.capacity_bytes = UINT64_C(1) << 30;
    config.read_queue = 256;
    config.timing.rcd_read_ps = miss_times_ps[_i] - config.timing.cl_ps;
    config.timing.rc_ps = miss_times_ps[_i] + config.access_ps;
    ASSERT_NEAR(random_rate(20000, 256), 4 * 1e3 / (double)(miss_times_ps[_i] + 2500), 0.01);
}
END_TEST

/* One read at a time: miss + transfer each, but for the hit that chance gives once in 2^15 rows. */
START_TEST(random_reads_one_by_one)
{
    config.timing.rcd_read_ps = miss_times_ps[_i] - config.timing.cl_ps;
    config.timing.rc_ps = miss_times_ps[_i] + config.access_ps;
    ASSERT_NEAR(random_rate(5000, 1), 1e3 / (double)(miss_times_ps[_i] + 2500), 0.001);
}
END_TEST

/* Enough banks for the bus: 64 of them give 64 / 44.5 ns, the two PCs take 2 / 2.5 ns. */
START_TEST(random_reads_of_many_banks)
{
    config.read_queue = 512;
    ASSERT_NEAR(random_rate(40000, 512), 2 / 2.5, 0.03);
}
END_TEST

/* Every read activates a row: four activates in tFAW on each of two PCs. */
START_TEST(random_reads_meet_four_activate_window)
{
    config.read_queue = 512;
    ASSERT_NEAR(random_rate(40000, 512), 2 * 4 / 15.0, 0.02);
}
END_TEST

/* Little's law for what waits and is served: mean number = rate x mean time. */
START_TEST(littles_law)
{
    tl_hbm *hbm = create();
    const loop_result result = run_loop(&hbm_ops, hbm, (loop_config){20000, 40, 0}, random_read, NULL);
    const double mean = (double)tl_hbm_counters_of(hbm)->mem.queue_integral / (double)result.end_ps;
    ASSERT_NEAR(mean, 40.0, 0.01);
    ASSERT_NEAR((double)result.latency_ps / 20000 * (20000 / (double)result.end_ps), mean, 0.001);
    tl_hbm_destroy(hbm);
}
END_TEST

/* ---- the timing table ----------------------------------------------------------------------------------------------
 */

/* Reads and writes, prefetches and demands, some rows near and some far. */
static tl_mem_request mixed(void *context, uint64_t index)
{
    (void)context;
    const uint64_t hash = tl_mix64(index);
    const uint64_t span = hash % 3 == 0 ? config.capacity_bytes : 65536;
    tl_mem_request request = read_of(0, (hash >> 8) % (span / 512) * 512, 64u << ((hash >> 4) % 4));
    request.write = (hash >> 50) % 3 == 0;
    request.mem_class = (tl_mem_class)((hash >> 40) % 3);
    return request;
}

static const request_source trace_sources[] = {stream, random_read, mixed};

START_TEST(commands_keep_the_table)
{
    static timing_checker checker;
    config.refresh = (tl_refresh_config){TL_REFRESH_ALL_BANK, 1300000, 260000, 100000};
    config.observer = check_command;
    config.observer_context = &checker;
    checker_init(&checker, &config);
    source_bytes = 256;
    tl_hbm *hbm = create();
    (void)run_loop(&hbm_ops, hbm, (loop_config){20000, 100, 0}, trace_sources[_i], NULL);
    const tl_hbm_counters *counters = tl_hbm_counters_of(hbm);
    ck_assert_uint_eq(checker.commands[TL_HBM_ACT], counters->activates);
    ck_assert_uint_eq(checker.commands[TL_HBM_PRE], counters->precharges);
    ck_assert_uint_eq(checker.commands[TL_HBM_RD] + checker.commands[TL_HBM_WR], counters->column_commands);
    ck_assert_uint_eq(counters->column_commands * 32, counters->mem.read_bytes + counters->mem.write_bytes);
    ck_assert_uint_eq(checker.commands[TL_HBM_REF], counters->mem.refreshes);
    ck_assert_uint_gt(counters->mem.refreshes, 10);
    ck_assert_uint_eq(counters->row_hits + counters->row_misses, 20000);
    ck_assert_uint_ge(counters->activates, counters->row_misses);
    tl_hbm_destroy(hbm);
}
END_TEST

/* Each minimum of the table is reached somewhere: a distance made 1 us longer must slow its load down. */
START_TEST(each_distance_matters)
{
    uint64_t *const distances[] = {&config.timing.rcd_read_ps, &config.timing.rcd_write_ps, &config.timing.rp_ps,
                                   &config.timing.ras_ps,      &config.timing.rc_ps,        &config.timing.cl_ps,
                                   &config.timing.cwl_ps,      &config.timing.ccd_s_ps,     &config.timing.ccd_l_ps,
                                   &config.timing.ccd_r_ps,    &config.timing.rrd_s_ps,     &config.timing.rrd_l_ps,
                                   &config.timing.faw_ps,      &config.timing.rtp_ps,       &config.timing.wr_ps,
                                   &config.timing.wtr_s_ps,    &config.timing.wtr_l_ps,     &config.timing.rtw_ps};
    ck_assert_uint_eq(sizeof distances, sizeof config.timing / sizeof(uint64_t) * sizeof *distances);
    uint64_t end_ps[2];
    for (unsigned longer = 0; longer < 2; longer++) {
        *distances[_i] += longer * 1000000;
        tl_hbm *hbm = create();
        end_ps[longer] = run_loop(&hbm_ops, hbm, (loop_config){2000, 100, 0}, mixed, NULL).end_ps;
        tl_hbm_destroy(hbm);
    }
    ck_assert_uint_gt(end_ps[1], end_ps[0] + 1000000);
}
END_TEST

/* tCCD_L equal to the burst is legal. */
START_TEST(equal_column_distances)
{
    config.timing.ccd_l_ps = config.timing.ccd_r_ps = config.timing.ccd_s_ps;
    ck_assert_double_ge(stream_bytes_per_ns(64), 0.97 * 51.2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hbm_channel");
    TCase *simple = tcase_create("simple"), *full = tcase_create("full");
    tcase_add_checked_fixture(simple, setup_simple, NULL);
    tcase_add_checked_fixture(full, setup_full, NULL);
    tcase_add_test(simple, simple_latencies);
    tcase_add_test(full, full_latencies);
    TCase *const both[] = {simple, full};
    for (unsigned i = 0; i < 2; i++) {
        tcase_add_loop_test(both[i], stream_fills_the_bus, 0, 4);
        tcase_add_test(both[i], stream_of_96_channels);
        tcase_add_loop_test(both[i], refresh_costs_its_share, 0, 4);
        tcase_add_test(both[i], refresh_per_bank_costs_little);
        tcase_add_test(both[i], littles_law);
    }
    tcase_add_loop_test(simple, random_reads_of_busy_banks, 0, 4);
    tcase_add_loop_test(simple, random_reads_one_by_one, 0, 4);
    tcase_add_test(simple, random_reads_of_many_banks);
    tcase_add_test(full, random_reads_meet_four_activate_window);
    tcase_add_loop_test(full, commands_keep_the_table, 0, 3);
    tcase_add_loop_test(full, each_distance_matters, 0, 18);
    tcase_add_test(full, equal_column_distances);
    suite_add_tcase(suite, simple);
    suite_add_tcase(suite, full);
    return run_suite(suite);
}
