/* SPDX-License-Identifier: Apache-2.0 */
/* A figure file: its top, its axes and its settings. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "figure_read.h"
#include "text_file.h"

static const double COST_MAX = 1e6;

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* `[A, B]` as a text that lives as long as the figure; null: no room. */
static const char *join(tl_figure *figure, yaml_node_t *list)
{
    char *text = figure->joined + figure->joined_bytes;
    const size_t room = sizeof figure->joined - figure->joined_bytes;
    text[0] = '\0';
    for (size_t n = 0; n < tl_tree_size(list); n++) {
        const char *entry = tl_tree_text(tl_tree_entry_at(&figure->tree, list, n).value);
        if (entry == NULL) {
            return NULL;
        }
        tl_append(text, room, "%s%s", n == 0 ? "[" : ", ", entry);
    }
    tl_append(text, room, "%s", tl_tree_size(list) == 0 ? "[]" : "]");
    const size_t used = strlen(text) + 1;
    figure->joined_bytes += used;
    return used < room ? text : NULL;
}

static int read_setting(tl_figure *figure, const tl_tree_entry *entry, tl_setting *out)
{
    const char *value = tl_tree_text(entry->value);
    if (entry->value->type == YAML_SEQUENCE_NODE) {
        value = join(figure, entry->value);
    }
    if (value == NULL) {
        return tl_tree_refuse(&figure->tree, entry->value, "a single value or a list of them");
    }
    if (strchr(entry->key, '=') != NULL || strpbrk(value, "\n\r") != NULL) {
        return tl_tree_refuse_as(&figure->tree, entry->key_node, "an = in the key or a second line in the value",
                                 "neither");
    }
    *out = (tl_setting){entry->key, tl_tree_is_empty(entry->value) ? NULL : value};
    return 0;
}

int tl_figure_read_settings(tl_figure *figure, yaml_node_t *node, tl_settings *out)
{
    *out = (tl_settings){&figure->settings[figure->setting_count], 0};
    if (node == NULL) {
        return 0;
    }
    int status = tl_tree_check_mapping(&figure->tree, node);
    for (size_t n = 0; status == 0 && n < tl_tree_size(node); n++) {
        const tl_tree_entry entry = tl_tree_entry_at(&figure->tree, node, n);
        if (figure->setting_count == TL_FIGURE_SETTINGS) {
            return tl_tree_refuse_as(&figure->tree, entry.key_node, "one setting more", "at most %d",
                                     TL_FIGURE_SETTINGS);
        }
        status = read_setting(figure, &entry, &figure->settings[figure->setting_count++]);
        out->count++;
    }
    return status;
}

