/* SPDX-License-Identifier: Apache-2.0 */
/* One feed-forward layer: tensors, thread blocks in raster order, loads of a tile. */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "routing.h"

/* Up to tile_m routed tokens of one expert. */
typedef struct m_block {
    uint32_t expert, first_token, tokens;
} m_block;

struct tl_workload {
    tl_model model;
    tl_gemm gemms[TL_WORKLOAD_KERNELS];
    tl_kernel kernels[TL_WORKLOAD_KERNELS];
    tl_source_map maps[2 * TL_WORKLOAD_KERNELS];
    tl_load_source source;
    uint32_t *tokens;     /* of each expert */
    uint32_t *routed;     /* token * top_k + slot, sorted by expert, else in order */
    m_block *m_blocks;
    uint32_t m_block_count;
    uint32_t active_experts;
};

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static bool is_gathered(const tl_workload *workload)
{
    return workload->model.experts > 1;
}

/* Counting sort of the routed tokens by expert; it keeps their order within an expert. */
static bool sort_tokens(tl_workload *workload)
{
    const tl_model *model = &workload->model;
    const size_t count = (size_t)model->batch * model->top_k;
    uint32_t *experts = malloc(count * sizeof *experts);
    uint32_t *next = calloc((size_t)model->experts + 1, sizeof *next);
    const bool good = experts != NULL && next != NULL && tl_route(model, experts);

    if (good) {
        for (size_t k = 0; k < count; k++)
            workload->tokens[experts[k]]++;
        for (uint32_t expert = 0; expert < model->experts; expert++)
            next[expert + 1] = next[expert] + workload->tokens[expert];
        for (size_t k = 0; k < count; k++)
            workload->routed[next[experts[k]]++] = (uint32_t)k;
    }
    free(experts);
    free(next);
    return good;
}

static bool list_m_blocks(tl_workload *workload)
{
    const uint32_t tile_m = workload->model.tile_m;
    for (uint32_t expert = 0; expert < workload->model.experts; expert++) {
        workload->m_block_count += (workload->tokens[expert] + tile_m - 1) / tile_m;
        workload->active_experts += workload->tokens[expert] != 0;
    }
    workload->m_blocks = malloc(workload->m_block_count * sizeof *workload->m_blocks);
    if (workload->m_blocks == NULL)
        return false;

    uint32_t count = 0;
    uint32_t first = 0;
    for (uint32_t expert = 0; expert < workload->model.experts; expert++) {
        const uint32_t end = first + workload->tokens[expert];
        while (first < end) {
            const uint32_t tokens = end - first < tile_m ? end - first : tile_m;
            workload->m_blocks[count++] = (m_block){expert, first, tokens};
            first += tokens;
        }
    }
    return true;
}

static tl_layout weight_layout(const tl_model *model, uint64_t k, uint64_t n)
{
    if (model->weight_layout == TL_WEIGHT_TILE_MAJOR)
        return tl_layout_tile_major(TL_COLUMN_MAJOR, k, n, model->element_bytes, model->memory_tile[0],
                                    model->memory_tile[1]);
    return tl_layout_linear(model->weight_layout == TL_WEIGHT_ROW_MAJOR ? TL_ROW_MAJOR : TL_COLUMN_MAJOR, k, n,
                            model->element_bytes);
}

static void describe_weight(const tl_model *model, const tl_gemm *gemm, tl_tensor *weight)
{
    weight->layout = weight_layout(model, gemm->k, gemm->n);
    weight->images = model->experts;
    const bool column_major = weight->layout.order == TL_COLUMN_MAJOR;
    weight->tile[column_major ? 0 : 1] = model->tile_k;
    weight->tile[column_major ? 1 : 0] = model->tile_n;
    tl_tensor_choose_box(weight, UINT32_MAX);
}

