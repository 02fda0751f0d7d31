/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a locality file. */
#include "locality_key.h"

#include <stdio.h>
#include <string.h>

static const char *const layouts[] = {"row_major", "column_major", "tile_major_panel", "tile_major_step"};
static const char *const orders[] = {"row", "column", "block"};
static const char *const block_orders[] = {"row", "column"};
static const char *const data_placements[] = {"interleave", "row_split", "column_split", "owner"};
static const char *const cta_mappings[] = {"round_robin", "row_split", "column_split", "grid"};
static const char *const granularities[] = {"element", "page"};
static const char *const set_indices[] = {"modulo", "xor"};

const tl_locality_group tl_locality_groups[TL_LOCALITY_GROUP_COUNT] = {
    {"gemm", false},     {"layout", false}, {"tile", false}, {"traversal", false},
    {"placement", true}, {"machine", true}, {"cost", true},
};

/* The type of the member decides what a number is stored in. */
#define MEMBER(group_, name_) (((tl_locality_config *)NULL)->group_.name_)
#define WHOLE(group_, name_, low_, high_, fallback_, meaning_)                                                         \
    {                                                                                                                  \
        .group = #group_, .name = #name_,                                                                              \
        .type = _Generic(MEMBER(group_, name_), uint32_t                                                               \
                         : TL_LOCALITY_U32, uint64_t                                                                   \
                         : TL_LOCALITY_U64),                                                                           \
        .offset = offsetof(tl_locality_config, group_.name_), .low = (low_), .high = (high_), .fallback = (fallback_), \
        .meaning = (meaning_)                                                                                          \
    }
#define REAL(group_, name_, fallback_, meaning_)                                                                       \
    {                                                                                                                  \
        .group = #group_, .name = #name_, .type = TL_LOCALITY_REAL,                                                    \
        .offset = offsetof(tl_locality_config, group_.name_), .fallback = (fallback_), .meaning = (meaning_)           \
    }
#define CHOICE(group_, name_, names, fallback_, meaning_)                                                              \
    {                                                                                                                  \
        .group = #group_, .name = #name_, .type = TL_LOCALITY_CHOICE,                                                  \
        .offset = offsetof(tl_locality_config, group_.name_), .choices = (names),                                      \
        .choice_count = sizeof(names) / sizeof(names)[0], .fallback = (fallback_), .meaning = (meaning_)               \
    }

#define EXTENT_MAX  ((uint64_t)1 << 32)
#define LEADING_MAX ((uint64_t)1 << 40)
#define BASE_MAX    ((uint64_t)1 << 48)

