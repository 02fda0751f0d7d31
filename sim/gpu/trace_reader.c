/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a trace, checked one by one; every complaint names the line. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace_file.h"

#define MAX_COMPUTE_PS UINT64_C(1000000000000000)
enum { MAX_FIELDS = 16, MAP_HEX_DIGITS = 256, MAX_CTAS_PER_SM = 32, MAX_STAGES = 64 };

static const char HEADER[] = "tilelens-trace 1";

typedef struct fields {
    unsigned count;
    char *field[MAX_FIELDS];
} fields;

tl_trace_result tl_trace_reader_error(const tl_trace_reader *reader, tl_input_error *error, const char *found,
                                      const char *expected, ...)
{
    char path[sizeof error->path], text[sizeof error->expected];
    va_list arguments;
    va_start(arguments, expected);
    vsnprintf(text, sizeof text, expected, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "line %" PRIu64, reader->line_number);
    tl_input_error_set(error, path, found, "%s", text);
    return TL_TRACE_BAD;
}

bool tl_trace_reader_open(tl_trace_reader *reader, const char *path, tl_input_error *error)
{
    reader->line_number = 0;
    reader->load_count = 0;
    reader->ended = false;
    return tl_trace_input_open(&reader->input, path) ||
           tl_input_error_set(error, "trace", "a file that cannot be opened", "a trace");
}

void tl_trace_reader_close(tl_trace_reader *reader)
{
    tl_trace_input_close(&reader->input);
}

static tl_trace_result read_text(tl_trace_reader *reader, tl_input_error *error)
{
    reader->line_number++;
    switch (tl_trace_input_line(&reader->input, reader->text, sizeof reader->text)) {
    case TL_TRACE_INPUT_LINE:
        return TL_TRACE_LINE;
    case TL_TRACE_INPUT_END:
        return TL_TRACE_END;
    case TL_TRACE_INPUT_DAMAGED:
        return tl_trace_reader_error(reader, error, "damaged or truncated data, or more behind it", "a whole file");
    default:
        return tl_trace_reader_error(reader, error, "a longer line, or a zero byte", "lines of at most %d characters",
                                     TL_TRACE_LINE_BYTES - 1);
    }
}

/* Cut at blanks; a # ends the line. */
static fields split(char *text)
{
    fields cut = {.count = 0};
    text[strcspn(text, "#")] = '\0';
    for (char *at = strtok(text, " \t"); at != NULL; at = strtok(NULL, " \t")) {
        if (cut.count < MAX_FIELDS)
            cut.field[cut.count] = at;
        cut.count++;
    }
    return cut;
}

static int digit_of(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'F')
        return character - 'A' + 10;
    return 16;
}

bool tl_trace_number(const char *text, uint64_t high, uint64_t *value)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned base = hex ? 16 : 10;
    const char *at = hex ? text + 2 : text;
    uint64_t sum = 0;
    if (*at == '\0')
        return false;
    for (; *at != '\0'; at++) {
        const unsigned digit = (unsigned)digit_of(*at);
        if (digit >= base || sum > (high - digit % base) / base)
            return false;
        sum = sum * base + digit;
    }
    *value = sum;
    return sum <= high;
}

/* A field as a number in a range. */
static bool get_u32(const tl_trace_reader *reader, const char *name, const char *text, uint32_t low, uint32_t high,
                    uint32_t *value, tl_input_error *error)
{
    uint64_t number;
    if (tl_trace_number(text, high, &number) && number >= low) {
        *value = (uint32_t)number;
        return true;
    }
    tl_trace_reader_error(reader, error, text, "%s from %" PRIu32 " to %" PRIu32, name, low, high);
    return false;
}

static bool get_coordinate(const tl_trace_reader *reader, const char *text, int32_t *value, tl_input_error *error)
{
    const bool negative = text[0] == '-';
    uint64_t number;
    if (tl_trace_number(negative ? text + 1 : text, negative ? UINT64_C(1) << 31 : INT32_MAX, &number)) {
        *value = (int32_t)(negative ? -(int64_t)number : (int64_t)number);
        return true;
    }
    tl_trace_reader_error(reader, error, text, "a coordinate: a whole number of 32 bits");
    return false;
}

static bool get_operand(const tl_trace_reader *reader, const char *text, tl_operand *operand, tl_input_error *error)
{
    if (strcmp(text, "weight") == 0)
        *operand = TL_OPERAND_WEIGHT;
    else if (strcmp(text, "activation") == 0)
        *operand = TL_OPERAND_ACTIVATION;
    else
        return tl_trace_reader_error(reader, error, text, "weight or activation") != TL_TRACE_BAD;
    return true;
}

