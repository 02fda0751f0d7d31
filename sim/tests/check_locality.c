/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the locality simulator: order and mapping of CTAs, homes, writes of C, the stack, and its bounds. */
#include <stdlib.h>
#include <string.h>

#include "cta_schedule.h"
#include "expect.h"
#include "locality_engines.h"
#include "locality_random.h"
#include "lru_stack.h"
#include "set_table.h"
#include "step_lines.h"

/* ---- CTAs -------------------------------------------------------------------------------------------------------- */

static tl_cta_schedule schedule_of(uint64_t rows, uint64_t columns, tl_locality_traversal traversal)
{
    tl_locality_config config;
    tl_cta_schedule schedule;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){rows * 128, columns * 128, 32, 2};
    config.traversal = traversal;
    tl_cta_schedule_make(&config, &schedule);
    return schedule;
}

static void expect_order(const tl_cta_schedule *schedule, const char *wanted)
{
    char text[256] = "";
    for (uint64_t n = 0; n < schedule->rows * schedule->columns; n++) {
        const tl_cta cta = tl_cta_at(schedule, n);
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u%u", n == 0 ? "" : " ", cta.i, cta.j);
    }
    ck_assert_str_eq(text, wanted);
}

START_TEST(dispatch_order)
{
    tl_cta_schedule s = schedule_of(3, 2, (tl_locality_traversal){TL_ORDER_ROW, 8, 1, TL_BLOCKS_ROW});
    expect_order(&s, "00 01 10 11 20 21");
    s = schedule_of(3, 2, (tl_locality_traversal){TL_ORDER_COLUMN, 8, 1, TL_BLOCKS_ROW});
    expect_order(&s, "00 10 20 01 11 21");
    /* grouped order, as Triton's GROUP_M = 2; the last group is cut */
    s = schedule_of(3, 3, (tl_locality_traversal){TL_ORDER_BLOCK, 2, 1, TL_BLOCKS_ROW});
    expect_order(&s, "00 10 01 11 02 12 20 21 22");
    s = schedule_of(3, 3, (tl_locality_traversal){TL_ORDER_BLOCK, 2, 2, TL_BLOCKS_ROW});
    expect_order(&s, "00 01 10 11 02 12 20 21 22");
    s = schedule_of(3, 3, (tl_locality_traversal){TL_ORDER_BLOCK, 2, 2, TL_BLOCKS_COLUMN});
    expect_order(&s, "00 01 10 11 20 21 02 12 22");
    s = schedule_of(2, 3, (tl_locality_traversal){TL_ORDER_BLOCK, 100, 100, TL_BLOCKS_ROW});
    expect_order(&s, "00 01 02 10 11 12");
}
END_TEST

START_TEST(every_tile_once)
{
    for (uint64_t number = 0; number < 300; number++) {
        static bool seen[4096];
        const tl_locality_config config = random_config(number);
        tl_cta_schedule schedule;
        tl_cta_schedule_make(&config, &schedule);
        const uint64_t tiles = schedule.rows * schedule.columns;
        memset(seen, 0, sizeof seen);
        for (uint64_t n = 0; n < tiles && tiles <= sizeof seen; n++) {
            const tl_cta cta = tl_cta_at(&schedule, n);
            EXPECT(cta.i < schedule.rows && cta.j < schedule.columns);
            EXPECT(tl_cta_chiplet(&schedule, n, cta) < schedule.chiplets);
            EXPECT(!seen[cta.i * schedule.columns + cta.j]);
            seen[cta.i * schedule.columns + cta.j] = true;
        }
    }
}
END_TEST

START_TEST(grid_of_chiplets)
{
    static const struct {
        uint32_t chiplets;
        uint64_t rows, columns;
    } grids[] = {{1, 1, 1}, {2, 2, 1}, {4, 2, 2}, {8, 4, 2}, {16, 4, 4}};
    for (unsigned n = 0; n < sizeof grids / sizeof grids[0]; n++) {
        uint64_t rows;
        uint64_t columns;
        tl_chiplet_grid(grids[n].chiplets, &rows, &columns);
        ck_assert_uint_eq(rows, grids[n].rows);
        ck_assert_uint_eq(columns, grids[n].columns);
    }
}
END_TEST

/* ---- homes ------------------------------------------------------------------------------------------------------- */

static tl_locality_config small(int a, int data)
{
    tl_locality_config config;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){256, 256, 128, 2};
    config.layout.a = a;
    config.layout.b = a;
    config.placement.data = data;
    return config;
}

