/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Where the elements of A or B lie, which bytes a tile of one K-step reads, and which chiplet is the home of a line.
 *
 * Both operands are seen alike: `panels` of `tile_panel` rows of A or columns of B, cut into `steps` along K.
 */
#ifndef TILELENS_GEMM_OPERAND_H
#define TILELENS_GEMM_OPERAND_H

#include <stdbool.h>

#include "locality_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A memory tile of the tile-major layouts, elements. */
enum { TL_MEMORY_TILE_PANEL = 64, TL_MEMORY_TILE_K = 32 };

enum { TL_OPERAND_A, TL_OPERAND_B, TL_OPERANDS };

typedef struct tl_gemm_operand {
    const tl_locality_config *config;
    bool is_a;
    int layout;
    bool k_contiguous; /* row_major A, column_major B; false of the tile-major layouts */
    bool tile_major;
    uint64_t panel_extent, k_extent; /* elements */
    uint64_t tile_panel, tile_k;
    uint64_t panels, steps;
    uint64_t base, end;   /* byte addresses */
    uint64_t pitch_bytes; /* from one strided index to the next; of tile-major: one memory tile */
    unsigned line_shift;
} tl_gemm_operand;

/** A and B of a checked configuration, which must outlive them. */
void tl_gemm_operands(const tl_locality_config *config, tl_gemm_operand out[TL_OPERANDS]);

/** Base of C, and the bytes from one strided index to the next. */
void tl_gemm_output(const tl_locality_config *config, uint64_t *base, uint64_t *pitch_bytes);

/** Contiguous byte runs that one tile reads: outer * inner runs of `bytes`, inner fastest. */
typedef struct tl_tile_runs {
    uint64_t start, outer_count, outer_pitch, inner_count, inner_pitch, bytes;
} tl_tile_runs;

tl_tile_runs tl_gemm_tile(const tl_gemm_operand *operand, uint64_t panel, uint64_t step);

/** Line accesses of a panel over all its K-steps. */
uint64_t tl_gemm_panel_accesses(const tl_gemm_operand *operand, uint64_t panel);

/** The chiplet whose HBM holds a line that the operand's tiles read: the home of the line's first element. */
unsigned tl_line_home(const tl_gemm_operand *operand, uint64_t line);

/** First and last line that an operand's tiles read. */
uint64_t tl_first_line(const tl_gemm_operand *operand);
uint64_t tl_last_line(const tl_gemm_operand *operand);

/** Set of a line: modulo, or folded by XOR. `set_bits` is log2 of the sets. */
static inline uint32_t tl_line_set(uint64_t line, unsigned set_bits, int set_index)
{
    const uint64_t folded = set_index == TL_SET_XOR ? line ^ (line >> set_bits) ^ (line >> (2 * set_bits)) : line;
    return (uint32_t)(folded & (((uint64_t)1 << set_bits) - 1));
}

/** log2 of the sets of one chiplet's L2. */
unsigned tl_set_bits(const tl_locality_machine *machine);

/** floor(log2(value)), value > 0. */
static inline unsigned tl_log2(uint64_t value)
{
    unsigned bits = 0;
    while (value >>= 1) {
        bits++;
    }
    return bits;
}

static inline uint64_t tl_ceil_div(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor != 0);
}

static inline uint64_t tl_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#ifdef __cplusplus
}
#endif
#endif
