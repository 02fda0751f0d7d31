/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The oracle: Eq. 1-2 per element, with division and modulo, from the parameters alone. It shares no function with
 * cmodel/src (types only) and says what a load must do; the mirror and the RTL are measured against it.
 */
#ifndef TILELENS_ORACLE_H
#define TILELENS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tilelens/load.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_oracle_element {
    bool fill;            /* out of bounds */
    uint64_t src_address; /* bytes, when !fill */
    uint64_t dst_address; /* bytes, after swizzle */
} tl_oracle_element;

/** Elements that one load moves: prod(n_d). */
uint64_t tl_oracle_count(const tl_tensor_params *params);

/** Element number `element` of the load, dimension 0 fastest, 0 <= element < tl_oracle_count(). Legal parameters only. */
void tl_oracle_map(const tl_tensor_params *params, const tl_load *load, uint64_t element, tl_oracle_element *out);

/** Eq. 1-2: element (i, j) of a matrix with leading stride KL, memory tile a x b; offset in elements. */
uint64_t tl_oracle_offset(uint64_t i, uint64_t j, uint64_t KL, uint64_t a, uint64_t b);

/** The predicate of the paper variant (docs: variants), evaluated arithmetically on a legal tile-major load. */
bool tl_oracle_paper_accepts(const tl_tensor_params *params, const tl_load *load);

/** The five tile-major rules of a map that already meets the driver's rules; true when legal. */
bool tl_oracle_tile_major_legal(const tl_tensor_params *params);

#ifdef __cplusplus
}
#endif
#endif
