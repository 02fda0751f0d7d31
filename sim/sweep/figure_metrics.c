/* SPDX-License-Identifier: Apache-2.0 */
/* The groups `metrics` and `paper` of a figure file. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "figure_read.h"

static const double DEFAULT_TOLERANCE = 0.05;

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

/* One key or a list of keys; none where `node` is null. */
static int read_sum(tl_figure *figure, yaml_node_t *node, tl_key_sum *out)
{
    out->count = 0;
    if (node == NULL) {
        return 0;
    }
    if (node->type != YAML_SEQUENCE_NODE) {
        out->count = 1;
        return tl_tree_read_text(&figure->tree, node, &out->keys[0]);
    }
    const size_t count = tl_tree_size(node);
    if (count == 0 || count > TL_FIGURE_SUM_KEYS) {
        return tl_tree_refuse(&figure->tree, node, "1 to %d keys", TL_FIGURE_SUM_KEYS);
    }
    int status = 0;
    for (size_t n = 0; status == 0 && n < count; n++) {
        status =
            tl_tree_read_text(&figure->tree, tl_tree_entry_at(&figure->tree, node, n).value, &out->keys[out->count++]);
    }
    return status;
}

static int read_metric(tl_figure *figure, const tl_tree_entry *entry, tl_metric *out)
{
    static const char *const keys[] = {"label", "key", "per", "minus", "over", "scale", NULL};
    tl_tree *tree = &figure->tree;
    yaml_node_t *key = NULL;
    *out = (tl_metric){.name = entry->key, .label = entry->key, .scale = 1};
    int status = tl_tree_check_keys(tree, entry->value, keys);
    status = status != 0 ? status : tl_tree_need(tree, entry->value, "key", &key);
    status = status != 0 ? status : read_sum(figure, key, &out->key);
    status = status != 0 ? status : read_sum(figure, tl_tree_get(tree, entry->value, "per"), &out->per);
    status =
        status != 0 ? status : tl_figure_read_other_run(figure, tl_tree_get(tree, entry->value, "minus"), &out->minus);
    status =
        status != 0 ? status : tl_figure_read_other_run(figure, tl_tree_get(tree, entry->value, "over"), &out->over);
    yaml_node_t *label = tl_tree_get(tree, entry->value, "label");
    yaml_node_t *scale = tl_tree_get(tree, entry->value, "scale");
    if (status == 0 && label != NULL) {
        status = tl_tree_read_text(tree, label, &out->label);
    }
    if (status == 0 && scale != NULL) {
        status = tl_tree_read_number(tree, scale, -DBL_MAX, DBL_MAX, &out->scale);
    }
    return status;
}

int tl_figure_read_metrics(tl_figure *figure, yaml_node_t *node)
{
    int status = tl_tree_check_mapping(&figure->tree, node);
    const size_t count = tl_tree_size(node);
    if (status == 0 && (count == 0 || count > TL_FIGURE_METRICS)) {
        return tl_tree_refuse_as(&figure->tree, node, count == 0 ? "no metric" : "too many metrics", "1 to %d",
                                 TL_FIGURE_METRICS);
    }
    for (size_t n = 0; status == 0 && n < count; n++) {
        const tl_tree_entry entry = tl_tree_entry_at(&figure->tree, node, n);
        status = read_metric(figure, &entry, &figure->metrics[figure->metric_count++]);
    }
    return status;
}

int tl_figure_read_metric_name(tl_figure *figure, yaml_node_t *node, unsigned *out)
{
    const char *name = tl_tree_text(node);
    char names[512] = "";
    for (unsigned n = 0; n < figure->metric_count; n++) {
        if (name != NULL && strcmp(figure->metrics[n].name, name) == 0) {
            *out = n;
            return 0;
        }
        tl_append(names, sizeof names, "%s%s", n == 0 ? "" : ", ", figure->metrics[n].name);
    }
    return tl_tree_refuse(&figure->tree, node, "one of the metrics %s", names);
}

/* ---- rows beside the paper --------------------------------------------------------------------------------------- */

/* A number; `.inf` and `-.inf` leave an end of a range open. */
static int read_end(tl_figure *figure, yaml_node_t *node, double low, double *out)
{
    const char *text = tl_tree_text(node);
    if (text != NULL && (strcmp(text, ".inf") == 0 || strcmp(text, "-.inf") == 0)) {
        *out = text[0] == '-' ? -INFINITY : INFINITY;
        return 0;
    }
    return tl_tree_read_number(&figure->tree, node, low, DBL_MAX, out);
}

