/* SPDX-License-Identifier: Apache-2.0 */
#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The whole file into `text`. @return its size, or SIZE_MAX with errno set; more than `text_bytes` is EFBIG */
static size_t read_file(const char *path, uint8_t *text, size_t text_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return SIZE_MAX;
    }
    errno = 0;
    const size_t used = fread(text, 1, text_bytes, file);
    int cause = 0;
    if (ferror(file)) {
        cause = errno != 0 ? errno : EIO;
    } else if (used == text_bytes && fgetc(file) != EOF) {
        cause = EFBIG;
    }
    (void)fclose(file);
    errno = cause;
    return cause == 0 ? used : SIZE_MAX;
}

int tl_text_file_read(const char *path, const char *kind, uint8_t *text, size_t text_bytes, size_t *used,
                      const tl_complaint *to)
{
    *used = read_file(path, text, text_bytes);
    if (*used != SIZE_MAX) {
        return 0;
    }
    if (errno == EFBIG) {
        return tl_complain(to, "file", "a longer file", "a %s file of at most %zu bytes", kind, text_bytes);
    }
    return tl_complain(to, "file", strerror(errno), "a readable %s file", kind);
}
