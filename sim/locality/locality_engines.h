/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The two engines: lines of A and B through the chiplets' L2. And what both share: the writes of C.
 */
#ifndef TILELENS_LOCALITY_ENGINES_H
#define TILELENS_LOCALITY_ENGINES_H

#include "locality_result.h"

/** Every access, one at a time. @param progress  or null. @return false: too little memory */
bool tl_reference_run(const tl_locality_config *config, const tl_progress *progress, tl_locality_counters *out);

typedef enum tl_fast_outcome { TL_FAST_DONE, TL_FAST_NO_MEMORY, TL_FAST_IS_SLOWER } tl_fast_outcome;

/** Of a configuration without tl_fast_refusal. @param progress  or null. @param out  of use only when done */
tl_fast_outcome tl_fast_run(const tl_locality_config *config, const tl_progress *progress, tl_locality_counters *out);

/** Bytes of C by chiplet and home. */
void tl_output_count(const tl_locality_config *config, tl_locality_counters *out);

#endif
