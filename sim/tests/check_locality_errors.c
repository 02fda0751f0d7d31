/* SPDX-License-Identifier: Apache-2.0 */
/* The line that each wrong key, value, file or combination of a locality file gets. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "locality_config.h"

#define GEMM   "gemm: {m: 512, n: 512, k: 256}\n"
#define LAYOUT "layout: {a: row_major}\n"
#define REST   "tile: {m: 128}\ntraversal: {order: row}\n"
#define GOOD   GEMM LAYOUT REST

static char path[] = "/tmp/check_locality_XXXXXX";

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* A wrong file -> the line, but for the name of the file in front. */
static const struct {
    const char *text, *line;
} WRONG_FILES[] = {
    {"", "file: found no content, expected a locality file with the keys gemm, layout, tile and traversal"},
    {"gemm: \"m", "line "},
    {"gemm: 5\n" LAYOUT REST, "gemm: found a single value, expected a mapping"},
    {"gem: {m: 1}\n",
     "gem: found an unknown key, expected one of gemm, layout, tile, traversal, placement, machine, cost"},
    {LAYOUT REST, "gemm: found nothing, expected a mapping"},
    {GEMM REST, "layout: found nothing, expected a mapping"},
    {GEMM LAYOUT "tile: {m: 128}\n", "traversal: found nothing, expected a mapping"},
    {"gemm: {m: 512, n: 512}\n" LAYOUT REST, "gemm.k: found nothing, expected a whole number from 1 to 4294967296"},
    {"gemm: {m: 0, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found 0, expected a whole number from 1 to 4294967296"},
    {"gemm: {m: -1, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found -1, expected a whole number from 1"},
    {"gemm: {m: 4294967297, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found 4294967297, expected a whole number from 1"},
    {"gemm: {m: 010, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found 010, expected a whole number from 1"},
    {"gemm: {m: 1e3, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found 1e3, expected a whole number from 1"},
    {"gemm: {m: 99999999999999999999, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found 99999999999999999999, expected"},
    {"gemm: {m: 512, m: 512, n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found the key a second time, expected it once"},
    {"gemm: {m: [512], n: 512, k: 1}\n" LAYOUT REST, "gemm.m: found a list, expected a single value"},
    {"gemm: {m: 512, n: 512, k: 1, l: 1}\n" LAYOUT REST,
     "gemm.l: found an unknown key, expected one of m, n, k, element_bytes"},
    {"gemm: {m: 512, n: 512, k: 1, element_bytes: 3}\n" LAYOUT REST,
     "gemm.element_bytes: found 3, expected 1, 2, 4 or 8"},
    {GEMM "layout: {a: diagonal}\n" REST,
     "layout.a: found diagonal, expected one of row_major, column_major, tile_major_panel, tile_major_step"},
    {GEMM "layout: {a: Row_major}\n" REST, "layout.a: found Row_major, expected one of"},
    {GEMM "layout: {a: }\n" REST, "layout.a: found nothing, expected one of"},
    {GEMM "layout: {a_leading_dimension: 255}\n" REST,
     "layout.a_leading_dimension: found 255, expected 0 or at least 256, the extent that lies contiguously"},
    {GEMM "layout: {b: row_major, b_leading_dimension: 511}\n" REST,
     "layout.b_leading_dimension: found 511, expected 0 or at least 512"},
    {GEMM "layout: {c: tile_major_step}\n" REST, "layout.c: found tile_major_step, expected row_major or column_major"},
    {GEMM "layout: {a: tile_major_step, a_leading_dimension: 512}\n" REST,
     "layout.a_leading_dimension: found 512, expected 0, for a tile-major layout has none"},
    {GEMM "layout: {a: tile_major_step}\ntile: {m: 96}\ntraversal: {order: row}\n",
     "tile.m: found 96, expected a multiple of 64, for a tile-major layout"},
    {GEMM "layout: {b: tile_major_panel}\ntile: {k: 48}\ntraversal: {order: row}\n",
     "tile.k: found 48, expected a multiple of 32, for a tile-major layout"},
    {GEMM LAYOUT "tile: {m: 65537}\ntraversal: {order: row}\n",
     "tile.m: found 65537, expected a whole number from 1 to 65536"},
    {GEMM LAYOUT "tile: {m: 128}\ntraversal: {order: spiral}\n",
     "traversal.order: found spiral, expected one of row, column, block"},
    {GOOD "placement: {data: owner}\n",
     "placement.data: found owner, expected interleave, row_split or column_split: owner needs A and B tile-major"},
    {GOOD "placement: {page_bytes: 100}\n",
     "placement.page_bytes: found 100, expected a multiple of machine.line_bytes"},
    {GOOD "placement: {cta: grid}\nmachine: {chiplets: 6}\n",
     "machine.chiplets: found 6, expected a power of two, for placement.cta grid"},
    {GOOD "machine: {chiplets: 17}\n", "machine.chiplets: found 17, expected a whole number from 1 to 16"},
    {GOOD "machine: {l2_ways: 33}\n", "machine.l2_ways: found 33, expected a whole number from 1 to 32"},
    {GOOD "machine: {line_bytes: 96}\n", "machine.line_bytes: found 96, expected a power of two from 16 to 4096"},
    {GOOD "machine: {l2_bytes: 8388607}\n",
     "machine.l2_bytes: found 8388607, expected 2048, the bytes of a set, times a power of two"},
    {GOOD "machine: {set_index: hash}\n", "machine.set_index: found hash, expected one of modulo, xor"},
    {GOOD "cost: {pj_per_flop: -1}\n", "cost.pj_per_flop: found -1, expected a number from 1e-6 to 1e24"},
    {GOOD "cost: {pj_per_flop: nan}\n", "cost.pj_per_flop: found nan, expected a number from"},
    {GOOD "cost: {pj_per_flop: 010}\n", "cost.pj_per_flop: found 010, expected a number from"},
    {GOOD "machine: {l2_bytes: 8589934592}\n",
     "machine.l2_bytes: found 8589934592, expected at most 4294967296, 2^25 lines"},
    {GOOD "cost: {hbm_bytes_per_s: 1e400}\n", "cost.hbm_bytes_per_s: found 1e400, expected a number from"},
    {GOOD "cost: {hbm_bytes_per_s: 5.3TB}\n", "cost.hbm_bytes_per_s: found 5.3TB, expected a number from"},
    {"gemm: {m: 2147483648, n: 2147483648, k: 32}\n" LAYOUT REST,
     "gemm.n: found 2147483648, expected at most 33554432 tiles of C"},
    {"gemm: {m: 65536, n: 128, k: 4294967296}\n" LAYOUT REST,
     "gemm.k: found 4294967296, expected at most 2147483648 tiles of A and of B"},
    {"gemm: {m: 4294967296, n: 1, k: 2147483648}\n" LAYOUT "tile: {m: 65536}\ntraversal: {order: row}\n",
     "gemm.k: found 2147483648, expected an operand of less than 2^58 bytes"},
    {"gemm: {m: 4096, n: 512, k: 256}\nlayout: {a_leading_dimension: 1099511627776}\n" REST,
     "layout.a_base: found 0, expected an operand that ends below 2^32 times 524288 bytes, one way of L2"},
    {GOOD "---\n" GOOD, "file: found a second document, expected one"},
};

