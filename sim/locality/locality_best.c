/* SPDX-License-Identifier: Apache-2.0 */
#include "locality_best.h"

#include <string.h>
#include <time.h>

#include "complaint.h"
#include "locality_key.h"

/* The keys that a search sets. */
static const char *const searched_keys[] = {
    "layout.a",
    "layout.a_leading_dimension",
    "layout.b",
    "layout.b_leading_dimension",
    "placement.data",
    "placement.cta",
    "traversal.order",
    "traversal.block_rows",
    "traversal.block_columns",
};

enum { SEARCHED_KEYS = sizeof searched_keys / sizeof searched_keys[0] };

static const struct {
    int data, cta;
} mappings[] = {
    {TL_DATA_INTERLEAVE, TL_CTA_ROUND_ROBIN},    {TL_DATA_ROW_SPLIT, TL_CTA_ROW_SPLIT},
    {TL_DATA_ROW_SPLIT, TL_CTA_COLUMN_SPLIT},    {TL_DATA_COLUMN_SPLIT, TL_CTA_ROW_SPLIT},
    {TL_DATA_COLUMN_SPLIT, TL_CTA_COLUMN_SPLIT},
};

static const tl_locality_traversal traversals[] = {
    {TL_ORDER_ROW, 8, 1, TL_BLOCKS_ROW},     {TL_ORDER_COLUMN, 8, 1, TL_BLOCKS_ROW},
    {TL_ORDER_BLOCK, 8, 1, TL_BLOCKS_ROW},   {TL_ORDER_BLOCK, 8, 8, TL_BLOCKS_ROW},
    {TL_ORDER_BLOCK, 16, 16, TL_BLOCKS_ROW},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { SEARCH_COUNT = 4 * COUNT(mappings) * COUNT(traversals) }; /* 4: row- or column-major A and B */

static bool is_better(const tl_locality_metrics *a, const tl_locality_metrics *b)
{
    return a->remote_bytes != b->remote_bytes ? a->remote_bytes < b->remote_bytes : a->energy_j < b->energy_j;
}

/* Equal but for a traversal that changes nothing: no counter of any chiplet. */
static bool is_repeated(const tl_locality_best *out, const tl_locality_choice *choice)
{
    for (unsigned n = 0; n < out->count; n++) {
        const tl_locality_choice *known = &out->best[n];
        if (known->config.layout.a == choice->config.layout.a && known->config.layout.b == choice->config.layout.b &&
            known->config.placement.data == choice->config.placement.data &&
            known->config.placement.cta == choice->config.placement.cta &&
            memcmp(known->counters.chiplet, choice->counters.chiplet, sizeof choice->counters.chiplet) == 0) {
            return true;
        }
    }
    return false;
}

static void keep(tl_locality_best *out, const tl_locality_choice *choice)
{
    unsigned place = out->count;
    while (place > 0 && is_better(&choice->metrics, &out->best[place - 1].metrics)) {
        place--;
    }
    if (place == TL_BEST_COUNT) {
        return;
    }
    const unsigned kept = out->count < TL_BEST_COUNT ? out->count : TL_BEST_COUNT - 1;
    memmove(&out->best[place + 1], &out->best[place], (kept - place) * sizeof out->best[0]);
    out->best[place] = *choice;
    out->count = kept + 1;
}

static int measure(tl_locality_choice *choice, tl_locality_engine engine, const tl_progress *progress, char *error,
                   size_t error_bytes)
{
    const clock_t start = clock();
    const int status = tl_locality_run(&choice->config, engine, progress, &choice->counters, error, error_bytes);
    if (status == 0) {
        tl_locality_measure(&choice->config, &choice->counters, (double)(clock() - start) / CLOCKS_PER_SEC,
                            &choice->metrics);
    }
    return status;
}

/* The leading dimension of an operand laid out otherwise: as much longer than its extent as the given one. */
static uint64_t carry_padding(uint64_t leading, uint64_t extent, uint64_t new_extent)
{
    return leading == 0 ? 0 : leading - extent + new_extent;
}

/* @return false: the layout stays as it is */
static bool set_layout(tl_locality_config *config, int a, int b)
{
    const tl_locality_layout given = config->layout;
    if (given.a >= TL_TILE_MAJOR_PANEL || given.b >= TL_TILE_MAJOR_PANEL) {
        return a == TL_ROW_MAJOR && b == TL_ROW_MAJOR; /* once, with the file's layouts */
    }
    config->layout.a = a;
    config->layout.b = b;
    const uint64_t a_extents[] = {config->gemm.k, config->gemm.m}; /* row_major, column_major */
    const uint64_t b_extents[] = {config->gemm.n, config->gemm.k};
    config->layout.a_leading_dimension = carry_padding(given.a_leading_dimension, a_extents[given.a], a_extents[a]);
    config->layout.b_leading_dimension = carry_padding(given.b_leading_dimension, b_extents[given.b], b_extents[b]);
    return true;
}

/* Progress of the search: so many of its runs are done. */
typedef struct search_part {
    const tl_progress *progress;
    unsigned done;
} search_part;

static void tell_part(void *context, double part)
{
    const search_part *search = context;
    tl_progress_tell(search->progress, (search->done + part) / (SEARCH_COUNT + 1.0));
}

int tl_locality_search(const tl_locality_config *config, tl_locality_engine engine, const tl_progress *progress,
                       tl_locality_best *out, char *error, size_t error_bytes)
{
    search_part search = {.progress = progress};
    const tl_progress run_progress = {tell_part, &search};
    *out = (tl_locality_best){.given = {.config = *config}};
    int status = measure(&out->given, engine, &run_progress, error, error_bytes);
    for (unsigned n = 0; n < SEARCH_COUNT && status == 0; n++) {
        search.done = n + 1;
        static tl_locality_choice choice; /* large for a stack */
        const unsigned mapping = n / COUNT(traversals) % COUNT(mappings);
        const unsigned layouts = n / (unsigned)(COUNT(traversals) * COUNT(mappings));
        choice.config = *config;
        choice.config.traversal = traversals[n % COUNT(traversals)];
        choice.config.placement.data = mappings[mapping].data;
        choice.config.placement.cta = mappings[mapping].cta;
        if (!set_layout(&choice.config, (int)layouts / 2, (int)layouts % 2) ||
            tl_locality_check(&choice.config, "search", error, error_bytes) != 0 ||
            tl_locality_check_work(&choice.config, engine, "search", error, error_bytes) != 0) {
            continue;
        }
        status = measure(&choice, engine, &run_progress, error, error_bytes);
        if (status == 0) {
            out->searched++;
        }
        if (status == 0 && !is_repeated(out, &choice)) {
            keep(out, &choice);
        }
    }
    return status;
}

static void write_row(const char *name, const tl_locality_choice *choice, char *text, size_t text_bytes)
{
    const tl_locality_metrics *m = &choice->metrics;
    tl_append(text, text_bytes, "%-5s %9.4g %9.4g %10.4g %9.4g %8.2f  ", name, (double)m->remote_bytes * 1e-9,
              (double)m->local_bytes * 1e-9, m->energy_j, m->time_s * 1e3, 100.0 * m->l2_hit_rate);
    for (unsigned n = 0; n < SEARCHED_KEYS; n++) {
        char value[64];
        tl_locality_value_text(tl_locality_key_find(searched_keys[n]), &choice->config, value, sizeof value);
        const bool is_block = strncmp(searched_keys[n], "traversal.block", 15) == 0;
        const bool is_leading = strstr(searched_keys[n], "leading") != NULL;
        if ((!is_block || choice->config.traversal.order == TL_ORDER_BLOCK) && !(is_leading && value[0] == '0')) {
            tl_append(text, text_bytes, " %s=%s", searched_keys[n], value);
        }
    }
    tl_append(text, text_bytes, "\n");
}

void tl_locality_best_write_text(const tl_locality_best *best, char *text, size_t text_bytes)
{
    text[0] = '\0';
    tl_append(text, text_bytes, "%-5s %9s %9s %10s %9s %8s   %s\n", "", "remote GB", "local GB", "energy J", "time ms",
              "L2 hit %", "settings");
    write_row("given", &best->given, text, text_bytes);
    for (unsigned n = 0; n < best->count; n++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%u", n + 1);
        write_row(name, &best->best[n], text, text_bytes);
    }
    tl_append(text, text_bytes, "%u configurations\n", best->searched);
}

void tl_locality_best_write_json(const tl_locality_best *best, FILE *file)
{
    (void)fprintf(file, "[\n");
    for (unsigned n = 0; n < best->count; n++) {
        (void)fprintf(file, "{\"settings\": {");
        for (unsigned k = 0; k < SEARCHED_KEYS; k++) {
            char value[64];
            tl_locality_value_text(tl_locality_key_find(searched_keys[k]), &best->best[n].config, value, sizeof value);
            (void)fprintf(file, "%s\"%s\": \"%s\"", k == 0 ? "" : ", ", searched_keys[k], value);
        }
        (void)fprintf(file, "},\n\"results\": ");
        tl_locality_write_json(&best->best[n].metrics, &best->best[n].counters, file);
        (void)fprintf(file, "}%s\n", n + 1 < best->count ? "," : "");
    }
    (void)fprintf(file, "]\n");
}
