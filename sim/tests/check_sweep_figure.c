/* SPDX-License-Identifier: Apache-2.0 */
/* Figure files: runs and their settings, and the line that each wrong file gets. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "sweep_fixture.h"

static const char FIGURE[] =
    FIGURE_TOP "cases:\n"
               "  - {at: {memory: hbf, layout: [tile, more]}, set: {only: , z: 1, m: 3}}\n"
               "  - {at: {layout: tile}, set: {a: b}}\n" FIGURE_METRICS FIGURE_PLOT "paper:\n"
               "  - {what: W, of: r, at: {memory: hbf, layout: tile}, value: 2, reason: because}\n"
               "  - {what: V, of: t, as: range, value: [1, .inf], tolerance: 0}\n";

/* `l=[1, 2] m=1`, a setting a word. */
static const char *settings_of(const tl_figure *figure, size_t run)
{
    static char text[256];
    tl_setting settings[TL_FIGURE_RUN_SETTINGS];
    const size_t count = tl_figure_run_settings(figure, run, settings);
    text[0] = '\0';
    for (size_t n = 0; n < count; n++) {
        tl_append(text, sizeof text, "%s%s=%s", n == 0 ? "" : " ", settings[n].key, settings[n].value);
    }
    return text;
}

START_TEST(runs_and_settings)
{
    static const struct {
        const char *name, *settings;
        double cost;
    } RUNS[] = {
        {"memory=hbm, layout=row", "l=[1, 2] m=1", 12}, {"memory=hbm, layout=tile", "a=b m=1", 4},
        {"memory=hbm, layout=more", "l= m=1", 4},       {"memory=hbf, layout=row", "l=[1, 2] m=2 only=x", 3},
        {"memory=hbf, layout=tile", "a=b m=3 z=1", 1},  {"memory=hbf, layout=more", "l= m=3 z=1", 1},
    };
    tl_figure *figure = figure_of(FIGURE);
    ck_assert_uint_eq(figure->run_count, sizeof RUNS / sizeof RUNS[0]);
    for (size_t run = 0; run < figure->run_count; run++) {
        char name[128];
        unsigned points[TL_FIGURE_AXES];
        tl_figure_run_name(figure, run, name, sizeof name);
        ck_assert_str_eq(name, RUNS[run].name);
        ck_assert_str_eq(settings_of(figure, run), RUNS[run].settings);
        ck_assert_double_eq(tl_figure_run_cost(figure, run), RUNS[run].cost);
        tl_figure_run_points(figure, run, points);
        ck_assert_uint_eq(tl_figure_run_at(figure, points), run);
        ck_assert_uint_eq(tl_figure_other_run(figure, run, &figure->metrics[1].over), 1);
        ck_assert_uint_eq(tl_figure_other_run(figure, run, &figure->metrics[0].over), run);
        ck_assert_int_eq(tl_figure_selects(figure, &figure->paper[0].at, run), run == 4);
        ck_assert(tl_figure_selects(figure, &figure->paper[1].at, run));
    }
    ck_assert_str_eq(figure->name, "f");
    ck_assert_str_eq(figure->command, "simulate");
    ck_assert_str_eq(figure->axes[1].points[1].label, "tile");
    ck_assert_str_eq(figure->axes[1].points[2].label, "More");
    tl_figure_free(figure);
}
END_TEST

#define AXES    FIGURE_TOP
#define METRICS FIGURE_TOP FIGURE_METRICS
#define PLOT    FIGURE_TOP FIGURE_METRICS FIGURE_PLOT

