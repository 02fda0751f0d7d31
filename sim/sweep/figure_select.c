/* SPDX-License-Identifier: Apache-2.0 */
/* Points of axes by their names. */
#include <string.h>

#include "figure_read.h"

static int find_axis(tl_figure *figure, const yaml_node_t *node, const char *name, bool metric, int *out)
{
    char names[512] = "";
    for (unsigned a = 0; a < figure->axis_count; a++) {
        if (strcmp(figure->axes[a].name, name) == 0) {
            *out = (int)a;
            return 0;
        }
        tl_append(names, sizeof names, "%s%s", a == 0 ? "" : ", ", figure->axes[a].name);
    }
    return tl_tree_refuse(&figure->tree, node, "one of the axes %s%s", names, metric ? ", or metric" : "");
}

static int find_point(tl_figure *figure, const yaml_node_t *node, int axis, int *out)
{
    const tl_axis *in = &figure->axes[axis];
    const char *name = tl_tree_text(node);
    char names[512] = "";
    for (unsigned n = 0; n < in->point_count; n++) {
        if (name != NULL && strcmp(in->points[n].name, name) == 0) {
            *out = (int)n;
            return 0;
        }
        tl_append(names, sizeof names, "%s%s", n == 0 ? "" : ", ", in->points[n].name);
    }
    return tl_tree_refuse(&figure->tree, node, "one of the points %s", names);
}

/* One point, or a list of points, as bits. */
static int read_points(tl_figure *figure, yaml_node_t *node, int axis, uint64_t *out)
{
    int point = 0;
    *out = 0;
    if (node->type != YAML_SEQUENCE_NODE) {
        const int status = find_point(figure, node, axis, &point);
        *out = UINT64_C(1) << point;
        return status;
    }
    for (size_t n = 0; n < tl_tree_size(node); n++) {
        const int status = find_point(figure, tl_tree_entry_at(&figure->tree, node, n).value, axis, &point);
        if (status != 0) {
            return status;
        }
        *out |= UINT64_C(1) << point;
    }
    return *out != 0 ? 0 : tl_tree_refuse_as(&figure->tree, node, "an empty list", "at least one point");
}

int tl_figure_read_selection(tl_figure *figure, yaml_node_t *node, tl_selection *out)
{
    *out = tl_figure_select_all(figure);
    if (node == NULL) {
        return 0;
    }
    int status = tl_tree_check_mapping(&figure->tree, node);
    for (size_t n = 0; status == 0 && n < tl_tree_size(node); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(&figure->tree, node, n);
        int axis = 0;
        status = find_axis(figure, entry.key_node, entry.key, false, &axis);
        status = status != 0 ? status : read_points(figure, entry.value, axis, &out->axis[axis]);
    }
    return status;
}

int tl_figure_read_other_run(tl_figure *figure, yaml_node_t *node, tl_other_run *out)
{
    out->given = node != NULL;
    memset(out->point, -1, sizeof out->point);
    if (node == NULL) {
        return 0;
    }
    int status = tl_tree_check_mapping(&figure->tree, node);
    for (size_t n = 0; status == 0 && n < tl_tree_size(node); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(&figure->tree, node, n);
        int axis = 0;
        status = find_axis(figure, entry.key_node, entry.key, false, &axis);
        status = status != 0 ? status : find_point(figure, entry.value, axis, &out->point[axis]);
    }
    return status;
}

int tl_figure_read_dimension(tl_figure *figure, yaml_node_t *node, int *out)
{
    *out = TL_BY_NOTHING;
    if (node == NULL) {
        return 0;
    }
    const char *name = tl_tree_text(node);
    if (name != NULL && strcmp(name, "metric") == 0) {
        *out = TL_BY_METRIC;
        return 0;
    }
    return find_axis(figure, node, name == NULL ? "" : name, true, out);
}

unsigned tl_selection_count(const tl_selection *selection, unsigned axis)
{
    unsigned count = 0;
    for (uint64_t bits = selection->axis[axis]; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}
