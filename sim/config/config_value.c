/* SPDX-License-Identifier: Apache-2.0 */
#include "config_value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decimal_text.h"

enum { PATH_BYTES = 96, EXPECTED_BYTES = 512 };

/* A bound without trailing zeros. */
static void append_decimal(uint64_t value, unsigned decimals, char *text, size_t text_bytes)
{
    while (decimals > 0 && value % 10 == 0) {
        value /= 10;
        decimals--;
    }
    const uint64_t scale = tl_power_of_ten(decimals);
    tl_append(text, text_bytes, "%" PRIu64, value / scale);
    if (decimals > 0) {
        tl_append(text, text_bytes, ".%0*" PRIu64, (int)decimals, value % scale);
    }
}

static void append_range(const tl_config_key *key, char *text, size_t text_bytes)
{
    append_decimal(key->low, key->decimals, text, text_bytes);
    tl_append(text, text_bytes, " to ");
    append_decimal(key->high, key->decimals, text, text_bytes);
}

void tl_config_value_expected(const tl_config_key *key, char *text, size_t text_bytes)
{
    text[0] = '\0';
    switch (key->type) {
    case TL_CONFIG_NUMBER:
        tl_append(text, text_bytes, key->decimals == 0 ? "a whole number from " : "a number from ");
        append_range(key, text, text_bytes);
        if (key->decimals > 0) {
            tl_append(text, text_bytes, " with at most %u decimals", key->decimals);
        }
        if (key->special != NULL) {
            tl_append(text, text_bytes, ", or %s", key->special);
        }
        break;
    case TL_CONFIG_SWITCH:
        tl_append(text, text_bytes, "true or false");
        break;
    case TL_CONFIG_CHOICE:
        tl_append(text, text_bytes, "one of ");
        for (unsigned n = 0; n < key->choice_count; n++) {
            tl_append(text, text_bytes, "%s%s", n == 0 ? "" : ", ", key->choices[n]);
        }
        break;
    case TL_CONFIG_PAIR:
        tl_append(text, text_bytes, "a list of two whole numbers from ");
        append_range(key, text, text_bytes);
        break;
    case TL_CONFIG_TEXT:
        tl_append(text, text_bytes, "1 to %" PRIu64 " characters", key->high - 1);
        break;
    }
}

static void append_number(const tl_config_key *key, const char *member, char *text, size_t text_bytes)
{
    uint32_t narrow;
    uint64_t value = 0;
    double number;
    switch (key->store) {
    case TL_STORE_U32:
        memcpy(&narrow, member, sizeof narrow);
        value = narrow;
        break;
    case TL_STORE_U64:
        memcpy(&value, member, sizeof value);
        break;
    case TL_STORE_DOUBLE:
        memcpy(&number, member, sizeof number);
        value = (uint64_t)(number * (double)tl_power_of_ten(key->decimals) + 0.5);
        break;
    }
    if (value == 0 && key->special != NULL) {
        tl_append(text, text_bytes, "%s", key->special);
    } else {
        append_decimal(value, key->decimals, text, text_bytes);
    }
}

void tl_config_value_text(const tl_config_key *key, const tl_config *config, char *text, size_t text_bytes)
{
    const char *member = (const char *)config + key->offset;
    int choice;
    bool on;
    text[0] = '\0';
    switch (key->type) {
    case TL_CONFIG_NUMBER:
        append_number(key, member, text, text_bytes);
        break;
    case TL_CONFIG_SWITCH:
        memcpy(&on, member, sizeof on);
        tl_append(text, text_bytes, "%s", on ? "true" : "false");
        break;
    case TL_CONFIG_CHOICE:
        memcpy(&choice, member, sizeof choice);
        tl_append(text, text_bytes, "%s", key->choices[choice]);
        break;
    case TL_CONFIG_PAIR:
        tl_append(text, text_bytes, "[");
        append_number(key, member, text, text_bytes);
        tl_append(text, text_bytes, ", ");
        append_number(key, member + sizeof(uint32_t), text, text_bytes);
        tl_append(text, text_bytes, "]");
        break;
    case TL_CONFIG_TEXT:
        tl_append(text, text_bytes, "%s", member);
        break;
    }
}

