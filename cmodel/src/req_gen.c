/* SPDX-License-Identifier: Apache-2.0 */
/* Stage req_gen. Mirrors rtl/tma_req_gen.sv. */
#include "tilelens/req_gen.h"

uint32_t tl_swizzle_xor(tl_swizzle swizzle, uint32_t address)
{
    const uint32_t line = address >> 7; /* number of the 128-byte shared-memory line */
    switch (swizzle) {
    case TL_SWIZZLE_32B:
        return (line & 1) << 4;
    case TL_SWIZZLE_64B:
        return (line & 3) << 4;
    case TL_SWIZZLE_128B:
        return (line & 7) << 4;
    case TL_SWIZZLE_128B_ATOM_32B:
        return (line & 3) << 5;
    case TL_SWIZZLE_128B_ATOM_32B_FLIP_8B:
        return (line & 3) << 5 | (line & 1) << 3;
    case TL_SWIZZLE_128B_ATOM_64B:
        return (line & 1) << 6;
    default:
        return 0;
    }
}

void tl_req_gen(const tl_fields *fields, const tl_run *run, uint64_t source_units, tl_request *request)
{
    request->src_address = run->fill ? 0 : source_units * TL_UNIT_BYTES;
    request->dst_address = run->address;
    request->bytes = run->bytes;
    request->swizzle_xor = (uint8_t)tl_swizzle_xor((tl_swizzle)fields->swizzle, run->address);
    request->fill = run->fill;
    request->last = run->last;
}