const tl_locality_key tl_locality_keys[TL_LOCALITY_KEY_COUNT] = {
    WHOLE(gemm, m, 1, EXTENT_MAX, NULL, "rows of A and C"),
    WHOLE(gemm, n, 1, EXTENT_MAX, NULL, "columns of B and C"),
    WHOLE(gemm, k, 1, EXTENT_MAX, NULL, "columns of A, rows of B"),
    WHOLE(gemm, element_bytes, 1, 8, "2", "bytes of an element: 1, 2, 4 or 8"),
    CHOICE(layout, a, layouts, "row_major",
           "how A lies in memory; tile_major: 64 x 32 elements together, consecutive "
           "along K (panel) or along M (step)"),
    CHOICE(layout, b, layouts, "column_major", "how B lies in memory"),
    CHOICE(layout, c, layouts, "column_major", "how C lies in memory: row_major or column_major"),
    WHOLE(layout, a_leading_dimension, 0, LEADING_MAX, "0",
          "elements from one row (row_major) or column to the next; "
          "0: no padding"),
    WHOLE(layout, b_leading_dimension, 0, LEADING_MAX, "0", "the same of B"),
    WHOLE(layout, c_leading_dimension, 0, LEADING_MAX, "0", "the same of C"),
    WHOLE(layout, a_base, 0, BASE_MAX, "0", "byte address of A"),
    WHOLE(layout, b_base, 0, BASE_MAX, "0", "byte address of B; 0: the next 2 MiB boundary after A"),
    WHOLE(layout, c_base, 0, BASE_MAX, "0", "byte address of C; 0: the next 2 MiB boundary after B"),
    WHOLE(tile, m, 1, 65536, "128", "rows of the C tile of one CTA"),
    WHOLE(tile, n, 1, 65536, "128", "columns of the C tile"),
    WHOLE(tile, k, 1, 65536, "32", "elements along K of one step"),
    CHOICE(traversal, order, orders, "row", "order in which CTAs are dispatched over the tiles of C"),
    WHOLE(traversal, block_rows, 1, EXTENT_MAX - 1, "8", "order block: rows of tiles in a block"),
    WHOLE(traversal, block_columns, 1, EXTENT_MAX - 1, "1", "order block: columns of tiles in a block"),
    CHOICE(traversal, block_order, block_orders, "row", "order block: blocks along rows or along columns first"),
    CHOICE(placement, data, data_placements, "interleave",
           "home of A and B: pages in turn; each row divided; each column divided; or at the chiplet that reads most"),
    CHOICE(placement, cta, cta_mappings, "round_robin",
           "chiplet of a CTA, and with it the home of C (round_robin: C in pages in turn)"),
    WHOLE(placement, page_bytes, 1, (uint64_t)1 << 40, "4096", "bytes of a page"),
    CHOICE(placement, split_granularity, granularities, "element",
           "row_split, column_split: divided to the element, or a page goes where its first element belongs"),
    WHOLE(machine, chiplets, 1, TL_CHIPLETS_MAX, "4", "chiplets, each with its HBM"),
    WHOLE(machine, compute_units, 1, 4096, "76", "compute units of a chiplet"),
    WHOLE(machine, ctas_per_unit, 1, 64, "2", "CTAs that one compute unit holds"),
    WHOLE(machine, l2_bytes, 1, (uint64_t)1 << 36, "8388608", "L2 of a chiplet"),
    WHOLE(machine, l2_ways, 1, TL_WAYS_MAX, "16", "ways of a set"),
    WHOLE(machine, line_bytes, 16, 4096, "128", "bytes of a line, a power of two"),
    CHOICE(machine, set_index, set_indices, "modulo", "set of a line: its number modulo the sets, or folded by xor"),
    REAL(cost, flop_per_s, "1307.4e12", "peak arithmetic of the package"),
    REAL(cost, hbm_bytes_per_s, "5.3e12", "peak HBM bandwidth of the package"),
    REAL(cost, pj_per_flop, "0.3", "energy of an operation"),
    REAL(cost, pj_per_bit_local, "3.5", "energy of a bit from the chiplet's own HBM"),
    REAL(cost, pj_per_bit_remote, "4.9", "energy of a bit from another chiplet's HBM, all included"),
};

void tl_locality_key_path(const tl_locality_key *key, char path[TL_LOCALITY_PATH_BYTES])
{
    (void)snprintf(path, TL_LOCALITY_PATH_BYTES, "%s.%s", key->group, key->name);
}

const tl_locality_key *tl_locality_key_find(const char *path)
{
    for (unsigned n = 0; n < TL_LOCALITY_KEY_COUNT; n++) {
        char found[TL_LOCALITY_PATH_BYTES];
        tl_locality_key_path(&tl_locality_keys[n], found);
        if (strcmp(found, path) == 0) {
            return &tl_locality_keys[n];
        }
    }
    return NULL;
}

void tl_locality_print_keys(FILE *file)
{
    for (unsigned n = 0; n < TL_LOCALITY_KEY_COUNT; n++) {
        const tl_locality_key *key = &tl_locality_keys[n];
        char path[TL_LOCALITY_PATH_BYTES];
        char expected[256];
        tl_locality_key_path(key, path);
        tl_locality_value_expected(key, expected, sizeof expected);
        (void)fprintf(file, "  %s (%s%s): %s; %s\n", path, key->fallback == NULL ? "no default" : "default ",
                      key->fallback == NULL ? "" : key->fallback, key->meaning, expected);
    }
}
