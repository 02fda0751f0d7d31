/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The lines of an operand's tiles, sorted into lists of entries by set.
 */
#ifndef TILELENS_SET_WALK_H
#define TILELENS_SET_WALK_H

#include "set_table.h"

/** Entries of one set, growing. */
typedef struct tl_set_list {
    tl_set_entry *entries;
    uint32_t count, capacity;
    uint32_t atom_count;
} tl_set_list;

/** Collects sets start..start+count-1. K-steps and homes are not yet renumbered. */
typedef struct tl_set_walk {
    const tl_set_table *table;
    uint32_t start, count;
    tl_set_list *lists; /* by set - start */
    uint32_t *atom_of;  /* without whole atoms: 1 + the atom of a line, by line - first line; 0: none yet */
    uint64_t first_line;
    struct tl_line_range *ranges; /* of a panel */
    uint64_t range_capacity;
    bool failed; /* too little memory */
} tl_set_walk;

/** Walk all tiles: panels ascending, steps ascending, lines in the order of reading. */
void tl_set_walk_run(tl_set_walk *walk);

/** How many sets to walk at once: few enough that the ends of their lists stay in a processor's cache. */
uint32_t tl_set_walk_width(const tl_set_table *table);

#endif
