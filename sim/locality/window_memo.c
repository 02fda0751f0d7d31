/* SPDX-License-Identifier: Apache-2.0 */
#include "window_memo.h"

#include <stdlib.h>
#include <string.h>

#include "lru_stack.h"

enum { SLOT_COUNT = 1 << 14, ENTRIES_MAX = SLOT_COUNT / 2, STORE_BYTES = 16 << 20 };

typedef struct entry {
    uint64_t hash;
    uint32_t shape, panel_count;
    uint8_t *sizes;
    uint32_t *repeats;
} entry;

struct tl_window_memo {
    entry slots[SLOT_COUNT]; /* open hash table; sizes is null in a free one */
    uint32_t used;
    uint64_t stored_bytes;
    tl_lru_stack stack;
};

tl_window_memo *tl_window_memo_create(unsigned ways)
{
    tl_window_memo *memo = calloc(1, sizeof *memo);
    if (memo != NULL) {
        memo->stack.ways = ways;
    }
    return memo;
}

static void forget(tl_window_memo *memo)
{
    for (unsigned n = 0; n < SLOT_COUNT && memo->used > 0; n++) {
        if (memo->slots[n].sizes != NULL) {
            free(memo->slots[n].sizes);
            free(memo->slots[n].repeats);
            memo->slots[n].sizes = NULL;
            memo->used--;
        }
    }
    memo->stored_bytes = 0;
}

void tl_window_memo_destroy(tl_window_memo *memo)
{
    if (memo != NULL) {
        forget(memo);
        free(memo);
    }
}

static uint64_t hash_sizes(const uint8_t *sizes, uint32_t count, uint32_t shape)
{
    uint64_t hash = shape * 0x9e3779b97f4a7c15u + count;
    uint32_t n = 0;
    for (; n + sizeof(uint64_t) <= count; n += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, sizes + n, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (; n < count; n++) {
        hash = (hash ^ sizes[n]) * 0x9e3779b97f4a7c15u;
    }
    return hash ^ hash >> 29;
}

/* Read the panels of the window from an empty stack; first readings do not count. */
static void count_repeats(tl_window_memo *memo, const tl_wave *wave, const uint8_t *sizes, uint32_t *repeats)
{
    tl_lru_clear(&memo->stack);
    uint32_t known = 0; /* panels are numbered in the order of first reading */
    memset(repeats, 0, wave->panel_count * sizeof *repeats);
    for (uint32_t n = 0; n < 2 * wave->cta_count; n++) {
        const uint32_t panel = wave->ctas[n];
        const bool is_first = panel == known;
        known += is_first;
        if (sizes[panel] != 0 && !tl_lru_touch(&memo->stack, panel, sizes[panel])) {
            repeats[panel] += !is_first;
        }
    }
}

const uint32_t *tl_window_memo_repeats(tl_window_memo *memo, const tl_wave *wave, const uint8_t *sizes)
{
    const uint64_t hash = hash_sizes(sizes, wave->panel_count, wave->shape);
    entry *at = &memo->slots[hash % SLOT_COUNT];
    while (at->sizes != NULL) {
        if (at->hash == hash && at->shape == wave->shape && at->panel_count == wave->panel_count &&
            memcmp(at->sizes, sizes, wave->panel_count) == 0) {
            return at->repeats;
        }
        at = at + 1 < memo->slots + SLOT_COUNT ? at + 1 : memo->slots;
    }
    if (memo->used == ENTRIES_MAX || memo->stored_bytes > STORE_BYTES) {
        forget(memo);
        at = &memo->slots[hash % SLOT_COUNT];
    }
    uint8_t *own_sizes = malloc(wave->panel_count);
    uint32_t *repeats = malloc(wave->panel_count * sizeof *repeats);
    if (own_sizes == NULL || repeats == NULL) {
        free(own_sizes);
        free(repeats);
        return NULL;
    }
    memcpy(own_sizes, sizes, wave->panel_count);
    count_repeats(memo, wave, sizes, repeats);
    *at = (entry){hash, wave->shape, wave->panel_count, own_sizes, repeats};
    memo->used++;
    memo->stored_bytes += wave->panel_count * (1 + sizeof *repeats);
    return repeats;
}
