/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One HBM3e channel: 64 pins at 6.4 Gb/s, 51.2 GB/s, as two independent pseudo-channels (PC) of 32 pins, each with
 * stack IDs x 4 bank groups x 4 banks and 1 KB rows left open (open-row policy).
 *
 * The access unit is 64 B on one PC: two 32 B bursts (BL8) of one row. A request is 64..512 B of one row and one queue
 * entry; it is answered once, when its last byte has left the data bus.
 *
 * Scheduling: demand before prefetch; then row hits first; then the oldest (FR-FCFS). A request that has waited
 * starvation_ps closes the row that others keep hitting. Reads go first; writes are drained when there are no reads, at
 * write_high, or when they have waited starvation_ps. While both wait, each direction serves at most write_high -
 * write_low requests before the other gets its turn, so neither can starve and nothing is stranded.
 *
 * One engine, two timing sets and a fast mode. `simple`: a row hit takes 14 ns to its first byte and any other access
 * 42 ns; a request is one column command; bank overlap and bus occupancy are kept, the other constraints are absent.
 * `full`: every 32 B burst is a column command and all of tl_hbm_timing holds. When no distance but tCL and tCWL and no
 * burst is set, the banks cannot matter and are not looked at, which is the fast mode: every access is a row hit, the
 * oldest of the highest class goes first, an all-bank refresh holds the channel and a per-bank refresh delays nothing.
 * Not modelled: the command bus, power-down, refresh postponement.
 */
#ifndef TL_SIM_MEMORY_HBM_CHANNEL_H
#define TL_SIM_MEMORY_HBM_CHANNEL_H

#include "bit_map.h"
#include "bus.h"
#include "channel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TL_HBM_PSEUDO_CHANNELS 2
#define TL_HBM_ACCESS_BYTES    64
#define TL_HBM_MAX_BANKS       64   /* of a pseudo-channel: stack IDs x bank groups x banks */
#define TL_HBM_MAX_QUEUE       4096 /* reads, and writes, of a channel */

/* Minimum distances. S: another bank group; L: the same bank group; R: another stack ID. All within one PC. */
typedef struct tl_hbm_timing {
    uint64_t rcd_read_ps, rcd_write_ps;    /* activate to column command */
    uint64_t rp_ps, ras_ps, rc_ps;         /* precharge to activate, activate to precharge, activate to activate */
    uint64_t cl_ps, cwl_ps;                /* column command to first data */
    uint64_t ccd_s_ps, ccd_l_ps, ccd_r_ps; /* column to column */
    uint64_t rrd_s_ps, rrd_l_ps, faw_ps;   /* activate to activate of two banks; window of four activates */
    uint64_t rtp_ps, wr_ps;                /* read command, end of write data to precharge */
    uint64_t wtr_s_ps, wtr_l_ps, rtw_ps;   /* end of write data to read; read to write command */
} tl_hbm_timing;

typedef enum tl_hbm_command_kind { TL_HBM_ACT, TL_HBM_PRE, TL_HBM_RD, TL_HBM_WR, TL_HBM_REF } tl_hbm_command_kind;

typedef struct tl_hbm_command {
    uint64_t time_ps;
    tl_hbm_command_kind kind;
    uint32_t row;
    uint8_t pseudo_channel;
    uint8_t bank;   /* (stack ID x bank groups + bank group) x banks + bank; 255: all banks */
    uint16_t bytes; /* of a column command */
} tl_hbm_command;

/* Called for every command in order of its PC's time (a refresh ahead of it, when it is due): traces, timing checks. */
typedef void (*tl_hbm_observer)(void *context, const tl_hbm_command *command);

typedef struct tl_hbm_config {
    tl_hbm_timing timing;
    uint32_t burst_bytes;             /* of one column command; 0: the whole request */
    uint64_t access_ps;               /* 64 B on one PC's bus */
    uint64_t capacity_bytes;          /* at most what the map addresses */
    uint32_t request_bytes;           /* largest request, <= what the map keeps in one row */
    uint32_t read_queue, write_queue; /* requests accepted and not yet handed out */
    uint32_t write_high, write_low;   /* of one PC: a drain starts at high; a turn serves high - low requests */
    uint64_t starvation_ps;
    tl_refresh_config refresh;
    tl_bus *shared_bus;       /* NULL: a bus of its own */
    tl_hbm_observer observer; /* NULL: none */
    void *observer_context;
    tl_bit_map map;  /* channel address -> PC, stack ID, bank group, bank, row, column */
    bool hash_banks; /* PC and bank group are XORed with a hash of the address bits above them */
} tl_hbm_config;

typedef struct tl_hbm_counters {
    tl_mem_counters mem;
    uint64_t row_hits;   /* requests served without an activate of their own */
    uint64_t row_misses; /* requests for which a row was activated; hits + misses = reads + writes */
    uint64_t activates;  /* commands; more than misses when refresh closes a row in between */
    uint64_t precharges; /* commands of one bank; those of a refresh are not counted */
    uint64_t column_commands;
    uint64_t turnarounds; /* read-to-write and write-to-read changes of the data bus */
} tl_hbm_counters;

typedef struct tl_hbm tl_hbm;

/* 2 stack IDs, 1.5 GB, 64-entry queues, no refresh; an 8-high 24 GB stack has 16 such channels. */
void tl_hbm_config_simple(tl_hbm_config *config);
void tl_hbm_config_full(tl_hbm_config *config);
void tl_hbm_config_bus(tl_hbm_config *config); /* the fast mode; every access takes a hit's 14 ns */

/* NULL, or what is wrong: the name of the field and the range. */
const char *tl_hbm_config_check(const tl_hbm_config *config);

tl_hbm *tl_hbm_create(const tl_hbm_config *config); /* NULL: bad configuration or no memory */
void tl_hbm_destroy(tl_hbm *hbm);
tl_mem_status tl_hbm_admit(const tl_hbm *hbm, uint64_t now_ps, const tl_mem_request *request);
bool tl_hbm_push(tl_hbm *hbm, uint64_t now_ps, const tl_mem_request *request);
uint64_t tl_hbm_next_ps(tl_hbm *hbm);
bool tl_hbm_pop(tl_hbm *hbm, uint64_t now_ps, tl_mem_completion *completion);
bool tl_hbm_promote(tl_hbm *hbm, uint64_t now_ps, uint64_t tag);
void tl_hbm_advance(tl_hbm *hbm, uint64_t now_ps);
const tl_hbm_counters *tl_hbm_counters_of(const tl_hbm *hbm);
uint32_t tl_hbm_pending(const tl_hbm *hbm); /* accepted, not handed out */

#ifdef __cplusplus
}
#endif
#endif
