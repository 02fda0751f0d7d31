/* SPDX-License-Identifier: Apache-2.0 */
/* The default HBF channel and the check of a configuration. */
#include "hbf_channel.h"

void tl_hbf_config_default(tl_hbf_config *config)
{
    *config = (tl_hbf_config){
        .page_bytes = 4096,
        .read_latency_ps = 5000000,
        .program_ps = 75000000,
        .transfer_ps = 80000,
        .internal_percent = 250,
        .overlap = 2,
        .register_pages = 2,
        .group_map = TL_MAP_PERMUTATION,
        .capacity_bytes = UINT64_C(1) << 35,
        .queue = 1024,
        .pages_per_block = 256,
        .endurance_cycles = 100000,
    };
}

uint32_t tl_hbf_planes(const tl_hbf_config *config)
{
    const uint64_t planes = config->read_latency_ps * config->internal_percent / (config->transfer_ps * 100);
    return planes > 1 ? (uint32_t)planes : 1;
}

const char *tl_hbf_config_check(const tl_hbf_config *config)
{
    if (config->page_bytes < 512 || config->page_bytes > 65536 ||
        (config->page_bytes & (config->page_bytes - 1)) != 0) {
        return "page_bytes: a power of two, 512 to 65536";
    }
    if (config->read_latency_ps == 0 || config->read_latency_ps > UINT64_C(1000000000000)) {
        return "read_latency_ps: 1 ps to 1 s";
    }
    if (config->transfer_ps == 0 || config->transfer_ps > 1000000000) {
        return "transfer_ps: 1 ps to 1 ms";
    }
    if (config->program_ps == 0 || config->program_ps > UINT64_C(1000000000000)) {
        return "program_ps: 1 ps to 1 s";
    }
    if (config->planes > 65536) {
        return "planes: 0 (from internal_percent) to 65536";
    }
    if (config->planes == 0 &&
        (config->internal_percent == 0 || config->internal_percent > 10000 || tl_hbf_planes(config) > 65536)) {
        return "internal_percent: 1 to 10000, and at most 65536 planes";
    }
    if (config->overlap == 0 || config->overlap > 1024) {
        return "overlap: 1 to 1024 planes a group";
    }
    if (config->group_map == TL_MAP_BITS) {
        return "group_map: modulo, hash or permutation";
    }
    if (config->capacity_bytes < config->page_bytes || config->capacity_bytes % config->page_bytes != 0 ||
        config->capacity_bytes / config->page_bytes > UINT64_C(1) << 30) {
        return "capacity_bytes: whole pages, 1 to 2^30";
    }
    if (config->queue == 0 || config->queue > TL_HBF_MAX_QUEUE) {
        return "queue: 1 to 65536";
    }
    if (config->pages_per_block == 0 || config->endurance_cycles == 0) {
        return "pages_per_block, endurance_cycles: at least 1";
    }
    return NULL;
}
