/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcyaml reports an error as a log: one line that says what is wrong, then a backtrace, innermost level first:
 *     Load: Unexpected key: box_dims
 *       in mapping (line: 5, column: 3)
 *       in mapping field 'tensor' (line: 1, column: 9)
 * The lines are collected here in a log context of the call, and then put together as one complaint.
 */
#include "yaml_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS_MAX = 8, KEY_BYTES = 32, PROBLEM_BYTES = 256, PATH_BYTES = 256, KEYS_BYTES = 1024 };

typedef enum level_kind { LEVEL_FIELD, LEVEL_MAPPING, LEVEL_LIST } level_kind;

typedef struct level {
    level_kind kind;
    char key[KEY_BYTES]; /* LEVEL_FIELD */
    unsigned entries;    /* LEVEL_LIST: entries begun, the one at fault included */
    unsigned line;
} level;

typedef struct yaml_log {
    char problem[PROBLEM_BYTES]; /* first error line */
    level levels[LEVELS_MAX];    /* innermost first */
    unsigned level_count;
    bool second_document;
} yaml_log;

/* True when `text` is a line of the backtrace; then *out is filled in. */
static bool read_level(const char *text, level *out)
{
    *out = (level){.kind = LEVEL_FIELD};
    if (sscanf(text, "  in mapping field '%31[^']' (line: %u", out->key, &out->line) == 2) {
        return true;
    }
    out->kind = LEVEL_LIST;
    if (sscanf(text, "  in sequence entry '%u' (line: %u", &out->entries, &out->line) == 2) {
        return true;
    }
    out->kind = LEVEL_MAPPING;
    return sscanf(text, "  in mapping (line: %u", &out->line) == 1;
}

__attribute__((format(printf, 3, 0))) static void collect(cyaml_log_t severity, void *context, const char *format,
                                                          va_list arguments)
{
    yaml_log *log = context;
    char text[PROBLEM_BYTES];
    (void)vsnprintf(text, sizeof text, format, arguments);
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\n') {
        text[length - 1] = '\0';
    }
    level found;
    if (severity == CYAML_LOG_WARNING) {
        log->second_document = log->second_document || strstr(text, "documents after first") != NULL;
    } else if (read_level(text, &found)) {
        if (log->level_count < LEVELS_MAX) {
            log->levels[log->level_count++] = found;
        }
    } else if (log->problem[0] == '\0' && strcmp(text, "Load: Backtrace:") != 0) {
        const char *start = strncmp(text, "Load: ", 6) == 0 ? text + 6 : text;
        (void)snprintf(log->problem, sizeof log->problem, "%s", start);
    }
}

/* Path of the levels from the outermost down to `innermost`, such as tensor.box_dim[1]. */
static void write_path(const yaml_log *log, unsigned innermost, char path[PATH_BYTES])
{
    path[0] = '\0';
    for (unsigned n = log->level_count; n-- > innermost;) {
        const level *at = &log->levels[n];
        if (at->kind == LEVEL_FIELD) {
            tl_append(path, PATH_BYTES, "%s%s", path[0] == '\0' ? "" : ".", at->key);
        } else if (at->kind == LEVEL_LIST && at->entries > 0) {
            tl_append(path, PATH_BYTES, "[%u]", at->entries - 1);
        }
    }
    if (path[0] == '\0') {
        tl_append(path, PATH_BYTES, "file");
    }
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_field_t *fields, const char *key)
{
    while (fields->key != NULL && strcmp(fields->key, key) != 0) {
        fields++;
    }
    return fields->key == NULL ? NULL : fields;
}

/* The keys of the mapping that holds the unknown key. */
static void list_keys(const tl_yaml_kind *kind, const yaml_log *log, char *text, size_t text_bytes)
{
    const cyaml_schema_field_t *fields = kind->schema->mapping.fields;
    for (unsigned n = log->level_count; n-- > 1;) {
        const cyaml_schema_field_t *field = find_field(fields, log->levels[n].key);
        if (field != NULL && field->value.type == CYAML_MAPPING) {
            fields = field->value.mapping.fields;
        }
    }
    text[0] = '\0';
    for (unsigned n = 0; fields[n].key != NULL; n++) {
        tl_append(text, text_bytes, "%s%s", n == 0 ? "" : ", ", fields[n].key);
    }
}

static int complain_unknown_key(const tl_yaml_kind *kind, const yaml_log *log, const char *key, const tl_complaint *to)
{
    char path[PATH_BYTES];
    char keys[KEYS_BYTES];
    write_path(log, 1, path);
    list_keys(kind, log, keys, sizeof keys);
    if (log->level_count <= 1) {
        path[0] = '\0';
    }
    tl_append(path, sizeof path, "%s%.64s", path[0] == '\0' ? "" : ".", key);
    return tl_complain(to, path, "an unknown key", "one of %s", keys);
}

