/* SPDX-License-Identifier: Apache-2.0 */
/* HBM channel: inputs on which other simulators livelock, lose requests, miscount or accept nonsense. Each mode. */
#include "hbm_fixture.h"

static tl_mem_request access_of(uint64_t tag, uint64_t address, bool write)
{
    return (tl_mem_request){tag, address, 64, write, TL_MEM_DEMAND};
}

/* Pops all that is left; each tag below `tags` answered once, none before. */
static void drain(tl_hbm *hbm, uint8_t *seen, uint64_t tags)
{
    while (tl_hbm_pending(hbm) != 0) {
        const tl_mem_completion done = pop_next(&hbm_ops, hbm);
        REQUIRE(done.tag < tags && seen[done.tag] == 0);
        seen[done.tag] = 1;
    }
    for (uint64_t tag = 0; tag < tags; tag++) {
        ck_assert_uint_eq(seen[tag], 1);
    }
    ck_assert_uint_eq(tl_hbm_next_ps(hbm), TL_NEVER_PS);
}

/* Write-after-read livelock: 64 reads and 64 writes to the same addresses, at most one of each per ns, writes in
 * reverse. */
static const uint64_t strides[] = {64, 1024, 4096, 32768, 65536, 1048576};

START_TEST(reads_and_writes_of_the_same_addresses)
{
    tl_hbm *hbm = create();
    uint8_t seen[128] = {0};
    uint64_t reads = 0, writes = 0, now_ps = 0;
    while (reads < 64 || writes < 64) {
        tl_mem_completion done;
        while (tl_hbm_pop(hbm, now_ps, &done)) {
            REQUIRE(done.tag < 128 && seen[done.tag] == 0);
            seen[done.tag] = 1;
        }
        const tl_mem_request read = access_of(reads, reads * strides[_i], false);
        const tl_mem_request write = access_of(64 + writes, (63 - writes) * strides[_i], true);
        reads += reads < 64 && tl_hbm_push(hbm, now_ps, &read);
        writes += writes < 64 && tl_hbm_push(hbm, now_ps, &write);
        now_ps += 1000;
    }
    drain(hbm, seen, 128);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.reads, 64);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.writes, 64);
    tl_hbm_destroy(hbm);
}
END_TEST

/* Eight writes, then nothing: far below the watermark, and done at once. */
START_TEST(writes_alone_are_drained)
{
    tl_hbm *hbm = create();
    uint8_t seen[8] = {0};
    for (uint64_t i = 0; i < 8; i++) {
        const tl_mem_request write = access_of(i, i * 64, true);
        ck_assert(tl_hbm_push(hbm, 0, &write));
    }
    drain(hbm, seen, 8);
    tl_hbm_advance(hbm, 1000000);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.write_bytes, 512);
    ck_assert_uint_lt(tl_hbm_counters_of(hbm)->mem.queue_integral, 8 * 100000);
    tl_hbm_destroy(hbm);
}
END_TEST

/* One direction never stops; the lone request of the other is served after the bound and one turn at the latest. */
START_TEST(neither_direction_starves)
{
    const bool lone_write = _i == 0;
    tl_hbm *hbm = create();
    uint64_t tag = 1, waited_ps = 0, now_ps = 40000;
    const tl_mem_request lone = access_of(0, UINT64_C(1) << 25, lone_write);
    for (; tag <= 60; tag++) {
        const tl_mem_request request = access_of(tag, tag * 64, !lone_write);
        ck_assert(tl_hbm_push(hbm, 0, &request));
    }
    tl_hbm_advance(hbm, now_ps); /* the flood has the bus */
    ck_assert(tl_hbm_push(hbm, now_ps, &lone));
    while (waited_ps == 0 && tag < 20000) {
        const tl_mem_completion done = pop_next(&hbm_ops, hbm);
        now_ps = done.time_ps > now_ps ? done.time_ps : now_ps;
        if (done.tag == 0) {
            waited_ps = done.time_ps - done.queued_ps;
        } else {
            const tl_mem_request request = access_of(tag, tag * 64 % 65536, !lone_write);
            ck_assert(tl_hbm_push(hbm, now_ps, &request));
            tag++;
        }
    }
    const uint64_t turn_ps = 64 * 5000; /* a full queue at two 64 B bursts of one bank group each */
    ck_assert_uint_gt(waited_ps, 0);
    ck_assert_uint_le(waited_ps, lone_write ? config.starvation_ps + turn_ps : turn_ps);
    tl_hbm_destroy(hbm);
}
END_TEST

