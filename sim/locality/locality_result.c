/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics from counters. Every metric has one row, from which JSON, text and `--help` are written. */
#include "locality_result.h"

#include <inttypes.h>
#include <math.h>

#include "complaint.h"

/* Integers as they are, reals with 9 significant digits. */
typedef enum row_kind { ROW_WHOLE, ROW_REAL, ROW_BOUND } row_kind;

static const struct {
    const char *key, *unit, *meaning;
    row_kind kind;
    size_t offset;
} rows[] = {
#define ROW(key_, kind_, member, unit_, meaning_)                                                                      \
    {                                                                                                                  \
        .key = (key_), .unit = (unit_), .meaning = (meaning_), .kind = (kind_),                                        \
        .offset = offsetof(tl_locality_metrics, member)                                                                \
    }
    ROW("l2_hit_rate", ROW_REAL, l2_hit_rate, "", "A and B line accesses that hit"),
    ROW("hbm_locality", ROW_REAL, hbm_locality, "", "local / (local + remote) bytes"),
    ROW("local_bytes", ROW_WHOLE, local_bytes, "B", "missed lines and C of the chiplet's own HBM"),
    ROW("remote_bytes", ROW_WHOLE, remote_bytes, "B", "missed lines and C of other chiplets' HBM"),
    ROW("a_accesses", ROW_WHOLE, a_accesses, "lines", "accesses to A"),
    ROW("b_accesses", ROW_WHOLE, b_accesses, "lines", "accesses to B"),
    ROW("a_misses", ROW_WHOLE, a_misses, "lines", "misses of A"),
    ROW("b_misses", ROW_WHOLE, b_misses, "lines", "misses of B"),
    ROW("c_local_bytes", ROW_WHOLE, c_local_bytes, "B", "C written to the chiplet's own HBM"),
    ROW("c_remote_bytes", ROW_WHOLE, c_remote_bytes, "B", "C written to other chiplets' HBM"),
    ROW("time_s", ROW_REAL, time_s, "s", "roofline: the longer of arithmetic and HBM transfer"),
    ROW("energy_j", ROW_REAL, energy_j, "J", "dynamic energy: operations, local and remote bits"),
    ROW("tflop_per_joule", ROW_REAL, tflop_per_joule, "TFLOP/J", "operations / energy"),
    ROW("bound", ROW_BOUND, compute_bound, "", "what time_s is: compute or hbm"),
    ROW("seconds", ROW_REAL, seconds, "s", "processor time of this run"),
#undef ROW
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0], VALUE_BYTES = 40 };

static void add_chiplet(const tl_chiplet_counters *counters, unsigned chiplet, unsigned chiplets, uint64_t line_bytes,
                        tl_locality_metrics *out)
{
    out->a_accesses += counters->accesses[TL_OPERAND_A];
    out->b_accesses += counters->accesses[TL_OPERAND_B];
    for (unsigned home = 0; home < chiplets; home++) {
        const uint64_t a = counters->misses[TL_OPERAND_A][home];
        const uint64_t b = counters->misses[TL_OPERAND_B][home];
        const uint64_t c = counters->c_bytes[home];
        out->a_misses += a;
        out->b_misses += b;
        *(home == chiplet ? &out->c_local_bytes : &out->c_remote_bytes) += c;
        *(home == chiplet ? &out->local_bytes : &out->remote_bytes) += (a + b) * line_bytes + c;
    }
}

void tl_locality_measure(const tl_locality_config *config, const tl_locality_counters *counters, double seconds,
                         tl_locality_metrics *out)
{
    *out = (tl_locality_metrics){.seconds = seconds};
    for (unsigned chiplet = 0; chiplet < config->machine.chiplets; chiplet++) {
        add_chiplet(&counters->chiplet[chiplet], chiplet, config->machine.chiplets, config->machine.line_bytes, out);
    }
    const tl_locality_cost *cost = &config->cost;
    const double flop = 2.0 * (double)config->gemm.m * (double)config->gemm.n * (double)config->gemm.k;
    const double bytes = (double)out->local_bytes + (double)out->remote_bytes;
    const double compute_s = flop / cost->flop_per_s;
    const double transfer_s = bytes / cost->hbm_bytes_per_s;
    out->l2_hit_rate = 1.0 - (double)(out->a_misses + out->b_misses) / (double)(out->a_accesses + out->b_accesses);
    out->hbm_locality = (double)out->local_bytes / bytes;
    out->compute_bound = compute_s >= transfer_s;
    out->time_s = fmax(compute_s, transfer_s);
    out->energy_j = 1e-12 * (cost->pj_per_flop * flop + 8.0 * (cost->pj_per_bit_local * (double)out->local_bytes +
                                                               cost->pj_per_bit_remote * (double)out->remote_bytes));
    out->tflop_per_joule = flop / out->energy_j * 1e-12;
}

static void value_text(const tl_locality_metrics *metrics, unsigned row, char text[VALUE_BYTES])
{
    const void *member = (const char *)metrics + rows[row].offset;
    switch (rows[row].kind) {
    case ROW_WHOLE:
        (void)snprintf(text, VALUE_BYTES, "%" PRIu64, *(const uint64_t *)member);
        break;
    case ROW_REAL:
        (void)snprintf(text, VALUE_BYTES, "%.9g", *(const double *)member);
        break;
    case ROW_BOUND:
        (void)snprintf(text, VALUE_BYTES, "%s", *(const bool *)member ? "compute" : "hbm");
        break;
    }
}

void tl_locality_write_json(const tl_locality_metrics *metrics, const tl_locality_counters *counters, FILE *file)
{
    (void)fprintf(file, "{\n");
    for (unsigned n = 0; n < ROW_COUNT; n++) {
        char value[VALUE_BYTES];
        const char *quote = rows[n].kind == ROW_BOUND ? "\"" : "";
        value_text(metrics, n, value);
        (void)fprintf(file, "  \"%s\": %s%s%s,\n", rows[n].key, quote, value, quote);
    }
    (void)fprintf(file, "  \"engine\": \"%s\"\n}\n", counters->engine == TL_ENGINE_FAST ? "fast" : "reference");
}

void tl_locality_write_text(const tl_locality_metrics *metrics, const tl_locality_counters *counters, char *text,
                            size_t text_bytes)
{
    text[0] = '\0';
    for (unsigned n = 0; n < ROW_COUNT; n++) {
        char value[VALUE_BYTES];
        value_text(metrics, n, value);
        tl_append(text, text_bytes, "%-16s %14s %-8s %s\n", rows[n].key, value, rows[n].unit, rows[n].meaning);
    }
    if (counters->fallback != NULL) {
        tl_append(text, text_bytes, "engine           reference: %s\n", counters->fallback);
    } else if (counters->engine == TL_ENGINE_REFERENCE) {
        tl_append(text, text_bytes, "engine           reference\n");
    } else {
        tl_append(text, text_bytes, "engine           fast: %u sets simulated\n", counters->simulated_sets);
    }
}

void tl_locality_print_results(FILE *file)
{
    for (unsigned n = 0; n < ROW_COUNT; n++) {
        (void)fprintf(file, "  %s%s%s%s: %s\n", rows[n].key, rows[n].unit[0] == '\0' ? "" : " (", rows[n].unit,
                      rows[n].unit[0] == '\0' ? "" : ")", rows[n].meaning);
    }
}
