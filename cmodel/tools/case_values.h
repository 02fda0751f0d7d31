/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Words of a case file -> the parameters of the C library: numbers, names, list lengths, required keys, defaults.
 */
#ifndef TILELENS_CASE_VALUES_H
#define TILELENS_CASE_VALUES_H

#include "case_file.h"
#include "case_schema.h"
#include "complaint.h"

/** @return 0, or 2 and a complaint; *out is then partly filled. */
int tl_case_values(const tl_case_text *text, tl_case *out, const tl_complaint *to);

#endif