/* The run is not over when the last request is sent. */
START_TEST(one_request_and_then_the_end)
{
    tl_hbm *hbm = create();
    ck_assert_uint_eq(tl_hbm_next_ps(hbm), TL_NEVER_PS); /* nothing sent: nothing to do, no crash */
    tl_mem_completion done;
    ck_assert(!tl_hbm_pop(hbm, 0, &done));
    const tl_mem_request read = access_of(3, 0, false);
    ck_assert(tl_hbm_push(hbm, 0, &read));
    ck_assert_uint_eq(tl_hbm_pending(hbm), 1);
    ck_assert_uint_ne(tl_hbm_next_ps(hbm), TL_NEVER_PS);
    done = pop_next(&hbm_ops, hbm);
    ck_assert_uint_gt(done.time_ps, 0);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.reads, 1);
    tl_hbm_destroy(hbm);
}
END_TEST

/* Nothing is merged here: 8 reads of one address and 1 of another row are 9 reads, 576 B, 7 hits. */
START_TEST(same_address_reads_are_counted_each)
{
    tl_hbm *hbm = create();
    uint8_t seen[9] = {0};
    for (uint64_t i = 0; i < 9; i++) {
        const tl_mem_request read = access_of(i, i < 8 ? 0x1000 : 0x4000000, false);
        ck_assert(tl_hbm_push(hbm, 0, &read));
    }
    drain(hbm, seen, 9);
    const tl_hbm_counters *counters = tl_hbm_counters_of(hbm);
    ck_assert_uint_eq(counters->mem.reads, 9);
    ck_assert_uint_eq(counters->mem.read_bytes, 9 * 64);
    ck_assert_uint_eq(counters->row_hits, 7);
    ck_assert_uint_eq(counters->row_misses, 2);
    ck_assert_uint_eq(counters->activates, 2);
    tl_hbm_destroy(hbm);
}
END_TEST

static tl_mem_request same_address(void *context, uint64_t index)
{
    (void)context;
    (void)index;
    return access_of(0, 0x2000, false);
}

START_TEST(thousand_reads_of_one_address)
{
    tl_hbm *hbm = create();
    const loop_result result = run_loop(&hbm_ops, hbm, (loop_config){1000, 64, 0}, same_address, NULL);
    ck_assert_uint_eq(result.answered, 1000);
    ck_assert_uint_eq(result.row_hits, 999);
    tl_hbm_destroy(hbm);
}
END_TEST

START_TEST(counters_belong_to_their_channel)
{
    tl_hbm *hbm[2] = {create(), create()};
    uint8_t seen[5] = {0};
    for (uint64_t i = 0; i < 5; i++) {
        const tl_mem_request read = access_of(i, i * 64, false);
        ck_assert(tl_hbm_push(hbm[1], 0, &read));
    }
    drain(hbm[1], seen, 5);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm[0])->mem.reads, 0);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm[1])->mem.reads, 5);
    tl_hbm_destroy(hbm[0]);
    tl_hbm_destroy(hbm[1]);
}
END_TEST

/* Pseudo-channels are independent: a storm on the other one does not move the answers of this one. */
START_TEST(pseudo_channels_are_independent)
{
    uint64_t done_ps[2][20];
    const uint64_t pc_bit = 512;
    for (unsigned storm = 0; storm < 2; storm++) {
        tl_hbm *hbm = create();
        unsigned quiet = 0;
        for (uint64_t i = 0; i < 40; i++) {
            const tl_mem_request other = access_of(1000 + i, (tl_mix64(i) % 100000 * 1024) & ~pc_bit, i % 5 == 0);
            ck_assert(storm == 0 || tl_hbm_push(hbm, 0, &other));
        }
        for (uint64_t i = 0; i < 20; i++) {
            const tl_mem_request mine = access_of(i, (tl_mix64(i + 99) % 100000 * 1024) | pc_bit, false);
            ck_assert(tl_hbm_push(hbm, 0, &mine));
        }
        while (tl_hbm_pending(hbm) != 0) {
            const tl_mem_completion done = pop_next(&hbm_ops, hbm);
            if (done.tag < 20) {
                done_ps[storm][done.tag] = done.time_ps;
                quiet++;
            }
        }
        ck_assert_uint_eq(quiet, 20);
        tl_hbm_destroy(hbm);
    }
    ck_assert_mem_eq(done_ps[0], done_ps[1], sizeof done_ps[0]);
}
END_TEST