static unsigned home_of_a(const tl_locality_config *config, uint64_t line)
{
    tl_gemm_operand operands[TL_OPERANDS];
    tl_gemm_operands(config, operands);
    return tl_line_home(&operands[TL_OPERAND_A], line);
}

START_TEST(homes)
{
    /* A, 256 x 128: a row is two lines. Row-split divides each row: the line of columns 64.. belongs to chiplet 2. */
    tl_locality_config config = small(TL_ROW_MAJOR, TL_DATA_ROW_SPLIT);
    ck_assert_uint_eq(home_of_a(&config, 0), 0);
    ck_assert_uint_eq(home_of_a(&config, 1), 2);
    ck_assert_uint_eq(home_of_a(&config, 511), 2);
    /* Column-split divides each column: rows 64..127 belong to chiplet 1. */
    config = small(TL_ROW_MAJOR, TL_DATA_COLUMN_SPLIT);
    ck_assert_uint_eq(home_of_a(&config, 127), 0);
    ck_assert_uint_eq(home_of_a(&config, 128), 1);
    ck_assert_uint_eq(home_of_a(&config, 511), 3);
    /* Pages of 32 lines in turn. */
    config = small(TL_ROW_MAJOR, TL_DATA_INTERLEAVE);
    ck_assert_uint_eq(home_of_a(&config, 31), 0);
    ck_assert_uint_eq(home_of_a(&config, 32), 1);
    ck_assert_uint_eq(home_of_a(&config, 32 * 7), 3);
    /* Column-major, 128 columns of 4 lines. */
    config = small(TL_COLUMN_MAJOR, TL_DATA_COLUMN_SPLIT);
    ck_assert_uint_eq(home_of_a(&config, 3), 3);
    ck_assert_uint_eq(home_of_a(&config, 4), 0);
    /* A page goes where its first element belongs: lines 32..63 start with row 0 of column 8. */
    config.placement.split_granularity = TL_SPLIT_PAGE;
    ck_assert_uint_eq(home_of_a(&config, 35), 0);
    /* A base within a line, and padding behind a row. */
    config = small(TL_ROW_MAJOR, TL_DATA_ROW_SPLIT);
    config.layout.a_base = 1000;
    config.layout.a_leading_dimension = 192;
    ck_assert_uint_eq(home_of_a(&config, 7), 0);  /* begins before A */
    ck_assert_uint_eq(home_of_a(&config, 10), 3); /* byte 280 of row 0: padding, so the last column */
}
END_TEST

START_TEST(homes_of_tile_major)
{
    /* A, 256 x 128, in pages of 64 x 32: 4 across M, 4 along K. */
    tl_locality_config config = small(TL_TILE_MAJOR_PANEL, TL_DATA_OWNER);
    config.placement.cta = TL_CTA_COLUMN_SPLIT;
    ck_assert_uint_eq(home_of_a(&config, 0), 0);
    ck_assert_uint_eq(home_of_a(&config, 32 * 8), 2); /* page 8: rows 128.., the second of two panels */
    config.placement.cta = TL_CTA_ROW_SPLIT;
    ck_assert_uint_eq(home_of_a(&config, 32 * 3), 3); /* K-step 3 */
    config.placement.cta = TL_CTA_GRID;
    ck_assert_uint_eq(home_of_a(&config, 32 * 9), 3); /* second panel, K-step 1 */
    config = small(TL_TILE_MAJOR_STEP, TL_DATA_ROW_SPLIT);
    ck_assert_uint_eq(home_of_a(&config, 32 * 4), 1); /* page 4: K from 32 on */
    config = small(TL_TILE_MAJOR_STEP, TL_DATA_COLUMN_SPLIT);
    ck_assert_uint_eq(home_of_a(&config, 32 * 3), 3); /* page 3: rows from 192 on */
}
END_TEST

/* ---- C ----------------------------------------------------------------------------------------------------------- */

