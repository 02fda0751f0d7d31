/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A whole file into memory, of a size that bounds what a wrong path (a device, a trace) can cost.
 */
#ifndef TILELENS_TEXT_FILE_H
#define TILELENS_TEXT_FILE_H

#include <stdint.h>

#include "complaint.h"

/**
 * @param kind  what the line of an error calls the file, such as "case"
 * @param used  bytes read
 * @return 0, or 2 and a complaint: no such file, or more than `text_bytes`
 */
int tl_text_file_read(const char *path, const char *kind, uint8_t *text, size_t text_bytes, size_t *used,
                      const tl_complaint *to);

#endif
