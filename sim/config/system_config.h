/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A run of the memory system as plain values: what the files say, in integers of the smallest unit (picoseconds,
 * bytes, femtojoules). 0 stands for the words `unlimited` and `auto`. What each key means is said once, in the rows of
 * system_keys.c, memory_keys.c and workload_keys.c.
 */
#ifndef TILELENS_SIM_SYSTEM_CONFIG_H
#define TILELENS_SIM_SYSTEM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "../gpu/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_CONFIG_NAME_BYTES = 64, TL_CONFIG_PATH_BYTES = 1024 };

/* Choices are stored as int: the index into the names that a file may say, in this order. */
enum { TL_CONFIG_MEMORY_HBM, TL_CONFIG_MEMORY_ROME, TL_CONFIG_MEMORY_HBF };
enum { TL_CONFIG_REPLACE_LRU_EVICT_FIRST, TL_CONFIG_REPLACE_LRU, TL_CONFIG_REPLACE_RANDOM, TL_CONFIG_REPLACE_FIFO };
enum { TL_CONFIG_SRAM_LRU, TL_CONFIG_SRAM_FIFO };
enum { TL_CONFIG_SETS_HASHED, TL_CONFIG_SETS_MODULO };
enum { TL_CONFIG_PAGES_PERMUTATION, TL_CONFIG_PAGES_HASHED, TL_CONFIG_PAGES_MODULO };
enum { TL_CONFIG_REFRESH_ALL_BANK, TL_CONFIG_REFRESH_PER_BANK, TL_CONFIG_REFRESH_NONE };
enum { TL_CONFIG_HBM_OPEN_ROW, TL_CONFIG_HBM_BUS, TL_CONFIG_HBM_FULL_TIMING };
enum { TL_CONFIG_DEGREE_FLOOR_OF_PRODUCT, TL_CONFIG_DEGREE_PRODUCT_OF_FLOOR };
enum { TL_CONFIG_DISTANCES_ALL, TL_CONFIG_DISTANCES_NEWEST };
enum { TL_CONFIG_TRIGGER_EVERY_DEMAND, TL_CONFIG_TRIGGER_MISS_OR_MERGE };
enum { TL_CONFIG_FAR_WITH_NEAR, TL_CONFIG_FAR_LOWEST };
enum { TL_CONFIG_REACH_TWICE, TL_CONFIG_REACH_SPLIT };
enum { TL_CONFIG_PREFETCH_NONE, TL_CONFIG_PREFETCH_ADAPTIVE, TL_CONFIG_PREFETCH_FORCED };

typedef struct tl_system_gpu {
    uint32_t sm_count;
    uint64_t clock_khz;
    double tensor_tflop_per_s;
    double tensor_efficiency;
    uint32_t shared_memory_kib;
    uint32_t sm_port_bytes_per_clock;
    uint32_t tma_issue_bytes_per_clock;
    uint32_t tma_setup_clocks;
} tl_system_gpu;

typedef struct tl_system_noc {
    uint64_t latency_ps;
    uint64_t gbytes_per_s; /* 0: unlimited */
} tl_system_noc;

typedef struct tl_system_l2 {
    uint32_t capacity_mib;
    uint32_t slices;
    uint32_t ways;
    uint64_t latency_ps;
    uint32_t slice_bytes_per_clock; /* 0: unlimited */
    int set_index;
    int replacement;
    uint64_t seed;
} tl_system_l2;

typedef struct tl_system_mshr {
    uint32_t page_entries; /* 0: unlimited */
    uint32_t line_entries; /* 0: unlimited */
} tl_system_mshr;

typedef struct tl_system_placement {
    int weights;
    int page_map;
    uint64_t page_map_seed;
} tl_system_placement;

typedef struct tl_system_refresh {
    int mode;
    uint64_t trfc_ps;
    uint64_t trfc_per_bank_ps;
    uint64_t trefi_ps;
    bool staggered;
} tl_system_refresh;