/* Element by element. */
static void naive_output(const tl_locality_config *config, tl_locality_counters *out)
{
    tl_cta_schedule schedule;
    uint64_t base;
    uint64_t pitch;
    tl_cta_schedule_make(config, &schedule);
    tl_gemm_output(config, &base, &pitch);
    for (uint64_t n = 0; n < schedule.rows * schedule.columns; n++) {
        const tl_cta cta = tl_cta_at(&schedule, n);
        const unsigned chiplet = tl_cta_chiplet(&schedule, n, cta);
        const uint64_t row_end = tl_least((cta.i + (uint64_t)1) * config->tile.m, config->gemm.m);
        const uint64_t column_end = tl_least((cta.j + (uint64_t)1) * config->tile.n, config->gemm.n);
        for (uint64_t row = (uint64_t)cta.i * config->tile.m; row < row_end; row++) {
            for (uint64_t column = (uint64_t)cta.j * config->tile.n; column < column_end; column++) {
                for (unsigned byte = 0; byte < config->gemm.element_bytes; byte++) {
                    const bool row_major = config->layout.c == TL_ROW_MAJOR;
                    const uint64_t address = base + (row_major ? row : column) * pitch +
                                             (row_major ? column : row) * config->gemm.element_bytes + byte;
                    const bool split = config->placement.cta != TL_CTA_ROUND_ROBIN;
                    const uint64_t page = address / config->placement.page_bytes;
                    out->chiplet[chiplet].c_bytes[split ? chiplet : page % config->machine.chiplets]++;
                }
            }
        }
    }
}

START_TEST(output_writes)
{
    for (uint64_t number = 0; number < 60; number++) {
        static tl_locality_counters ours;
        static tl_locality_counters naive;
        const tl_locality_config config = random_config(number);
        memset(&ours, 0, sizeof ours);
        memset(&naive, 0, sizeof naive);
        tl_output_count(&config, &ours);
        naive_output(&config, &naive);
        for (unsigned chiplet = 0; chiplet < TL_CHIPLETS_MAX; chiplet++) {
            ck_assert_mem_eq(ours.chiplet[chiplet].c_bytes, naive.chiplet[chiplet].c_bytes,
                             sizeof naive.chiplet[chiplet].c_bytes);
        }
    }
}
END_TEST

/* ---- the reference engine, by hand ------------------------------------------------------------------------------- */

/* One CTA, one K-step: A is 4 lines in 4 sets of one way, B the same sets: each line of B throws one of A out. */
START_TEST(reference_by_hand)
{
    static tl_locality_counters counters;
    char error[TL_LOCALITY_ERROR_BYTES];
    tl_locality_config config;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){4, 4, 128, 2};
    config.layout.a_leading_dimension = 64 * 2;
    config.layout.b_leading_dimension = 64 * 2;
    config.tile = (tl_locality_tile){4, 4, 64};
    config.machine.chiplets = 1;
    config.machine.l2_ways = 1;
    config.machine.l2_bytes = 128 * 8;
    ck_assert_int_eq(tl_locality_run(&config, TL_ENGINE_REFERENCE, NULL, &counters, error, sizeof error), 0);
    ck_assert_uint_eq(counters.chiplet[0].accesses[TL_OPERAND_A], 8);
    ck_assert_uint_eq(counters.chiplet[0].misses[TL_OPERAND_A][0], 8);
    ck_assert_uint_eq(counters.chiplet[0].c_bytes[0], 32);
    /* Steps of half a line: each line is read in two steps, and stays if B does not share its set. */
    config.tile.k = 32;
    config.layout.b_base = 2097152 + 128; /* odd lines: even ones are A's */
    config.layout.a_leading_dimension = 128;
    config.layout.b_leading_dimension = 128;
    config.gemm.k = 64;
    ck_assert_int_eq(tl_locality_run(&config, TL_ENGINE_REFERENCE, NULL, &counters, error, sizeof error), 0);
    ck_assert_uint_eq(counters.chiplet[0].accesses[TL_OPERAND_A], 8);
    ck_assert_uint_eq(counters.chiplet[0].misses[TL_OPERAND_A][0], 4);
    ck_assert_uint_eq(counters.chiplet[0].misses[TL_OPERAND_B][0], 4);
}
END_TEST

/* ---- parts of the fast engine ------------------------------------------------------------------------------------ */

START_TEST(atoms_in_the_stack)
{
    tl_lru_stack stack = {.ways = 8};
    EXPECT(!tl_lru_touch(&stack, 1, 3));
    EXPECT(!tl_lru_touch(&stack, 2, 5));
    EXPECT(tl_lru_touch(&stack, 1, 3));
    EXPECT(!tl_lru_touch(&stack, 3, 1)); /* 2 has 5 + 4 lines until it is read again */
    EXPECT(!tl_lru_touch(&stack, 2, 5));
    EXPECT(!tl_lru_touch(&stack, 4, 9)); /* more than the ways */
    EXPECT(stack.count == 0);
    EXPECT(tl_lru_append(&stack, 5, 8));
    EXPECT(!tl_lru_append(&stack, 6, 1));
}
END_TEST

