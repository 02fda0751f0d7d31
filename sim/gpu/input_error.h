/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What is wrong with an input, as the three parts of the line `FILE: PATH: found, expected`.
 */
#ifndef TILELENS_SIM_INPUT_ERROR_H
#define TILELENS_SIM_INPUT_ERROR_H

#include <stdbool.h>

#include "tilelens/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_input_error {
    char path[48];      /* a key, or "line 17" */
    char found[80];     /* what stood there */
    char expected[112]; /* what would be right */
} tl_input_error;

/** Fill in path and found; `expected` is a printf format. @return false, what a failed check returns */
__attribute__((format(printf, 4, 5))) bool tl_input_error_set(tl_input_error *error, const char *path,
                                                              const char *found, const char *expected, ...);

/** The same for a number that was found. */
__attribute__((format(printf, 4, 5))) bool tl_input_error_number(tl_input_error *error, const char *path, double found,
                                                                 const char *expected, ...);

/** The two parts of the C model's text for a status other than TL_OK. */
bool tl_input_error_status(tl_input_error *error, const char *path, tl_status status);

#ifdef __cplusplus
}
#endif
#endif