/* A number, or a range as [LOW, HIGH]. */
static int read_value(tl_figure *figure, yaml_node_t *node, tl_paper_row *out)
{
    tl_tree *tree = &figure->tree;
    if (node->type != YAML_SEQUENCE_NODE) {
        const int status = tl_tree_read_number(tree, node, -DBL_MAX, DBL_MAX, &out->low);
        out->high = out->low;
        return status;
    }
    if (tl_tree_size(node) != 2) {
        return tl_tree_refuse(tree, node, "a number, or a range [LOW, HIGH]");
    }
    const int status = read_end(figure, tl_tree_entry_at(tree, node, 0).value, -DBL_MAX, &out->low);
    return status != 0 ? status
                       : read_end(figure, tl_tree_entry_at(tree, node, 1).value, fmax(out->low, -DBL_MAX), &out->high);
}

static int read_aggregate(tl_figure *figure, yaml_node_t *entry, tl_paper_row *out)
{
    static const char *const names[] = {"geomean", "mean", "min", "max", "range", NULL};
    yaml_node_t *node = tl_tree_get(&figure->tree, entry, "as");
    int choice = 0;
    if (node != NULL) {
        const int status = tl_tree_read_choice(&figure->tree, node, names, &choice);
        out->as = (tl_aggregate)(TL_AS_GEOMEAN + choice);
        return status;
    }
    size_t runs = 1;
    for (unsigned a = 0; a < figure->axis_count; a++) {
        runs *= tl_selection_count(&out->at, a);
    }
    char found[64];
    (void)snprintf(found, sizeof found, "%zu runs under at", runs);
    out->as = TL_AS_SINGLE;
    return runs == 1
               ? 0
               : tl_tree_refuse_as(&figure->tree, entry, found, "one, or as: geomean, mean, min, max or range of them");
}

static int read_paper_row(tl_figure *figure, yaml_node_t *entry, tl_paper_row *out)
{
    static const char *const keys[] = {"what", "of", "at", "as", "value", "tolerance", "reason", NULL};
    tl_tree *tree = &figure->tree;
    yaml_node_t *what = NULL;
    yaml_node_t *of = NULL;
    yaml_node_t *value = NULL;
    out->tolerance = DEFAULT_TOLERANCE;
    int status = tl_tree_check_keys(tree, entry, keys);
    status = status != 0 ? status : tl_tree_need(tree, entry, "what", &what);
    status = status != 0 ? status : tl_tree_need(tree, entry, "of", &of);
    status = status != 0 ? status : tl_tree_need(tree, entry, "value", &value);
    status = status != 0 ? status : tl_tree_read_text(tree, what, &out->what);
    status = status != 0 ? status : tl_figure_read_metric_name(figure, of, &out->metric);
    status = status != 0 ? status : tl_figure_read_selection(figure, tl_tree_get(tree, entry, "at"), &out->at);
    status = status != 0 ? status : read_aggregate(figure, entry, out);
    status = status != 0 ? status : read_value(figure, value, out);
    yaml_node_t *tolerance = tl_tree_get(tree, entry, "tolerance");
    yaml_node_t *reason = tl_tree_get(tree, entry, "reason");
    if (status == 0 && tolerance != NULL) {
        status = tl_tree_read_number(tree, tolerance, 0, 1, &out->tolerance);
    }
    if (status == 0 && reason != NULL) {
        status = tl_tree_read_text(tree, reason, &out->reason);
    }
    return status;
}

int tl_figure_read_paper(tl_figure *figure, yaml_node_t *node)
{
    if (node == NULL) {
        return 0;
    }
    if (node->type != YAML_SEQUENCE_NODE || tl_tree_size(node) > TL_FIGURE_PAPER_ROWS) {
        return tl_tree_refuse(&figure->tree, node, "a list of at most %d entries", TL_FIGURE_PAPER_ROWS);
    }
    int status = 0;
    for (size_t n = 0; status == 0 && n < tl_tree_size(node); n++) {
        status = read_paper_row(figure, tl_tree_entry_at(&figure->tree, node, n).value,
                                &figure->paper[figure->paper_count++]);
    }
    return status;
}
