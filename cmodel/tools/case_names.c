/* SPDX-License-Identifier: Apache-2.0 */
#include "case_names.h"

#include <string.h>

#include "complaint.h"

const char *const tl_data_type_names[TL_DATA_TYPE_COUNT] = {
    [TL_UINT8] = "uint8",
    [TL_UINT16] = "uint16",
    [TL_UINT32] = "uint32",
    [TL_INT32] = "int32",
    [TL_UINT64] = "uint64",
    [TL_INT64] = "int64",
    [TL_FLOAT16] = "float16",
    [TL_FLOAT32] = "float32",
    [TL_FLOAT64] = "float64",
    [TL_BFLOAT16] = "bfloat16",
    [TL_FLOAT32_FTZ] = "float32_ftz",
    [TL_TFLOAT32] = "tfloat32",
    [TL_TFLOAT32_FTZ] = "tfloat32_ftz",
    [TL_16U4_ALIGN8B] = "16u4_align8b",
    [TL_16U4_ALIGN16B] = "16u4_align16b",
    [TL_16U6_ALIGN16B] = "16u6_align16b",
};

const char *const tl_interleave_names[TL_INTERLEAVE_COUNT] = {
    [TL_INTERLEAVE_NONE] = "none",
    [TL_INTERLEAVE_16B] = "16B",
    [TL_INTERLEAVE_32B] = "32B",
};

const char *const tl_swizzle_names[TL_SWIZZLE_COUNT] = {
    [TL_SWIZZLE_NONE] = "none",
    [TL_SWIZZLE_32B] = "32B",
    [TL_SWIZZLE_64B] = "64B",
    [TL_SWIZZLE_128B] = "128B",
    [TL_SWIZZLE_128B_ATOM_32B] = "128B_atom_32B",
    [TL_SWIZZLE_128B_ATOM_32B_FLIP_8B] = "128B_atom_32B_flip_8B",
    [TL_SWIZZLE_128B_ATOM_64B] = "128B_atom_64B",
};

const char *const tl_l2_promotion_names[TL_L2_PROMOTION_COUNT] = {
    [TL_L2_NONE] = "none",
    [TL_L2_64B] = "64B",
    [TL_L2_128B] = "128B",
    [TL_L2_256B] = "256B",
};

const char *const tl_oob_fill_names[TL_OOB_FILL_COUNT] = {
    [TL_OOB_ZERO] = "none",
    [TL_OOB_NAN] = "nan",
};

const char *const tl_variant_names[TL_VARIANT_COUNT] = {
    [TL_BASELINE] = "baseline",
    [TL_PAPER] = "paper",
    [TL_GENERAL] = "general",
};

int tl_name_find(const char *const names[], int name_count, const char *name)
{
    for (int value = 0; value < name_count; value++) {
        if (strcmp(names[value], name) == 0) {
            return value;
        }
    }
    return -1;
}

void tl_name_list(const char *const names[], int name_count, char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (int value = 0; value < name_count; value++) {
        tl_append(text, text_bytes, "%s%s", value == 0 ? "" : ", ", names[value]);
    }
}
