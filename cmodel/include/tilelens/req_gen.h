/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage req_gen: contiguous runs -> requests: source, destination, swizzle mask, bytes. Mirrors rtl/tma_req_gen.sv.
 *
 * A request is one contiguous source run of one box row inside one memory tile. Nothing is merged across rows,
 * nothing is cut at 128 B. Out-of-bounds parts are fill requests without a source; they count for the mbarrier.
 */
#ifndef TILELENS_REQ_GEN_H
#define TILELENS_REQ_GEN_H

#include "tilelens/permute.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_request {
    uint64_t src_address; /* global memory, bytes; 0 when fill */
    uint32_t dst_address; /* shared memory before swizzle, bytes */
    uint32_t bytes;       /* 1..2048, at most one box row */
    uint8_t swizzle_xor;  /* bits 3..6, XORed onto every destination byte address of the request */
    bool fill;            /* no source: the tensor map's fill pattern is written */
    bool last;            /* last request of its load */
} tl_request;

/** Bits that the swizzle XORs onto a shared-memory byte address (constant over one box row). */
uint32_t tl_swizzle_xor(tl_swizzle swizzle, uint32_t address);

void tl_req_gen(const tl_fields *fields, const tl_run *run, uint64_t source_units, tl_request *request);

#ifdef __cplusplus
}
#endif
#endif
