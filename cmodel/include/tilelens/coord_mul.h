/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage coord_mul: the multiplier. Coordinate x stride products, rank 1..5 (Fig. 11a), 60 bits, wrapping.
 * The later set-up stages borrow the same unit. Mirrors rtl/tma_coord_mul.sv.
 */
#ifndef TILELENS_COORD_MUL_H
#define TILELENS_COORD_MUL_H

#include "tilelens/desc_decode.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_products {
    uint64_t column[TL_MAX_RANK]; /* c_d * (q_d mod b), low 12 bits; entry 0 unused, 0 */
    uint64_t linear[TL_MAX_RANK]; /* c_d * stride_d, units, 60 bits; entry 0 is (c_0*s/16) * b */
} tl_products;

/** Keep the low 60 bits. */
static inline uint64_t tl_wrap_units(uint64_t value)
{
    return value & ((UINT64_C(1) << TL_UNIT_BITS) - 1);
}

/** accumulator + factor * multiplicand mod 2^60: what the digit-serial multiplier holds after its last digit. */
static inline uint64_t tl_multiply(uint64_t accumulator, int64_t factor, uint64_t multiplicand)
{
    return tl_wrap_units(accumulator + (uint64_t)factor * multiplicand);
}

/** Products of all dimensions below rank; entries at and above rank are 0. */
void tl_coord_mul(const tl_fields *fields, const int32_t coordinates[TL_MAX_RANK], tl_products *products);

#ifdef __cplusplus
}
#endif
#endif
