/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Truth tables of the boolean functions that Liberty files give to output pins.
 */
#ifndef TILELENS_GATES_FUNCTION_H
#define TILELENS_GATES_FUNCTION_H

#include <stdbool.h>

enum { TL_FUNCTION_INPUTS = 2, TL_FUNCTION_INVERTER = 0x5, TL_FUNCTION_NAND2 = 0x7 };

/**
 * Truth table of `text` over up to two inputs: bit n is the value where input 0 is bit 0 of n and input 1 bit 1
 * (with one input, the table repeats). Operators: ! ' * & blank + | ^ and parentheses.
 * @return false for anything else, constants and other names included
 */
bool tl_function_table(const char *text, const char *const *inputs, int input_count, unsigned *table);

#endif
