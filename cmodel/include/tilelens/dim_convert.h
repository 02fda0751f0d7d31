/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage dim_convert: strides and extents of the box -> what each counter adds (Eq. 5, nested-counter
 * reconfiguration). Depends on the tensor map alone. Mirrors rtl/tma_dim_convert.sv.
 *
 * delta[d] moves the cursor from the last element of every dimension below d to the next step along d:
 *   delta_d = E_d*S_d - sum over 1 <= e < d of limit_e*S_e,
 * in the packed form (general: the column part reduced to floor and remainder of b), or, for the paper's split
 * dimension, delta[d] = u - ... inside a memory tile and delta_tile = b*KL - (b-1)*u - ... to the next one.
 */
#ifndef TILELENS_DIM_CONVERT_H
#define TILELENS_DIM_CONVERT_H

#include "tilelens/coord_mul.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_levels {
    uint64_t delta[TL_MAX_RANK]; /* units, 60 bits; entries 1..rank-1, others 0 */
    uint64_t delta_tile;         /* paper: Eq. 5's outer stride of the split dimension; 0 without one */
    /* Products of the shared multiplier, for the stage tap; entries as delta. */
    uint64_t column_advance[TL_MAX_RANK]; /* E_d * (q_d mod b), low 12 bits */
    uint64_t column_rewind[TL_MAX_RANK];  /* limit_d * (q_d mod b), low 12 bits */
    uint64_t advance[TL_MAX_RANK];        /* E_d * stride_d - j' * KL (general) */
    uint64_t rewind[TL_MAX_RANK];         /* -limit_d * stride_d */
} tl_levels;

void tl_dim_convert(const tl_fields *fields, tl_levels *levels);

#ifdef __cplusplus
}
#endif
#endif
