/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every memory channel has in common: requests, completions, statuses.
 *
 * A channel of type X in {hbm, hbf, rome} is driven by five functions:
 *   tl_X_push(ch, now, request)  accepts a request, or refuses it and counts why (tl_X_admit tells which status)
 *   tl_X_next_ps(ch)             when to call tl_X_pop next; UINT64_MAX when nothing is pending
 *   tl_X_pop(ch, now, out)       advances to `now` and hands out one completion due at or before it; false: none left
 *   tl_X_promote(ch, now, tag)   a prefetch that is not on the data bus yet becomes a demand
 *   tl_X_advance(ch, now)        advances without handing anything out (to settle refresh counts at the end of a run)
 * `now` never goes backwards. Times are integer picoseconds. Addresses are the channel's own, from 0 to its capacity
 * (address_map.h). The model carries no data, so a read may pass a write of the same address; whoever stores data reads
 * and writes it when the channel accepts the request. Only create allocates.
 */
#ifndef TL_SIM_MEMORY_CHANNEL_H
#define TL_SIM_MEMORY_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TL_NEVER_PS UINT64_MAX

typedef enum tl_mem_class { TL_MEM_DEMAND, TL_MEM_PREFETCH_NEAR, TL_MEM_PREFETCH_FAR } tl_mem_class;

typedef struct tl_mem_request {
    uint64_t tag;     /* the caller's, opaque; comes back in exactly one completion */
    uint64_t address; /* bytes, in the channel's own space */
    uint32_t bytes;
    bool write;
    tl_mem_class mem_class;
} tl_mem_request;

typedef struct tl_mem_completion {
    uint64_t tag;
    uint64_t time_ps;   /* the last byte left the data bus (flash write: the program ended) */
    uint64_t queued_ps; /* when the request was accepted */
    bool row_hit;       /* served without an activate of its own; always false in flash and RoMe */
} tl_mem_completion;

typedef enum tl_mem_status {
    TL_MEM_OK,
    TL_MEM_FULL,
    TL_MEM_MISALIGNED,    /* address or size is not a multiple of the access unit */
    TL_MEM_BAD_SIZE,      /* zero, too large, or across the end of a row, page or interleaving unit */
    TL_MEM_OUT_OF_RANGE,  /* beyond the capacity; never wrapped */
    TL_MEM_TIME_BACKWARD, /* `now` before an earlier `now` */
    TL_MEM_BAD_MAP,       /* an address map that is not a bijection */
    TL_MEM_STATUS_COUNT
} tl_mem_status;

const char *tl_mem_status_str(tl_mem_status status);

/* Checks that [address, address + bytes) is aligned to access_bytes, inside the capacity and inside one block;
 * access_bytes and block_bytes are powers of two. */
static inline tl_mem_status tl_mem_check_range(uint64_t address, uint32_t bytes, uint32_t access_bytes,
                                               uint64_t block_bytes, uint64_t capacity_bytes)
{
    if ((address & (access_bytes - 1)) != 0) {
        return TL_MEM_MISALIGNED;
    }
    if (bytes == 0 || (bytes & (access_bytes - 1)) != 0 || bytes > block_bytes) {
        return TL_MEM_BAD_SIZE;
    }
    if (address >= capacity_bytes || capacity_bytes - address < bytes) {
        return TL_MEM_OUT_OF_RANGE;
    }
    return (address ^ (address + bytes - 1)) < block_bytes ? TL_MEM_OK : TL_MEM_BAD_SIZE;
}

typedef enum tl_refresh_mode { TL_REFRESH_NONE, TL_REFRESH_ALL_BANK, TL_REFRESH_PER_BANK } tl_refresh_mode;

/* One refresh is due at phase_ps + k * interval_ps. Per-bank: one bank (or virtual bank) in turn at each. */
typedef struct tl_refresh_config {
    tl_refresh_mode mode;
    uint64_t interval_ps; /* all-bank: tREFI; per-bank: tREFI / banks */
    uint64_t duration_ps; /* tRFC or tRFCpb */
    uint64_t phase_ps;    /* > 0; staggers the channels */
} tl_refresh_config;

/* All-bank refresh, 260 ns every 3.9 us, staggered over the channels. */
void tl_refresh_all_bank(tl_refresh_config *refresh, uint32_t channel, uint32_t channels);
/* NULL, or the field and its range: between two refreshes of a bank there is time for one access (access_ps) at least. */
const char *tl_refresh_check(const tl_refresh_config *refresh, uint32_t banks, uint64_t access_ps);

/* Counters of every channel; the header of a type adds its own. */
typedef struct tl_mem_counters {
    uint64_t reads;           /* read requests served (last byte scheduled on the bus) */
    uint64_t writes;          /* write requests served */
    uint64_t read_bytes;      /* moved over the data bus */
    uint64_t write_bytes;     /* moved over the data bus */
    uint64_t bus_busy_ps;     /* data on the bus; of 2 pseudo-channels both count, so full is 2 x time */
    uint64_t refreshes;       /* refresh commands (HBM: of both pseudo-channels) */
    uint64_t promotions;      /* prefetches that became demands here */
    uint64_t queue_integral;  /* requests accepted and not handed out, summed over time [request x ps] */
    uint64_t queue_peak;      /* the largest such number */
    uint64_t refused_full;    /* pushes refused: no room */
    uint64_t refused_address; /* pushes refused: misaligned, out of range, bad size */
    uint64_t refused_time;    /* pushes and pops refused: time went backwards */
} tl_mem_counters;

/* The number of requests in a channel over time: tl_mem_occupancy_at() before every change. */
typedef struct tl_mem_occupancy {
    uint64_t since_ps;
    uint64_t count;
} tl_mem_occupancy;

static inline void tl_mem_occupancy_at(tl_mem_occupancy *occupancy, uint64_t now_ps, tl_mem_counters *counters)
{
    counters->queue_integral += occupancy->count * (now_ps - occupancy->since_ps);
    occupancy->since_ps = now_ps;
}

static inline void tl_mem_count_refusal(tl_mem_counters *counters, tl_mem_status status)
{
    counters->refused_full += status == TL_MEM_FULL;
    counters->refused_time += status == TL_MEM_TIME_BACKWARD;
    counters->refused_address += status != TL_MEM_FULL && status != TL_MEM_TIME_BACKWARD;
}

#ifdef __cplusplus
}
#endif
#endif
