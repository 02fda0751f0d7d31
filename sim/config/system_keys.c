/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the GPU: everything between the thread blocks and the memory controllers, the prefetcher included. */
#include "cache.h"
#include "config_groups.h"

static const tl_config_key system_keys[] = {
    TL_KEY_TEXT(name, system.name, "h200_hbf", "what reports call the system"),
};
const tl_config_group tl_config_system_group = TL_CONFIG_GROUP("system", system_keys);

static const tl_config_key gpu_keys[] = {
    TL_KEY_NUMBER(sm_count, system.gpu.sm_count, 0, 1, 4096, NULL, "132", "streaming multiprocessors (SMs)"),
    TL_KEY_NUMBER(clock_mhz, system.gpu.clock_khz, 3, 1000, 100000000, NULL, "1830", "clock of SMs, NoC and L2"),
    TL_KEY_NUMBER(tensor_tflop_per_s, system.gpu.tensor_tflop_per_s, 3, 1, 1000000000, NULL, "989.4",
                  "dense peak of all tensor cores, in the type of the weights"),
    TL_KEY_NUMBER(tensor_efficiency, system.gpu.tensor_efficiency, 3, 1, 1000, NULL, "1",
                  "share of that peak that the kernel reaches"),
    TL_KEY_NUMBER(shared_memory_kib, system.gpu.shared_memory_kib, 0, 1, 65536, NULL, "227",
                  "shared memory of one SM that thread blocks may use"),
    TL_KEY_NUMBER(sm_port_bytes_per_clock, system.gpu.sm_port_bytes_per_clock, 0, 1, 65536, NULL, "64",
                  "what one SM receives from the NoC"),
    TL_KEY_NUMBER(tma_issue_bytes_per_clock, system.gpu.tma_issue_bytes_per_clock, 0, 1, 65536, NULL, "128",
                  "what the TMA of one SM asks for"),
    TL_KEY_NUMBER(tma_setup_clocks, system.gpu.tma_setup_clocks, 0, 0, 1000000, NULL, "170",
                  "from a TMA instruction to its first request"),
};
const tl_config_group tl_config_gpu_group = TL_CONFIG_GROUP("system.gpu", gpu_keys);

static const tl_config_key noc_keys[] = {
    TL_KEY_NUMBER(latency_ns, system.noc.latency_ps, 3, 0, 1000000000, NULL, "100",
                  "between SM and L2 slice, both ways together"),
    TL_KEY_NUMBER(gbytes_per_s, system.noc.gbytes_per_s, 0, 1, 1000000000, "unlimited", "unlimited",
                  "what the NoC carries to all SMs"),
};
const tl_config_group tl_config_noc_group = TL_CONFIG_GROUP("system.noc", noc_keys);

static const char *const set_indices[] = {"hashed", "modulo"};
static const char *const replacements[] = {"lru_evict_first", "lru", "random", "fifo"};

static const tl_config_key l2_keys[] = {
    TL_KEY_NUMBER(capacity_mib, system.l2.capacity_mib, 0, 1, 65536, NULL, "50", "of all slices together"),
    TL_KEY_NUMBER(slices, system.l2.slices, 0, 1, 1024, NULL, "96", "slices"),
    TL_KEY_NUMBER(ways, system.l2.ways, 0, 1, TL_CACHE_MAX_WAYS, NULL, "16", "ways of a set"),
    TL_KEY_NUMBER(latency_ns, system.l2.latency_ps, 3, 0, 1000000000, NULL, "150",
                  "from a request to its data on a hit"),
    TL_KEY_NUMBER(slice_bytes_per_clock, system.l2.slice_bytes_per_clock, 0, 1, 65536, "unlimited", "unlimited",
                  "what one slice delivers"),
    TL_KEY_CHOICE(set_index, system.l2.set_index, set_indices, "hashed", "address bits to set"),
    TL_KEY_CHOICE(replacement, system.l2.replacement, replacements, "lru_evict_first",
                  "lru_evict_first: a page whose bytes were all consumed goes first, then the least recently used"),
    TL_KEY_NUMBER(seed, system.l2.seed, 0, 0, UINT64_MAX, NULL, "1", "of replacement: random"),
};
const tl_config_group tl_config_l2_group = TL_CONFIG_GROUP("system.l2", l2_keys);

static const tl_config_key mshr_keys[] = {
    TL_KEY_NUMBER(page_entries, system.mshr.page_entries, 0, 1, 1 << 24, "unlimited", "unlimited",
                  "4 KiB entries of all slices together"),
    TL_KEY_NUMBER(line_entries, system.mshr.line_entries, 0, 1, 1 << 24, "unlimited", "unlimited",
                  "128 B entries of all slices together"),
};
const tl_config_group tl_config_mshr_group = TL_CONFIG_GROUP("system.mshr", mshr_keys);

static const char *const weight_memories[] = {"hbm", "rome", "hbf"};
static const char *const page_maps[] = {"permutation", "hashed", "modulo"};

static const tl_config_key placement_keys[] = {
    TL_KEY_CHOICE(weights, system.placement.weights, weight_memories, "hbf",
                  "memory of the weights; activations are in RoMe where weights are, else in HBM"),
    TL_KEY_CHOICE(
        page_map, system.placement.page_map, page_maps, "permutation",
        "page to channel and plane; permutation: as many consecutive pages as channels meet each channel once"),
    TL_KEY_NUMBER(page_map_seed, system.placement.page_map_seed, 0, 0, UINT64_MAX, NULL, "1",
                  "of permutation and hashed"),
};
const tl_config_group tl_config_placement_group = TL_CONFIG_GROUP("system.placement", placement_keys);

static const char *const degree_roundings[] = {"floor_of_product", "product_of_floor"};
static const char *const distances[] = {"all", "newest"};
static const char *const triggers[] = {"every_demand", "miss_or_merge"};
static const char *const far_classes[] = {"with_near", "lowest"};
static const char *const far_reaches[] = {"twice", "split"};

static const tl_config_key prefetch_keys[] = {
    TL_KEY_NUMBER(latency_factor, system.prefetch.latency_factor_milli, 3, 0, 1000000, NULL, "2",
                  "Eq. 6: times B*L, against collisions of planes"),
    TL_KEY_CHOICE(degree_rounding, system.prefetch.degree_rounding, degree_roundings, "floor_of_product",
                  "Eq. 6: floor(factor * B*L / p_wave), or factor * floor(B*L / p_wave)"),
    TL_KEY_CHOICE(distances, system.prefetch.distances, distances, "all",
                  "all: distances 1..d at every trigger, without duplicates; newest: distance d alone"),
    TL_KEY_CHOICE(trigger, system.prefetch.trigger, triggers, "every_demand",
                  "every_demand: hits in L2 too; miss_or_merge: L2 misses and merges into an MSHR"),
    TL_KEY_SWITCH(promote, system.prefetch.promote, "true", "a demand that meets a queued prefetch makes it a demand"),
    TL_KEY_CHOICE(far_class, system.prefetch.far_class, far_classes, "with_near",
                  "priority at the channel of reads for the SRAM buffer: with_near, or lowest"),
    TL_KEY_CHOICE(
        far_reach, system.prefetch.far_reach, far_reaches, "twice",
        "with the SRAM buffer and degree d; twice: near to d, far to 2d; split: near to floor(B*L/p_wave), far "
        "to d"),
};
const tl_config_group tl_config_prefetch_group = TL_CONFIG_GROUP("system.prefetch", prefetch_keys);
