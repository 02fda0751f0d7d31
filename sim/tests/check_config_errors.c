/* SPDX-License-Identifier: Apache-2.0 */
/* The line that each wrong key, value, file or combination of the configuration gets. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "config_fixture.h"

/* A wrong file -> the line, but for the name of the file in front. */
static const struct {
    const char *text, *line;
} WRONG_FILES[] = {
    {"", "file: found no content, expected a configuration file with the keys system_file and workload_file"},
    {"layout: \"a", "line 1 or below: found no YAML ("},
    {"layout: diagonal", "layout: found diagonal, expected one of column_major, row_major, tile_major"},
    {"layout: Row_major", "layout: found Row_major, expected one of"},
    {"layout:", "layout: found nothing, expected one of"},
    {"layuot: row_major", "layuot: found an unknown key, expected one of system_file, workload_file, layout, prefetch, "
                          "forced_degree, system, workload"},
    {"system: {hbf: {latency_us: 5}}", "system.hbf.latency_us: found an unknown key, expected one of stacks, "
                                       "channels_per_stack, pins_per_channel, pin_gbit_per_s, page_bytes, "
                                       "read_latency_us, program_latency_us"},
    {"system: {hbm3: {}}", "system.hbm3: found an unknown key, expected one of name, gpu, noc, l2, mshr, prefetch, "
                           "placement, refresh, hbm, hbf, rome, sram"},
    {"workload: {tile: 5}", "workload.tile: found an unknown key, expected one of name, hidden, intermediate"},
    {"system: 5", "system: found a single value, expected a mapping"},
    {"system: {l2: [1, 2]}", "system.l2: found a list, expected a mapping"},
    {"system: {l2: {ways: [1]}}", "system.l2.ways: found a list, expected a single value"},
    {"system: {l2: {ways: 16, ways: 8}}", "system.l2.ways: found the key a second time, expected it once"},
    {"system: {l2: {ways: 17}}", "system.l2.ways: found 17, expected a whole number from 1 to 16"},
    {"system: {l2: {ways: 0}}", "system.l2.ways: found 0, expected a whole number from 1 to 16"},
    {"system: {l2: {ways: -1}}", "system.l2.ways: found -1, expected a whole number from 1 to 16"},
    {"system: {l2: {ways: 016}}", "system.l2.ways: found 016, expected a whole number from 1 to 16"},
    {"system: {l2: {ways: 16.5}}", "system.l2.ways: found 16.5, expected a whole number from 1 to 16"},
    {"system: {l2: {ways: 0x10}}", "system.l2.ways: found 0x10, expected a whole number"},
    {"system: {l2: {ways: 99999999999999999999999}}", "system.l2.ways: found 99999999999999999999999, expected"},
    {"system: {l2: {ways: sixteen}}", "system.l2.ways: found sixteen, expected a whole number from 1 to 16"},
    {"system: {hbf: {read_latency_us: 1001}}",
     "system.hbf.read_latency_us: found 1001, expected a number from 0.001 to 1000 with at most 6 decimals"},
    {"system: {hbf: {read_latency_us: 0.0000001}}", "system.hbf.read_latency_us: found 0.0000001, expected"},
    {"system: {hbf: {read_latency_us: 5us}}", "system.hbf.read_latency_us: found 5us, expected a number from"},
    {"system: {hbf: {read_latency_us: 5.}}", "system.hbf.read_latency_us: found 5., expected a number from"},
    {"system: {hbf: {read_latency_us: .5}}", "system.hbf.read_latency_us: found .5, expected a number from"},
    {"system: {hbf: {read_latency_us: 1e1}}", "system.hbf.read_latency_us: found 1e1, expected a number from"},
    {"system: {hbf: {read_latency_us: nan}}", "system.hbf.read_latency_us: found nan, expected a number from"},
    {"system: {hbf: {cache_register: yes}}", "system.hbf.cache_register: found yes, expected true or false"},
    {"system: {mshr: {page_entries: 0}}",
     "system.mshr.page_entries: found 0, expected a whole number from 1 to 16777216, or unlimited"},
    {"system: {mshr: {page_entries: auto}}", "system.mshr.page_entries: found auto, expected a whole number"},
    {"system: {hbf: {planes_per_channel: unlimited}}",
     "system.hbf.planes_per_channel: found unlimited, expected a whole number from 1 to 65536, or auto"},
    {"workload: {memory_tile: 64}", "workload.memory_tile: found a single value, expected a list"},
    {"workload: {memory_tile: [64]}",
     "workload.memory_tile: found a list of 1, expected a list of two whole numbers from 1 to 65536"},
    {"workload: {memory_tile: []}", "workload.memory_tile: found an empty list, expected at least one entry"},
    {"workload: {memory_tile: [64, 32, 1]}", "workload.memory_tile: found a list of 3, expected a list of two whole"},
    {"workload: {memory_tile: [64, x]}", "workload.memory_tile[1]: found x, expected a whole number from 1 to 65536"},
    {"workload: {memory_tile: [0, 32]}", "workload.memory_tile[0]: found 0, expected a whole number from 1 to 65536"},
    {"workload: {name: 0123456789012345678901234567890123456789012345678901234567890123}",
     "workload.name: found 0123456789012345678901234567890123456789012345678901234567890123, expected 1 to 63 "
     "characters"},
    {"system_file: missing.yaml", "/missing.yaml: file: found No such file or directory, expected a readable system"},
    {"a: 1\n---\nb: 2", "a: found an unknown key, expected one of"},
    {"layout: row_major\n---\nlayout: row_major", "file: found a second document, expected one"},

    /* rules that join keys */
    {"workload: {memory_tile: [63, 32]}", "workload.memory_tile: found [63, 32], expected two powers of two"},
    {"workload: {memory_tile: [4, 512]}",
     "workload.memory_tile: found [4, 512], expected rows of at least 16 bytes and 512 to 65536 bytes in all"},
    {"workload: {memory_tile: [64, 2]}", "workload.memory_tile: found [64, 2], expected rows of at least 16 bytes and"},
    {"workload: {top_k: 129}", "workload.top_k: found 129, expected at most the 128 experts"},
    {"workload: {ctas_per_sm: 4}", "workload.ctas_per_sm: found 4, expected CTAs whose 1 stages fit 232448 bytes"},
    {"workload: {tiles_in_flight: 2}", "workload.tiles_in_flight: found 2, expected at most the 1 stages"},
    {"workload: {tile_k: 96}", "workload.tile_k: found 96, expected a power of two from 1 to 1024"},
    {"system: {hbf: {page_bytes: 5000}}",
     "system.hbf.page_bytes: found 5000, expected a whole number from 4096 to 4096"},
    {"system: {rome: {row_bytes: 2048}}", "system.rome.row_bytes: found 2048, expected a whole number from 4096"},
    {"workload: {intermediate: 1048577}", "workload.intermediate: found 1048577, expected a whole number from 1 to"},
    {"system: {hbm: {pins_per_channel: 60}}", "system.hbm.pins_per_channel: found 60, expected a multiple of 8"},
    {"system: {l2: {ways: 11}}", "system.l2.ways: found 11, expected a divisor of the 12800 pages of L2"},
    {"system: {l2: {capacity_mib: 1, ways: 8}}",
     "system.l2.slices: found 96, expected at most 32, the pages of one way"},
    {"system: {refresh: {trfc_ns: 3900}}", "system.refresh.trfc_ns: found 3900, expected less than trefi_ns"},
    {"system: {hbm: {row_miss_ns: 13}}", "system.hbm.row_miss_ns: found 13, expected at least row_hit_ns"},
    {"system: {hbm: {write_drain_low: 24}}",
     "system.hbm.write_drain_low: found 24, expected less than write_drain_high"},
    {"system: {hbm: {channel_map: rrrcccx}}",
     "system.hbm.channel_map: found rrrcccx, expected every address bit must be used once"},
    {"system: {hbm: {request_bytes: 1024}}",
     "system.hbm.request_bytes: found 1024, expected a multiple of 64, at most"},
    {"system: {hbm: {capacity_mib_per_channel: 2049}}",
     "system.hbm.capacity_mib_per_channel: found 2049, expected 1 to what the map addresses"},
    {"system: {mshr: {line_entries: 2}}",
     "system.mshr.line_entries: found 2, expected at least 4, the lines of one HBM request"},
    {"system: {refresh: {trfc_ns: 3880}}",
     "system.refresh.trefi_ns: found 3900, expected interval of a bank longer than its refresh and one access together"},
    {"system: {hbm: {starvation_ns: 0}}", "system.hbm.starvation_ns: found 0, expected more than 0"},
    {"system: {rome: {stack_ids: 5}}", "system.rome.stack_ids: found 5, expected a divisor of virtual_banks"},
    {"system: {rome: {tr2rs_ns: 79.999}}", "system.rome.tr2rs_ns: found 79.999, expected every distance at least"},
    {"system: {hbf: {internal_bandwidth: 100, read_latency_us: 1000}}",
     "system.hbf.internal_bandwidth: found 100, expected 1 to 10000, and at most 65536 planes"},
    {"system: {refresh: {mode: per_bank, trfc_per_bank_ns: 3900}}",
     "system.refresh.trfc_per_bank_ns: found 3900, expected less than trefi_ns"},
    {"system: {hbf: {stacks: 4}}", "system.hbf.stacks: found 4, expected 6, as system.hbm.stacks: they share buses"},
    {"system: {hbm: {channels_per_stack: 8}}", "system.hbf.channels_per_stack: found 16, expected 8, as system.hbm"},
    {"system: {placement: {weights: hbm}, sram: {enabled: true}}", "system.sram.enabled: found true, expected false"},
    {"system: {placement: {weights: rome}}\nprefetch: forced",
     "prefetch: found forced, expected none or adaptive: only HBF has a prefetcher"},
};