/* One row a token; a row is contiguous along K. */
static void describe_activation(const tl_model *model, uint64_t k, uint64_t rows, bool gathered, tl_tensor *activation)
{
    activation->layout = tl_layout_linear(TL_ROW_MAJOR, rows, k, model->element_bytes);
    activation->images = 1;
    activation->tile[0] = model->tile_k;
    activation->tile[1] = model->tile_m;
    tl_tensor_choose_box(activation, gathered ? 1 : UINT32_MAX);
}

/* Place a tensor at the next free address of its memory, and encode its map. */
static bool allocate(tl_tensor *tensor, tl_operand operand, const char *path, uint64_t *next_address,
                     tl_source_map *map, tl_input_error *error)
{
    const uint64_t memory_tile_bytes =
        (uint64_t)tensor->layout.memory_tile[0] * tensor->layout.memory_tile[1] * tensor->layout.element_bytes;
    const uint64_t align = memory_tile_bytes > TL_ALLOCATION_BYTES ? memory_tile_bytes : TL_ALLOCATION_BYTES;

    tensor->address = round_up(*next_address, align);
    tensor->image_bytes = tl_layout_bytes(&tensor->layout);
    *next_address = tensor->address + tl_tensor_bytes(tensor);
    map->operand = operand;
    const tl_status status = tl_tensor_encode(tensor, &map->map);
    if (status == TL_OK)
        return true;
    return tl_input_error_status(error, path, status);
}

static bool make_gemms(tl_workload *workload, const tl_placement *placement, tl_input_error *error)
{
    const tl_model *model = &workload->model;
    const uint64_t inner = model->intermediate;
    const uint64_t routed = (uint64_t)model->batch * model->top_k;
    uint64_t next_weight = placement->weight_base;
    uint64_t next_activation = placement->activation_base;

    workload->gemms[0] = (tl_gemm){.k = model->hidden, .n = model->gated ? 2 * inner : inner};
    workload->gemms[1] = (tl_gemm){.k = inner, .n = model->hidden};
    for (unsigned g = 0; g < TL_WORKLOAD_KERNELS; g++) {
        tl_gemm *gemm = &workload->gemms[g];
        gemm->n_blocks = (uint32_t)((gemm->n + model->tile_n - 1) / model->tile_n);
        describe_weight(model, gemm, &gemm->weight);
        /* The first product reads a token's row for each of its experts, the second has a row for each pair. */
        describe_activation(model, gemm->k, g == 0 ? model->batch : routed, is_gathered(workload), &gemm->activation);
        if (!allocate(&gemm->weight, TL_OPERAND_WEIGHT, "weight_layout", &next_weight, &workload->maps[2 * g],
                      error) ||
            !allocate(&gemm->activation, TL_OPERAND_ACTIVATION, "activations", &next_activation,
                      &workload->maps[2 * g + 1], error))
            return false;
    }
    return true;
}

static bool make_kernels(tl_workload *workload, const tl_tensor_rate *rate, tl_input_error *error)
{
    static const char *const NAMES[TL_WORKLOAD_KERNELS] = {"gate_up", "down"};
    const tl_model *model = &workload->model;

    for (unsigned g = 0; g < TL_WORKLOAD_KERNELS; g++) {
        const tl_gemm *gemm = &workload->gemms[g];
        const uint64_t steps = (gemm->k + model->tile_k - 1) / model->tile_k;
        const uint32_t split = g == 0 ? 1 : model->down_split_k;
        const uint64_t ctas = (uint64_t)workload->m_block_count * gemm->n_blocks * split;
        if (ctas > UINT32_MAX)
            return tl_input_error_number(error, "tile_n", model->tile_n, "at most 2^32 thread blocks");
        tl_kernel *kernel = &workload->kernels[g];
        strcpy(kernel->name, NAMES[g]);
        kernel->cta_count = (uint32_t)ctas;
        kernel->step_count = (uint32_t)((steps + split - 1) / split);
        kernel->compute_ps = tl_model_compute_ps(model, rate);
        kernel->ctas_per_sm = model->ctas_per_sm;
        kernel->stages = model->stages;
        kernel->tiles_in_flight = model->tiles_in_flight;
    }
    return true;
}

