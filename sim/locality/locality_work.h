/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a run would cost, estimated from the configuration alone: which engine to take, and what to refuse.
 */
#ifndef TILELENS_LOCALITY_WORK_H
#define TILELENS_LOCALITY_WORK_H

#include <stdbool.h>

#include "locality_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In line reads of the plain engine, about 10 ns each. */
typedef struct tl_locality_work {
    double reference;
    double fast; /* if sets share simulations well; known where atoms are whole, else seen when the sets are built */
    bool is_sure;
} tl_locality_work;

tl_locality_work tl_locality_work_estimate(const tl_locality_config *config);

/** So many of so many sets would have to be simulated: would the plain engine take less time? */
bool tl_fast_is_slower(const tl_locality_config *config, uint32_t simulated, uint32_t sets);

/** Why the plain engine should run in place of the fast one, or null. */
const char *tl_fast_refusal(const tl_locality_config *config);

/** And this one, which may be found only after a start. */
#define TL_FAST_SLOWER "it takes less time than the fast one here"

#ifdef __cplusplus
}
#endif
#endif