START_TEST(wrong_file_gets_its_line)
{
    tl_config config;
    memset(&config, 0x5a, sizeof config);
    const tl_config before = config;
    const char *path = write_file("wrong.yaml", WRONG_FILES[_i].text);
    ck_assert_int_eq(tl_config_load(path, NULL, 0, &config, error, sizeof error), 2);
    char line[512];
    const bool names_another = WRONG_FILES[_i].line[0] == '/';
    (void)snprintf(line, sizeof line, "%s%s%s", names_another ? folder : path, names_another ? "" : ": ",
                   WRONG_FILES[_i].line);
    ck_assert_msg(strncmp(error, line, strlen(line)) == 0, "%s\n  instead of %s", error, line);
    ck_assert_ptr_null(strchr(error, '\n'));
    ck_assert_mem_eq(&config, &before, sizeof config);
}
END_TEST

static const struct {
    const char *setting, *line;
} WRONG_SETTINGS[] = {
    {"layout", "KEY=VALUE: found layout, expected a key, =, and its value"},
    {"", "KEY=VALUE: found nothing, expected a key, =, and its value"},
    {"=5", ": found an unknown key, expected one of system_file, workload_file, layout"},
    {"layout=", "layout: found nothing, expected one of column_major, row_major, tile_major"},
    {"latency=5", "latency: found an unknown key, expected one of system_file, workload_file, layout, prefetch, "
                  "forced_degree"},
    {"hbf.read_latency_us=5",
     "hbf.read_latency_us: found an unknown key, expected one of KEY, workload.KEY, system.KEY, "
     "system.gpu.KEY"},
    {"system.hbf=5", "system.hbf: found an unknown key, expected one of name"},
    {"system.hbf.latency=5", "system.hbf.latency: found an unknown key, expected one of stacks, channels_per_stack"},
    {"system.l2.ways=65", "system.l2.ways: found 65, expected a whole number from 1 to 16"},
    {"system.l2.ways=[1]", "system.l2.ways: found a list of 1, expected a whole number from 1 to 16"},
    {"workload.memory_tile=128,16", "workload.memory_tile: found a single value, expected a list of two whole numbers"},
    {"workload.memory_tile=[128", "workload.memory_tile: found a single value, expected a list of two whole numbers"},
    {"workload.memory_tile=[]", "workload.memory_tile: found a list of 0, expected a list of two whole numbers"},
    {"workload.memory_tile=[128,]", "workload.memory_tile[1]: found nothing, expected a whole number from 1 to 65536"},
    {"workload.memory_tile=[1,2,3]", "workload.memory_tile: found a list of 3, expected a list of two whole numbers"},
};

