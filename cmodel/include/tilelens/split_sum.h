/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage split_sum: row products and column products to the tile base (Fig. 11b, Eq. 4). Mirrors rtl/tma_split_sum.sv.
 *
 *   general  X = origin + sum(products) - j'*KL + j',  j' = (j0 + sum c_d*q_d) mod b    for any i and j
 *   paper    tileBase = K*j + i*b (Eq. 4), refused unless j mod b = 0 and i mod u = 0
 *   plain    X = origin + sum(products)
 */
#ifndef TILELENS_SPLIT_SUM_H
#define TILELENS_SPLIT_SUM_H

#include "tilelens/coord_mul.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_tile_base {
    uint32_t column;          /* j' = j mod b of the box origin, 12 bits */
    uint64_t column_product;  /* general: -j' * KL, units, 60 bits */
    uint64_t x;               /* tile base, units, 60 bits; the packed form in the general variant */
} tl_tile_base;

/** @return TL_OK, or in the paper variant TL_ERR_PAPER_COLUMN_ALIGN, then TL_ERR_PAPER_ROW_ALIGN. */
tl_status tl_split_sum(const tl_fields *fields, const tl_products *products, tl_tile_base *base);

#ifdef __cplusplus
}
#endif
#endif