static bool get_tile(const tl_trace_reader *reader, char *const *field, tl_trace_tile *tile, tl_input_error *error)
{
    return get_u32(reader, "a kernel", field[0], 0, UINT32_MAX - 1, &tile->kernel, error) &&
           get_u32(reader, "a CTA", field[1], 0, UINT32_MAX - 1, &tile->cta, error) &&
           get_u32(reader, "a step", field[2], 0, UINT32_MAX - 1, &tile->step, error);
}

static bool parse_kernel(const tl_trace_reader *reader, char *const *field, tl_kernel *kernel, tl_input_error *error)
{
    if (strlen(field[0]) >= sizeof kernel->name) {
        tl_trace_reader_error(reader, error, field[0], "a name of at most %d characters", TL_KERNEL_NAME_BYTES - 1);
        return false;
    }
    strcpy(kernel->name, field[0]);
    if (!tl_trace_number(field[3], MAX_COMPUTE_PS, &kernel->compute_ps)) {
        tl_trace_reader_error(reader, error, field[3], "picoseconds of one step, at most 10^15");
        return false;
    }
    return get_u32(reader, "CTAs", field[1], 1, UINT32_MAX - 1, &kernel->cta_count, error) &&
           get_u32(reader, "steps", field[2], 1, UINT32_MAX - 1, &kernel->step_count, error) &&
           get_u32(reader, "CTAs on an SM", field[4], 1, MAX_CTAS_PER_SM, &kernel->ctas_per_sm, error) &&
           get_u32(reader, "stages", field[5], 1, MAX_STAGES, &kernel->stages, error) &&
           get_u32(reader, "tiles in flight", field[6], 1, kernel->stages, &kernel->tiles_in_flight, error);
}

/* Byte 0 first; words are little-endian. */
static bool parse_map(const tl_trace_reader *reader, char *const *field, tl_source_map *map, tl_input_error *error)
{
    if (!get_operand(reader, field[0], &map->operand, error))
        return false;
    memset(&map->map, 0, sizeof map->map);
    size_t digits = 0;
    for (; field[1][digits] != '\0' && digits < MAP_HEX_DIGITS && digit_of(field[1][digits]) < 16; digits++) {
        const uint64_t digit = (uint64_t)digit_of(field[1][digits]);
        const size_t byte = digits / 2;
        map->map.word[byte / 8] |= digit << (byte % 8 * 8 + (digits % 2 == 0 ? 4 : 0));
    }
    if (digits == MAP_HEX_DIGITS && field[1][digits] == '\0')
        return true;
    tl_trace_reader_error(reader, error, "another text", "a tensor map of %d hex digits", MAP_HEX_DIGITS);
    return false;
}

static bool parse_load(const tl_trace_reader *reader, const fields *cut, tl_trace_line *line, tl_input_error *error)
{
    tl_tile_load *load = &line->load;
    *load = (tl_tile_load){.map = 0};
    if (!get_tile(reader, &cut->field[1], &line->tile, error) ||
        !get_u32(reader, "a map", cut->field[4], 0, UINT32_MAX - 1, &load->map, error) ||
        !get_u32(reader, "a shared address", cut->field[5], 0, UINT32_MAX, &load->of.tma.shared_address, error))
        return false;
    line->coordinate_count = cut->count - 6;
    for (uint32_t k = 0; k < line->coordinate_count; k++)
        if (!get_coordinate(reader, cut->field[6 + k], &load->of.tma.coordinates[k], error))
            return false;
    return true;
}

static bool parse_read(const tl_trace_reader *reader, char *const *field, tl_trace_line *line, tl_input_error *error)
{
    tl_plain_read read = {0};
    tl_operand operand = TL_OPERAND_WEIGHT;
    if (!get_tile(reader, field, &line->tile, error) || !get_operand(reader, field[3], &operand, error))
        return false;
    if (!tl_trace_number(field[4], UINT64_MAX - TL_TRACE_MAX_READ_BYTES, &read.address)) {
        tl_trace_reader_error(reader, error, field[4], "an address of 64 bits");
        return false;
    }
    line->load = (tl_tile_load){.map = TL_MAP_NONE, .operand = operand};
    if (!get_u32(reader, "bytes", field[5], 1, TL_TRACE_MAX_READ_BYTES, &read.bytes, error))
        return false;
    line->load.of.plain = read;
    line->coordinate_count = 0;
    return true;
}

