/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles whose accesses are reused against the same tiles with every request stepped. */
#include "tile_loads_fixture.h"

enum { RANDOM_MODELS = 60 };

static void check_reuse(const tl_model *model, tl_tile_loads_config config, uint32_t at_most, uint64_t *state)
{
    tl_workload *workload = make_workload(model);
    const tl_load_source *source = tl_workload_source(workload);
    tl_tile_loads *reusing = make_loads(workload, config);
    config.step_every_request = true;
    tl_tile_loads *stepping = make_loads(workload, config);
    for (uint32_t kernel = 0; kernel < source->kernel_count; kernel++) {
        const uint64_t tiles = (uint64_t)source->kernels[kernel].cta_count * source->kernels[kernel].step_count;
        for (uint64_t k = 0; k < tiles && k < at_most; k++) {
            const uint64_t tile = tiles <= at_most ? k : random_below(state, (uint32_t)tiles);
            const uint32_t cta = (uint32_t)(tile / source->kernels[kernel].step_count);
            const uint32_t step = (uint32_t)(tile % source->kernels[kernel].step_count);
            const tl_tile_accesses left = run_tile(reusing, kernel, cta, step);
            const tl_tile_accesses right = run_tile(stepping, kernel, cta, step);
            if (!same_tile(&left, &right))
                ck_abort_msg("kernel %u, CTA %u, step %u", kernel, cta, step);
        }
    }
    tl_tile_loads_destroy(reusing);
    tl_tile_loads_destroy(stepping);
    tl_workload_destroy(workload);
}

START_TEST(reuse_equals_stepping_on_small_models)
{
    uint64_t state = (uint64_t)_i + 1000;
    const tl_model model = small_model(&state);
    check_reuse(&model, _i % 2 != 0 ? PAGES : LINES, UINT32_MAX, &state);
}
END_TEST

START_TEST(reuse_equals_stepping_on_the_paper)
{
    const tl_weight_layout layout = (tl_weight_layout)(_i / 2);
    uint64_t state = (uint64_t)_i + 1;
    const tl_model model = _i % 2 != 0 ? qwen_model(256, layout) : llama_model(256, layout);
    check_reuse(&model, PAGES, 1000, &state);
    check_reuse(&model, LINES, 1000, &state);
}
END_TEST

/* Loads without any order, of two small tensors, any distance apart: on memory tiles inside the tensor, or off them and
 * over every edge. */
typedef struct loose_loads {
    tl_source_map maps[2];
    uint64_t seed;
    bool aligned;
} loose_loads;

enum { LOOSE_TILES = 3000, LOOSE_MAX_LOADS = 3, LOOSE_MAX_BYTES = LOOSE_MAX_LOADS * 128 * 16, LOOSE_SOURCES = 30 };

static tl_load loose_load(const loose_loads *loose, uint64_t *state)
{
    const int32_t row = (int32_t)random_below(state, 24), column = (int32_t)random_below(state, 60);
    const uint32_t shared_address = 128 * random_below(state, 100);
    if (loose->aligned)
        return (tl_load){{32 * (row % 4), 32 * (column % 2), 0}, shared_address};
    return (tl_load){{8 * (row - 8), column - 20, (int32_t)random_below(state, 4) - 1}, shared_address};
}

static uint32_t loose_tile_loads(const void *context, uint32_t kernel, uint32_t cta, uint32_t step,
                                 tl_tile_load *loads)
{
    const loose_loads *loose = context;
    uint64_t state = loose->seed + 1000003 * cta + step + kernel;
    random_below(&state, 2);
    const uint32_t count = 1 + random_below(&state, LOOSE_MAX_LOADS);
    for (uint32_t k = 0; k < count; k++)
        loads[k] = (tl_tile_load){
            .map = random_below(&state, 2), .operand = TL_OPERAND_WEIGHT, .of.tma = loose_load(loose, &state)};
    return count;
}

static tl_source_map loose_map(uint64_t *state)
{
    const uint32_t rows = 8 * (2 + random_below(state, 20)), columns = 10 + random_below(state, 50);
    tl_layout layout = tl_layout_linear(TL_COLUMN_MAJOR, rows, columns, 2);
    if (random_below(state, 4) != 0)
        layout = tl_layout_tile_major(TL_COLUMN_MAJOR, rows, columns, 2, 8u << random_below(state, 3), 32);
    const tl_tensor tensor = {
        .layout = layout,
        .address = 4096 * (1 + (uint64_t)random_below(state, 1000)),
        .image_bytes = tl_layout_bytes(&layout),
        .images = 1 + random_below(state, 3),
        .box = {8u << random_below(state, 4), 8 + random_below(state, 9)},
    };
    tl_source_map map = {.operand = TL_OPERAND_WEIGHT};
    ck_assert_int_eq(tl_tensor_encode(&tensor, &map.map), TL_OK);
    return map;
}

START_TEST(reuse_equals_stepping_on_loose_loads)
{
    uint64_t state = (uint64_t)_i + 1;
    loose_loads loose = {.seed = next_random(&state), .aligned = _i % 4 >= 2};
    loose.maps[0] = loose_map(&state);
    loose.maps[1] = loose_map(&state);
    const tl_kernel kernel = {.name = "loose", .cta_count = LOOSE_TILES, .step_count = 1};
    const tl_load_source source = {
        .context = &loose,
        .kernels = &kernel,
        .maps = loose.maps,
        .kernel_count = 1,
        .map_count = 2,
        .max_loads = LOOSE_MAX_LOADS,
        .max_bytes = LOOSE_MAX_BYTES,
        .tile_loads = loose_tile_loads,
    };
    tl_tile_loads_config config = _i % 2 != 0 ? PAGES : LINES;
    tl_tile_loads *reusing = make_source_loads(&source, config);
    config.step_every_request = true;
    tl_tile_loads *stepping = make_source_loads(&source, config);
    for (uint32_t tile = 0; tile < 2 * LOOSE_TILES; tile++) {
        const tl_tile_accesses left = run_tile(reusing, 0, tile % LOOSE_TILES, 0);
        const tl_tile_accesses right = run_tile(stepping, 0, tile % LOOSE_TILES, 0);
        if (!same_tile(&left, &right))
            ck_abort_msg("tile %u", tile);
    }
    tl_tile_loads_destroy(reusing);
    tl_tile_loads_destroy(stepping);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tile_patterns");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, reuse_equals_stepping_on_small_models, 0, RANDOM_MODELS);
    tcase_add_loop_test(tcase, reuse_equals_stepping_on_the_paper, 0, 2 * TL_WEIGHT_LAYOUT_COUNT);
    tcase_add_loop_test(tcase, reuse_equals_stepping_on_loose_loads, 0, LOOSE_SOURCES);
    return run_case(tcase, "tile_patterns");
}
