/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of the model description, and the quantities that follow from it alone. */
#include "model.h"

#include <stddef.h>

/* Ranges keep every product below 2^63 bytes; they are far beyond any model. */
enum {
    MAX_WIDTH = 1 << 20,
    MAX_EXPERTS = 1 << 16,
    MAX_BATCH = 1 << 20,
    MAX_TILE = 1024,
    MIN_TILE_BYTES = 16, /* a TMA box is at least this wide */
    MAX_CTAS_PER_SM = 32,
    MAX_STAGES = 64, MAX_SPLIT_K = 64,
    MAX_SMS = 1 << 16
};
static const double MAX_SKEW = 8;
static const double PS_PER_S = 1e12;

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

typedef struct key_range {
    const char *path;
    size_t offset;
    uint32_t low, high;
    bool power_of_two;
} key_range;

static const key_range RANGES[] = {
    {"hidden", offsetof(tl_model, hidden), 1, MAX_WIDTH, false},
    {"intermediate", offsetof(tl_model, intermediate), 1, MAX_WIDTH, false},
    {"experts", offsetof(tl_model, experts), 1, MAX_EXPERTS, false},
    {"top_k", offsetof(tl_model, top_k), 1, TL_MODEL_MAX_TOP_K, false},
    {"batch", offsetof(tl_model, batch), 1, MAX_BATCH, false},
    {"element_bytes", offsetof(tl_model, element_bytes), 1, 8, true},
    {"tile_m", offsetof(tl_model, tile_m), 1, MAX_TILE, true},
    {"tile_n", offsetof(tl_model, tile_n), 1, MAX_TILE, true},
    {"tile_k", offsetof(tl_model, tile_k), 1, MAX_TILE, true},
    {"group_size_m", offsetof(tl_model, group_size_m), 1, MAX_BATCH, false},
    {"ctas_per_sm", offsetof(tl_model, ctas_per_sm), 1, MAX_CTAS_PER_SM, false},
    {"down_split_k", offsetof(tl_model, down_split_k), 1, MAX_SPLIT_K, false},
    {"stages", offsetof(tl_model, stages), 1, MAX_STAGES, false},
    {"tiles_in_flight", offsetof(tl_model, tiles_in_flight), 1, MAX_STAGES, false},
};

static bool check_ranges(const tl_model *model, tl_input_error *error)
{
    for (size_t k = 0; k < sizeof RANGES / sizeof RANGES[0]; k++) {
        const key_range *range = &RANGES[k];
        const uint32_t value = *(const uint32_t *)((const char *)model + range->offset);
        if (value < range->low || value > range->high || (range->power_of_two && !is_power_of_two(value)))
            return tl_input_error_number(error, range->path, value, "%s from %u to %u",
                                         range->power_of_two ? "a power of two" : "a number", range->low, range->high);
    }
    return true;
}

/* A TMA moves units of 16 bytes: tile rows and matrix rows in both directions are whole units. */
static bool check_units(const tl_model *model, tl_input_error *error)
{
    const struct {
        const char *path;
        uint32_t elements;
    } extents[] = {{"tile_n", model->tile_n},
                   {"tile_k", model->tile_k},
                   {"hidden", model->hidden},
                   {"intermediate", model->intermediate}};
    for (size_t k = 0; k < sizeof extents / sizeof extents[0]; k++)
        if ((uint64_t)extents[k].elements * model->element_bytes % MIN_TILE_BYTES != 0)
            return tl_input_error_number(error, extents[k].path, extents[k].elements,
                                         "a multiple of %d bytes at %u bytes an element", MIN_TILE_BYTES,
                                         model->element_bytes);
    return true;
}

static bool check_layout(const tl_model *model, tl_input_error *error)
{
    if ((unsigned)model->weight_layout >= TL_WEIGHT_LAYOUT_COUNT)
        return tl_input_error_number(error, "weight_layout", (double)model->weight_layout,
                                     "column_major, row_major or tile_major");
    for (unsigned d = 0; model->weight_layout == TL_WEIGHT_TILE_MAJOR && d < 2; d++)
        if (!is_power_of_two(model->memory_tile[d]))
            return tl_input_error_number(error, "memory_tile", model->memory_tile[d], "two powers of two");
    return true;
}

bool tl_model_check(const tl_model *model, tl_input_error *error)
{
    if (!check_ranges(model, error))
        return false;
    if (model->top_k > model->experts)
        return tl_input_error_number(error, "top_k", model->top_k, "at most the %u experts", model->experts);
    if (!(model->routing_skew >= 0 && model->routing_skew <= MAX_SKEW))
        return tl_input_error_number(error, "routing_skew", model->routing_skew, "a number from 0 to %g", MAX_SKEW);
    if (model->tiles_in_flight > model->stages)
        return tl_input_error_number(error, "tiles_in_flight", model->tiles_in_flight, "at most the %u stages",
                                     model->stages);
    return check_units(model, error) && check_layout(model, error);
}

uint64_t tl_model_shared_bytes(const tl_model *model)
{
    const uint64_t weight_elements = (uint64_t)model->tile_k * model->tile_n;
    const uint64_t activation_elements = (uint64_t)model->tile_m * model->tile_k;
    return (weight_elements + activation_elements) * model->element_bytes * model->stages * model->ctas_per_sm;
}

bool tl_model_check_shared_memory(const tl_model *model, uint64_t shared_memory_bytes, tl_input_error *error)
{
    const uint64_t bytes = tl_model_shared_bytes(model);
    if (bytes <= shared_memory_bytes)
        return true;
    return tl_input_error_number(error, "ctas_per_sm", model->ctas_per_sm,
                                 "CTAs whose %u stages fit %llu bytes of shared memory (they take %llu)", model->stages,
                                 (unsigned long long)shared_memory_bytes, (unsigned long long)bytes);
}

bool tl_tensor_rate_check(const tl_tensor_rate *rate, tl_input_error *error)
{
    if (!(rate->flop_per_s >= 1e9 && rate->flop_per_s <= 1e20))
        return tl_input_error_number(error, "tensor_flop_per_s", rate->flop_per_s, "a number from 1e9 to 1e20");
    if (rate->sm_count < 1 || rate->sm_count > MAX_SMS)
        return tl_input_error_number(error, "sm_count", rate->sm_count, "a number from 1 to %d", MAX_SMS);
    if (!(rate->efficiency > 0 && rate->efficiency <= 1))
        return tl_input_error_number(error, "tensor_efficiency", rate->efficiency, "a number above 0, at most 1");
    return true;
}

uint64_t tl_model_compute_ps(const tl_model *model, const tl_tensor_rate *rate)
{
    const double flop = 2.0 * model->tile_m * model->tile_n * model->tile_k;
    const double sm_flop_per_s = rate->flop_per_s / rate->sm_count * rate->efficiency;
    return (uint64_t)(flop / sm_flop_per_s * PS_PER_S + 0.5);
}