static const struct {
    const char *text, *line;
} WRONG[] = {
    {"", "file: found no content, expected a figure file"},
    {"- a", "file: found a list, expected a mapping"},
    {"title: \"a", "line 1: found no YAML (found unexpected end of stream), expected a YAML figure file"},
    {PLOT "---\nb: 1", "file: found a second document, expected one"},
    {"titel: a",
     "titel: found an unknown key, expected one of title, command, config, axes, cases, metrics, plot, paper"},
    {"title: a\ntitle: b", "title: found the key a second time, expected it once"},
    {"title: a", "file: found too little, expected the key config too"},
    {METRICS, "file: found too little, expected the key plot too"},
    {"title: [a]\nconfig: c\naxes: 1\nmetrics: 1\nplot: 1", "title: found a list, expected one line of text"},
    {"title: \"a\\nb\"\nconfig: c\naxes: 1\nmetrics: 1\nplot: 1", "title: found a?b, expected one line of text"},
    {"title: a\nconfig: c\naxes: {}\nmetrics: 1\nplot: 1", "axes: found no axis, expected 1 to 6 axes"},
    {"title: a\nconfig: c\naxes: {x: }\nmetrics: 1\nplot: 1", "axes.x: found nothing, expected a mapping"},
    {"title: a\nconfig: c\naxes: {x: {}}\nmetrics: 1\nplot: 1", "axes.x: found no point, expected 1 to 64 points"},
    {"title: a\nconfig: c\naxes: {metric: {b: }}\nmetrics: 1\nplot: 1",
     "axes.metric: found metric, expected another name"},
    {"title: a\nconfig: c\naxes: {x: {b: , b: }}\nmetrics: 1\nplot: 1", "axes.x.b: found the key a second time"},
    {"title: a\nconfig: c\naxes: {x: {b: {sett: 1}}}\nmetrics: 1\nplot: 1",
     "axes.x.b.sett: found an unknown key, expected one of label, set, cost"},
    {"title: a\nconfig: c\naxes: {x: {b: {cost: -1}}}\nmetrics: 1\nplot: 1",
     "axes.x.b.cost: found -1, expected a number from 0 to 1e+06"},
    {"title: a\nconfig: c\naxes: {x: {b: {set: 3}}}\nmetrics: 1\nplot: 1", "axes.x.b.set: found 3, expected a mapping"},
    {"title: a\nconfig: c\naxes: {x: {b: {set: {k: {l: 1}}}}}\nmetrics: 1\nplot: 1",
     "axes.x.b.set.k: found a mapping, expected a single value or a list of them"},
    {"title: a\nconfig: c\naxes: {x: {b: {set: {k: [[1]]}}}}\nmetrics: 1\nplot: 1",
     "axes.x.b.set.k: found a list, expected a single value or a list of them"},
    {"title: a\nconfig: c\naxes: {x: {b: {set: {k=1: 2}}}}\nmetrics: 1\nplot: 1",
     "axes.x.b.set.k=1: found an = in the key or a second line in the value, expected neither"},
    {"command: rm -rf\n" PLOT, "command: found rm -rf, expected a command of tilelens, such as simulate"},
    {PLOT "cases: {at: 1}", "cases: found a mapping, expected a list of at most 32 entries"},
    {PLOT "cases: [{at: {}}]", "cases[0]: found too little, expected the key set too"},
    {PLOT "cases: [{at: {memroy: hbm}, set: {}}]",
     "cases[0].at.memroy: found memroy, expected one of the axes memory, layout"},
    {PLOT "cases: [{at: {memory: [hbm, hbc]}, set: {}}]",
     "cases[0].at.memory[1]: found hbc, expected one of the points hbm, hbf"},
    {PLOT "cases: [{at: {memory: []}, set: {}}]",
     "cases[0].at.memory: found an empty list, expected at least one point"},
    {AXES "metrics: {}\n" FIGURE_PLOT, "metrics: found no metric, expected 1 to 16"},
    {AXES "metrics: {t: {per: x}}\n" FIGURE_PLOT, "metrics.t: found too little, expected the key key too"},
    {AXES "metrics: {t: {key: [a, b, c, d, e]}}\n" FIGURE_PLOT, "metrics.t.key: found a list, expected 1 to 4 keys"},
    {AXES "metrics: {t: {key: a, over: {memory: [hbm]}}}\n" FIGURE_PLOT,
     "metrics.t.over.memory: found a list, expected one of the points hbm, hbf"},
    {METRICS "plot: {kind: pie}", "plot.kind: found pie, expected one of bars, stacked_bars, lines, cdf, timeline"},
    {METRICS "plot: {kind: bars, x: memory}", "plot: found too little, expected the key y too"},
    {METRICS "plot: {kind: bars, x: memory, y: q}", "plot.y: found q, expected one of the metrics t, r"},
    {METRICS "plot: {kind: bars, x: time, y: t}",
     "plot.x: found time, expected one of the axes memory, layout, or metric"},
    {METRICS "plot: {kind: bars, x: memory, series: memory, y: t}",
     "plot.series: found memory, expected something else than x"},
    {METRICS "plot: {kind: bars, x: memory, y: t}", "plot: found several points of an axis that is not drawn, expected "
                                                    "layout as x, series or panels, or one of its points under at"},
    {METRICS "plot: {kind: bars, x: memory, series: layout, y: [t, r]}",
     "plot: found several metrics, expected metric as x, series or panels"},
    {METRICS "plot: {kind: bars, x: memory, series: layout, y: t, x_max: 3}",
     "plot.x_max: found a key of another kind, expected none: bars and lines draw y over x"},
    {METRICS "plot: {kind: cdf, panels: memory, series: layout}", "plot: found too little, expected the key curve too"},
    {METRICS "plot: {kind: cdf, panels: memory, series: layout, curve: c, y: t}",
     "plot.y: found a key of another kind, expected none: cdf and timeline draw a curve"},
    {METRICS "plot: {kind: cdf, panels: memory, series: metric, at: {layout: row}, curve: c}",
     "plot: found metric as a dimension, expected axes only"},
    {PLOT "paper: [{what: w, of: t, value: 1}]",
     "paper[0]: found 6 runs under at, expected one, or as: geomean, mean, min, max or range of them"},
    {PLOT "paper: [{what: w, of: t, as: median, value: 1}]",
     "paper[0].as: found median, expected one of geomean, mean, min, max, range"},
    {PLOT "paper: [{what: w, of: t, as: mean, value: [2, 1]}]", "paper[0].value[1]: found 1, expected a number from 2"},
    {PLOT "paper: [{what: w, of: t, as: mean, value: x}]", "paper[0].value: found x, expected a number"},
    {PLOT "paper: [{what: w, of: t, as: mean, value: [1]}]",
     "paper[0].value: found a list, expected a number, or a range [LOW, HIGH]"},
    {PLOT "paper: [{what: w, of: t, as: mean, value: 1, tolerance: 2}]",
     "paper[0].tolerance: found 2, expected a number from 0 to 1"},
};

