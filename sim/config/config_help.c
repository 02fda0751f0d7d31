/* SPDX-License-Identifier: Apache-2.0 */
#include "config_file.h"
#include "config_value.h"

enum { EXPECTED_BYTES = 512 };

void tl_config_print_keys(FILE *file)
{
    for (unsigned g = 0; g < TL_CONFIG_GROUP_COUNT; g++) {
        const tl_config_group *group = tl_config_groups[g];
        for (unsigned k = 0; k < group->key_count; k++) {
            const tl_config_key *key = &group->keys[k];
            char path[TL_CONFIG_KEY_PATH_BYTES];
            char expected[EXPECTED_BYTES];
            tl_config_key_path(group, key, path);
            tl_config_value_expected(key, expected, sizeof expected);
            (void)fprintf(file, "  %s (%s%s): %s; %s\n", path, key->fallback[0] == '\0' ? "none" : "default ",
                          key->fallback, key->meaning, expected);
        }
    }
}
