/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the memories. Nanoseconds have three decimals, microseconds six: a picosecond is the smallest step. */
#include "cache.h"
#include "config_groups.h"

#define PS_PER_MS UINT64_C(1000000000)

#define NS(key, member, fallback, meaning) TL_KEY_NUMBER(key, member, 3, 0, PS_PER_MS, NULL, fallback, meaning)
#define PJ_PER_BIT(member, fallback, meaning)                                                                          \
    TL_KEY_NUMBER(energy_pj_per_bit, member, 3, 0, 1000000, NULL, fallback, meaning)

/* Every part of the GPU moves and keeps pages of one size. */
#define PAGE(key, member, meaning)                                                                                     \
    TL_KEY_NUMBER(key, member, 0, TL_CACHE_PAGE_BYTES, TL_CACHE_PAGE_BYTES, NULL, "4096", meaning ", as in L2")

/* The bus of a memory, alike in all three. */
#define STACKS(memory) TL_KEY_NUMBER(stacks, system.memory.stacks, 0, 1, 64, NULL, "6", "stacks")
#define CHANNELS(memory, count)                                                                                        \
    TL_KEY_NUMBER(channels_per_stack, system.memory.channels_per_stack, 0, 1, 64, NULL, count, "channels of a stack")
#define PINS(memory)                                                                                                   \
    TL_KEY_NUMBER(pins_per_channel, system.memory.pins_per_channel, 0, 8, 1024, NULL, "64",                            \
                  "data pins of a channel, a multiple of 8")
#define PIN_RATE(memory)                                                                                               \
    TL_KEY_NUMBER(pin_gbit_per_s, system.memory.pin_mbps, 3, 100, 1000000, NULL, "6.4", "rate of one data pin")
#define CAPACITY_MIB(memory, mib)                                                                                      \
    TL_KEY_NUMBER(capacity_mib_per_channel, system.memory.capacity_mib_per_channel, 0, 1, 1 << 20, NULL, mib,          \
                  "capacity of a channel")

static const char *const refresh_modes[] = {"all_bank", "per_bank", "none"};

static const tl_config_key refresh_keys[] = {
    TL_KEY_CHOICE(mode, system.refresh.mode, refresh_modes, "all_bank", "of HBM and RoMe; flash has none"),
    NS(trfc_ns, system.refresh.trfc_ps, "260", "all_bank: the channel stands still for so long"),
    NS(trfc_per_bank_ns, system.refresh.trfc_per_bank_ps, "200", "per_bank: one bank stands still for so long"),
    NS(trefi_ns, system.refresh.trefi_ps, "3900", "from one refresh of a bank to the next"),
    TL_KEY_SWITCH(staggered, system.refresh.staggered, "true", "channels refresh one after the other, not at once"),
};
const tl_config_group tl_config_refresh_group = TL_CONFIG_GROUP("system.refresh", refresh_keys);

static const char *const hbm_timings[] = {"open_row", "bus", "full"};