START_TEST(wrong_file_gets_its_line)
{
    char error[TL_LOCALITY_ERROR_BYTES];
    char line[512];
    tl_locality_config config;
    memset(&config, 0x5a, sizeof config);
    const tl_locality_config before = config;
    write_text(WRONG_FILES[_i].text);
    ck_assert_int_eq(tl_locality_load(path, NULL, 0, &config, error, sizeof error), 2);
    (void)snprintf(line, sizeof line, "%s: %s", path, WRONG_FILES[_i].line);
    ck_assert_msg(strncmp(error, line, strlen(line)) == 0, "%s\n  instead of %s", error, line);
    ck_assert_ptr_null(strchr(error, '\n'));
    ck_assert_mem_eq(&config, &before, sizeof config);
}
END_TEST

static const struct {
    const char *setting, *line;
} WRONG_SETTINGS[] = {
    {"", "KEY=VALUE: found nothing, expected a key, =, and its value"},
    {"machine.l2_ways", "KEY=VALUE: found machine.l2_ways, expected a key, =, and its value"},
    {"=5", "KEY=VALUE: found an unknown key, expected one of gemm.KEY, layout.KEY"},
    {"ways=5", "ways: found an unknown key, expected one of gemm.KEY, layout.KEY"},
    {"machine.ways=5", "machine.ways: found an unknown key, expected one of machine.chiplets, machine.compute_units"},
    {"l2.ways=5", "l2.ways: found an unknown key, expected one of gemm.KEY, layout.KEY"},
    {"machine.l2_ways=", "machine.l2_ways: found nothing, expected a whole number from 1 to 32"},
    {"machine.l2_ways=08", "machine.l2_ways: found 08, expected a whole number from 1 to 32"},
    {"machine.l2_ways=0x8", "machine.l2_ways: found 0x8, expected a whole number from 1 to 32"},
    {"machine.l2_ways= 8", "machine.l2_ways: found  8, expected a whole number from 1 to 32"},
    {"placement.data=tiles", "placement.data: found tiles, expected one of interleave, row_split, column_split, owner"},
};

