/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration: the shipped files, layers and --set, and the table of keys. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <inttypes.h>

#include "../config/config_key.h"
#include "../config/config_value.h"
#include "config_fixture.h"

#define SYSTEM   "../../configs/system/"
#define WORKLOAD "../../configs/workload/"

static tl_config load(const char *path, const char *const *settings, size_t count)
{
    tl_config config;
    memset(&config, 0, sizeof config);
    const int status = tl_config_load(path, settings, count, &config, error, sizeof error);
    ck_assert_msg(status == 0, "%s", error);
    return config;
}

static tl_config load_set(const char *path, const char *setting)
{
    return load(path, &setting, 1);
}

static tl_config defaults(void)
{
    return load(write_file("plain.yaml", "layout: tile_major\n"), NULL, 0);
}

START_TEST(systems_load)
{
    static const struct {
        const char *name;
        int weights;
        bool sram;
        uint64_t bytes_per_s;
    } systems[] = {
        {"h200_hbm", TL_CONFIG_MEMORY_HBM, false, UINT64_C(4915200000000)},
        {"h200_hbf", TL_CONFIG_MEMORY_HBF, false, UINT64_C(4915200000000)},
        {"h200_hbf_sram", TL_CONFIG_MEMORY_HBF, true, UINT64_C(4915200000000)},
        {"h200_hbf_strict", TL_CONFIG_MEMORY_HBF, false, UINT64_C(4915200000000)},
        {"h200_rome", TL_CONFIG_MEMORY_ROME, false, UINT64_C(5529600000000)},
    };
    for (size_t n = 0; n < COUNT(systems); n++) {
        char path[128];
        (void)snprintf(path, sizeof path, SYSTEM "%s.yaml", systems[n].name);
        const tl_config config = load(path, NULL, 0);
        ck_assert_str_eq(config.system.name, systems[n].name);
        ck_assert_int_eq(config.system.placement.weights, systems[n].weights);
        ck_assert(config.system.sram.enabled == systems[n].sram);
        ck_assert_uint_eq(tl_config_weight_bytes_per_s(&config.system), systems[n].bytes_per_s);
        ck_assert_int_eq(tl_config_activation_memory(&config.system),
                         systems[n].weights == TL_CONFIG_MEMORY_ROME ? TL_CONFIG_MEMORY_ROME : TL_CONFIG_MEMORY_HBM);
        ck_assert_int_eq(config.prefetch, systems[n].weights == TL_CONFIG_MEMORY_HBF ? TL_CONFIG_PREFETCH_ADAPTIVE
                                                                                     : TL_CONFIG_PREFETCH_NONE);
    }
}
END_TEST

START_TEST(workloads_load)
{
    static const struct {
        const char *name;
        uint32_t hidden, intermediate, experts, batch, tile_m, ctas_per_sm, down_split_k, stages;
    } workloads[] = {
        {"qwen3_30b_b16", 2048, 768, 128, 16, 16, 2, 1, 1},    {"qwen3_30b_b64", 2048, 768, 128, 64, 16, 2, 1, 1},
        {"qwen3_30b_b256", 2048, 768, 128, 256, 32, 2, 1, 1},  {"llama31_70b_b16", 8192, 28672, 1, 16, 16, 2, 4, 6},
        {"llama31_70b_b64", 8192, 28672, 1, 64, 64, 2, 4, 4},  {"llama31_70b_b256", 8192, 28672, 1, 256, 256, 2, 4, 2},
    };
    for (size_t n = 0; n < COUNT(workloads); n++) {
        char path[128];
        (void)snprintf(path, sizeof path, WORKLOAD "%s.yaml", workloads[n].name);
        const tl_config config = load(path, NULL, 0);
        const tl_model *model = &config.workload.model;
        ck_assert_str_eq(config.workload.name, workloads[n].name);
        ck_assert_uint_eq(model->hidden, workloads[n].hidden);
        ck_assert_uint_eq(model->intermediate, workloads[n].intermediate);
        ck_assert_uint_eq(model->experts, workloads[n].experts);
        ck_assert_uint_eq(model->batch, workloads[n].batch);
        ck_assert_uint_eq(model->tile_m, workloads[n].tile_m);
        ck_assert_uint_eq(model->group_size_m, 1);
        ck_assert_uint_eq(model->ctas_per_sm, workloads[n].ctas_per_sm);
        ck_assert_uint_eq(model->down_split_k, workloads[n].down_split_k);
        ck_assert_uint_eq(model->stages, workloads[n].stages);
        ck_assert_uint_eq(model->tiles_in_flight, workloads[n].stages);
        ck_assert(model->gated);
        ck_assert_int_eq(model->weight_layout, TL_WEIGHT_TILE_MAJOR);
        ck_assert((uint64_t)model->memory_tile[0] * model->memory_tile[1] * model->element_bytes == 4096);
    }
}
END_TEST

