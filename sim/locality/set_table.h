/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What each set of the L2 sees of one operand.
 *
 * The lines of a set that are always read together, in one piece, are an atom: they hit or miss together. A set's
 * entries say which panel reads which atom in which K-steps, in the order of reading. Sets with equal entries, after
 * K-steps, atoms and homes are numbered by first appearance, share a body.
 *
 * Where the addresses repeat, a set s looks like s mod `period`, and only `period` sets are built.
 */
#ifndef TILELENS_SET_TABLE_H
#define TILELENS_SET_TABLE_H

#include "gemm_operand.h"

/** A panel reads an atom in `span` + 1 consecutive K-steps from `first` on, counted among those that touch the set. */
typedef struct tl_set_entry {
    uint32_t panel, first;
    uint32_t value; /* whole atoms: the lines of the atom, which is the entry's own; else which atom, of one line */
    uint16_t span;
    uint16_t home; /* of the atom, as numbered in the set */
} tl_set_entry;

typedef struct tl_set_body {
    const tl_set_entry *entries;
    uint32_t entry_count, atom_count;
    uint64_t hash;
} tl_set_body;

typedef struct tl_set_view {
    uint32_t body;
    uint32_t home_count;
    uint8_t home[TL_CHIPLETS_MAX]; /* chiplet of a home, as numbered in the set */
} tl_set_view;

typedef struct tl_set_table {
    const tl_gemm_operand *operand;
    uint32_t sets, period;
    bool whole_atoms;      /* every entry has an atom of its own */
    bool home_by_set;      /* pages in turn, and all lines of a set in pages of one home */
    uint32_t start, count; /* sets built: start..start+count-1 */
    tl_set_view *views;    /* by set - start */
    tl_set_body *bodies;
    uint32_t body_count;
    uint64_t *steps; /* K-steps that touch a set, a bit each: step_words words a set */
    uint64_t step_words;
} tl_set_table;

/** Facts that need no table: the period, and whether atoms are whole. */
void tl_set_table_init(const tl_gemm_operand *operand, tl_set_table *out);

/** About how many entries one set has. */
uint64_t tl_set_table_weight(const tl_set_table *table);

/** Build sets start..start+count-1 in place of those before. @return false: too little memory */
bool tl_set_table_build(tl_set_table *table, uint32_t start, uint32_t count);

void tl_set_table_free(tl_set_table *table);

/** What set `set` of the L2 sees. */
const tl_set_view *tl_set_table_view(const tl_set_table *table, uint32_t set);

/** The chiplet of home `home` of a set: of the set itself, not of the one it looks like. */
unsigned tl_set_table_home(const tl_set_table *table, uint32_t set, unsigned home);

#endif
