/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a locality file: text to member and back. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decimal_text.h"
#include "locality_key.h"

/* A decimal number with or without an exponent; a leading zero is refused here too. */
static bool read_real(const char *text, double *out)
{
    const bool leading_zero = text[0] == '0' && text[1] >= '0' && text[1] <= '9';
    if (text[0] == '\0' || text[strspn(text, "0123456789.eE+")] != '\0' || text[0] == '+' || leading_zero) {
        return false;
    }
    char *end = NULL;
    const double value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value) || (value != 0.0 && (value < 1e-6 || value > 1e24))) {
        return false;
    }
    *out = value;
    return true;
}

static bool store_choice(const tl_locality_key *key, const char *text, void *member)
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

static bool store_whole(const tl_locality_key *key, const char *text, void *member)
{
    uint64_t value = 0;
    if (!tl_decimal_read(text, 0, &value) || (value == 0 && key->fallback == NULL)) {
        return false;
    }
    if (value == 0) {
        (void)tl_decimal_read(key->fallback, 0, &value);
    }
    if (value < key->low || value > key->high) {
        return false;
    }
    const uint32_t narrow = (uint32_t)value;
    if (key->type == TL_LOCALITY_U32) {
        memcpy(member, &narrow, sizeof narrow);
    } else {
        memcpy(member, &value, sizeof value);
    }
    return true;
}

static bool store_real(const tl_locality_key *key, const char *text, void *member)
{
    double value = 0.0;
    if (!read_real(text, &value)) {
        return false;
    }
    if (value == 0.0) {
        (void)read_real(key->fallback, &value);
    }
    memcpy(member, &value, sizeof value);
    return true;
}

static bool store(const tl_locality_key *key, const char *text, tl_locality_config *config)
{
    char *member = (char *)config + key->offset;
    switch (key->type) {
    case TL_LOCALITY_CHOICE:
        return store_choice(key, text, member);
    case TL_LOCALITY_REAL:
        return store_real(key, text, member);
    default:
        return store_whole(key, text, member);
    }
}

void tl_locality_value_expected(const tl_locality_key *key, char *text, size_t text_bytes)
{
    text[0] = '\0';
    switch (key->type) {
    case TL_LOCALITY_CHOICE:
        tl_append(text, text_bytes, "one of ");
        for (unsigned n = 0; n < key->choice_count; n++) {
            tl_append(text, text_bytes, "%s%s", n == 0 ? "" : ", ", key->choices[n]);
        }
        break;
    case TL_LOCALITY_REAL:
        tl_append(text, text_bytes, "a number from 1e-6 to 1e24");
        break;
    default:
        tl_append(text, text_bytes, "a whole number from %" PRIu64 " to %" PRIu64, key->low, key->high);
        break;
    }
}

void tl_locality_value_text(const tl_locality_key *key, const tl_locality_config *config, char *text, size_t text_bytes)
{
    const char *member = (const char *)config + key->offset;
    int choice;
    double real;
    uint32_t narrow;
    uint64_t wide;
    text[0] = '\0';
    switch (key->type) {
    case TL_LOCALITY_CHOICE:
        memcpy(&choice, member, sizeof choice);
        tl_append(text, text_bytes, "%s", key->choices[choice]);
        break;
    case TL_LOCALITY_REAL:
        memcpy(&real, member, sizeof real);
        tl_append(text, text_bytes, "%g", real);
        break;
    case TL_LOCALITY_U32:
        memcpy(&narrow, member, sizeof narrow);
        tl_append(text, text_bytes, "%" PRIu32, narrow);
        break;
    case TL_LOCALITY_U64:
        memcpy(&wide, member, sizeof wide);
        tl_append(text, text_bytes, "%" PRIu64, wide);
        break;
    }
}

int tl_locality_value_set(const tl_locality_key *key, const char *text, tl_locality_config *config,
                          const tl_complaint *to)
{
    if (store(key, text, config)) {
        return 0;
    }
    char path[TL_LOCALITY_PATH_BYTES];
    char expected[256];
    tl_locality_key_path(key, path);
    tl_locality_value_expected(key, expected, sizeof expected);
    return tl_complain(to, path, text[0] == '\0' ? "nothing" : text, "%s", expected);
}

void tl_locality_defaults(tl_locality_config *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned n = 0; n < TL_LOCALITY_KEY_COUNT; n++) {
        if (tl_locality_keys[n].fallback != NULL) {
            (void)store(&tl_locality_keys[n], tl_locality_keys[n].fallback, out);
        }
    }
}
