/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Miss status holding registers in two partitions (Sec. 5.2 of the TileLens paper): entries of 128 B lines and entries
 * of 4 KB pages, so that slow page reads do not use up the entries of fast line reads.
 *
 * An entry tracks reads in flight and the demands that wait for them. Line entries are kept together by aligned blocks
 * (128 B up to 1 KB): a block costs one call, and as many entries as it has lines in flight. What a request asks for
 * that is in flight already merges; the rest must be fetched, and the answer says which sectors that is.
 *
 * complete() takes the arrived sectors out of the entry before it hands over any waiter. A request made while those
 * waiters are served therefore never joins them: it finds the data in the cache, or starts a read of its own.
 *
 * A demand that finds no free entry is parked by its owner and comes back in order: while demands are parked in a
 * partition, nobody else gets an entry there. A refused prefetch is simply dropped.
 */
#ifndef TILELENS_L2_MSHR_H
#define TILELENS_L2_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "../memory/channel.h"
#include "waiters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tl_mshr_partition { TL_MSHR_LINES, TL_MSHR_PAGES, TL_MSHR_PARTITIONS } tl_mshr_partition;

typedef struct tl_mshr_config {
    uint32_t line_entries;     /* 0: unlimited; otherwise at least one block */
    uint32_t page_entries;     /* 0: unlimited */
    uint32_t line_block_bytes; /* lines kept together: a power of two, 128..1024 */
} tl_mshr_config;

typedef struct tl_mshr_request {
    uint64_t address; /* lines: the request lies in one block; pages: in one page */
    uint32_t bytes;
    tl_mshr_partition partition;
    tl_mem_class mem_class; /* only demands wait for data */
    uint64_t waiter;        /* of a demand: the caller's, opaque */
} tl_mshr_request;

typedef enum tl_mshr_status {
    TL_MSHR_ALLOCATED, /* nothing of the block was in flight */
    TL_MSHR_MERGED,    /* joined an entry; fetch_sectors may ask for more of the block */
    TL_MSHR_FULL       /* refused, nothing changed */
} tl_mshr_status;

typedef struct tl_mshr_answer {
    tl_mshr_status status;
    uint32_t entry;         /* names the entry until its last sector has arrived */
    uint32_t fetch_sectors; /* to be read now: bit s is the s-th 32 B of the block; bit 0 is the page */
    bool promoted;          /* the entry was a lower class: promote what is queued for it */
} tl_mshr_answer;

/* Waiters whose data is complete, oldest first. Private. */
typedef struct tl_mshr_waiters {
    uint64_t block_address;
    tl_waiter_list list;
} tl_mshr_waiters;

typedef struct tl_mshr_waiter {
    uint64_t waiter, address;
    uint32_t bytes;
} tl_mshr_waiter;

typedef struct tl_mshr_counters {
    uint64_t allocated;       /* requests that opened an entry */
    uint64_t merged;          /* requests that joined one */
    uint64_t extended;        /* ... and asked for sectors that were not in flight */
    uint64_t promotions;      /* entries that a demand made demand */
    uint64_t refused_demands; /* answers `full`; one demand may be refused again after it was parked */
    uint64_t refused_prefetches;
    uint32_t occupied, peak;     /* entries in use: now, at most */
    uint64_t occupancy_entry_ps; /* integral of `occupied` over time, up to the latest change */
} tl_mshr_counters;

typedef struct tl_mshr tl_mshr;

/** NULL when the configuration is outside the ranges above or memory is short. */
tl_mshr *tl_mshr_create(const tl_mshr_config *config);
void tl_mshr_destroy(tl_mshr *mshr);

const tl_mshr_counters *tl_mshr_get_counters(const tl_mshr *mshr, tl_mshr_partition partition);

/** Entries in use on average, from time 0 to now. */
double tl_mshr_mean_occupancy(const tl_mshr *mshr, tl_mshr_partition partition, uint64_t now_ps);

/** A miss. Time never goes backwards. Memory grows by doubling; when there is none left the answer is `full`. */
tl_mshr_answer tl_mshr_submit(tl_mshr *mshr, uint64_t now_ps, const tl_mshr_request *request);

/** Park a refused demand at the end of its partition's queue. False when memory is short. */
bool tl_mshr_park(tl_mshr *mshr, const tl_mshr_request *request);

/** Whether demands are parked. */
bool tl_mshr_has_parked(const tl_mshr *mshr, tl_mshr_partition partition);

/** Take the oldest parked demand out of the queue if it could get an entry, or merge, now. Its owner looks it up again
 * (its data may have come) and, if it still misses, calls tl_mshr_resubmit(): submit without waiting for the parked. */
bool tl_mshr_unpark(tl_mshr *mshr, tl_mshr_partition partition, tl_mshr_request *request);
tl_mshr_answer tl_mshr_resubmit(tl_mshr *mshr, uint64_t now_ps, const tl_mshr_request *request);

/** Class of an entry, for a fill that must know whether a demand waits for it. */
tl_mem_class tl_mshr_class(const tl_mshr *mshr, uint32_t entry);

/** Partition, and address of the block or page, of an entry. */
tl_mshr_partition tl_mshr_partition_of(uint32_t entry);
uint64_t tl_mshr_address(const tl_mshr *mshr, uint32_t entry);

/** Sectors of an entry have arrived. @return the demands that have now got all they asked for */
tl_mshr_waiters tl_mshr_complete(tl_mshr *mshr, uint64_t now_ps, uint32_t entry, uint32_t sectors);

/** Take the first waiter off the list; false when the list is empty. A list is taken to its end before the next one is
 * asked for. */
bool tl_mshr_next_waiter(tl_mshr *mshr, tl_mshr_waiters *waiters, tl_mshr_waiter *waiter);

/** Hints that change nothing: an address will be submitted, an entry completed, while the machine that simulates does
 * something else. */
void tl_mshr_prefetch(const tl_mshr *mshr, tl_mshr_partition partition, uint64_t address);
void tl_mshr_prefetch_entry(const tl_mshr *mshr, uint32_t entry);

/** The oldest demand that waits for an entry; false: none does. */
bool tl_mshr_first_waiter(const tl_mshr *mshr, uint32_t entry, uint64_t *waiter);

#ifdef __cplusplus
}
#endif
#endif
