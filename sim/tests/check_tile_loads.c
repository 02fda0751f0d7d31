/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles to accesses: the page counts of the evaluation, every access against Eq. 1-2 element by element, and
 * conservation of bytes over whole runs.
 */
#include "tile_loads_fixture.h"

enum { RANDOM_MODELS = 60 };

/* Pages that one compute tile touches, and the bytes of each that it uses. */
typedef struct page_case {
    bool qwen;
    tl_weight_layout layout;
    uint32_t kernel;
    uint32_t pages;
    uint32_t useful_bytes; /* of every page; 0: they differ */
} page_case;

static const page_case PAGE_CASES[] = {
    {true, TL_WEIGHT_TILE_MAJOR, 0, 16, 4096},    {true, TL_WEIGHT_ROW_MAJOR, 0, 96, 0},
    {true, TL_WEIGHT_COLUMN_MAJOR, 0, 256, 256},  {true, TL_WEIGHT_TILE_MAJOR, 1, 16, 4096},
    {true, TL_WEIGHT_ROW_MAJOR, 1, 128, 512},     {true, TL_WEIGHT_COLUMN_MAJOR, 1, 96, 0},
    {false, TL_WEIGHT_TILE_MAJOR, 0, 4, 4096},    {false, TL_WEIGHT_ROW_MAJOR, 0, 64, 256},
    {false, TL_WEIGHT_COLUMN_MAJOR, 0, 128, 128}, {false, TL_WEIGHT_TILE_MAJOR, 1, 4, 4096},
    {false, TL_WEIGHT_ROW_MAJOR, 1, 64, 256},     {false, TL_WEIGHT_COLUMN_MAJOR, 1, 128, 128},
};
enum { PAGE_CASE_COUNT = sizeof PAGE_CASES / sizeof PAGE_CASES[0] };

START_TEST(pages_of_a_tile)
{
    const page_case *expected = &PAGE_CASES[_i];
    const tl_model model = expected->qwen ? qwen_model(64, expected->layout) : llama_model(64, expected->layout);
    tl_workload *workload = make_workload(&model);
    tl_tile_loads *loads = make_loads(workload, PAGES);
    const tl_kernel *kernel = &tl_workload_source(workload)->kernels[expected->kernel];
    uint64_t state = 1;
    for (unsigned k = 0; k < 20; k++) {
        const tl_tile_accesses tile = run_tile(loads, expected->kernel, random_below(&state, kernel->cta_count),
                                               random_below(&state, kernel->step_count));
        ck_assert_uint_eq(tile.count[TL_OPERAND_WEIGHT], expected->pages);
        ck_assert_uint_eq(tile.useful_bytes[TL_OPERAND_WEIGHT], (uint64_t)model.tile_k * model.tile_n * 2);
        for (uint32_t a = 0; a < expected->pages; a++) {
            const tl_tile_access *access = &tile.accesses[TL_OPERAND_WEIGHT][a];
            ck_assert_uint_eq(access->address % PAGE_BYTES, 0);
            ck_assert_uint_eq(access->bytes, PAGE_BYTES);
            if (expected->useful_bytes != 0)
                ck_assert_uint_eq(access->useful_bytes, expected->useful_bytes);
        }
    }
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}
END_TEST

static int compare_addresses(const void *left, const void *right)
{
    const uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return (l > r) - (l < r);
}

/* Qwen's down, column-major: a column of 768 elements is 1536 B, so that all six K-steps share 96 pages. */
START_TEST(column_major_down_shares_pages)
{
    const tl_model model = qwen_model(64, TL_WEIGHT_COLUMN_MAJOR);
    tl_workload *workload = make_workload(&model);
    tl_tile_loads *loads = make_loads(workload, PAGES);
    uint64_t pages[6 * 256];
    size_t count = 0, different = 0;
    for (uint32_t step = 0; step < 6; step++) {
        const tl_tile_accesses tile = run_tile(loads, 1, 5, step);
        for (uint32_t k = 0; k < tile.count[TL_OPERAND_WEIGHT]; k++)
            pages[count++] = tile.accesses[TL_OPERAND_WEIGHT][k].address;
    }
    qsort(pages, count, sizeof pages[0], compare_addresses);
    for (size_t k = 0; k < count; k++)
        different += k == 0 || pages[k] != pages[k - 1];
    ck_assert_uint_eq(different, 96);
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}
END_TEST