START_TEST(bad_requests_are_refused)
{
    tl_hbm *hbm = create();
    const struct {
        uint64_t address;
        uint32_t bytes;
        tl_mem_status status;
    } bad[] = {
        {0x41, 64, TL_MEM_MISALIGNED},
        {0, 32, TL_MEM_BAD_SIZE},
        {0, 0, TL_MEM_BAD_SIZE},
        {0, 576, TL_MEM_BAD_SIZE},
        {448, 128, TL_MEM_BAD_SIZE},
        {config.capacity_bytes, 64, TL_MEM_OUT_OF_RANGE},
        {0x7fffffffffc0, 64, TL_MEM_OUT_OF_RANGE},
        {UINT64_MAX - 63, 64, TL_MEM_OUT_OF_RANGE},
    };
    enum { BAD = sizeof bad / sizeof *bad };
    for (unsigned i = 0; i < BAD; i++) {
        const tl_mem_request request = read_of(i, bad[i].address, bad[i].bytes);
        ck_assert_int_eq(tl_hbm_admit(hbm, 0, &request), bad[i].status);
        ck_assert(!tl_hbm_push(hbm, 0, &request));
    }
    const tl_mem_request last = read_of(1, config.capacity_bytes - 64, 64);
    ck_assert(tl_hbm_push(hbm, 0, &last));
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.refused_address, BAD);
    ck_assert_uint_eq(tl_hbm_pending(hbm), 1);
    tl_hbm_destroy(hbm);
}
END_TEST

START_TEST(time_does_not_go_back)
{
    tl_hbm *hbm = create();
    const tl_mem_request read = access_of(0, 0, false);
    ck_assert(tl_hbm_push(hbm, 10, &read));
    ck_assert_int_eq(tl_hbm_admit(hbm, 5, &read), TL_MEM_TIME_BACKWARD);
    ck_assert(!tl_hbm_push(hbm, 5, &read));
    tl_mem_completion done;
    ck_assert(!tl_hbm_pop(hbm, 5, &done));
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.refused_time, 2);
    ck_assert(tl_hbm_push(hbm, 10, &read));
    tl_hbm_destroy(hbm);
}
END_TEST

/* Full of reads still takes writes; a slot is free once an answer has been taken. */
START_TEST(full_queues)
{
    config.read_queue = 5;
    config.write_queue = 3;
    tl_hbm *hbm = create();
    const tl_mem_request read = access_of(0, 0, false), write = access_of(1, 64, true);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert(tl_hbm_push(hbm, 0, &read));
    }
    ck_assert_int_eq(tl_hbm_admit(hbm, 0, &read), TL_MEM_FULL);
    ck_assert(!tl_hbm_push(hbm, 0, &read));
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(tl_hbm_push(hbm, 0, &write));
    }
    ck_assert(!tl_hbm_push(hbm, 0, &write));
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.refused_full, 2);
    ck_assert_uint_eq(tl_hbm_counters_of(hbm)->mem.queue_peak, 8);
    const tl_mem_completion done = pop_next(&hbm_ops, hbm);
    ck_assert(tl_hbm_push(hbm, done.time_ps, done.tag == 0 ? &read : &write));
    tl_hbm_destroy(hbm);
}
END_TEST

/* Every bank of every group and stack ID is used by addresses that differ in one row bit less than all. */
static uint64_t banks_seen[2];

static void note_bank(void *context, const tl_hbm_command *command)
{
    (void)context;
    if (command->kind == TL_HBM_ACT) {
        banks_seen[command->pseudo_channel] |= UINT64_C(1) << command->bank;
    }
}

static tl_mem_request first_64_kb(void *context, uint64_t index)
{
    (void)context;
    return read_of(0, index * 64, 64);
}

START_TEST(a_stream_uses_every_bank)
{
    config.observer = note_bank;
    tl_hbm *hbm = create();
    (void)run_loop(&hbm_ops, hbm, (loop_config){1024, 64, 0}, first_64_kb, NULL);
    ck_assert_uint_eq(banks_seen[0], 0xffffffff); /* 2 stack IDs x 4 groups x 4 banks */
    ck_assert_uint_eq(banks_seen[1], 0xffffffff);
    tl_hbm_destroy(hbm);
}
END_TEST

static tl_mem_request mixed(void *context, uint64_t index)
{
    (void)context;
    const uint64_t hash = tl_mix64(index);
    tl_mem_request request = read_of(0, hash % (1 << 20) * 512, 64u << ((hash >> 30) % 4));
    request.write = (hash >> 50) % 3 == 0;
    request.mem_class = (tl_mem_class)((hash >> 40) % 3);
    return request;
}

