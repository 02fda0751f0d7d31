/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

static const double PS_PER_NS = 1e3;
static const double PS_PER_S = 1e12;

static double ratio(double of, double by)
{
    return by == 0 ? 0 : of / by;
}

static double share(uint64_t of, uint64_t by)
{
    return ratio((double)of, (double)by);
}

/* fJ/bit x bytes */
static double microjoule(uint64_t bytes, uint64_t fj_per_bit)
{
    return (double)bytes * 8 * (double)fj_per_bit / 1e9;
}

static void make_bandwidth(const tl_statistics *statistics, tl_report *report)
{
    const tl_byte_counts *bytes = &statistics->bytes;
    const double time_s = (double)statistics->time_ps / PS_PER_S;
    const double peak_bytes = (double)statistics->scale.weight_bytes_per_s * time_s;
    report->time_ns = (double)statistics->time_ps / PS_PER_NS;
    report->useful_bytes = bytes->weights_asked;
    report->fetched_bytes = bytes->weights_fetched;
    report->read_amplification = share(bytes->weights_fetched, bytes->weights_asked);
    report->bandwidth_utilization = ratio((double)bytes->weights_asked, peak_bytes);
    report->bus_utilization = ratio((double)bytes->weights_fetched, peak_bytes);
    report->effective_gbytes_per_s = ratio((double)bytes->weights_asked / 1e9, time_s);
    report->tma_bytes = bytes->tma_asked;
    report->channel_read_bytes = bytes->channels_read;
    report->l2_filled_bytes = bytes->l2_filled;
    report->bypassed_bytes = bytes->bypassed;
    report->sram_filled_bytes = bytes->sram_filled;
}

static void make_latency(const tl_statistics *statistics, tl_report *report)
{
    const tl_histogram *latency = &statistics->channel_latency;
    const tl_tile_counts *tiles = &statistics->tiles;
    report->latency_ns_mean = tl_histogram_mean_ps(latency) / PS_PER_NS;
    report->latency_ns_p50 = (double)tl_histogram_percentile_ps(latency, 50) / PS_PER_NS;
    report->latency_ns_p99 = (double)tl_histogram_percentile_ps(latency, 99) / PS_PER_NS;
    report->latency_ns_max = (double)latency->max_ps / PS_PER_NS;
    report->requests = latency->count;
    report->tiles = tiles->delivered;
    report->accesses_per_tile = share(tiles->accesses, tiles->delivered);
    report->queue_ns_mean = share(tiles->queue_ps, tiles->delivered) / PS_PER_NS;
    report->straggler_ns_mean = share(tiles->straggler_ps, tiles->delivered) / PS_PER_NS;
    report->weight_queue_ns_mean = share(tiles->weight_queue_ps, tiles->delivered) / PS_PER_NS;
    report->weight_straggler_ns_mean = share(tiles->weight_straggler_ps, tiles->delivered) / PS_PER_NS;
}

static void make_caches(const tl_statistics *statistics, tl_report *report)
{
    const tl_cache_counts *caches = &statistics->caches;
    report->row_hits = caches->row_hits;
    report->row_misses = caches->row_misses;
    report->row_hit_rate = share(caches->row_hits, caches->row_hits + caches->row_misses);
    report->l2_hits = caches->l2_hits;
    report->l2_misses = caches->l2_misses;
    report->l2_hit_rate = share(caches->l2_hits, caches->l2_hits + caches->l2_misses);
    report->l2_thrash = caches->l2_thrash;
    report->sram_hits = caches->sram_hits;

    const tl_mshr_counts *page = &statistics->page_mshr;
    const tl_mshr_counts *line = &statistics->line_mshr;
    report->page_mshr_mean = share(page->occupancy_entry_ps, statistics->time_ps);
    report->page_mshr_peak = page->peak;
    report->page_mshr_merged = page->merged;
    report->page_mshr_refused = page->refused;
    report->line_mshr_mean = share(line->occupancy_entry_ps, statistics->time_ps);
    report->line_mshr_peak = line->peak;
    report->line_mshr_merged = line->merged;
    report->line_mshr_refused = line->refused;
}

static void make_prefetch(const tl_statistics *statistics, tl_report *report)
{
    const tl_prefetch_counts *prefetch = &statistics->prefetch;
    report->prefetch_issued = prefetch->issued;
    report->prefetch_used = prefetch->used;
    report->prefetch_late = prefetch->late;
    report->prefetch_evicted_unused = prefetch->evicted_unused;
    report->prefetch_accuracy = share(prefetch->used, prefetch->issued);
    report->prefetch_coverage = share(prefetch->covered, prefetch->demands);
    report->prefetch_lateness = share(prefetch->late, prefetch->covered);
    report->prefetch_late_ns_mean = share(prefetch->late_ps, prefetch->late) / PS_PER_NS;
}

static void make_energy(const tl_statistics *statistics, tl_report *report)
{
    const tl_byte_counts *bytes = &statistics->bytes;
    const tl_statistics_scale *scale = &statistics->scale;
    report->energy_uj_hbm = microjoule(bytes->hbm_moved, scale->hbm_fj_per_bit);
    report->energy_uj_hbf = microjoule(bytes->hbf_moved, scale->hbf_fj_per_bit);
    report->energy_uj_rome = microjoule(bytes->rome_moved, scale->rome_fj_per_bit);
    report->energy_uj_sram = microjoule(bytes->sram_moved, scale->sram_fj_per_bit);
    report->energy_uj_total =
        report->energy_uj_hbm + report->energy_uj_hbf + report->energy_uj_rome + report->energy_uj_sram;
    report->energy_pj_per_useful_bit = ratio(report->energy_uj_total * 1e6, (double)bytes->weights_asked * 8);
}

void tl_report_make(const tl_statistics *statistics, tl_report *report)
{
    make_bandwidth(statistics, report);
    make_latency(statistics, report);
    make_caches(statistics, report);
    make_prefetch(statistics, report);
    make_energy(statistics, report);
    report->hbf_writes = statistics->flash.writes_after_load;
    report->hbf_worst_block_programs = statistics->flash.worst_block_programs;
    report->hbf_worn_blocks = statistics->flash.worn_blocks;
    report->events = statistics->events;
    report->seconds = statistics->seconds;
}