/* Longest requests: a column piece of 256 B, a row piece of 512 B, runs of whole memory tiles cut at 512 B. */
START_TEST(requests_of_a_tile)
{
    static const struct {
        tl_weight_layout layout;
        uint32_t count, bytes;
    } EXPECTED[] = {
        {TL_WEIGHT_COLUMN_MAJOR, 256, 256}, {TL_WEIGHT_ROW_MAJOR, 128, 512}, {TL_WEIGHT_TILE_MAJOR, 128, 512}};
    const tl_model model = qwen_model(64, EXPECTED[_i].layout);
    tl_workload *workload = make_workload(&model);
    tl_tile_loads *loads = make_loads(workload, LINES);
    const tl_tile_accesses tile = run_tile(loads, 0, 7, 3);
    ck_assert_uint_eq(tile.count[TL_OPERAND_WEIGHT], EXPECTED[_i].count);
    for (uint32_t k = 0; k < tile.count[TL_OPERAND_WEIGHT]; k++) {
        ck_assert_uint_eq(tile.accesses[TL_OPERAND_WEIGHT][k].bytes, EXPECTED[_i].bytes);
        ck_assert_uint_eq(tile.accesses[TL_OPERAND_WEIGHT][k].useful_bytes, EXPECTED[_i].bytes);
    }
    /* Activations: for each token of the block 128 elements, 256 B. */
    const tl_cta cta = tl_workload_cta(workload, 0, 7);
    ck_assert_uint_eq(tile.count[TL_OPERAND_ACTIVATION], cta.tokens);
    ck_assert_uint_eq(tile.useful_bytes[TL_OPERAND_ACTIVATION], (uint64_t)cta.tokens * 256);
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(k_stride)
{
    static const int64_t GATE_UP[TL_WEIGHT_LAYOUT_COUNT] = {256, 128 * 3072, 2 * 4096};
    static const int64_t DOWN[TL_WEIGHT_LAYOUT_COUNT] = {256, 128 * 4096, 2 * 4096};
    const tl_model model = qwen_model(64, (tl_weight_layout)_i);
    tl_workload *workload = make_workload(&model);
    tl_tile_loads *loads = make_loads(workload, PAGES);
    ck_assert_int_eq(tl_tile_loads_k_stride_bytes(loads, 0), GATE_UP[_i]);
    ck_assert_int_eq(tl_tile_loads_k_stride_bytes(loads, 1), DOWN[_i]);
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}
END_TEST

/* Whole runs of the six workloads: what the TMAs ask for is the weights, once for each block of tokens. */
START_TEST(whole_runs_ask_for_all_weights)
{
    static const uint32_t BATCHES[] = {16, 64, 256};
    const tl_weight_layout layout = (tl_weight_layout)(_i / 2);
    for (unsigned b = 0; b < 3; b++) {
        const tl_model model = _i % 2 != 0 ? qwen_model(BATCHES[b], layout) : llama_model(BATCHES[b], layout);
        tl_workload *workload = make_workload(&model);
        tl_tile_loads *loads = make_loads(workload, PAGES);
        const tl_load_source *source = tl_workload_source(workload);
        uint64_t asked_bytes = 0, access_bytes = 0, fill_bytes = 0;
        for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++) {
            for (uint32_t cta = 0; cta < source->kernels[kernel].cta_count; cta++) {
                for (uint32_t step = 0; step < source->kernels[kernel].step_count; step++) {
                    const tl_tile_accesses tile = run_tile(loads, kernel, cta, step);
                    asked_bytes += tile.useful_bytes[TL_OPERAND_WEIGHT];
                    fill_bytes += tile.fill_bytes;
                    for (uint32_t k = 0; k < tile.count[TL_OPERAND_WEIGHT]; k++)
                        access_bytes += tile.accesses[TL_OPERAND_WEIGHT][k].useful_bytes;
                }
            }
        }
        ck_assert_uint_eq(asked_bytes, tl_workload_weight_bytes(workload));
        ck_assert_uint_eq(access_bytes, asked_bytes);
        ck_assert_uint_eq(fill_bytes, 0);
        tl_tile_loads_destroy(loads);
        tl_workload_destroy(workload);
    }
}
END_TEST

