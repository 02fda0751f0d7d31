/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics and the numbers beside the paper, by hand; and which runs count as the same. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <math.h>
#include <sys/stat.h>

#include "digest.h"
#include "results.h"
#include "sweep_fixture.h"
#include "tables.h"

/* ---- metrics and rows -------------------------------------------------------------------------------------------- */

static const char FIGURE[] = "title: T\n"
                             "config: run.yaml\n"
                             "axes: {w: {a: , b: }, l: {row: , tile: }}\n"
                             "metrics:\n"
                             "  slow: {key: time, over: {l: tile}}\n"
                             "  more: {key: [q.first, q.last], minus: {l: tile}, scale: 0.5}\n"
                             "  both: {key: time, minus: {l: tile}, over: {w: a, l: tile}}\n"
                             "  share: {key: q.last, per: [q.first, q.last]}\n"
                             "plot: {kind: bars, x: w, series: l, y: slow}\n"
                             "paper:\n"
                             "  - {what: 0, of: slow, at: {l: row}, as: geomean, value: 3}\n"
                             "  - {what: 1, of: slow, at: {l: row}, as: mean, value: 3}\n"
                             "  - {what: 2, of: slow, at: {l: row}, as: min, value: [2.1, 4], tolerance: 0.05}\n"
                             "  - {what: 3, of: slow, at: {l: row}, as: max, value: [1, 4.2]}\n"
                             "  - {what: 4, of: slow, at: {l: row}, as: range, value: [1, 10]}\n"
                             "  - {what: 5, of: slow, at: {l: row}, as: range, value: 2}\n"
                             "  - {what: 6, of: more, at: {w: b, l: row}, value: [-.inf, 0], tolerance: 0.5}\n"
                             "  - {what: 7, of: slow, at: {w: a, l: row}, value: [2, .inf], tolerance: 0}\n"
                             "  - {what: 8, of: share, at: {w: b, l: tile}, value: 1}\n";

/* Runs a,row a,tile b,row b,tile. */
static const char *const RESULTS[] = {
    "{\"time\": 20, \"q\": {\"first\": 3, \"last\": 1}}",
    "{\"time\": 10, \"q\": {\"first\": 1, \"last\": 0}}",
    "{\"time\": 90, \"q\": {\"first\": 8, \"last\": 2}}",
    "{\"time\": 20, \"q\": {\"first\": 0, \"last\": 0}}",
};

static const double VALUES[4][4] = {
    {2, 1, 4.5, 1},
    {1.5, 0, 5, 0},
    {1, 0, 7, 0},
    {0.25, 0, 0.2, NAN},
};

static const struct {
    double low, high, low_ratio, high_ratio;
    bool agrees;
} NUMBERS[] = {
    {3, 3, 1, 1, true},
    {3.25, 3.25, 3.25 / 3, 3.25 / 3, false},
    {2, 2, 2 / 2.1, 2 / 2.1, true},
    {4.5, 4.5, 4.5 / 4.2, 4.5 / 4.2, false},
    {2, 4.5, 2, 0.45, true},
    {2, 4.5, 1, 2.25, false},
    {5, 5, NAN, NAN, false},
    {2, 2, 1, 1, true},
    {NAN, NAN, NAN, NAN, false},
};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-12;
}

