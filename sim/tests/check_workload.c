/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, raster order, tensors in memory, and which loads a tile has. */
#include "gpu_fixture.h"
#include "routing.h"

enum { RANDOM_MODELS = 60 };

START_TEST(kernels_of_qwen)
{
    static const uint32_t BATCHES[] = {16, 64, 256}, ACTIVE[] = {81, 127, 128};
    const tl_model model = qwen_model(BATCHES[_i], TL_WEIGHT_COLUMN_MAJOR);
    tl_workload *workload = make_workload(&model);
    const tl_load_source *source = tl_workload_source(workload);

    ck_assert_uint_eq(source->kernel_count, 2);
    ck_assert_str_eq(source->kernels[0].name, "gate_up");
    ck_assert_uint_eq(source->kernels[0].cta_count, ACTIVE[_i] * 6); /* 1536 / 256; one block of tokens an expert */
    ck_assert_uint_eq(source->kernels[0].step_count, 16);
    ck_assert_str_eq(source->kernels[1].name, "down");
    ck_assert_uint_eq(source->kernels[1].cta_count, ACTIVE[_i] * 8);
    ck_assert_uint_eq(source->kernels[1].step_count, 6);
    ck_assert_uint_eq(tl_workload_weight_bytes(workload), ACTIVE[_i] * (2048ull * 1536 + 768 * 2048) * 2);
    ck_assert_uint_eq(tl_workload_asked_weight_bytes(workload), tl_workload_weight_bytes(workload));
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(kernels_of_llama)
{
    static const uint32_t BATCHES[] = {16, 64, 256};
    const tl_model model = llama_model(BATCHES[_i], TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    const tl_load_source *source = tl_workload_source(workload);

    ck_assert_uint_eq(source->kernels[0].cta_count, 448);
    ck_assert_uint_eq(source->kernels[0].step_count, 128);
    ck_assert_uint_eq(source->kernels[1].cta_count, 64);
    ck_assert_uint_eq(source->kernels[1].step_count, 448);
    ck_assert_uint_eq(tl_workload_weight_bytes(workload), (8192ull * 57344 + 28672ull * 8192) * 2);
    tl_workload_destroy(workload);
}
END_TEST

/* Triton's kernel, line by line, in its own names. */
static void triton_raster(uint32_t pid, uint32_t num_pid_m, uint32_t num_pid_n, uint32_t GROUP_SIZE_M, uint32_t *pid_m,
                          uint32_t *pid_n)
{
    const uint32_t num_pid_in_group = GROUP_SIZE_M * num_pid_n;
    const uint32_t group_id = pid / num_pid_in_group;
    const uint32_t first_pid_m = group_id * GROUP_SIZE_M;
    const uint32_t group_size_m =
        num_pid_m - first_pid_m < GROUP_SIZE_M ? num_pid_m - first_pid_m : GROUP_SIZE_M;
    *pid_m = first_pid_m + (pid % num_pid_in_group) % group_size_m;
    *pid_n = (pid % num_pid_in_group) / group_size_m;
}

START_TEST(raster_is_tritons)
{
    uint64_t state = (uint64_t)_i + 1;
    const tl_model model = small_model(&state);
    tl_workload *workload = make_workload(&model);
    const tl_load_source *source = tl_workload_source(workload);
    for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++) {
        const uint32_t n_blocks = tl_workload_gemm(workload, kernel)->n_blocks;
        const uint32_t m_blocks = source->kernels[kernel].cta_count / n_blocks;
        for (uint32_t k = 0; k < source->kernels[kernel].cta_count; k++) {
            const tl_cta cta = tl_workload_cta(workload, kernel, k);
            uint32_t m, n;
            triton_raster(k, m_blocks, n_blocks, model.group_size_m, &m, &n);
            ck_assert_uint_eq(cta.m_block, m);
            ck_assert_uint_eq(cta.n_block, n);
        }
    }
    tl_workload_destroy(workload);
}
END_TEST

/* Blocks of tokens: expert by expert, full but for the last of each expert, every routed token once. */
START_TEST(tokens_in_blocks)
{
    uint64_t state = (uint64_t)_i + 1;
    tl_model model = small_model(&state);
    model.group_size_m = 1;
    tl_workload *workload = make_workload(&model);
    const uint32_t n_blocks = tl_workload_gemm(workload, 0)->n_blocks;
    uint32_t cta_index = 0, next_token = 0;
    for (uint32_t expert = 0; expert < model.experts; expert++) {
        for (uint32_t left = tl_workload_tokens(workload, expert); left != 0; cta_index += n_blocks) {
            const tl_cta cta = tl_workload_cta(workload, 0, cta_index);
            ck_assert_uint_eq(cta.expert, expert);
            ck_assert_uint_eq(cta.first_token, next_token);
            ck_assert_uint_eq(cta.tokens, left < model.tile_m ? left : model.tile_m);
            next_token += cta.tokens;
            left -= cta.tokens;
        }
    }
    ck_assert_uint_eq(next_token, model.batch * model.top_k);
    ck_assert_uint_eq(cta_index, tl_workload_source(workload)->kernels[0].cta_count);
    tl_workload_destroy(workload);
}
END_TEST

static bool is_routed(const tl_model *model, const uint32_t *experts, uint32_t kernel, uint32_t row, uint32_t expert)
{
    if (kernel == 1)
        return experts[row] == expert;
    for (uint32_t slot = 0; slot < model->top_k; slot++)
        if (experts[row * model->top_k + slot] == expert)
            return true;
    return false;
}

/* A gathered row is the token's own row for the first product, the row of the (token, slot) pair for the second. */
START_TEST(gathered_rows)
{
    uint64_t state = (uint64_t)_i + 1;
    tl_model model = small_model(&state);
    model.experts++;
    tl_workload *workload = make_workload(&model);
    const tl_load_source *source = tl_workload_source(workload);
    uint32_t *experts = malloc((size_t)model.batch * model.top_k * sizeof *experts);
    tl_tile_load *loads = malloc(source->max_loads * sizeof *loads);
    ck_assert(experts != NULL && loads != NULL);
    ck_assert(tl_route(&model, experts));

    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        for (uint32_t k = 0; k < source->kernels[kernel].cta_count; k++) {
            const tl_cta cta = tl_workload_cta(workload, kernel, k);
            const uint32_t count = source->tile_loads(source->context, kernel, k, 0, loads);
            uint32_t rows = 0;
            for (uint32_t l = 0; l < count; l++) {
                if (loads[l].operand != TL_OPERAND_ACTIVATION || loads[l].of.tma.coordinates[0] != 0)
                    continue;
                const uint32_t row = (uint32_t)loads[l].of.tma.coordinates[1];
                ck_assert(is_routed(&model, experts, kernel, row, cta.expert));
                rows++;
            }
            ck_assert_uint_eq(rows, cta.tokens);
        }
    }
    free(experts);
    free(loads);
    tl_workload_destroy(workload);
}
END_TEST

