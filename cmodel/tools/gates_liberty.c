/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of the Liberty grammar that keeps one cell at a time: statements are `name : value ;`,
 * `name (values) ;` and groups `name (values) { statements }`. */
#include "gates_liberty.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "gates_function.h"

enum { TEXT_BYTES = 256, DEPTH_LIMIT = 32, FOUND_CHARACTERS = 40, FILE_BYTES_LIMIT = 1 << 30 };

typedef enum group { TOP, LIBRARY, CELL, PIN, OTHER } group;

typedef struct pin {
    char name[TL_LIBERTY_NAME_BYTES];
    char direction[TEXT_BYTES];
    char function[TEXT_BYTES];
    double capacitance;
} pin;

typedef struct cell {
    char name[TL_LIBERTY_NAME_BYTES];
    double area;
    bool plain; /* no flip-flop, latch or bus, and not marked dont_use */
    int input_count, output_count;
    pin inputs[TL_FUNCTION_INPUTS];
    pin output;
} cell;

typedef struct reader {
    const char *path;
    const char *at;
    unsigned line;
    bool failed;
    double capacitance_unit_ff;
    cell cell;
    pin pin;
    bool has_flip_flop;
    tl_liberty *out;
} reader;

static void fail(reader *r, const char *expected)
{
    if (r->failed) {
        return;
    }
    r->failed = true;
    const bool end = *r->at == '\0';
    (void)tl_fail("%s: line %u: found %.*s, expected %s", r->path, r->line, FOUND_CHARACTERS,
                  end ? "the end of the file" : r->at, expected);
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static void advance(reader *r)
{
    r->line += *r->at == '\n' ? 1 : 0;
    r->at++;
}

static void skip_blanks(reader *r)
{
    for (;;) {
        if (isspace((unsigned char)*r->at) || *r->at == '\\') {
            advance(r);
        } else if (r->at[0] == '/' && r->at[1] == '*') {
            while (*r->at != '\0' && (r->at[0] != '*' || r->at[1] != '/')) {
                advance(r);
            }
            r->at += *r->at == '\0' ? 0 : 2;
        } else if (r->at[0] == '/' && r->at[1] == '/') {
            r->at += strcspn(r->at, "\n");
        } else {
            return;
        }
    }
}

static bool accept(reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c) {
        return false;
    }
    r->at++;
    return true;
}

