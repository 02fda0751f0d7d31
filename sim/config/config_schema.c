/* SPDX-License-Identifier: Apache-2.0 */
#include "config_schema.h"

#include <string.h>

enum { LIST_ENTRIES_MAX = 64 }; /* only bounds memory: config_value.c says how many there may be */

static unsigned first_index(unsigned group)
{
    unsigned index = 0;
    for (unsigned n = 0; n < group; n++) {
        index += tl_config_groups[n]->key_count;
    }
    return index;
}

static cyaml_schema_field_t key_field(const tl_config_schema *schema, const tl_config_key *key, unsigned index)
{
    cyaml_schema_field_t field = {.key = key->name};
    if (key->type == TL_CONFIG_PAIR) {
        field.data_offset = (uint32_t)(offsetof(tl_config_text, list) + index * sizeof(char **));
        field.count_offset = (uint32_t)(offsetof(tl_config_text, list_count) + index * sizeof(unsigned));
        field.count_size = sizeof(unsigned);
        field.value = (cyaml_schema_value_t){CYAML_VALUE_SEQUENCE(CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, char *,
                                                                  &schema->entry, 1, LIST_ENTRIES_MAX)};
    } else {
        field.data_offset = (uint32_t)(offsetof(tl_config_text, word) + index * sizeof(char *));
        field.value = (cyaml_schema_value_t){
            CYAML_VALUE_STRING(CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
    }
    return field;
}

static void add_keys(tl_config_schema *schema, unsigned group)
{
    const unsigned index = first_index(group);
    for (unsigned n = 0; n < tl_config_groups[group]->key_count; n++) {
        schema->fields[schema->field_count++] = key_field(schema, &tl_config_groups[group]->keys[n], index + n);
    }
}

/* A mapping whose values lie in the same tl_config_text as those around it. */
static void add_mapping(tl_config_schema *schema, const char *key, const cyaml_schema_field_t *fields)
{
    schema->fields[schema->field_count++] =
        (cyaml_schema_field_t){.key = key, .value = {CYAML_VALUE_MAPPING(CYAML_FLAG_OPTIONAL, tl_config_text, fields)}};
}

/* Close the list of fields that begins at `start` with the entry without a key. */
static const cyaml_schema_field_t *end_fields(tl_config_schema *schema, const cyaml_schema_field_t *start)
{
    schema->fields[schema->field_count++] = (cyaml_schema_field_t){.key = NULL};
    return start;
}

/* Group `name`, its keys first, then a mapping for each group `name.X`; their fields are in `inner` by group. */
static const cyaml_schema_field_t *add_group(tl_config_schema *schema, const char *name,
                                             const cyaml_schema_field_t *const inner[])
{
    const cyaml_schema_field_t *start = &schema->fields[schema->field_count];
    const size_t length = strlen(name);
    for (unsigned n = 0; n < TL_CONFIG_GROUP_COUNT; n++) {
        if (strcmp(tl_config_groups[n]->name, name) == 0) {
            add_keys(schema, n);
        }
    }
    for (unsigned n = 0; inner != NULL && n < TL_CONFIG_GROUP_COUNT; n++) {
        if (inner[n] != NULL) {
            add_mapping(schema, tl_config_groups[n]->name + length + 1, inner[n]);
        }
    }
    return end_fields(schema, start);
}

void tl_config_schema_build(tl_config_file_kind kind, tl_config_schema *schema)
{
    schema->field_count = 0;
    schema->entry = (cyaml_schema_value_t){CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, CYAML_UNLIMITED)};

    const cyaml_schema_field_t *members[TL_CONFIG_GROUP_COUNT] = {NULL};
    for (unsigned n = 0; n < TL_CONFIG_GROUP_COUNT; n++) {
        if (strncmp(tl_config_groups[n]->name, "system.", 7) == 0) {
            members[n] = add_group(schema, tl_config_groups[n]->name, NULL);
        }
    }
    const cyaml_schema_field_t *system = add_group(schema, "system", members);
    const cyaml_schema_field_t *workload = add_group(schema, "workload", NULL);

    const cyaml_schema_field_t *top = &schema->fields[schema->field_count];
    if (kind == TL_CONFIG_FILE_RUN) {
        add_keys(schema, 0);
    }
    if (kind != TL_CONFIG_FILE_WORKLOAD) {
        add_mapping(schema, "system", system);
    }
    if (kind != TL_CONFIG_FILE_SYSTEM) {
        add_mapping(schema, "workload", workload);
    }
    (void)end_fields(schema, top);
    schema->top = (cyaml_schema_value_t){CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, tl_config_text, top)};
}
