/* SPDX-License-Identifier: Apache-2.0 */
/* Timing presets of the HBM channel and the check of a configuration. */
#include <string.h>

#include "hbm_internal.h"

/*
 * Hit and miss are 14 ns and 42 ns as in H200 studies. Any access that is no hit pays the difference once (a closed
 * bank too), so it sits in tRCD. tRC makes one bank deliver one 64 B access in miss + transfer = 44.5 ns.
 */
static const tl_hbm_timing simple_timing = {
    .rcd_read_ps = 28000,
    .rcd_write_ps = 28000,
    .rc_ps = 44500,
    .cl_ps = 14000,
    .cwl_ps = 14000,
    .rtp_ps = 5625,
};

/* HBM3 at 6.4 Gb/s (clock 0.625 ns), but tRCD = tRP = tCL = 14 ns, so that hit and miss are those of `simple`. */
static const tl_hbm_timing full_timing = {
    .rcd_read_ps = 14000,
    .rcd_write_ps = 9375,
    .rp_ps = 14000,
    .ras_ps = 28125,
    .rc_ps = 45000,
    .cl_ps = 14000,
    .cwl_ps = 6250,
    .ccd_s_ps = 1250,
    .ccd_l_ps = 2500,
    .ccd_r_ps = 1875,
    .rrd_s_ps = 2500,
    .rrd_l_ps = 3125,
    .faw_ps = 15000,
    .rtp_ps = 5625,
    .wr_ps = 20625,
    .wtr_s_ps = 4375,
    .wtr_l_ps = 6250,
    .rtw_ps = 12500,
};

/*
 * 512 B of a row stay together (the largest request), then the two PCs and four bank groups alternate: a stream of 4 KB
 * keeps eight rows busy. Above: the rest of the 1 KB row, bank, stack ID, row.
 */
static const char default_map[] = "rrrrrrrrrrrrrrrsbbcggpccccccccc";

void tl_hbm_config_simple(tl_hbm_config *config)
{
    memset(config, 0, sizeof *config);
    config->timing = simple_timing;
    config->access_ps = 2500;
    (void)tl_bit_map_parse(default_map, &config->map);
    config->capacity_bytes = UINT64_C(3) << 29;
    config->request_bytes = 512;
    config->read_queue = config->write_queue = 64;
    config->write_high = 24;
    config->write_low = 8;
    config->starvation_ps = 1000000;
}

void tl_hbm_config_full(tl_hbm_config *config)
{
    tl_hbm_config_simple(config);
    config->timing = full_timing;
    config->burst_bytes = 32;
}

void tl_hbm_config_bus(tl_hbm_config *config)
{
    tl_hbm_config_simple(config);
    config->timing = (tl_hbm_timing){.cl_ps = simple_timing.cl_ps, .cwl_ps = simple_timing.cwl_ps};
}

static const char *check_map(const tl_hbm_config *config)
{
    const tl_bit_map *map = &config->map;
    const tl_bit_list *fields = map->fields;
    if (tl_bit_map_check(map) != TL_MEM_OK) {
        return "map: every address bit must be used once";
    }
    if (fields[TL_BIT_CHANNEL].count != 0) {
        return "map: holds the channel's own addresses, so no channel bits";
    }
    if (fields[TL_BIT_PSEUDO_CHANNEL].count > 1) {
        return "map: at most one pseudo-channel bit";
    }
    if (fields[TL_BIT_BANK_GROUP].count + fields[TL_BIT_STACK_ID].count > 5 ||
        fields[TL_BIT_BANK_GROUP].count + fields[TL_BIT_STACK_ID].count + fields[TL_BIT_BANK].count > 6) {
        return "map: at most 32 bank groups and 64 banks of all stack IDs";
    }
    if (fields[TL_BIT_ROW].count > 31) {
        return "map: at most 31 row bits";
    }
    if (config->capacity_bytes == 0 || config->capacity_bytes > UINT64_C(1) << map->address_bits) {
        return "capacity_bytes: 1 to what the map addresses";
    }
    return NULL;
}

/* From a closed bank to a closed bank, the longest request. With less time between two refreshes nothing would get done. */
static uint64_t longest_access_ps(const tl_hbm_config *config)
{
    const tl_hbm_timing *timing = &config->timing;
    const uint64_t burst_bytes = config->burst_bytes != 0 ? config->burst_bytes : TL_HBM_ACCESS_BYTES;
    const uint64_t burst_ps = later(config->access_ps * burst_bytes / TL_HBM_ACCESS_BYTES, timing->ccd_l_ps);
    const uint64_t bursts_ps = config->request_bytes / burst_bytes * burst_ps;
    const uint64_t read_ps = timing->rcd_read_ps + bursts_ps + later(timing->rtp_ps, timing->cl_ps);
    const uint64_t write_ps = timing->rcd_write_ps + timing->cwl_ps + bursts_ps + timing->wr_ps;
    return later(timing->rc_ps, later(timing->ras_ps, later(read_ps, write_ps)) + timing->rp_ps);
}

const char *tl_hbm_config_check(const tl_hbm_config *config)
{
    const char *wrong = check_map(config);
    if (wrong != NULL) {
        return wrong;
    }
    if (config->burst_bytes != 0 && config->burst_bytes != 32 && config->burst_bytes != TL_HBM_ACCESS_BYTES) {
        return "burst_bytes: 0 (whole request), 32 or 64";
    }
    if (config->access_ps < 2 || config->access_ps > 1000000 || config->access_ps % 2 != 0) {
        return "access_ps: even, 2 to 1000000";
    }
    if (config->request_bytes < TL_HBM_ACCESS_BYTES || config->request_bytes % TL_HBM_ACCESS_BYTES != 0 ||
        config->request_bytes > 32768 || config->request_bytes > tl_bit_map_row_run_bytes(&config->map)) {
        return "request_bytes: a multiple of 64, at most what the map keeps in one row";
    }
    if (config->read_queue < 1 || config->read_queue > TL_HBM_MAX_QUEUE) {
        return "read_queue: 1 to 4096";
    }
    if (config->write_queue < 1 || config->write_queue > TL_HBM_MAX_QUEUE) {
        return "write_queue: 1 to 4096";
    }
    if (config->write_high <= config->write_low) {
        return "write_high: more than write_low";
    }
    if (config->starvation_ps == 0) {
        return "starvation_ps: at least 1";
    }
    const tl_bit_list *fields = config->map.fields;
    const int bank_bits = fields[TL_BIT_STACK_ID].count + fields[TL_BIT_BANK_GROUP].count + fields[TL_BIT_BANK].count;
    return tl_refresh_check(&config->refresh, UINT32_C(1) << bank_bits, longest_access_ps(config));
}
