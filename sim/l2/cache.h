/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Mixed-granularity sectored L2 (Sec. 5.2 of the TileLens paper): 128-byte lines of four 32-byte sectors, and whole
 * 4 KB pages. Tags only: the cache knows what it holds, not the data.
 *
 * How the two granularities share sets and ways. A 4 KB block has 32 lines, and they lie in 32 consecutive sets: a
 * *group*. One way of a group is a *frame* of 32 lines, 4 KB:
 *
 *             way 0      way 1      way 2
 *   set 0   | page P  |  line a  |  (free) |      A frame holds one page, or up to 32 lines of any blocks, one a set.
 *   set 1   |   "     |  (free)  |  line c |      A page costs O(1): one tag a frame stands for its 32 line tags.
 *   ...     |   "     |  line b  |  (free) |
 *   set 31  |   "     |  (free)  |  (free) |
 *
 * - A new page takes the lowest free frame, else the least recent one. A frame of lines is as recent as its most recent
 *   line, and all its lines go at once.
 * - A new line takes the lowest free way of its set, else the way of the set's least recent line, or of the least
 *   recent page of the group if that is the less recent frame. A page that goes leaves 31 free lines in its frame.
 * - FIFO takes arrival for recency; the random policy draws the way where none is free.
 *
 * A cache that sees one granularity only is thus an ordinary set-associative cache of that block size.
 *
 * The memory behind an address decides its granularity. If a block is inserted both ways, the page answers.
 * Recency is the order of the calls, which are made in the order of simulated time.
 */
#ifndef TILELENS_L2_CACHE_H
#define TILELENS_L2_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TL_CACHE_PAGE_BYTES = 4096,
    TL_CACHE_LINE_BYTES = 128,
    TL_CACHE_SECTOR_BYTES = 32,
    TL_CACHE_PAGE_LINES = TL_CACHE_PAGE_BYTES / TL_CACHE_LINE_BYTES,
    TL_CACHE_PAGE_SECTORS = TL_CACHE_PAGE_BYTES / TL_CACHE_SECTOR_BYTES,
    TL_CACHE_MAX_WAYS = 16,
    TL_CACHE_ADDRESS_BITS = 51, /* addresses are below 2^51 */
};

typedef enum tl_cache_replacement {
    TL_CACHE_LRU,
    TL_CACHE_LRU_EVICT_FIRST, /* LRU, but pages of which 4096 bytes were consumed go first, the least recent of them
                                 first */
    TL_CACHE_RANDOM,          /* draws from splitmix64, started at the seed: way floor(high word * ways / 2^32) */
    TL_CACHE_FIFO
} tl_cache_replacement;

/**
 * From page number p to slice, group in the slice, and set in the group:
 * modulo: p mod slices, floor(p / slices) mod groups, line;
 * hashed, h = tl_mix64(p) of memory/hash.h: floor(high word of h * slices / 2^32), floor(low word of h * groups /
 * 2^32), line xor (bits 32-36 of h). The last keeps columns that are 4 KB apart from meeting in the same few sets.
 */
typedef enum tl_cache_index { TL_CACHE_MODULO, TL_CACHE_HASHED } tl_cache_index;

typedef struct tl_cache_config {
    uint64_t capacity_bytes; /* of all slices; a multiple of ways * 4096 */
    uint32_t ways;           /* 1..16 */
    uint32_t slices;         /* 1..groups; where they do not divide the groups, the first slices have one group more */
    tl_cache_index index;
    tl_cache_replacement replacement;
    uint64_t seed; /* of the random policy */
} tl_cache_config;

typedef struct tl_cache_counters {
    uint64_t hits, misses;           /* lookups that found every byte, and others */
    uint64_t hit_bytes, miss_bytes;  /* of all lookups */
    uint64_t page_fills, line_fills; /* blocks that entered the cache */
    uint64_t fill_bytes;             /* handed to the insert functions, whole sectors */
    uint64_t page_evictions, line_evictions;
    uint64_t prefetched_unused; /* evictions of a prefetched block that no demand had read */
    uint64_t unread_bytes;      /* held and never consumed, at the eviction */
    uint64_t thrash;            /* fills of a block that had been evicted before all its bytes were consumed; of each
                                   set and granularity the last `ways` such evictions are remembered */
} tl_cache_counters;

typedef struct tl_cache_lookup_result {
    uint64_t block_address; /* of the 4 KB block */
    uint32_t hit_bytes, miss_bytes;
    uint64_t missing[TL_CACHE_PAGE_SECTORS / 64]; /* bit s of word w: sector 64*w + s of the block is missing */
} tl_cache_lookup_result;

typedef struct tl_cache_run {
    uint64_t address;
    uint32_t bytes;
} tl_cache_run;

typedef struct tl_cache_eviction {
    uint64_t address;
    uint32_t held_bytes;     /* 4096, or 32 for each valid sector of a line */
    uint32_t consumed_bytes; /* bytes delivered, saturating at the block size */
    bool page;
    bool prefetched_unused;
} tl_cache_eviction;

typedef void tl_cache_on_evict(void *context, const tl_cache_eviction *eviction);

typedef struct tl_cache tl_cache;

/** NULL when the configuration is outside the ranges above or memory is short. on_evict may be NULL. */
tl_cache *tl_cache_create(const tl_cache_config *config, tl_cache_on_evict *on_evict, void *context);
void tl_cache_destroy(tl_cache *cache);

const tl_cache_counters *tl_cache_get_counters(const tl_cache *cache);

/** The slice that serves an address, 0..slices-1. All lines of a 4 KB block are in one slice. */
uint32_t tl_cache_slice(const tl_cache *cache, uint64_t address);

/** Demand read of `bytes` (1..4096) inside one 4 KB block: what is there is touched and consumed, and counted. */
void tl_cache_lookup(tl_cache *cache, uint64_t address, uint32_t bytes, tl_cache_lookup_result *result);

/** The same where the memory holds pages: whether the page is there. Lines are not searched. */
bool tl_cache_lookup_page(tl_cache *cache, uint64_t address, uint32_t bytes);

/** Take the next run of missing sectors, at most max_bytes long and inside one aligned max_bytes (a power of two from
 * 32 to 4096) of the address space; false when none is left. */
bool tl_cache_take_run(tl_cache_lookup_result *result, uint32_t max_bytes, tl_cache_run *run);

/** Whether every byte is there. Touches nothing, counts nothing. */
bool tl_cache_contains(tl_cache *cache, uint64_t address, uint32_t bytes);

/** A fill of the page at page_address. `prefetched`: no demand waits for it. */
void tl_cache_insert_page(tl_cache *cache, uint64_t page_address, bool prefetched);

/** A fill of the sectors that [address, address + bytes) touches, inside one 4 KB block. Sectors that join a line which
 * is there do not touch it: the waiters that consume them do. */
void tl_cache_insert_lines(tl_cache *cache, uint64_t address, uint32_t bytes, bool prefetched);

/** A waiter served by a fill: touch and consume without a lookup. False when some byte is no longer there. */
bool tl_cache_consume(tl_cache *cache, uint64_t address, uint32_t bytes);

/** A hint that changes nothing: an access to these bytes is near. */
void tl_cache_prefetch(tl_cache *cache, uint64_t address, uint32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