static void read_text(const char *path, char *text, size_t text_bytes)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    const size_t used = fread(text, 1, text_bytes - 1, file);
    text[used] = '\0';
    ck_assert_int_eq(fclose(file), 0);
}

/* A mapping of a file says every key that the mapping can have. */
static void states_every_key(const char *path, const char *group_name, const char *indent)
{
    static char text[65536];
    read_text(path, text, sizeof text);
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        const tl_config_group *group = tl_config_groups[g];
        for (unsigned k = 0; k < group->key_count && strcmp(group->name, group_name) == 0; k++) {
            char line[64];
            (void)snprintf(line, sizeof line, "\n%s%s: ", indent, group->keys[k].name);
            ck_assert_msg(strstr(text, line) != NULL, "%s: no %s.%s", path, group_name, group->keys[k].name);
        }
    }
}

START_TEST(files_state_every_key)
{
    static const struct {
        const char *file, *groups[12];
    } systems[] = {
        {"h200_hbm", {"placement", "gpu", "noc", "l2", "mshr", "refresh", "hbm"}},
        {"h200_hbf", {"placement", "gpu", "noc", "l2", "mshr", "prefetch", "refresh", "hbm", "hbf", "sram"}},
        {"h200_hbf_sram", {"placement", "gpu", "noc", "l2", "mshr", "prefetch", "refresh", "hbm", "hbf", "sram"}},
        {"h200_hbf_strict", {"placement", "gpu", "noc", "l2", "mshr", "prefetch", "refresh", "hbm", "hbf", "sram"}},
        {"h200_rome", {"placement", "gpu", "noc", "l2", "mshr", "refresh", "rome"}},
    };
    for (size_t n = 0; n < COUNT(systems); n++) {
        char path[128];
        (void)snprintf(path, sizeof path, SYSTEM "%s.yaml", systems[n].file);
        for (size_t g = 0; systems[n].groups[g] != NULL; g++) {
            char group[32];
            (void)snprintf(group, sizeof group, "system.%s", systems[n].groups[g]);
            states_every_key(path, group, "    ");
        }
    }
    states_every_key(WORKLOAD "qwen3_30b_b16.yaml", "workload", "  ");
    states_every_key(WORKLOAD "qwen3_30b_b64.yaml", "workload", "  ");
    states_every_key(WORKLOAD "qwen3_30b_b256.yaml", "workload", "  ");
    states_every_key(WORKLOAD "llama31_70b_b16.yaml", "workload", "  ");
    states_every_key(WORKLOAD "llama31_70b_b64.yaml", "workload", "  ");
    states_every_key(WORKLOAD "llama31_70b_b256.yaml", "workload", "  ");
}
END_TEST

/* Every key of `got` has the value that it has in `expected`, but for the keys of `except`, which ends with null. */
static void same_values(const tl_config *got, const tl_config *expected, const char *const except[])
{
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        for (unsigned k = 0; k < tl_config_groups[g]->key_count; k++) {
            const tl_config_key *key = &tl_config_groups[g]->keys[k];
            char path[TL_CONFIG_KEY_PATH_BYTES];
            char texts[2][TL_CONFIG_PATH_BYTES];
            bool excepted = false;
            tl_config_key_path(tl_config_groups[g], key, path);
            tl_config_value_text(key, got, texts[0], sizeof texts[0]);
            tl_config_value_text(key, expected, texts[1], sizeof texts[1]);
            for (size_t n = 0; except[n] != NULL; n++) {
                excepted = excepted || strcmp(except[n], path) == 0;
            }
            const bool same = strcmp(texts[0], texts[1]) == 0;
            ck_assert_msg(same != excepted, "%s: %s beside %s", path, texts[0], texts[1]);
        }
    }
}

