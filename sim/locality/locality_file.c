/* SPDX-License-Identifier: Apache-2.0 */
/* Locality files and `--set` -> tl_locality_config. */
#include <stdlib.h>
#include <string.h>

#include "locality_key.h"
#include "text_file.h"
#include "yaml_text.h"

enum { FILE_BYTES = 65536, SETTING_BYTES = 256, NAMES_BYTES = 1024 };

/* The words of a file by key, and which groups stand in it. Absent ones are null. */
typedef struct file_group {
    char *word[TL_LOCALITY_KEY_COUNT];
} file_group;

typedef struct file_text {
    file_group *group[TL_LOCALITY_GROUP_COUNT];
} file_text;

typedef struct file_schema {
    cyaml_schema_field_t fields[TL_LOCALITY_KEY_COUNT + TL_LOCALITY_GROUP_COUNT]; /* of the groups, one after another */
    cyaml_schema_field_t groups[TL_LOCALITY_GROUP_COUNT + 1];
    cyaml_schema_value_t top;
} file_schema;

static void build_schema(file_schema *schema)
{
    unsigned used = 0;
    unsigned key = 0;
    for (unsigned g = 0; g < TL_LOCALITY_GROUP_COUNT; g++) {
        const cyaml_schema_field_t *start = &schema->fields[used];
        for (; key < TL_LOCALITY_KEY_COUNT && strcmp(tl_locality_keys[key].group, tl_locality_groups[g].name) == 0;
             key++) {
            schema->fields[used++] = (cyaml_schema_field_t){
                .key = tl_locality_keys[key].name,
                .data_offset = (uint32_t)(offsetof(file_group, word) + key * sizeof(char *)),
                .value = {CYAML_VALUE_STRING(CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)}};
        }
        schema->fields[used++] = (cyaml_schema_field_t){.key = NULL};
        schema->groups[g] = (cyaml_schema_field_t){
            .key = tl_locality_groups[g].name,
            .data_offset = (uint32_t)(offsetof(file_text, group) + g * sizeof(file_group *)),
            .value = {CYAML_VALUE_MAPPING(CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, file_group, start)}};
    }
    schema->groups[TL_LOCALITY_GROUP_COUNT] = (cyaml_schema_field_t){.key = NULL};
    schema->top = (cyaml_schema_value_t){CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, file_text, schema->groups)};
}

static int apply_text(const file_text *text, tl_locality_config *config, const tl_complaint *to)
{
    unsigned key = 0;
    int status = 0;
    for (unsigned g = 0; g < TL_LOCALITY_GROUP_COUNT && status == 0; g++) {
        const tl_locality_group *group = &tl_locality_groups[g];
        if (text->group[g] == NULL && !group->optional) {
            return tl_complain(to, group->name, "nothing", "a mapping");
        }
        for (; key < TL_LOCALITY_KEY_COUNT && strcmp(tl_locality_keys[key].group, group->name) == 0 && status == 0;
             key++) {
            const char *word = text->group[g] == NULL ? NULL : text->group[g]->word[key];
            if (word != NULL) {
                status = tl_locality_value_set(&tl_locality_keys[key], word, config, to);
            }
        }
    }
    return status;
}

static int read_file(const char *path, tl_locality_config *config, const tl_complaint *to)
{
    file_schema schema;
    uint8_t text[FILE_BYTES];
    size_t used = 0;
    void *data = NULL;
    build_schema(&schema);
    const tl_yaml_kind kind = {&schema.top, "locality", "gemm, layout, tile and traversal", 1};
    int status = tl_text_file_read(path, kind.name, text, sizeof text, &used, to);
    if (status == 0) {
        status = tl_yaml_load(&kind, text, used, &data, to);
    }
    if (status == 0) {
        status = apply_text(data, config, to);
        tl_yaml_free(&kind, data);
    }
    return status;
}

static int complain_key(const char *path, const tl_complaint *to)
{
    char names[NAMES_BYTES] = "";
    const char *dot = strchr(path, '.');
    const size_t group_length = dot == NULL ? 0 : (size_t)(dot - path);
    for (unsigned n = 0; n < TL_LOCALITY_KEY_COUNT; n++) {
        const tl_locality_key *key = &tl_locality_keys[n];
        if (strlen(key->group) == group_length && strncmp(key->group, path, group_length) == 0) {
            tl_append(names, sizeof names, "%s%s.%s", names[0] == '\0' ? "" : ", ", key->group, key->name);
        }
    }
    const bool known_group = names[0] != '\0';
    for (unsigned g = 0; g < TL_LOCALITY_GROUP_COUNT && !known_group; g++) {
        tl_append(names, sizeof names, "%s%s.KEY", g == 0 ? "" : ", ", tl_locality_groups[g].name);
    }
    return tl_complain(to, path[0] == '\0' ? "KEY=VALUE" : path, "an unknown key", "one of %s", names);
}

static int apply_setting(const char *setting, tl_locality_config *config, const tl_complaint *to)
{
    char text[SETTING_BYTES];
    if (strlen(setting) >= sizeof text) {
        return tl_complain(to, "KEY=VALUE", setting, "at most %zu characters", sizeof text - 1);
    }
    memcpy(text, setting, strlen(setting) + 1);
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        return tl_complain(to, "KEY=VALUE", text[0] == '\0' ? "nothing" : text, "a key, =, and its value");
    }
    *equals = '\0';
    const tl_locality_key *key = tl_locality_key_find(text);
    return key == NULL ? complain_key(text, to) : tl_locality_value_set(key, equals + 1, config, to);
}

int tl_locality_set(const char *setting, tl_locality_config *config, char *error, size_t error_bytes)
{
    const tl_complaint to = {"--set", error, error_bytes};
    return apply_setting(setting, config, &to);
}

int tl_locality_load(const char *path, const char *const *settings, size_t setting_count, tl_locality_config *out,
                     char *error, size_t error_bytes)
{
    const tl_complaint to = {path, error, error_bytes};
    tl_locality_config config;
    tl_locality_defaults(&config);
    int status = read_file(path, &config, &to);
    for (size_t n = 0; n < setting_count && status == 0; n++) {
        status = tl_locality_set(settings[n], &config, error, error_bytes);
    }
    if (status == 0) {
        status = tl_locality_check(&config, path, error, error_bytes);
    }
    if (status == 0) {
        *out = config;
    }
    return status;
}
