/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as numbers: one digit an axis, the last axis fastest. */
#include <stdlib.h>
#include <string.h>

#include "figure.h"

void tl_figure_run_points(const tl_figure *figure, size_t run, unsigned points[TL_FIGURE_AXES])
{
    for (unsigned a = figure->axis_count; a-- > 0;) {
        points[a] = (unsigned)(run % figure->axes[a].point_count);
        run /= figure->axes[a].point_count;
    }
}

size_t tl_figure_run_at(const tl_figure *figure, const unsigned points[TL_FIGURE_AXES])
{
    size_t run = 0;
    for (unsigned a = 0; a < figure->axis_count; a++) {
        run = run * figure->axes[a].point_count + points[a];
    }
    return run;
}

size_t tl_figure_other_run(const tl_figure *figure, size_t run, const tl_other_run *other)
{
    unsigned points[TL_FIGURE_AXES];
    tl_figure_run_points(figure, run, points);
    for (unsigned a = 0; a < figure->axis_count; a++) {
        points[a] = other->point[a] < 0 ? points[a] : (unsigned)other->point[a];
    }
    return tl_figure_run_at(figure, points);
}

bool tl_figure_selects(const tl_figure *figure, const tl_selection *selection, size_t run)
{
    unsigned points[TL_FIGURE_AXES];
    tl_figure_run_points(figure, run, points);
    for (unsigned a = 0; a < figure->axis_count; a++) {
        if ((selection->axis[a] >> points[a] & 1) == 0) {
            return false;
        }
    }
    return true;
}

tl_selection tl_figure_select_all(const tl_figure *figure)
{
    tl_selection all = {{0}};
    for (unsigned a = 0; a < figure->axis_count; a++) {
        all.axis[a] = UINT64_MAX >> (TL_FIGURE_POINTS - figure->axes[a].point_count);
    }
    return all;
}

/* Put the settings in; a key that is there already gets the new value. @return entries */
static size_t apply(const tl_settings *set, tl_setting settings[TL_FIGURE_RUN_SETTINGS], size_t count)
{
    for (size_t n = 0; n < set->count; n++) {
        size_t at = 0;
        while (at < count && strcmp(settings[at].key, set->entries[n].key) != 0) {
            at++;
        }
        if (at < TL_FIGURE_RUN_SETTINGS) {
            settings[at] = set->entries[n];
            count = at == count ? count + 1 : count;
        }
    }
    return count;
}

static int compare_keys(const void *left, const void *right)
{
    return strcmp(((const tl_setting *)left)->key, ((const tl_setting *)right)->key);
}

size_t tl_figure_run_settings(const tl_figure *figure, size_t run, tl_setting settings[TL_FIGURE_RUN_SETTINGS])
{
    unsigned points[TL_FIGURE_AXES];
    size_t count = 0;
    tl_figure_run_points(figure, run, points);
    for (unsigned a = 0; a < figure->axis_count; a++) {
        count = apply(&figure->axes[a].points[points[a]].set, settings, count);
    }
    for (size_t n = 0; n < figure->case_count; n++) {
        if (tl_figure_selects(figure, &figure->cases[n].at, run)) {
            count = apply(&figure->cases[n].set, settings, count);
        }
    }
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) {
        if (settings[n].value != NULL) {
            settings[kept++] = settings[n];
        }
    }
    qsort(settings, kept, sizeof settings[0], compare_keys);
    return kept;
}

double tl_figure_run_cost(const tl_figure *figure, size_t run)
{
    unsigned points[TL_FIGURE_AXES];
    double cost = 1;
    tl_figure_run_points(figure, run, points);
    for (unsigned a = 0; a < figure->axis_count; a++) {
        cost *= figure->axes[a].points[points[a]].cost;
    }
    return cost;
}

void tl_figure_run_name(const tl_figure *figure, size_t run, char *text, size_t text_bytes)
{
    unsigned points[TL_FIGURE_AXES];
    tl_figure_run_points(figure, run, points);
    text[0] = '\0';
    for (unsigned a = 0; a < figure->axis_count; a++) {
        tl_append(text, text_bytes, "%s%s=%s", a == 0 ? "" : ", ", figure->axes[a].name,
                  figure->axes[a].points[points[a]].name);
    }
}