/* Waking by next_ps alone gives what polling every nanosecond gives, to the picosecond; every byte is counted. */
START_TEST(conservation_and_wakeups)
{
    tl_refresh_all_bank(&config.refresh, 5, 96);
    loop_result result[2];
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        bytes += mixed(NULL, i).bytes;
    }
    for (unsigned poll = 0; poll < 2; poll++) {
        tl_hbm *hbm = create();
        result[poll] = run_loop(&hbm_ops, hbm, (loop_config){5000, 90, poll * 1000}, mixed, NULL);
        const tl_hbm_counters *counters = tl_hbm_counters_of(hbm);
        ck_assert_uint_eq(counters->mem.read_bytes + counters->mem.write_bytes, bytes);
        ck_assert_uint_eq(counters->mem.reads + counters->mem.writes, 5000);
        ck_assert_uint_eq(counters->row_hits + counters->row_misses, 5000);
        ck_assert_uint_eq(counters->mem.queue_integral, result[poll].latency_ps);
        tl_hbm_destroy(hbm);
    }
    ck_assert_uint_eq(result[0].end_ps, result[1].end_ps);
    ck_assert_uint_eq(result[0].latency_ps, result[1].latency_ps);
}
END_TEST

START_TEST(bad_configurations)
{
    const tl_hbm_config good = config;
    ck_assert_ptr_null(tl_hbm_config_check(&good));
#define REFUSED(change)                                                                                                \
    config = good;                                                                                                     \
    change;                                                                                                            \
    ck_assert_ptr_nonnull(tl_hbm_config_check(&config));                                                               \
    ck_assert_ptr_null(tl_hbm_create(&config))
    REFUSED(config.map.fields[TL_BIT_ROW].count--);
    REFUSED(config.map.fields[TL_BIT_ROW].bits[0] = 0);
    REFUSED(tl_bit_map_parse("rrrrrrHpbbccccccccc", &config.map));
    REFUSED(tl_bit_map_parse("rrrrrrppbbccccccccc", &config.map));
    REFUSED(tl_bit_map_parse("rrrrrssggbbbpccccccccc", &config.map));
    REFUSED(config.capacity_bytes = UINT64_C(1) << 32);
    REFUSED(config.capacity_bytes = 0);
    REFUSED(config.request_bytes = 1024); /* the map keeps 512 B in one row */
    REFUSED(config.request_bytes = 32);
    REFUSED(config.burst_bytes = 48);
    REFUSED(config.access_ps = 0);
    REFUSED(config.read_queue = 0);
    REFUSED(config.write_queue = 5000);
    REFUSED(config.write_low = config.write_high);
    REFUSED(config.starvation_ps = 0);
    REFUSED((config.refresh = (tl_refresh_config){TL_REFRESH_ALL_BANK, 260000, 260000, 1}));
    REFUSED((config.refresh = (tl_refresh_config){TL_REFRESH_ALL_BANK, 3900000, 260000, 0}));
    REFUSED((config.refresh = (tl_refresh_config){TL_REFRESH_ALL_BANK, 3900000, 3880000, 1}));
    REFUSED(tl_refresh_all_bank(&config.refresh, 0, 1); config.timing.rcd_read_ps = 3686000);
    REFUSED(tl_refresh_all_bank(&config.refresh, 0, 1); config.timing.ras_ps = 1000000000);
    REFUSED((config.refresh = (tl_refresh_config){TL_REFRESH_PER_BANK, 5000, 200000, 1}));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hbm_faults");
    TCase *cases[] = {tcase_create("simple"), tcase_create("full"), tcase_create("bus")};
    tcase_add_checked_fixture(cases[0], setup_simple, NULL);
    tcase_add_checked_fixture(cases[1], setup_full, NULL);
    tcase_add_checked_fixture(cases[2], setup_bus, NULL);
    for (unsigned i = 0; i < 3; i++) {
        tcase_add_loop_test(cases[i], reads_and_writes_of_the_same_addresses, 0, sizeof strides / sizeof *strides);
        tcase_add_test(cases[i], writes_alone_are_drained);
        tcase_add_loop_test(cases[i], neither_direction_starves, 0, 2);
        tcase_add_test(cases[i], one_request_and_then_the_end);
        tcase_add_test(cases[i], counters_belong_to_their_channel);
        tcase_add_test(cases[i], pseudo_channels_are_independent);
        tcase_add_test(cases[i], bad_requests_are_refused);
        tcase_add_test(cases[i], time_does_not_go_back);
        tcase_add_test(cases[i], full_queues);
        tcase_add_test(cases[i], conservation_and_wakeups);
        tcase_add_test(cases[i], bad_configurations);
        suite_add_tcase(suite, cases[i]);
    }
    for (unsigned i = 0; i < 2; i++) { /* those with banks */
        tcase_add_test(cases[i], same_address_reads_are_counted_each);
        tcase_add_test(cases[i], thousand_reads_of_one_address);
        tcase_add_test(cases[i], a_stream_uses_every_bank);
    }
    return run_suite(suite);
}
