/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles through the TMA engine to accesses. */
#include "tile_loads.h"

#include <stdlib.h>

#include "tile_patterns.h"

enum { MIN_REQUEST_BYTES = 64, MAX_REQUEST_BYTES = 1024, MIN_PAGE_BYTES = 512 };

struct tl_tile_loads {
    const tl_load_source *source;
    bool step_every_request;
    tl_tile_load *loads;         /* of the current tile */
    uint32_t load_count;
    tl_tile_load *operand_loads; /* of one operand of it */
    bool *map_has_rows;          /* its box has rows enough to be worth remembering */
    tl_access_merger mergers[TL_OPERAND_COUNT];
    tl_tile_patterns patterns[TL_OPERAND_COUNT];
};

static bool is_power_of_two_in(uint32_t value, uint32_t low, uint32_t high)
{
    return value >= low && value <= high && (value & (value - 1)) == 0;
}

static bool check_config(const tl_tile_loads_config *config, tl_input_error *error)
{
    if (!is_power_of_two_in(config->request_bytes, MIN_REQUEST_BYTES, MAX_REQUEST_BYTES))
        return tl_input_error_number(error, "hbm_request_bytes", config->request_bytes, "a power of two from %d to %d",
                                     MIN_REQUEST_BYTES, MAX_REQUEST_BYTES);
    if (config->page_bytes != 0 && !is_power_of_two_in(config->page_bytes, MIN_PAGE_BYTES, TL_MERGER_MAX_UNIT_BYTES))
        return tl_input_error_number(error, "page_bytes", config->page_bytes, "0, or a power of two from %d to %d",
                                     MIN_PAGE_BYTES, TL_MERGER_MAX_UNIT_BYTES);
    return true;
}

static uint64_t box_rows(const tl_tensor_map *map)
{
    tl_tensor_params params;
    uint64_t rows = 1;
    if (tl_tensor_map_decode(map, &params) != TL_OK)
        return 0;
    for (uint32_t dim = 1; dim < params.rank; dim++)
        rows *= tl_box_count(&params, dim);
    return rows;
}

static bool allocate(tl_tile_loads *loads, const tl_tile_loads_config *config)
{
    const tl_load_source *source = loads->source;
    /* A TMA's piece is at least one unit of 16 bytes; a plain read may end in two smaller ones. */
    const uint32_t capacity = source->max_bytes / TL_UNIT_BYTES + 2 * source->max_loads;

    loads->loads = calloc((size_t)source->max_loads + 1, sizeof *loads->loads);
    loads->operand_loads = calloc((size_t)source->max_loads + 1, sizeof *loads->operand_loads);
    loads->map_has_rows = calloc((size_t)source->map_count + 1, sizeof *loads->map_has_rows);
    if (loads->loads == NULL || loads->operand_loads == NULL || loads->map_has_rows == NULL)
        return false;
    for (uint32_t map = 0; map < source->map_count; map++)
        loads->map_has_rows[map] = box_rows(&source->maps[map].map) >= TL_SHAPE_MIN_ROWS;
    for (unsigned operand = 0; operand < TL_OPERAND_COUNT; operand++) {
        const bool pages = operand == TL_OPERAND_WEIGHT && config->page_bytes != 0;
        const uint32_t unit_bytes = pages ? config->page_bytes : config->request_bytes;
        if (!tl_access_merger_init(&loads->mergers[operand], unit_bytes, pages, capacity) ||
            !tl_tile_patterns_init(&loads->patterns[operand], unit_bytes, capacity))
            return false;
    }
    return true;
}

tl_tile_loads *tl_tile_loads_create(const tl_load_source *source, const tl_tile_loads_config *config,
                                    tl_input_error *error)
{
    if (!check_config(config, error))
        return NULL;
    tl_tile_loads *loads = calloc(1, sizeof *loads);
    if (loads != NULL) {
        loads->source = source;
        loads->step_every_request = config->step_every_request;
        if (allocate(loads, config))
            return loads;
    }
    tl_tile_loads_destroy(loads);
    tl_input_error_number(error, "tile", source->max_bytes, "a tile whose loads fit in memory");
    return NULL;
}

void tl_tile_loads_destroy(tl_tile_loads *loads)
{
    if (loads == NULL)
        return;
    for (unsigned operand = 0; operand < TL_OPERAND_COUNT; operand++) {
        tl_access_merger_free(&loads->mergers[operand]);
        tl_tile_patterns_free(&loads->patterns[operand]);
    }
    free(loads->loads);
    free(loads->operand_loads);
    free(loads->map_has_rows);
    free(loads);
}

static tl_status step_tma(const tl_tile_loads *loads, const tl_tile_load *load, tl_access_merger *merger,
                          tl_tile_sum *sum)
{
    tl_engine engine;
    tl_request request;
    const tl_status status = tl_engine_start(&engine, &loads->source->maps[load->map].map, &load->of.tma, TL_GENERAL);

    if (status != TL_OK)
        return status;
    while (tl_engine_next(&engine, &request)) {
        sum->requests++;
        if (request.fill) {
            sum->fill_bytes += request.bytes;
        } else {
            sum->useful_bytes += request.bytes;
            tl_access_merger_add(merger, request.src_address, request.bytes);
        }
    }
    return TL_OK;
}