/* What the files say is what a run without them does; a system says only what makes it that system. */
START_TEST(defaults_are_those_of_the_files)
{
    static const struct {
        const char *system, *differs[5];
    } systems[] = {
        {"h200_hbf", {"system_file", "workload_file"}},
        {"h200_hbf_sram", {"system_file", "workload_file", "system.name", "system.sram.enabled"}},
        {"h200_hbf_strict",
         {"system_file", "workload_file", "system.name", "system.hbf.planes_per_group", "system.refresh.trfc_ns"}},
        {"h200_hbm", {"system_file", "workload_file", "system.name", "system.placement.weights", "prefetch"}},
        {"h200_rome", {"system_file", "workload_file", "system.name", "system.placement.weights", "prefetch"}},
    };
    const tl_config plain = defaults();
    for (size_t n = 0; n < COUNT(systems); n++) {
        const char *except[COUNT(systems[n].differs) + 1] = {NULL};
        memcpy(except, systems[n].differs, sizeof systems[n].differs);
        char setting[128];
        (void)snprintf(setting, sizeof setting, "system_file=" SYSTEM "%s.yaml", systems[n].system);
        const char *const settings[] = {setting, "workload_file=" WORKLOAD "qwen3_30b_b16.yaml"};
        const tl_config file = load(write_file("plain.yaml", "layout: tile_major\n"), settings, COUNT(settings));
        same_values(&file, &plain, except);
    }
}
END_TEST

START_TEST(units)
{
    const tl_config config = defaults();
    ck_assert_uint_eq(config.system.hbf.read_latency_ps, 5000000);
    ck_assert_uint_eq(config.system.hbf.program_latency_ps, 75000000);
    ck_assert_uint_eq(config.system.hbf.internal_percent, 250);
    ck_assert_uint_eq(config.system.hbf.planes_per_channel, 0);
    ck_assert_uint_eq(config.system.hbm.pin_mbps, 6400);
    ck_assert_uint_eq(config.system.hbm.trcd_write_ps, 9375);
    ck_assert_uint_eq(config.system.hbm.energy_fj_per_bit, 3900);
    ck_assert_uint_eq(config.system.gpu.clock_khz, 1830000);
    ck_assert(config.system.gpu.tensor_tflop_per_s == 989.4);
    ck_assert_uint_eq(config.system.mshr.page_entries, 0);
    ck_assert_uint_eq(config.system.prefetch.latency_factor_milli, 2000);
    ck_assert_uint_eq(config.forced_degree, 1);
    ck_assert_str_eq(config.system_file, "");
}
END_TEST

