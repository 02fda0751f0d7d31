/* SPDX-License-Identifier: Apache-2.0 */
#include "config_rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config_value.h"
#include "module_config.h"

enum { TEXT_BYTES = 256, KIB = 1024, PAGE_BYTES = TL_CACHE_PAGE_BYTES };
enum { GRANULARITY_MIN_BYTES = 512, GRANULARITY_MAX_BYTES = 65536, TILE_ROW_MIN_BYTES = 16 };

/* What every rule needs: the values, and where a refusal goes. */
typedef struct rules {
    const tl_config *config;
    const tl_complaint *to;
} rules;

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Refuse the value that the key `path` has. */
__attribute__((format(printf, 3, 4))) static int refuse(const rules *r, const char *path, const char *expected, ...)
{
    char found[TEXT_BYTES];
    char text[TEXT_BYTES];
    const tl_config_group *group;
    tl_config_value_text(tl_config_key_find(path, &group), r->config, found, sizeof found);
    va_list arguments;
    va_start(arguments, expected);
    (void)vsnprintf(text, sizeof text, expected, arguments);
    va_end(arguments);
    return tl_complain(r->to, path, found, "%s", text);
}

/* Buses have whole bytes, and an HBM request is never cut by a page. */
static int check_geometry(const rules *r)
{
    const tl_system_config *system = &r->config->system;
    const struct {
        const char *path;
        uint32_t pins;
    } buses[] = {
        {"system.hbm.pins_per_channel", system->hbm.pins_per_channel},
        {"system.hbf.pins_per_channel", system->hbf.pins_per_channel},
        {"system.rome.pins_per_channel", system->rome.pins_per_channel},
    };
    for (unsigned n = 0; n < sizeof buses / sizeof buses[0]; n++) {
        if (buses[n].pins % 8 != 0) {
            return refuse(r, buses[n].path, "a multiple of 8");
        }
    }
    if (!is_power_of_two(system->hbm.request_bytes)) {
        return refuse(r, "system.hbm.request_bytes", "a power of two");
    }
    return 0;
}

static int check_l2(const rules *r)
{
    const tl_system_l2 *l2 = &r->config->system.l2;
    const uint64_t pages = (uint64_t)l2->capacity_mib * KIB * KIB / PAGE_BYTES;
    if (pages % l2->ways != 0) {
        return refuse(r, "system.l2.ways", "a divisor of the %" PRIu64 " pages of L2", pages);
    }
    if (l2->slices > pages / l2->ways) {
        return refuse(r, "system.l2.slices", "at most %" PRIu64 ", the pages of one way", pages / l2->ways);
    }
    tl_mshr_config mshr;
    tl_config_mshr(&r->config->system, &mshr);
    if (mshr.line_entries != 0 && mshr.line_entries < mshr.line_block_bytes / TL_CACHE_LINE_BYTES) {
        return refuse(r, "system.mshr.line_entries", "at least %" PRIu32 ", the lines of one HBM request",
                      mshr.line_block_bytes / TL_CACHE_LINE_BYTES);
    }
    return 0;
}

/* HBF hangs behind the HBM of its stack and shares its data bus. */
static int check_daisy_chain(const rules *r)
{
    const tl_system_config *system = &r->config->system;
    if (system->placement.weights != TL_CONFIG_MEMORY_HBF) {
        return system->sram.enabled ? refuse(r, "system.sram.enabled", "false: the buffer stages HBF pages") : 0;
    }
    if (system->hbf.stacks != system->hbm.stacks) {
        return refuse(r, "system.hbf.stacks", "%" PRIu32 ", as system.hbm.stacks: they share buses",
                      system->hbm.stacks);
    }
    if (system->hbf.channels_per_stack != system->hbm.channels_per_stack) {
        return refuse(r, "system.hbf.channels_per_stack",
                      "%" PRIu32 ", as system.hbm.channels_per_stack: they share buses",
                      system->hbm.channels_per_stack);
    }
    return 0;
}

static int check_refresh(const rules *r)
{
    const tl_system_refresh *refresh = &r->config->system.refresh;
    if (refresh->mode == TL_CONFIG_REFRESH_ALL_BANK && refresh->trfc_ps >= refresh->trefi_ps) {
        return refuse(r, "system.refresh.trfc_ns", "less than trefi_ns");
    }
    if (refresh->mode == TL_CONFIG_REFRESH_PER_BANK && refresh->trfc_per_bank_ps >= refresh->trefi_ps) {
        return refuse(r, "system.refresh.trfc_per_bank_ns", "less than trefi_ns");
    }
    return 0;
}

/* A message of a module, `FIELD: what is right`, at the key that FIELD comes from. */
typedef struct field_key {
    const char *field, *path;
} field_key;

static int refuse_field(const rules *r, const char *message, const field_key *keys)
{
    while (strncmp(message, keys->field, strlen(keys->field)) != 0) {
        keys++;
    }
    const char *expected = strstr(message, ": ");
    return refuse(r, keys->path, "%s", expected == NULL ? message : expected + 2);
}

