/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Bit offsets and widths of the tensor map (bit n is bit n mod 64 of word n / 64). The same numbers stand in
 * rtl/tma_pkg.sv; cmodel/tests/check_desc_decode.c compares the two files. docs/02-tensor-map.md explains them.
 */
#ifndef TILELENS_TENSOR_MAP_BITS_H
#define TILELENS_TENSOR_MAP_BITS_H

#include <stdint.h>

#include "tilelens/tensor_map.h"

enum {
    /* What the caller gave. */
    TL_MAP_GLOBAL_ADDRESS_LSB = 0,      TL_MAP_GLOBAL_ADDRESS_BITS = 64,
    TL_MAP_MATRIX_ADDRESS_LSB = 64,     TL_MAP_MATRIX_ADDRESS_BITS = 64,
    TL_MAP_DIM_MINUS_1_LSB = 128,       TL_MAP_DIM_MINUS_1_BITS = 32,   /* + 32*d, d = 0..4 */
    TL_MAP_BOX_MINUS_1_LSB = 288,       TL_MAP_BOX_MINUS_1_BITS = 8,    /* + 8*d, d = 0..4 */
    TL_MAP_STEP_MINUS_1_LSB = 328,      TL_MAP_STEP_MINUS_1_BITS = 3,   /* + 3*d, d = 0..4; element stride - 1 */
    TL_MAP_RANK_LSB = 343,              TL_MAP_RANK_BITS = 3,           /* 1..5 */
    TL_MAP_DATA_TYPE_LSB = 346,         TL_MAP_DATA_TYPE_BITS = 4,
    TL_MAP_INTERLEAVE_LSB = 350,        TL_MAP_INTERLEAVE_BITS = 2,
    TL_MAP_SWIZZLE_LSB = 352,           TL_MAP_SWIZZLE_BITS = 3,
    TL_MAP_L2_PROMOTION_LSB = 355,      TL_MAP_L2_PROMOTION_BITS = 2,
    TL_MAP_OOB_FILL_LSB = 357,          TL_MAP_OOB_FILL_BITS = 1,
    TL_MAP_TILE_MAJOR_LSB = 358,        TL_MAP_TILE_MAJOR_BITS = 1,
    TL_MAP_LOG2_A16_LSB = 360,          TL_MAP_LOG2_A16_BITS = 4,       /* log2(a*s/16), 0..12 */
    TL_MAP_LOG2_B_LSB = 364,            TL_MAP_LOG2_B_BITS = 4,         /* 0..12 */
    TL_MAP_VERSION_LSB = 376,           TL_MAP_VERSION_BITS = 8,
    TL_MAP_STRIDE_BYTES_LSB = 384,      TL_MAP_STRIDE_BYTES_BITS = 40,  /* + 64*(d-1), d = 1..4 */

    /* What encode derives from it, so that hardware needs no divider and no comparator. */
    TL_MAP_SPLIT_DIM_LSB = 368,         TL_MAP_SPLIT_DIM_BITS = 3,      /* paper: 0 none, 1..4 */
    TL_MAP_PAPER_REFUSAL_LSB = 371,     TL_MAP_PAPER_REFUSAL_BITS = 4,  /* 0, or 5..8 of tl_status */
    TL_MAP_LIMIT_LSB = 424,             TL_MAP_LIMIT_BITS = 8,          /* + 64*(d-1): (n_d - 1) * E_d */
    TL_MAP_COLUMN_STEP_LSB = 432,       TL_MAP_COLUMN_STEP_BITS = 12,   /* + 64*(d-1): q_d mod b; 0 on the row side */
    TL_MAP_STRIDE_LSB = 640,            TL_MAP_STRIDE_BITS = 36,        /* + 40*(d-1): units; S_d, row side S_d*b */
    TL_MAP_ORIGIN_LSB = 800,            TL_MAP_ORIGIN_BITS = 60,        /* units: matrix + i0*b + j0*KL */
    TL_MAP_LEADING_LSB = 864,           TL_MAP_LEADING_BITS = 36,       /* units: KL */
    TL_MAP_TILE_COLUMN_LSB = 904,       TL_MAP_TILE_COLUMN_BITS = 36,   /* units: b*KL */
    TL_MAP_ORIGIN_COLUMN_LSB = 944,     TL_MAP_ORIGIN_COLUMN_BITS = 12, /* j0 mod b */

    TL_MAP_VERSION = 0x54               /* 'T', layout version 1 */
};

/** Field of `bits` (1..64) at bit `lsb`; it may straddle two words. */
static inline uint64_t tl_map_get(const tl_tensor_map *map, unsigned lsb, unsigned bits)
{
    const unsigned word = lsb / 64, shift = lsb % 64;
    uint64_t value = map->word[word] >> shift;
    if (shift + bits > 64) {
        value |= map->word[word + 1] << (64 - shift);
    }
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/** Set a field; bits of `value` above the field's width are dropped. */
static inline void tl_map_set(tl_tensor_map *map, unsigned lsb, unsigned bits, uint64_t value)
{
    const unsigned word = lsb / 64, shift = lsb % 64;
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    value &= mask;
    map->word[word] = (map->word[word] & ~(mask << shift)) | (value << shift);
    if (shift + bits > 64) {
        map->word[word + 1] = (map->word[word + 1] & ~(mask >> (64 - shift))) | (value >> (64 - shift));
    }
}

#endif
