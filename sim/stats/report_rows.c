/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#define ROW(key, member, unit, definition)                                                                             \
    {                                                                                                                  \
        (key), (unit), (definition),                                                                                   \
            _Generic(((tl_report *)NULL)->member, uint64_t                                                             \
                     : TL_REPORT_INTEGER, double                                                                       \
                     : TL_REPORT_REAL),                                                                                \
            offsetof(tl_report, member)                                                                                \
    }

const tl_report_row tl_report_rows[] = {
    ROW("time_ns", time_ns, "ns", "from the launch of the first kernel to the end of the last thread block"),
    ROW("useful_bytes", useful_bytes, "B", "weight bytes asked by TMAs"),
    ROW("fetched_bytes", fetched_bytes, "B", "bytes that channels moved to read weights, prefetches included"),
    ROW("read_amplification", read_amplification, "", "fetched_bytes / useful_bytes"),
    ROW("bandwidth_utilization", bandwidth_utilization, "",
        "useful_bytes / time / peak bandwidth of the bus that weights come over"),
    ROW("queue_ns_mean", queue_ns_mean, "ns", "mean over tiles: issue of the tile's loads, TMA set-up included, to the first arrival, mostly of activations"),
    ROW("straggler_ns_mean", straggler_ns_mean, "ns", "mean over tiles: first arrival to the last"),
    ROW("latency_ns.mean", latency_ns_mean, "ns",
        "mean over channel reads: acceptance by the controller to the last byte on the bus"),
    ROW("latency_ns.p50", latency_ns_p50, "ns", "median of the same, within 0.4 %"),
    ROW("latency_ns.p99", latency_ns_p99, "ns", "99th percentile of the same, within 0.4 %"),
    ROW("latency_ns.max", latency_ns_max, "ns", "maximum of the same"),
    ROW("requests", requests, "", "channel reads"),

    ROW("effective_gbytes_per_s", effective_gbytes_per_s, "GB/s", "useful_bytes / time"),
    ROW("bus_utilization", bus_utilization, "", "fetched_bytes / time / peak bandwidth"),
    ROW("tma_bytes", tma_bytes, "B", "weight and activation bytes asked by TMAs"),
    ROW("channel_read_bytes", channel_read_bytes, "B", "bytes read by all channels"),
    ROW("l2_filled_bytes", l2_filled_bytes, "B", "bytes from channels that entered L2"),
    ROW("bypassed_bytes", bypassed_bytes, "B", "bytes from channels that went to SMs without entering L2"),
    ROW("tiles", tiles, "", "tiles delivered to thread blocks"),
    ROW("accesses_per_tile", accesses_per_tile, "", "L2 accesses for weights / tiles; an access is at most one page"),
    ROW("weight_queue_ns_mean", weight_queue_ns_mean, "ns", "mean over tiles: issue as for queue_ns_mean to the first weights"),
    ROW("weight_straggler_ns_mean", weight_straggler_ns_mean, "ns", "mean over tiles: first weights to the last"),
    ROW("row_hits", row_hits, "", "HBM requests that were served without an activate of their own"),
    ROW("row_misses", row_misses, "", "HBM requests for which a row was opened"),
    ROW("row_hit_rate", row_hit_rate, "", "row_hits / (row_hits + row_misses)"),

    ROW("l2.hits", l2_hits, "", "accesses that found all their bytes in L2"),
    ROW("l2.misses", l2_misses, "", "accesses that did not"),
    ROW("l2.hit_rate", l2_hit_rate, "", "hits / (hits + misses)"),
    ROW("l2.thrash", l2_thrash, "", "fills of a block that had been evicted before all of it was used"),
    ROW("sram.hits", sram_hits, "", "reads that the SRAM buffer answered"),
    ROW("sram.filled_bytes", sram_filled_bytes, "B", "bytes from channels that entered the SRAM buffer"),
    ROW("page_mshr.mean", page_mshr_mean, "entries", "4 KiB MSHRs in use, mean over time"),
    ROW("page_mshr.peak", page_mshr_peak, "entries", "4 KiB MSHRs in use at most"),
    ROW("page_mshr.merged", page_mshr_merged, "", "misses that joined a 4 KiB MSHR"),
    ROW("page_mshr.refused", page_mshr_refused, "", "requests that found every 4 KiB MSHR in use"),
    ROW("line_mshr.mean", line_mshr_mean, "entries", "128 B MSHRs in use, mean over time"),
    ROW("line_mshr.peak", line_mshr_peak, "entries", "128 B MSHRs in use at most"),
    ROW("line_mshr.merged", line_mshr_merged, "", "misses that joined a 128 B MSHR"),
    ROW("line_mshr.refused", line_mshr_refused, "", "requests that found every 128 B MSHR in use"),

    ROW("prefetch.issued", prefetch_issued, "", "prefetch reads sent to channels"),
    ROW("prefetch.used", prefetch_used, "", "prefetched pages that a demand met"),
    ROW("prefetch.late", prefetch_late, "", "demands that met a prefetched page still on its way"),
    ROW("prefetch.evicted_unused", prefetch_evicted_unused, "", "prefetched pages evicted before a demand met them"),
    ROW("prefetch.accuracy", prefetch_accuracy, "", "used / issued"),
    ROW("prefetch.coverage", prefetch_coverage, "",
        "demands that met a page which a prefetch had asked for / page demands"),
    ROW("prefetch.lateness", prefetch_lateness, "", "late / demands that met a page which a prefetch had asked for"),
    ROW("prefetch.late_ns_mean", prefetch_late_ns_mean, "ns", "mean over late ones: demand to arrival"),
    ROW("hbf.writes", hbf_writes, "", "writes to HBF after load time: an error of the run"),
    ROW("hbf.worst_block_programs", hbf_worst_block_programs, "", "page programs of the most programmed block"),
    ROW("hbf.worn_blocks", hbf_worn_blocks, "", "blocks programmed more often than they endure"),

    ROW("energy_uj.hbm", energy_uj_hbm, "uJ", "bits that HBM moved x system.hbm.energy_pj_per_bit"),
    ROW("energy_uj.hbf", energy_uj_hbf, "uJ", "bits that HBF moved x system.hbf.energy_pj_per_bit"),
    ROW("energy_uj.rome", energy_uj_rome, "uJ", "bits that RoMe moved x system.rome.energy_pj_per_bit"),
    ROW("energy_uj.sram", energy_uj_sram, "uJ", "bits that the SRAM buffer moved x system.sram.energy_pj_per_bit"),
    ROW("energy_uj.total", energy_uj_total, "uJ", "sum of the four"),
    ROW("energy_pj_per_useful_bit", energy_pj_per_useful_bit, "pJ/bit", "energy_uj.total / bits of useful_bytes"),
    ROW("events", events, "", "events of the simulation"),
    ROW("seconds", seconds, "s", "CPU time of the run"),
};

const size_t tl_report_row_count = sizeof tl_report_rows / sizeof tl_report_rows[0];
