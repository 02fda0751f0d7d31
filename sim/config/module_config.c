/* SPDX-License-Identifier: Apache-2.0 */
#include "module_config.h"

#include <string.h>

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

enum { MSHR_BLOCK_MIN_BYTES = 128, MSHR_BLOCK_MAX_BYTES = 1024, BURST_BYTES = 32, MAX_BANK_BITS = 16 };

/* Time of `bytes` over `pins` data pins, rounded up. */
static uint64_t transfer_ps(uint32_t bytes, uint32_t pins, uint64_t pin_mbps)
{
    const uint64_t bus_mbps = pins * pin_mbps;
    return ((uint64_t)bytes * 8 * 1000000 + bus_mbps - 1) / bus_mbps;
}

uint32_t tl_config_hbm_channels(const tl_system_config *system)
{
    return system->hbm.stacks * system->hbm.channels_per_stack;
}

uint32_t tl_config_hbf_channels(const tl_system_config *system)
{
    return system->hbf.stacks * system->hbf.channels_per_stack;
}

uint32_t tl_config_rome_channels(const tl_system_config *system)
{
    return system->rome.stacks * system->rome.channels_per_stack;
}

/* `banks`: what per-bank refresh takes in turn. */
static tl_refresh_config refresh_of(const tl_system_refresh *refresh, uint32_t banks, uint32_t channel,
                                    uint32_t channels)
{
    tl_refresh_config out = {.mode = TL_REFRESH_NONE};
    if (refresh->mode == TL_CONFIG_REFRESH_ALL_BANK) {
        out = (tl_refresh_config){TL_REFRESH_ALL_BANK, refresh->trefi_ps, refresh->trfc_ps, 0};
    } else if (refresh->mode == TL_CONFIG_REFRESH_PER_BANK) {
        out = (tl_refresh_config){TL_REFRESH_PER_BANK, refresh->trefi_ps / banks, refresh->trfc_per_bank_ps, 0};
    }
    out.phase_ps = refresh->staggered ? out.interval_ps * (channel + 1) / channels : out.interval_ps;
    return out;
}

static tl_hbm_timing full_timing(const tl_system_hbm *hbm)
{
    return (tl_hbm_timing){
        .rcd_read_ps = hbm->trcd_read_ps,
        .rcd_write_ps = hbm->trcd_write_ps,
        .rp_ps = hbm->trp_ps,
        .ras_ps = hbm->tras_ps,
        .rc_ps = hbm->trc_ps,
        .cl_ps = hbm->tcl_ps,
        .cwl_ps = hbm->tcwl_ps,
        .ccd_s_ps = hbm->tccd_s_ps,
        .ccd_l_ps = hbm->tccd_l_ps,
        .ccd_r_ps = hbm->tccd_r_ps,
        .rrd_s_ps = hbm->trrd_s_ps,
        .rrd_l_ps = hbm->trrd_l_ps,
        .faw_ps = hbm->tfaw_ps,
        .rtp_ps = hbm->trtp_ps,
        .wr_ps = hbm->twr_ps,
        .wtr_s_ps = hbm->twtr_s_ps,
        .wtr_l_ps = hbm->twtr_l_ps,
        .rtw_ps = hbm->trtw_ps,
    };
}

/*
 * What a miss takes longer than a hit is all in the activate. tRC makes one bank deliver one access in miss + transfer.
 * Without banks every access is a hit.
 */
static tl_hbm_timing simple_timing(const tl_system_hbm *hbm, uint64_t access_ps)
{
    tl_hbm_timing timing = {.cl_ps = hbm->row_hit_ps, .cwl_ps = hbm->row_hit_ps};
    if (hbm->timing == TL_CONFIG_HBM_OPEN_ROW) {
        timing.rcd_read_ps = hbm->row_miss_ps - hbm->row_hit_ps;
        timing.rcd_write_ps = timing.rcd_read_ps;
        timing.rc_ps = hbm->row_miss_ps + access_ps;
        timing.rtp_ps = hbm->trtp_ps;
    }
    return timing;
}