/* Bytes that a tile uses of each unit of memory, element by element from Eq. 1-2. One assertion a tile: Check's are
 * too slow to make one an element. */
typedef struct expected_units {
    uint64_t first_unit;
    uint64_t unit_bytes;
    size_t count;
    uint32_t *useful_bytes;
} expected_units;

static expected_units expect(const tl_tensor *tensor, uint64_t unit_bytes)
{
    expected_units expected = {.first_unit = tensor->address / unit_bytes, .unit_bytes = unit_bytes};
    expected.count = (size_t)(tl_tensor_bytes(tensor) / unit_bytes + 2);
    expected.useful_bytes = calloc(expected.count, sizeof *expected.useful_bytes);
    ck_assert_ptr_nonnull(expected.useful_bytes);
    return expected;
}

static void add_weight_tile(expected_units *expected, const tl_model *model, const tl_gemm *gemm, const tl_cta *cta,
                            uint32_t step)
{
    for (uint64_t k = (uint64_t)step * model->tile_k; k < (step + 1ull) * model->tile_k && k < gemm->k; k++) {
        for (uint64_t n = (uint64_t)cta->n_block * model->tile_n; n < (cta->n_block + 1ull) * model->tile_n; n++) {
            uint64_t offset;
            if (n >= gemm->n)
                break;
            if (tl_layout_offset(&gemm->weight.layout, k, n, &offset) != TL_OK)
                ck_abort();
            const uint64_t address =
                gemm->weight.address + cta->expert * gemm->weight.image_bytes + offset * model->element_bytes;
            expected->useful_bytes[address / expected->unit_bytes - expected->first_unit] += model->element_bytes;
        }
    }
}

/* Bytes expected in the unit of an address, taken away so that each can be met once. @return 0 when none are left */
static uint32_t take_unit(const expected_units *expected, uint64_t address)
{
    const uint64_t unit = address / expected->unit_bytes;
    if (unit < expected->first_unit || unit - expected->first_unit >= expected->count)
        return 0;
    uint32_t *useful_bytes = &expected->useful_bytes[unit - expected->first_unit];
    const uint32_t taken = *useful_bytes;
    *useful_bytes = 0;
    return taken;
}

static bool nothing_left(const expected_units *expected)
{
    for (size_t k = 0; k < expected->count; k++)
        if (expected->useful_bytes[k] != 0)
            return false;
    return true;
}

/* Whole units of what is expected, each used as expected; a request stays inside one aligned block. */
static bool good_access(const expected_units *expected, const tl_tile_access *access, uint64_t block_bytes)
{
    uint32_t useful_bytes = 0;
    if (access->address % expected->unit_bytes != 0 || access->bytes == 0 ||
        access->bytes % expected->unit_bytes != 0 ||
        access->address / block_bytes != (access->address + access->bytes - 1) / block_bytes)
        return false;
    for (uint64_t at = 0; at < access->bytes; at += expected->unit_bytes) {
        const uint32_t taken = take_unit(expected, access->address + at);
        if (taken == 0)
            return false;
        useful_bytes += taken;
    }
    return useful_bytes == access->useful_bytes;
}

