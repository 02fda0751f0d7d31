/* SPDX-License-Identifier: Apache-2.0 */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "text_file.h"

enum { RESULT_BYTES_MAX = 1 << 24, ERROR_BYTES = 2048, KEY_BYTES = 128 };

/* ---- one result -------------------------------------------------------------------------------------------------- */

/* @return 0 and a tree to free, or 2 after a line on stderr */
static int load_result(const tl_results *results, size_t run, tl_tree *tree)
{
    char error[ERROR_BYTES] = "";
    char path[TL_FIGURE_PATH_BYTES];
    (void)tl_run_file(results->list, results->figure->ids[run], ".json", path);
    const tl_complaint to = {path, error, sizeof error};
    uint8_t *text = malloc(RESULT_BYTES_MAX);
    size_t used = 0;
    int status = text == NULL ? tl_complain(&to, "file", "too little memory", "some for its text")
                              : tl_text_file_read(path, "result", text, RESULT_BYTES_MAX, &used, &to);
    status = status != 0 ? status : tl_tree_load(tree, text, used, "result", &to);
    free(text);
    return status == 0 ? 0 : tl_fail("%s", error);
}

static int refuse_key(const tl_results *results, const char *metric, const char *key, const char *expected)
{
    const tl_figure *figure = results->figure->figure;
    return tl_fail("%s: %s: found %s, expected the key of %s in the JSON of tilelens-%s", figure->path, metric, key,
                   expected, figure->command);
}

static bool read_number(const yaml_node_t *node, double *out)
{
    const char *text = tl_tree_text(node);
    char *end = NULL;
    *out = text == NULL ? 0 : strtod(text, &end);
    return text != NULL && end != text && *end == '\0';
}

static int read_sum(const tl_results *results, const tl_metric *metric, tl_tree *tree, const tl_key_sum *sum,
                    double *out)
{
    *out = 0;
    for (unsigned n = 0; n < sum->count; n++) {
        double value = 0;
        if (!read_number(tl_tree_get_path(tree, sum->keys[n]), &value)) {
            char path[KEY_BYTES];
            (void)snprintf(path, sizeof path, "metrics.%s", metric->name);
            return refuse_key(results, path, sum->keys[n], "a number");
        }
        *out += value;
    }
    return 0;
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

static double quotient(double value, double divisor)
{
    return divisor == 0 ? NAN : value / divisor;
}

/* What a run alone gives: key / per. */
static int read_own_values(const tl_results *results, double *own)
{
    const tl_figure *figure = results->figure->figure;
    int status = 0;
    for (size_t run = 0; run < figure->run_count && status == 0; run++) {
        tl_tree tree;
        status = load_result(results, run, &tree);
        if (status != 0) {
            return status;
        }
        for (unsigned m = 0; m < figure->metric_count && status == 0; m++) {
            const tl_metric *metric = &figure->metrics[m];
            double key = 0;
            double per = 1;
            status = read_sum(results, metric, &tree, &metric->key, &key);
            if (status == 0 && metric->per.count > 0) {
                status = read_sum(results, metric, &tree, &metric->per, &per);
            }
            own[m * figure->run_count + run] = quotient(key, per);
        }
        tl_tree_free(&tree);
    }
    return status;
}

/* Beside other runs: (own - minus) / over x scale. */
static void relate(tl_results *results, const double *own)
{
    const tl_figure *figure = results->figure->figure;
    for (unsigned m = 0; m < figure->metric_count; m++) {
        const tl_metric *metric = &figure->metrics[m];
        const double *of_metric = own + m * figure->run_count;
        for (size_t run = 0; run < figure->run_count; run++) {
            double value = of_metric[run];
            value -= metric->minus.given ? of_metric[tl_figure_other_run(figure, run, &metric->minus)] : 0;
            if (metric->over.given) {
                value = quotient(value, of_metric[tl_figure_other_run(figure, run, &metric->over)]);
            }
            results->values[m * figure->run_count + run] = value * metric->scale;
        }
    }
}

int tl_results_load(const tl_run_list *list, const tl_sweep_figure *figure, tl_results *out)
{
    const size_t count = figure->figure->metric_count * figure->figure->run_count;
    double *own = calloc(count, sizeof *own);
    *out = (tl_results){list, figure, calloc(count, sizeof *out->values)};
    if (own == NULL || out->values == NULL) {
        free(own);
        tl_results_free(out);
        return tl_fail("%s: file: found too little memory, expected some for its results", figure->figure->path);
    }
    const int status = read_own_values(out, own);
    if (status == 0) {
        relate(out, own);
    } else {
        tl_results_free(out);
    }
    free(own);
    return status;
}

void tl_results_free(tl_results *results)
{
    free(results->values);
    results->values = NULL;
}

double tl_results_value(const tl_results *results, unsigned metric, size_t run)
{
    return results->values[metric * results->figure->figure->run_count + run];
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* Pairs of x and y, or one y a bin of `bin` where that is not 0. */
static bool read_points(tl_tree *tree, yaml_node_t *node, double bin, tl_curve *out)
{
    for (size_t n = 0; n < tl_tree_size(node); n++) {
        yaml_node_t *entry = tl_tree_entry_at(tree, node, n).value;
        if (bin == 0 && tl_tree_size(entry) != 2) {
            return false;
        }
        out->x[n] = bin * (double)n;
        if (bin == 0 && !read_number(tl_tree_entry_at(tree, entry, 0).value, &out->x[n])) {
            return false;
        }
        if (!read_number(bin == 0 ? tl_tree_entry_at(tree, entry, 1).value : entry, &out->y[n])) {
            return false;
        }
        out->count++;
    }
    return true;
}

static bool read_curve(tl_tree *tree, yaml_node_t *node, tl_curve *out)
{
    double bin = 0;
    if (node != NULL && node->type == YAML_MAPPING_NODE) {
        if (!read_number(tl_tree_get(tree, node, "bin_ns"), &bin) || bin <= 0) {
            return false;
        }
        node = tl_tree_get(tree, node, "utilization");
    }
    const size_t count = tl_tree_size(node);
    if (node == NULL || node->type != YAML_SEQUENCE_NODE) {
        return false;
    }
    out->x = calloc(count + 1, sizeof *out->x);
    out->y = calloc(count + 1, sizeof *out->y);
    return out->x != NULL && out->y != NULL && read_points(tree, node, bin, out);
}

int tl_results_curve(const tl_results *results, size_t run, tl_curve *out)
{
    const tl_plot *plot = &results->figure->figure->plot;
    tl_tree tree;
    *out = (tl_curve){NULL, NULL, 0};
    int status = load_result(results, run, &tree);
    if (status != 0) {
        return status;
    }
    if (!read_curve(&tree, tl_tree_get_path(&tree, plot->curve), out)) {
        tl_curve_free(out);
        status = refuse_key(results, "plot.curve", plot->curve, "a list of points");
    }
    tl_tree_free(&tree);
    return status;
}

void tl_curve_free(tl_curve *curve)
{
    free(curve->x);
    free(curve->y);
    *curve = (tl_curve){NULL, NULL, 0};
}
