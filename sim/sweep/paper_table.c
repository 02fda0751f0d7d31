/* SPDX-License-Identifier: Apache-2.0 */
/* What the paper says beside what we found. */
#include <math.h>
#include <string.h>

#include "tables.h"

enum { CELL_BYTES = 128, COLUMNS = 5 };

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Smallest, largest and mean of the selected runs; geometric mean by `geometric`. */
typedef struct summary {
    double low, high, mean;
} summary;

static summary summarize(const tl_results *results, const tl_paper_row *row, bool geometric)
{
    const tl_figure *figure = results->figure->figure;
    summary out = {INFINITY, -INFINITY, 0};
    size_t count = 0;
    for (size_t run = 0; run < figure->run_count; run++) {
        if (tl_figure_selects(figure, &row->at, run)) {
            const double value = tl_results_value(results, row->metric, run);
            if (isnan(value)) {
                return (summary){NAN, NAN, NAN};
            }
            out.low = fmin(out.low, value);
            out.high = fmax(out.high, value);
            out.mean += geometric ? log(value) : value;
            count++;
        }
    }
    out.mean /= (double)count;
    out.mean = geometric ? exp(out.mean) : out.mean;
    return out;
}

/* To the nearer end of the paper's range. */
static double ratio_of(const tl_paper_row *row, double ours)
{
    const double paper = ours < row->low ? row->low : ours > row->high ? row->high : ours;
    return paper == ours ? 1 : paper == 0 ? NAN : ours / paper;
}

/* An end moved outwards by the tolerance; an open end stays. */
static double widen(double end, double tolerance)
{
    return isfinite(end) ? end + fabs(end) * tolerance : end;
}

static bool agrees(const tl_paper_row *row, double ours)
{
    return ours >= widen(row->low, -row->tolerance) && ours <= widen(row->high, row->tolerance);
}

void tl_paper_numbers_make(const tl_results *results, const tl_paper_row *row, tl_paper_numbers *out)
{
    const summary ours = summarize(results, row, row->as == TL_AS_GEOMEAN);
    switch (row->as) {
    case TL_AS_RANGE:
        out->low = ours.low;
        out->high = ours.high;
        break;
    case TL_AS_MIN:
        out->low = out->high = ours.low;
        break;
    case TL_AS_MAX:
        out->low = out->high = ours.high;
        break;
    default:
        out->low = out->high = ours.mean;
        break;
    }
    if (row->as == TL_AS_RANGE && row->low < row->high && isfinite(row->low) && isfinite(row->high)) {
        out->low_ratio = out->low / row->low;
        out->high_ratio = out->high / row->high;
    } else {
        out->low_ratio = ratio_of(row, out->low);
        out->high_ratio = ratio_of(row, out->high);
    }
    out->agrees = agrees(row, out->low) && agrees(row, out->high);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Three digits or so, without an exponent. */
static void put_number(double value, char *cell)
{
    if (isfinite(value)) {
        const double size = fabs(value);
        tl_append(cell, CELL_BYTES, "%.*f", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value);
    } else {
        tl_append(cell, CELL_BYTES, "-");
    }
}

/* One number where both are the same. */
static void put_pair(double low, double high, const char *between, char *cell)
{
    char second[CELL_BYTES] = "";
    put_number(low, cell);
    put_number(high, second);
    if (strcmp(cell, second) != 0) {
        tl_append(cell, CELL_BYTES, "%s%s", between, second);
    }
}

static void put_paper(const tl_paper_row *row, char *cell)
{
    if (row->low == row->high) {
        tl_append(cell, CELL_BYTES, "%.6g", row->low);
    } else if (isinf(row->high)) {
        tl_append(cell, CELL_BYTES, "above %.6g", row->low);
    } else if (isinf(row->low)) {
        tl_append(cell, CELL_BYTES, "below %.6g", row->high);
    } else {
        tl_append(cell, CELL_BYTES, "%.6g to %.6g", row->low, row->high);
    }
}

static void make_cells(const tl_results *results, const tl_paper_row *row, char cells[COLUMNS - 2][CELL_BYTES],
                       bool *agrees_out)
{
    tl_paper_numbers numbers;
    tl_paper_numbers_make(results, row, &numbers);
    memset(cells, 0, sizeof(char[COLUMNS - 2][CELL_BYTES]));
    put_paper(row, cells[0]);
    put_pair(numbers.low, numbers.high, " to ", cells[1]);
    put_pair(numbers.low_ratio, numbers.high_ratio, ", ", cells[2]);
    *agrees_out = numbers.agrees;
}

/* Bytes are columns: enough for texts in ASCII, and the table reads well without. */
static void put_row(const char *const cells[COLUMNS], const size_t widths[COLUMNS - 1], FILE *to)
{
    for (unsigned n = 0; n + 1 < COLUMNS; n++) {
        (void)fprintf(to, "| %-*s ", (int)widths[n], cells[n]);
    }
    (void)fprintf(to, "| %s%s|\n", cells[COLUMNS - 1], cells[COLUMNS - 1][0] == '\0' ? "" : " ");
}

static void put_rule(const size_t widths[COLUMNS - 1], FILE *to)
{
    for (unsigned n = 0; n + 1 < COLUMNS; n++) {
        (void)fputs("|", to);
        for (size_t dash = 0; dash < widths[n] + 2; dash++) {
            (void)fputc('-', to);
        }
    }
    (void)fputs("|--------|\n", to);
}

void tl_paper_table_write(const tl_results *results, FILE *to)
{
    static const char *const head[COLUMNS] = {"what", "paper", "ours", "ratio", "reason"};
    const tl_figure *figure = results->figure->figure;
    char cells[COLUMNS - 2][CELL_BYTES];
    bool agrees_here = false;
    size_t widths[COLUMNS - 1];
    (void)fprintf(to, "%s\n\n", figure->title);
    if (figure->paper_count == 0) {
        return;
    }
    for (unsigned n = 0; n + 1 < COLUMNS; n++) {
        widths[n] = strlen(head[n]);
    }
    for (size_t r = 0; r < figure->paper_count; r++) {
        make_cells(results, &figure->paper[r], cells, &agrees_here);
        for (unsigned n = 0; n + 1 < COLUMNS; n++) {
            const size_t width = strlen(n == 0 ? figure->paper[r].what : cells[n - 1]);
            widths[n] = width > widths[n] ? width : widths[n];
        }
    }
    put_row(head, widths, to);
    put_rule(widths, to);
    for (size_t r = 0; r < figure->paper_count; r++) {
        const tl_paper_row *row = &figure->paper[r];
        make_cells(results, row, cells, &agrees_here);
        const char *reason = row->reason == NULL ? "differs, no reason given" : row->reason;
        const char *const texts[COLUMNS] = {row->what, cells[0], cells[1], cells[2], agrees_here ? "" : reason};
        put_row(texts, widths, to);
    }
    (void)fputc('\n', to);
}
