/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One row a key of a locality file: files, `--set` and `--help` all read these rows.
 */
#ifndef TILELENS_LOCALITY_KEY_H
#define TILELENS_LOCALITY_KEY_H

#include <stdbool.h>

#include "complaint.h"
#include "locality_config.h"

typedef enum tl_locality_type {
    TL_LOCALITY_U32,
    TL_LOCALITY_U64,
    TL_LOCALITY_REAL,
    TL_LOCALITY_CHOICE
} tl_locality_type;

typedef struct tl_locality_key {
    const char *group, *name;
    tl_locality_type type;
    size_t offset;      /* in tl_locality_config */
    uint64_t low, high; /* of whole numbers */
    const char *const *choices;
    unsigned choice_count;
    const char *fallback; /* the default, as a file would say it; null: the key must be given */
    const char *meaning;
} tl_locality_key;

enum { TL_LOCALITY_KEY_COUNT = 36, TL_LOCALITY_GROUP_COUNT = 7, TL_LOCALITY_PATH_BYTES = 48 };

typedef struct tl_locality_group {
    const char *name;
    bool optional;
} tl_locality_group;

/** The groups in the order of files; the keys, those of a group together, in the same order. */
extern const tl_locality_group tl_locality_groups[TL_LOCALITY_GROUP_COUNT];
extern const tl_locality_key tl_locality_keys[TL_LOCALITY_KEY_COUNT];

/** `machine.l2_ways` */
void tl_locality_key_path(const tl_locality_key *key, char path[TL_LOCALITY_PATH_BYTES]);

/** The key of a path, or null. */
const tl_locality_key *tl_locality_key_find(const char *path);

/** Text -> the member that the row names; 0 stands for the default. @return 0, or 2 and a complaint */
int tl_locality_value_set(const tl_locality_key *key, const char *text, tl_locality_config *config,
                          const tl_complaint *to);

/** The value that a key has, as a file would say it. */
void tl_locality_value_text(const tl_locality_key *key, const tl_locality_config *config, char *text,
                            size_t text_bytes);

/** What a value of this key may be, as in `expected ...`. */
void tl_locality_value_expected(const tl_locality_key *key, char *text, size_t text_bytes);

#endif
