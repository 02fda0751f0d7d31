/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The numbers that a user sees, made from the statistics of a run. One table gives every number its JSON key, unit and
 * definition; JSON, CSV, `--help` and the documentation are written from it.
 *
 * JSON and CSV are the same to the byte for the same run, apart from `seconds`: integers as they are, floating-point
 * values with 9 significant digits, keys in the order of the table, `seconds` last. A ratio whose divisor is 0 is 0.
 */
#ifndef TILELENS_SIM_REPORT_H
#define TILELENS_SIM_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One member a row of the table, in its order. */
typedef struct tl_report {
    double time_ns;
    uint64_t useful_bytes, fetched_bytes;
    double read_amplification, bandwidth_utilization;
    double queue_ns_mean, straggler_ns_mean;
    double weight_queue_ns_mean, weight_straggler_ns_mean;
    double latency_ns_mean, latency_ns_p50, latency_ns_p99, latency_ns_max;
    uint64_t requests;
    double effective_gbytes_per_s, bus_utilization;
    uint64_t tma_bytes, channel_read_bytes, l2_filled_bytes, bypassed_bytes;
    uint64_t tiles;
    double accesses_per_tile;
    uint64_t row_hits, row_misses;
    double row_hit_rate;
    uint64_t l2_hits, l2_misses, l2_thrash;
    double l2_hit_rate;
    uint64_t sram_hits, sram_filled_bytes;
    double page_mshr_mean;
    uint64_t page_mshr_peak, page_mshr_merged, page_mshr_refused;
    double line_mshr_mean;
    uint64_t line_mshr_peak, line_mshr_merged, line_mshr_refused;
    uint64_t prefetch_issued, prefetch_used, prefetch_late, prefetch_evicted_unused;
    double prefetch_accuracy, prefetch_coverage, prefetch_lateness, prefetch_late_ns_mean;
    uint64_t hbf_writes, hbf_worst_block_programs, hbf_worn_blocks;
    double energy_uj_hbm, energy_uj_hbf, energy_uj_rome, energy_uj_sram, energy_uj_total, energy_pj_per_useful_bit;
    uint64_t events;
    double seconds;
} tl_report;

typedef enum tl_report_kind { TL_REPORT_INTEGER, TL_REPORT_REAL } tl_report_kind;

typedef struct tl_report_row {
    const char *key; /* a dot leads into a JSON object: `latency_ns.p50` */
    const char *unit;
    const char *definition;
    tl_report_kind kind;
    size_t offset; /* in tl_report */
} tl_report_row;

extern const tl_report_row tl_report_rows[];
extern const size_t tl_report_row_count;

void tl_report_make(const tl_statistics *statistics, tl_report *report);

/**
 * One JSON object: the table's keys, and before `seconds` two lists: `latency_cdf`, pairs of ns and share of the reads
 * that took at most so long; and `bandwidth_over_time`, the bandwidth_utilization of each of the bins of `bin_ns`.
 */
void tl_report_write_json(const tl_report *report, const tl_statistics *statistics, FILE *file);

/** A line of keys and a line of values. */
void tl_report_write_csv(const tl_report *report, FILE *file);

/** `latency_ns,share`: the points of latency_cdf. */
void tl_report_write_cdf_csv(const tl_statistics *statistics, FILE *file);

/** `time_ns,utilization`: the start of each bin of bandwidth_over_time. */
void tl_report_write_bandwidth_csv(const tl_statistics *statistics, FILE *file);

/** Key, value and unit, one a line, for a reader. */
void tl_report_print_table(const tl_report *report, FILE *file);

/** Key, unit and definition, one a line, for `--help`. */
void tl_report_print_definitions(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