START_TEST(metrics_and_paper)
{
    char ids[4][TL_RUN_ID_BYTES] = {"0", "1", "2", "3"};
    tl_sweep_figure figure = {.figure = figure_of(FIGURE), .ids = ids};
    tl_run_list list = {.out = "."};
    tl_results results;
    ck_assert_int_eq(mkdir("runs", 0777), 0);
    for (size_t run = 0; run < 4; run++) {
        char path[TL_FIGURE_PATH_BYTES];
        ck_assert(!tl_run_file(&list, ids[run], ".json", path));
        write_file(path, RESULTS[run]);
    }
    ck_assert_int_eq(tl_results_load(&list, &figure, &results), 0);
    for (unsigned m = 0; m < 4; m++) {
        for (size_t run = 0; run < 4; run++) {
            ck_assert_msg(same(tl_results_value(&results, m, run), VALUES[m][run]), "metric %u of run %zu: %g", m, run,
                          tl_results_value(&results, m, run));
        }
    }
    ck_assert_uint_eq(figure.figure->paper_count, sizeof NUMBERS / sizeof NUMBERS[0]);
    for (size_t row = 0; row < figure.figure->paper_count; row++) {
        tl_paper_numbers n;
        tl_paper_numbers_make(&results, &figure.figure->paper[row], &n);
        ck_assert_msg(same(n.low, NUMBERS[row].low) && same(n.high, NUMBERS[row].high), "row %zu: %g %g", row, n.low,
                      n.high);
        ck_assert_msg(same(n.low_ratio, NUMBERS[row].low_ratio) && same(n.high_ratio, NUMBERS[row].high_ratio),
                      "row %zu: ratios %g %g", row, n.low_ratio, n.high_ratio);
        ck_assert_msg(n.agrees == NUMBERS[row].agrees, "row %zu", row);
    }
    tl_results_free(&results);
    tl_figure_free(figure.figure);
}
END_TEST

/* ---- digests ----------------------------------------------------------------------------------------------------- */

static uint64_t digest_of(const char *path)
{
    uint64_t digest = TL_DIGEST_START;
    ck_assert(tl_digest_config(&digest, path));
    return digest;
}

START_TEST(digest_vectors)
{
    ck_assert_uint_eq(tl_digest_bytes(TL_DIGEST_START, "", 0), UINT64_C(0xcbf29ce484222325)); /* published FNV-1a */
    ck_assert_uint_eq(tl_digest_bytes(TL_DIGEST_START, "a", 1), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(tl_digest_bytes(TL_DIGEST_START, "foobar", 6), UINT64_C(0x85944171f73967e8));
    ck_assert_uint_ne(tl_digest_text(tl_digest_text(TL_DIGEST_START, "a"), "b"), tl_digest_text(TL_DIGEST_START, "ab"));
}
END_TEST

/* A change in any file that a file names, however deep, and in nothing else. */
START_TEST(digest_follows_files)
{
    ck_assert_int_eq(mkdir("sub", 0777), 0);
    write_file("run.yaml", "file: sub/one.yaml\nlist: [{deep: sub/two.yaml}]\nname: three.yaml\nself: run.yaml\n");
    write_file("sub/one.yaml", "next: four.yaml\n");
    write_file("sub/two.yaml", "a: 1\n");
    write_file("sub/three.yaml", "a: 1\n"); /* not where run.yaml looks */
    write_file("sub/four.yaml", "not: [yaml\n");
    const uint64_t before = digest_of("run.yaml");
    ck_assert_uint_eq(digest_of("run.yaml"), before);
    write_file("sub/three.yaml", "a: 2\n");
    ck_assert_uint_eq(digest_of("run.yaml"), before);
    write_file("sub/two.yaml", "a: 2\n");
    ck_assert_uint_ne(digest_of("run.yaml"), before);
    write_file("sub/two.yaml", "a: 1\n");
    ck_assert_uint_eq(digest_of("run.yaml"), before);
    write_file("sub/four.yaml", "not: [yaml \n");
    ck_assert_uint_ne(digest_of("run.yaml"), before);
    write_file("sub/four.yaml", "not: [yaml\n");
    write_file("three.yaml", "");
    ck_assert_uint_ne(digest_of("run.yaml"), before);

    uint64_t digest = 7;
    ck_assert(!tl_digest_config(&digest, "missing.yaml"));
    ck_assert(!tl_digest_file(&digest, "sub"));
    ck_assert_uint_eq(digest, 7);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep_results");
    TCase *tests = tcase_create("results");
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, metrics_and_paper);
    tcase_add_test(tests, digest_vectors);
    tcase_add_test(tests, digest_follows_files);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
