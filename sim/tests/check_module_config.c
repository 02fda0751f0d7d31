/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped systems give the modules what the modules themselves call the default, and keys reach their modules. */
#include <check.h>
#include <stdlib.h>

#include "../config/config_file.h"
#include "../config/module_config.h"

#define SYSTEM "../../configs/system/"

static tl_config load(const char *path, const char *setting)
{
    tl_config config;
    char error[TL_CONFIG_ERROR_BYTES];
    const int status = tl_config_load(path, &setting, setting != NULL, &config, error, sizeof error);
    ck_assert_msg(status == 0, "%s", error);
    return config;
}

/* Structures have padding, so they are compared member by member. */
#define SAME(member) ck_assert_msg(got.member == expected.member, #member)

static void same_refresh(const tl_refresh_config *got, const tl_refresh_config *expected)
{
    ck_assert_int_eq(got->mode, expected->mode);
    ck_assert_uint_eq(got->interval_ps, expected->interval_ps);
    ck_assert_uint_eq(got->duration_ps, expected->duration_ps);
    ck_assert_uint_eq(got->phase_ps, expected->phase_ps);
}

static void same_hbm(tl_hbm_config got, tl_hbm_config expected)
{
    ck_assert_mem_eq(&got.timing, &expected.timing, sizeof got.timing); /* of one type: no padding */
    ck_assert_mem_eq(&got.map, &expected.map, sizeof got.map);
    same_refresh(&got.refresh, &expected.refresh);
    SAME(burst_bytes);
    SAME(access_ps);
    SAME(capacity_bytes);
    SAME(request_bytes);
    SAME(read_queue);
    SAME(write_queue);
    SAME(write_high);
    SAME(write_low);
    SAME(starvation_ps);
    SAME(shared_bus);
    SAME(observer);
}

START_TEST(hbm)
{
    tl_hbm_config expected, got;
    const tl_config config = load(SYSTEM "h200_hbm.yaml", NULL);
    tl_hbm_config_simple(&expected);
    tl_refresh_all_bank(&expected.refresh, 17, 96);
    tl_config_hbm(&config.system, 17, &got);
    same_hbm(got, expected);
    ck_assert_uint_eq(tl_config_hbm_channels(&config.system), 96);

    const tl_config full = load(SYSTEM "h200_hbm.yaml", "system.hbm.timing=full");
    tl_hbm_config_full(&expected);
    tl_refresh_all_bank(&expected.refresh, 95, 96);
    tl_config_hbm(&full.system, 95, &got);
    same_hbm(got, expected);

    const tl_config bus = load(SYSTEM "h200_hbm.yaml", "system.hbm.timing=bus");
    tl_config_hbm(&bus.system, 0, &got);
    ck_assert_uint_eq(got.timing.rcd_read_ps + got.timing.rc_ps, 0);
    ck_assert_uint_eq(got.timing.cl_ps, 14000);
}
END_TEST

START_TEST(hbf)
{
    tl_hbf_config expected, got;
    const tl_config config = load(SYSTEM "h200_hbf.yaml", NULL);
    tl_hbf_config_default(&expected);
    tl_config_hbf(&config.system, &got);
    SAME(page_bytes);
    SAME(read_latency_ps);
    SAME(program_ps);
    SAME(transfer_ps);
    SAME(planes);
    SAME(internal_percent);
    SAME(overlap);
    SAME(register_pages);
    SAME(group_map);
    SAME(capacity_bytes);
    SAME(queue);
    SAME(far_lowest);
    SAME(pages_per_block);
    SAME(endurance_cycles);
    SAME(shared_bus);
    ck_assert_uint_eq(tl_hbf_planes(&got), 156);
    ck_assert_uint_eq(tl_config_hbf_channels(&config.system), 96);

    const tl_config strict = load(SYSTEM "h200_hbf_strict.yaml", "system.hbf.read_latency_us=20");
    tl_config_hbf(&strict.system, &got);
    ck_assert_uint_eq(got.overlap, 1);
    ck_assert_uint_eq(got.register_pages, 1);
    ck_assert_uint_eq(tl_hbf_planes(&got), 625);

    const tl_config held = load(SYSTEM "h200_hbf.yaml", "system.hbf.cache_register=false");
    tl_config_hbf(&held.system, &got);
    ck_assert_uint_eq(got.register_pages, 0);
}
END_TEST

