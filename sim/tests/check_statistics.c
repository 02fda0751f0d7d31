/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics: the report of a small run to the byte, bins over time, and each law of conservation broken once. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "../stats/statistics.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/report.h"

static tl_statistics statistics;
static tl_report report;

/* Four reads of pages for two tiles, at 4.096 bytes a ps. */
static void small_run(void)
{
    static const uint64_t latency_ps[] = {100, 110, 110, 127};
    memset(&statistics, 0, sizeof statistics);
    statistics.scale = (tl_statistics_scale){UINT64_C(4096000000000), 4000, 16000, 4000, 100};
    statistics.time_ps = 4000000;
    for (uint64_t n = 0; n < 4; n++) {
        tl_statistics_sent(&statistics, n);
    }
    for (uint64_t n = 4; n-- > 0;) {
        tl_statistics_answered(&statistics, n);
        tl_statistics_read(&statistics, 1000 * n, 1000 * n + latency_ps[n]);
    }
    statistics.channel_reads = 4;
    statistics.bytes = (tl_byte_counts){.tma_asked = 9192,
                                        .tma_delivered = 9192,
                                        .weights_asked = 8192,
                                        .weights_fetched = 16384,
                                        .channels_read = 17384,
                                        .l2_filled = 12288,
                                        .sram_filled = 4096,
                                        .bypassed = 1000,
                                        .hbm_moved = 1000,
                                        .hbf_moved = 16384,
                                        .sram_moved = 8192};
    statistics.tiles.issued = 2;
    statistics.tiles.accesses = 7;
    tl_statistics_tile(&statistics, 1000, 2500, 4000);
    tl_statistics_tile(&statistics, 2000, 3000, 3000);
    tl_statistics_tile_weights(&statistics, 1000, 3000, 4000);
    tl_statistics_tile_weights(&statistics, 2000, 3500, 3900);
    tl_statistics_useful(&statistics, 0, 1024);
    tl_statistics_useful(&statistics, 999, 1024);
    tl_statistics_useful(&statistics, 3999, 6144);
    statistics.caches = (tl_cache_counts){30, 10, 2, 1, 3, 1};
    statistics.page_mshr = (tl_mshr_counts){10000000, 6, 10, 5, 0};
    statistics.line_mshr = (tl_mshr_counts){1000000, 1, 3, 1, 2};
    statistics.prefetch = (tl_prefetch_counts){12, 8, 6, 5, 2, 3001, 1};
    statistics.flash.worst_block_programs = 4;
    statistics.events = 99;
    statistics.seconds = 0.125;
    tl_report_make(&statistics, &report);
}

static const char GOLDEN_JSON[] =
    "{\n"
    "  \"time_ns\": 4000,\n"
    "  \"useful_bytes\": 8192,\n"
    "  \"fetched_bytes\": 16384,\n"
    "  \"read_amplification\": 2,\n"
    "  \"bandwidth_utilization\": 0.0005,\n"
    "  \"queue_ns_mean\": 1.25,\n"
    "  \"straggler_ns_mean\": 0.75,\n"
    "  \"latency_ns\": {\"mean\": 0.11175, \"p50\": 0.11, \"p99\": 0.127, \"max\": 0.127},\n"
    "  \"requests\": 4,\n"
    "  \"effective_gbytes_per_s\": 2.048,\n"
    "  \"bus_utilization\": 0.001,\n"
    "  \"tma_bytes\": 9192,\n"
    "  \"channel_read_bytes\": 17384,\n"
    "  \"l2_filled_bytes\": 12288,\n"
    "  \"bypassed_bytes\": 1000,\n"
    "  \"tiles\": 2,\n"
    "  \"accesses_per_tile\": 3.5,\n"
    "  \"weight_queue_ns_mean\": 1.75,\n"
    "  \"weight_straggler_ns_mean\": 0.7,\n"
    "  \"row_hits\": 3,\n"
    "  \"row_misses\": 1,\n"
    "  \"row_hit_rate\": 0.75,\n"
    "  \"l2\": {\"hits\": 30, \"misses\": 10, \"hit_rate\": 0.75, \"thrash\": 2},\n"
    "  \"sram\": {\"hits\": 1, \"filled_bytes\": 4096},\n"
    "  \"page_mshr\": {\"mean\": 2.5, \"peak\": 6, \"merged\": 5, \"refused\": 0},\n"
    "  \"line_mshr\": {\"mean\": 0.25, \"peak\": 1, \"merged\": 1, \"refused\": 2},\n"
    "  \"prefetch\": {\"issued\": 8, \"used\": 6, \"late\": 2, \"evicted_unused\": 1, \"accuracy\": 0.75, "
    "\"coverage\": 0.416666667, \"lateness\": 0.4, \"late_ns_mean\": 1.5005},\n"
    "  \"hbf\": {\"writes\": 0, \"worst_block_programs\": 4, \"worn_blocks\": 0},\n"
    "  \"energy_uj\": {\"hbm\": 0.032, \"hbf\": 2.097152, \"rome\": 0, \"sram\": 0.0065536, "
    "\"total\": 2.1357056},\n"
    "  \"energy_pj_per_useful_bit\": 32.5882813,\n"
    "  \"events\": 99,\n"
    "  \"latency_cdf\": [[0.1, 0.25], [0.11, 0.75], [0.127, 1]],\n"
    "  \"bandwidth_over_time\": {\"bin_ns\": 1, \"utilization\": [0.5, 0, 0, 1.5]},\n"
    "  \"seconds\": 0.125\n"
    "}\n";

