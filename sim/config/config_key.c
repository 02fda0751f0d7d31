/* SPDX-License-Identifier: Apache-2.0 */
#include "config_key.h"

#include <stdio.h>
#include <string.h>

#include "config_groups.h"

const tl_config_group *const tl_config_groups[TL_CONFIG_GROUP_COUNT] = {
    &tl_config_run_group,       &tl_config_workload_group, &tl_config_system_group, &tl_config_gpu_group,
    &tl_config_noc_group,       &tl_config_l2_group,       &tl_config_mshr_group,   &tl_config_prefetch_group,
    &tl_config_placement_group, &tl_config_refresh_group,  &tl_config_hbm_group,    &tl_config_hbf_group,
    &tl_config_rome_group,      &tl_config_sram_group,
};

void tl_config_key_path(const tl_config_group *group, const tl_config_key *key, char path[TL_CONFIG_KEY_PATH_BYTES])
{
    (void)snprintf(path, TL_CONFIG_KEY_PATH_BYTES, "%s%s%s", group->name, group->name[0] == '\0' ? "" : ".", key->name);
}

const tl_config_key *tl_config_key_find(const char *path, const tl_config_group **group)
{
    const char *dot = strrchr(path, '.');
    const size_t length = dot == NULL ? 0 : (size_t)(dot - path);
    const char *name = dot == NULL ? path : dot + 1;
    *group = NULL;
    for (unsigned n = 0; n < TL_CONFIG_GROUP_COUNT && *group == NULL; n++) {
        const char *group_name = tl_config_groups[n]->name;
        if (strlen(group_name) == length && strncmp(group_name, path, length) == 0) {
            *group = tl_config_groups[n];
        }
    }
    for (unsigned n = 0; *group != NULL && n < (*group)->key_count; n++) {
        if (strcmp((*group)->keys[n].name, name) == 0) {
            return &(*group)->keys[n];
        }
    }
    return NULL;
}