static void check_tile(const tl_workload *workload, const tl_model *model, tl_tile_loads *loads, bool pages,
                       uint32_t kernel, uint32_t cta_index, uint32_t step)
{
    const tl_gemm *gemm = tl_workload_gemm(workload, kernel);
    const tl_cta cta = tl_workload_cta(workload, kernel, cta_index);
    expected_units expected = expect(&gemm->weight, pages ? PAGE_BYTES : SECTOR_BYTES);
    const tl_tile_accesses tile = run_tile(loads, kernel, cta_index, step);
    uint32_t good = 0;
    add_weight_tile(&expected, model, gemm, &cta, step);
    for (uint32_t k = 0; k < tile.count[TL_OPERAND_WEIGHT]; k++)
        good += good_access(&expected, &tile.accesses[TL_OPERAND_WEIGHT][k], pages ? PAGE_BYTES : REQUEST_BYTES);
    ck_assert_uint_eq(good, tile.count[TL_OPERAND_WEIGHT]);
    ck_assert(nothing_left(&expected));
    free(expected.useful_bytes);
}

START_TEST(random_tiles_of_the_paper)
{
    const tl_weight_layout layout = (tl_weight_layout)(_i / 2);
    const tl_model model = _i % 2 != 0 ? qwen_model(64, layout) : llama_model(64, layout);
    tl_workload *workload = make_workload(&model);
    tl_tile_loads *loads = make_loads(workload, PAGES);
    uint64_t state = (uint64_t)_i + 1;
    for (unsigned k = 0; k < 40; k++) {
        const uint32_t index = random_below(&state, 2);
        const tl_kernel *kernel = &tl_workload_source(workload)->kernels[index];
        check_tile(workload, &model, loads, true, index, random_below(&state, kernel->cta_count),
                   random_below(&state, kernel->step_count));
    }
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(all_tiles_of_small_models)
{
    uint64_t state = (uint64_t)_i + 1;
    const tl_model model = small_model(&state);
    const bool pages = _i % 2 != 0;
    tl_workload *workload = make_workload(&model);
    tl_tile_loads *loads = make_loads(workload, pages ? PAGES : LINES);
    const tl_load_source *source = tl_workload_source(workload);
    uint64_t asked_bytes = 0;
    for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++) {
        const uint32_t ctas = source->kernels[kernel].cta_count;
        for (uint32_t cta = 0; cta < ctas; cta++) {
            for (uint32_t step = 0; step < source->kernels[kernel].step_count; step++) {
                if (ctas < 40 || random_below(&state, ctas) < 40)
                    check_tile(workload, &model, loads, pages, kernel, cta, step);
                asked_bytes += run_tile(loads, kernel, cta, step).useful_bytes[TL_OPERAND_WEIGHT];
            }
        }
    }
    ck_assert_uint_eq(asked_bytes, tl_workload_asked_weight_bytes(workload));
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(config_out_of_range)
{
    static const tl_tile_loads_config BAD[] = {{0, 0, false}, {0, 32, false}, {0, 500, false}, {0, 2048, false},
                                               {256, 512, false}, {5000, 512, false}};
    const tl_model model = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    tl_input_error error;
    ck_assert_ptr_null(tl_tile_loads_create(tl_workload_source(workload), &BAD[_i], &error));
    ck_assert_str_eq(error.path, _i < 4 ? "hbm_request_bytes" : "page_bytes");
    tl_workload_destroy(workload);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tile_loads");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, pages_of_a_tile, 0, PAGE_CASE_COUNT);
    tcase_add_test(tcase, column_major_down_shares_pages);
    tcase_add_loop_test(tcase, requests_of_a_tile, 0, 3);
    tcase_add_loop_test(tcase, k_stride, 0, TL_WEIGHT_LAYOUT_COUNT);
    tcase_add_loop_test(tcase, whole_runs_ask_for_all_weights, 0, 2 * TL_WEIGHT_LAYOUT_COUNT);
    tcase_add_loop_test(tcase, random_tiles_of_the_paper, 0, 2 * TL_WEIGHT_LAYOUT_COUNT);
    tcase_add_loop_test(tcase, all_tiles_of_small_models, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, config_out_of_range, 0, 6);
    return run_case(tcase, "tile_loads");
}