/* `end` is the last line, and its number tells a whole trace from a part. */
static bool parse_end(tl_trace_reader *reader, char *const *field, tl_input_error *error)
{
    uint64_t count;
    if (!tl_trace_number(field[0], UINT64_MAX, &count) || count != reader->load_count)
        return tl_trace_reader_error(reader, error, field[0], "%" PRIu64 ", the loads and reads of this trace",
                                     reader->load_count) != TL_TRACE_BAD;
    reader->ended = true;
    return true;
}

typedef struct line_form {
    const char *word, *form;
    unsigned min_fields, max_fields;
} line_form;

enum { FORM_KERNEL, FORM_MAP, FORM_LOAD, FORM_READ, FORM_END, FORM_COUNT };

static const line_form FORMS[FORM_COUNT] = {
    {"kernel", "kernel NAME CTAS STEPS COMPUTE_PS CTAS_PER_SM STAGES TILES_IN_FLIGHT", 8, 8},
    {"map", "map OPERAND HEX", 3, 3},
    {"load", "load KERNEL CTA STEP MAP SHARED_ADDRESS C0 [C1..]", 7, 6 + TL_MAX_RANK},
    {"read", "read KERNEL CTA STEP OPERAND ADDRESS BYTES", 7, 7},
    {"end", "end LINES", 2, 2},
};

static bool parse_form(tl_trace_reader *reader, unsigned form, const fields *cut, tl_trace_line *line,
                       tl_input_error *error)
{
    switch (form) {
    case FORM_KERNEL:
        line->kind = TL_TRACE_KERNEL;
        return parse_kernel(reader, &cut->field[1], &line->kernel, error);
    case FORM_MAP:
        line->kind = TL_TRACE_MAP;
        return parse_map(reader, &cut->field[1], &line->map, error);
    case FORM_END:
        return parse_end(reader, &cut->field[1], error);
    default:
        line->kind = TL_TRACE_LOAD;
        reader->load_count++;
        return form == FORM_LOAD ? parse_load(reader, cut, line, error)
                                 : parse_read(reader, &cut->field[1], line, error);
    }
}

static bool parse(tl_trace_reader *reader, const fields *cut, tl_trace_line *line, tl_input_error *error)
{
    for (unsigned form = 0; form < FORM_COUNT; form++) {
        if (strcmp(cut->field[0], FORMS[form].word) != 0)
            continue;
        if (cut->count >= FORMS[form].min_fields && cut->count <= FORMS[form].max_fields)
            return parse_form(reader, form, cut, line, error);
        char found[24];
        snprintf(found, sizeof found, "%u fields", cut->count);
        return tl_trace_reader_error(reader, error, found, "%s", FORMS[form].form) != TL_TRACE_BAD;
    }
    return tl_trace_reader_error(reader, error, cut->field[0], "kernel, map, load, read or end") != TL_TRACE_BAD;
}

static tl_trace_result check_header(tl_trace_reader *reader, tl_input_error *error)
{
    const tl_trace_result result = read_text(reader, error);
    if (result == TL_TRACE_BAD)
        return result;
    if (result == TL_TRACE_END)
        return tl_trace_reader_error(reader, error, "an empty file", "%s", HEADER);
    if (strcmp(reader->text, HEADER) != 0)
        return tl_trace_reader_error(reader, error, reader->text, "%s", HEADER);
    return TL_TRACE_LINE;
}

tl_trace_result tl_trace_reader_next(tl_trace_reader *reader, tl_trace_line *line, tl_input_error *error)
{
    if (reader->line_number == 0 && check_header(reader, error) == TL_TRACE_BAD)
        return TL_TRACE_BAD;
    for (;;) {
        const tl_trace_result result = read_text(reader, error);
        if (result == TL_TRACE_END && !reader->ended)
            return tl_trace_reader_error(reader, error, "the end of the file", "a line `end LINES`");
        if (result != TL_TRACE_LINE)
            return result;
        const fields cut = split(reader->text);
        if (cut.count == 0)
            continue;
        if (reader->ended)
            return tl_trace_reader_error(reader, error, cut.field[0], "nothing after the end");
        if (!parse(reader, &cut, line, error))
            return TL_TRACE_BAD;
        if (!reader->ended)
            return TL_TRACE_LINE;
    }
}