void tl_config_hbm(const tl_system_config *system, uint32_t channel, tl_hbm_config *out)
{
    const tl_system_hbm *hbm = &system->hbm;
    const bool full = hbm->timing == TL_CONFIG_HBM_FULL_TIMING;
    memset(out, 0, sizeof *out);
    if (tl_bit_map_parse(hbm->channel_map, &out->map) != TL_MEM_OK) {
        memset(&out->map, 0, sizeof out->map); /* which tl_hbm_config_check refuses */
    }
    out->hash_banks = hbm->hash_banks;
    out->access_ps = transfer_ps(TL_HBM_ACCESS_BYTES, hbm->pins_per_channel / TL_HBM_PSEUDO_CHANNELS, hbm->pin_mbps);
    out->access_ps += out->access_ps % 2; /* two bursts of the same time */
    out->timing = full ? full_timing(hbm) : simple_timing(hbm, out->access_ps);
    out->burst_bytes = full ? BURST_BYTES : 0;
    out->capacity_bytes = hbm->capacity_mib_per_channel * MIB;
    out->request_bytes = hbm->request_bytes;
    out->read_queue = hbm->read_queue_entries;
    out->write_queue = hbm->write_queue_entries;
    out->write_high = hbm->write_drain_high;
    out->write_low = hbm->write_drain_low;
    out->starvation_ps = hbm->starvation_ps;
    const tl_bit_list *fields = out->map.fields;
    const unsigned bank_bits =
        (unsigned)fields[TL_BIT_STACK_ID].count + fields[TL_BIT_BANK_GROUP].count + fields[TL_BIT_BANK].count;
    const uint32_t banks = bank_bits > MAX_BANK_BITS ? 1 : UINT32_C(1) << bank_bits;
    out->refresh = refresh_of(&system->refresh, banks, channel, tl_config_hbm_channels(system));
}

static tl_map_kind map_kind(int page_map)
{
    return page_map == TL_CONFIG_PAGES_PERMUTATION ? TL_MAP_PERMUTATION
           : page_map == TL_CONFIG_PAGES_HASHED    ? TL_MAP_HASH
                                                   : TL_MAP_MODULO;
}

void tl_config_hbf(const tl_system_config *system, tl_hbf_config *out)
{
    const tl_system_hbf *hbf = &system->hbf;
    *out = (tl_hbf_config){
        .page_bytes = hbf->page_bytes,
        .read_latency_ps = hbf->read_latency_ps,
        .program_ps = hbf->program_latency_ps,
        .transfer_ps = transfer_ps(hbf->page_bytes, hbf->pins_per_channel, hbf->pin_mbps),
        .planes = hbf->planes_per_channel,
        .internal_percent = hbf->internal_percent,
        .overlap = hbf->planes_per_group,
        .register_pages = hbf->cache_register ? hbf->planes_per_group : 0,
        .group_map = map_kind(system->placement.page_map),
        .map_seed = system->placement.page_map_seed + 1, /* not the map of the channels */
        .capacity_bytes = hbf->capacity_gib_per_channel * GIB,
        .queue = hbf->queue_entries,
        .far_lowest = system->prefetch.far_class == TL_CONFIG_FAR_LOWEST,
        .pages_per_block = hbf->pages_per_block,
        .endurance_cycles = hbf->endurance_cycles,
    };
}

void tl_config_rome(const tl_system_config *system, uint32_t channel, tl_rome_config *out)
{
    const tl_system_rome *rome = &system->rome;
    *out = (tl_rome_config){
        .timing = {.r2rs_ps = rome->tr2rs_ps,
                   .r2rr_ps = rome->tr2rr_ps,
                   .r2ws_ps = rome->tr2ws_ps,
                   .r2wr_ps = rome->tr2wr_ps,
                   .w2rs_ps = rome->tw2rs_ps,
                   .w2rr_ps = rome->tw2rr_ps,
                   .w2ws_ps = rome->tw2ws_ps,
                   .w2wr_ps = rome->tw2wr_ps,
                   .rd_row_ps = rome->trd_row_ps,
                   .wr_row_ps = rome->twr_row_ps},
        .row_bytes = rome->row_bytes,
        .transfer_ps = transfer_ps(rome->row_bytes, rome->pins_per_channel, rome->pin_mbps),
        .first_data_ps = rome->first_data_ps,
        .vbas = rome->virtual_banks,
        .stack_ids = rome->stack_ids,
        .vba_map = map_kind(system->placement.page_map),
        .map_seed = system->placement.page_map_seed + 1,
        .capacity_bytes = rome->capacity_mib_per_channel * MIB,
        .queue = rome->queue_entries,
        .window = rome->scheduling_window,
        .far_lowest = system->prefetch.far_class == TL_CONFIG_FAR_LOWEST,
        .refresh = refresh_of(&system->refresh, rome->virtual_banks, channel, tl_config_rome_channels(system)),
    };
}

