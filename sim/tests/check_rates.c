/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rates of whole memory systems: what bus, refresh, page latency and row misses allow, and nothing else. The requests
 * are one stream in order of address, spread over the channels by the permutation page map, a bounded number in flight.
 */
#include <string.h>

#include "channel_fixture.h"

enum { HBM_CHANNELS = 96, ROME_CHANNELS = 108, PAGE = 4096 };

/* 64 pins at 6.4 Gb/s. */
static const double channel_bytes_per_ps = 64 * 6.4 / 8 / 1000;

typedef struct rate_system {
    const channel_ops *ops;
    void *channels[ROME_CHANNELS];
    uint64_t next_ps[ROME_CHANNELS];
    uint32_t count, request_bytes;
    tl_address_map map; /* system address -> channel */
    uint64_t offered, in_flight, window;
} rate_system;

static rate_system start_system(const channel_ops *ops, uint32_t count, uint32_t request_bytes, uint64_t window)
{
    const tl_address_map_config map = {.kind = TL_MAP_PERMUTATION,
                                       .targets = count,
                                       .unit_bytes = PAGE,
                                       .access_bytes = request_bytes,
                                       .units_per_target = (UINT64_C(3) << 29) / PAGE};
    rate_system system = {.ops = ops, .count = count, .request_bytes = request_bytes, .window = window};
    ck_assert_int_eq(tl_address_map_init(&system.map, &map), TL_MEM_OK);
    return system;
}

/* The stream stands still while the channel of its next request is full. */
static void offer(rate_system *system, uint64_t now_ps)
{
    while (system->in_flight < system->window) {
        const uint64_t address = system->offered * system->request_bytes;
        tl_location location;
        REQUIRE(tl_address_map_locate(&system->map, address, system->request_bytes, &location) == TL_MEM_OK);
        const tl_mem_request request = read_of(system->offered, location.local_address, system->request_bytes);
        if (!system->ops->push(system->channels[location.target], now_ps, &request)) {
            break;
        }
        system->next_ps[location.target] = system->ops->next_ps(system->channels[location.target]);
        system->offered++;
        system->in_flight++;
    }
}

static uint32_t earliest(const rate_system *system)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < system->count; c++) {
        best = system->next_ps[c] < system->next_ps[best] ? c : best;
    }
    return best;
}

/* Bytes per ps answered from begin_ps to end_ps. Destroys the channels. */
static double rate_between(rate_system *system, uint64_t begin_ps, uint64_t end_ps)
{
    uint64_t answered = 0, now_ps = 0;
    for (uint32_t c = 0; c < system->count; c++) {
        ck_assert_ptr_nonnull(system->channels[c]);
        system->next_ps[c] = TL_NEVER_PS;
    }
    offer(system, 0);
    while (now_ps < end_ps) {
        const uint32_t c = earliest(system);
        REQUIRE(system->next_ps[c] != TL_NEVER_PS && system->next_ps[c] >= now_ps);
        now_ps = system->next_ps[c];
        tl_mem_completion done;
        while (system->ops->pop(system->channels[c], now_ps, &done)) {
            answered += done.time_ps >= begin_ps && done.time_ps < end_ps;
            system->in_flight--;
        }
        system->next_ps[c] = system->ops->next_ps(system->channels[c]);
        offer(system, now_ps);
    }
    for (uint32_t c = 0; c < system->count; c++) {
        system->ops->destroy(system->channels[c]);
    }
    return (double)(answered * system->request_bytes) / (double)(end_ps - begin_ps);
}

/* ---- HBM --------------------------------------------------------------------------------------------------------- */

