/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a load must do, element by element, as the definition says it: one division per index, one table row per
 * swizzle mode, sums wide enough to be exact. Slow on purpose; nothing here is shared with cmodel/src.
 */
#include "oracle.h"

__extension__ typedef unsigned __int128 wide_uint;
__extension__ typedef __int128 wide_int;

/* One row per swizzle mode: address bits `count` wide at `to` are XORed with the bits at `from`. */
typedef struct swizzle_rule {
    uint32_t span_bytes;
    uint32_t to;
    uint32_t from;
    uint32_t count;
    bool flip_8b; /* bit 3 is XORed with bit 7 as well */
} swizzle_rule;

static const swizzle_rule SWIZZLE[TL_SWIZZLE_COUNT] = {
    [TL_SWIZZLE_NONE] = {0, 0, 0, 0, false},
    [TL_SWIZZLE_32B] = {32, 4, 7, 1, false},
    [TL_SWIZZLE_64B] = {64, 4, 7, 2, false},
    [TL_SWIZZLE_128B] = {128, 4, 7, 3, false},
    [TL_SWIZZLE_128B_ATOM_32B] = {128, 5, 7, 2, false},
    [TL_SWIZZLE_128B_ATOM_32B_FLIP_8B] = {128, 5, 7, 2, true},
    [TL_SWIZZLE_128B_ATOM_64B] = {128, 6, 7, 1, false},
};

static const uint32_t ELEMENT_BYTES[TL_DATA_TYPE_COUNT] = {
    [TL_UINT8] = 1,    [TL_UINT16] = 2,      [TL_UINT32] = 4,   [TL_INT32] = 4,        [TL_UINT64] = 8,
    [TL_INT64] = 8,    [TL_FLOAT16] = 2,     [TL_FLOAT32] = 4,  [TL_FLOAT64] = 8,      [TL_BFLOAT16] = 2,
    [TL_FLOAT32_FTZ] = 4, [TL_TFLOAT32] = 4, [TL_TFLOAT32_FTZ] = 4,
};

static uint64_t element_bytes(const tl_tensor_params *params)
{
    return ELEMENT_BYTES[params->data_type];
}

/* n_d = ceil(B_d / E_d), E_0 = 1. */
static uint64_t elements_along(const tl_tensor_params *params, uint32_t dim)
{
    if (dim == 0)
        return params->box_dim[0];
    return (params->box_dim[dim] + params->element_strides[dim] - 1) / params->element_strides[dim];
}

static uint64_t stride_bytes(const tl_tensor_params *params, uint32_t dim)
{
    return dim == 0 ? element_bytes(params) : params->global_strides[dim - 1];
}

static uint64_t step(const tl_tensor_params *params, uint32_t dim)
{
    return dim == 0 ? 1 : params->element_strides[dim];
}

