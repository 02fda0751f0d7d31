/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Buffered text on standard output, with one check of success at the end.
 */
#ifndef TILELENS_OUTPUT_H
#define TILELENS_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

enum { TL_OUTPUT_BYTES = 65536 };

/** A plain value; start with tl_output_start, end with tl_output_end. */
typedef struct tl_output {
    size_t used;
    int error; /* errno of the first write that failed, or 0 */
    char buffer[TL_OUTPUT_BYTES];
} tl_output;

void tl_output_start(tl_output *output);
void tl_output_text(tl_output *output, const char *text);
void tl_output_decimal(tl_output *output, uint64_t value);

/** Lower-case hex, 0x in front, no leading zeros. */
void tl_output_hex(tl_output *output, uint64_t value);

/** Write what is left. @return 0, or 2 after a line on stderr when not everything could be written */
int tl_output_end(tl_output *output);

#endif