static bool overlap(uint64_t left, uint64_t left_bytes, uint64_t right, uint64_t right_bytes)
{
    return left < right + right_bytes && right < left + left_bytes;
}

START_TEST(tensors_are_apart_and_aligned)
{
    uint64_t state = (uint64_t)_i + 1;
    tl_model model = small_model(&state);
    if (_i % 2 != 0) {
        model.weight_layout = TL_WEIGHT_TILE_MAJOR;
        model.memory_tile[0] = 64;
        model.memory_tile[1] = 512; /* 64 KiB */
    }
    tl_workload *workload = make_workload(&model);
    const tl_tensor *first = &tl_workload_gemm(workload, 0)->weight, *second = &tl_workload_gemm(workload, 1)->weight;
    const tl_tensor *input = &tl_workload_gemm(workload, 0)->activation,
                    *middle = &tl_workload_gemm(workload, 1)->activation;
    const uint64_t align = _i % 2 != 0 ? 65536 : 4096;
    ck_assert_uint_eq(first->address % align, 0);
    ck_assert_uint_eq(second->address % align, 0);
    ck_assert_uint_eq(middle->address % 4096, 0);
    ck_assert_uint_ge(first->address, TEST_PLACEMENT.weight_base);
    ck_assert_uint_ge(input->address, TEST_PLACEMENT.activation_base);
    ck_assert_uint_ge(tl_tensor_bytes(first), (uint64_t)model.experts * model.hidden * model.intermediate * 2);
    ck_assert(!overlap(first->address, tl_tensor_bytes(first), second->address, tl_tensor_bytes(second)));
    ck_assert(!overlap(input->address, tl_tensor_bytes(input), middle->address, tl_tensor_bytes(middle)));
    tl_workload_destroy(workload);
}
END_TEST

