/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One value: text -> the member of tl_config that a row names.
 */
#ifndef TILELENS_SIM_CONFIG_VALUE_H
#define TILELENS_SIM_CONFIG_VALUE_H

#include "complaint.h"
#include "config_key.h"

/** Text of a value as a file holds it: a word, or the entries of a list. */
typedef struct tl_config_words {
    const char *const *words;
    unsigned count;
    bool is_list;
} tl_config_words;

/** @param path  of the key, for the complaint. @return 0, or 2 and a complaint */
int tl_config_value_set(const tl_config_key *key, const char *path, const tl_config_words *value, tl_config *config,
                        const tl_complaint *to);

/** Set a key to its default. */
void tl_config_value_default(const tl_config_key *key, tl_config *config);

/** The value that a key has, as a file would say it. */
void tl_config_value_text(const tl_config_key *key, const tl_config *config, char *text, size_t text_bytes);

/** What a value of this key may be, as in `expected ...`. */
void tl_config_value_expected(const tl_config_key *key, char *text, size_t text_bytes);

#endif
