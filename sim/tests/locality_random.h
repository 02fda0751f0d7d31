/* SPDX-License-Identifier: Apache-2.0 */
/* Random small locality configurations: every knob, odd and long shapes, padding, misaligned bases, tiny caches. */
#ifndef TILELENS_TESTS_LOCALITY_RANDOM_H
#define TILELENS_TESTS_LOCALITY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "gemm_operand.h"
#include "locality_config.h"

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t roll(dice *d, uint64_t sides)
{
    d->state += 0x9e3779b97f4a7c15u;
    uint64_t x = d->state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % sides;
}

static inline uint64_t between(dice *d, uint64_t low, uint64_t high)
{
    return low + roll(d, high - low + 1);
}

static inline bool chance(dice *d, unsigned percent)
{
    return roll(d, 100) < percent;
}

/* Aligned shapes: whole tiles, whole lines, leading dimensions that share powers of two with the sets. */
static inline void draw_aligned_shape(dice *d, tl_locality_config *c)
{
    c->gemm.element_bytes = 2;
    c->machine.line_bytes = 128;
    c->tile = (tl_locality_tile){64u << roll(d, 2), 64u << roll(d, 2), 16u << roll(d, 4)};
    c->gemm.m = c->tile.m * between(d, 1, 8);
    c->gemm.n = c->tile.n * between(d, 1, 8);
    c->gemm.k = (uint64_t)64 << roll(d, 4);
    if (chance(d, 30)) {
        c->gemm.k = 64 * between(d, 1, 10);
    }
}

static inline void draw_odd_shape(dice *d, tl_locality_config *c)
{
    c->gemm.element_bytes = 1u << roll(d, 4);
    c->machine.line_bytes = 16u << roll(d, 5);
    c->tile = (tl_locality_tile){(uint32_t)between(d, 1, 70), (uint32_t)between(d, 1, 70), (uint32_t)between(d, 1, 50)};
    c->gemm.m = between(d, 1, 260);
    c->gemm.n = between(d, 1, 260);
    c->gemm.k = between(d, 1, 200);
}

/* Tall, flat or deep: one extent far longer than the others, with tiles from slivers to all of it. */
static inline void draw_long_shape(dice *d, tl_locality_config *c)
{
    static const uint32_t TILES[] = {1, 16, 64, 1000, 4096, 65536};
    const uint64_t which = roll(d, 3);
    const uint64_t length = between(d, 2000, 30000);
    const uint32_t tile = TILES[roll(d, 6)];
    c->gemm.element_bytes = 1u << roll(d, 4);
    c->machine.line_bytes = 16u << roll(d, 5);
    c->gemm.m = which == 0 ? length : between(d, 1, 5);
    c->gemm.n = which == 1 ? length : between(d, 1, 5);
    c->gemm.k = which == 2 ? length : between(d, 1, 5);
    c->tile.m = which == 0 ? tile : (uint32_t)between(d, 1, 5);
    c->tile.n = which == 1 ? tile : (uint32_t)between(d, 1, 5);
    c->tile.k = which == 2 ? tile : (uint32_t)between(d, 1, 5);
}

static inline void draw_layouts(dice *d, tl_locality_config *c, bool aligned)
{
    c->layout.a = (int)roll(d, 2);
    c->layout.b = (int)roll(d, 2);
    c->layout.c = (int)roll(d, 2);
    const uint64_t unit = aligned ? c->machine.line_bytes / c->gemm.element_bytes : 1;
    if (chance(d, 35)) {
        c->layout.a_leading_dimension = (c->layout.a == TL_ROW_MAJOR ? c->gemm.k : c->gemm.m) + unit * roll(d, 40);
    }
    if (chance(d, 35)) {
        c->layout.b_leading_dimension = (c->layout.b == TL_ROW_MAJOR ? c->gemm.n : c->gemm.k) + unit * roll(d, 40);
    }
    if (chance(d, 20)) {
        c->layout.c_leading_dimension = (c->layout.c == TL_ROW_MAJOR ? c->gemm.n : c->gemm.m) + roll(d, 40);
    }
    if (chance(d, 20)) {
        c->layout.a_base = aligned ? 128 * roll(d, 5000) : roll(d, 100000);
    }
    if (chance(d, 20)) {
        c->layout.b_base = (aligned ? 128 : 1) * roll(d, 3000000);
    }
    if (chance(d, 20)) {
        c->layout.c_base = roll(d, 100000);
    }
}