START_TEST(wrong_setting_gets_its_line)
{
    tl_config config;
    const char *plain = write_file("plain.yaml", "layout: row_major\n");
    ck_assert_int_eq(tl_config_load(plain, &WRONG_SETTINGS[_i].setting, 1, &config, error, sizeof error), 2);
    char line[512];
    (void)snprintf(line, sizeof line, "--set: %s", WRONG_SETTINGS[_i].line);
    ck_assert_msg(strncmp(error, line, strlen(line)) == 0, "%s\n  instead of %s", error, line);
    ck_assert_ptr_null(strchr(error, '\n'));
}
END_TEST

/* A file named by another may hold its own part only, and its line names it. */
START_TEST(wrong_named_files)
{
    tl_config config;
    (void)write_file("sub/system.yaml", "system: {}\nlayout: row_major\n");
    (void)write_file("sub/workload.yaml", "workload: {batch: 0}\n");
    const char *path = write_file("run.yaml", "system_file: sub/system.yaml\n");
    char line[256];
    ck_assert_int_eq(tl_config_load(path, NULL, 0, &config, error, sizeof error), 2);
    (void)snprintf(line, sizeof line, "%s/sub/system.yaml: layout: found an unknown key, expected one of system",
                   folder);
    ck_assert_str_eq(error, line);

    path = write_file("run.yaml", "workload_file: sub/workload.yaml\n");
    ck_assert_int_eq(tl_config_load(path, NULL, 0, &config, error, sizeof error), 2);
    (void)snprintf(line, sizeof line,
                   "%s/sub/workload.yaml: workload.batch: found 0, expected a whole number from 1 to 1048576", folder);
    ck_assert_str_eq(error, line);
}
END_TEST

