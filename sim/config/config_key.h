/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One row a key of the configuration: its name, type, range, default and meaning. Files, `--set` and `--help` all
 * read these rows, so that a key is added in one place.
 */
#ifndef TILELENS_SIM_CONFIG_KEY_H
#define TILELENS_SIM_CONFIG_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "system_config.h"

typedef enum tl_config_type {
    TL_CONFIG_NUMBER, /* decimal */
    TL_CONFIG_SWITCH, /* true or false */
    TL_CONFIG_CHOICE, /* one of `choices`, stored as its index */
    TL_CONFIG_PAIR,   /* list of two numbers */
    TL_CONFIG_TEXT
} tl_config_type;

/** What a number is stored in; tl_config_key.decimals says in which unit. */
typedef enum tl_config_store { TL_STORE_U32, TL_STORE_U64, TL_STORE_DOUBLE } tl_config_store;

typedef struct tl_config_key {
    const char *name; /* at most 31 characters */
    tl_config_type type;
    tl_config_store store;
    unsigned decimals;   /* a number may have so many; integers store it times 10^decimals, doubles as it is */
    size_t offset;       /* in tl_config */
    uint64_t low, high;  /* times 10^decimals */
    const char *special; /* a word that a number may be instead, stored as 0; or null */
    const char *const *choices;
    unsigned choice_count;
    const char *fallback; /* the default, as a file would say it; of a pair "A B" */
    const char *meaning;
} tl_config_key;

/** Keys that stand together in one mapping. */
typedef struct tl_config_group {
    const char *name; /* "" (the top), "workload", "system" or "system.X" */
    const tl_config_key *keys;
    unsigned key_count;
} tl_config_group;

enum { TL_CONFIG_GROUP_COUNT = 14, TL_CONFIG_KEYS_MAX = 192, TL_CONFIG_KEY_PATH_BYTES = 64 };

/** Every group, in the order of files and of `--help`. */
extern const tl_config_group *const tl_config_groups[TL_CONFIG_GROUP_COUNT];

/** `system.hbf` and `read_latency_us` -> `system.hbf.read_latency_us`. */
void tl_config_key_path(const tl_config_group *group, const tl_config_key *key, char path[TL_CONFIG_KEY_PATH_BYTES]);

/** The key of a path, and its group (also of an unknown key in a known group); null where there is none. */
const tl_config_key *tl_config_key_find(const char *path, const tl_config_group **group);

/* Rows. The type of the member decides what a number is stored in. */
#define TL_KEY_MEMBER(member) (((tl_config *)NULL)->member)
#define TL_KEY_STORE(member)                                                                                           \
    _Generic(TL_KEY_MEMBER(member), uint32_t : TL_STORE_U32, uint64_t : TL_STORE_U64, double : TL_STORE_DOUBLE)

#define TL_KEY_NUMBER(key, member, decimals_, low_, high_, special_, fallback_, meaning_)                              \
    {                                                                                                                  \
        .name = #key, .type = TL_CONFIG_NUMBER, .store = TL_KEY_STORE(member), .decimals = (decimals_),                \
        .offset = offsetof(tl_config, member), .low = (low_), .high = (high_), .special = (special_),                  \
        .fallback = (fallback_), .meaning = (meaning_)                                                                 \
    }
#define TL_KEY_SWITCH(key, member, fallback_, meaning_)                                                                \
    {                                                                                                                  \
        .name = #key, .type = TL_CONFIG_SWITCH, .offset = offsetof(tl_config, member), .fallback = (fallback_),        \
        .meaning = (meaning_)                                                                                          \
    }
#define TL_KEY_CHOICE(key, member, names, fallback_, meaning_)                                                         \
    {                                                                                                                  \
        .name = #key, .type = TL_CONFIG_CHOICE, .offset = offsetof(tl_config, member), .choices = (names),             \
        .choice_count = sizeof(names) / sizeof(names)[0], .fallback = (fallback_), .meaning = (meaning_)               \
    }
#define TL_KEY_PAIR(key, member, low_, high_, fallback_, meaning_)                                                     \
    {                                                                                                                  \
        .name = #key, .type = TL_CONFIG_PAIR, .store = TL_STORE_U32, .offset = offsetof(tl_config, member),            \
        .low = (low_), .high = (high_), .fallback = (fallback_), .meaning = (meaning_)                                 \
    }
#define TL_KEY_TEXT(key, member, fallback_, meaning_)                                                                  \
    {                                                                                                                  \
        .name = #key, .type = TL_CONFIG_TEXT, .offset = offsetof(tl_config, member),                                   \
        .high = sizeof TL_KEY_MEMBER(member), .fallback = (fallback_), .meaning = (meaning_)                           \
    }

#endif
