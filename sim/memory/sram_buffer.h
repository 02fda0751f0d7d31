/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SRAM on the base die that hides flash latency (40 MB): whole pages, filled by prefetches only, looked up by page.
 * A found page is used and stays until it is replaced or removed; hit_latency_ps is what the caller adds for a hit.
 */
#ifndef TL_SIM_MEMORY_SRAM_BUFFER_H
#define TL_SIM_MEMORY_SRAM_BUFFER_H

#include "channel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TL_SRAM_NO_ADDRESS UINT64_MAX

typedef enum tl_sram_replacement { TL_SRAM_LRU, TL_SRAM_FIFO } tl_sram_replacement;

typedef struct tl_sram_config {
    uint64_t capacity_bytes;
    uint32_t page_bytes; /* a power of two */
    uint64_t hit_latency_ps;
    tl_sram_replacement replacement;
} tl_sram_config;

typedef struct tl_sram_counters {
    uint64_t lookups;
    uint64_t hits;             /* lookups that found their page */
    uint64_t fills;            /* pages brought in */
    uint64_t duplicate_fills;  /* fills of a page that was there; nothing changes */
    uint64_t refused_demand;   /* fills of demand class; refused */
    uint64_t evictions;        /* pages replaced */
    uint64_t unused_evictions; /* of these, never hit */
    uint64_t removals;         /* pages taken out by tl_sram_remove */
} tl_sram_counters;

typedef struct tl_sram tl_sram;

void tl_sram_config_default(tl_sram_config *config);            /* 40 MB, 4 KB, 100 ns, LRU */
const char *tl_sram_config_check(const tl_sram_config *config); /* NULL, or the field and its range */

tl_sram *tl_sram_create(const tl_sram_config *config);
void tl_sram_destroy(tl_sram *sram);
/* A demand looks for the page that holds the address: counted, and renewed under LRU. */
bool tl_sram_lookup(tl_sram *sram, uint64_t address);
/* The same without any effect, for the filter of duplicate prefetches. */
bool tl_sram_contains(const tl_sram *sram, uint64_t address);
/* A page arrives; the victim is the least recently used, or the oldest, and its address (TL_SRAM_NO_ADDRESS: none,
 * there was room) is told. False: refused (demand) or there already; *evicted_address is TL_SRAM_NO_ADDRESS then too.
 */
bool tl_sram_fill(tl_sram *sram, uint64_t address, tl_mem_class mem_class, uint64_t *evicted_address);
/* Takes a page out (it moved to the L2, or was written). False: not there. */
bool tl_sram_remove(tl_sram *sram, uint64_t address);
uint32_t tl_sram_pages(const tl_sram *sram); /* held now */
uint64_t tl_sram_hit_latency_ps(const tl_sram *sram);
const tl_sram_counters *tl_sram_counters_of(const tl_sram *sram);

#ifdef __cplusplus
}
#endif
#endif