void tl_config_page_map(const tl_system_config *system, tl_address_map_config *out)
{
    const bool rome = system->placement.weights == TL_CONFIG_MEMORY_ROME;
    const bool hbf = system->placement.weights == TL_CONFIG_MEMORY_HBF;
    const uint32_t hbm_unit_bytes = 4096; /* HBM has no pages of its own; the same map makes systems comparable */
    const uint64_t capacity_bytes = rome  ? system->rome.capacity_mib_per_channel * MIB
                                    : hbf ? system->hbf.capacity_gib_per_channel * GIB
                                          : system->hbm.capacity_mib_per_channel * MIB;
    memset(out, 0, sizeof *out);
    out->kind = map_kind(system->placement.page_map);
    out->targets = rome  ? tl_config_rome_channels(system)
                   : hbf ? tl_config_hbf_channels(system)
                         : tl_config_hbm_channels(system);
    out->unit_bytes = rome ? system->rome.row_bytes : hbf ? system->hbf.page_bytes : hbm_unit_bytes;
    out->access_bytes = rome || hbf ? out->unit_bytes : TL_HBM_ACCESS_BYTES;
    out->units_per_target = capacity_bytes / out->unit_bytes;
    out->seed = system->placement.page_map_seed;
}

void tl_config_sram(const tl_system_config *system, tl_sram_config *out)
{
    *out = (tl_sram_config){
        .capacity_bytes = system->sram.capacity_mib_per_stack * MIB,
        .page_bytes = system->hbf.page_bytes,
        .hit_latency_ps = system->sram.latency_ps,
        .replacement = system->sram.replacement == TL_CONFIG_SRAM_LRU ? TL_SRAM_LRU : TL_SRAM_FIFO,
    };
}

void tl_config_cache(const tl_system_config *system, tl_cache_config *out)
{
    static const tl_cache_replacement replacements[] = {
        [TL_CONFIG_REPLACE_LRU_EVICT_FIRST] = TL_CACHE_LRU_EVICT_FIRST,
        [TL_CONFIG_REPLACE_LRU] = TL_CACHE_LRU,
        [TL_CONFIG_REPLACE_RANDOM] = TL_CACHE_RANDOM,
        [TL_CONFIG_REPLACE_FIFO] = TL_CACHE_FIFO,
    };
    *out = (tl_cache_config){
        .capacity_bytes = system->l2.capacity_mib * MIB,
        .ways = system->l2.ways,
        .slices = system->l2.slices,
        .index = system->l2.set_index == TL_CONFIG_SETS_HASHED ? TL_CACHE_HASHED : TL_CACHE_MODULO,
        .replacement = replacements[system->l2.replacement],
        .seed = system->l2.seed,
    };
}

void tl_config_mshr(const tl_system_config *system, tl_mshr_config *out)
{
    const uint32_t bytes = system->hbm.request_bytes;
    *out = (tl_mshr_config){
        .line_entries = system->mshr.line_entries,
        .page_entries = system->mshr.page_entries,
        .line_block_bytes = bytes < MSHR_BLOCK_MIN_BYTES   ? MSHR_BLOCK_MIN_BYTES
                            : bytes > MSHR_BLOCK_MAX_BYTES ? MSHR_BLOCK_MAX_BYTES
                                                           : bytes,
    };
}

void tl_config_degree(const tl_config *config, tl_degree_config *out)
{
    const tl_system_config *system = &config->system;
    const tl_system_prefetch *prefetch = &system->prefetch;
    *out = (tl_degree_config){
        .bandwidth_bytes_per_s = tl_config_weight_bytes_per_s(system),
        .latency_ps = system->hbf.read_latency_ps,
        .page_bytes = system->hbf.page_bytes,
        .factor_milli = prefetch->latency_factor_milli,
        .floor =
            prefetch->degree_rounding == TL_CONFIG_DEGREE_FLOOR_OF_PRODUCT ? TL_FLOOR_OF_PRODUCT : TL_PRODUCT_OF_FLOOR,
        .reach = !system->sram.enabled                          ? TL_REACH_NEAR_ONLY
                 : prefetch->far_reach == TL_CONFIG_REACH_TWICE ? TL_REACH_TWICE
                                                                : TL_REACH_SPLIT,
        .forced = config->prefetch == TL_CONFIG_PREFETCH_NONE     ? 0
                  : config->prefetch == TL_CONFIG_PREFETCH_FORCED ? config->forced_degree
                                                                  : TL_DEGREE_NOT_FORCED,
    };
}

void tl_config_prefetcher(const tl_system_config *system, tl_prefetcher_config *out)
{
    *out = (tl_prefetcher_config){
        .page_bytes = system->hbf.page_bytes,
        .trigger = system->prefetch.trigger == TL_CONFIG_TRIGGER_EVERY_DEMAND ? TL_PREFETCH_ON_DEMAND
                                                                              : TL_PREFETCH_ON_MISS_OR_MERGE,
        .distances = system->prefetch.distances == TL_CONFIG_DISTANCES_ALL ? TL_PREFETCH_ALL : TL_PREFETCH_NEWEST,
    };
}
