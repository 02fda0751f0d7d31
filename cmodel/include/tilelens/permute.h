/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage permute: the intra-tile bit permutation (Case 2, Fig. 12c). Mirrors rtl/tma_permute.sv.
 *
 *   general  (tile | i mod a | j mod b)  -> (tile | j mod b | i mod a)      a rotation of the granule's bits
 *   paper    (tile | sub-tile | col | row) -> (tile | col | sub-tile | row)
 *   plain    unchanged
 */
#ifndef TILELENS_PERMUTE_H
#define TILELENS_PERMUTE_H

#include "tilelens/counters.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Source address of a run, units, 60 bits. Meaningless (but equal to the RTL's) for a fill run. */
uint64_t tl_permute(const tl_fields *fields, const tl_run *run);

#ifdef __cplusplus
}
#endif
#endif