static const tl_config_key hbm_keys[] = {
    STACKS(hbm),
    CHANNELS(hbm, "16"),
    PINS(hbm),
    PIN_RATE(hbm),
    TL_KEY_CHOICE(timing, system.hbm.timing, hbm_timings, "open_row",
                  "open_row: row_hit_ns and row_miss_ns; bus: always row_hit_ns, no banks; full: the t*_ns below"),
    NS(row_hit_ns, system.hbm.row_hit_ps, "14", "open_row: read latency in an open row"),
    NS(row_miss_ns, system.hbm.row_miss_ps, "42", "open_row: read latency in any other row"),
    TL_KEY_NUMBER(request_bytes, system.hbm.request_bytes, 0, 64, 4096, NULL, "512",
                  "what L2 asks for at once at most, a power of two; counted in bursts of 64 B"),
    TL_KEY_NUMBER(read_queue_entries, system.hbm.read_queue_entries, 0, 1, 4096, NULL, "64", "of a channel"),
    TL_KEY_NUMBER(write_queue_entries, system.hbm.write_queue_entries, 0, 1, 4096, NULL, "64", "of a channel"),
    TL_KEY_NUMBER(write_drain_high, system.hbm.write_drain_high, 0, 1, 4096, NULL, "24",
                  "writes of a pseudo-channel that start a drain"),
    TL_KEY_NUMBER(write_drain_low, system.hbm.write_drain_low, 0, 0, 4095, NULL, "8", "writes at which it ends"),
    NS(starvation_ns, system.hbm.starvation_ps, "1000", "a request that waited so long goes before row hits"),
    CAPACITY_MIB(hbm, "1536"),
    TL_KEY_TEXT(
        channel_map, system.hbm.channel_map, "rrrrrrrrrrrrrrrsbbcggpccccccccc",
        "bits of an address in a channel, highest first: row, stack ID, bank, bank group, pseudo-channel, column"),
    TL_KEY_SWITCH(hash_banks, system.hbm.hash_banks, "true",
                  "pseudo-channel and bank group are XORed with a hash of the bits above them"),
    NS(trcd_read_ns, system.hbm.trcd_read_ps, "14", "full: activate to read"),
    NS(trcd_write_ns, system.hbm.trcd_write_ps, "9.375", "full: activate to write"),
    NS(trp_ns, system.hbm.trp_ps, "14", "full: precharge to activate"),
    NS(tras_ns, system.hbm.tras_ps, "28.125", "full: activate to precharge"),
    NS(trc_ns, system.hbm.trc_ps, "45", "full: activate to activate of one bank"),
    NS(tcl_ns, system.hbm.tcl_ps, "14", "full: read to first data"),
    NS(tcwl_ns, system.hbm.tcwl_ps, "6.25", "full: write to first data"),
    NS(tccd_s_ns, system.hbm.tccd_s_ps, "1.25", "full: column to column command, other bank group"),
    NS(tccd_l_ns, system.hbm.tccd_l_ps, "2.5", "full: column to column command, same bank group"),
    NS(tccd_r_ns, system.hbm.tccd_r_ps, "1.875", "full: column to column command, other stack ID"),
    NS(trrd_s_ns, system.hbm.trrd_s_ps, "2.5", "full: activate to activate, other bank group"),
    NS(trrd_l_ns, system.hbm.trrd_l_ps, "3.125", "full: activate to activate, same bank group"),
    NS(tfaw_ns, system.hbm.tfaw_ps, "15", "full: window of at most four activates"),
    NS(trtp_ns, system.hbm.trtp_ps, "5.625", "full: read to precharge"),
    NS(twr_ns, system.hbm.twr_ps, "20.625", "full: last written data to precharge"),
    NS(twtr_s_ns, system.hbm.twtr_s_ps, "4.375", "full: last written data to read, other bank group"),
    NS(twtr_l_ns, system.hbm.twtr_l_ps, "6.25", "full: last written data to read, same bank group"),
    NS(trtw_ns, system.hbm.trtw_ps, "12.5", "full: read to write"),
    PJ_PER_BIT(system.hbm.energy_fj_per_bit, "3.9", "energy of what the bus moves"),
};
const tl_config_group tl_config_hbm_group = TL_CONFIG_GROUP("system.hbm", hbm_keys);

static const tl_config_key hbf_keys[] = {
    STACKS(hbf),
    CHANNELS(hbf, "16"),
    PINS(hbf),
    PIN_RATE(hbf),
    PAGE(page_bytes, system.hbf.page_bytes, "a page"),
    TL_KEY_NUMBER(read_latency_us, system.hbf.read_latency_ps, 6, 1000, PS_PER_MS, NULL, "5",
                  "from a NAND page to its page register"),
    TL_KEY_NUMBER(program_latency_us, system.hbf.program_latency_ps, 6, 1000, 1000 * PS_PER_MS, NULL, "75",
                  "from the page register to the NAND page"),
    TL_KEY_NUMBER(internal_bandwidth, system.hbf.internal_percent, 2, 1, 10000, NULL, "2.5",
                  "what all planes read together, as a multiple of the bus bandwidth"),
    TL_KEY_NUMBER(planes_per_channel, system.hbf.planes_per_channel, 0, 1, 65536, "auto", "auto",
                  "auto: as many as internal_bandwidth asks for at read_latency_us"),
    TL_KEY_NUMBER(planes_per_group, system.hbf.planes_per_group, 0, 1, 1024, NULL, "2",
                  "planes of which any may serve a page; 1: strict planes"),
    TL_KEY_SWITCH(cache_register, system.hbf.cache_register, "true",
                  "a plane starts its next read when the array read ends, not when the page was sent"),
    TL_KEY_NUMBER(queue_entries, system.hbf.queue_entries, 0, 1, 65536, NULL, "1024", "of a channel"),
    TL_KEY_NUMBER(capacity_gib_per_channel, system.hbf.capacity_gib_per_channel, 0, 1, 4096, NULL, "32",
                  "capacity of a channel"),
    TL_KEY_NUMBER(pages_per_block, system.hbf.pages_per_block, 0, 1, 1 << 20, NULL, "256", "what is erased together"),
    TL_KEY_NUMBER(endurance_cycles, system.hbf.endurance_cycles, 0, 1, UINT64_C(1000000000), NULL, "100000",
                  "program-erase cycles that a block survives"),
    PJ_PER_BIT(system.hbf.energy_fj_per_bit, "15.6", "energy of what the bus moves"),
};
const tl_config_group tl_config_hbf_group = TL_CONFIG_GROUP("system.hbf", hbf_keys);