typedef struct tl_system_hbm {
    uint32_t stacks;
    uint32_t channels_per_stack;
    uint32_t pins_per_channel;
    uint64_t pin_mbps;
    int timing;
    uint64_t row_hit_ps;
    uint64_t row_miss_ps;
    uint32_t request_bytes;
    uint32_t read_queue_entries;
    uint32_t write_queue_entries;
    uint32_t write_drain_high;
    uint32_t write_drain_low;
    uint64_t starvation_ps;
    uint32_t capacity_mib_per_channel;
    char channel_map[TL_CONFIG_NAME_BYTES]; /* a ruler of bits, see the key */
    bool hash_banks;
    uint64_t trcd_read_ps, trcd_write_ps, trp_ps, tras_ps, trc_ps, tcl_ps, tcwl_ps;
    uint64_t tccd_s_ps, tccd_l_ps, tccd_r_ps, trrd_s_ps, trrd_l_ps, tfaw_ps;
    uint64_t trtp_ps, twr_ps, twtr_s_ps, twtr_l_ps, trtw_ps;
    uint64_t energy_fj_per_bit;
} tl_system_hbm;

typedef struct tl_system_hbf {
    uint32_t stacks;
    uint32_t channels_per_stack;
    uint32_t pins_per_channel;
    uint64_t pin_mbps;
    uint32_t page_bytes;
    uint64_t read_latency_ps;
    uint64_t program_latency_ps;
    uint32_t internal_percent;   /* of the bus bandwidth */
    uint32_t planes_per_channel; /* 0: auto */
    uint32_t planes_per_group;
    bool cache_register;
    uint32_t queue_entries;
    uint32_t capacity_gib_per_channel;
    uint32_t pages_per_block;
    uint64_t endurance_cycles;
    uint64_t energy_fj_per_bit;
} tl_system_hbf;

typedef struct tl_system_rome {
    uint32_t stacks;
    uint32_t channels_per_stack;
    uint32_t pins_per_channel;
    uint64_t pin_mbps;
    uint32_t row_bytes;
    uint32_t virtual_banks;
    uint32_t stack_ids;
    uint32_t queue_entries;
    uint32_t capacity_mib_per_channel;
    uint32_t scheduling_window;
    uint64_t first_data_ps;
    uint64_t tr2rs_ps, tr2rr_ps, tr2ws_ps, tr2wr_ps, tw2rs_ps, tw2rr_ps, tw2ws_ps, tw2wr_ps;
    uint64_t trd_row_ps, twr_row_ps;
    uint64_t energy_fj_per_bit;
} tl_system_rome;

typedef struct tl_system_sram {
    bool enabled;
    uint32_t capacity_mib_per_stack;
    uint64_t latency_ps;
    int replacement;
    uint64_t energy_fj_per_bit;
} tl_system_sram;

typedef struct tl_system_prefetch {
    uint32_t latency_factor_milli;
    int degree_rounding;
    int distances;
    int trigger;
    bool promote;
    int far_class;
    int far_reach;
} tl_system_prefetch;

typedef struct tl_system_config {
    char name[TL_CONFIG_NAME_BYTES];
    tl_system_gpu gpu;
    tl_system_noc noc;
    tl_system_l2 l2;
    tl_system_mshr mshr;
    tl_system_placement placement;
    tl_system_refresh refresh;
    tl_system_hbm hbm;
    tl_system_hbf hbf;
    tl_system_rome rome;
    tl_system_sram sram;
    tl_system_prefetch prefetch;
} tl_system_config;

typedef struct tl_workload_config {
    char name[TL_CONFIG_NAME_BYTES];
    tl_model model; /* its weight_layout is tl_config.layout */
} tl_workload_config;

/** One run. */
typedef struct tl_config {
    char system_file[TL_CONFIG_PATH_BYTES];   /* as it was opened, or "" */
    char workload_file[TL_CONFIG_PATH_BYTES]; /* as it was opened, or "" */
    int layout;                               /* tl_weight_layout */
    int prefetch;                             /* TL_CONFIG_PREFETCH_NONE wherever weights are not in HBF */
    uint32_t forced_degree;
    tl_system_config system;
    tl_workload_config workload;
} tl_config;

/** Peak of the bus of the memory that holds the weights. */
uint64_t tl_config_weight_bytes_per_s(const tl_system_config *system);

/** Memory of the activations: RoMe where weights are there, else HBM. HBF wears out by writes. */
int tl_config_activation_memory(const tl_system_config *system);

#ifdef __cplusplus
}
#endif
#endif
