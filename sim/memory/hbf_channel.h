/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One HBF channel: NAND flash behind the pins of an HBM channel. The unit is a page (4 KB).
 *
 * Planes are gathered in groups; a page's group follows from its address by a map. A group reads `overlap` pages at
 * once (as many as it has planes). A read takes the array for read_latency_ps; then the page goes into one of the
 * group's register_pages cache registers, where it waits for the bus, and the array starts its next read. Without a
 * free register the page stays in the array, which so stays busy (register_pages = 0: always) until a page of the group
 * has left. The bus moves one page in transfer_ps. Groups and bus serve demand before prefetch, and the oldest of a
 * class first.
 *
 * A write crosses the bus, then programs its plane for program_ps. Programs are counted per block against the
 * endurance; a write after tl_hbf_end_load() is served but counted as an error. Not modelled: commands, ECC retries,
 * erase time, suspend, garbage collection.
 */
#ifndef TL_SIM_MEMORY_HBF_CHANNEL_H
#define TL_SIM_MEMORY_HBF_CHANNEL_H

#include "address_map.h"
#include "bus.h"
#include "channel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TL_HBF_MAX_QUEUE 65536

typedef struct tl_hbf_config {
    uint32_t page_bytes;       /* a power of two */
    uint64_t read_latency_ps;  /* page read from the array, tR */
    uint64_t program_ps;       /* page program */
    uint64_t transfer_ps;      /* page over the whole bus */
    uint32_t planes;           /* 0: internal_percent of the bus bandwidth, tl_hbf_planes() */
    uint32_t internal_percent; /* internal bandwidth in percent of the bus */
    uint32_t overlap;          /* planes of a group */
    uint32_t register_pages;   /* of a group: finished pages that wait outside the arrays */
    tl_map_kind group_map;     /* page -> group; not TL_MAP_BITS */
    uint64_t map_seed;
    uint64_t capacity_bytes;
    uint32_t queue;  /* requests accepted and not yet handed out */
    bool far_lowest; /* far prefetches after near ones instead of with them */
    uint32_t pages_per_block;
    uint64_t endurance_cycles; /* program-erase cycles of a block */
    tl_bus *shared_bus;        /* NULL: a bus of its own */
} tl_hbf_config;

typedef struct tl_hbf_counters {
    tl_mem_counters mem;
    uint64_t plane_conflicts;      /* requests that found every plane of their group busy */
    uint64_t plane_busy_ps;        /* array reads and programs started x their time */
    uint64_t plane_stall_ps;       /* finished pages held in an array for want of a register, summed over time */
    uint64_t writes_after_load;    /* an error of the run */
    uint64_t worst_block_programs; /* page programs of the most programmed block */
    uint64_t worn_blocks;          /* blocks programmed more often than pages x endurance_cycles */
} tl_hbf_counters;

typedef struct tl_hbf tl_hbf;

/* 4 KB pages, 5 us, 80 ns, 2.5x internal bandwidth, groups of 2 with a register a plane, permutation, 32 GB. */
void tl_hbf_config_default(tl_hbf_config *config);
/* Planes that read internal_percent of the bus bandwidth: floor(latency / transfer x percent / 100), at least 1. */
uint32_t tl_hbf_planes(const tl_hbf_config *config);
const char *tl_hbf_config_check(const tl_hbf_config *config); /* NULL, or the field and its range */

tl_hbf *tl_hbf_create(const tl_hbf_config *config); /* NULL: bad configuration or no memory */
void tl_hbf_destroy(tl_hbf *hbf);
tl_mem_status tl_hbf_admit(const tl_hbf *hbf, uint64_t now_ps, const tl_mem_request *request);
bool tl_hbf_push(tl_hbf *hbf, uint64_t now_ps, const tl_mem_request *request);
uint64_t tl_hbf_next_ps(const tl_hbf *hbf);
bool tl_hbf_pop(tl_hbf *hbf, uint64_t now_ps, tl_mem_completion *completion);
bool tl_hbf_promote(tl_hbf *hbf, uint64_t now_ps, uint64_t tag);
void tl_hbf_advance(tl_hbf *hbf, uint64_t now_ps);
void tl_hbf_end_load(tl_hbf *hbf);
const tl_hbf_counters *tl_hbf_counters_of(const tl_hbf *hbf);
uint32_t tl_hbf_pending(const tl_hbf *hbf);

#ifdef __cplusplus
}
#endif
#endif