START_TEST(settings_of_each_type)
{
    const char *plain = write_file("plain.yaml", "layout: row_major\n");
    const char *const settings[] = {
        "system.hbf.read_latency_us=10",
        "workload.memory_tile=[128, 16]",
        "system.noc.gbytes_per_s=5500",
        "system.hbf.cache_register=false",
        "system.mshr.page_entries=6144",
        " layout = column_major ",
        "system.gpu.tensor_efficiency=0.75",
        "workload.name=other",
        "prefetch=forced",
        "system.hbf.planes_per_channel=200",
        "forced_degree=3",
        "system.l2.replacement=random",
        "system.mshr.line_entries=unlimited",
        "workload.routing_skew=1.250",
        "workload.routing_seed=0",
        "system.hbf.planes_per_channel=auto",
        "forced_degree=4",
    };
    const tl_config config = load(plain, settings, COUNT(settings));
    ck_assert_uint_eq(config.system.hbf.read_latency_ps, 10000000);
    ck_assert_uint_eq(config.workload.model.memory_tile[0], 128);
    ck_assert_uint_eq(config.workload.model.memory_tile[1], 16);
    ck_assert_uint_eq(config.system.noc.gbytes_per_s, 5500);
    ck_assert(!config.system.hbf.cache_register);
    ck_assert_uint_eq(config.system.mshr.page_entries, 6144);
    ck_assert_uint_eq(config.system.mshr.line_entries, 0);
    ck_assert_int_eq(config.layout, TL_WEIGHT_COLUMN_MAJOR);
    ck_assert_int_eq(config.workload.model.weight_layout, TL_WEIGHT_COLUMN_MAJOR);
    ck_assert(config.system.gpu.tensor_efficiency == 0.75);
    ck_assert(config.workload.model.routing_skew == 1.25);
    ck_assert_uint_eq(config.workload.model.routing_seed, 0);
    ck_assert_str_eq(config.workload.name, "other");
    ck_assert_int_eq(config.prefetch, TL_CONFIG_PREFETCH_FORCED);
    ck_assert_uint_eq(config.forced_degree, 4);
    ck_assert_uint_eq(config.system.hbf.planes_per_channel, 0);
    ck_assert_int_eq(config.system.l2.replacement, TL_CONFIG_REPLACE_RANDOM);
}
END_TEST

START_TEST(later_values_win)
{
    char path[128];
    (void)write_file("sub/system.yaml", "system:\n  l2: {ways: 8, slices: 32}\n  hbf: {read_latency_us: 2}\n");
    (void)write_file("sub/other.yaml", "system:\n  l2: {ways: 4}\n");
    (void)write_file("sub/workload.yaml", "workload: {name: mine, batch: 5, tile_m: 32}\n");
    (void)snprintf(path, sizeof path, "%s",
                   write_file("run.yaml", "system_file: sub/system.yaml\nworkload_file: sub/workload.yaml\n"
                                          "system: {l2: {slices: 64}}\nworkload: {batch: 6}\nprefetch: none\n"));
    const tl_config config = load_set(path, "workload.batch=7");
    ck_assert_uint_eq(config.system.l2.ways, 8);
    ck_assert_uint_eq(config.system.l2.slices, 64);
    ck_assert_uint_eq(config.system.hbf.read_latency_ps, 2000000);
    ck_assert_str_eq(config.workload.name, "mine");
    ck_assert_uint_eq(config.workload.model.tile_m, 32);
    ck_assert_uint_eq(config.workload.model.batch, 7);
    ck_assert_int_eq(config.prefetch, TL_CONFIG_PREFETCH_NONE);

    char setting[160];
    (void)snprintf(setting, sizeof setting, "system_file=%s/sub/other.yaml", folder);
    const tl_config other = load_set(path, setting);
    ck_assert_uint_eq(other.system.l2.ways, 4);
    ck_assert_uint_eq(other.system.l2.slices, 64);
    ck_assert_uint_eq(other.system.hbf.read_latency_ps, 5000000);
    ck_assert_uint_eq(other.workload.model.tile_m, 32);
}
END_TEST

/* Every number: both ends of its range, and one step beyond. */
START_TEST(ranges)
{
    unsigned tried = 0;
    tl_config config = defaults();
    const tl_complaint to = {"f", error, sizeof error};
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        for (unsigned k = 0; k < tl_config_groups[g]->key_count; k++) {
            const tl_config_key *key = &tl_config_groups[g]->keys[k];
            if (key->type != TL_CONFIG_NUMBER) {
                continue;
            }
            const struct {
                uint64_t value;
                bool legal, exists;
            } values[] = {
                {key->low, true, true},
                {key->high, true, true},
                {key->low - 1, false, key->low > 0},
                {key->high + 1, false, key->high < UINT64_MAX},
            };
            uint64_t scale = 1;
            for (unsigned d = 0; d < key->decimals; d++) {
                scale *= 10;
            }
            for (size_t n = 0; n < COUNT(values); n++) {
                char text[64];
                (void)snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64, values[n].value / scale, (int)key->decimals,
                               values[n].value % scale);
                if (key->decimals == 0) {
                    (void)snprintf(text, sizeof text, "%" PRIu64, values[n].value);
                }
                const char *word = text;
                const tl_config_words words = {&word, 1, false};
                const int status = tl_config_value_set(key, "p", &words, &config, &to);
                ck_assert_msg(!values[n].exists || (status == 0) == values[n].legal, "%s=%s", key->name, text);
                tried++;
            }
        }
    }
    ck_assert_uint_ge(tried, 320);
}
END_TEST

