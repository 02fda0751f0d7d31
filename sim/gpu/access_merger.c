/* SPDX-License-Identifier: Apache-2.0 */
/* Row pieces to pages, or to requests of whole sectors. */
#include "access_merger.h"

#include <stdlib.h>
#include <string.h>

#define NO_ACCESS UINT32_MAX

bool tl_access_merger_init(tl_access_merger *merger, uint32_t unit_bytes, bool whole_units, uint32_t capacity)
{
    *merger = (tl_access_merger){.capacity = capacity, .whole_units = whole_units, .generation = 1, .log2_slots = 1};
    while ((uint32_t)1 << merger->log2_unit < unit_bytes)
        merger->log2_unit++;
    while ((uint64_t)1 << merger->log2_slots < (uint64_t)2 * capacity)
        merger->log2_slots++;
    merger->accesses = malloc(((size_t)capacity + 1) * sizeof *merger->accesses);
    merger->slots = calloc((size_t)1 << merger->log2_slots, sizeof *merger->slots);
    if (merger->accesses != NULL && merger->slots != NULL)
        return true;
    tl_access_merger_free(merger);
    return false;
}

void tl_access_merger_free(tl_access_merger *merger)
{
    free(merger->accesses);
    free(merger->slots);
    *merger = (tl_access_merger){0};
}

void tl_access_merger_reset(tl_access_merger *merger)
{
    merger->count = 0;
    merger->last = 0;
    if (++merger->generation == 0) { /* wrapped: slots of 2^32 tiles ago would look new */
        memset(merger->slots, 0, ((size_t)1 << merger->log2_slots) * sizeof *merger->slots);
        merger->generation = 1;
    }
}

static uint64_t unit_of(const tl_access_merger *merger, uint64_t address)
{
    return address >> merger->log2_unit;
}

/* Fibonacci hashing: tiles stride through memory in powers of two, which low bits alone would not spread. */
static tl_merger_slot *find_slot(const tl_access_merger *merger, uint64_t unit)
{
    const size_t mask = ((size_t)1 << merger->log2_slots) - 1;
    size_t at = (size_t)(unit * UINT64_C(0x9E3779B97F4A7C15) >> (64 - merger->log2_slots));
    while (merger->slots[at].generation == merger->generation &&
           unit_of(merger, merger->accesses[merger->slots[at].index].address) != unit)
        at = (at + 1) & mask;
    return &merger->slots[at];
}

/* Rows step through units in order, and the next box steps through the same ones: look there before the table. */
static uint32_t find_access(tl_access_merger *merger, uint64_t unit)
{
    for (uint32_t guess = merger->last; guess < merger->count && guess <= merger->last + 1; guess++)
        if (unit_of(merger, merger->accesses[guess].address) == unit)
            return guess;
    const tl_merger_slot *slot = find_slot(merger, unit);
    return slot->generation == merger->generation ? slot->index : NO_ACCESS;
}

static uint32_t new_access(tl_access_merger *merger, uint64_t unit, tl_tile_access access)
{
    const uint32_t index = merger->count++;
    merger->accesses[index] = access;
    *find_slot(merger, unit) = (tl_merger_slot){merger->generation, index};
    return index;
}

static bool extend(tl_tile_access *access, uint64_t low, uint64_t high)
{
    const uint64_t end = access->address + access->bytes;
    if (low > end || high < access->address)
        return false;
    const uint64_t new_low = low < access->address ? low : access->address;
    access->bytes = (uint32_t)((high > end ? high : end) - new_low);
    access->address = new_low;
    return true;
}

/* A piece inside one unit. */
static void add_piece(tl_access_merger *merger, uint64_t address, uint32_t bytes)
{
    const uint64_t unit = unit_of(merger, address);
    const uint64_t grain = merger->whole_units ? (uint64_t)1 << merger->log2_unit : TL_SECTOR_BYTES;
    const uint64_t low = address & ~(grain - 1);
    const uint64_t high = (address + bytes + grain - 1) & ~(grain - 1);
    uint32_t index = find_access(merger, unit);

    if (index != NO_ACCESS && extend(&merger->accesses[index], low, high))
        merger->accesses[index].useful_bytes += bytes;
    else
        index = new_access(merger, unit, (tl_tile_access){low, (uint32_t)(high - low), bytes});
    merger->last = index;
}

void tl_access_merger_add(tl_access_merger *merger, uint64_t address, uint32_t bytes)
{
    const uint64_t unit_bytes = (uint64_t)1 << merger->log2_unit;
    while (bytes != 0) {
        const uint64_t to_edge = unit_bytes - (address & (unit_bytes - 1));
        const uint32_t piece = to_edge < bytes ? (uint32_t)to_edge : bytes;
        add_piece(merger, address, piece);
        address += piece;
        bytes -= piece;
    }
}