static uint32_t tile_bytes(const tl_tensor *tensor)
{
    return tl_tensor_tile_boxes(tensor) * tl_tensor_box_bytes(tensor);
}

/* Rows of a gathered activation tile are boxes of one row: as many as the expert has tokens. */
static uint32_t gather_rows(const tl_workload *workload, uint32_t kernel, const tl_cta *cta, uint64_t k,
                            uint32_t shared_address, tl_tile_load *loads)
{
    const tl_tensor *activation = &workload->gemms[kernel].activation;
    const uint32_t row_bytes = tl_tensor_box_bytes(activation);
    tl_tensor row = *activation;
    uint32_t count = 0;

    row.tile[0] = activation->box[0];
    row.tile[1] = 1;
    for (uint32_t inner = 0; inner < activation->tile[0]; inner += activation->box[0]) {
        for (uint32_t r = 0; r < cta->tokens; r++) {
            const uint32_t routed = workload->routed[cta->first_token + r];
            const uint64_t origin[2] = {k + inner, kernel == 0 ? routed / workload->model.top_k : routed};
            const uint32_t slot = inner / activation->box[0] * activation->tile[1] + r;
            count += tl_tensor_tile_loads(&row, 2 * kernel + 1, TL_OPERAND_ACTIVATION, origin, 0,
                                          shared_address + slot * row_bytes, loads + count);
        }
    }
    return count;
}

/* A buffer holds the weight tile, then the activation tile; K-steps use the buffers of their CTA in turn. */
static uint32_t workload_tile_loads(const void *context, uint32_t kernel, uint32_t cta_index, uint32_t step,
                                    tl_tile_load *loads)
{
    const tl_workload *workload = context;
    const tl_gemm *gemm = &workload->gemms[kernel];
    const tl_tensor *weight = &gemm->weight;
    const tl_cta cta = tl_workload_cta(workload, kernel, cta_index);
    const uint64_t k = ((uint64_t)cta.split * workload->kernels[kernel].step_count + step) * workload->model.tile_k;
    const uint64_t n = (uint64_t)cta.n_block * workload->model.tile_n;
    const bool column_major = weight->layout.order == TL_COLUMN_MAJOR;
    const uint64_t weight_origin[2] = {column_major ? k : n, column_major ? n : k};
    const uint32_t buffer = step % workload->model.stages * (tile_bytes(weight) + tile_bytes(&gemm->activation));
    const uint32_t activation_buffer = buffer + tile_bytes(weight);

    const uint32_t count = tl_tensor_tile_loads(weight, 2 * kernel, TL_OPERAND_WEIGHT, weight_origin, cta.expert,
                                                buffer, loads);
    if (is_gathered(workload))
        return count + gather_rows(workload, kernel, &cta, k, activation_buffer, loads + count);
    const uint64_t activation_origin[2] = {k, cta.first_token};
    return count + tl_tensor_tile_loads(&gemm->activation, 2 * kernel + 1, TL_OPERAND_ACTIVATION, activation_origin, 0,
                                        activation_buffer, loads + count);
}

static void make_source(tl_workload *workload)
{
    tl_load_source *source = &workload->source;
    *source = (tl_load_source){
        .context = workload,
        .kernels = workload->kernels,
        .maps = workload->maps,
        .kernel_count = TL_WORKLOAD_KERNELS,
        .map_count = 2 * TL_WORKLOAD_KERNELS,
        .tile_loads = workload_tile_loads,
    };
    for (unsigned g = 0; g < TL_WORKLOAD_KERNELS; g++) {
        const tl_gemm *gemm = &workload->gemms[g];
        const uint32_t loads = tl_tensor_tile_boxes(&gemm->weight) + tl_tensor_tile_boxes(&gemm->activation);
        const uint32_t bytes = tile_bytes(&gemm->weight) + tile_bytes(&gemm->activation);
        source->max_loads = loads > source->max_loads ? loads : source->max_loads;
        source->max_bytes = bytes > source->max_bytes ? bytes : source->max_bytes;
    }
}