/* Of `channels` channels, over whole refresh intervals; enough in flight for the queues never to run empty. */
static double hbm_stream_rate(const tl_hbm_config *base, uint32_t channels, uint32_t request_bytes, bool refresh)
{
    rate_system system = start_system(&hbm_ops, channels, request_bytes, UINT64_MAX);
    tl_hbm_config config = *base;
    config.read_queue = 8 * PAGE / request_bytes;
    for (uint32_t c = 0; c < channels; c++) {
        if (refresh) {
            tl_refresh_all_bank(&config.refresh, c, channels);
        }
        system.channels[c] = tl_hbm_create(&config);
    }
    const uint64_t interval_ps = 3900000;
    return rate_between(&system, 2 * interval_ps, (channels == 1 ? 42 : 10) * interval_ps);
}

typedef struct hbm_case {
    void (*preset)(tl_hbm_config *config);
    uint32_t channels, request_bytes;
    double share; /* of the bus, at least */
} hbm_case;

static const hbm_case hbm_cases[] = {
    {tl_hbm_config_simple, 1, 64, 0.97},  {tl_hbm_config_simple, HBM_CHANNELS, 64, 0.95},
    {tl_hbm_config_simple, 1, 512, 0.97}, {tl_hbm_config_simple, HBM_CHANNELS, 512, 0.95},
    {tl_hbm_config_full, 1, 64, 0.97},    {tl_hbm_config_full, HBM_CHANNELS, 512, 0.95},
    {tl_hbm_config_bus, 1, 64, 0.999},    {tl_hbm_config_bus, HBM_CHANNELS, 512, 0.999},
};

START_TEST(hbm_stream)
{
    const hbm_case *row = &hbm_cases[_i];
    tl_hbm_config config;
    row->preset(&config);
    const double peak = row->channels * channel_bytes_per_ps;
    const double without = hbm_stream_rate(&config, row->channels, row->request_bytes, false);
    ck_assert_double_ge(without, row->share * peak);
    ck_assert_double_le(without, 1.001 * peak);

    tl_refresh_config refresh;
    tl_refresh_all_bank(&refresh, 0, 1);
    const double left = 1 - (double)refresh.duration_ps / (double)refresh.interval_ps;
    const double with = hbm_stream_rate(&config, row->channels, row->request_bytes, true);
    ASSERT_NEAR(with, without * left, 0.01);
}
END_TEST

/* Reads of `banks` banks of each pseudo-channel, every one of another row, more than enough in flight. */
typedef struct miss_source {
    tl_bit_decoder decoder;
    uint32_t banks;
} miss_source;

static tl_mem_request miss_request(void *context, uint64_t index)
{
    const miss_source *source = context;
    const uint32_t bank = (uint32_t)(index / TL_HBM_PSEUDO_CHANNELS % source->banks);
    const uint32_t fields[TL_BIT_FIELDS] = {
        [TL_BIT_PSEUDO_CHANNEL] = (uint32_t)(index % TL_HBM_PSEUDO_CHANNELS),
        [TL_BIT_BANK_GROUP] = bank % 4,
        [TL_BIT_BANK] = bank / 4 % 4,
        [TL_BIT_ROW] = (uint32_t)(index / TL_HBM_PSEUDO_CHANNELS / source->banks % 16384),
    };
    return read_of(0, tl_bit_map_encode(&source->decoder, fields), TL_HBM_ACCESS_BYTES);
}