/* Help promises no number of the workload that the model then refuses. */
START_TEST(ranges_are_those_of_the_model)
{
    const tl_config_group *group;
    (void)tl_config_key_find("workload.hidden", &group);
    for (unsigned k = 0; k < group->key_count; k++) {
        const tl_config_key *key = &group->keys[k];
        if (key->type != TL_CONFIG_NUMBER || key->store != TL_STORE_U32) {
            continue;
        }
        const uint64_t ends[] = {key->low, key->high};
        for (size_t n = 0; n < COUNT(ends); n++) {
            tl_config config = defaults();
            tl_input_error refusal = {.path = ""};
            *(uint32_t *)((char *)&config + key->offset) = (uint32_t)ends[n];
            ck_assert_msg(tl_model_check(&config.workload.model, &refusal) || strcmp(refusal.path, key->name) != 0 ||
                              strstr(refusal.expected, " from ") == NULL,
                          "%s: found %s, expected %s", refusal.path, refusal.found, refusal.expected);
        }
    }
}
END_TEST

START_TEST(table_is_sound)
{
    unsigned keys = 0;
    tl_config config = defaults();
    const tl_complaint to = {"f", error, sizeof error};
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        for (unsigned k = 0; k < tl_config_groups[g]->key_count; k++, keys++) {
            const tl_config_key *key = &tl_config_groups[g]->keys[k];
            ck_assert_msg(strlen(key->name) < 32, "%s is too long for the path of a complaint", key->name);
            ck_assert_msg(key->meaning[0] != '\0', "%s has no meaning", key->name);
            for (unsigned other = 0; other < k; other++) {
                ck_assert_str_ne(key->name, tl_config_groups[g]->keys[other].name);
                ck_assert_uint_ne(key->offset, tl_config_groups[g]->keys[other].offset);
            }
            const char *word = key->fallback;
            const tl_config_words words = {&word, 1, false};
            if (key->type != TL_CONFIG_PAIR && word[0] != '\0') {
                ck_assert_msg(tl_config_value_set(key, key->name, &words, &config, &to) == 0, "%s", error);
            }
        }
    }
    ck_assert_uint_le(keys, TL_CONFIG_KEYS_MAX);
}
END_TEST

START_TEST(help_lists_every_key)
{
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *stream = open_memstream(&text, &text_bytes);
    tl_config_print_keys(stream);
    ck_assert_int_eq(fclose(stream), 0);
    unsigned lines = 0;
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    unsigned keys = 0;
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        keys += tl_config_groups[g]->key_count;
    }
    ck_assert_uint_eq(lines, keys);
    ck_assert_ptr_nonnull(strstr(text,
                                 "  system.hbf.read_latency_us (default 5): from a NAND page to its page register; "
                                 "a number from 0.001 to 1000 with at most 6 decimals\n"));
    ck_assert_ptr_nonnull(strstr(text, "  system.mshr.page_entries (default unlimited): "));
    free(text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("config");
    tcase_add_test(tcase, systems_load);
    tcase_add_test(tcase, workloads_load);
    tcase_add_test(tcase, files_state_every_key);
    tcase_add_test(tcase, defaults_are_those_of_the_files);
    tcase_add_test(tcase, units);
    tcase_add_test(tcase, settings_of_each_type);
    tcase_add_test(tcase, later_values_win);
    tcase_add_test(tcase, ranges);
    tcase_add_test(tcase, ranges_are_those_of_the_model);
    tcase_add_test(tcase, table_is_sound);
    tcase_add_test(tcase, help_lists_every_key);
    return run_in_folder(tcase, "config");
}
