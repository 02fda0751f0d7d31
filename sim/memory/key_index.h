/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash index from a 64-bit key (tag, page number) to a slot number: open addressing, at most half full, deletion
 * without tombstones. The same key may be inserted with several slots.
 */
#ifndef TL_SIM_MEMORY_KEY_INDEX_H
#define TL_SIM_MEMORY_KEY_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#define TL_NO_SLOT UINT32_MAX

typedef struct tl_key_slot {
    uint64_t key;
    uint32_t slot; /* TL_NO_SLOT: empty */
} tl_key_slot;

typedef struct tl_key_index {
    tl_key_slot *table;
    uint64_t mask;
} tl_key_index;

/* Room for `entries` keys; false when memory is short. */
bool tl_key_index_create(tl_key_index *index, uint32_t entries);
void tl_key_index_destroy(tl_key_index *index);
void tl_key_index_insert(tl_key_index *index, uint64_t key, uint32_t slot);
uint32_t tl_key_index_find(const tl_key_index *index, uint64_t key); /* TL_NO_SLOT: absent */
void tl_key_index_remove(tl_key_index *index, uint64_t key, uint32_t slot);

#endif
