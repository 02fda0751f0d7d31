/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How many sets the fast engine builds at once, so that its tables stay within their memory.
 */
#ifndef TILELENS_SET_PORTION_H
#define TILELENS_SET_PORTION_H

#include "set_table.h"

/** Facts of both tables are known; nothing needs to be built. @return 0: not even one set fits */
uint32_t tl_set_portion(const tl_set_table tables[TL_OPERANDS]);

/** The most K-steps that touch one set, about. */
uint64_t tl_set_touched_steps(const tl_set_table tables[TL_OPERANDS]);

#endif