static int check_hbm(const rules *r)
{
    static const field_key keys[] = {
        {"map", "system.hbm.channel_map"},
        {"capacity_bytes", "system.hbm.capacity_mib_per_channel"},
        {"request_bytes", "system.hbm.request_bytes"},
        {"access_ps", "system.hbm.pin_gbit_per_s"},
        {"refresh", "system.refresh.trefi_ns"},
        {"", "system.hbm.timing"},
    };
    const tl_system_hbm *hbm = &r->config->system.hbm;
    if (hbm->row_miss_ps < hbm->row_hit_ps) {
        return refuse(r, "system.hbm.row_miss_ns", "at least row_hit_ns");
    }
    if (hbm->write_drain_low >= hbm->write_drain_high) {
        return refuse(r, "system.hbm.write_drain_low", "less than write_drain_high");
    }
    if (hbm->starvation_ps == 0) {
        return refuse(r, "system.hbm.starvation_ns", "more than 0");
    }
    tl_hbm_config module;
    tl_config_hbm(&r->config->system, 0, &module);
    const char *wrong = tl_hbm_config_check(&module);
    return wrong == NULL ? 0 : refuse_field(r, wrong, keys);
}

static int check_hbf(const rules *r)
{
    static const field_key keys[] = {
        {"internal_percent", "system.hbf.internal_bandwidth"},
        {"capacity_bytes", "system.hbf.capacity_gib_per_channel"},
        {"transfer_ps", "system.hbf.pin_gbit_per_s"},
        {"", "system.hbf.read_latency_us"},
    };
    tl_hbf_config module;
    tl_config_hbf(&r->config->system, &module);
    const char *wrong = tl_hbf_config_check(&module);
    return wrong == NULL ? 0 : refuse_field(r, wrong, keys);
}

static int check_rome(const rules *r)
{
    static const field_key keys[] = {
        {"capacity_bytes", "system.rome.capacity_mib_per_channel"},
        {"refresh", "system.refresh.trefi_ns"},
        {"", "system.rome.tr2rs_ns"},
    };
    const tl_system_rome *rome = &r->config->system.rome;
    if (rome->virtual_banks % rome->stack_ids != 0) {
        return refuse(r, "system.rome.stack_ids", "a divisor of virtual_banks");
    }
    tl_rome_config module;
    tl_config_rome(&r->config->system, 0, &module);
    const char *wrong = tl_rome_config_check(&module);
    return wrong == NULL ? 0 : refuse_field(r, wrong, keys);
}

static int check_page_map(const rules *r)
{
    tl_address_map map;
    tl_address_map_config module;
    tl_config_page_map(&r->config->system, &module);
    return tl_address_map_init(&map, &module) == TL_MEM_OK
               ? 0
               : refuse(r, "system.placement.weights", "a memory of at most 2^48 bytes in all its channels");
}

static int check_prefetch(const rules *r)
{
    if (r->config->prefetch == TL_CONFIG_PREFETCH_FORCED &&
        r->config->system.placement.weights != TL_CONFIG_MEMORY_HBF) {
        return refuse(r, "prefetch", "none or adaptive: only HBF has a prefetcher");
    }
    return 0;
}

/* The encode rules of a tensor map that depend on the memory tile alone. */
static int check_memory_tile(const rules *r)
{
    static const char PATH[] = "workload.memory_tile";
    const tl_model *model = &r->config->workload.model;
    const uint64_t row_bytes = (uint64_t)model->memory_tile[0] * model->element_bytes;
    const uint64_t tile_bytes = row_bytes * model->memory_tile[1];
    if (r->config->layout != TL_WEIGHT_TILE_MAJOR) {
        return 0;
    }
    if (!is_power_of_two(model->memory_tile[0]) || !is_power_of_two(model->memory_tile[1])) {
        return refuse(r, PATH, "two powers of two");
    }
    if (row_bytes < TILE_ROW_MIN_BYTES || tile_bytes < GRANULARITY_MIN_BYTES || tile_bytes > GRANULARITY_MAX_BYTES) {
        return refuse(r, PATH, "rows of at least %d bytes and %d to %d bytes in all, at %" PRIu32 " bytes an element",
                      TILE_ROW_MIN_BYTES, GRANULARITY_MIN_BYTES, GRANULARITY_MAX_BYTES, model->element_bytes);
    }
    return 0;
}

static int check_workload(const rules *r)
{
    tl_input_error error;
    const uint64_t shared_memory_bytes = (uint64_t)r->config->system.gpu.shared_memory_kib * KIB;
    if (tl_model_check(&r->config->workload.model, &error) &&
        tl_model_check_shared_memory(&r->config->workload.model, shared_memory_bytes, &error)) {
        return 0;
    }
    char path[TL_CONFIG_KEY_PATH_BYTES];
    (void)snprintf(path, sizeof path, "workload.%s", error.path);
    return tl_complain(r->to, path, error.found, "%s", error.expected);
}

int tl_config_rules_check(const tl_config *config, const tl_complaint *to)
{
    static int (*const checks[])(const rules *) = {
        check_geometry, check_l2,       check_daisy_chain, check_refresh,     check_hbm,      check_hbf,
        check_rome,     check_page_map, check_prefetch,    check_memory_tile, check_workload,
    };
    const rules r = {config, to};
    int status = 0;
    for (size_t n = 0; n < sizeof checks / sizeof checks[0] && status == 0; n++) {
        status = checks[n](&r);
    }
    return status;
}