/* Every load of one operand, request by request, into its merger. */
static tl_status step_operand(tl_tile_loads *loads, tl_operand operand, uint32_t load_count, tl_tile_sum *sum)
{
    tl_access_merger *merger = &loads->mergers[operand];

    *sum = (tl_tile_sum){.requests = 0};
    tl_access_merger_reset(merger);
    for (uint32_t k = 0; k < load_count; k++) {
        const tl_tile_load *load = &loads->operand_loads[k];
        if (load->map == TL_MAP_NONE) {
            tl_access_merger_add(merger, load->of.plain.address, load->of.plain.bytes);
            sum->useful_bytes += load->of.plain.bytes;
            sum->requests++;
            continue;
        }
        const tl_status status = step_tma(loads, load, merger, sum);
        if (status != TL_OK)
            return status;
    }
    return TL_OK;
}

/* The same through the patterns; the merger's accesses are where the result goes in either case. */
static tl_status reuse_operand(tl_tile_loads *loads, tl_operand operand, uint32_t load_count, tl_tile_sum *sum)
{
    tl_access_merger *merger = &loads->mergers[operand];
    tl_tile_patterns *patterns = &loads->patterns[operand];
    tl_tile_shape shape;
    uint64_t base;

    tl_status status = tl_tile_shape_of(patterns, loads->source->maps, loads->operand_loads, load_count, &shape, &base);
    if (status != TL_OK)
        return status;
    const tl_tile_pattern *pattern = tl_tile_patterns_find(patterns, &shape);
    if (pattern != NULL) {
        *sum = pattern->sum;
        merger->count = tl_tile_patterns_place(patterns, pattern, base, merger->accesses);
        return TL_OK;
    }
    status = step_operand(loads, operand, load_count, sum);
    if (status == TL_OK)
        tl_tile_patterns_add(patterns, &shape, base, merger->accesses, merger->count, sum);
    return status;
}

/* @return the number of the operand's loads; *worth: they are such that remembering pays */
static uint32_t select_operand(tl_tile_loads *loads, tl_operand operand, bool *worth)
{
    uint32_t count = 0;
    *worth = !loads->step_every_request;
    for (uint32_t k = 0; k < loads->load_count; k++) {
        const tl_tile_load *load = &loads->loads[k];
        if (load->operand == operand) {
            loads->operand_loads[count++] = *load;
            *worth = *worth && load->map != TL_MAP_NONE && loads->map_has_rows[load->map];
        }
    }
    *worth = *worth && count > 0 && count <= TL_SHAPE_MAX_LOADS;
    return count;
}

static tl_status run_operand(tl_tile_loads *loads, tl_operand operand, tl_tile_accesses *out)
{
    bool worth;
    tl_tile_sum sum;
    const uint32_t count = select_operand(loads, operand, &worth);
    const tl_status status =
        worth ? reuse_operand(loads, operand, count, &sum) : step_operand(loads, operand, count, &sum);

    out->accesses[operand] = loads->mergers[operand].accesses;
    out->count[operand] = loads->mergers[operand].count;
    out->useful_bytes[operand] = sum.useful_bytes;
    out->fill_bytes += sum.fill_bytes;
    out->requests += sum.requests;
    return status;
}

tl_status tl_tile_loads_run(tl_tile_loads *loads, uint32_t kernel, uint32_t cta, uint32_t step, tl_tile_accesses *out)
{
    const tl_load_source *source = loads->source;

    *out = (tl_tile_accesses){.requests = 0};
    loads->load_count = source->tile_loads(source->context, kernel, cta, step, loads->loads);
    tl_status status = TL_OK;
    for (unsigned operand = 0; operand < TL_OPERAND_COUNT && status == TL_OK; operand++)
        status = run_operand(loads, (tl_operand)operand, out);
    return status;
}

const tl_tile_load *tl_tile_loads_last(const tl_tile_loads *loads, uint32_t *count)
{
    *count = loads->load_count;
    return loads->loads;
}

/* The request itself, not its page: the stride may be smaller than a page. */
static bool first_request_address(const tl_tile_loads *loads, const tl_tile_load *load, uint64_t *address)
{
    tl_engine engine;
    tl_request request;
    if (load->map == TL_MAP_NONE) {
        *address = load->of.plain.address;
        return true;
    }
    if (tl_engine_start(&engine, &loads->source->maps[load->map].map, &load->of.tma, TL_GENERAL) != TL_OK ||
        !tl_engine_next(&engine, &request) || request.fill)
        return false;
    *address = request.src_address;
    return true;
}

static bool first_weight_address(tl_tile_loads *loads, uint32_t kernel, uint32_t step, uint64_t *address)
{
    const tl_load_source *source = loads->source;
    loads->load_count = source->tile_loads(source->context, kernel, 0, step, loads->loads);
    for (uint32_t k = 0; k < loads->load_count; k++)
        if (loads->loads[k].operand == TL_OPERAND_WEIGHT)
            return first_request_address(loads, &loads->loads[k], address);
    return false;
}

int64_t tl_tile_loads_k_stride_bytes(tl_tile_loads *loads, uint32_t kernel)
{
    uint64_t first, second;
    if (loads->source->kernels[kernel].step_count < 2 || !first_weight_address(loads, kernel, 0, &first) ||
        !first_weight_address(loads, kernel, 1, &second))
        return 0;
    return (int64_t)(second - first);
}