START_TEST(paths_too_long)
{
    static char text[3100];
    static char path[3000];
    tl_config config;
    memset(path, 'x', 1000);
    (void)snprintf(text, sizeof text, "system_file: %s\n", path);
    const char *run = write_file("sub/run.yaml", text);
    ck_assert_int_eq(tl_config_load(run, NULL, 0, &config, error, sizeof error), 2);
    ck_assert_ptr_nonnull(strstr(error, ": system_file: found "));
    ck_assert_ptr_nonnull(strstr(error, ", expected a path of at most 1023 characters"));
    ck_assert_int_eq(tl_config_load(path, NULL, 0, &config, error, sizeof error), 2);

    memset(path, 'x', sizeof path - 1);
    const char *setting = path;
    run = write_file("plain.yaml", "layout: row_major\n");
    ck_assert_int_eq(tl_config_load(run, &setting, 1, &config, error, sizeof error), 2);
    ck_assert_ptr_nonnull(strstr(error, "--set: KEY=VALUE: found xxx"));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("config errors");
    tcase_add_loop_test(tcase, wrong_file_gets_its_line, 0, (int)COUNT(WRONG_FILES));
    tcase_add_loop_test(tcase, wrong_setting_gets_its_line, 0, (int)COUNT(WRONG_SETTINGS));
    tcase_add_test(tcase, wrong_named_files);
    tcase_add_test(tcase, paths_too_long);
    return run_in_folder(tcase, "config errors");
}
