/* SPDX-License-Identifier: Apache-2.0 */
/* The group `plot` of a figure file. */
#include <float.h>
#include <string.h>

#include "figure_read.h"

static bool is_curve(const tl_plot *plot)
{
    return plot->kind == TL_PLOT_CDF || plot->kind == TL_PLOT_TIMELINE;
}

/* One metric or a list of them. */
static int read_y(tl_figure *figure, yaml_node_t *node, tl_plot *out)
{
    if (node->type != YAML_SEQUENCE_NODE) {
        out->y_count = 1;
        return tl_figure_read_metric_name(figure, node, &out->y[0]);
    }
    const size_t count = tl_tree_size(node);
    if (count == 0 || count > TL_FIGURE_METRICS) {
        return tl_tree_refuse(&figure->tree, node, "1 to %d metrics", TL_FIGURE_METRICS);
    }
    int status = 0;
    for (size_t n = 0; status == 0 && n < count; n++) {
        status =
            tl_figure_read_metric_name(figure, tl_tree_entry_at(&figure->tree, node, n).value, &out->y[out->y_count++]);
    }
    return status;
}

/* What is drawn: metrics of bars and lines, a list of each result of cdf and timeline. */
static int read_values(tl_figure *figure, yaml_node_t *node, tl_plot *out)
{
    yaml_node_t *value = NULL;
    if (is_curve(out)) {
        const int status = tl_tree_need(&figure->tree, node, "curve", &value);
        return status != 0 ? status : tl_tree_read_text(&figure->tree, value, &out->curve);
    }
    int status = tl_tree_need(&figure->tree, node, "y", &value);
    status = status != 0 ? status : read_y(figure, value, out);
    status = status != 0 ? status : tl_tree_need(&figure->tree, node, "x", &value);
    return status != 0 ? status : tl_figure_read_dimension(figure, value, &out->x);
}

static int read_texts(tl_figure *figure, yaml_node_t *node, tl_plot *out)
{
    yaml_node_t *x_label = tl_tree_get(&figure->tree, node, "x_label");
    yaml_node_t *y_label = tl_tree_get(&figure->tree, node, "y_label");
    out->x_label = "";
    out->y_label = is_curve(out) ? "" : figure->metrics[out->y[0]].label;
    int status = 0;
    if (x_label != NULL) {
        status = tl_tree_read_text(&figure->tree, x_label, &out->x_label);
    }
    if (status == 0 && y_label != NULL) {
        status = tl_tree_read_text(&figure->tree, y_label, &out->y_label);
    }
    return status;
}

static int read_numbers(tl_figure *figure, yaml_node_t *node, tl_plot *out)
{
    static const char *const switches[] = {"false", "true", NULL};
    yaml_node_t *columns = tl_tree_get(&figure->tree, node, "panel_columns");
    yaml_node_t *x_scale = tl_tree_get(&figure->tree, node, "x_scale");
    yaml_node_t *x_max = tl_tree_get(&figure->tree, node, "x_max");
    yaml_node_t *geomean = tl_tree_get(&figure->tree, node, "geomean");
    double column_count = TL_FIGURE_POINTS;
    int with_geomean = 0;
    int status = 0;
    out->x_scale = 1;
    if (columns != NULL) {
        status = tl_tree_read_number(&figure->tree, columns, 1, TL_FIGURE_POINTS, &column_count);
    }
    if (status == 0 && x_scale != NULL) {
        status = tl_tree_read_number(&figure->tree, x_scale, DBL_MIN, DBL_MAX, &out->x_scale);
    }
    if (status == 0 && x_max != NULL) {
        status = tl_tree_read_number(&figure->tree, x_max, DBL_MIN, DBL_MAX, &out->x_max);
    }
    if (status == 0 && geomean != NULL) {
        status = tl_tree_read_choice(&figure->tree, geomean, switches, &with_geomean);
    }
    out->panel_columns = (unsigned)column_count;
    out->geomean = with_geomean != 0;
    return status;
}

