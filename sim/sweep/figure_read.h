/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Parts of reading a figure file. Each returns 0, or 2 and a complaint in the figure's tree.
 */
#ifndef TILELENS_SWEEP_FIGURE_READ_H
#define TILELENS_SWEEP_FIGURE_READ_H

#include "figure.h"

enum { TL_FIGURE_NAMES = TL_FIGURE_POINTS + 1 };

/* figure_file.c */
int tl_figure_read_settings(tl_figure *figure, yaml_node_t *node, tl_settings *out);

/* figure_select.c: `AXIS: POINT` and `AXIS: [POINT, POINT]` */

/** All points of the axes that `node` does not name; `node` may be null. */
int tl_figure_read_selection(tl_figure *figure, yaml_node_t *node, tl_selection *out);

/** One point of each axis that `node` names; `node` may be null. */
int tl_figure_read_other_run(tl_figure *figure, yaml_node_t *node, tl_other_run *out);

/** An axis by its name, or `metric`; TL_BY_NOTHING where `node` is null. */
int tl_figure_read_dimension(tl_figure *figure, yaml_node_t *node, int *out);

/** Points of an axis that are selected. */
unsigned tl_selection_count(const tl_selection *selection, unsigned axis);

/* figure_metrics.c, figure_plot.c: the groups `metrics`, `paper` and `plot` */
int tl_figure_read_metrics(tl_figure *figure, yaml_node_t *node);
int tl_figure_read_metric_name(tl_figure *figure, yaml_node_t *node, unsigned *out);
int tl_figure_read_paper(tl_figure *figure, yaml_node_t *node);
int tl_figure_read_plot(tl_figure *figure, yaml_node_t *node);

#endif
