/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "tables.h"

static void put_field(const char *text, FILE *to)
{
    if (strpbrk(text, ",\"") == NULL) {
        (void)fputs(text, to);
        return;
    }
    (void)fputc('"', to);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, to);
    }
    (void)fputc('"', to);
}

static void put_number(double value, FILE *to)
{
    if (isfinite(value)) {
        (void)fprintf(to, "%.9g", value);
    }
}

static void put_axes(const tl_figure *figure, FILE *to)
{
    for (unsigned a = 0; a < figure->axis_count; a++) {
        put_field(figure->axes[a].name, to);
        (void)fputc(',', to);
    }
}

static void put_points(const tl_figure *figure, size_t run, FILE *to)
{
    unsigned points[TL_FIGURE_AXES];
    tl_figure_run_points(figure, run, points);
    for (unsigned a = 0; a < figure->axis_count; a++) {
        put_field(figure->axes[a].points[points[a]].name, to);
        (void)fputc(',', to);
    }
}

void tl_csv_write(const tl_results *results, FILE *to)
{
    const tl_figure *figure = results->figure->figure;
    put_axes(figure, to);
    for (unsigned m = 0; m < figure->metric_count; m++) {
        put_field(figure->metrics[m].name, to);
        (void)fputc(',', to);
    }
    (void)fputs("result\n", to);
    for (size_t run = 0; run < figure->run_count; run++) {
        put_points(figure, run, to);
        for (unsigned m = 0; m < figure->metric_count; m++) {
            put_number(tl_results_value(results, m, run), to);
            (void)fputc(',', to);
        }
        (void)fprintf(to, "%s\n", results->figure->ids[run]);
    }
}

int tl_csv_write_curves(const tl_results *results, FILE *to)
{
    const tl_figure *figure = results->figure->figure;
    put_axes(figure, to);
    (void)fputs("x,y\n", to);
    for (size_t run = 0; run < figure->run_count; run++) {
        tl_curve curve;
        if (!tl_figure_selects(figure, &figure->plot.at, run)) {
            continue;
        }
        if (tl_results_curve(results, run, &curve) != 0) {
            return 2;
        }
        for (size_t n = 0; n < curve.count; n++) {
            put_points(figure, run, to);
            (void)fprintf(to, "%.9g,%.9g\n", curve.x[n], curve.y[n]);
        }
        tl_curve_free(&curve);
    }
    return 0;
}
