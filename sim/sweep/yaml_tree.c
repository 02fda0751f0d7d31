/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml_tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256, EXPECTED_BYTES = 1024, DEPTH_MAX = 12 };

/* ---- loading ----------------------------------------------------------------------------------------------------- */

static int complain_text(const yaml_parser_t *parser, const char *kind, const tl_complaint *to)
{
    char path[32];
    char found[PATH_BYTES];
    (void)snprintf(path, sizeof path, "line %zu", parser->problem_mark.line + 1);
    (void)snprintf(found, sizeof found, "no YAML (%s)", parser->problem == NULL ? "unreadable" : parser->problem);
    return tl_complain(to, path, found, "a YAML %s file", kind);
}

/* Nothing may follow the document. */
static int check_end(yaml_parser_t *parser, const char *kind, const tl_complaint *to)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        return complain_text(parser, kind, to);
    }
    const bool more = yaml_document_get_root_node(&next) != NULL;
    yaml_document_delete(&next);
    return more ? tl_complain(to, "file", "a second document", "one") : 0;
}

int tl_tree_load(tl_tree *tree, const uint8_t *text, size_t text_bytes, const char *kind, const tl_complaint *to)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return tl_complain(to, "file", "too little memory", "some for its text");
    }
    yaml_parser_set_input_string(&parser, text, text_bytes);
    tree->to = *to;
    int status = 0;
    if (!yaml_parser_load(&parser, &tree->document)) {
        status = complain_text(&parser, kind, to);
    } else {
        status = tl_tree_root(tree) == NULL ? tl_complain(to, "file", "no content", "a %s file", kind)
                                            : check_end(&parser, kind, to);
        if (status != 0) {
            yaml_document_delete(&tree->document);
        }
    }
    yaml_parser_delete(&parser);
    return status;
}