/* Every axis with several points must be seen, each dimension once, and `metric` where there are several. */
static int check_dimensions(tl_figure *figure, yaml_node_t *node, const tl_plot *plot)
{
    const int used[] = {plot->x, plot->series, plot->panels};
    const char *const names[] = {"x", "series", "panels"};
    unsigned metrics = 0;
    for (unsigned n = 0; n < 3; n++) {
        metrics += used[n] == TL_BY_METRIC;
        for (unsigned earlier = 0; earlier < n; earlier++) {
            if (used[n] != TL_BY_NOTHING && used[n] == used[earlier]) {
                return tl_tree_refuse(&figure->tree, tl_tree_get(&figure->tree, node, names[n]),
                                      "something else than %s", names[earlier]);
            }
        }
    }
    if (is_curve(plot) ? metrics != 0 : (metrics == 0 && plot->y_count > 1)) {
        return tl_tree_refuse_as(&figure->tree, node, is_curve(plot) ? "metric as a dimension" : "several metrics",
                                 is_curve(plot) ? "axes only" : "metric as x, series or panels");
    }
    for (unsigned a = 0; a < figure->axis_count; a++) {
        const bool seen = plot->x == (int)a || plot->series == (int)a || plot->panels == (int)a;
        if (!seen && tl_selection_count(&plot->at, a) != 1) {
            return tl_tree_refuse_as(&figure->tree, node, "several points of an axis that is not drawn",
                                     "%s as x, series or panels, or one of its points under at", figure->axes[a].name);
        }
    }
    return 0;
}

/* Keys that the kind would not look at. */
static int check_kind(tl_figure *figure, yaml_node_t *node, const tl_plot *plot)
{
    static const char *const of_metrics[] = {"x", "y", "geomean", "panel_columns", NULL};
    static const char *const of_curves[] = {"curve", "x_scale", "x_max", NULL};
    const char *const *strange = is_curve(plot) ? of_metrics : of_curves;
    for (unsigned n = 0; strange[n] != NULL; n++) {
        if (tl_tree_get(&figure->tree, node, strange[n]) != NULL) {
            return tl_tree_refuse_as(&figure->tree, tl_tree_get(&figure->tree, node, strange[n]),
                                     "a key of another kind", "none: %s",
                                     is_curve(plot) ? "cdf and timeline draw a curve" : "bars and lines draw y over x");
        }
    }
    return 0;
}

int tl_figure_read_plot(tl_figure *figure, yaml_node_t *node)
{
    static const char *const keys[] = {"kind",    "x",       "series",        "panels",  "y",     "curve",   "at",
                                       "x_label", "y_label", "panel_columns", "x_scale", "x_max", "geomean", NULL};
    static const char *const kinds[] = {"bars", "stacked_bars", "lines", "cdf", "timeline", NULL};
    tl_tree *tree = &figure->tree;
    tl_plot *plot = &figure->plot;
    yaml_node_t *kind_node = NULL;
    int kind = 0;
    plot->x = TL_BY_NOTHING;
    int status = tl_tree_check_keys(tree, node, keys);
    status = status != 0 ? status : tl_tree_need(tree, node, "kind", &kind_node);
    status = status != 0 ? status : tl_tree_read_choice(tree, kind_node, kinds, &kind);
    plot->kind = (tl_plot_kind)kind;
    status = status != 0 ? status : check_kind(figure, node, plot);
    status = status != 0 ? status : tl_figure_read_dimension(figure, tl_tree_get(tree, node, "series"), &plot->series);
    status = status != 0 ? status : tl_figure_read_dimension(figure, tl_tree_get(tree, node, "panels"), &plot->panels);
    status = status != 0 ? status : tl_figure_read_selection(figure, tl_tree_get(tree, node, "at"), &plot->at);
    status = status != 0 ? status : read_values(figure, node, plot);
    status = status != 0 ? status : read_texts(figure, node, plot);
    status = status != 0 ? status : read_numbers(figure, node, plot);
    return status != 0 ? status : check_dimensions(figure, node, plot);
}
