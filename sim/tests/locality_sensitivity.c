/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of docs/09-locality.md. `headlines`: the paper's numbers beside ours. `sensitivity`: the same under other set
 * indices, padding and CTAs a unit. `projections`: the QKV and O projections beside the others.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locality_gemms.h"
#include "locality_result.h"

enum { BASE, RR, RC, CR, CC };
enum { ROW, COLUMN, BLOCK, TRAVERSAL_COUNT };
enum { MODELS = 2, MODEL_GEMMS = GEMM_COUNT / MODELS };

/* What may differ from the paper's reading. */
typedef struct variant {
    int set_index;
    bool padded; /* leading dimensions 64 elements, a line, longer */
    uint32_t ctas_per_unit;
} variant;

static const variant PAPER = {TL_SET_MODULO, false, 2};

static void apply(const variant *v, tl_locality_config *config)
{
    const uint64_t more = v->padded ? 64 : 0;
    const tl_locality_gemm *gemm = &config->gemm;
    config->machine.set_index = v->set_index;
    config->machine.ctas_per_unit = v->ctas_per_unit;
    config->layout.a_leading_dimension = (config->layout.a == TL_ROW_MAJOR ? gemm->k : gemm->m) + more;
    config->layout.b_leading_dimension = (config->layout.b == TL_ROW_MAJOR ? gemm->n : gemm->k) + more;
    config->layout.c_leading_dimension = (config->layout.c == TL_ROW_MAJOR ? gemm->n : gemm->m) + more;
}

static tl_locality_metrics run(const variant *v, tl_locality_config config)
{
    static tl_locality_counters counters;
    tl_locality_metrics metrics;
    char error[TL_LOCALITY_ERROR_BYTES];
    apply(v, &config);
    if (tl_locality_check(&config, "study", error, sizeof error) != 0 ||
        tl_locality_run(&config, TL_ENGINE_FAST, NULL, &counters, error, sizeof error) != 0) {
        (void)fprintf(stderr, "%s\n", error);
        exit(EXIT_FAILURE);
    }
    tl_locality_measure(&config, &counters, 0.0, &metrics);
    return metrics;
}

/* ---- five mappings ----------------------------------------------------------------------------------------------- */

/* Largest of each ratio over some GEMMs. */
typedef struct mapping_study {
    double range, least_gb, most_gb; /* the last two of the GEMM with the range */
    double reduction, mismatch, efficiency_percent;
} mapping_study;

static void add_gemm(const tl_locality_metrics metrics[MAPPING_COUNT], mapping_study *study)
{
    double least = (double)metrics[0].remote_bytes;
    double most = least;
    double efficiency = 0.0;
    for (unsigned mapping = 0; mapping < MAPPING_COUNT; mapping++) {
        const double remote = (double)metrics[mapping].remote_bytes;
        least = fmin(least, remote);
        most = fmax(most, remote);
        efficiency = fmax(efficiency, metrics[mapping].tflop_per_joule);
    }
    if (most / least > study->range) {
        study->range = most / least;
        study->least_gb = least * 1e-9;
        study->most_gb = most * 1e-9;
    }
    study->reduction = fmax(study->reduction, (double)metrics[BASE].remote_bytes / least);
    study->mismatch = fmax(study->mismatch, (double)metrics[CR].remote_bytes / (double)metrics[RR].remote_bytes);
    study->efficiency_percent =
        fmax(study->efficiency_percent, 100.0 * (efficiency / metrics[BASE].tflop_per_joule - 1.0));
}

static mapping_study study_mappings(const variant *v)
{
    mapping_study study = {0};
    for (unsigned gemm = 0; gemm < GEMM_COUNT; gemm++) {
        tl_locality_metrics metrics[MAPPING_COUNT];
        for (unsigned mapping = 0; mapping < MAPPING_COUNT; mapping++) {
            metrics[mapping] = run(v, mapping_config(gemm, mapping, 4096));
        }
        add_gemm(metrics, &study);
    }
    return study;
}

