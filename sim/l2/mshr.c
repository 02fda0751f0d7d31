/* SPDX-License-Identifier: Apache-2.0 */
#include "mshr.h"

#include <assert.h>
#include <stdlib.h>

#include "../memory/hash.h"
#include "../memory/key_index.h"
#include "cache.h"
#include "pool.h"

/* An entry's name is its number in the pool of its partition; this bit tells the partition. */
#define PAGE_ENTRY UINT32_C(0x80000000)

enum { INITIAL_BLOCKS = 64, INITIAL_CHUNKS = 64, INITIAL_PARKED = 16, MAX_BLOCK_BYTES = 1024 };

/* One cache line of the simulating machine. */
typedef struct entry {
    uint64_t block;
    uint32_t pending; /* sectors in flight; 0: the entry is free */
    tl_mem_class mem_class;
    tl_waiter_list waiters;
    uint64_t to_64_bytes[2];
} entry;

static_assert(sizeof(entry) == TL_POOL_ALIGNMENT, "an entry is one line of the simulating machine");

typedef struct partition {
    uint32_t block_bytes;
    uint32_t block_shift;
    uint32_t limit;     /* entries; 0: unlimited */
    tl_key_index index; /* block -> number in the pool */
    tl_pool pool;       /* entry */
    tl_ring parked;     /* tl_mshr_request */
    uint64_t changed_ps;
    tl_mshr_counters counters;
} partition;

struct tl_mshr {
    partition partitions[TL_MSHR_PARTITIONS];
    tl_pool chunks; /* of waiters */
};

static entry *entry_at(const partition *part, uint32_t number)
{
    return tl_pool_at(&part->pool, number);
}

static partition *partition_of(tl_mshr *mshr, uint32_t name)
{
    return &mshr->partitions[tl_mshr_partition_of(name)];
}

static uint32_t request_sectors(const partition *part, const tl_mshr_request *request)
{
    const uint32_t begin = (uint32_t)(request->address & (part->block_bytes - 1));
    assert(request->bytes >= 1 && begin + request->bytes <= part->block_bytes);
    if (part->block_bytes == TL_CACHE_PAGE_BYTES) {
        return 1;
    }
    const uint32_t first = begin / TL_CACHE_SECTOR_BYTES;
    const uint32_t last = (begin + request->bytes - 1) / TL_CACHE_SECTOR_BYTES;
    return (uint32_t)((UINT64_C(2) << last) - (UINT64_C(1) << first));
}

/* Entries that a set of sectors occupies: one a line, that is one for every four bits with a bit set. */
static uint32_t entries_of(uint32_t sectors)
{
    uint32_t lines = (sectors | sectors >> 1 | sectors >> 2 | sectors >> 3) & 0x11111111u;
    return lines * 0x11111111u >> 28;
}

static void occupy(partition *part, uint64_t now_ps, uint32_t before, uint32_t after)
{
    tl_mshr_counters *counters = &part->counters;
    assert(now_ps >= part->changed_ps);
    counters->occupancy_entry_ps += (uint64_t)counters->occupied * (now_ps - part->changed_ps);
    part->changed_ps = now_ps;
    counters->occupied += after - before;
    counters->peak = counters->occupied > counters->peak ? counters->occupied : counters->peak;
}

static bool has_room(const partition *part, uint32_t more)
{
    return part->limit == 0 || part->counters.occupied + more <= part->limit;
}

/* ---- creation ---- */

static bool config_is_valid(const tl_mshr_config *config)
{
    const uint32_t bytes = config->line_block_bytes;
    const bool block = bytes >= TL_CACHE_LINE_BYTES && bytes <= MAX_BLOCK_BYTES && (bytes & (bytes - 1)) == 0;
    return block && (config->line_entries == 0 || config->line_entries >= bytes / TL_CACHE_LINE_BYTES);
}

static bool create_partition(partition *part, uint32_t block_bytes, uint32_t limit)
{
    part->block_bytes = block_bytes;
    part->block_shift = (uint32_t)__builtin_ctz(block_bytes);
    part->limit = limit;
    return tl_key_index_create(&part->index, INITIAL_BLOCKS) &&
           tl_pool_create(&part->pool, sizeof(entry), INITIAL_BLOCKS) &&
           tl_ring_create(&part->parked, sizeof(tl_mshr_request), INITIAL_PARKED);
}

tl_mshr *tl_mshr_create(const tl_mshr_config *config)
{
    tl_mshr *mshr = config_is_valid(config) ? calloc(1, sizeof *mshr) : NULL;
    if (mshr == NULL) {
        return NULL;
    }
    if (!create_partition(&mshr->partitions[TL_MSHR_LINES], config->line_block_bytes, config->line_entries) ||
        !create_partition(&mshr->partitions[TL_MSHR_PAGES], TL_CACHE_PAGE_BYTES, config->page_entries) ||
        !tl_waiters_create(&mshr->chunks, INITIAL_CHUNKS)) {
        tl_mshr_destroy(mshr);
        return NULL;
    }
    return mshr;
}