static const tl_config_key rome_keys[] = {
    STACKS(rome),
    CHANNELS(rome, "18"),
    PINS(rome),
    PIN_RATE(rome),
    PAGE(row_bytes, system.rome.row_bytes, "a row"),
    TL_KEY_NUMBER(virtual_banks, system.rome.virtual_banks, 0, 1, 1024, NULL, "32", "of a channel"),
    TL_KEY_NUMBER(stack_ids, system.rome.stack_ids, 0, 1, 16, NULL, "4",
                  "ranks that the virtual banks are spread over"),
    TL_KEY_NUMBER(queue_entries, system.rome.queue_entries, 0, 1, 65536, NULL, "64", "of a channel"),
    TL_KEY_NUMBER(scheduling_window, system.rome.scheduling_window, 0, 1, 64, NULL, "2",
                  "oldest requests of which the next is taken"),
    CAPACITY_MIB(rome, "1536"),
    NS(first_data_ns, system.rome.first_data_ps, "28", "from a read to its first data"),
    NS(tr2rs_ns, system.rome.tr2rs_ps, "80", "read to read, other virtual bank, same rank"),
    NS(tr2rr_ns, system.rome.tr2rr_ps, "84", "read to read, other rank"),
    NS(tr2ws_ns, system.rome.tr2ws_ps, "85", "read to write, other virtual bank, same rank"),
    NS(tr2wr_ns, system.rome.tr2wr_ps, "89", "read to write, other rank"),
    NS(tw2rs_ns, system.rome.tw2rs_ps, "87", "write to read, other virtual bank, same rank"),
    NS(tw2rr_ns, system.rome.tw2rr_ps, "91", "write to read, other rank"),
    NS(tw2ws_ns, system.rome.tw2ws_ps, "80", "write to write, other virtual bank, same rank"),
    NS(tw2wr_ns, system.rome.tw2wr_ps, "84", "write to write, other rank"),
    NS(trd_row_ns, system.rome.trd_row_ps, "111", "read to the next command of the same virtual bank"),
    NS(twr_row_ns, system.rome.twr_row_ps, "131", "write to the next command of the same virtual bank"),
    PJ_PER_BIT(system.rome.energy_fj_per_bit, "3.9", "energy of what the bus moves"),
};
const tl_config_group tl_config_rome_group = TL_CONFIG_GROUP("system.rome", rome_keys);

static const char *const sram_replacements[] = {"lru", "fifo"};

static const tl_config_key sram_keys[] = {
    TL_KEY_SWITCH(enabled, system.sram.enabled, "false", "a buffer on each HBM base die, filled by far prefetches"),
    TL_KEY_NUMBER(capacity_mib_per_stack, system.sram.capacity_mib_per_stack, 0, 1, 8192, NULL, "40", "of one buffer"),
    NS(latency_ns, system.sram.latency_ps, "100", "what a hit takes in place of a read of HBF"),
    TL_KEY_CHOICE(replacement, system.sram.replacement, sram_replacements, "lru", "lru or fifo, over all pages"),
    PJ_PER_BIT(system.sram.energy_fj_per_bit, "0.1", "energy of what is read and written"),
};
const tl_config_group tl_config_sram_group = TL_CONFIG_GROUP("system.sram", sram_keys);
