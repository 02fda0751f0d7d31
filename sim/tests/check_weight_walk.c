/* SPDX-License-Identifier: Apache-2.0 */
/* What the prefetcher is told of a weight: base, run and stride, for each layout. */
#include "gpu_fixture.h"
#include "tile_loads.h"
#include "weight_walk.h"

enum { PAGE = 4096 };

static uint32_t walk(const tl_model *model, tl_prefetch_tensor tensors[2], tl_byte_range *range)
{
    tl_workload *workload = make_workload(model);
    const tl_load_source *source = tl_workload_source(workload);
    const tl_tile_loads_config config = {PAGE, 512, false};
    tl_input_error error;
    tl_tile_loads *loads = tl_tile_loads_create(source, &config, &error);
    ck_assert_ptr_nonnull(loads);
    const uint32_t count = tl_weight_walks(source, loads, PAGE, tensors);
    *range = tl_operand_range(source, TL_OPERAND_WEIGHT);
    for (uint32_t n = 0; n < count; n++) {
        ck_assert_uint_eq(tensors[n].base_address, tl_workload_gemm(workload, n)->weight.address);
    }
    ck_assert_uint_eq(range->begin, tensors[0].base_address);
    ck_assert_uint_eq(range->end, tensors[1].base_address + tensors[1].bytes);
    tl_tile_loads_destroy(loads);
    tl_workload_destroy(workload);
    return count;
}

/* Stride: TILE_K of 128 elements. Run: all of K of what a step reads. */
START_TEST(strides_of_qwen)
{
    static const uint64_t strides[TL_WEIGHT_LAYOUT_COUNT][2] = {{256, 256}, {128 * 3072, 128 * 4096}, {8192, 8192}};
    static const uint64_t runs[TL_WEIGHT_LAYOUT_COUNT][2] = {
        {4096, 1536}, {2048 * 3072, 768 * 4096}, {4096 * 32, 1536 * 32}};
    const tl_model model = qwen_model(16, (tl_weight_layout)_i);
    tl_prefetch_tensor tensors[2];
    tl_byte_range range;

    ck_assert_uint_eq(walk(&model, tensors, &range), 2);
    for (unsigned g = 0; g < 2; g++) {
        ck_assert_uint_eq(tensors[g].stride_bytes, strides[_i][g]);
        ck_assert_uint_eq(tensors[g].run_bytes, runs[_i][g]);
        ck_assert_uint_eq(tensors[g].bytes, 128ull * (g == 0 ? 2048 * 1536 : 768 * 2048) * 2);
    }
}
END_TEST

/* A quarter of K for each of four thread blocks: no prefetch goes into another one's part. */
START_TEST(split_k_cuts_the_run)
{
    tl_model model = llama_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_prefetch_tensor whole[2], split[2];
    tl_byte_range range;
    walk(&model, whole, &range);
    model.down_split_k = 4;
    walk(&model, split, &range);
    ck_assert_uint_eq(split[0].run_bytes, whole[0].run_bytes);
    ck_assert_uint_eq(4 * split[1].run_bytes, whole[1].run_bytes);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("weight_walk");
    tcase_add_loop_test(tcase, strides_of_qwen, 0, TL_WEIGHT_LAYOUT_COUNT);
    tcase_add_test(tcase, split_k_cuts_the_run);
    return run_case(tcase, "weight_walk");
}
