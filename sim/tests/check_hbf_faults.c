/* SPDX-License-Identifier: Apache-2.0 */
/* HBF channel: writes and endurance, page size, conservation, what is refused. */
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

static void push_page(tl_hbf *hbf, uint64_t now_ps, tl_mem_request request)
{
    ck_assert(tl_hbf_push(hbf, now_ps, &request));
}

static void one_plane(void)
{
    config.planes = config.overlap = config.register_pages = 1;
}

/* ---- writes --------------------------------------------------------------------------------------------------------
 */

START_TEST(writes_and_endurance)
{
    one_plane();
    config.pages_per_block = 2;
    config.endurance_cycles = 3;
    tl_hbf *hbf = create();
    for (uint64_t i = 0; i < 8; i++) {
        if (i == 7) {
            tl_hbf_end_load(hbf);
        }
        tl_mem_request write = page_of(i, i == 7 ? 5 : i % 2);
        write.write = true;
        push_page(hbf, i * 100000000, write);
        ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, i * 100000000 + 80000 + 75000000);
        ck_assert_uint_eq(tl_hbf_counters_of(hbf)->worn_blocks, i >= 6);
    }
    const tl_hbf_counters *counters = tl_hbf_counters_of(hbf);
    ck_assert_uint_eq(counters->mem.writes, 8);
    ck_assert_uint_eq(counters->mem.write_bytes, 8 * PAGE);
    ck_assert_uint_eq(counters->worst_block_programs, 7); /* pages 0 and 1 are one block: 3 cycles are 6 programs */
    ck_assert_uint_eq(counters->worn_blocks, 1);
    ck_assert_uint_eq(counters->writes_after_load, 1);
    tl_hbf_destroy(hbf);
}
END_TEST

/* A program holds its plane; a read of another plane passes, a read of the same one waits. */
START_TEST(a_program_holds_its_plane)
{
    config.group_map = TL_MAP_MODULO;
    config.planes = 2;
    config.overlap = 1;
    tl_hbf *hbf = create();
    tl_mem_request write = page_of(0, 0);
    write.write = true;
    push_page(hbf, 0, write);
    push_page(hbf, 0, page_of(1, 2));
    push_page(hbf, 0, page_of(2, 1));
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 5080000);
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 75080000);
    const tl_mem_completion last = pop_next(&hbf_ops, hbf);
    ck_assert_uint_eq(last.tag, 1);
    ck_assert_uint_eq(last.time_ps, 75080000 + 5080000);
    ck_assert_uint_eq(tl_hbf_counters_of(hbf)->plane_conflicts, 1);
    tl_hbf_destroy(hbf);
}
END_TEST

/* ---- conservation, refusals ----------------------------------------------------------------------------------------
 */

static tl_mem_request random_mix(void *context, uint64_t index)
{
    (void)context;
    const uint64_t hash = tl_mix64(index);
    tl_mem_request request = page_of(0, hash % (config.capacity_bytes / PAGE));
    request.write = (hash >> 50) % 50 == 0;
    request.mem_class = (tl_mem_class)((hash >> 40) % 3);
    return request;
}

/* Waking by next_ps alone gives what polling gives. */
START_TEST(conservation_and_wakeups)
{
    config.far_lowest = _i == 1;
    config.register_pages = (uint32_t)_i;
    loop_result result[2];
    for (unsigned poll = 0; poll < 2; poll++) {
        tl_hbf *hbf = create();
        result[poll] = run_loop(&hbf_ops, hbf, (loop_config){4000, 300, poll * 7000}, random_mix, NULL);
        const tl_hbf_counters *counters = tl_hbf_counters_of(hbf);
        ck_assert_uint_eq(counters->mem.reads + counters->mem.writes, 4000);
        ck_assert_uint_eq(counters->mem.read_bytes + counters->mem.write_bytes, 4000 * PAGE);
        ck_assert_uint_eq(counters->mem.bus_busy_ps, 4000 * UINT64_C(80000));
        ck_assert_uint_eq(counters->plane_busy_ps, counters->mem.reads * 5000000 + counters->mem.writes * 75000000);
        ck_assert_uint_eq(counters->mem.queue_integral, result[poll].latency_ps);
        ck_assert_uint_eq(counters->mem.queue_peak, 300);
        tl_hbf_destroy(hbf);
    }
    ck_assert_uint_eq(result[0].end_ps, result[1].end_ps);
    ck_assert_uint_eq(result[0].latency_ps, result[1].latency_ps);
}
END_TEST

