/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Case files: one TMA load in YAML (docs: the case format), as parameters of the C library.
 *
 * Every function that can fail returns 0, or 2 and one line of text without a newline:
 * `FILE: PATH: found ..., expected ...`. Callable from any thread.
 */
#ifndef TILELENS_CASE_FILE_H
#define TILELENS_CASE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "tilelens/load.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Enough for any line that these functions write; a longer file name is cut. */
enum { TL_CASE_ERROR_BYTES = 1024 };

/** No case needs more; it bounds what a wrong path (a device, a trace) can cost. */
enum { TL_CASE_FILE_BYTES = 65536 };

typedef struct tl_case {
    tl_tensor_params params;
    tl_load load;
} tl_case;

/** Read and parse a case file. Encode and launch rules are not checked here. *out is untouched on failure. */
int tl_case_load(const char *path, tl_case *out, char *error, size_t error_bytes);

/** As tl_case_load, from memory; `name` stands for the file in the error text. */
int tl_case_parse(const char *name, const uint8_t *text, size_t text_bytes, tl_case *out, char *error,
                  size_t error_bytes);

/** Encode the tensor map of a case: every encode rule. `name` is the file in the error text. */
int tl_case_encode(const char *name, const tl_case *in, tl_tensor_map *map, char *error, size_t error_bytes);

/** tl_case_encode, and every launch rule. */
int tl_case_launch(const char *name, const tl_case *in, tl_tensor_map *map, char *error, size_t error_bytes);

/** tl_case_launch, and start the engine: every rule of the variant too. */
int tl_case_start(const char *name, const tl_case *in, tl_variant variant, tl_engine *engine, char *error,
                  size_t error_bytes);

/**
 * The line for a status of this case: path and value of the field at fault, what the rule expects, its name.
 * @param dim  dimension of the broken rule, or -1
 * @return 2
 */
int tl_case_refusal(const char *name, const tl_case *in, tl_status status, int dim, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif
#endif
