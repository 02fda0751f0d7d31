/* SPDX-License-Identifier: Apache-2.0 */
/**
 * 64-bit digests (FNV-1a) of texts and files: equal content, equal digest. Not against somebody who wants a collision.
 */
#ifndef TILELENS_SWEEP_DIGEST_H
#define TILELENS_SWEEP_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TL_DIGEST_START UINT64_C(0xcbf29ce484222325)

uint64_t tl_digest_bytes(uint64_t digest, const void *bytes, size_t count);

/** The text and its end, so that "a" "b" is not "ab". */
uint64_t tl_digest_text(uint64_t digest, const char *text);

/** @return false, and *digest as it was, where `path` is no readable file */
bool tl_digest_file(uint64_t *digest, const char *path);

/**
 * A file and the files that it names: any value of a YAML file that is a path to a file, as seen from its folder.
 * @return false, and *digest as it was, where `path` is no readable file
 */
bool tl_digest_config(uint64_t *digest, const char *path);

/** `name` as seen from `folder`. @return false when that is too long */
bool tl_path_from(const char *folder, const char *name, char *path, size_t path_bytes);

#endif