/* ---- traversals -------------------------------------------------------------------------------------------------- */

typedef struct traversal_sum {
    double accesses, misses, remote_bytes, tflop, energy_j;
} traversal_sum;

/* Block order against the better of row and column order for the whole model. */
typedef struct traversal_study {
    double hit_points, remote_percent, efficiency_percent;
} traversal_study;

static void add_run(traversal_sum *sum, const tl_locality_metrics *metrics)
{
    sum->accesses += (double)(metrics->a_accesses + metrics->b_accesses);
    sum->misses += (double)(metrics->a_misses + metrics->b_misses);
    sum->remote_bytes += (double)metrics->remote_bytes;
    sum->tflop += metrics->tflop_per_joule * metrics->energy_j;
    sum->energy_j += metrics->energy_j;
}

static unsigned study_traversals(const variant *v, traversal_study studies[MODELS])
{
    unsigned fewer = 0;
    for (unsigned model = 0; model < MODELS; model++) {
        traversal_sum sums[TRAVERSAL_COUNT] = {{0}};
        for (unsigned n = 0; n < MODEL_GEMMS; n++) {
            uint64_t remote[TRAVERSAL_COUNT];
            for (unsigned order = 0; order < TRAVERSAL_COUNT; order++) {
                tl_locality_config config = gemm_config(model * MODEL_GEMMS + n, 16384);
                config.traversal.order = (int)order; /* TL_ORDER_ROW, TL_ORDER_COLUMN, TL_ORDER_BLOCK */
                const tl_locality_metrics metrics = run(v, config);
                add_run(&sums[order], &metrics);
                remote[order] = metrics.remote_bytes;
            }
            fewer += remote[BLOCK] < remote[ROW] && remote[BLOCK] < remote[COLUMN];
        }
        const traversal_sum *best = sums[ROW].remote_bytes < sums[COLUMN].remote_bytes ? &sums[ROW] : &sums[COLUMN];
        const traversal_sum *block = &sums[BLOCK];
        studies[model] = (traversal_study){
            100.0 * (best->misses / best->accesses - block->misses / block->accesses),
            100.0 * (block->remote_bytes / best->remote_bytes - 1.0),
            100.0 * (block->tflop / block->energy_j / (best->tflop / best->energy_j) - 1.0),
        };
    }
    return fewer;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void print_headlines(void)
{
    traversal_study studies[MODELS];
    const mapping_study m = study_mappings(&PAPER);
    const unsigned fewer = study_traversals(&PAPER, studies);
    const tl_locality_metrics more = run(&PAPER, mapping_config(4, BASE, 16384));
    const tl_locality_metrics less = run(&PAPER, mapping_config(4, RR, 16384));
    (void)printf("| number | paper | ours |\n|---|---|---|\n");
    (void)printf("| remote traffic, largest over smallest of five mappings | 43.1x | %.2fx |\n", m.range);
    (void)printf("| of that GEMM, smallest to largest | 0.26 to 11.4 GB | %.3f to %.3f GB |\n", m.least_gb, m.most_gb);
    (void)printf("| interleaved over the best mapping | 18.3x | %.2fx |\n", m.reduction);
    (void)printf("| data split other than the CTAs' | 17.0x | %.2fx |\n", m.mismatch);
    (void)printf("| energy efficiency over interleaved | +17 %% | +%.1f %% |\n", m.efficiency_percent);
    (void)printf("| block order, L2 hit rate, Qwen / Llama | +9.4 / +4.4 points | %+.2f / %+.2f |\n",
                 studies[0].hit_points, studies[1].hit_points);
    (void)printf("| block order, remote traffic | -25.9 / -13.4 %% | %+.2f / %+.2f %% |\n", studies[0].remote_percent,
                 studies[1].remote_percent);
    (void)printf("| block order, energy efficiency | +15.2 / +6.9 %% | %+.2f / %+.2f %% |\n",
                 studies[0].efficiency_percent, studies[1].efficiency_percent);
    (void)printf("| GEMMs with less remote traffic in block order | 5 of 12 | %u of 12 |\n", fewer);
    (void)printf("| interleaved over row-split at 16384 tokens (another version of the abstract) | 58x | %.2fx |\n",
                 (double)more.remote_bytes / (double)less.remote_bytes);
}

static void print_sensitivity(void)
{
    (void)printf(
        "| index | padding | CTAs a unit | range | GB | reduction | mismatch | efficiency | hit points | remote %% "
        "| efficiency %% | fewer |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (unsigned n = 0; n < 12; n++) {
        const variant v = {n / 6 == 0 ? TL_SET_MODULO : TL_SET_XOR, n / 3 % 2 == 1, 1u << n % 3};
        traversal_study t[MODELS];
        const mapping_study m = study_mappings(&v);
        const unsigned fewer = study_traversals(&v, t);
        (void)printf("| %s | %s | %u | %.1fx | %.2f to %.2f | %.1fx | %.1fx | %+.1f %% | %+.1f / %+.1f | %+.1f / %+.1f "
                     "| %+.1f / %+.1f | %u |\n",
                     v.set_index == TL_SET_XOR ? "XOR" : "modulo", v.padded ? "one line" : "none", v.ctas_per_unit,
                     m.range, m.least_gb, m.most_gb, m.reduction, m.mismatch, m.efficiency_percent, t[0].hit_points,
                     t[1].hit_points, t[0].remote_percent, t[1].remote_percent, t[0].efficiency_percent,
                     t[1].efficiency_percent, fewer);
        (void)fflush(stdout);
    }
}

static void print_projections(void)
{
    (void)printf("| projection | out x in | range Fwd / dX / dW | best mapping Fwd / dX / dW | efficiency |\n"
                 "|---|---|---|---|---|\n");
    for (unsigned p = 0; p < PROJECTION_COUNT + ATTENTION_COUNT; p++) {
        const projection *at = p < PROJECTION_COUNT ? &PROJECTIONS[p] : &ATTENTION[p - PROJECTION_COUNT];
        mapping_study all = {0};
        double range[GEMM_KINDS];
        unsigned best[GEMM_KINDS];
        for (unsigned kind = 0; kind < GEMM_KINDS; kind++) {
            tl_locality_metrics metrics[MAPPING_COUNT];
            mapping_study own = {0};
            best[kind] = 0;
            for (unsigned mapping = 0; mapping < MAPPING_COUNT; mapping++) {
                tl_locality_config config = projection_config(at, kind, 4096);
                config.placement.data = MAPPINGS[mapping].data;
                config.placement.cta = MAPPINGS[mapping].cta;
                metrics[mapping] = run(&PAPER, config);
                best[kind] = metrics[mapping].remote_bytes < metrics[best[kind]].remote_bytes ? mapping : best[kind];
            }
            add_gemm(metrics, &own);
            add_gemm(metrics, &all);
            range[kind] = own.range;
        }
        (void)printf("| %s | %llu x %llu | %.1fx / %.1fx / %.1fx | %s / %s / %s | %+.1f %% |\n", at->name,
                     (unsigned long long)at->out, (unsigned long long)at->in, range[0], range[1], range[2],
                     MAPPINGS[best[0]].name, MAPPINGS[best[1]].name, MAPPINGS[best[2]].name, all.efficiency_percent);
    }
}

int main(int argc, char **argv)
{
    const char *table = argc == 2 ? argv[1] : "";
    if (strcmp(table, "headlines") == 0) {
        print_headlines();
    } else if (strcmp(table, "sensitivity") == 0) {
        print_sensitivity();
    } else if (strcmp(table, "projections") == 0) {
        print_projections();
    } else {
        (void)fprintf(stderr, "usage: locality_sensitivity headlines|sensitivity|projections\n");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
