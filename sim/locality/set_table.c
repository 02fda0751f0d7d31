/* SPDX-License-Identifier: Apache-2.0 */
#include "set_table.h"

#include <stdlib.h>
#include <string.h>

#include "set_walk.h"

#define NO_BODY UINT32_MAX

const tl_set_view *tl_set_table_view(const tl_set_table *table, uint32_t set)
{
    return &table->views[set % table->period - table->start];
}

unsigned tl_set_table_home(const tl_set_table *table, uint32_t set, unsigned home)
{
    if (table->home_by_set) {
        return tl_line_home(table->operand, set);
    }
    return tl_set_table_view(table, set)->home[home];
}

void tl_set_table_free(tl_set_table *table)
{
    for (uint32_t n = 0; n < table->body_count; n++) {
        free((void *)(uintptr_t)table->bodies[n].entries);
    }
    free(table->bodies);
    free(table->views);
    free(table->steps);
    table->bodies = NULL;
    table->views = NULL;
    table->steps = NULL;
    table->body_count = 0;
}

/* Mark the K-steps of a list's entries in `steps`, and turn their numbers into ranks among the marked ones. */
static void rank_steps(tl_set_list *list, uint64_t *steps, uint64_t words, uint32_t *rank_before)
{
    for (uint32_t n = 0; n < list->count; n++) {
        const uint64_t first = list->entries[n].first;
        for (uint64_t step = first; step <= first + list->entries[n].span; step++) {
            steps[step / 64] |= (uint64_t)1 << (step % 64);
        }
    }
    uint32_t rank = 0;
    for (uint64_t word = 0; word < words; word++) {
        rank_before[word] = rank;
        rank += (uint32_t)__builtin_popcountll(steps[word]);
    }
    for (uint32_t n = 0; n < list->count; n++) {
        tl_set_entry *entry = &list->entries[n];
        const uint64_t below = steps[entry->first / 64] & (((uint64_t)1 << (entry->first % 64)) - 1);
        entry->first = rank_before[entry->first / 64] + (uint32_t)__builtin_popcountll(below);
    }
}

/* Number the homes by first appearance. */
static void rank_homes(tl_set_list *list, tl_set_view *view)
{
    uint8_t number[TL_CHIPLETS_MAX];
    memset(number, 0xff, sizeof number);
    view->home_count = 0;
    for (uint32_t n = 0; n < list->count; n++) {
        const uint32_t home = list->entries[n].home;
        if (number[home] == 0xff) {
            number[home] = (uint8_t)view->home_count;
            view->home[view->home_count++] = (uint8_t)home;
        }
        list->entries[n].home = number[home];
    }
}

static uint64_t hash_words(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = bytes;
    for (size_t n = 0; n + sizeof(uint64_t) <= bytes; n += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at + n, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* Bodies found so far, in an open hash table, and what numbering needs. */
typedef struct interner {
    tl_set_table *table;
    uint32_t *slots;
    uint64_t slot_mask;
    uint32_t *rank_before;
} interner;

/* A list becomes a body, or is found equal to one, entry by entry. @return false: too little memory */
static bool intern_body(interner *in, const tl_set_list *list, uint32_t *body_number)
{
    tl_set_table *table = in->table;
    const size_t bytes = list->count * sizeof *list->entries;
    const uint64_t hash = hash_words(list->entries, bytes);
    uint64_t slot = hash & in->slot_mask;
    for (; in->slots[slot] != NO_BODY; slot = (slot + 1) & in->slot_mask) {
        const tl_set_body *body = &table->bodies[in->slots[slot]];
        if (body->hash == hash && body->entry_count == list->count &&
            (bytes == 0 || memcmp(body->entries, list->entries, bytes) == 0)) {
            *body_number = in->slots[slot];
            return true;
        }
    }
    tl_set_entry *entries = malloc(bytes + 1);
    if (entries == NULL) {
        return false;
    }
    if (bytes > 0) {
        memcpy(entries, list->entries, bytes);
    }
    in->slots[slot] = table->body_count;
    *body_number = table->body_count;
    table->bodies[table->body_count++] = (tl_set_body){entries, list->count, list->atom_count, hash};
    return true;
}

/* Walk some of the sets and intern them. */
static bool build_part(interner *in, tl_set_walk *walk)
{
    tl_set_table *table = in->table;
    for (uint32_t n = 0; n < walk->count; n++) {
        walk->lists[n].count = 0;
        walk->lists[n].atom_count = 0;
    }
    tl_set_walk_run(walk);
    bool ready = !walk->failed;
    for (uint32_t n = 0; n < walk->count && ready; n++) {
        const uint32_t set = walk->start + n - table->start;
        rank_steps(&walk->lists[n], &table->steps[set * table->step_words], table->step_words, in->rank_before);
        rank_homes(&walk->lists[n], &table->views[set]);
        ready = intern_body(in, &walk->lists[n], &table->views[set].body);
    }
    return ready;
}

static bool build_parts(tl_set_table *table, interner *in)
{
    const uint32_t width = tl_set_walk_width(table) < table->count ? tl_set_walk_width(table) : table->count;
    tl_set_walk walk = {
        .table = table, .lists = calloc(width, sizeof *walk.lists), .first_line = tl_first_line(table->operand)};
    bool ready = walk.lists != NULL;
    if (!table->whole_atoms) {
        walk.atom_of = calloc(tl_last_line(table->operand) - walk.first_line + 1, sizeof *walk.atom_of);
        ready = ready && walk.atom_of != NULL;
    }
    for (uint32_t done = 0; done < table->count && ready; done += walk.count) {
        walk.start = table->start + done;
        walk.count = (uint32_t)tl_least(width, table->count - done);
        ready = build_part(in, &walk);
    }
    for (uint32_t n = 0; n < width && walk.lists != NULL; n++) {
        free(walk.lists[n].entries);
    }
    free(walk.lists);
    free(walk.atom_of);
    free(walk.ranges);
    return ready;
}

bool tl_set_table_build(tl_set_table *table, uint32_t start, uint32_t count)
{
    tl_set_table_free(table);
    table->start = start;
    table->count = count;
    table->views = calloc(count, sizeof *table->views);
    table->bodies = calloc(count, sizeof *table->bodies);
    table->steps = calloc((size_t)count * table->step_words, sizeof *table->steps);
    interner in = {.table = table, .slot_mask = ((uint64_t)4 << tl_log2(count)) - 1};
    in.slots = malloc((in.slot_mask + 1) * sizeof *in.slots);
    in.rank_before = malloc(table->step_words * sizeof *in.rank_before);
    bool ready = table->views != NULL && table->bodies != NULL && table->steps != NULL && in.slots != NULL &&
                 in.rank_before != NULL;
    if (ready) {
        memset(in.slots, 0xff, (in.slot_mask + 1) * sizeof *in.slots); /* NO_BODY everywhere */
        ready = build_parts(table, &in);
    }
    free(in.slots);
    free(in.rank_before);
    return ready;
}
