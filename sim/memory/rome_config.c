/* SPDX-License-Identifier: Apache-2.0 */
/* The default RoMe channel and the check of a configuration. */
#include "rome_channel.h"

void tl_rome_config_default(tl_rome_config *config)
{
    *config = (tl_rome_config){
        .timing = {.r2rs_ps = 80000,
                   .r2rr_ps = 84000,
                   .r2ws_ps = 85000,
                   .r2wr_ps = 89000,
                   .w2rs_ps = 87000,
                   .w2rr_ps = 91000,
                   .w2ws_ps = 80000,
                   .w2wr_ps = 84000,
                   .rd_row_ps = 111000,
                   .wr_row_ps = 131000},
        .row_bytes = 4096,
        .transfer_ps = 80000,
        .first_data_ps = 28000, /* tRCD + tCL of the same device */
        .vbas = 32,
        .stack_ids = 4,
        .vba_map = TL_MAP_PERMUTATION, /* a stream stays on one stack ID for 8 rows */
        .capacity_bytes = UINT64_C(3) << 29,
        .queue = 64,
        .window = 2,
    };
}

static const char *check_geometry(const tl_rome_config *config)
{
    if (config->row_bytes < 512 || config->row_bytes > 65536 || (config->row_bytes & (config->row_bytes - 1)) != 0) {
        return "row_bytes: a power of two, 512 to 65536";
    }
    if (config->vbas == 0 || config->vbas > TL_ROME_MAX_VBAS) {
        return "vbas: 1 to 1024";
    }
    if (config->stack_ids == 0 || config->vbas % config->stack_ids != 0) {
        return "stack_ids: a divisor of vbas";
    }
    if (config->vba_map == TL_MAP_BITS) {
        return "vba_map: modulo, hash or permutation";
    }
    const uint64_t stripe_bytes = (uint64_t)config->vbas * config->row_bytes;
    if (config->capacity_bytes == 0 || config->capacity_bytes % stripe_bytes != 0 ||
        config->capacity_bytes > UINT64_C(1) << TL_MAP_ADDRESS_BITS) {
        return "capacity_bytes: a multiple of vbas x row_bytes, at most 2^48";
    }
    return NULL;
}

const char *tl_rome_config_check(const tl_rome_config *config)
{
    const char *wrong = check_geometry(config);
    if (wrong != NULL) {
        return wrong;
    }
    const tl_rome_timing *t = &config->timing;
    const uint64_t distances[] = {t->r2rs_ps, t->r2rr_ps, t->r2ws_ps, t->r2wr_ps,
                                  t->w2rs_ps, t->w2rr_ps, t->w2ws_ps, t->w2wr_ps};
    for (unsigned i = 0; i < sizeof distances / sizeof *distances; i++) {
        if (config->transfer_ps == 0 || distances[i] < config->transfer_ps) {
            return "timing: every distance at least transfer_ps, which is at least 1";
        }
    }
    if (config->queue == 0 || config->queue > TL_ROME_MAX_QUEUE) {
        return "queue: 1 to 65536";
    }
    if (config->window == 0 || config->window > 64) {
        return "window: 1 to 64";
    }
    const uint64_t row_ps = t->rd_row_ps > t->wr_row_ps ? t->rd_row_ps : t->wr_row_ps;
    return tl_refresh_check(&config->refresh, config->vbas, row_ps + config->transfer_ps);
}
