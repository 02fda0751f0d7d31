/* SPDX-License-Identifier: Apache-2.0 */
/* The model description: ranges, shared memory, duration of a K-step, routing. */
#include "gpu_fixture.h"
#include "routing.h"

enum { H200_SHARED_BYTES = 227 * 1024 };

START_TEST(models_of_the_paper)
{
    static const uint32_t BATCHES[] = {16, 64, 256};
    tl_input_error error;
    tl_model qwen = qwen_model(BATCHES[_i], TL_WEIGHT_TILE_MAJOR);
    tl_model llama = llama_model(BATCHES[_i], TL_WEIGHT_TILE_MAJOR);
    ck_assert(tl_model_check(&qwen, &error));
    ck_assert(tl_model_check(&llama, &error));
    ck_assert(tl_model_check_shared_memory(&qwen, H200_SHARED_BYTES, &error));
    ck_assert(tl_model_check_shared_memory(&llama, H200_SHARED_BYTES, &error));
    /* They fill it: one CTA more of Qwen, one stage more of Llama would not fit. */
    qwen.ctas_per_sm++;
    ck_assert(!tl_model_check_shared_memory(&qwen, H200_SHARED_BYTES, &error));
    ck_assert_str_eq(error.path, "ctas_per_sm");
    llama.stages++;
    ck_assert(!tl_model_check_shared_memory(&llama, H200_SHARED_BYTES, &error));
}
END_TEST

START_TEST(shared_bytes)
{
    const tl_model qwen = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    ck_assert_uint_eq(tl_model_shared_bytes(&qwen), 3 * (128 * 256 + 16 * 128) * 2);
    const tl_model llama = llama_model(64, TL_WEIGHT_TILE_MAJOR);
    ck_assert_uint_eq(tl_model_shared_bytes(&llama), 2 * 4 * (64 * 128 + 64 * 64) * 2);
}
END_TEST

START_TEST(compute_time)
{
    const tl_model qwen = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_tensor_rate rate = H200_RATE;
    /* 2 * 16 * 256 * 128 flop * 132 SMs / 989e12 flop/s = 139951.5 ps, slightly less */
    ck_assert_uint_eq(tl_model_compute_ps(&qwen, &rate), 139951);
    rate.efficiency = 0.5;
    ck_assert_uint_eq(tl_model_compute_ps(&qwen, &rate), 279903);
    const tl_model llama = llama_model(256, TL_WEIGHT_TILE_MAJOR);
    ck_assert_uint_eq(tl_model_compute_ps(&llama, &H200_RATE), 559806);
}
END_TEST

START_TEST(rate_out_of_range)
{
    static const struct {
        tl_tensor_rate rate;
        const char *path;
    } BAD[] = {
        {{0, 132, 1}, "tensor_flop_per_s"},     {{-1, 132, 1}, "tensor_flop_per_s"}, {{989e12, 0, 1}, "sm_count"},
        {{989e12, 132, 0}, "tensor_efficiency"}, {{989e12, 132, 1.01}, "tensor_efficiency"},
    };
    tl_input_error error;
    ck_assert(tl_tensor_rate_check(&H200_RATE, &error));
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++) {
        ck_assert(!tl_tensor_rate_check(&BAD[k].rate, &error));
        ck_assert_str_eq(error.path, BAD[k].path);
    }
}
END_TEST

/* Each key, one value outside its range; the error names the key. */
START_TEST(key_out_of_range)
{
    static const char *const PATHS[] = {
        "hidden", "hidden",        "intermediate", "experts", "top_k",  "top_k",  "routing_skew",
        "batch",  "element_bytes", "tile_m",       "tile_n",  "tile_k", "tile_k", "ctas_per_sm",
        "stages", "tiles_in_flight", "group_size_m", "weight_layout", "memory_tile", "routing_skew",
    };
    tl_model model = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_input_error error = {.path = ""};
    ck_assert(tl_model_check(&model, &error));
    switch (_i) {
    case 0: model.hidden = 0; break;
    case 1: model.hidden = 2044; break; /* rows of 4088 bytes: half a TMA unit */
    case 2: model.intermediate = 1u << 21; break;
    case 3: model.experts = 0; break;
    case 4: model.top_k = 0; break;
    case 5: model.top_k = 129; break;
    case 6: model.routing_skew = -1; break;
    case 7: model.batch = 0; break;
    case 8: model.element_bytes = 3; break;
    case 9: model.tile_m = 24; break;
    case 10: model.tile_n = 2048; break;
    case 11: model.tile_k = 96; break;
    case 12: model.tile_k = 4; break; /* 8 bytes */
    case 13: model.ctas_per_sm = 0; break;
    case 14: model.stages = 0; break;
    case 15: model.tiles_in_flight = 2; break; /* one stage */
    case 16: model.group_size_m = 0; break;
    case 17: model.weight_layout = TL_WEIGHT_LAYOUT_COUNT; break;
    case 18: model.memory_tile[1] = 48; break;
    case 19: model.routing_skew = 8.5; break;
    default: ck_abort();
    }
    ck_assert(!tl_model_check(&model, &error));
    ck_assert_str_eq(error.path, PATHS[_i]);
    ck_assert_str_ne(error.found, "");
    ck_assert_str_ne(error.expected, "");
}
END_TEST