START_TEST(wrong_setting_gets_its_line)
{
    char error[TL_LOCALITY_ERROR_BYTES];
    char line[512];
    tl_locality_config config;
    write_text(GOOD);
    ck_assert_int_eq(tl_locality_load(path, &WRONG_SETTINGS[_i].setting, 1, &config, error, sizeof error), 2);
    (void)snprintf(line, sizeof line, "--set: %s", WRONG_SETTINGS[_i].line);
    ck_assert_msg(strncmp(error, line, strlen(line)) == 0, "%s\n  instead of %s", error, line);
}
END_TEST

/* Defaults, 0 for a default, exponents, and later settings win. */
START_TEST(right_values)
{
    static const char *const settings[] = {"machine.l2_ways=8", "machine.l2_ways=32", "machine.l2_bytes=1048576",
                                           "tile.n=0", "cost.flop_per_s=2.5e15"};
    char error[TL_LOCALITY_ERROR_BYTES];
    tl_locality_config config;
    write_text(GOOD "machine: {set_index: xor}\n");
    ck_assert_int_eq(tl_locality_load(path, settings, 5, &config, error, sizeof error), 0);
    ck_assert_uint_eq(config.gemm.m, 512);
    ck_assert_uint_eq(config.gemm.element_bytes, 2);
    ck_assert_uint_eq(config.machine.l2_ways, 32);
    ck_assert_uint_eq(config.machine.l2_bytes, 1048576);
    ck_assert_int_eq(config.machine.set_index, TL_SET_XOR);
    ck_assert_int_eq(config.layout.b, TL_COLUMN_MAJOR);
    ck_assert_uint_eq(config.tile.n, 128);
    ck_assert_uint_eq(config.placement.page_bytes, 4096);
    ck_assert_double_eq(config.cost.flop_per_s, 2.5e15);
    ck_assert_double_eq(config.cost.pj_per_bit_remote, 4.9);
}
END_TEST

START_TEST(missing_file)
{
    char error[TL_LOCALITY_ERROR_BYTES];
    tl_locality_config config;
    ck_assert_int_eq(tl_locality_load("/no/such/file", NULL, 0, &config, error, sizeof error), 2);
    ck_assert_str_eq(error, "/no/such/file: file: found No such file or directory, expected a readable locality file");
}
END_TEST

int main(void)
{
    const int file = mkstemp(path);
    if (file < 0 || close(file) != 0) {
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("locality errors");
    TCase *tcase = tcase_create("files");
    tcase_add_loop_test(tcase, wrong_file_gets_its_line, 0, (int)(sizeof WRONG_FILES / sizeof WRONG_FILES[0]));
    tcase_add_loop_test(tcase, wrong_setting_gets_its_line, 0, (int)(sizeof WRONG_SETTINGS / sizeof WRONG_SETTINGS[0]));
    tcase_add_test(tcase, right_values);
    tcase_add_test(tcase, missing_file);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    (void)remove(path);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
