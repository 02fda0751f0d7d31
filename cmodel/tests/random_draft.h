/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A random load under construction: what the classes of random_load.c are made of.
 */
#ifndef TILELENS_RANDOM_DRAFT_H
#define TILELENS_RANDOM_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "random_load.h"

/** What a load shall have. A class is a set of features; all else is random. */
enum feature {
    F_TILE_MAJOR = 1 << 0,   /* a tile-major map */
    F_PAPER = 1 << 1,        /* meets the predicate of the paper variant, but for the F_*_MISS below */
    F_I_MISS = 1 << 2,       /* i mod u != 0 */
    F_J_MISS = 1 << 3,       /* j mod b != 0 */
    F_V_MISS = 1 << 4,       /* v > b, v mod b != 0 */
    F_WIDE = 1 << 5,         /* u > a */
    F_ODD_ROW = 1 << 6,      /* u no power of two */
    F_VIEW = 1 << 7,         /* the view begins inside the matrix */
    F_NARROW = 1 << 8,       /* v < b */
    F_COLUMNS = 1 << 9,      /* two or more column dimensions, each with n > 1 */
    F_ROWS = 1 << 10,        /* a row-side dimension with n > 1 */
    F_NEGATIVE = 1 << 11,    /* a coordinate below 0 */
    F_BEYOND = 1 << 12,      /* the box ends beyond the tensor */
    F_OUTSIDE = 1 << 13,     /* no element in bounds */
    F_DEGENERATE = 1 << 14,  /* extents of 1, strides of 0, equal strides */
    F_STEP = 1 << 15,        /* element strides 2..8 */
    F_BIG_BOX = 1 << 16,     /* a box larger than the tensor */
    F_SWIZZLE = 1 << 17,     /* never without swizzle */
    F_NAN = 1 << 18,         /* NaN fill */
    F_EDGE_TILE = 1 << 19,   /* granularity 512 B or 64 KiB, memory tile as narrow or wide as can be */
    F_HUGE = 1 << 20,        /* extents, strides, coordinates at their maximum */
    F_PAGED = 1 << 21,       /* pages whose stride is no multiple of b columns */
    F_WRAP = 1 << 22,        /* addresses that wrap at 2^64 */
    F_MIX = 1 << 23,         /* a random set of the above */
    F_ROW_MISS = 1 << 24,    /* a row-side stride that is no multiple of u */
    F_COLUMN_MISS = 1 << 25, /* a second column dimension that steps inside memory tiles */
    F_MISS_ANY = 1 << 26     /* one condition of F_PAPER broken */
};

/** Elements where no unit is named. */
typedef struct tl_draft {
    tl_random random;
    unsigned features;
    tl_tensor_params p;
    int32_t coordinates[TL_MAX_RANK];
    uint32_t s;              /* element size, bytes */
    uint32_t unit;           /* elements in 16 bytes */
    uint32_t b;              /* of the memory tile; 1 when plain */
    uint32_t split;          /* column dimension that steps single columns; 0 none */
    uint32_t n[TL_MAX_RANK]; /* elements loaded along each dimension */
    bool column[TL_MAX_RANK];
} tl_draft;

/** Draw the tensor map's parameters. They may be illegal: a view may shear or overflow. */
void tl_draft_map(tl_draft *draft, unsigned features);

/** Draw the coordinates and the shared address of a load of this map. */
void tl_draft_load(tl_draft *draft, const tl_tensor_map *map, tl_load *load);

#endif