START_TEST(vectors_equal_scalars)
{
    enum { STEPS = 200 };
    int16_t store[4][STEPS + 1];
    dice d = {1};
    for (unsigned trial = 0; trial < 2000; trial++) {
        for (unsigned n = 0; n < STEPS + 1; n++) {
            for (unsigned k = 0; k < 4; k++) {
                store[k][n] = (int16_t)roll(&d, trial % 2 == 0 ? 4 : 8192);
            }
        }
        store[0][0] = 0;
        store[2][0] = 0;
        const tl_step_lines a = {store[0] + 1, store[1]};
        const tl_step_lines b = {store[2] + 1, store[3]};
        const uint32_t steps = (uint32_t)between(&d, 1, STEPS);
        EXPECT(tl_step_lines_most(&a, &b, steps) == tl_step_lines_most_portable(&a, &b, steps));
    }
}
END_TEST

/* The paper's forward GEMM: both operands repeat after 32 sets. */
START_TEST(period_of_sets)
{
    tl_locality_config config;
    tl_gemm_operand operands[TL_OPERANDS];
    tl_set_table table;
    tl_locality_defaults(&config);
    config.gemm = (tl_locality_gemm){49152, 16384, 2048, 2};
    tl_gemm_operands(&config, operands);
    tl_set_table_init(&operands[TL_OPERAND_A], &table);
    ck_assert_uint_eq(table.sets, 4096);
    ck_assert_uint_eq(table.period, 32);
    config.machine.set_index = TL_SET_XOR;
    tl_set_table_init(&operands[TL_OPERAND_A], &table);
    ck_assert_uint_eq(table.period, 4096);
    config.machine.set_index = TL_SET_MODULO;
    config.gemm.m -= 1; /* the last tile is not full */
    tl_gemm_operands(&config, operands);
    tl_set_table_init(&operands[TL_OPERAND_A], &table);
    ck_assert_uint_eq(table.period, 4096);
}
END_TEST

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* 2^31 rows: every counter is exact. */
START_TEST(long_extents)
{
    static tl_locality_counters counters;
    char error[TL_LOCALITY_ERROR_BYTES];
    const uint64_t long_extent = (uint64_t)1 << 31;
    for (unsigned which = 0; which < 3; which++) {
        tl_locality_config config;
        tl_locality_defaults(&config);
        config.gemm = (tl_locality_gemm){which == 0 ? long_extent : 1, which == 1 ? long_extent : 1,
                                         which == 2 ? long_extent : 1, 1};
        config.layout.a = which == 0 ? TL_COLUMN_MAJOR : TL_ROW_MAJOR;
        config.layout.b = which == 1 ? TL_ROW_MAJOR : TL_COLUMN_MAJOR;
        config.tile = (tl_locality_tile){65536, 65536, 65536};
        ck_assert_int_eq(tl_locality_check(&config, "long", error, sizeof error), 0);
        ck_assert_int_eq(tl_locality_run(&config, TL_ENGINE_FAST, NULL, &counters, error, sizeof error), 0);
        uint64_t accesses = 0;
        uint64_t misses = 0;
        uint64_t written = 0;
        for (unsigned chiplet = 0; chiplet < 4; chiplet++) {
            for (unsigned home = 0; home < 4; home++) {
                misses += counters.chiplet[chiplet].misses[TL_OPERAND_A][home] +
                          counters.chiplet[chiplet].misses[TL_OPERAND_B][home];
                written += counters.chiplet[chiplet].c_bytes[home];
            }
            accesses +=
                counters.chiplet[chiplet].accesses[TL_OPERAND_A] + counters.chiplet[chiplet].accesses[TL_OPERAND_B];
        }
        const uint64_t lines = long_extent / 128;
        const uint64_t tiles = which == 2 ? 1 : long_extent / 65536;
        ck_assert_uint_eq(written, which == 2 ? 1 : long_extent);
        ck_assert_uint_eq(accesses, which == 2 ? 2 * lines : lines + tiles);
        ck_assert_uint_ge(misses, which == 2 ? 2 * lines : lines);
        ck_assert_uint_le(misses, accesses);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locality");
    TCase *tcase = tcase_create("parts");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, dispatch_order);
    tcase_add_test(tcase, every_tile_once);
    tcase_add_test(tcase, grid_of_chiplets);
    tcase_add_test(tcase, homes);
    tcase_add_test(tcase, homes_of_tile_major);
    tcase_add_test(tcase, output_writes);
    tcase_add_test(tcase, reference_by_hand);
    tcase_add_test(tcase, atoms_in_the_stack);
    tcase_add_test(tcase, vectors_equal_scalars);
    tcase_add_test(tcase, period_of_sets);
    tcase_add_test(tcase, long_extents);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
