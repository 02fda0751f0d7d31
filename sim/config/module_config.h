/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The configuration of a run -> the configurations of the modules: geometry and rates become the times that a channel
 * counts with.
 */
#ifndef TILELENS_SIM_MODULE_CONFIG_H
#define TILELENS_SIM_MODULE_CONFIG_H

#include "../l2/cache.h"
#include "../l2/mshr.h"
#include "../memory/hbf_channel.h"
#include "../memory/hbm_channel.h"
#include "../memory/rome_channel.h"
#include "../memory/sram_buffer.h"
#include "../prefetch/stride_prefetcher.h"
#include "system_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Channels of all stacks. */
uint32_t tl_config_hbm_channels(const tl_system_config *system);
uint32_t tl_config_hbf_channels(const tl_system_config *system);
uint32_t tl_config_rome_channels(const tl_system_config *system);

/** One channel, 0..channels-1: channels differ in the phase of their refresh. `shared_bus` is null. */
void tl_config_hbm(const tl_system_config *system, uint32_t channel, tl_hbm_config *out);
void tl_config_hbf(const tl_system_config *system, tl_hbf_config *out);
void tl_config_rome(const tl_system_config *system, uint32_t channel, tl_rome_config *out);

/** Page to channel of the memory that holds the weights. */
void tl_config_page_map(const tl_system_config *system, tl_address_map_config *out);

/** The SRAM buffer of one stack. */
void tl_config_sram(const tl_system_config *system, tl_sram_config *out);

void tl_config_cache(const tl_system_config *system, tl_cache_config *out);
void tl_config_mshr(const tl_system_config *system, tl_mshr_config *out);

/** Degree 0 where prefetch is `none`. */
void tl_config_degree(const tl_config *config, tl_degree_config *out);

/** All but the tensors. */
void tl_config_prefetcher(const tl_system_config *system, tl_prefetcher_config *out);

#ifdef __cplusplus
}
#endif
#endif
