// SPDX-License-Identifier: Apache-2.0
#include "tma_types.h"

namespace tilelens
{

namespace
{

bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

} // namespace

const char *tma_config_check(const tma_config &config)
{
    const auto variant = static_cast<int>(config.variant);
    if (variant < 0 || variant >= TL_VARIANT_COUNT) {
        return "variant";
    }
    if (config.clock_period == sc_core::SC_ZERO_TIME) {
        return "clock_period";
    }
    if (!is_power_of_two(config.access_bytes) || config.access_bytes < 32 || config.access_bytes > 4096) {
        return "access_bytes";
    }
    if (!is_power_of_two(config.sector_bytes) || config.sector_bytes > config.access_bytes) {
        return "sector_bytes";
    }
    if (config.map_cache_entries == 0) {
        return "map_cache_entries";
    }
    if (config.max_reads == 0 || config.max_reads_per_load == 0) {
        return config.max_reads == 0 ? "max_reads" : "max_reads_per_load";
    }
    return config.queue_entries == 0 ? "queue_entries" : nullptr;
}

const char *name_of(tma_fault fault)
{
    static const char *const names[] = {"none", "refused", "map read", "data read", "shared write", "mbarrier"};
    return names[static_cast<uint32_t>(fault)];
}

} // namespace tilelens
