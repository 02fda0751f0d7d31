/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

enum { BUCKETS_PER_OCTAVE = 1 << TL_HISTOGRAM_BITS };

/* Smallest value of a bucket, and how many values it holds. */
static uint64_t bucket_low(uint32_t bucket, uint64_t *width)
{
    if (bucket < BUCKETS_PER_OCTAVE) {
        *width = 1;
        return bucket;
    }
    const uint32_t shift = (bucket >> TL_HISTOGRAM_BITS) - 1;
    const uint64_t mantissa = BUCKETS_PER_OCTAVE + (bucket & (BUCKETS_PER_OCTAVE - 1));
    *width = UINT64_C(1) << shift;
    return mantissa << shift;
}

void tl_histogram_merge(tl_histogram *histogram, const tl_histogram *other)
{
    if (other->count == 0) {
        return;
    }
    if (histogram->count == 0 || other->min_ps < histogram->min_ps) {
        histogram->min_ps = other->min_ps;
    }
    if (other->max_ps > histogram->max_ps) {
        histogram->max_ps = other->max_ps;
    }
    histogram->count += other->count;
    histogram->sum_ps += other->sum_ps;
    for (uint32_t n = 0; n < TL_HISTOGRAM_BUCKETS; n++) {
        histogram->bucket[n] += other->bucket[n];
    }
}

double tl_histogram_mean_ps(const tl_histogram *histogram)
{
    return histogram->count == 0 ? 0 : (double)histogram->sum_ps / (double)histogram->count;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

uint64_t tl_histogram_percentile_ps(const tl_histogram *histogram, uint32_t percent)
{
    if (histogram->count == 0) {
        return 0;
    }
    /* ceil(count * percent / 100), without the product that could wrap */
    const uint64_t rank = histogram->count / 100 * percent + (histogram->count % 100 * percent + 99) / 100;
    uint64_t seen = 0;
    uint32_t bucket = 0;
    while (seen + histogram->bucket[bucket] < rank) {
        seen += histogram->bucket[bucket++];
    }
    uint64_t width;
    const uint64_t low = bucket_low(bucket, &width);
    return clamp(low + width / 2, histogram->min_ps, histogram->max_ps);
}

bool tl_histogram_next_row(const tl_histogram *histogram, tl_cdf_cursor *cursor, tl_cdf_row *row)
{
    while (cursor->bucket < TL_HISTOGRAM_BUCKETS && histogram->bucket[cursor->bucket] == 0) {
        cursor->bucket++;
    }
    if (cursor->bucket == TL_HISTOGRAM_BUCKETS) {
        return false;
    }
    uint64_t width;
    const uint64_t low = bucket_low(cursor->bucket, &width);
    cursor->count += histogram->bucket[cursor->bucket++];
    row->latency_ps = clamp(low + (width - 1), histogram->min_ps, histogram->max_ps);
    row->count = cursor->count;
    return true;
}
