/* SPDX-License-Identifier: Apache-2.0 */
/**
 * YAML text of a case file -> tl_case_text.
 */
#ifndef TILELENS_CASE_YAML_H
#define TILELENS_CASE_YAML_H

#include <stdint.h>

#include "case_schema.h"
#include "complaint.h"

/** @return 0 and *out for tl_case_yaml_free, or 2 and a complaint. */
int tl_case_yaml_load(const uint8_t *text, size_t text_bytes, tl_case_text **out, const tl_complaint *to);

void tl_case_yaml_free(tl_case_text *text);

#endif
