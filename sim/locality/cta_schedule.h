/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which CTA runs where and when: the dispatch order over the tiles of C, and the chiplet of each CTA.
 */
#ifndef TILELENS_CTA_SCHEDULE_H
#define TILELENS_CTA_SCHEDULE_H

#include "locality_config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_cta_schedule {
    tl_locality_traversal traversal;
    int mapping;
    uint64_t chiplets;
    uint64_t rows, columns; /* tiles of C */
    uint64_t grid_rows, grid_columns;
    uint64_t wave; /* CTAs of one chiplet that run together */
} tl_cta_schedule;

/** A CTA computes the tile of C at row tile `i`, column tile `j`. */
typedef struct tl_cta {
    uint32_t i, j;
} tl_cta;

void tl_cta_schedule_make(const tl_locality_config *config, tl_cta_schedule *out);

/** The CTA dispatched as number `index` of rows * columns. */
tl_cta tl_cta_at(const tl_cta_schedule *schedule, uint64_t index);

unsigned tl_cta_chiplet(const tl_cta_schedule *schedule, uint64_t index, tl_cta cta);

/** Rows and columns of the grid of chiplets, a power of two: as square as can be. */
void tl_chiplet_grid(uint32_t chiplets, uint64_t *rows, uint64_t *columns);

#ifdef __cplusplus
}
#endif
#endif