typedef enum output { JSON, CSV, CDF_CSV, BANDWIDTH_CSV, DEFINITIONS } output;

/* What a writer writes; the caller frees it. */
static char *written(output which)
{
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *stream = open_memstream(&text, &text_bytes);
    switch (which) {
    case JSON:
        tl_report_write_json(&report, &statistics, stream);
        break;
    case CSV:
        tl_report_write_csv(&report, stream);
        break;
    case CDF_CSV:
        tl_report_write_cdf_csv(&statistics, stream);
        break;
    case BANDWIDTH_CSV:
        tl_report_write_bandwidth_csv(&statistics, stream);
        break;
    case DEFINITIONS:
        tl_report_print_definitions(stream);
        break;
    }
    ck_assert_int_eq(fclose(stream), 0);
    return text;
}

START_TEST(json_to_the_byte)
{
    char *text = written(JSON);
    ck_assert_str_eq(text, GOLDEN_JSON);
    free(text);
}
END_TEST

START_TEST(csv_to_the_byte)
{
    char *text = written(CSV);
    ck_assert_ptr_nonnull(strstr(text, "time_ns,useful_bytes,fetched_bytes,read_amplification,bandwidth_utilization,"
                                       "queue_ns_mean,straggler_ns_mean,latency_ns.mean,latency_ns.p50,latency_ns.p99,"
                                       "latency_ns.max,requests,"));
    ck_assert_ptr_nonnull(
        strstr(text, ",events,seconds\n4000,8192,16384,2,0.0005,1.25,0.75,0.11175,0.11,0.127,0.127,4,"));
    ck_assert_ptr_nonnull(strstr(text, ",99,0.125\n"));
    unsigned commas[2] = {0, 0};
    unsigned line = 0;
    for (const char *c = text; *c != '\0'; c++) {
        line += *c == '\n';
        commas[line & 1] += *c == ',';
    }
    ck_assert_uint_eq(line, 2);
    ck_assert_uint_eq(commas[0], tl_report_row_count - 1);
    ck_assert_uint_eq(commas[1], tl_report_row_count - 1);
    free(text);

    text = written(CDF_CSV);
    ck_assert_str_eq(text, "latency_ns,share\n0.1,0.25\n0.11,0.75\n0.127,1\n");
    free(text);
    text = written(BANDWIDTH_CSV);
    ck_assert_str_eq(text, "time_ns,utilization\n0,0.5\n1,0\n2,0\n3,1.5\n");
    free(text);
}
END_TEST

/* A run in which nothing happened has no NaN, and its JSON is whole. */
START_TEST(empty_run)
{
    memset(&statistics, 0, sizeof statistics);
    tl_report_make(&statistics, &report);
    char *text = written(JSON);
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    ck_assert_ptr_nonnull(strstr(text, "\"latency_cdf\": [],\n"));
    ck_assert_ptr_nonnull(strstr(text, "\"utilization\": []},\n  \"seconds\": 0\n}\n"));
    free(text);
}
END_TEST

/* Each row of the table: its own key, a definition, a member of its own; every key is in `--help` and in the JSON. */
START_TEST(table_is_sound)
{
    char *help = written(DEFINITIONS);
    size_t bytes = 0;
    for (size_t n = 0; n < tl_report_row_count; n++) {
        const tl_report_row *row = &tl_report_rows[n];
        char line[80];
        (void)snprintf(line, sizeof line, "  %s%s", row->key, row->unit[0] == '\0' ? ": " : " (");
        ck_assert_msg(strstr(help, line) != NULL, "%s", row->key);
        ck_assert_uint_gt(strlen(row->definition), 8);
        for (size_t other = 0; other < n; other++) {
            ck_assert_str_ne(tl_report_rows[other].key, row->key);
            ck_assert_uint_ne(tl_report_rows[other].offset, row->offset);
        }
        bytes += sizeof(double);
    }
    ck_assert_uint_eq(bytes, sizeof(tl_report)); /* no member without a row */
    ck_assert_str_eq(tl_report_rows[tl_report_row_count - 1].key, "seconds");
    free(help);
}
END_TEST