/* Boxes of the tiles that are in shared memory at once do not overlap, and every launch rule holds. */
START_TEST(boxes_in_shared_memory)
{
    uint64_t state = (uint64_t)_i + 1;
    const tl_model model = small_model(&state);
    tl_workload *workload = make_workload(&model);
    const tl_load_source *source = tl_workload_source(workload);
    const uint32_t steps = model.stages < source->kernels[0].step_count ? model.stages : source->kernels[0].step_count;
    tl_tile_load *loads = malloc((size_t)source->max_loads * steps * sizeof *loads);
    uint32_t count = 0;
    ck_assert_ptr_nonnull(loads);
    for (uint32_t step = 0; step < steps; step++)
        count += source->tile_loads(source->context, 0, 0, step, loads + count);
    ck_assert_uint_le(count, source->max_loads * steps);
    for (uint32_t k = 0; k < count; k++) {
        const tl_tensor_map *map = &source->maps[loads[k].map].map;
        ck_assert_int_eq(tl_launch_check(map, &loads[k].of.tma), TL_OK);
        for (uint32_t other = 0; other < k; other++)
            ck_assert(!overlap(loads[k].of.tma.shared_address, tl_load_footprint_bytes(map),
                               loads[other].of.tma.shared_address,
                               tl_load_footprint_bytes(&source->maps[loads[other].map].map)));
    }
    free(loads);
    tl_workload_destroy(workload);
}
END_TEST

static bool same_load(const tl_tile_load *left, const tl_tile_load *right)
{
    return left->map == right->map &&
           memcmp(left->of.tma.coordinates, right->of.tma.coordinates, sizeof left->of.tma.coordinates) == 0;
}

/* The parts of a split K, one after the other, load what one thread block loads without the split. */
START_TEST(split_k_loads_the_same_tiles)
{
    tl_model model = llama_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_workload *whole = make_workload(&model);
    model.down_split_k = 4;
    tl_workload *split = make_workload(&model);
    const tl_load_source *from = tl_workload_source(whole), *to = tl_workload_source(split);
    const uint32_t tiles = from->kernels[1].cta_count, steps = to->kernels[1].step_count;
    tl_tile_load *expected = calloc(from->max_loads, sizeof *expected), *found = calloc(to->max_loads, sizeof *found);

    ck_assert_uint_eq(to->kernels[0].cta_count, from->kernels[0].cta_count);
    ck_assert_uint_eq(to->kernels[1].cta_count, 4 * tiles);
    ck_assert_uint_eq(4 * steps, from->kernels[1].step_count);
    for (uint32_t cta = 0; cta < 4 * tiles; cta += 7) {
        for (uint32_t step = 0; step < steps; step += 5) {
            const uint32_t count = to->tile_loads(to->context, 1, cta, step, found);
            ck_assert_uint_eq(
                count, from->tile_loads(from->context, 1, cta % tiles, cta / tiles * steps + step, expected));
            for (uint32_t n = 0; n < count; n++) {
                ck_assert(same_load(&expected[n], &found[n]));
            }
        }
    }
    free(expected);
    free(found);
    tl_workload_destroy(whole);
    tl_workload_destroy(split);
}
END_TEST

START_TEST(refusals)
{
    static const char *const PATHS[] = {"placement", "placement", "weight_layout", "batch", "sm_count"};
    tl_model model = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_placement placement = TEST_PLACEMENT;
    tl_tensor_rate rate = H200_RATE;
    tl_input_error error;
    switch (_i) {
    case 0: placement.weight_base = 0; break;
    case 1: placement.activation_base = 0; break;
    case 2: model.memory_tile[0] = 4; break; /* 8 bytes: below a TMA unit */
    case 3: model.batch = 0; break;
    case 4: rate.sm_count = 0; break;
    default: ck_abort();
    }
    ck_assert_ptr_null(tl_workload_create(&model, &rate, &placement, &error));
    ck_assert_str_eq(error.path, PATHS[_i]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("workload");
    tcase_add_loop_test(tcase, kernels_of_qwen, 0, 3);
    tcase_add_loop_test(tcase, kernels_of_llama, 0, 3);
    tcase_add_loop_test(tcase, raster_is_tritons, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, tokens_in_blocks, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, gathered_rows, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, tensors_are_apart_and_aligned, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, boxes_in_shared_memory, 0, RANDOM_MODELS);
    tcase_add_test(tcase, split_k_loads_the_same_tiles);
    tcase_add_loop_test(tcase, refusals, 0, 5);
    return run_case(tcase, "workload");
}