START_TEST(wrong_files)
{
    char error[2048] = "";
    char line[2048];
    tl_figure *figure = NULL;
    write_file("f.yaml", WRONG[_i].text);
    ck_assert_int_eq(tl_figure_load("f.yaml", &figure, error, sizeof error), 2);
    (void)snprintf(line, sizeof line, "f.yaml: %s", WRONG[_i].line);
    ck_assert_msg(strncmp(error, line, strlen(line)) == 0, "\n%s\nnot\n%s", error, line);
    ck_assert_ptr_null(figure);
}
END_TEST

/* A key a point: one more than a run can hold. */
START_TEST(too_many_settings)
{
    char text[8192] = "title: T\nconfig: c\naxes:\n  x:\n    p:\n      set:\n";
    char error[2048] = "";
    tl_figure *figure = NULL;
    for (unsigned n = 0; n <= TL_FIGURE_RUN_SETTINGS; n++) {
        tl_append(text, sizeof text, "        k%u: 1\n", n);
    }
    tl_append(text, sizeof text, "metrics: {t: {key: time}}\nplot: {kind: bars, x: x, y: t}\n");
    write_file("f.yaml", text);
    ck_assert_int_eq(tl_figure_load("f.yaml", &figure, error, sizeof error), 2);
    ck_assert_str_eq(error, "f.yaml: axes: found too many keys in settings, expected at most 64");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep_figure");
    TCase *tests = tcase_create("figure");
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, runs_and_settings);
    tcase_add_loop_test(tests, wrong_files, 0, sizeof WRONG / sizeof WRONG[0]);
    tcase_add_test(tests, too_many_settings);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