void tl_tree_free(tl_tree *tree)
{
    yaml_document_delete(&tree->document);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

yaml_node_t *tl_tree_root(tl_tree *tree)
{
    return yaml_document_get_root_node(&tree->document);
}

size_t tl_tree_size(const yaml_node_t *node)
{
    if (node != NULL && node->type == YAML_MAPPING_NODE) {
        return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    }
    if (node != NULL && node->type == YAML_SEQUENCE_NODE) {
        return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    }
    return 0;
}

tl_tree_entry tl_tree_entry_at(tl_tree *tree, yaml_node_t *node, size_t index)
{
    tl_tree_entry entry = {NULL, NULL, NULL};
    if (node->type == YAML_MAPPING_NODE) {
        const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[index];
        entry.key_node = yaml_document_get_node(&tree->document, pair->key);
        entry.key = tl_tree_text(entry.key_node);
        entry.value = yaml_document_get_node(&tree->document, pair->value);
    } else {
        entry.value = yaml_document_get_node(&tree->document, node->data.sequence.items.start[index]);
    }
    return entry;
}

/* `length` characters of `key`. */
static yaml_node_t *get(tl_tree *tree, yaml_node_t *mapping, const char *key, size_t length)
{
    if (mapping == NULL || mapping->type != YAML_MAPPING_NODE) {
        return NULL;
    }
    for (size_t n = 0; n < tl_tree_size(mapping); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(tree, mapping, n);
        if (entry.key != NULL && strlen(entry.key) == length && memcmp(entry.key, key, length) == 0) {
            return entry.value;
        }
    }
    return NULL;
}

yaml_node_t *tl_tree_get(tl_tree *tree, yaml_node_t *mapping, const char *key)
{
    return get(tree, mapping, key, strlen(key));
}

yaml_node_t *tl_tree_get_path(tl_tree *tree, const char *path)
{
    yaml_node_t *node = tl_tree_root(tree);
    while (node != NULL) {
        const size_t length = strcspn(path, ".");
        node = get(tree, node, path, length);
        if (path[length] == '\0') {
            break;
        }
        path += length + 1;
    }
    return node;
}

const char *tl_tree_text(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

bool tl_tree_is_empty(const yaml_node_t *node)
{
    const char *text = tl_tree_text(node);
    return text != NULL && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

/* ---- complaints -------------------------------------------------------------------------------------------------- */

/* Write the path from `from` to `node`; a key and its value have the same. @return false: not below `from` */
static bool find_path(tl_tree *tree, yaml_node_t *from, const yaml_node_t *node, unsigned depth, char path[PATH_BYTES])
{
    if (from == node) {
        return true;
    }
    const size_t length = strlen(path);
    for (size_t n = 0; depth < DEPTH_MAX && n < tl_tree_size(from); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(tree, from, n);
        if (entry.key != NULL) {
            tl_append(path, PATH_BYTES, "%s%.64s", length == 0 ? "" : ".", entry.key);
        } else {
            tl_append(path, PATH_BYTES, "[%zu]", n);
        }
        if (entry.key_node == node || find_path(tree, entry.value, node, depth + 1, path)) {
            return true;
        }
        path[length] = '\0';
    }
    return false;
}

static int refuse(tl_tree *tree, const yaml_node_t *node, const char *found, const char *expected)
{
    char path[PATH_BYTES] = "";
    (void)find_path(tree, tl_tree_root(tree), node, 0, path);
    return tl_complain(&tree->to, path[0] == '\0' ? "file" : path, found, "%s", expected);
}

int tl_tree_refuse_as(tl_tree *tree, const yaml_node_t *node, const char *found, const char *expected, ...)
{
    char text[EXPECTED_BYTES];
    va_list arguments;
    va_start(arguments, expected);
    (void)vsnprintf(text, sizeof text, expected, arguments);
    va_end(arguments);
    return refuse(tree, node, found, text);
}

static const char *describe(const yaml_node_t *node)
{
    if (node != NULL && node->type == YAML_MAPPING_NODE) {
        return "a mapping";
    }
    if (node != NULL && node->type == YAML_SEQUENCE_NODE) {
        return "a list";
    }
    return node == NULL || tl_tree_is_empty(node) ? "nothing" : tl_tree_text(node);
}

int tl_tree_refuse(tl_tree *tree, const yaml_node_t *node, const char *expected, ...)
{
    char text[EXPECTED_BYTES];
    va_list arguments;
    va_start(arguments, expected);
    (void)vsnprintf(text, sizeof text, expected, arguments);
    va_end(arguments);
    return refuse(tree, node, describe(node), text);
}

/* ---- checked reading --------------------------------------------------------------------------------------------- */

static bool is_line(const char *text)
{
    while ((unsigned char)*text >= ' ' && *text != 0x7f) {
        text++;
    }
    return *text == '\0';
}

int tl_tree_check_mapping(tl_tree *tree, yaml_node_t *node)
{
    if (node == NULL || node->type != YAML_MAPPING_NODE) {
        return tl_tree_refuse(tree, node, "a mapping");
    }
    for (size_t n = 0; n < tl_tree_size(node); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(tree, node, n);
        if (entry.key == NULL || entry.key[0] == '\0' || !is_line(entry.key)) {
            return tl_tree_refuse(tree, entry.key_node, "a word as key");
        }
        if (tl_tree_get(tree, node, entry.key) != entry.value) {
            return tl_tree_refuse_as(tree, entry.key_node, "the key a second time", "it once");
        }
    }
    return 0;
}

static int find_name(const char *const *names, const char *text)
{
    for (int n = 0; names[n] != NULL; n++) {
        if (strcmp(names[n], text) == 0) {
            return n;
        }
    }
    return -1;
}

static const char *list_names(const char *const *names, char text[EXPECTED_BYTES])
{
    text[0] = '\0';
    for (int n = 0; names[n] != NULL; n++) {
        tl_append(text, EXPECTED_BYTES, "%s%s", n == 0 ? "" : ", ", names[n]);
    }
    return text;
}

int tl_tree_check_keys(tl_tree *tree, yaml_node_t *node, const char *const *names)
{
    char list[EXPECTED_BYTES];
    int status = tl_tree_check_mapping(tree, node);
    for (size_t n = 0; status == 0 && n < tl_tree_size(node); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(tree, node, n);
        if (find_name(names, entry.key) < 0) {
            status = tl_tree_refuse_as(tree, entry.key_node, "an unknown key", "one of %s", list_names(names, list));
        }
    }
    return status;
}

int tl_tree_need(tl_tree *tree, yaml_node_t *mapping, const char *key, yaml_node_t **out)
{
    *out = tl_tree_get(tree, mapping, key);
    return *out != NULL ? 0 : tl_tree_refuse_as(tree, mapping, "too little", "the key %s too", key);
}

int tl_tree_read_text(tl_tree *tree, yaml_node_t *node, const char **out)
{
    if (tl_tree_text(node) == NULL || tl_tree_is_empty(node) || !is_line(tl_tree_text(node))) {
        return tl_tree_refuse(tree, node, "one line of text");
    }
    *out = tl_tree_text(node);
    return 0;
}

int tl_tree_read_number(tl_tree *tree, yaml_node_t *node, double low, double high, double *out)
{
    const char *text = tl_tree_text(node);
    char *end = NULL;
    const double value = text == NULL ? 0 : strtod(text, &end);
    if (text == NULL || end == text || *end != '\0' || !isfinite(value) || value < low || value > high) {
        return tl_tree_refuse(tree, node, "a number from %g to %g", low, high);
    }
    *out = value;
    return 0;
}

int tl_tree_read_choice(tl_tree *tree, yaml_node_t *node, const char *const *names, int *out)
{
    char list[EXPECTED_BYTES];
    const char *text = tl_tree_text(node);
    const int found = text == NULL ? -1 : find_name(names, text);
    if (found < 0) {
        return tl_tree_refuse(tree, node, "one of %s", list_names(names, list));
    }
    *out = found;
    return 0;
}