/* "Expecting STRING, got event: SEQUENCE_START" */
static int complain_shape(const yaml_log *log, const tl_complaint *to)
{
    char path[PATH_BYTES];
    write_path(log, 0, path);
    const char *got = strstr(log->problem, "event: ");
    const char *found = "a single value";
    if (got != NULL && strstr(got, "SEQUENCE") != NULL) {
        found = "a list";
    } else if (got != NULL && strstr(got, "MAPPING") != NULL) {
        found = "a mapping";
    }
    const char *expected = "a single value";
    if (strncmp(log->problem, "Expecting SEQUENCE", 18) == 0) {
        expected = "a list";
    } else if (strncmp(log->problem, "Expecting MAPPING", 17) == 0) {
        expected = "a mapping";
    }
    return tl_complain(to, path, found, "%s", expected);
}

/* What no other rule names: text that is no YAML, or YAML that no file of this kind contains. */
static int complain_text(const tl_yaml_kind *kind, const yaml_log *log, const char *what, const tl_complaint *to)
{
    char path[PATH_BYTES] = "file";
    if (log->level_count > 0) {
        (void)snprintf(path, sizeof path, "line %u or below", log->levels[0].line);
    }
    return tl_complain(to, path, what, "a YAML %s file", kind->name);
}

static int complain(const tl_yaml_kind *kind, const yaml_log *log, cyaml_err_t error, const tl_complaint *to)
{
    static const char UNKNOWN_KEY[] = "Unexpected key: ";
    static const char LIBYAML[] = "libyaml: ";
    char path[PATH_BYTES];
    switch (error) {
    case CYAML_ERR_INVALID_KEY:
        if (strncmp(log->problem, UNKNOWN_KEY, sizeof UNKNOWN_KEY - 1) == 0) {
            return complain_unknown_key(kind, log, log->problem + sizeof UNKNOWN_KEY - 1, to);
        }
        break;
    case CYAML_ERR_INVALID_VALUE:
        return complain_shape(log, to);
    case CYAML_ERR_INVALID_ALIAS:
        return complain_text(kind, log, "an alias without an anchor", to);
    case CYAML_ERR_SEQUENCE_ENTRIES_MIN:
        write_path(log, 1, path);
        return tl_complain(to, path, "an empty list", "at least one entry");
    case CYAML_ERR_SEQUENCE_ENTRIES_MAX:
        write_path(log, 1, path);
        return tl_complain(to, path, "an endless list", "at most %u entries", kind->list_entries_max);
    case CYAML_ERR_UNEXPECTED_EVENT:
        if (strstr(log->problem, "already seen") != NULL) {
            write_path(log, 0, path);
            return tl_complain(to, path, "the key a second time", "it once");
        }
        break;
    case CYAML_ERR_LIBYAML_PARSER:
        if (strncmp(log->problem, LIBYAML, sizeof LIBYAML - 1) == 0) {
            char what[PROBLEM_BYTES + 16];
            (void)snprintf(what, sizeof what, "no YAML (%s)", log->problem + sizeof LIBYAML - 1);
            return complain_text(kind, log, what, to);
        }
        break;
    default:
        break;
    }
    return complain_text(kind, log, log->problem[0] != '\0' ? log->problem : cyaml_strerror(error), to);
}

static cyaml_config_t make_config(yaml_log *log)
{
    return (cyaml_config_t){.log_fn = collect,
                            .log_ctx = log,
                            .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_WARNING,
                            .flags = CYAML_CFG_DEFAULT};
}

int tl_yaml_load(const tl_yaml_kind *kind, const uint8_t *text, size_t text_bytes, void **out, const tl_complaint *to)
{
    yaml_log log = {.level_count = 0};
    const cyaml_config_t config = make_config(&log);
    cyaml_data_t *data = NULL;
    const cyaml_err_t error = cyaml_load_data(text, text_bytes, &config, kind->schema, &data, NULL);
    if (error != CYAML_OK) {
        return complain(kind, &log, error, to);
    }
    if (log.second_document) {
        tl_yaml_free(kind, data);
        return tl_complain(to, "file", "a second document", "one");
    }
    if (data == NULL) {
        return tl_complain(to, "file", "no content", "a %s file with the keys %s", kind->name, kind->keys);
    }
    *out = data;
    return 0;
}

void tl_yaml_free(const tl_yaml_kind *kind, void *data)
{
    yaml_log log = {.level_count = 0};
    const cyaml_config_t config = make_config(&log);
    (void)cyaml_free(&config, kind->schema, data, 0);
}