START_TEST(rome)
{
    tl_rome_config expected, got;
    const tl_config config = load(SYSTEM "h200_rome.yaml", NULL);
    tl_rome_config_default(&expected);
    tl_refresh_all_bank(&expected.refresh, 107, 108);
    tl_config_rome(&config.system, 107, &got);
    ck_assert_mem_eq(&got.timing, &expected.timing, sizeof got.timing);
    same_refresh(&got.refresh, &expected.refresh);
    SAME(row_bytes);
    SAME(transfer_ps);
    SAME(first_data_ps);
    SAME(vbas);
    SAME(stack_ids);
    SAME(vba_map);
    SAME(capacity_bytes);
    SAME(queue);
    SAME(window);
    SAME(far_lowest);
    ck_assert_uint_eq(tl_config_rome_channels(&config.system), 108);

    const tl_config per_bank = load(SYSTEM "h200_rome.yaml", "system.refresh.mode=per_bank");
    tl_config_rome(&per_bank.system, 0, &got);
    ck_assert_int_eq(got.refresh.mode, TL_REFRESH_PER_BANK);
    ck_assert_uint_eq(got.refresh.interval_ps, 3900000 / 32);
    ck_assert_uint_eq(got.refresh.duration_ps, 200000);

    const tl_config none = load(SYSTEM "h200_rome.yaml", "system.refresh.mode=none");
    tl_config_rome(&none.system, 0, &got);
    ck_assert_int_eq(got.refresh.mode, TL_REFRESH_NONE);

    const tl_config together = load(SYSTEM "h200_rome.yaml", "system.refresh.staggered=false");
    tl_config_rome(&together.system, 3, &got);
    ck_assert_uint_eq(got.refresh.phase_ps, 3900000);
}
END_TEST

START_TEST(page_maps)
{
    static const struct {
        const char *file;
        uint32_t targets, access_bytes;
        uint64_t units;
    } maps[] = {
        {SYSTEM "h200_hbm.yaml", 96, 64, 393216},
        {SYSTEM "h200_hbf.yaml", 96, 4096, 8388608},
        {SYSTEM "h200_rome.yaml", 108, 4096, 393216},
    };
    for (unsigned n = 0; n < 3; n++) {
        tl_address_map map;
        tl_address_map_config got;
        const tl_config config = load(maps[n].file, "system.placement.page_map_seed=5");
        tl_config_page_map(&config.system, &got);
        ck_assert_int_eq(got.kind, TL_MAP_PERMUTATION);
        ck_assert_uint_eq(got.targets, maps[n].targets);
        ck_assert_uint_eq(got.unit_bytes, 4096);
        ck_assert_uint_eq(got.access_bytes, maps[n].access_bytes);
        ck_assert_uint_eq(got.units_per_target, maps[n].units);
        ck_assert_uint_eq(got.seed, 5);
        ck_assert_int_eq(tl_address_map_init(&map, &got), TL_MEM_OK);
    }
    tl_address_map_config got;
    const tl_config hashed = load(SYSTEM "h200_hbf.yaml", "system.placement.page_map=hashed");
    tl_config_page_map(&hashed.system, &got);
    ck_assert_int_eq(got.kind, TL_MAP_HASH);
    const tl_config modulo = load(SYSTEM "h200_hbf.yaml", "system.placement.page_map=modulo");
    tl_config_page_map(&modulo.system, &got);
    ck_assert_int_eq(got.kind, TL_MAP_MODULO);
}
END_TEST

