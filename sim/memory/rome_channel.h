/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One RoMe channel: HBM3e whose only commands are RD_row, WR_row and REF. A row is 4 KB: two banks of different bank
 * groups in both pseudo-channels in lock-step make one virtual bank (VBA); 32 VBAs a channel. Rows are always closed
 * after their command, so a command costs the same whatever came before.
 *
 * Ten timing parameters: eight distances between two commands (read or write first, read or write second, same or other
 * stack ID), and the busy time of a VBA after RD_row and WR_row.
 *
 * The scheduler looks at the `window` (2) first requests: demand before prefetch, then oldest. It takes the first whose
 * VBA is not still busy; when all are, the one that can go earliest. Writes are served in their turn. Not modelled: the
 * command generator on the logic die (its bank commands are inside the ten parameters).
 */
#ifndef TL_SIM_MEMORY_ROME_CHANNEL_H
#define TL_SIM_MEMORY_ROME_CHANNEL_H

#include "address_map.h"
#include "channel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TL_ROME_MAX_QUEUE 65536
#define TL_ROME_MAX_VBAS  1024

typedef struct tl_rome_timing {
    uint64_t r2rs_ps, r2rr_ps; /* S: same stack ID; R: another stack ID */
    uint64_t r2ws_ps, r2wr_ps;
    uint64_t w2rs_ps, w2rr_ps;
    uint64_t w2ws_ps, w2wr_ps;
    uint64_t rd_row_ps, wr_row_ps; /* same VBA, after a read, after a write */
} tl_rome_timing;

typedef struct tl_rome_config {
    tl_rome_timing timing;
    uint32_t row_bytes;       /* a power of two */
    uint64_t transfer_ps;     /* of a row over the bus; <= the eight distances */
    uint64_t first_data_ps;   /* command to first data */
    uint32_t vbas, stack_ids; /* VBA v has stack ID v / (vbas / stack_ids) */
    tl_map_kind vba_map;      /* row -> VBA; not TL_MAP_BITS */
    uint64_t map_seed;
    uint64_t capacity_bytes; /* a multiple of vbas x row_bytes */
    uint32_t queue;          /* requests accepted and not yet handed out */
    uint32_t window;
    bool far_lowest; /* far prefetches after near ones instead of with them */
    tl_refresh_config refresh;
} tl_rome_config;

typedef struct tl_rome_counters {
    tl_mem_counters mem;
    uint64_t row_commands;   /* RD_row and WR_row */
    uint64_t vba_waits;      /* commands delayed by their own VBA or by refresh */
    uint64_t bypasses;       /* commands that went before an older request whose VBA was busy */
    uint64_t stack_switches; /* consecutive commands to different stack IDs */
} tl_rome_counters;

typedef struct tl_rome tl_rome;

/* 51.2 GB/s: a 4 KB row in 80 ns; what the published table adds to its own 64 ns of transfer is added to these 80 ns.
 */
void tl_rome_config_default(tl_rome_config *config);
const char *tl_rome_config_check(const tl_rome_config *config); /* NULL, or the field and its range */

tl_rome *tl_rome_create(const tl_rome_config *config); /* NULL: bad configuration or no memory */
void tl_rome_destroy(tl_rome *rome);
tl_mem_status tl_rome_admit(const tl_rome *rome, uint64_t now_ps, const tl_mem_request *request);
bool tl_rome_push(tl_rome *rome, uint64_t now_ps, const tl_mem_request *request);
uint64_t tl_rome_next_ps(const tl_rome *rome);
bool tl_rome_pop(tl_rome *rome, uint64_t now_ps, tl_mem_completion *completion);
bool tl_rome_promote(tl_rome *rome, uint64_t now_ps, uint64_t tag);
void tl_rome_advance(tl_rome *rome, uint64_t now_ps);
const tl_rome_counters *tl_rome_counters_of(const tl_rome *rome);
uint32_t tl_rome_pending(const tl_rome *rome);

#ifdef __cplusplus
}
#endif
#endif
