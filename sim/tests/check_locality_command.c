/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens locality` as a user sees it: what it prints, writes and leaves behind; --best; the progress bar. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for; posix_openpt */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "locality_best.h"
#include "locality_command.h"
#include "progress_bar.h"

enum { TEXT_BYTES = 16384, ARGUMENTS_MAX = 16 };

static char folder[] = "/tmp/check_locality_XXXXXX";

typedef struct outcome {
    int status;
    char printed[TEXT_BYTES], complained[TEXT_BYTES];
} outcome;

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static unsigned next;
    next = (next + 1) % 4;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* What a file holds; empty where there is none. */
static void read_text(const char *path, char text[TEXT_BYTES])
{
    FILE *file = fopen(path, "r");
    const size_t used = file == NULL ? 0 : fread(text, 1, TEXT_BYTES - 1, file);
    text[used] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
}

static bool exists(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

static void point_to(int file, const char *path)
{
    const int from = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (from < 0 || dup2(from, file) < 0) {
        _exit(99);
    }
}

/* Run the command on small.yaml with arguments up to a null, its output to the file `out` of the folder or a device. */
static const outcome *locality(const char *out, const char *const *arguments)
{
    static outcome o;
    char *argv[ARGUMENTS_MAX] = {(char *)(uintptr_t) "locality", (char *)(uintptr_t)in_folder("small.yaml")};
    int argc = 2;
    for (; *arguments != NULL; arguments++) {
        argv[argc++] = (char *)(uintptr_t)*arguments;
    }
    const char *out_path = out[0] == '/' ? out : in_folder(out);
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        point_to(STDOUT_FILENO, out_path);
        point_to(STDERR_FILENO, in_folder("err"));
        const int status = tl_locality_command(argc, argv);
        (void)fflush(NULL);
        _exit(status);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    o.printed[0] = '\0';
    if (out[0] != '/') {
        read_text(out_path, o.printed);
    }
    read_text(in_folder("err"), o.complained);
    return &o;
}

#define LOCALITY(...) locality("out", (const char *const[]){__VA_ARGS__, NULL})

static void write_small(void)
{
    write_text("small.yaml", "gemm: {m: 512, n: 384, k: 256}\nlayout: {a: row_major}\ntile: {m: 128}\n"
                             "traversal: {order: row}\n");
}

/* No file with `part` in its name is left in the folder. */
static void expect_no_part(void)
{
    char command[300];
    (void)snprintf(command, sizeof command, "! ls '%s' | grep -q part", folder);
    ck_assert_int_eq(system(command), 0); /* NOLINT(cert-env33-c): a fixed command */
}

/* ---- the JSON file ----------------------------------------------------------------------------------------------- */

START_TEST(json_is_whole)
{
    char text[TEXT_BYTES];
    write_text("a.json", "an older result, which is longer than the new one" /* and is replaced */);
    const outcome *o = LOCALITY("--json", in_folder("a.json"));
    ck_assert_int_eq(o->status, 0);
    read_text(in_folder("a.json"), text);
    ck_assert_msg(strncmp(text, "{\n  \"l2_hit_rate\": ", 19) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "\"engine\": \"fast\"\n}\n"));
    expect_no_part();
}
END_TEST

START_TEST(json_through_a_link)
{
    char text[TEXT_BYTES];
    struct stat found;
    write_text("target.json", "old");
    ck_assert_int_eq(symlink("target.json", in_folder("link.json")), 0);
    ck_assert_int_eq(LOCALITY("--json", in_folder("link.json"))->status, 0);
    ck_assert_int_eq(lstat(in_folder("link.json"), &found), 0);
    ck_assert(S_ISLNK(found.st_mode));
    read_text(in_folder("target.json"), text);
    ck_assert_int_eq(text[0], '{');
}
END_TEST

START_TEST(failed_run_leaves_nothing)
{
    char text[TEXT_BYTES];
    write_text("old.json", "old");
    const outcome *o = LOCALITY("--set", "gemm.k=4294967296", "--set", "gemm.m=4096", "--json", in_folder("new.json"));
    ck_assert_int_eq(o->status, 2);
    ck_assert_str_eq(o->printed, "");
    ck_assert(!exists("new.json"));
    (void)LOCALITY("--set", "gemm.k=4294967296", "--set", "gemm.m=4096", "--json", in_folder("old.json"));
    read_text(in_folder("old.json"), text);
    ck_assert_str_eq(text, "old");
    expect_no_part();
}
END_TEST

START_TEST(no_result_without_its_file)
{
    if (access("/dev/full", W_OK) != 0) {
        return;
    }
    const outcome *o = LOCALITY("--json", "/dev/full");
    ck_assert_int_eq(o->status, 2);
    ck_assert_str_eq(o->printed, "");
    ck_assert_str_eq(o->complained,
                     "tilelens: /dev/full: file: found No space left on device, expected room to write\n");
    o = LOCALITY("--best", "--json", "/dev/full");
    ck_assert_int_eq(o->status, 2);
    ck_assert_str_eq(o->printed, "");
    /* nor a file without its result on stdout */
    o = locality("/dev/full", (const char *const[]){"--json", in_folder("full.json"), NULL});
    ck_assert_int_eq(o->status, 2);
    ck_assert(!exists("full.json"));
    expect_no_part();
}
END_TEST

START_TEST(json_that_cannot_be)
{
    static const struct {
        const char *path, *line;
    } cases[] = {
        {"", "tilelens: locality: --json: found nothing, expected a file to write to\n"},
        {"/no/such/folder/a.json",
         "tilelens: /no/such/folder/a.json: file: found No such file or directory, expected a file to write to\n"},
        {"/tmp", "tilelens: /tmp: file: found Is a directory, expected a file to write to\n"},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const outcome *o = LOCALITY("--json", cases[n].path);
        ck_assert_int_eq(o->status, 2);
        ck_assert_str_eq(o->printed, "");
        ck_assert_str_eq(o->complained, cases[n].line);
    }
}
END_TEST

/* ---- --best ------------------------------------------------------------------------------------------------------ */

static tl_locality_config small_config(void)
{
    tl_locality_config config;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){512, 384, 256, 2};
    return config;
}

/* Each layout keeps the elements by which the given leading dimension is longer than the extent. */
START_TEST(best_keeps_padding)
{
    static tl_locality_best best;
    char error[TL_LOCALITY_ERROR_BYTES];
    char text[TEXT_BYTES];
    tl_locality_config config = small_config();
    config.layout.a_leading_dimension = 256 + 64; /* row-major: K */
    config.layout.b_leading_dimension = 256 + 32; /* column-major: K */
    ck_assert_int_eq(tl_locality_search(&config, TL_ENGINE_FAST, NULL, &best, error, sizeof error), 0);
    bool other = false;
    for (unsigned n = 0; n < best.count; n++) {
        const tl_locality_layout *layout = &best.best[n].config.layout;
        ck_assert_uint_eq(layout->a_leading_dimension, layout->a == TL_ROW_MAJOR ? 256 + 64 : 512 + 64);
        ck_assert_uint_eq(layout->b_leading_dimension, layout->b == TL_ROW_MAJOR ? 384 + 32 : 256 + 32);
        other = other || layout->a == TL_COLUMN_MAJOR || layout->b == TL_ROW_MAJOR;
    }
    ck_assert(other);
    tl_locality_best_write_text(&best, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "layout.a=row_major layout.a_leading_dimension=320 layout.b=column_major "
                                       "layout.b_leading_dimension=288 "));
    config = small_config();
    ck_assert_int_eq(tl_locality_search(&config, TL_ENGINE_FAST, NULL, &best, error, sizeof error), 0);
    tl_locality_best_write_text(&best, text, sizeof text);
    ck_assert_ptr_null(strstr(text, "leading_dimension"));
}
END_TEST

/* All CTAs run in one wave: the order of dispatch changes little or nothing, and what it does not change is one row. */
START_TEST(best_lists_no_twins)
{
    static tl_locality_best best;
    char error[TL_LOCALITY_ERROR_BYTES];
    const tl_locality_config config = small_config();
    ck_assert_int_eq(tl_locality_search(&config, TL_ENGINE_FAST, NULL, &best, error, sizeof error), 0);
    ck_assert_uint_eq(best.searched, 100);
    ck_assert_uint_eq(best.count, TL_BEST_COUNT);
    for (unsigned n = 0; n < best.count; n++) {
        const tl_locality_choice *a = &best.best[n];
        for (unsigned k = 0; k < n; k++) {
            const tl_locality_choice *b = &best.best[k];
            const bool same_settings = a->config.layout.a == b->config.layout.a &&
                                       a->config.layout.b == b->config.layout.b &&
                                       a->config.placement.data == b->config.placement.data &&
                                       a->config.placement.cta == b->config.placement.cta;
            ck_assert(!same_settings ||
                      memcmp(a->counters.chiplet, b->counters.chiplet, sizeof a->counters.chiplet) != 0);
        }
    }
}
END_TEST

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* Draw a bar at one half on `file` as stderr, take it away, and draw none before its time. */
static void draw(int file)
{
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        tl_progress_bar bar;
        if (dup2(file, STDERR_FILENO) < 0) {
            _exit(99);
        }
        tl_progress_bar_start(&bar, "locality");
        tl_progress_bar_tell(&bar, 0.25);
        bar.next_ms = 0;
        tl_progress_bar_tell(&bar, 0.5);
        tl_progress_bar_end(&bar);
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(bar_on_a_terminal)
{
    char text[256];
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) {
        return; /* none to be had here */
    }
    ck_assert_int_eq(grantpt(terminal), 0);
    ck_assert_int_eq(unlockpt(terminal), 0);
    const int user = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(user, 0);
    draw(user);
    const ssize_t used = read(terminal, text, sizeof text - 1);
    ck_assert_int_gt(used, 0);
    text[used] = '\0';
    ck_assert_str_eq(text, "\rlocality [####################                    ]  50 %\r\033[K");
    (void)close(user);
    (void)close(terminal);
}
END_TEST

START_TEST(no_bar_elsewhere)
{
    char text[TEXT_BYTES];
    const int file = open(in_folder("bar"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ck_assert_int_ge(file, 0);
    draw(file);
    (void)close(file);
    read_text(in_folder("bar"), text);
    ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("locality command");
    TCase *tcase = tcase_create("command");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, write_small, NULL);
    tcase_add_test(tcase, json_is_whole);
    tcase_add_test(tcase, json_through_a_link);
    tcase_add_test(tcase, failed_run_leaves_nothing);
    tcase_add_test(tcase, no_result_without_its_file);
    tcase_add_test(tcase, json_that_cannot_be);
    tcase_add_test(tcase, best_keeps_padding);
    tcase_add_test(tcase, best_lists_no_twins);
    tcase_add_test(tcase, bar_on_a_terminal);
    tcase_add_test(tcase, no_bar_elsewhere);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    char command[300];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    (void)system(command); /* NOLINT(cert-env33-c): a fixed command */
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
