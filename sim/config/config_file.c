/* SPDX-License-Identifier: Apache-2.0 */
#include "config_file.h"

#include <stdlib.h>
#include <string.h>

#include "config_rules.h"
#include "config_schema.h"
#include "config_setting.h"
#include "config_value.h"
#include "text_file.h"
#include "yaml_text.h"

enum { FILE_BYTES = 65536, FOUND_BYTES = 128 };

/* A file that was read: its text by key, and the schema that frees it. */
typedef struct config_layer {
    const char *path; /* null: no such file */
    tl_config_schema schema;
    tl_yaml_kind kind;
    tl_config_text *text;
} config_layer;

/* The three files of a run; later ones win. */
enum { SYSTEM_LAYER, WORKLOAD_LAYER, RUN_LAYER, LAYER_COUNT };

typedef struct config_layers {
    config_layer layer[LAYER_COUNT];
    const char *const *settings;
    size_t setting_count;
    char *error;
    size_t error_bytes;
} config_layers;

static int read_layer(config_layers *layers, unsigned which, const char *path)
{
    static const struct {
        tl_config_file_kind file_kind;
        const char *name, *keys;
    } kinds[LAYER_COUNT] = {
        [SYSTEM_LAYER] = {TL_CONFIG_FILE_SYSTEM, "system", "system"},
        [WORKLOAD_LAYER] = {TL_CONFIG_FILE_WORKLOAD, "workload", "workload"},
        [RUN_LAYER] = {TL_CONFIG_FILE_RUN, "configuration", "system_file and workload_file"},
    };
    config_layer *layer = &layers->layer[which];
    const tl_complaint to = {path, layers->error, layers->error_bytes};
    layer->path = path;
    tl_config_schema_build(kinds[which].file_kind, &layer->schema);
    layer->kind = (tl_yaml_kind){&layer->schema.top, kinds[which].name, kinds[which].keys, 2};
    uint8_t text[FILE_BYTES];
    size_t used = 0;
    const int status = tl_text_file_read(path, layer->kind.name, text, sizeof text, &used, &to);
    if (status != 0) {
        return status;
    }
    void *data = NULL;
    const int load_status = tl_yaml_load(&layer->kind, text, used, &data, &to);
    layer->text = data;
    return load_status;
}

static int apply_key(const tl_config_text *text, unsigned index, const tl_config_key *key, const char *path,
                     tl_config *config, const tl_complaint *to)
{
    if (text->list[index] != NULL) {
        const tl_config_words list = {(const char *const *)text->list[index], text->list_count[index], true};
        return tl_config_value_set(key, path, &list, config, to);
    }
    if (text->word[index] != NULL) {
        const char *word = text->word[index];
        const tl_config_words single = {&word, 1, false};
        return tl_config_value_set(key, path, &single, config, to);
    }
    return 0;
}

static int apply_layer(const config_layers *layers, unsigned which, tl_config *config)
{
    const config_layer *layer = &layers->layer[which];
    const tl_complaint to = {layer->path, layers->error, layers->error_bytes};
    unsigned index = 0;
    int status = 0;
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT && layer->text != NULL; g++) {
        const tl_config_group *group = tl_config_groups[g];
        for (unsigned k = 0; k < group->key_count && status == 0; k++) {
            char path[TL_CONFIG_KEY_PATH_BYTES];
            tl_config_key_path(group, &group->keys[k], path);
            status = apply_key(layer->text, index++, &group->keys[k], path, config, &to);
        }
    }
    return status;
}

/* A path that CONFIG names is relative to its folder. */
static int resolve_path(const config_layers *layers, const char *key, char path[TL_CONFIG_PATH_BYTES])
{
    const char *config_path = layers->layer[RUN_LAYER].path;
    const char *slash = strrchr(config_path, '/');
    const size_t folder_length = slash == NULL ? 0 : (size_t)(slash - config_path) + 1;
    const size_t length = strlen(path);
    if (length == 0 || path[0] == '/' || folder_length == 0) {
        return 0;
    }
    if (folder_length + length >= TL_CONFIG_PATH_BYTES) {
        const tl_complaint to = {config_path, layers->error, layers->error_bytes};
        return tl_complain(&to, key, path, "a path of at most %d characters", TL_CONFIG_PATH_BYTES - 1);
    }
    memmove(path + folder_length, path, length + 1);
    memcpy(path, config_path, folder_length);
    return 0;
}

static void set_defaults(tl_config *config)
{
    memset(config, 0, sizeof *config);
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        for (unsigned k = 0; k < tl_config_groups[g]->key_count; k++) {
            tl_config_value_default(&tl_config_groups[g]->keys[k], config);
        }
    }
}

/* Defaults, the files that were read so far, and the settings. */
static int apply_all(const config_layers *layers, tl_config *config)
{
    const tl_complaint to = {"--set", layers->error, layers->error_bytes};
    set_defaults(config);
    int status = 0;
    for (unsigned n = 0; n < LAYER_COUNT && status == 0; n++) {
        status = apply_layer(layers, n, config);
    }
    if (status == 0) {
        status = resolve_path(layers, "system_file", config->system_file);
    }
    if (status == 0) {
        status = resolve_path(layers, "workload_file", config->workload_file);
    }
    for (size_t n = 0; n < layers->setting_count && status == 0; n++) {
        status = tl_config_setting_apply(layers->settings[n], config, &to);
    }
    return status;
}

/* CONFIG and the settings say which files there are more; with those, everything is applied again. */
static int load_layers(config_layers *layers, const char *path, tl_config *config)
{
    tl_config named;
    int status = read_layer(layers, RUN_LAYER, path);
    if (status == 0) {
        status = apply_all(layers, &named);
    }
    if (status == 0 && named.system_file[0] != '\0') {
        status = read_layer(layers, SYSTEM_LAYER, named.system_file);
    }
    if (status == 0 && named.workload_file[0] != '\0') {
        status = read_layer(layers, WORKLOAD_LAYER, named.workload_file);
    }
    return status != 0 ? status : apply_all(layers, config);
}

int tl_config_load(const char *path, const char *const *settings, size_t setting_count, tl_config *out, char *error,
                   size_t error_bytes)
{
    const tl_complaint to = {path, error, error_bytes};
    config_layers *layers = calloc(1, sizeof *layers);
    if (layers == NULL) {
        return tl_complain(&to, "file", "too little memory", "some for its text");
    }
    layers->settings = settings;
    layers->setting_count = setting_count;
    layers->error = error;
    layers->error_bytes = error_bytes;
    tl_config config;
    int status = load_layers(layers, path, &config);
    for (unsigned n = 0; n < LAYER_COUNT; n++) {
        if (layers->layer[n].text != NULL) {
            tl_yaml_free(&layers->layer[n].kind, layers->layer[n].text);
        }
    }
    free(layers);
    if (status != 0) {
        return status;
    }
    config.workload.model.weight_layout = (tl_weight_layout)config.layout;
    status = tl_config_rules_check(&config, &to);
    if (status != 0) {
        return status;
    }
    if (config.system.placement.weights != TL_CONFIG_MEMORY_HBF) {
        config.prefetch = TL_CONFIG_PREFETCH_NONE;
    }
    *out = config;
    return 0;
}
