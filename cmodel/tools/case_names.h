/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Words of a case file for the enumerations of tensor_map.h and for the variants; index = value.
 */
#ifndef TILELENS_CASE_NAMES_H
#define TILELENS_CASE_NAMES_H

#include <stddef.h>

#include "tilelens/desc_decode.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const char *const tl_data_type_names[TL_DATA_TYPE_COUNT];
extern const char *const tl_interleave_names[TL_INTERLEAVE_COUNT];
extern const char *const tl_swizzle_names[TL_SWIZZLE_COUNT];
extern const char *const tl_l2_promotion_names[TL_L2_PROMOTION_COUNT];
extern const char *const tl_oob_fill_names[TL_OOB_FILL_COUNT];
extern const char *const tl_variant_names[TL_VARIANT_COUNT];

/** Value of `name`, or -1. */
int tl_name_find(const char *const names[], int name_count, const char *name);

/** "x, y, z" */
void tl_name_list(const char *const names[], int name_count, char *text, size_t text_bytes);

#ifdef __cplusplus
}
#endif
#endif
