/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Histogram of latencies in picoseconds: fixed size, any 64-bit value, bounded relative error.
 *
 * Buckets are log-linear: values below 128 have a bucket each; above, every power of two is cut into 128 buckets of
 * equal width. A percentile is the middle of its bucket, so it is off by less than 1/256 of itself. Count, sum,
 * minimum and maximum are exact. Histograms of parts of a run can be merged: the result is that of the whole.
 */
#ifndef TILELENS_SIM_HISTOGRAM_H
#define TILELENS_SIM_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_HISTOGRAM_BITS = 7, TL_HISTOGRAM_BUCKETS = (64 - TL_HISTOGRAM_BITS + 1) << TL_HISTOGRAM_BITS };

/** A plain value; all zero is an empty histogram. */
typedef struct tl_histogram {
    uint64_t count;
    uint64_t sum_ps;
    uint64_t min_ps; /* 0 when empty */
    uint64_t max_ps;
    uint64_t bucket[TL_HISTOGRAM_BUCKETS];
} tl_histogram;

/** A point of the cumulative distribution: `count` samples are at most `latency_ps`. */
typedef struct tl_cdf_row {
    uint64_t latency_ps;
    uint64_t count;
} tl_cdf_row;

/** Walks the points of a histogram; all zero is the start. */
typedef struct tl_cdf_cursor {
    uint32_t bucket;
    uint64_t count;
} tl_cdf_cursor;

/** Bucket of a value, 0..TL_HISTOGRAM_BUCKETS-1. */
static inline uint32_t tl_histogram_bucket(uint64_t latency_ps)
{
    if (latency_ps >> TL_HISTOGRAM_BITS == 0) {
        return (uint32_t)latency_ps;
    }
    const uint32_t octave = 63 - (uint32_t)__builtin_clzll(latency_ps); /* at least TL_HISTOGRAM_BITS */
    const uint32_t shift = octave - TL_HISTOGRAM_BITS;
    return (shift << TL_HISTOGRAM_BITS) + (uint32_t)(latency_ps >> shift);
}

static inline void tl_histogram_add(tl_histogram *histogram, uint64_t latency_ps)
{
    histogram->min_ps = histogram->count == 0 || latency_ps < histogram->min_ps ? latency_ps : histogram->min_ps;
    histogram->max_ps = latency_ps > histogram->max_ps ? latency_ps : histogram->max_ps;
    histogram->count++;
    histogram->sum_ps += latency_ps;
    histogram->bucket[tl_histogram_bucket(latency_ps)]++;
}

/** Add the samples of `other`. */
void tl_histogram_merge(tl_histogram *histogram, const tl_histogram *other);

/** 0 when empty. */
double tl_histogram_mean_ps(const tl_histogram *histogram);

/**
 * The smallest value that at least percent/100 of the samples do not exceed, within the error of a bucket and never
 * outside minimum and maximum. 0 when empty.
 * @param percent  1..100
 */
uint64_t tl_histogram_percentile_ps(const tl_histogram *histogram, uint32_t percent);

/** The next bucket that holds samples, with its largest value (the maximum for the last). @return false at the end */
bool tl_histogram_next_row(const tl_histogram *histogram, tl_cdf_cursor *cursor, tl_cdf_row *row);

#ifdef __cplusplus
}
#endif
#endif
