/* SPDX-License-Identifier: Apache-2.0 */
/**
 * YAML (or JSON) text as a tree of nodes, for files whose keys the user chooses and a fixed schema cannot list.
 */
#ifndef TILELENS_SWEEP_YAML_TREE_H
#define TILELENS_SWEEP_YAML_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

#include "complaint.h"

/** Nodes, and the text they point to, live until tl_tree_free. */
typedef struct tl_tree {
    yaml_document_t document;
    tl_complaint to; /* where complaints about a node go */
} tl_tree;

/** One key of a mapping, or one entry of a list. */
typedef struct tl_tree_entry {
    const char *key;       /* null in a list */
    yaml_node_t *key_node; /* null in a list */
    yaml_node_t *value;
} tl_tree_entry;

/** @param kind  "figure", of the complaint  @return 0 and a tree to free, or 2 and a complaint */
int tl_tree_load(tl_tree *tree, const uint8_t *text, size_t text_bytes, const char *kind, const tl_complaint *to);
void tl_tree_free(tl_tree *tree);

yaml_node_t *tl_tree_root(tl_tree *tree);

/** Null without such a key, or when `mapping` is null or no mapping. */
yaml_node_t *tl_tree_get(tl_tree *tree, yaml_node_t *mapping, const char *key);

/** As tl_tree_get through mappings in mappings: `latency_ns.p50`. */
yaml_node_t *tl_tree_get_path(tl_tree *tree, const char *path);

/** Entries of a mapping or list; 0 of anything else, and of null. */
size_t tl_tree_size(const yaml_node_t *node);
tl_tree_entry tl_tree_entry_at(tl_tree *tree, yaml_node_t *node, size_t index);

/** Text of a single value, null for anything else. */
const char *tl_tree_text(const yaml_node_t *node);

/** Nothing, `~` or `null`, without quotes. */
bool tl_tree_is_empty(const yaml_node_t *node);

/** Complain about a node by its path. @return 2 */
__attribute__((format(printf, 3, 4))) int tl_tree_refuse(tl_tree *tree, const yaml_node_t *node, const char *expected,
                                                         ...);

/** The same with another finding than the node's own text. */
__attribute__((format(printf, 4, 5))) int tl_tree_refuse_as(tl_tree *tree, const yaml_node_t *node, const char *found,
                                                            const char *expected, ...);

/** A mapping whose keys are single lines, each there once. @return 0, or 2 and a complaint */
int tl_tree_check_mapping(tl_tree *tree, yaml_node_t *node);

/** The same, with no keys but those of `names`, which ends in null. */
int tl_tree_check_keys(tl_tree *tree, yaml_node_t *node, const char *const *names);

/** The value of a key that must be there. @return 0, or 2 and a complaint */
int tl_tree_need(tl_tree *tree, yaml_node_t *mapping, const char *key, yaml_node_t **out);

/** A single value of one line that is not empty. */
int tl_tree_read_text(tl_tree *tree, yaml_node_t *node, const char **out);

/** Decimal, within the limits. */
int tl_tree_read_number(tl_tree *tree, yaml_node_t *node, double low, double high, double *out);

/** Index of the text in `names`, which ends in null. */
int tl_tree_read_choice(tl_tree *tree, yaml_node_t *node, const char *const *names, int *out);

#endif
