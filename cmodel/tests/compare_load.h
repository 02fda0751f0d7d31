/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The mirror against the oracle: every request of a load is expanded to its elements, which must be the oracle's
 * elements in the oracle's order, each exactly once. The co-simulation, where time counts, asks the oracle for the
 * first element of every 16-byte unit and for the first and last of every request: what lies between cannot differ,
 * because memory tiles and swizzle atoms are whole units and a row leaves the tensor once. check_random asks for all of
 * them.
 */
#ifndef TILELENS_COMPARE_LOAD_H
#define TILELENS_COMPARE_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "oracle.h"
#include "tilelens/load.h"

typedef enum tl_compare_elements { TL_COMPARE_EVERY_ELEMENT, TL_COMPARE_UNITS } tl_compare_elements;

typedef struct tl_comparison {
    const char *fault; /* null when all agree */
    uint64_t element;  /* at which they part */
    uint64_t expected, found;
    uint64_t requests, elements;
    uint64_t asked; /* elements compared with the oracle */
} tl_comparison;

static inline bool tl_comparison_fault(tl_comparison *comparison, const char *fault, uint64_t expected, uint64_t found)
{
    comparison->fault = fault;
    comparison->expected = expected;
    comparison->found = found;
    return false;
}

/* Limits of a request that hold whatever it covers. */
static inline bool tl_compare_request_form(const tl_tensor_params *params, const tl_request *request, uint64_t count,
                                           tl_comparison *comparison)
{
    const uint64_t s = tl_element_bytes(params->data_type), row_bytes = params->box_dim[0] * s;
    if (request->bytes == 0 || request->bytes % s != 0 || request->bytes > row_bytes)
        return tl_comparison_fault(comparison, "bytes of a request, at most one box row", row_bytes, request->bytes);
    if ((request->swizzle_xor & ~0x78u) != 0)
        return tl_comparison_fault(comparison, "swizzle mask outside bits 3..6", 0, request->swizzle_xor);
    if (request->fill && request->src_address != 0)
        return tl_comparison_fault(comparison, "source of a fill request", 0, request->src_address);
    if (comparison->elements + request->bytes / s > count)
        return tl_comparison_fault(comparison, "elements", count, comparison->elements + request->bytes / s);
    return true;
}

/* A row is cut only where it enters or leaves the tensor, and at the edge of a memory tile. */
static inline bool tl_compare_request_cut(const tl_tensor_params *params, const tl_request *previous,
                                          const tl_request *request, tl_comparison *comparison)
{
    const tl_tile_major *tile = &params->tile_major;
    const uint64_t granularity_bytes =
        (uint64_t)tile->memory_tile[0] * tile->memory_tile[1] * tl_element_bytes(params->data_type);
    if (comparison->elements % params->box_dim[0] == 0 || previous->fill != request->fill)
        return true;
    if (!request->fill && params->has_tile_major &&
        (previous->src_address - tile->matrix_address) / granularity_bytes !=
            (request->src_address - tile->matrix_address) / granularity_bytes)
        return true;
    return tl_comparison_fault(comparison, "one run cut in two at", previous->src_address, request->src_address);
}

static inline bool tl_compare_element(const tl_tensor_params *params, const tl_load *load, const tl_request *request,
                                      uint64_t offset, tl_comparison *comparison)
{
    const uint64_t src_address = request->src_address + offset;
    const uint64_t dst_address = (request->dst_address + offset) ^ request->swizzle_xor;
    tl_oracle_element want;

    comparison->asked++;
    tl_oracle_map(params, load, comparison->element, &want);
    if (want.fill != request->fill)
        return tl_comparison_fault(comparison, "fill", want.fill, request->fill);
    if (want.dst_address != dst_address)
        return tl_comparison_fault(comparison, "destination", want.dst_address, dst_address);
    if (!want.fill && want.src_address != src_address)
        return tl_comparison_fault(comparison, "source", want.src_address, src_address);
    return true;
}

/* The elements of one request, which begin with number comparison->elements of the load. */
static inline bool tl_compare_request_elements(const tl_tensor_params *params, const tl_load *load,
                                               const tl_request *request, tl_compare_elements which,
                                               tl_comparison *comparison)
{
    const uint64_t s = tl_element_bytes(params->data_type), last = request->bytes - s;
    uint64_t offset = 0;
    for (;;) {
        comparison->element = comparison->elements + offset / s;
        if (!tl_compare_element(params, load, request, offset, comparison))
            return false;
        if (offset == last)
            break;
        offset += which == TL_COMPARE_EVERY_ELEMENT ? s : 16 - (request->dst_address + offset) % 16;
        offset = offset < last ? offset : last;
    }
    comparison->elements += request->bytes / s;
    return true;
}

/** Compare one accepted load; `engine` has been started and is left at its end. @return true when all agree */
static inline bool tl_compare_load(const tl_tensor_params *params, const tl_load *load, uint64_t load_bytes,
                                   tl_compare_elements which, tl_engine *engine, tl_comparison *comparison)
{
    const uint64_t count = tl_oracle_count(params);
    uint64_t bytes = 0;
    bool last = false;
    tl_request request, previous;

    memset(comparison, 0, sizeof *comparison);
    memset(&previous, 0, sizeof previous);
    while (tl_engine_next(engine, &request)) {
        if (last)
            return tl_comparison_fault(comparison, "a request after the last one", 0, 1);
        if (!tl_compare_request_form(params, &request, count, comparison) ||
            !tl_compare_request_cut(params, &previous, &request, comparison) ||
            !tl_compare_request_elements(params, load, &request, which, comparison))
            return false;
        bytes += request.bytes;
        last = request.last;
        previous = request;
        comparison->requests++;
    }
    if (!last)
        return tl_comparison_fault(comparison, "last request not marked", 1, 0);
    if (comparison->elements != count)
        return tl_comparison_fault(comparison, "elements", count, comparison->elements);
    if (bytes != load_bytes)
        return tl_comparison_fault(comparison, "bytes counted for the mbarrier", load_bytes, bytes);
    return true;
}

#endif