START_TEST(caches)
{
    tl_cache_config cache;
    tl_mshr_config mshr;
    tl_sram_config got, expected;
    const tl_config config = load(SYSTEM "h200_hbf_sram.yaml", "system.mshr.page_entries=4096");
    tl_config_cache(&config.system, &cache);
    ck_assert_uint_eq(cache.capacity_bytes, UINT64_C(50) << 20);
    ck_assert_uint_eq(cache.ways, 16);
    ck_assert_uint_eq(cache.slices, 96);
    ck_assert_int_eq(cache.index, TL_CACHE_HASHED);
    ck_assert_int_eq(cache.replacement, TL_CACHE_LRU_EVICT_FIRST);
    tl_config_mshr(&config.system, &mshr);
    ck_assert_uint_eq(mshr.page_entries, 4096);
    ck_assert_uint_eq(mshr.line_entries, 0);
    ck_assert_uint_eq(mshr.line_block_bytes, 512);
    tl_config_sram(&config.system, &got);
    tl_sram_config_default(&expected);
    SAME(capacity_bytes);
    SAME(page_bytes);
    SAME(hit_latency_ps);
    SAME(replacement);

    static const struct {
        const char *setting;
        tl_cache_replacement replacement;
    } replacements[] = {{"system.l2.replacement=lru", TL_CACHE_LRU},
                        {"system.l2.replacement=random", TL_CACHE_RANDOM},
                        {"system.l2.replacement=fifo", TL_CACHE_FIFO}};
    for (unsigned n = 0; n < 3; n++) {
        const tl_config other = load(SYSTEM "h200_hbf.yaml", replacements[n].setting);
        tl_config_cache(&other.system, &cache);
        ck_assert_int_eq(cache.replacement, replacements[n].replacement);
    }
}
END_TEST

START_TEST(prefetch)
{
    tl_degree_config degree;
    tl_prefetcher_config prefetcher;
    const tl_config config = load(SYSTEM "h200_hbf.yaml", NULL);
    tl_config_degree(&config, &degree);
    ck_assert_uint_eq(degree.bandwidth_bytes_per_s, UINT64_C(4915200000000));
    ck_assert_uint_eq(degree.latency_ps, 5000000);
    ck_assert_uint_eq(degree.factor_milli, 2000);
    ck_assert_int_eq(degree.floor, TL_FLOOR_OF_PRODUCT);
    ck_assert_int_eq(degree.reach, TL_REACH_NEAR_ONLY);
    ck_assert_uint_eq(degree.forced, TL_DEGREE_NOT_FORCED);
    tl_config_prefetcher(&config.system, &prefetcher);
    ck_assert_int_eq(prefetcher.trigger, TL_PREFETCH_ON_DEMAND);
    ck_assert_int_eq(prefetcher.distances, TL_PREFETCH_ALL);
    ck_assert_uint_eq(prefetcher.page_bytes, 4096);

    const tl_config none = load(SYSTEM "h200_hbf.yaml", "prefetch=none");
    tl_config_degree(&none, &degree);
    ck_assert_uint_eq(degree.forced, 0);

    tl_config sram = load(SYSTEM "h200_hbf_sram.yaml", "prefetch=forced");
    sram.forced_degree = 3;
    tl_config_degree(&sram, &degree);
    ck_assert_uint_eq(degree.forced, 3);
    ck_assert_int_eq(degree.reach, TL_REACH_TWICE);

    const tl_config split = load(SYSTEM "h200_hbf_sram.yaml", "system.prefetch.far_reach=split");
    tl_config_degree(&split, &degree);
    ck_assert_int_eq(degree.reach, TL_REACH_SPLIT);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("module config");
    tcase_add_test(tcase, hbm);
    tcase_add_test(tcase, hbf);
    tcase_add_test(tcase, rome);
    tcase_add_test(tcase, page_maps);
    tcase_add_test(tcase, caches);
    tcase_add_test(tcase, prefetch);
    Suite *suite = suite_create("module config");
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
