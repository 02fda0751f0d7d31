/* SPDX-License-Identifier: Apache-2.0 */
#include "gates_function.h"

#include <ctype.h>
#include <string.h>

enum { ALL_ROWS = 0xf, DEPTH_LIMIT = 32 };

/* Value of the inputs in the four rows of a truth table. */
static const unsigned input_tables[TL_FUNCTION_INPUTS] = {0xa, 0xc};

typedef struct expression {
    const char *at;
    const char *const *inputs;
    int input_count;
    int depth;
    bool valid;
} expression;

static unsigned parse_or(expression *e);

static char peek(expression *e)
{
    while (isspace((unsigned char)*e->at)) {
        e->at++;
    }
    return *e->at;
}

static unsigned parse_name(expression *e)
{
    size_t length = 0;
    while (isalnum((unsigned char)e->at[length]) || (e->at[length] != '\0' && strchr("_[].", e->at[length]) != NULL)) {
        length++;
    }
    const char *name = e->at;
    e->at += length;
    for (int n = 0; n < e->input_count && n < TL_FUNCTION_INPUTS; n++) {
        if (length > 0 && strlen(e->inputs[n]) == length && strncmp(name, e->inputs[n], length) == 0) {
            return input_tables[n];
        }
    }
    e->valid = false;
    return 0;
}

static unsigned parse_factor(expression *e)
{
    unsigned table = 0;
    if (++e->depth > DEPTH_LIMIT) {
        e->valid = false;
    } else if (peek(e) == '!') {
        e->at++;
        table = ~parse_factor(e) & ALL_ROWS;
    } else if (peek(e) == '(') {
        e->at++;
        table = parse_or(e);
        e->valid = e->valid && peek(e) == ')';
        e->at += e->valid ? 1 : 0;
    } else {
        table = parse_name(e);
    }
    e->depth--;
    while (e->valid && peek(e) == '\'') {
        e->at++;
        table = ~table & ALL_ROWS;
    }
    return table;
}

static bool factor_follows(char c)
{
    return c == '!' || c == '(' || c == '_' || isalnum((unsigned char)c);
}

static unsigned parse_and(expression *e)
{
    unsigned table = parse_factor(e);
    while (e->valid && (peek(e) == '*' || peek(e) == '&' || factor_follows(peek(e)))) {
        e->at += factor_follows(*e->at) ? 0 : 1;
        table &= parse_factor(e);
    }
    return table;
}

static unsigned parse_xor(expression *e)
{
    unsigned table = parse_and(e);
    while (e->valid && peek(e) == '^') {
        e->at++;
        table ^= parse_and(e);
    }
    return table;
}

static unsigned parse_or(expression *e)
{
    unsigned table = parse_xor(e);
    while (e->valid && (peek(e) == '+' || peek(e) == '|')) {
        e->at++;
        table |= parse_xor(e);
    }
    return table;
}

bool tl_function_table(const char *text, const char *const *inputs, int input_count, unsigned *table)
{
    expression e = {.at = text, .inputs = inputs, .input_count = input_count, .depth = 0, .valid = true};
    *table = parse_or(&e);
    return e.valid && peek(&e) == '\0';
}
