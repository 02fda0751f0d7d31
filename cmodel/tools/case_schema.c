/* SPDX-License-Identifier: Apache-2.0 */
#include "case_schema.h"

/*
 * Every key is optional here, and lists may be longer than the rank: case_values.c says better than the YAML
 * library what is missing or too long. The limit on list entries only bounds memory.
 */
enum { LIST_ENTRIES_MAX = 64 };

static const cyaml_schema_value_t word = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, CYAML_UNLIMITED)};

#define WORD(key, type) CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_OPTIONAL, type, key, 0, CYAML_UNLIMITED)
#define LIST(key, type, entries_min)                                                                                   \
    CYAML_FIELD_SEQUENCE(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, type, key, &word, entries_min,                \
                         LIST_ENTRIES_MAX)
#define GROUP(key, type, fields) CYAML_FIELD_MAPPING_PTR(#key, CYAML_FLAG_OPTIONAL, type, key, fields)

static const cyaml_schema_field_t tensor_fields[] = {
    WORD(data_type, tl_tensor_text),
    WORD(global_address, tl_tensor_text),
    LIST(global_dim, tl_tensor_text, 1),
    LIST(global_strides, tl_tensor_text, 0), /* [] at rank 1 */
    LIST(box_dim, tl_tensor_text, 1),
    LIST(element_strides, tl_tensor_text, 1),
    WORD(interleave, tl_tensor_text),
    WORD(swizzle, tl_tensor_text),
    WORD(l2_promotion, tl_tensor_text),
    WORD(oob_fill, tl_tensor_text),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t tile_major_fields[] = {
    WORD(leading_stride, tl_tile_major_text),
    LIST(memory_tile, tl_tile_major_text, 1),
    WORD(matrix_address, tl_tile_major_text),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t load_fields[] = {
    LIST(coordinates, tl_load_text, 1),
    WORD(shared_address, tl_load_text),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t case_fields[] = {
    GROUP(tensor, tl_case_text, tensor_fields),
    GROUP(tile_major, tl_case_text, tile_major_fields),
    GROUP(load, tl_case_text, load_fields),
    CYAML_FIELD_END,
};

const cyaml_schema_value_t tl_case_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, tl_case_text, case_fields)};
