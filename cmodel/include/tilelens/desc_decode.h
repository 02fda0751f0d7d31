/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stage desc_decode: 128-byte tensor map -> the fields that the later stages use, and whether this variant can
 * run the map. Mirrors rtl/tma_desc_decode.sv.
 */
#ifndef TILELENS_DESC_DECODE_H
#define TILELENS_DESC_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "tilelens/status.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Value of the RTL parameter TileMajor. */
typedef enum tl_variant { TL_BASELINE = 0, TL_PAPER = 1, TL_GENERAL = 2, TL_VARIANT_COUNT } tl_variant;

enum { TL_UNIT_BITS = 60, TL_UNIT_BYTES = 16 };

/**
 * Where j mod b and i mod a lie in the packed cursor of the general variant. Everything that is no packed cursor (plain
 * maps, the paper variant) has b = 1 here and a row that no memory-tile edge cuts, so that one text serves all.
 */
typedef struct tl_packing {
    uint32_t log2_b;
    uint64_t mask_b;         /* j mod b */
    uint64_t mask_a16;       /* i mod a, after a shift by log2_b */
    uint64_t granule;        /* both: all bits below the memory-tile number */
    uint32_t edge_units;     /* memory-tile edge, units from i mod a = 0; beyond the longest row when nothing is cut */
    uint64_t carry_units;    /* what a carry out of j mod b adds: b*KL, in place of the carry itself */
} tl_packing;

typedef struct tl_fields {
    tl_variant variant;
    uint32_t rank;                       /* 1..5 */
    uint32_t log2_s;                     /* log2 of the element size, 0..3 */
    uint32_t swizzle;                    /* tl_swizzle */
    bool tile_major;
    uint32_t log2_a16;                   /* memory tile width in units, 0..12; 0 when plain */
    uint32_t log2_b;                     /* 0..12; 0 when plain */
    uint64_t mask_a16, mask_b;           /* the low log2_a16 and log2_b bits */
    tl_packing packing;
    uint32_t row_bytes;                  /* B_0 * s, 16..2048 */
    uint32_t pitch_bytes;                /* row pitch in shared memory */
    uint64_t origin;                     /* address of coordinate 0 in linear form: units, 60 bits */
    uint32_t origin_column;              /* j0 mod b */
    uint64_t dim_minus_1[TL_MAX_RANK];   /* 32 bits */
    uint32_t step[TL_MAX_RANK];          /* E_d, 1..8; entry 0 is 1 */
    uint32_t limit[TL_MAX_RANK];         /* (n_d - 1) * E_d, 0..255; entry 0 unused, 0 */
    uint64_t stride[TL_MAX_RANK];        /* units, 36 bits: S_d, or S_d * b on the row side; entry 0 is b */
    uint32_t column_step[TL_MAX_RANK];   /* q_d mod b, 12 bits; 0 on the row side */
    uint64_t leading;                    /* KL, units, 36 bits */
    uint64_t tile_column;                /* b * KL, units, 36 bits */
    uint32_t split_dim;                  /* paper: dimension of Eq. 5's split counter, 0 = none */
} tl_fields;

/**
 * @return TL_OK, TL_ERR_MAP_INVALID, TL_ERR_TILE_MAJOR_UNSUPPORTED (baseline), TL_ERR_PAPER_ORIGIN .. COLUMN_STRIDE
 *         (paper; from the map's paper_refusal field), or a launch rule: TL_ERR_COORDINATE_ALIGN on coordinate 0,
 *         TL_ERR_SHARED_ADDRESS_ALIGN. *fields is filled in every case.
 */
tl_status tl_desc_decode(const tl_tensor_map *map, int32_t coordinate_0, uint32_t shared_address, tl_variant variant,
                         tl_fields *fields);

#ifdef __cplusplus
}
#endif
#endif