/* A bank gives 64 B in miss + transfer; banks work side by side until the bus is full. */
START_TEST(hbm_row_misses)
{
    static const uint64_t miss_ps[] = {28000, 42000, 60000};
    static const uint32_t banks[] = {1, 2, 4, 8, 16};
    const uint64_t hit_ps = 14000;
    tl_hbm_config config;
    tl_hbm_config_simple(&config);
    const uint64_t bank_ps = miss_ps[_i / 5] + config.access_ps;
    config.timing.rcd_read_ps = config.timing.rcd_write_ps = miss_ps[_i / 5] - hit_ps;
    config.timing.rc_ps = bank_ps;
    miss_source source = {.banks = banks[_i % 5]};
    tl_bit_map_compile(&config.map, &source.decoder);
    tl_hbm *hbm = tl_hbm_create(&config);
    const loop_config loop = {.requests = 20000, .in_flight = config.read_queue};
    const loop_result result = run_loop(&hbm_ops, hbm, loop, miss_request, &source);
    const double bank_bytes_per_ps = (double)TL_HBM_ACCESS_BYTES / (double)bank_ps;
    const double banks_bytes_per_ps = TL_HBM_PSEUDO_CHANNELS * source.banks * bank_bytes_per_ps;
    const double expected = banks_bytes_per_ps < channel_bytes_per_ps ? banks_bytes_per_ps : channel_bytes_per_ps;
    ck_assert_uint_eq(result.row_hits, 0);
    ASSERT_NEAR(steady_rate(&result) * TL_HBM_ACCESS_BYTES / 1e3, expected, 0.01);
    tl_hbm_destroy(hbm);
}
END_TEST

/* ---- RoMe -------------------------------------------------------------------------------------------------------- */

static double rome_stream_rate(bool refresh)
{
    rate_system system = start_system(&rome_ops, ROME_CHANNELS, PAGE, UINT64_MAX);
    tl_rome_config config;
    tl_rome_config_default(&config);
    for (uint32_t c = 0; c < ROME_CHANNELS; c++) {
        if (refresh) {
            tl_refresh_all_bank(&config.refresh, c, ROME_CHANNELS);
        }
        system.channels[c] = tl_rome_create(&config);
    }
    const uint64_t interval_ps = 3900000;
    return rate_between(&system, 4 * interval_ps, 44 * interval_ps);
}

/* 108 channels are 5.53 TB/s. */
START_TEST(rome_stream)
{
    const double without = rome_stream_rate(false);
    ck_assert_double_ge(without, 0.98 * ROME_CHANNELS * channel_bytes_per_ps);
    ck_assert_double_le(without, 1.001 * ROME_CHANNELS * channel_bytes_per_ps);
    tl_refresh_config refresh;
    tl_refresh_all_bank(&refresh, 0, 1);
    const double left = 1 - (double)refresh.duration_ps / (double)refresh.interval_ps;
    ASSERT_NEAR(rome_stream_rate(true), without * left, 0.01);
}
END_TEST

/* ---- HBF --------------------------------------------------------------------------------------------------------- */

static double hbf_rate(const tl_hbf_config *config, uint64_t pages_in_flight)
{
    rate_system system = start_system(&hbf_ops, HBM_CHANNELS, PAGE, pages_in_flight);
    for (uint32_t c = 0; c < HBM_CHANNELS; c++) {
        system.channels[c] = tl_hbf_create(config);
    }
    const uint64_t round_ps = config->read_latency_ps + config->transfer_ps;
    return rate_between(&system, 4 * round_ps, 24 * round_ps);
}

/* Little's law below the peak; bandwidth x latency, 6000 pages at 5 us, fills the bus. */
START_TEST(hbf_pages_in_flight)
{
    static const uint64_t pages[] = {96, 1000, 2000, 4000, 6000, 12000};
    tl_hbf_config config;
    tl_hbf_config_default(&config);
    const double peak = HBM_CHANNELS * channel_bytes_per_ps;
    const double rate = hbf_rate(&config, pages[_i]);
    const double littles = (double)pages[_i] * PAGE / (double)(config.read_latency_ps + config.transfer_ps);
    if (littles < 0.9 * peak) {
        ASSERT_NEAR(rate, littles, 0.02);
    } else {
        ck_assert_double_ge(rate, 0.97 * peak);
        ck_assert_double_le(rate, 1.001 * peak);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rates");
    TCase *tcase = tcase_create("rates");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, hbm_stream, 0, sizeof hbm_cases / sizeof *hbm_cases);
    tcase_add_loop_test(tcase, hbm_row_misses, 0, 15);
    tcase_add_test(tcase, rome_stream);
    tcase_add_loop_test(tcase, hbf_pages_in_flight, 0, 6);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