START_TEST(bins_double)
{
    tl_time_bins bins = {0};
    uint64_t sum = 0;
    for (uint64_t ns = 0; ns < 100000; ns += 7) {
        tl_time_bins_add(&bins, ns * 1000, ns);
        sum += ns;
    }
    ck_assert_uint_eq(tl_time_bins_width_ps(&bins), 512000); /* 195.3 of 256 bins of 512 ns */
    ck_assert_uint_eq(bins.used, 196);
    for (uint32_t bin = 0; bin < TL_TIME_BINS; bin++) {
        uint64_t expected = 0;
        for (uint64_t ns = 0; ns < 100000; ns += 7) {
            expected += ns / 512 == bin ? ns : 0;
        }
        ck_assert_uint_eq(bins.amount[bin], expected);
        sum -= expected;
    }
    ck_assert_uint_eq(sum, 0);

    tl_time_bins one = {0};
    tl_time_bins_add(&one, 255999, 5);
    ck_assert_uint_eq(one.doublings, 0);
    tl_time_bins_add(&one, 256000, 6);
    ck_assert_uint_eq(one.doublings, 1);
    ck_assert_uint_eq(one.amount[127], 5);
    ck_assert_uint_eq(one.amount[128], 6);
    ck_assert_uint_eq(one.used, 129);
}
END_TEST

START_TEST(conservation_holds)
{
    char broken[TL_STATISTICS_BROKEN_BYTES];
    ck_assert_msg(tl_statistics_check(&statistics, broken), "%s", broken);
}
END_TEST

/* One change to a sound run -> the counter that the check names. */
static const struct {
    uint64_t *counter;
    const char *broken;
} BREAKS[] = {
    {&statistics.bytes.tma_delivered, "tma_delivered_bytes: found 9193, expected 9192 (tma_asked_bytes)"},
    {&statistics.bytes.tma_asked, "tma_delivered_bytes: found 9192, expected 9193 (tma_asked_bytes)"},
    {&statistics.bytes.channels_read, "channel_read_bytes: found 17385, expected 17384 "},
    {&statistics.bytes.l2_filled, "channel_read_bytes: found 17384, expected 17385 "},
    {&statistics.bytes.sram_filled, "channel_read_bytes: found 17384, expected 17385 "},
    {&statistics.bytes.bypassed, "channel_read_bytes: found 17384, expected 17385 "},
    {&statistics.sent.count, "requests_answered: found 4, expected 5 (requests_sent)"},
    {&statistics.answered.count, "requests_answered: found 5, expected 4 (requests_sent)"},
    {&statistics.tiles.issued, "tiles_delivered: found 2, expected 3 (tiles_issued)"},
    {&statistics.refused_requests, "refused_requests: found 1, expected 0 "},
    {&statistics.flash.writes_after_load, "hbf_writes_after_load: found 1, expected 0 "},
    {&statistics.channel_reads, "channel_reads: found 5, expected 4 "},
};

START_TEST(conservation_breaks)
{
    char broken[TL_STATISTICS_BROKEN_BYTES];
    (*BREAKS[_i].counter)++;
    ck_assert(!tl_statistics_check(&statistics, broken));
    ck_assert_msg(strncmp(broken, BREAKS[_i].broken, strlen(BREAKS[_i].broken)) == 0, "%s\n  instead of %s", broken,
                  BREAKS[_i].broken);
}
END_TEST

/* One request lost and another answered twice: the number of answers alone is right. */
START_TEST(a_double_answer_is_no_substitute)
{
    char broken[TL_STATISTICS_BROKEN_BYTES];
    tl_statistics_sent(&statistics, 10);
    tl_statistics_sent(&statistics, 11);
    tl_statistics_answered(&statistics, 10);
    tl_statistics_answered(&statistics, 10);
    ck_assert(!tl_statistics_check(&statistics, broken));
    ck_assert_ptr_nonnull(strstr(broken, "requests_answered: "));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("statistics");
    tcase_add_checked_fixture(tcase, small_run, NULL);
    tcase_add_test(tcase, json_to_the_byte);
    tcase_add_test(tcase, csv_to_the_byte);
    tcase_add_test(tcase, empty_run);
    tcase_add_test(tcase, table_is_sound);
    tcase_add_test(tcase, bins_double);
    tcase_add_test(tcase, conservation_holds);
    tcase_add_loop_test(tcase, conservation_breaks, 0, (int)(sizeof BREAKS / sizeof BREAKS[0]));
    tcase_add_test(tcase, a_double_answer_is_no_substitute);
    Suite *suite = suite_create("statistics");
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