START_TEST(refusals)
{
    config.queue = 8;
    tl_hbf *hbf = create();
    const struct {
        uint64_t address;
        uint32_t bytes;
        tl_mem_status status;
    } bad[] = {{0x41, PAGE, TL_MEM_MISALIGNED},
               {0, 512, TL_MEM_BAD_SIZE},
               {0, 2 * PAGE, TL_MEM_BAD_SIZE},
               {0, 0, TL_MEM_BAD_SIZE},
               {config.capacity_bytes, PAGE, TL_MEM_OUT_OF_RANGE},
               {0x7ffffffff000, PAGE, TL_MEM_OUT_OF_RANGE}};
    for (unsigned i = 0; i < 6; i++) {
        const tl_mem_request request = read_of(i, bad[i].address, bad[i].bytes);
        ck_assert_int_eq(tl_hbf_admit(hbf, 0, &request), bad[i].status);
        ck_assert(!tl_hbf_push(hbf, 0, &request));
    }
    const tl_mem_request request = page_of(1, config.capacity_bytes / PAGE - 1);
    for (unsigned i = 0; i < 8; i++) {
        ck_assert(tl_hbf_push(hbf, 1000, &request));
    }
    ck_assert_int_eq(tl_hbf_admit(hbf, 1000, &request), TL_MEM_FULL);
    ck_assert(!tl_hbf_push(hbf, 1000, &request));
    ck_assert_int_eq(tl_hbf_admit(hbf, 999, &request), TL_MEM_TIME_BACKWARD);
    tl_mem_completion done;
    ck_assert(!tl_hbf_pop(hbf, 999, &done));
    const tl_mem_counters *counters = &tl_hbf_counters_of(hbf)->mem;
    ck_assert_uint_eq(counters->refused_address, 6);
    ck_assert_uint_eq(counters->refused_full, 1);
    ck_assert_uint_eq(counters->refused_time, 1);
    done = pop_next(&hbf_ops, hbf);
    ck_assert(tl_hbf_push(hbf, done.time_ps, &request));
    tl_hbf_destroy(hbf);
}
END_TEST

/* A page of 16 KB has its own transfer time and does not multiply the latency. */
START_TEST(page_size_is_free)
{
    config.page_bytes = 16384;
    config.transfer_ps = 320000;
    config.read_latency_ps = 20000000;
    tl_hbf *hbf = create();
    const tl_mem_request request = read_of(1, 16384, 16384);
    push_page(hbf, 0, request);
    ck_assert_uint_eq(pop_next(&hbf_ops, hbf).time_ps, 20320000);
    ck_assert_uint_eq(tl_hbf_planes(&config), 156);
    tl_hbf_destroy(hbf);
}
END_TEST

START_TEST(bad_configurations)
{
    const tl_hbf_config good = config;
#define REFUSED(change)                                                                                                \
    config = good;                                                                                                     \
    change;                                                                                                            \
    ck_assert_ptr_nonnull(tl_hbf_config_check(&config));                                                               \
    ck_assert_ptr_null(tl_hbf_create(&config))
    REFUSED(config.page_bytes = 3000);
    REFUSED(config.read_latency_ps = 0);
    REFUSED(config.program_ps = 0);
    REFUSED(config.transfer_ps = 0);
    REFUSED(config.internal_percent = 0);
    REFUSED(config.overlap = 0);
    REFUSED(config.group_map = TL_MAP_BITS);
    REFUSED(config.capacity_bytes = 5000);
    REFUSED(config.queue = 0);
    REFUSED(config.pages_per_block = 0);
    REFUSED(config.endurance_cycles = 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hbf_faults");
    TCase *tcase = tcase_create("hbf_faults");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, writes_and_endurance);
    tcase_add_test(tcase, a_program_holds_its_plane);
    tcase_add_loop_test(tcase, conservation_and_wakeups, 0, 3);
    tcase_add_test(tcase, refusals);
    tcase_add_test(tcase, page_size_is_free);
    tcase_add_test(tcase, bad_configurations);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