void tl_mshr_destroy(tl_mshr *mshr)
{
    if (mshr == NULL) {
        return;
    }
    for (int which = 0; which < TL_MSHR_PARTITIONS; which++) {
        tl_key_index_destroy(&mshr->partitions[which].index);
        tl_pool_destroy(&mshr->partitions[which].pool);
        tl_ring_destroy(&mshr->partitions[which].parked);
    }
    tl_pool_destroy(&mshr->chunks);
    free(mshr);
}

const tl_mshr_counters *tl_mshr_get_counters(const tl_mshr *mshr, tl_mshr_partition which)
{
    return &mshr->partitions[which].counters;
}

double tl_mshr_mean_occupancy(const tl_mshr *mshr, tl_mshr_partition which, uint64_t now_ps)
{
    const partition *part = &mshr->partitions[which];
    const uint64_t integral =
        part->counters.occupancy_entry_ps + (uint64_t)part->counters.occupied * (now_ps - part->changed_ps);
    return now_ps == 0 ? 0.0 : (double)integral / (double)now_ps;
}

/* ---- growth ---- */

static bool rebuild_index(partition *part)
{
    tl_key_index larger;
    if (!tl_key_index_create(&larger, part->pool.capacity)) {
        return false;
    }
    for (uint32_t number = 0; number < part->pool.created; number++) {
        if (entry_at(part, number)->pending != 0) {
            tl_key_index_insert(&larger, entry_at(part, number)->block, number);
        }
    }
    tl_key_index_destroy(&part->index);
    part->index = larger;
    return true;
}

/* The index has room for as many blocks as the pool, and stays at most half full. */
static bool reserve_entry(partition *part)
{
    return tl_pool_reserve(&part->pool, 1) &&
           (part->index.mask >= 2 * (uint64_t)part->pool.capacity - 1 || rebuild_index(part));
}

/* ---- requests ---- */

static void wait_for(tl_mshr *mshr, const partition *part, entry *target, const tl_mshr_request *request,
                     uint32_t sectors)
{
    const tl_waiter_slot slot = {request->waiter, sectors, (uint16_t)(request->address & (part->block_bytes - 1)),
                                 (uint16_t)request->bytes};
    tl_waiters_append(&mshr->chunks, &target->waiters, &slot);
}

static tl_mshr_answer refuse(partition *part, tl_mem_class mem_class)
{
    part->counters.refused_demands += mem_class == TL_MEM_DEMAND;
    part->counters.refused_prefetches += mem_class != TL_MEM_DEMAND;
    return (tl_mshr_answer){TL_MSHR_FULL, TL_POOL_NONE, 0, false};
}

static uint32_t open_entry(partition *part, uint64_t block, tl_mem_class mem_class)
{
    const uint32_t number = tl_pool_take(&part->pool);
    *entry_at(part, number) = (entry){.block = block, .mem_class = mem_class};
    tl_key_index_insert(&part->index, block, number);
    return number;
}

static tl_mshr_answer submit(tl_mshr *mshr, uint64_t now_ps, const tl_mshr_request *request, bool first_of_parked)
{
    partition *part = &mshr->partitions[request->partition];
    const uint64_t block = request->address >> part->block_shift;
    const uint32_t sectors = request_sectors(part, request);
    uint32_t number = tl_key_index_find(&part->index, block);
    const bool merges = number != TL_NO_SLOT;
    const uint32_t pending = merges ? entry_at(part, number)->pending : 0;
    const uint32_t before = entries_of(pending), after = entries_of(pending | sectors);
    const bool must_wait = after > before && part->parked.count > 0 && !first_of_parked;
    const bool demand = request->mem_class == TL_MEM_DEMAND;
    if (must_wait || !has_room(part, after - before) || (demand && !tl_waiters_reserve(&mshr->chunks)) ||
        (!merges && !reserve_entry(part))) {
        return refuse(part, request->mem_class);
    }
    if (!merges) {
        number = open_entry(part, block, request->mem_class);
    }
    entry *target = entry_at(part, number);
    const bool promoted = request->mem_class < target->mem_class;
    target->mem_class = promoted ? request->mem_class : target->mem_class;
    target->pending |= sectors;
    occupy(part, now_ps, before, after);
    if (demand) {
        wait_for(mshr, part, target, request, sectors);
    }
    part->counters.allocated += !merges;
    part->counters.merged += merges;
    part->counters.extended += merges && (sectors & ~pending) != 0;
    part->counters.promotions += promoted && demand;
    return (tl_mshr_answer){merges ? TL_MSHR_MERGED : TL_MSHR_ALLOCATED,
                            number | (request->partition == TL_MSHR_PAGES ? PAGE_ENTRY : 0), sectors & ~pending,
                            promoted};
}

tl_mshr_answer tl_mshr_submit(tl_mshr *mshr, uint64_t now_ps, const tl_mshr_request *request)
{
    return submit(mshr, now_ps, request, false);
}