static bool check_inputs(const tl_model *model, const tl_tensor_rate *rate, const tl_placement *placement,
                         tl_input_error *error)
{
    if (!tl_model_check(model, error) || !tl_tensor_rate_check(rate, error))
        return false;
    if (placement->weight_base == 0 || placement->activation_base == 0)
        return tl_input_error_set(error, "placement", "address 0", "memories that start above address 0");
    return true;
}

tl_workload *tl_workload_create(const tl_model *model, const tl_tensor_rate *rate, const tl_placement *placement,
                                tl_input_error *error)
{
    if (!check_inputs(model, rate, placement, error))
        return NULL;
    tl_workload *workload = calloc(1, sizeof *workload);
    if (workload != NULL) {
        workload->model = *model;
        workload->tokens = calloc(model->experts, sizeof *workload->tokens);
        workload->routed = malloc((size_t)model->batch * model->top_k * sizeof *workload->routed);
    }
    if (workload == NULL || workload->tokens == NULL || workload->routed == NULL || !sort_tokens(workload) ||
        !list_m_blocks(workload)) {
        tl_input_error_number(error, "batch", model->batch, "a batch that fits in memory");
        tl_workload_destroy(workload);
        return NULL;
    }
    if (!make_gemms(workload, placement, error) || !make_kernels(workload, rate, error)) {
        tl_workload_destroy(workload);
        return NULL;
    }
    make_source(workload);
    return workload;
}

void tl_workload_destroy(tl_workload *workload)
{
    if (workload == NULL)
        return;
    free(workload->tokens);
    free(workload->routed);
    free(workload->m_blocks);
    free(workload);
}

const tl_load_source *tl_workload_source(const tl_workload *workload)
{
    return &workload->source;
}

const tl_gemm *tl_workload_gemm(const tl_workload *workload, uint32_t kernel)
{
    return &workload->gemms[kernel];
}

/* Triton's grouped order. The last group may be smaller. The parts of a split K come one after the other. */
tl_cta tl_workload_cta(const tl_workload *workload, uint32_t kernel, uint32_t cta_in_kernel)
{
    const uint32_t n_blocks = workload->gemms[kernel].n_blocks;
    const uint32_t tiles = workload->m_block_count * n_blocks;
    const uint32_t cta = cta_in_kernel % tiles;
    const uint64_t group_ctas = (uint64_t)workload->model.group_size_m * n_blocks;
    const uint32_t first_m = (uint32_t)(cta / group_ctas * workload->model.group_size_m);
    const uint32_t m_left = workload->m_block_count - first_m;
    const uint32_t group_m = m_left < workload->model.group_size_m ? m_left : workload->model.group_size_m;
    const uint32_t in_group = (uint32_t)(cta % group_ctas);
    const uint32_t m = first_m + in_group % group_m;
    const m_block *block = &workload->m_blocks[m];
    return (tl_cta){block->expert, m, in_group / group_m, block->first_token, block->tokens, cta_in_kernel / tiles};
}

uint32_t tl_workload_active_experts(const tl_workload *workload)
{
    return workload->active_experts;
}

uint32_t tl_workload_tokens(const tl_workload *workload, uint32_t expert)
{
    return workload->tokens[expert];
}

static uint64_t matrix_bytes(const tl_workload *workload)
{
    uint64_t bytes = 0;
    for (unsigned g = 0; g < TL_WORKLOAD_KERNELS; g++)
        bytes += workload->gemms[g].k * workload->gemms[g].n * workload->model.element_bytes;
    return bytes;
}

uint64_t tl_workload_weight_bytes(const tl_workload *workload)
{
    return workload->active_experts * matrix_bytes(workload);
}

uint64_t tl_workload_asked_weight_bytes(const tl_workload *workload)
{
    return workload->m_block_count * matrix_bytes(workload);
}
