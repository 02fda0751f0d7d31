/* SPDX-License-Identifier: Apache-2.0 */
#include "complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FOUND_CHARACTERS = 64 };

static void append_list(char *text, size_t text_bytes, const char *format, va_list arguments)
{
    const size_t used = strlen(text);
    if (used + 1 < text_bytes) {
        (void)vsnprintf(text + used, text_bytes - used, format, arguments);
    }
}

void tl_append(char *text, size_t text_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_list(text, text_bytes, format, arguments);
    va_end(arguments);
}

void tl_one_line(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f) {
            *c = '?';
        }
    }
}

int tl_complain(const tl_complaint *to, const char *path, const char *found, const char *expected, ...)
{
    if (to->text_bytes == 0) {
        return 2;
    }
    to->text[0] = '\0';
    tl_append(to->text, to->text_bytes, "%s: %s: found %.*s%s, expected ", to->file, path, FOUND_CHARACTERS, found,
              strlen(found) > FOUND_CHARACTERS ? "..." : "");
    va_list arguments;
    va_start(arguments, expected);
    append_list(to->text, to->text_bytes, expected, arguments);
    va_end(arguments);
    tl_one_line(to->text);
    return 2;
}
