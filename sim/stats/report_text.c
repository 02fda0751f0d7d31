/* SPDX-License-Identifier: Apache-2.0 */
/* The report as JSON, CSV and text. */
#include <inttypes.h>
#include <string.h>

#include "report.h"

static const double PS_PER_NS = 1e3;
static const double PS_PER_S = 1e12;

static void write_real(double value, FILE *file)
{
    (void)fprintf(file, "%.9g", value);
}

static void write_value(const tl_report *report, const tl_report_row *row, FILE *file)
{
    const char *member = (const char *)report + row->offset;
    if (row->kind == TL_REPORT_INTEGER) {
        uint64_t value;
        memcpy(&value, member, sizeof value);
        (void)fprintf(file, "%" PRIu64, value);
    } else {
        double value;
        memcpy(&value, member, sizeof value);
        write_real(value, file);
    }
}

static double row_share(const tl_statistics *statistics, const tl_cdf_row *row)
{
    return (double)row->count / (double)statistics->channel_latency.count;
}

static double bin_utilization(const tl_statistics *statistics, uint32_t bin)
{
    const tl_time_bins *bins = &statistics->useful_bytes_over_time;
    const double peak_bytes =
        (double)statistics->scale.weight_bytes_per_s * (double)tl_time_bins_width_ps(bins) / PS_PER_S;
    return peak_bytes == 0 ? 0 : (double)bins->amount[bin] / peak_bytes;
}

static void write_json_lists(const tl_statistics *statistics, FILE *file)
{
    tl_cdf_cursor cursor = {0};
    tl_cdf_row row;
    (void)fputs("  \"latency_cdf\": [", file);
    for (bool first = true; tl_histogram_next_row(&statistics->channel_latency, &cursor, &row); first = false) {
        (void)fputs(first ? "[" : ", [", file);
        write_real((double)row.latency_ps / PS_PER_NS, file);
        (void)fputs(", ", file);
        write_real(row_share(statistics, &row), file);
        (void)fputs("]", file);
    }
    const tl_time_bins *bins = &statistics->useful_bytes_over_time;
    (void)fprintf(file, "],\n  \"bandwidth_over_time\": {\"bin_ns\": %" PRIu64 ", \"utilization\": [",
                  tl_time_bins_width_ps(bins) / 1000);
    for (uint32_t bin = 0; bin < bins->used; bin++) {
        (void)fputs(bin == 0 ? "" : ", ", file);
        write_real(bin_utilization(statistics, bin), file);
    }
    (void)fputs("]},\n", file);
}

/* Length of what stands before the dot, the name of the JSON object; 0 for a key of the top. */
static size_t object_length(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot == NULL ? 0 : (size_t)(dot - key);
}

static bool same_object(const char *key, const char *other)
{
    const size_t length = object_length(key);
    return length != 0 && object_length(other) == length && strncmp(key, other, length) == 0;
}

void tl_report_write_json(const tl_report *report, const tl_statistics *statistics, FILE *file)
{
    (void)fputs("{\n", file);
    for (size_t n = 0; n < tl_report_row_count; n++) {
        const tl_report_row *row = &tl_report_rows[n];
        const bool last = n + 1 == tl_report_row_count;
        const size_t length = object_length(row->key);
        const bool opens = length != 0 && (n == 0 || !same_object(row->key, tl_report_rows[n - 1].key));
        const bool closes = length != 0 && (last || !same_object(row->key, tl_report_rows[n + 1].key));
        if (last) {
            write_json_lists(statistics, file);
        }
        if (opens) {
            (void)fprintf(file, "  \"%.*s\": {", (int)length, row->key);
        }
        (void)fprintf(file, "%s\"%s\": ", length == 0 ? "  " : "", length == 0 ? row->key : row->key + length + 1);
        write_value(report, row, file);
        (void)fputs(closes ? "}" : "", file);
        (void)fputs(last ? "\n" : length != 0 && !closes ? ", " : ",\n", file);
    }
    (void)fputs("}\n", file);
}

void tl_report_write_csv(const tl_report *report, FILE *file)
{
    for (size_t n = 0; n < tl_report_row_count; n++) {
        (void)fprintf(file, "%s%s", n == 0 ? "" : ",", tl_report_rows[n].key);
    }
    for (size_t n = 0; n < tl_report_row_count; n++) {
        (void)fputs(n == 0 ? "\n" : ",", file);
        write_value(report, &tl_report_rows[n], file);
    }
    (void)fputs("\n", file);
}

void tl_report_write_cdf_csv(const tl_statistics *statistics, FILE *file)
{
    tl_cdf_cursor cursor = {0};
    tl_cdf_row row;
    (void)fputs("latency_ns,share\n", file);
    while (tl_histogram_next_row(&statistics->channel_latency, &cursor, &row)) {
        write_real((double)row.latency_ps / PS_PER_NS, file);
        (void)fputs(",", file);
        write_real(row_share(statistics, &row), file);
        (void)fputs("\n", file);
    }
}

void tl_report_write_bandwidth_csv(const tl_statistics *statistics, FILE *file)
{
    const tl_time_bins *bins = &statistics->useful_bytes_over_time;
    (void)fputs("time_ns,utilization\n", file);
    for (uint32_t bin = 0; bin < bins->used; bin++) {
        (void)fprintf(file, "%" PRIu64 ",", bin * (tl_time_bins_width_ps(bins) / 1000));
        write_real(bin_utilization(statistics, bin), file);
        (void)fputs("\n", file);
    }
}

void tl_report_print_table(const tl_report *report, FILE *file)
{
    for (size_t n = 0; n < tl_report_row_count; n++) {
        const tl_report_row *row = &tl_report_rows[n];
        (void)fprintf(file, "%-26s ", row->key);
        write_value(report, row, file);
        (void)fprintf(file, "%s%s\n", row->unit[0] == '\0' ? "" : " ", row->unit);
    }
}

void tl_report_print_definitions(FILE *file)
{
    for (size_t n = 0; n < tl_report_row_count; n++) {
        const tl_report_row *row = &tl_report_rows[n];
        (void)fprintf(file, "  %s%s%s%s: %s\n", row->key, row->unit[0] == '\0' ? "" : " (", row->unit,
                      row->unit[0] == '\0' ? "" : ")", row->definition);
    }
    (void)fputs("  latency_cdf (JSON): pairs of ns and share of the channel reads that took at most so long\n"
                "  bandwidth_over_time (JSON): for each bin of bin_ns, useful bytes that came to the SMs / bin / peak bandwidth of\n"
                "  the bus that weights come over; L2 hits count, so that a bin may pass 1\n",
                file);
}