static bool store_number(const tl_config_key *key, const char *text, void *member)
{
    uint64_t value = 0;
    if ((key->special == NULL || strcmp(text, key->special) != 0) &&
        (!tl_decimal_read(text, key->decimals, &value) || value < key->low || value > key->high)) {
        return false;
    }
    const double number = (double)value / (double)tl_power_of_ten(key->decimals);
    const uint32_t narrow = (uint32_t)value;
    switch (key->store) {
    case TL_STORE_U32:
        memcpy(member, &narrow, sizeof narrow);
        break;
    case TL_STORE_U64:
        memcpy(member, &value, sizeof value);
        break;
    case TL_STORE_DOUBLE:
        memcpy(member, &number, sizeof number);
        break;
    }
    return true;
}

static bool store_switch(const char *text, void *member)
{
    const bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0) {
        return false;
    }
    memcpy(member, &value, sizeof value);
    return true;
}

static bool store_choice(const tl_config_key *key, const char *text, void *member)
{
    for (unsigned n = 0; n < key->choice_count; n++) {
        if (strcmp(text, key->choices[n]) == 0) {
            const int value = (int)n;
            memcpy(member, &value, sizeof value);
            return true;
        }
    }
    return false;
}

static bool store_text(const tl_config_key *key, const char *text, void *member)
{
    const size_t length = strlen(text);
    if (length == 0 || length >= key->high) {
        return false;
    }
    memcpy(member, text, length + 1);
    return true;
}

static bool store_word(const tl_config_key *key, const char *text, void *member)
{
    switch (key->type) {
    case TL_CONFIG_SWITCH:
        return store_switch(text, member);
    case TL_CONFIG_CHOICE:
        return store_choice(key, text, member);
    case TL_CONFIG_TEXT:
        return store_text(key, text, member);
    default: /* also the entry of a pair */
        return store_number(key, text, member);
    }
}

/* One word at `path`. */
static int set_word(const tl_config_key *key, const char *path, const char *text, void *member, const tl_complaint *to)
{
    if (store_word(key, text, member)) {
        return 0;
    }
    char expected[EXPECTED_BYTES] = "";
    if (key->type == TL_CONFIG_PAIR) {
        tl_append(expected, sizeof expected, "a whole number from ");
        append_range(key, expected, sizeof expected);
    } else {
        tl_config_value_expected(key, expected, sizeof expected);
    }
    return tl_complain(to, path, text[0] == '\0' ? "nothing" : text, "%s", expected);
}

int tl_config_value_set(const tl_config_key *key, const char *path, const tl_config_words *value, tl_config *config,
                        const tl_complaint *to)
{
    char *member = (char *)config + key->offset;
    if (key->type != TL_CONFIG_PAIR && !value->is_list) {
        return set_word(key, path, value->words[0], member, to);
    }
    if (key->type != TL_CONFIG_PAIR || !value->is_list || value->count != 2) {
        char found[32] = "a single value";
        char expected[EXPECTED_BYTES];
        if (value->is_list) {
            (void)snprintf(found, sizeof found, "a list of %u", value->count);
        }
        tl_config_value_expected(key, expected, sizeof expected);
        return tl_complain(to, path, found, "%s", expected);
    }
    int status = 0;
    for (unsigned n = 0; n < 2 && status == 0; n++) {
        char entry_path[PATH_BYTES];
        (void)snprintf(entry_path, sizeof entry_path, "%s[%u]", path, n);
        status = set_word(key, entry_path, value->words[n], member + n * sizeof(uint32_t), to);
    }
    return status;
}

void tl_config_value_default(const tl_config_key *key, tl_config *config)
{
    char *member = (char *)config + key->offset;
    char first[TL_CONFIG_NAME_BYTES];
    (void)snprintf(first, sizeof first, "%s", key->fallback);
    bool done = true;
    if (key->type == TL_CONFIG_TEXT) {
        memcpy(member, first, strlen(first) + 1); /* the default may be empty */
    } else if (key->type == TL_CONFIG_PAIR) {
        char *second = strchr(first, ' ');
        *second++ = '\0';
        done = store_number(key, first, member) && store_number(key, second, member + sizeof(uint32_t));
    } else {
        done = store_word(key, first, member);
    }
    assert(done); /* a default outside its own range: an error in the table */
    (void)done;
}