static inline void draw_tile_major(dice *d, tl_locality_config *c)
{
    c->tile.m = 64 * (uint32_t)between(d, 1, 3);
    c->tile.n = 64 * (uint32_t)between(d, 1, 3);
    c->tile.k = 32 * (uint32_t)between(d, 1, 3);
    if (chance(d, 80)) {
        c->layout.a = (int)between(d, TL_TILE_MAJOR_PANEL, TL_TILE_MAJOR_STEP);
        c->layout.a_leading_dimension = 0;
    }
    if (chance(d, 80)) {
        c->layout.b = (int)between(d, TL_TILE_MAJOR_PANEL, TL_TILE_MAJOR_STEP);
        c->layout.b_leading_dimension = 0;
    }
}

static inline void draw_machine(dice *d, tl_locality_config *c)
{
    static const uint32_t CHIPLETS[] = {1, 2, 3, 4, 4, 4, 5, 7, 8, 16};
    c->machine.chiplets = CHIPLETS[roll(d, 10)];
    c->machine.compute_units = (uint32_t)between(d, 1, 12);
    c->machine.ctas_per_unit = (uint32_t)between(d, 1, 4);
    c->machine.l2_ways = chance(d, 50) ? (uint32_t)between(d, 1, 32) : 16;
    c->machine.l2_bytes = ((uint64_t)c->machine.l2_ways * c->machine.line_bytes) << roll(d, 10);
    c->machine.set_index = chance(d, 30) ? TL_SET_XOR : TL_SET_MODULO;
}

static inline void draw_schedule(dice *d, tl_locality_config *c)
{
    static const uint32_t BLOCKS[] = {1, 2, 3, 4, 8, 16, 100};
    c->traversal.order = (int)roll(d, 3);
    c->traversal.block_rows = BLOCKS[roll(d, 7)];
    c->traversal.block_columns = BLOCKS[roll(d, 7)];
    c->traversal.block_order = (int)roll(d, 2);
    c->placement.data = (int)roll(d, 3);
    c->placement.cta = (int)roll(d, 4);
    c->placement.split_granularity = chance(d, 25);
    c->placement.page_bytes = c->machine.line_bytes * (chance(d, 80) ? (uint64_t)1 << roll(d, 7) : between(d, 1, 20));
    const bool power_of_two = (c->machine.chiplets & (c->machine.chiplets - 1)) == 0;
    if (c->placement.cta == TL_CTA_GRID && !power_of_two) {
        c->placement.cta = TL_CTA_ROUND_ROBIN;
    }
    if (c->layout.a >= TL_TILE_MAJOR_PANEL && c->layout.b >= TL_TILE_MAJOR_PANEL && chance(d, 60)) {
        c->placement.data = TL_DATA_OWNER;
    }
}

/* Configuration `number` of the sequence: always the same, and one that tl_locality_check takes. */
static inline tl_locality_config random_config(uint64_t number)
{
    tl_locality_config c;
    char error[TL_LOCALITY_ERROR_BYTES];
    for (uint64_t attempt = 0;; attempt++) {
        dice d = {number * 1000003 + attempt};
        const bool aligned = chance(&d, 60);
        tl_locality_defaults(&c);
        if (aligned) {
            draw_aligned_shape(&d, &c);
        } else if (chance(&d, 75)) {
            draw_odd_shape(&d, &c);
        } else {
            draw_long_shape(&d, &c);
        }
        draw_layouts(&d, &c, aligned);
        if (chance(&d, 15)) {
            draw_tile_major(&d, &c);
        }
        draw_machine(&d, &c);
        draw_schedule(&d, &c);
        if (tl_locality_check(&c, "random", error, sizeof error) == 0) {
            return c;
        }
    }
}

#endif
