/* SPDX-License-Identifier: Apache-2.0 */
#include "config_setting.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "config_value.h"

enum { SETTING_BYTES = TL_CONFIG_PATH_BYTES + TL_CONFIG_KEY_PATH_BYTES, LIST_ENTRIES_MAX = 64, NAMES_BYTES = 1024 };

/* Cut white space off both ends. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        text[--length] = '\0';
    }
    return text;
}

static int complain_key(const char *path, const tl_config_group *group, const tl_complaint *to)
{
    char names[NAMES_BYTES] = "";
    if (group == NULL) {
        for (unsigned n = 0; n < TL_CONFIG_GROUP_COUNT; n++) {
            const char *name = tl_config_groups[n]->name;
            tl_append(names, sizeof names, "%s%s%s", n == 0 ? "" : ", ", name, name[0] == '\0' ? "KEY" : ".KEY");
        }
    } else {
        for (unsigned n = 0; n < group->key_count; n++) {
            tl_append(names, sizeof names, "%s%s", n == 0 ? "" : ", ", group->keys[n].name);
        }
    }
    return tl_complain(to, path, "an unknown key", "one of %s", names);
}

/* `[A, B]`, of which `text` is what follows the bracket. @return false when it is no list */
static bool split_list(char *text, const char *entries[LIST_ENTRIES_MAX], unsigned *count)
{
    const size_t length = strlen(text);
    if (length == 0 || text[length - 1] != ']') {
        return false;
    }
    text[length - 1] = '\0';
    *count = 0;
    for (char *entry = trim(text); entry != NULL && *count < LIST_ENTRIES_MAX;) {
        char *comma = strchr(entry, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (comma != NULL || *count > 0 || entry[0] != '\0') {
            entries[(*count)++] = trim(entry);
        }
        entry = comma == NULL ? NULL : comma + 1;
    }
    return true;
}

int tl_config_setting_apply(const char *setting, tl_config *config, const tl_complaint *to)
{
    char text[SETTING_BYTES];
    if (strlen(setting) >= sizeof text) {
        return tl_complain(to, "KEY=VALUE", setting, "at most %zu characters", sizeof text - 1);
    }
    memcpy(text, setting, strlen(setting) + 1);
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        return tl_complain(to, "KEY=VALUE", text[0] == '\0' ? "nothing" : text, "a key, =, and its value");
    }
    *equals = '\0';
    const char *path = trim(text);
    char *value = trim(equals + 1);
    const tl_config_group *group = NULL;
    const tl_config_key *key = tl_config_key_find(path, &group);
    if (key == NULL) {
        return complain_key(path, group, to);
    }
    const char *entries[LIST_ENTRIES_MAX] = {value};
    tl_config_words words = {entries, 1, false};
    if (value[0] == '[') {
        words.is_list = split_list(value + 1, entries, &words.count);
        entries[0] = words.is_list ? entries[0] : value;
    }
    return tl_config_value_set(key, path, &words, config, to);
}