/* A quoted string, or what stands before one of `ends`, without trailing blanks; cut to TEXT_BYTES. */
static void read_text(reader *r, const char *ends, char text[TEXT_BYTES])
{
    size_t length = 0;
    skip_blanks(r);
    const bool quoted = *r->at == '"';
    if (quoted) {
        r->at++;
        ends = "\"";
    }
    while (*r->at != '\0' && strchr(ends, *r->at) == NULL) {
        if (*r->at == '\\' && r->at[1] != '\0') {
            advance(r);
        }
        if (length + 1 < TEXT_BYTES) {
            text[length++] = *r->at;
        }
        advance(r);
    }
    if (quoted && !accept(r, '"')) {
        fail(r, "a closing quote");
    }
    while (!quoted && length > 0 && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    text[length] = '\0';
}

/* ---- meaning ----------------------------------------------------------------------------------------------------- */

static void copy(char *to, size_t to_bytes, const char *text)
{
    (void)snprintf(to, to_bytes, "%.*s", (int)to_bytes - 1, text);
}

static group enter_group(reader *r, group parent, const char *kind, const char *name)
{
    if (parent == TOP && strcmp(kind, "library") == 0) {
        copy(r->out->name, TL_LIBERTY_NAME_BYTES, name);
        return LIBRARY;
    }
    if (parent == LIBRARY && strcmp(kind, "cell") == 0) {
        r->cell = (cell){.area = -1, .plain = true};
        copy(r->cell.name, TL_LIBERTY_NAME_BYTES, name);
        return CELL;
    }
    if (parent == CELL && strcmp(kind, "pin") == 0) {
        r->pin = (pin){.capacitance = 0};
        copy(r->pin.name, TL_LIBERTY_NAME_BYTES, name);
        return PIN;
    }
    r->has_flip_flop = r->has_flip_flop || (parent == CELL && strcmp(kind, "ff") == 0);
    static const char *const others[] = {"ff", "ff_bank", "latch", "latch_bank", "statetable", "bus", "bundle"};
    for (size_t n = 0; parent == CELL && n < sizeof others / sizeof others[0]; n++) {
        r->cell.plain = r->cell.plain && strcmp(kind, others[n]) != 0;
    }
    return OTHER;
}

static void leave_pin(reader *r)
{
    cell *c = &r->cell;
    if (strcmp(r->pin.direction, "input") == 0) {
        if (c->input_count < TL_FUNCTION_INPUTS) {
            c->inputs[c->input_count] = r->pin;
        }
        c->input_count++;
    } else if (strcmp(r->pin.direction, "output") == 0) {
        c->output = r->pin;
        c->output_count++;
    }
}

static void leave_cell(reader *r)
{
    const cell *c = &r->cell;
    tl_liberty *out = r->out;
    unsigned table = 0;
    const char *const names[] = {c->inputs[0].name, c->inputs[1].name};
    if (!c->plain || c->area <= 0 || c->output_count != 1 || c->input_count < 1 ||
        c->input_count > TL_FUNCTION_INPUTS || !tl_function_table(c->output.function, names, c->input_count, &table)) {
        return;
    }
    const bool nand2 = c->input_count == 2 && table == TL_FUNCTION_NAND2;
    const bool inverter = c->input_count == 1 && table == TL_FUNCTION_INVERTER;
    if (nand2 && (out->nand2[0] == '\0' || c->area < out->nand2_area)) {
        copy(out->nand2, TL_LIBERTY_NAME_BYTES, c->name);
        out->nand2_area = c->area;
        out->nand2_input_ff = (c->inputs[0].capacitance + c->inputs[1].capacitance) / 2 * r->capacitance_unit_ff;
    }
    if (inverter && (out->inverter[0] == '\0' || c->area < out->inverter_area)) {
        copy(out->inverter, TL_LIBERTY_NAME_BYTES, c->name);
        out->inverter_area = c->area;
    }
}

static void leave_group(reader *r, group kind)
{
    if (kind == PIN) {
        leave_pin(r);
    } else if (kind == CELL) {
        leave_cell(r);
    }
}

static void take_attribute(reader *r, group kind, const char *name, const char *value)
{
    if (kind == CELL && strcmp(name, "area") == 0) {
        r->cell.area = strtod(value, NULL);
    } else if (kind == CELL && strcmp(name, "dont_use") == 0) {
        r->cell.plain = r->cell.plain && strcmp(value, "true") != 0;
    } else if (kind == PIN && strcmp(name, "direction") == 0) {
        copy(r->pin.direction, TEXT_BYTES, value);
    } else if (kind == PIN && strcmp(name, "function") == 0) {
        copy(r->pin.function, TEXT_BYTES, value);
    } else if (kind == PIN && strcmp(name, "capacitance") == 0) {
        r->pin.capacitance = strtod(value, NULL);
    }
}

static void take_values(reader *r, group kind, const char *name, const char *first, const char *second)
{
    if (kind == LIBRARY && strcmp(name, "capacitive_load_unit") == 0) {
        r->capacitance_unit_ff = strtod(first, NULL) * (tolower((unsigned char)second[0]) == 'p' ? 1000 : 1);
    }
}

/* ---- grammar ----------------------------------------------------------------------------------------------------- */

static void read_statements(reader *r, group kind, int depth);

/* After `name (`. Only the first two values mean anything here. */
static void read_values_or_group(reader *r, group kind, const char *name, int depth)
{
    char values[2][TEXT_BYTES] = {"", ""};
    char more[TEXT_BYTES];
    int count = 0;
    while (!r->failed && !accept(r, ')')) {
        if (*r->at == '\0') {
            fail(r, ")");
        } else if (!accept(r, ',')) {
            read_text(r, ",)", count < 2 ? values[count] : more);
            count++;
        }
    }
    if (!accept(r, '{')) {
        (void)accept(r, ';');
        take_values(r, kind, name, values[0], values[1]);
        return;
    }
    if (depth == DEPTH_LIMIT) {
        fail(r, "fewer nested groups");
        return;
    }
    const group child = enter_group(r, kind, name, values[0]);
    read_statements(r, child, depth + 1);
    if (!r->failed && !accept(r, '}')) {
        fail(r, "}");
    }
    leave_group(r, child);
}

static void read_statements(reader *r, group kind, int depth)
{
    char name[TEXT_BYTES];
    char value[TEXT_BYTES];
    for (;;) {
        while (accept(r, ';')) {}
        if (r->failed || *r->at == '\0' || (*r->at == '}' && kind != TOP)) {
            return;
        }
        if (!isalpha((unsigned char)*r->at) && *r->at != '_') {
            fail(r, kind == TOP ? "library (NAME) {" : "a Liberty statement");
            return;
        }
        read_text(r, " \t\r\n:(;{}", name);
        if (accept(r, ':')) {
            read_text(r, ";\n}", value);
            take_attribute(r, kind, name, value);
        } else if (accept(r, '(')) {
            read_values_or_group(r, kind, name, depth);
        } else {
            fail(r, ": or (");
        }
    }
}

/* ---- file -------------------------------------------------------------------------------------------------------- */

/* The whole file with a zero behind it; the caller frees it. Null after a line on stderr. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0;
    size_t room = 0;
    bool more = file != NULL;
    while (more) {
        if (used + 1 >= room) {
            room = room == 0 ? 1 << 20 : 2 * room;
            char *larger = room > FILE_BYTES_LIMIT ? NULL : realloc(text, room);
            if (larger == NULL) {
                errno = EFBIG;
                break;
            }
            text = larger;
        }
        const size_t count = fread(text + used, 1, room - used - 1, file);
        used += count;
        more = count > 0;
    }
    const bool whole = file != NULL && !more && ferror(file) == 0;
    if (!whole) {
        (void)tl_fail("%s: file: found %s, expected a Liberty file", path, strerror(errno));
        free(text);
        text = NULL;
    } else {
        text[used] = '\0';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

int tl_liberty_read(const char *path, tl_liberty *out)
{
    char *text = read_file(path);
    if (text == NULL) {
        return 2;
    }
    *out = (tl_liberty){.nand2_area = 0};
    reader r = {.path = path, .at = text, .line = 1, .capacitance_unit_ff = 1000, .out = out};
    read_statements(&r, TOP, 0);
    free(text);
    if (r.failed) {
        return 2;
    }
    if (out->name[0] == '\0') {
        return tl_fail("%s: library: found none, expected library (NAME) {", path);
    }
    if (out->nand2[0] == '\0') {
        return tl_fail("%s: cell: found no 2-input NAND, expected a cell with area and the function !(A*B)", path);
    }
    if (out->inverter[0] == '\0') {
        return tl_fail("%s: cell: found no inverter, expected a cell with area and the function !A", path);
    }
    if (!r.has_flip_flop) {
        return tl_fail("%s: cell: found no flip-flop, expected a cell with a group ff", path);
    }
    return 0;
}
