/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The tables that tl_config_groups joins, one or more a file.
 */
#ifndef TILELENS_SIM_CONFIG_GROUPS_H
#define TILELENS_SIM_CONFIG_GROUPS_H

#include "config_key.h"

#define TL_CONFIG_GROUP(name_, keys_)                                                                                  \
    {                                                                                                                  \
        (name_), (keys_), sizeof(keys_) / sizeof(keys_)[0]                                                             \
    }

/* workload_keys.c */
extern const tl_config_group tl_config_run_group;
extern const tl_config_group tl_config_workload_group;

/* system_keys.c */
extern const tl_config_group tl_config_system_group;
extern const tl_config_group tl_config_gpu_group;
extern const tl_config_group tl_config_noc_group;
extern const tl_config_group tl_config_l2_group;
extern const tl_config_group tl_config_mshr_group;
extern const tl_config_group tl_config_prefetch_group;
extern const tl_config_group tl_config_placement_group;

/* memory_keys.c */
extern const tl_config_group tl_config_refresh_group;
extern const tl_config_group tl_config_hbm_group;
extern const tl_config_group tl_config_hbf_group;
extern const tl_config_group tl_config_rome_group;
extern const tl_config_group tl_config_sram_group;

#endif