/* Bytes of the matrix that lie before the first element of the view. */
static uint64_t origin_bytes(const tl_tensor_params *params)
{
    return params->global_address - params->tile_major.matrix_address;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

uint64_t tl_oracle_count(const tl_tensor_params *params)
{
    uint64_t count = 1;
    for (uint32_t d = 0; d < params->rank; d++)
        count *= elements_along(params, d);
    return count;
}

uint64_t tl_oracle_offset(uint64_t i, uint64_t j, uint64_t KL, uint64_t a, uint64_t b)
{
    return (j / b * (KL / a) + i / a) * (a * b) + j % b * a + i % a;
}

static uint64_t swizzled(tl_swizzle mode, uint64_t address)
{
    const swizzle_rule *rule = &SWIZZLE[mode];
    const uint64_t mask = ((uint64_t)1 << rule->count) - 1;
    uint64_t result = address ^ ((address >> rule->from & mask) << rule->to);
    if (rule->flip_8b)
        result ^= (address >> 7 & 1) << 3;
    return result;
}

/* Row pitch: the box row without swizzle, the whole swizzle span with it. */
static uint64_t destination(const tl_tensor_params *params, const tl_load *load, uint64_t row, uint64_t k0)
{
    const uint64_t span_bytes = SWIZZLE[params->swizzle].span_bytes;
    const uint64_t pitch_bytes = span_bytes != 0 ? span_bytes : params->box_dim[0] * element_bytes(params);
    return swizzled(params->swizzle, load->shared_address + row * pitch_bytes + k0 * element_bytes(params));
}

void tl_oracle_map(const tl_tensor_params *params, const tl_load *load, uint64_t element, tl_oracle_element *out)
{
    const uint64_t k0 = element % elements_along(params, 0);
    const uint64_t row = element / elements_along(params, 0);
    uint64_t linear_bytes = 0; /* sum of g_d * S_d, mod 2^64 */
    uint64_t rest = element;

    out->fill = false;
    for (uint32_t d = 0; d < params->rank; d++) {
        const uint64_t k = rest % elements_along(params, d);
        const int64_t g = (int64_t)load->coordinates[d] + (int64_t)(k * step(params, d));
        rest /= elements_along(params, d);
        if (g < 0 || (uint64_t)g >= params->global_dim[d])
            out->fill = true;
        linear_bytes += (uint64_t)g * stride_bytes(params, d);
    }
    out->dst_address = destination(params, load, row, k0);
    if (out->fill) {
        out->src_address = 0;
    } else if (!params->has_tile_major) {
        out->src_address = params->global_address + linear_bytes;
    } else {
        const tl_tile_major *tile = &params->tile_major;
        const uint64_t s = element_bytes(params);
        const uint64_t KL = tile->leading_stride_bytes / s;
        const uint64_t L = (origin_bytes(params) + linear_bytes) / s;
        const uint64_t offset = tl_oracle_offset(L % KL, L / KL, KL, tile->memory_tile[0], tile->memory_tile[1]);
        out->src_address = tile->matrix_address + offset * s;
    }
}

/* The row side of the paper's split; everything else is a column dimension. */
static bool is_row_side(const tl_tensor_params *params, uint32_t dim)
{
    return stride_bytes(params, dim) < params->tile_major.leading_stride_bytes;
}

/* A column-side stride that is no whole number of columns: legal only on a dimension of extent 1. */
static bool has_column_step(const tl_tensor_params *params, uint32_t dim)
{
    return stride_bytes(params, dim) % params->tile_major.leading_stride_bytes == 0;
}

static bool box_origin_aligned(const tl_tensor_params *params, const tl_load *load)
{
    const uint64_t s = element_bytes(params);
    wide_int i = 0;
    wide_int j = 0;

    for (uint32_t d = 0; d < params->rank; d++) {
        const wide_int c = load->coordinates[d];
        if (is_row_side(params, d))
            i += c * (wide_int)(stride_bytes(params, d) / s);
        else if (has_column_step(params, d))
            j += c * (wide_int)(stride_bytes(params, d) / params->tile_major.leading_stride_bytes);
    }
    return i % params->box_dim[0] == 0 && j % params->tile_major.memory_tile[1] == 0;
}

static bool row_steps_aligned(const tl_tensor_params *params)
{
    for (uint32_t d = 1; d < params->rank; d++) {
        const uint64_t step_elements = stride_bytes(params, d) / element_bytes(params) * step(params, d);
        if (is_row_side(params, d) && elements_along(params, d) > 1 && step_elements % params->box_dim[0] != 0)
            return false;
    }
    return true;
}

/* Eq. 5 has one split counter: it steps single columns, inside one memory tile or over whole ones. */
static bool one_split_counter_suffices(const tl_tensor_params *params)
{
    const uint64_t b = params->tile_major.memory_tile[1];
    uint32_t counters = 0;

    for (uint32_t d = 1; d < params->rank; d++) {
        const uint64_t n = elements_along(params, d);
        if (is_row_side(params, d) || n == 1)
            continue;
        const uint64_t leading_bytes = params->tile_major.leading_stride_bytes;
        const uint64_t advance_bytes = stride_bytes(params, d) * step(params, d); /* q_d * E_d, in leading strides */
        if (advance_bytes % (leading_bytes * b) == 0)
            continue;
        counters++;
        if (counters > 1 || advance_bytes != leading_bytes || (n >= b && n % b != 0))
            return false;
    }
    return true;
}

bool tl_oracle_paper_accepts(const tl_tensor_params *params, const tl_load *load)
{
    if (!params->has_tile_major)
        return true;
    return params->global_address == params->tile_major.matrix_address && is_power_of_two(params->box_dim[0]) &&
           params->box_dim[0] <= params->tile_major.memory_tile[0] && box_origin_aligned(params, load) &&
           row_steps_aligned(params) && one_split_counter_suffices(params);
}

static bool tile_shape_legal(const tl_tensor_params *params)
{
    const tl_tile_major *tile = &params->tile_major;
    const uint64_t s = element_bytes(params);
    const uint64_t row_bytes = tile->memory_tile[0] * s;
    const wide_uint granularity_bytes = (wide_uint)row_bytes * tile->memory_tile[1];

    return is_power_of_two(tile->memory_tile[0]) && is_power_of_two(tile->memory_tile[1]) && row_bytes >= 16 &&
           granularity_bytes >= 512 && granularity_bytes <= 65536 && tile->leading_stride_bytes != 0 &&
           tile->leading_stride_bytes % 16 == 0 && tile->leading_stride_bytes % row_bytes == 0 &&
           tile->leading_stride_bytes < (uint64_t)1 << 40 && tile->matrix_address % granularity_bytes == 0 &&
           tile->matrix_address <= params->global_address;
}

bool tl_oracle_tile_major_legal(const tl_tensor_params *params)
{
    const tl_tile_major *tile = &params->tile_major;
    if (!params->has_tile_major)
        return true;
    if (!tile_shape_legal(params)) /* rule 1 */
        return false;

    const uint64_t s = element_bytes(params);
    const uint64_t KL = tile->leading_stride_bytes / s;
    wide_uint last_row = origin_bytes(params) / s % KL; /* row index of the last element, if nothing is sheared */
    wide_uint last_bytes = origin_bytes(params);        /* byte offset of the last element in the linear matrix */

    for (uint32_t d = 0; d < params->rank; d++) {
        const wide_uint steps = params->global_dim[d] - 1;
        if (steps == 0)
            continue;
        last_bytes += steps * stride_bytes(params, d);
        if (is_row_side(params, d))
            last_row += steps * (stride_bytes(params, d) / s);
        else if (!has_column_step(params, d)) /* rule 2 */
            return false;
    }
    if (last_row >= KL) /* rule 3 */
        return false;
    if ((wide_uint)tile->memory_tile[1] * tile->leading_stride_bytes >= (wide_uint)1 << 40) /* rule 5 */
        return false;
    if (is_power_of_two(tile->leading_stride_bytes))
        return true;
    return last_bytes + s <= (wide_uint)1 << 64 &&                            /* rule 4 */
           last_bytes / tile->leading_stride_bytes < (wide_uint)1 << 31; /* rule 5 */
}
