/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an input error. */
#include "input_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool tl_input_error_set(tl_input_error *error, const char *path, const char *found, const char *expected, ...)
{
    va_list arguments;
    va_start(arguments, expected);
    vsnprintf(error->expected, sizeof error->expected, expected, arguments);
    va_end(arguments);
    snprintf(error->path, sizeof error->path, "%s", path);
    snprintf(error->found, sizeof error->found, "%s", found);
    return false;
}

bool tl_input_error_number(tl_input_error *error, const char *path, double found, const char *expected, ...)
{
    va_list arguments;
    va_start(arguments, expected);
    vsnprintf(error->expected, sizeof error->expected, expected, arguments);
    va_end(arguments);
    snprintf(error->path, sizeof error->path, "%s", path);
    snprintf(error->found, sizeof error->found, "%.15g", found);
    return false;
}

bool tl_input_error_status(tl_input_error *error, const char *path, tl_status status)
{
    static const char FOUND[] = "found ", EXPECTED[] = ", expected ";
    const char *found = tl_status_str(status) + strlen(FOUND);
    const char *cut = strstr(found, EXPECTED);
    snprintf(error->path, sizeof error->path, "%s", path);
    snprintf(error->found, sizeof error->found, "%.*s", (int)(cut - found), found);
    snprintf(error->expected, sizeof error->expected, "%s", cut + strlen(EXPECTED));
    return false;
}