static uint32_t *route(const tl_model *model)
{
    uint32_t *experts = malloc((size_t)model->batch * model->top_k * sizeof *experts);
    ck_assert_ptr_nonnull(experts);
    ck_assert(tl_route(model, experts));
    return experts;
}

/* Uniform routing leaves 82.4, 125.9 and 128 of 128 experts active on average; this seed is near that in all three. */
START_TEST(active_experts_of_qwen)
{
    static const uint32_t BATCHES[] = {16, 64, 256}, ACTIVE[] = {81, 127, 128};
    const tl_model model = qwen_model(BATCHES[_i], TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    uint32_t tokens = 0;
    for (uint32_t expert = 0; expert < model.experts; expert++)
        tokens += tl_workload_tokens(workload, expert);
    ck_assert_uint_eq(tl_workload_active_experts(workload), ACTIVE[_i]);
    ck_assert_uint_eq(tokens, BATCHES[_i] * 8);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(experts_of_a_token_differ)
{
    tl_model model = qwen_model(256, TL_WEIGHT_TILE_MAJOR);
    model.routing_skew = _i;
    uint32_t *experts = route(&model);
    for (uint32_t token = 0; token < model.batch; token++) {
        bool seen[128] = {false};
        for (uint32_t slot = 0; slot < model.top_k; slot++) {
            const uint32_t expert = experts[token * model.top_k + slot];
            ck_assert_uint_lt(expert, model.experts);
            ck_assert(!seen[expert]);
            seen[expert] = true;
        }
    }
    free(experts);
}
END_TEST

START_TEST(smaller_batch_is_a_prefix)
{
    const tl_model large = qwen_model(256, TL_WEIGHT_TILE_MAJOR), small = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    tl_model other = small;
    other.routing_seed++;
    uint32_t *of_large = route(&large), *of_small = route(&small), *of_other = route(&other);
    ck_assert_mem_eq(of_small, of_large, 16 * 8 * sizeof *of_small);
    ck_assert_mem_ne(of_small, of_other, 16 * 8 * sizeof *of_small);
    free(of_large);
    free(of_small);
    free(of_other);
}
END_TEST

START_TEST(skew_prefers_the_first)
{
    tl_model model = qwen_model(4096, TL_WEIGHT_TILE_MAJOR);
    model.top_k = 1;
    model.routing_skew = 1; /* harmonic: expert 0 has 1 / 5.4331 of 128 experts' weight */
    uint32_t *experts = route(&model);
    uint32_t first = 0, second = 0;
    for (uint32_t token = 0; token < model.batch; token++) {
        first += experts[token] == 0;
        second += experts[token] == 1;
    }
    ck_assert_uint_gt(first, 754 - 100); /* mean 754, standard deviation 25 */
    ck_assert_uint_lt(first, 754 + 100);
    ck_assert_uint_gt(second, 377 - 75);
    ck_assert_uint_lt(second, 377 + 75);
    free(experts);
}
END_TEST

START_TEST(all_experts_when_top_k_is_all)
{
    tl_model model = qwen_model(16, TL_WEIGHT_TILE_MAJOR);
    model.experts = model.top_k = 8;
    uint32_t *experts = route(&model);
    uint32_t tokens[8] = {0};
    for (uint32_t k = 0; k < 16 * 8; k++)
        tokens[experts[k]]++;
    for (uint32_t expert = 0; expert < 8; expert++)
        ck_assert_uint_eq(tokens[expert], 16);
    free(experts);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("model");
    tcase_add_loop_test(tcase, models_of_the_paper, 0, 3);
    tcase_add_test(tcase, shared_bytes);
    tcase_add_test(tcase, compute_time);
    tcase_add_test(tcase, rate_out_of_range);
    tcase_add_loop_test(tcase, key_out_of_range, 0, 20);
    tcase_add_loop_test(tcase, active_experts_of_qwen, 0, 3);
    tcase_add_loop_test(tcase, experts_of_a_token_differ, 0, 4);
    tcase_add_test(tcase, smaller_batch_is_a_prefix);
    tcase_add_test(tcase, skew_prefers_the_first);
    tcase_add_test(tcase, all_experts_when_top_k_is_all);
    return run_case(tcase, "model");
}
