/* SPDX-License-Identifier: Apache-2.0 */
#include "key_index.h"

#include <stdlib.h>

#include "hash.h"

bool tl_key_index_create(tl_key_index *index, uint32_t entries)
{
    uint64_t size = 4;
    while (size < 2 * (uint64_t)entries) {
        size *= 2;
    }
    index->mask = size - 1;
    index->table = malloc(size * sizeof *index->table);
    if (index->table == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < size; i++) {
        index->table[i] = (tl_key_slot){0, TL_NO_SLOT};
    }
    return true;
}

void tl_key_index_destroy(tl_key_index *index)
{
    free(index->table);
    index->table = NULL;
}

void tl_key_index_insert(tl_key_index *index, uint64_t key, uint32_t slot)
{
    uint64_t at = tl_mix64(key) & index->mask;
    while (index->table[at].slot != TL_NO_SLOT) {
        at = (at + 1) & index->mask;
    }
    index->table[at] = (tl_key_slot){key, slot};
}

uint32_t tl_key_index_find(const tl_key_index *index, uint64_t key)
{
    for (uint64_t at = tl_mix64(key) & index->mask; index->table[at].slot != TL_NO_SLOT; at = (at + 1) & index->mask) {
        if (index->table[at].key == key) {
            return index->table[at].slot;
        }
    }
    return TL_NO_SLOT;
}

void tl_key_index_remove(tl_key_index *index, uint64_t key, uint32_t slot)
{
    tl_key_slot *const table = index->table;
    uint64_t hole = tl_mix64(key) & index->mask;
    while (table[hole].key != key || table[hole].slot != slot) {
        if (table[hole].slot == TL_NO_SLOT) {
            return;
        }
        hole = (hole + 1) & index->mask;
    }
    /* Close the gap: a later key of the same run moves into the hole when its home is not behind the hole. */
    for (uint64_t at = (hole + 1) & index->mask; table[at].slot != TL_NO_SLOT; at = (at + 1) & index->mask) {
        const uint64_t home = tl_mix64(table[at].key) & index->mask;
        if (((at - home) & index->mask) >= ((at - hole) & index->mask)) {
            table[hole] = table[at];
            hole = at;
        }
    }
    table[hole].slot = TL_NO_SLOT;
}