/* A run must not meet more keys than it can hold. */
static int check_setting_keys(tl_figure *figure)
{
    size_t distinct = 0;
    for (size_t n = 0; n < figure->setting_count; n++) {
        size_t same = 0;
        while (strcmp(figure->settings[same].key, figure->settings[n].key) != 0) {
            same++;
        }
        distinct += same == n;
    }
    return distinct <= TL_FIGURE_RUN_SETTINGS ? 0
                                              : tl_complain(&figure->tree.to, "axes", "too many keys in settings",
                                                            "at most %d", TL_FIGURE_RUN_SETTINGS);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static int read_point(tl_figure *figure, const tl_tree_entry *entry, tl_axis_point *out)
{
    static const char *const keys[] = {"label", "set", "cost", NULL};
    *out = (tl_axis_point){.name = entry->key, .label = entry->key, .cost = 1};
    if (tl_tree_is_empty(entry->value)) {
        return 0;
    }
    int status = tl_tree_check_keys(&figure->tree, entry->value, keys);
    yaml_node_t *label = tl_tree_get(&figure->tree, entry->value, "label");
    yaml_node_t *cost = tl_tree_get(&figure->tree, entry->value, "cost");
    if (status == 0 && label != NULL) {
        status = tl_tree_read_text(&figure->tree, label, &out->label);
    }
    if (status == 0 && cost != NULL) {
        status = tl_tree_read_number(&figure->tree, cost, 0, COST_MAX, &out->cost);
    }
    return status != 0 ? status
                       : tl_figure_read_settings(figure, tl_tree_get(&figure->tree, entry->value, "set"), &out->set);
}

static int read_axis(tl_figure *figure, const tl_tree_entry *entry, tl_axis *out)
{
    out->name = entry->key;
    if (strcmp(entry->key, "metric") == 0) {
        return tl_tree_refuse(&figure->tree, entry->key_node, "another name: a plot calls its metrics so");
    }
    int status = tl_tree_check_mapping(&figure->tree, entry->value);
    const size_t count = tl_tree_size(entry->value);
    if (status == 0 && (count == 0 || count > TL_FIGURE_POINTS)) {
        return tl_tree_refuse_as(&figure->tree, entry->value, count == 0 ? "no point" : "too many points",
                                 "1 to %d points", TL_FIGURE_POINTS);
    }
    for (size_t n = 0; status == 0 && n < count; n++) {
        const tl_tree_entry point = tl_tree_entry_at(&figure->tree, entry->value, n);
        status = read_point(figure, &point, &out->points[out->point_count++]);
    }
    return status;
}

static int read_axes(tl_figure *figure, yaml_node_t *node)
{
    int status = tl_tree_check_mapping(&figure->tree, node);
    const size_t count = tl_tree_size(node);
    if (status == 0 && (count == 0 || count > TL_FIGURE_AXES)) {
        return tl_tree_refuse_as(&figure->tree, node, count == 0 ? "no axis" : "too many axes", "1 to %d axes",
                                 TL_FIGURE_AXES);
    }
    figure->run_count = 1;
    for (size_t n = 0; status == 0 && n < count; n++) {
        const tl_tree_entry entry = tl_tree_entry_at(&figure->tree, node, n);
        tl_axis *axis = &figure->axes[figure->axis_count++];
        status = read_axis(figure, &entry, axis);
        figure->run_count *= axis->point_count;
        if (status == 0 && figure->run_count > TL_FIGURE_RUNS) {
            status = tl_tree_refuse_as(&figure->tree, node, "too many runs", "at most %d", TL_FIGURE_RUNS);
        }
    }
    return status;
}

static int read_cases(tl_figure *figure, yaml_node_t *node)
{
    static const char *const keys[] = {"at", "set", NULL};
    if (node == NULL) {
        return 0;
    }
    if (node->type != YAML_SEQUENCE_NODE || tl_tree_size(node) > TL_FIGURE_CASES) {
        return tl_tree_refuse(&figure->tree, node, "a list of at most %d entries", TL_FIGURE_CASES);
    }
    int status = 0;
    for (size_t n = 0; status == 0 && n < tl_tree_size(node); n++) {
        yaml_node_t *entry = tl_tree_entry_at(&figure->tree, node, n).value;
        tl_figure_case *out = &figure->cases[figure->case_count++];
        yaml_node_t *at = NULL;
        yaml_node_t *set = NULL;
        status = tl_tree_check_keys(&figure->tree, entry, keys);
        status = status != 0 ? status : tl_tree_need(&figure->tree, entry, "at", &at);
        status = status != 0 ? status : tl_tree_need(&figure->tree, entry, "set", &set);
        status = status != 0 ? status : tl_figure_read_selection(figure, at, &out->at);
        status = status != 0 ? status : tl_figure_read_settings(figure, set, &out->set);
    }
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* The program is tilelens-COMMAND: a word, so that a figure file cannot run anything else. */
static int read_command(tl_figure *figure, yaml_node_t *node)
{
    figure->command = "simulate";
    if (node == NULL) {
        return 0;
    }
    const char *text = tl_tree_text(node);
    if (text == NULL || text[0] == '\0' || strspn(text, "abcdefghijklmnopqrstuvwxyz_-") != strlen(text)) {
        return tl_tree_refuse(&figure->tree, node, "a command of tilelens, such as simulate");
    }
    figure->command = text;
    return 0;
}

static int read_figure(tl_figure *figure)
{
    static const char *const keys[] = {"title", "command", "config", "axes", "cases", "metrics", "plot", "paper", NULL};
    tl_tree *tree = &figure->tree;
    yaml_node_t *root = tl_tree_root(tree);
    yaml_node_t *title = NULL;
    yaml_node_t *config = NULL;
    yaml_node_t *axes = NULL;
    yaml_node_t *metrics = NULL;
    yaml_node_t *plot = NULL;
    int status = tl_tree_check_keys(tree, root, keys);
    status = status != 0 ? status : tl_tree_need(tree, root, "title", &title);
    status = status != 0 ? status : tl_tree_need(tree, root, "config", &config);
    status = status != 0 ? status : tl_tree_need(tree, root, "axes", &axes);
    status = status != 0 ? status : tl_tree_need(tree, root, "metrics", &metrics);
    status = status != 0 ? status : tl_tree_need(tree, root, "plot", &plot);
    status = status != 0 ? status : tl_tree_read_text(tree, title, &figure->title);
    status = status != 0 ? status : tl_tree_read_text(tree, config, &figure->config);
    status = status != 0 ? status : read_command(figure, tl_tree_get(tree, root, "command"));
    status = status != 0 ? status : read_axes(figure, axes);
    status = status != 0 ? status : read_cases(figure, tl_tree_get(tree, root, "cases"));
    status = status != 0 ? status : check_setting_keys(figure);
    status = status != 0 ? status : tl_figure_read_metrics(figure, metrics);
    status = status != 0 ? status : tl_figure_read_plot(figure, plot);
    return status != 0 ? status : tl_figure_read_paper(figure, tl_tree_get(tree, root, "paper"));
}

/* Folder and name from the path. */
static int read_place(tl_figure *figure, const tl_complaint *to)
{
    char folder[TL_FIGURE_PATH_BYTES];
    const char *slash = strrchr(figure->path, '/');
    const char *base = slash == NULL ? figure->path : slash + 1;
    const size_t folder_length = slash == NULL ? 0 : (size_t)(slash - figure->path) + 1;
    const char *dot = strrchr(base, '.');
    const size_t length = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
    if (length >= sizeof figure->name || folder_length + 1 >= sizeof folder) {
        return tl_complain(to, "file", "a longer name", "at most %zu characters", sizeof figure->name - 1);
    }
    memcpy(figure->name, base, length);
    memcpy(folder, figure->path, folder_length);
    memcpy(folder + folder_length, ".", 2);
    char *absolute = realpath(folder, NULL);
    if (absolute == NULL || strlen(absolute) >= sizeof figure->folder) {
        const int cause = absolute == NULL ? errno : ENAMETOOLONG;
        free(absolute);
        return tl_complain(to, "file", strerror(cause), "a readable figure file");
    }
    memcpy(figure->folder, absolute, strlen(absolute) + 1);
    free(absolute);
    return 0;
}

static int load(tl_figure *figure, uint8_t *text, const tl_complaint *to)
{
    size_t used = 0;
    int status = tl_text_file_read(figure->path, "figure", text, TL_FIGURE_TEXT_BYTES, &used, to);
    status = status != 0 ? status : read_place(figure, to);
    status = status != 0 ? status : tl_tree_load(&figure->tree, text, used, "figure", to);
    if (status == 0) {
        status = read_figure(figure);
        if (status != 0) {
            tl_tree_free(&figure->tree);
        }
    }
    return status;
}

int tl_figure_load(const char *path, tl_figure **out, char *error, size_t error_bytes)
{
    const tl_complaint to = {path, error, error_bytes};
    tl_figure *figure = calloc(1, sizeof *figure);
    uint8_t *text = malloc(TL_FIGURE_TEXT_BYTES);
    int status = 2;
    if (figure == NULL || text == NULL) {
        status = tl_complain(&to, "file", "too little memory", "some for its text");
    } else {
        figure->path = path;
        status = load(figure, text, &to);
    }
    free(text);
    if (status != 0) {
        free(figure);
        return status;
    }
    *out = figure;
    return 0;
}

void tl_figure_free(tl_figure *figure)
{
    if (figure != NULL) {
        tl_tree_free(&figure->tree);
        free(figure);
    }
}
