/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The shape of a case file: which keys there are, and whether each holds a word, a list or a mapping. Words are
 * kept as text, so that case_values.c can quote what it refuses.
 */
#ifndef TILELENS_CASE_SCHEMA_H
#define TILELENS_CASE_SCHEMA_H

#include <cyaml/cyaml.h>

/** Absent keys are null; `name_count` is the number of entries of the list `name`. */
typedef struct tl_tensor_text {
    char *data_type;
    char *global_address;
    char **global_dim;
    char **global_strides;
    char **box_dim;
    char **element_strides;
    char *interleave;
    char *swizzle;
    char *l2_promotion;
    char *oob_fill;
    unsigned global_dim_count;
    unsigned global_strides_count;
    unsigned box_dim_count;
    unsigned element_strides_count;
} tl_tensor_text;

typedef struct tl_tile_major_text {
    char *leading_stride;
    char **memory_tile;
    char *matrix_address;
    unsigned memory_tile_count;
} tl_tile_major_text;

typedef struct tl_load_text {
    char **coordinates;
    char *shared_address;
    unsigned coordinates_count;
} tl_load_text;

typedef struct tl_case_text {
    tl_tensor_text *tensor;
    tl_tile_major_text *tile_major;
    tl_load_text *load;
} tl_case_text;

extern const cyaml_schema_value_t tl_case_schema;

#endif
