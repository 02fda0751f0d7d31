/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One GEMM on a GPU of several chiplets: shape, layouts, schedule, placement, machine and costs, as a locality file
 * says them. What each key means is said once, in the rows of locality_keys.c.
 */
#ifndef TILELENS_LOCALITY_CONFIG_H
#define TILELENS_LOCALITY_CONFIG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_CHIPLETS_MAX = 16, TL_WAYS_MAX = 32, TL_LOCALITY_ERROR_BYTES = 2048 };

/* Choices are stored as int: the index into the names that a file may say, in this order. */
enum { TL_ROW_MAJOR, TL_COLUMN_MAJOR, TL_TILE_MAJOR_PANEL, TL_TILE_MAJOR_STEP };
enum { TL_ORDER_ROW, TL_ORDER_COLUMN, TL_ORDER_BLOCK };
enum { TL_BLOCKS_ROW, TL_BLOCKS_COLUMN };
enum { TL_DATA_INTERLEAVE, TL_DATA_ROW_SPLIT, TL_DATA_COLUMN_SPLIT, TL_DATA_OWNER };
enum { TL_CTA_ROUND_ROBIN, TL_CTA_ROW_SPLIT, TL_CTA_COLUMN_SPLIT, TL_CTA_GRID };
enum { TL_SPLIT_ELEMENT, TL_SPLIT_PAGE };
enum { TL_SET_MODULO, TL_SET_XOR };

/** C[m x n] = A[m x k] B[k x n]. */
typedef struct tl_locality_gemm {
    uint64_t m, n, k;
    uint32_t element_bytes;
} tl_locality_gemm;

/** Leading dimension 0: the extent of the contiguous index. Base 0 of B and C: after the operand before it. */
typedef struct tl_locality_layout {
    int a, b, c;
    uint64_t a_leading_dimension, b_leading_dimension, c_leading_dimension; /* elements */
    uint64_t a_base, b_base, c_base;                                        /* byte addresses */
} tl_locality_layout;

typedef struct tl_locality_tile {
    uint32_t m, n, k;
} tl_locality_tile;

typedef struct tl_locality_traversal {
    int order;
    uint32_t block_rows, block_columns; /* tiles */
    int block_order;
} tl_locality_traversal;

typedef struct tl_locality_placement {
    int data, cta;
    uint64_t page_bytes;
    int split_granularity;
} tl_locality_placement;

/** Compute units and L2 of one chiplet. */
typedef struct tl_locality_machine {
    uint32_t chiplets, compute_units, ctas_per_unit;
    uint64_t l2_bytes;
    uint32_t l2_ways, line_bytes;
    int set_index;
} tl_locality_machine;

typedef struct tl_locality_cost {
    double flop_per_s, hbm_bytes_per_s;
    double pj_per_flop, pj_per_bit_local, pj_per_bit_remote;
} tl_locality_cost;

typedef struct tl_locality_config {
    tl_locality_gemm gemm;
    tl_locality_layout layout;
    tl_locality_tile tile;
    tl_locality_traversal traversal;
    tl_locality_placement placement;
    tl_locality_machine machine;
    tl_locality_cost cost;
} tl_locality_config;

/** Every default; gemm.m, n and k, which have none, are 0. */
void tl_locality_defaults(tl_locality_config *out);

/**
 * A locality file and `KEY=VALUE` overrides, applied in order.
 * @param out  untouched on failure
 * @return 0, or 2 and one line `FILE: PATH: found ..., expected ...` in `error`
 */
int tl_locality_load(const char *path, const char *const *settings, size_t setting_count, tl_locality_config *out,
                     char *error, size_t error_bytes);

/** Set one key of a configuration, `machine.l2_ways=8`; the rules that join keys are not checked. @return 0, or 2 */
int tl_locality_set(const char *setting, tl_locality_config *config, char *error, size_t error_bytes);

/** The rules that join keys. @param file  what the line names as the file. @return 0, or 2 and one line */
int tl_locality_check(const tl_locality_config *config, const char *file, char *error, size_t error_bytes);

/** Every key with its default, meaning and range: the second half of `locality --help`. */
void tl_locality_print_keys(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
