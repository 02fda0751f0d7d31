/* SPDX-License-Identifier: Apache-2.0 */
#include "gates_table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_names.h"
#include "command_line.h"

const char *const tl_gates_stages[TL_STAGE_COUNT] = {"desc_decode", "setup",    "coord_mul", "split_sum",
                                                     "dim_convert", "counters", "permute",   "req_gen"};

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static tl_series sorted(const tl_series *series, unsigned count)
{
    tl_series copy = *series;
    qsort(copy.value, count, sizeof copy.value[0], compare);
    return copy;
}

static double median(const tl_series *series, unsigned count)
{
    const tl_series s = sorted(series, count);
    return (s.value[(count - 1) / 2] + s.value[count / 2]) / 2;
}

/* Largest minus smallest. */
static double spread(const tl_series *series, unsigned count)
{
    const tl_series s = sorted(series, count);
    return s.value[count - 1] - s.value[0];
}

/* Medians of the three variants. */
typedef struct medians {
    double of[TL_VARIANT_COUNT];
} medians;

static medians medians_of(const tl_series series[TL_VARIANT_COUNT], unsigned count)
{
    medians m;
    for (int v = 0; v < TL_VARIANT_COUNT; v++) {
        m.of[v] = median(&series[v], count);
    }
    return m;
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void line(tl_output *output, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tl_output_text(output, text);
    tl_output_text(output, "\n");
}

static void print_area_row(tl_output *output, const char *what, medians m)
{
    line(output, "%-36s%10.0f%10.0f%10.0f%+12.0f%+10.0f", what, m.of[TL_BASELINE], m.of[TL_PAPER], m.of[TL_GENERAL],
         m.of[TL_PAPER] - m.of[TL_BASELINE], m.of[TL_GENERAL] - m.of[TL_BASELINE]);
}

static void print_spread_row(tl_output *output, const tl_series series[TL_VARIANT_COUNT], unsigned count, int decimals)
{
    if (count > 1) {
        line(output, "%-36s%10.*f%10.*f%10.*f", "  spread (largest - smallest)", decimals,
             spread(&series[TL_BASELINE], count), decimals, spread(&series[TL_PAPER], count), decimals,
             spread(&series[TL_GENERAL], count));
    }
}

static void print_stages(tl_output *output, const tl_gates_table *table)
{
    for (int s = 0; s < TL_STAGE_COUNT; s++) {
        char name[64];
        (void)snprintf(name, sizeof name, "tma_%s, alone", tl_gates_stages[s]);
        print_area_row(output, name, medians_of(table->stage_area[s], table->orderings));
    }
}

static void print_total(tl_output *output, const tl_gates_table *table)
{
    const unsigned count = table->orderings;
    const medians area = medians_of(table->area, count);
    const medians delay = medians_of(table->delay, count);
    const double mul32 = median(&table->mul32_area, count);
    print_area_row(output, "total: tma_synth, flattened", area);
    print_spread_row(output, table->area, count, 0);
    line(output, "%-66s%12.2f%10.2f", "  added / 32x32->32 multiplier",
         (area.of[TL_PAPER] - area.of[TL_BASELINE]) / mul32, (area.of[TL_GENERAL] - area.of[TL_BASELINE]) / mul32);
    print_area_row(output, "total, mapped for speed", medians_of(table->speed_area, count));
    line(output, "%-36s%10.2f%10.2f%10.2f%11.2fx%9.2fx", "  longest path, ns", delay.of[TL_BASELINE],
         delay.of[TL_PAPER], delay.of[TL_GENERAL], delay.of[TL_PAPER] / delay.of[TL_BASELINE],
         delay.of[TL_GENERAL] / delay.of[TL_BASELINE]);
    print_spread_row(output, table->delay, count, 2);
}

void tl_gates_print(tl_output *output, const tl_gates_table *table)
{
    const tl_liberty *liberty = &table->liberty;
    line(output, "Library %s. One gate equivalent (GE) is the area of its smallest 2-input NAND, %s: %.4g.",
         liberty->name, liberty->nand2, liberty->nand2_area);
    line(output, "%s: synth -flatten, dfflibmap, abc, stat. Before layout: no wires, no clock tree.", table->tools);
    line(output, "%s",
         table->orderings == 1 ? "One ordering of the netlist; abc's result moves by about 100 GE with it."
                               : "Medians over orderings of the netlist, each variant by itself.");
    line(output, "\n%-36s%10s%10s%10s%12s%10s", "GE", "baseline", "paper", "general", "paper +", "general +");
    print_stages(output, table);
    print_total(output, table);
    line(output, "\n32x32->32 multiplier %.0f GE, 32x32->64 multiplier %.0f GE, by the same script.",
         median(&table->mul32_area, table->orderings), median(&table->mul64_area, table->orderings));
    line(output, "Stages do not add up to the total: it has the registers at the ports of tma_synth, and is optimized");
    line(output, "across stages. The longest path is between registers, without clock-to-output and set-up times.");
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Liberty names and version strings, as a JSON string. */
static void write_string(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20) {
            (void)fprintf(file, "\\u%04x", (unsigned)*text);
            continue;
        }
        if (*text == '"' || *text == '\\') {
            (void)fputc('\\', file);
        }
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

static void write_variants(FILE *file, const char *suffix, medians m)
{
    for (int v = 0; v < TL_VARIANT_COUNT; v++) {
        (void)fprintf(file, "  \"%s_%s\": %.4f,\n", tl_variant_names[v], suffix, m.of[v]);
    }
}

static void write_stages(FILE *file, const tl_gates_table *table)
{
    (void)fprintf(file, "  \"stages\": {");
    for (int s = 0; s < TL_STAGE_COUNT; s++) {
        const medians m = medians_of(table->stage_area[s], table->orderings);
        (void)fprintf(file, "%s\n    \"%s\": {", s == 0 ? "" : ",", tl_gates_stages[s]);
        for (int v = 0; v < TL_VARIANT_COUNT; v++) {
            (void)fprintf(file, "%s\"%s\": %.4f", v == 0 ? "" : ", ", tl_variant_names[v], m.of[v]);
        }
        (void)fprintf(file, "}");
    }
    (void)fprintf(file, "\n  },\n");
}

static void write_table(FILE *file, const tl_gates_table *table)
{
    const medians area = medians_of(table->area, table->orderings);
    (void)fprintf(file, "{\n  \"nand2_area\": %.6g,\n", table->liberty.nand2_area);
    write_variants(file, "ge", area);
    (void)fprintf(file, "  \"paper_added_ge\": %.4f,\n", area.of[TL_PAPER] - area.of[TL_BASELINE]);
    (void)fprintf(file, "  \"general_added_ge\": %.4f,\n", area.of[TL_GENERAL] - area.of[TL_BASELINE]);
    (void)fprintf(file, "  \"mul32_ge\": %.4f,\n", median(&table->mul32_area, table->orderings));
    (void)fprintf(file, "  \"mul64_ge\": %.4f,\n", median(&table->mul64_area, table->orderings));
    write_variants(file, "delay", medians_of(table->delay, table->orderings));
    write_stages(file, table);
    (void)fprintf(file, "  \"liberty\": ");
    write_string(file, table->liberty.name);
    (void)fprintf(file, ",\n  \"tools\": ");
    write_string(file, table->tools);
    (void)fprintf(file, "\n}\n");
}

int tl_gates_write_json(const char *path, const tl_gates_table *table)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return tl_fail("%s: cannot be written: %s", path, strerror(errno));
    }
    write_table(file, table);
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed != 0) {
        return tl_fail("%s: cannot be written: %s", path, strerror(errno));
    }
    return 0;
}
