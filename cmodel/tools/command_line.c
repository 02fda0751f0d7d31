/* SPDX-License-Identifier: Apache-2.0 */
#include "command_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "case_names.h"
#include "complaint.h"
#include "output.h"

int tl_fail(const char *format, ...)
{
    char text[TL_CASE_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tl_one_line(text);
    (void)fprintf(stderr, "tilelens: %s\n", text);
    return 2;
}

int tl_print(const char *text)
{
    tl_output output;
    tl_output_start(&output);
    tl_output_text(&output, text);
    return tl_output_end(&output);
}

static int read_variant(const tl_case_command *command, const char *name, tl_variant *out)
{
    char names[64];
    tl_name_list(tl_variant_names, TL_VARIANT_COUNT, names, sizeof names);
    if (name == NULL) {
        return tl_fail("%s: --variant: found nothing, expected one of %s", command->name, names);
    }
    const int value = tl_name_find(tl_variant_names, TL_VARIANT_COUNT, name);
    if (value < 0) {
        return tl_fail("%s: --variant: found %s, expected one of %s", command->name, name, names);
    }
    *out = (tl_variant)value;
    return -1;
}

/* Options may stand before and after CASE; after `--` everything is a CASE. */
int tl_case_arguments_read(const tl_case_command *command, int argc, char **argv, tl_case_arguments *out)
{
    static const char VARIANT[] = "--variant";
    const size_t variant_length = sizeof VARIANT - 1;
    bool options = true;
    *out = (tl_case_arguments){.path = NULL, .variant = TL_GENERAL};
    for (int n = 1; n < argc; n++) {
        const char *argument = argv[n];
        int status = -1;
        if (options && strcmp(argument, "--") == 0) {
            options = false;
        } else if (options && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            return tl_print(command->help);
        } else if (options && command->takes_variant && strcmp(argument, VARIANT) == 0) {
            status = read_variant(command, n + 1 < argc ? argv[++n] : NULL, &out->variant);
        } else if (options && command->takes_variant && strncmp(argument, VARIANT, variant_length) == 0 &&
                   argument[variant_length] == '=') {
            status = read_variant(command, argument + variant_length + 1, &out->variant);
        } else if (options && argument[0] == '-') {
            status = tl_fail("%s: found unknown option %s, expected %s--help", command->name, argument,
                             command->takes_variant ? "--variant or " : "");
        } else if (out->path != NULL) {
            status = tl_fail("%s: found a second case file %s, expected one", command->name, argument);
        } else {
            out->path = argument;
        }
        if (status >= 0) {
            return status;
        }
    }
    return out->path != NULL ? -1 : tl_fail("%s: found no case file, expected one", command->name);
}

int tl_case_arguments_start(const tl_case_arguments *arguments, tl_case *load_case, tl_engine *engine)
{
    char error[TL_CASE_ERROR_BYTES];
    if (tl_case_load(arguments->path, load_case, error, sizeof error) != 0 ||
        tl_case_start(arguments->path, load_case, arguments->variant, engine, error, sizeof error) != 0) {
        return tl_fail("%s", error);
    }
    return 0;
}
