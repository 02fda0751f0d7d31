/* SPDX-License-Identifier: Apache-2.0 */
#include "system_config.h"

static uint64_t bus_bytes_per_s(uint32_t stacks, uint32_t channels_per_stack, uint32_t pins, uint64_t pin_mbps)
{
    return (uint64_t)stacks * channels_per_stack * (pins / 8) * pin_mbps * 1000000;
}

uint64_t tl_config_weight_bytes_per_s(const tl_system_config *system)
{
    const tl_system_hbm *hbm = &system->hbm;
    const tl_system_hbf *hbf = &system->hbf;
    const tl_system_rome *rome = &system->rome;
    switch (system->placement.weights) {
    case TL_CONFIG_MEMORY_HBF:
        return bus_bytes_per_s(hbf->stacks, hbf->channels_per_stack, hbf->pins_per_channel, hbf->pin_mbps);
    case TL_CONFIG_MEMORY_ROME:
        return bus_bytes_per_s(rome->stacks, rome->channels_per_stack, rome->pins_per_channel, rome->pin_mbps);
    default:
        return bus_bytes_per_s(hbm->stacks, hbm->channels_per_stack, hbm->pins_per_channel, hbm->pin_mbps);
    }
}

int tl_config_activation_memory(const tl_system_config *system)
{
    return system->placement.weights == TL_CONFIG_MEMORY_ROME ? TL_CONFIG_MEMORY_ROME : TL_CONFIG_MEMORY_HBM;
}
