/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The libcyaml schema of a configuration file, made from the rows of config_key.h. Words are kept as text, so that
 * config_value.c can quote what it refuses.
 */
#ifndef TILELENS_SIM_CONFIG_SCHEMA_H
#define TILELENS_SIM_CONFIG_SCHEMA_H

#include <cyaml/cyaml.h>

#include "config_key.h"

/** Values of a file by key, counted over all groups in the order of tl_config_groups. Absent ones are null. */
typedef struct tl_config_text {
    char *word[TL_CONFIG_KEYS_MAX];
    char **list[TL_CONFIG_KEYS_MAX];
    unsigned list_count[TL_CONFIG_KEYS_MAX];
} tl_config_text;

typedef struct tl_config_schema {
    cyaml_schema_field_t fields[TL_CONFIG_KEYS_MAX + 3 * TL_CONFIG_GROUP_COUNT];
    unsigned field_count;
    cyaml_schema_value_t entry; /* of a list */
    cyaml_schema_value_t top;
} tl_config_schema;

/** Which top-level keys a file may have. */
typedef enum tl_config_file_kind {
    TL_CONFIG_FILE_RUN,
    TL_CONFIG_FILE_SYSTEM,
    TL_CONFIG_FILE_WORKLOAD
} tl_config_file_kind;

/** The schema points into itself: it stays where it is built. */
void tl_config_schema_build(tl_config_file_kind kind, tl_config_schema *schema);

#endif
