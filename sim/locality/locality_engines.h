/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The two engines: lines of A and B through the chiplets' L2. And what both share: the writes of C.
 */
#ifndef TILELENS_LOCALITY_ENGINES_H
#define TILELENS_LOCALITY_ENGINES_H

#include "locality_result.h"

/** Every access, one at a time. @return false: too little memory */
bool tl_reference_run(const tl_locality_config *config, tl_locality_counters *out);

/** Why the fast engine does not apply, or null. */
const char *tl_fast_refusal(const tl_locality_config *config);

/** @return false: too little memory */
bool tl_fast_run(const tl_locality_config *config, tl_locality_counters *out);

/** Bytes of C by chiplet and home. */
void tl_output_count(const tl_locality_config *config, tl_locality_counters *out);

#endif