tl_mshr_answer tl_mshr_resubmit(tl_mshr *mshr, uint64_t now_ps, const tl_mshr_request *request)
{
    return submit(mshr, now_ps, request, true);
}

bool tl_mshr_park(tl_mshr *mshr, const tl_mshr_request *request)
{
    assert(request->mem_class == TL_MEM_DEMAND);
    return tl_ring_push(&mshr->partitions[request->partition].parked, request);
}

bool tl_mshr_has_parked(const tl_mshr *mshr, tl_mshr_partition which)
{
    return mshr->partitions[which].parked.count != 0;
}

bool tl_mshr_unpark(tl_mshr *mshr, tl_mshr_partition which, tl_mshr_request *request)
{
    partition *part = &mshr->partitions[which];
    if (part->parked.count == 0) {
        return false;
    }
    const tl_mshr_request *oldest = tl_ring_front(&part->parked);
    const uint32_t number = tl_key_index_find(&part->index, oldest->address >> part->block_shift);
    const uint32_t pending = number == TL_NO_SLOT ? 0 : entry_at(part, number)->pending;
    const uint32_t more = entries_of(pending | request_sectors(part, oldest)) - entries_of(pending);
    if (!has_room(part, more)) {
        return false;
    }
    *request = *oldest;
    tl_ring_pop(&part->parked);
    return true;
}

/* ---- entries and completions ---- */

tl_mshr_partition tl_mshr_partition_of(uint32_t name)
{
    return (name & PAGE_ENTRY) != 0 ? TL_MSHR_PAGES : TL_MSHR_LINES;
}

tl_mem_class tl_mshr_class(const tl_mshr *mshr, uint32_t name)
{
    return entry_at(&mshr->partitions[tl_mshr_partition_of(name)], name & ~PAGE_ENTRY)->mem_class;
}

uint64_t tl_mshr_address(const tl_mshr *mshr, uint32_t name)
{
    const partition *part = &mshr->partitions[tl_mshr_partition_of(name)];
    return entry_at(part, name & ~PAGE_ENTRY)->block * part->block_bytes;
}

/* Split the waiters in those that have got all and those that still wait, each in the order of arrival. */
static tl_waiter_list take_served(tl_mshr *mshr, entry *target, uint32_t arrived)
{
    tl_waiter_list served = {0}, waiting = {0};
    tl_waiter_slot slot;
    while (tl_waiters_take(&mshr->chunks, &target->waiters, &slot)) {
        slot.awaited &= ~arrived;
        tl_waiters_append(&mshr->chunks, slot.awaited == 0 ? &served : &waiting, &slot);
    }
    target->waiters = waiting;
    return served;
}

tl_mshr_waiters tl_mshr_complete(tl_mshr *mshr, uint64_t now_ps, uint32_t name, uint32_t sectors)
{
    partition *part = partition_of(mshr, name);
    const uint32_t number = name & ~PAGE_ENTRY;
    entry *target = entry_at(part, number);
    assert(sectors != 0 && (target->pending & sectors) == sectors);
    occupy(part, now_ps, entries_of(target->pending), entries_of(target->pending & ~sectors));
    target->pending &= ~sectors;
    const uint64_t block_address = target->block * part->block_bytes;
    if (target->pending != 0) {
        return (tl_mshr_waiters){block_address, take_served(mshr, target, sectors)};
    }
    const tl_mshr_waiters served = {block_address, target->waiters};
    tl_key_index_remove(&part->index, target->block, number);
    tl_pool_give_back(&part->pool, number);
    return served;
}

bool tl_mshr_next_waiter(tl_mshr *mshr, tl_mshr_waiters *waiters, tl_mshr_waiter *waiter)
{
    tl_waiter_slot slot;
    if (!tl_waiters_take(&mshr->chunks, &waiters->list, &slot)) {
        return false;
    }
    *waiter = (tl_mshr_waiter){slot.waiter, waiters->block_address + slot.begin, slot.bytes};
    return true;
}

/* ---- hints ---- */

void tl_mshr_prefetch(const tl_mshr *mshr, tl_mshr_partition which, uint64_t address)
{
    const partition *part = &mshr->partitions[which];
    __builtin_prefetch(&part->index.table[tl_mix64(address >> part->block_shift) & part->index.mask]);
}

void tl_mshr_prefetch_entry(const tl_mshr *mshr, uint32_t name)
{
    __builtin_prefetch(entry_at(&mshr->partitions[tl_mshr_partition_of(name)], name & ~PAGE_ENTRY));
}

bool tl_mshr_first_waiter(const tl_mshr *mshr, uint32_t name, uint64_t *waiter)
{
    const entry *at = entry_at(&mshr->partitions[tl_mshr_partition_of(name)], name & ~PAGE_ENTRY);
    *waiter = at->waiters.first.waiter;
    return at->waiters.first.bytes != 0;
}
