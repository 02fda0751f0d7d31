/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"

static void flush(tl_output *output)
{
    size_t done = 0;
    while (output->error == 0 && done < output->used) {
        const ssize_t written = write(STDOUT_FILENO, output->buffer + done, output->used - done);
        if (written >= 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            output->error = errno;
        }
    }
    output->used = 0;
}

void tl_output_start(tl_output *output)
{
    output->used = 0;
    output->error = 0;
}

static void put(tl_output *output, const char *text, size_t text_bytes)
{
    if (text_bytes > TL_OUTPUT_BYTES - output->used) {
        flush(output);
    }
    memcpy(output->buffer + output->used, text, text_bytes);
    output->used += text_bytes;
}

void tl_output_text(tl_output *output, const char *text)
{
    put(output, text, strlen(text));
}

static void put_number(tl_output *output, uint64_t value, unsigned base, const char *prefix)
{
    char digits[24];
    size_t first = sizeof digits;
    do {
        digits[--first] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    tl_output_text(output, prefix);
    put(output, digits + first, sizeof digits - first);
}

void tl_output_decimal(tl_output *output, uint64_t value)
{
    put_number(output, value, 10, "");
}

void tl_output_hex(tl_output *output, uint64_t value)
{
    put_number(output, value, 16, "0x");
}

int tl_output_end(tl_output *output)
{
    flush(output);
    if (output->error != 0) {
        return tl_fail("standard output: found %s, expected a place to write to", strerror(output->error));
    }
    return 0;
}
