/* SPDX-License-Identifier: Apache-2.0 */
/**
 * YAML text -> the structure of a libcyaml schema, with what libcyaml logs turned into one line.
 */
#ifndef TILELENS_YAML_TEXT_H
#define TILELENS_YAML_TEXT_H

#include <cyaml/cyaml.h>
#include <stdint.h>

#include "complaint.h"

/** A kind of file, and what the line of an error says of it. */
typedef struct tl_yaml_kind {
    const cyaml_schema_value_t *schema; /* a mapping */
    const char *name;                   /* "case" */
    const char *keys;                   /* "tensor and load", what an empty file lacks */
    unsigned list_entries_max;          /* what a list may hold at most by the rules of the file */
} tl_yaml_kind;

/** @return 0 and *out for tl_yaml_free, or 2 and a complaint. */
int tl_yaml_load(const tl_yaml_kind *kind, const uint8_t *text, size_t text_bytes, void **out, const tl_complaint *to);

void tl_yaml_free(const tl_yaml_kind *kind, void *data);

#endif
