/* SPDX-License-Identifier: Apache-2.0 */
/* Stage req_gen. Mirrors rtl/tma_req_gen.sv. */
#include "tilelens/req_gen.h"

/* Bits of the 128-byte line number that a mode copies: (line & mask) << shift, and (line & flip) << 3. */
typedef struct swizzle_bits {
    uint8_t mask, shift, flip;
} swizzle_bits;

static const swizzle_bits SWIZZLES[8] = {
    [TL_SWIZZLE_32B] = {1, 4, 0},
    [TL_SWIZZLE_64B] = {3, 4, 0},
    [TL_SWIZZLE_128B] = {7, 4, 0},
    [TL_SWIZZLE_128B_ATOM_32B] = {3, 5, 0},
    [TL_SWIZZLE_128B_ATOM_32B_FLIP_8B] = {3, 5, 1},
    [TL_SWIZZLE_128B_ATOM_64B] = {1, 6, 0},
};

uint32_t tl_swizzle_xor(tl_swizzle swizzle, uint32_t address)
{
    const swizzle_bits bits = SWIZZLES[(unsigned)swizzle & 7];
    const uint32_t line = address >> 7;
    return (line & bits.mask) << bits.shift | (line & bits.flip) << 3;
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
