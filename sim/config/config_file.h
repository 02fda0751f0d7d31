/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Configuration files (YAML) and `--set` overrides -> tl_config.
 *
 * CONFIG is a mapping with the keys of the groups of config_key.h. It may name two more files, relative to its own
 * folder: `system_file`, with the key `system`, and `workload_file`, with the key `workload`. Later values win:
 * defaults, the two files, CONFIG, then each `--set`. A path in a `--set` is relative to the working directory.
 *
 * Every function that can fail returns 0, or 2 and one line of text without a newline:
 * `FILE: PATH: found ..., expected ...`.
 */
#ifndef TILELENS_SIM_CONFIG_FILE_H
#define TILELENS_SIM_CONFIG_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "system_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Enough for any line that tl_config_load writes; a longer file name is cut. */
enum { TL_CONFIG_ERROR_BYTES = 2048 };

/**
 * @param settings  `KEY=VALUE` texts, applied in order; a pair is `KEY=[A, B]`
 * @param out       untouched on failure
 */
int tl_config_load(const char *path, const char *const *settings, size_t setting_count, tl_config *out, char *error,
                   size_t error_bytes);

/** Print every key with its default, its range and its meaning: the second half of `simulate --help`. */
void tl_config_print_keys(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
