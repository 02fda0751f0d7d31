/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The 128-byte tensor map: encode, decode, field-by-field replace.
 *
 * Parameters carry the names and rules of cuTensorMapEncodeTiled; the two TileLens fields (leading stride,
 * memory tile) and the matrix address come on top. The bits are laid out in docs/02-tensor-map.md and in
 * tensor_map_bits.h; rtl/tma_pkg.sv holds the same offsets.
 *
 * All functions are pure: no allocation, no globals, callable from any thread.
 */
#ifndef TILELENS_TENSOR_MAP_H
#define TILELENS_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tilelens/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TL_MAX_RANK = 5, TL_TENSOR_MAP_WORDS = 16 };

/** Values of CUtensorMapDataType. */
typedef enum tl_data_type {
    TL_UINT8 = 0, TL_UINT16, TL_UINT32, TL_INT32, TL_UINT64, TL_INT64, TL_FLOAT16, TL_FLOAT32, TL_FLOAT64,
    TL_BFLOAT16, TL_FLOAT32_FTZ, TL_TFLOAT32, TL_TFLOAT32_FTZ,
    TL_16U4_ALIGN8B, TL_16U4_ALIGN16B, TL_16U6_ALIGN16B, /* refused by name */
    TL_DATA_TYPE_COUNT
} tl_data_type;

/** Values of CUtensorMapInterleave. 16B and 32B are refused by name. */
typedef enum tl_interleave { TL_INTERLEAVE_NONE = 0, TL_INTERLEAVE_16B, TL_INTERLEAVE_32B, TL_INTERLEAVE_COUNT } tl_interleave;

/** Values of CUtensorMapSwizzle. */
typedef enum tl_swizzle {
    TL_SWIZZLE_NONE = 0, TL_SWIZZLE_32B, TL_SWIZZLE_64B, TL_SWIZZLE_128B,
    TL_SWIZZLE_128B_ATOM_32B, TL_SWIZZLE_128B_ATOM_32B_FLIP_8B, TL_SWIZZLE_128B_ATOM_64B,
    TL_SWIZZLE_COUNT
} tl_swizzle;

/** Values of CUtensorMapL2promotion. A hint: no effect on addresses. */
typedef enum tl_l2_promotion { TL_L2_NONE = 0, TL_L2_64B, TL_L2_128B, TL_L2_256B, TL_L2_PROMOTION_COUNT } tl_l2_promotion;

/** Values of CUtensorMapFloatOOBfill: zeros, or NaN. */
typedef enum tl_oob_fill { TL_OOB_ZERO = 0, TL_OOB_NAN, TL_OOB_FILL_COUNT } tl_oob_fill;

/** The tile-major fields. Rules: design rules 1-5, docs/02-tensor-map.md. */
typedef struct tl_tile_major {
    uint64_t leading_stride_bytes; /* bytes from one matrix column to the next; multiple of 16 and of a*s, < 2^40 */
    uint32_t memory_tile[2];       /* a (along the contiguous dimension), b; elements, powers of two */
    uint64_t matrix_address;       /* where the matrix starts; multiple of a*b*s, <= global_address */
} tl_tile_major;

/** Everything a tensor map holds, unpacked. Entries at and above rank are 0 after decode and ignored by encode. */
typedef struct tl_tensor_params {
    tl_data_type data_type;
    uint32_t rank;                             /* 1..5 */
    uint64_t global_address;                   /* bytes */
    uint64_t global_dim[TL_MAX_RANK];          /* elements, 1..2^32 */
    uint64_t global_strides[TL_MAX_RANK - 1];  /* bytes, dimensions 1..rank-1 */
    uint32_t box_dim[TL_MAX_RANK];             /* elements, 1..256 */
    uint32_t element_strides[TL_MAX_RANK];     /* 1..8; entry 0 has no effect */
    tl_interleave interleave;
    tl_swizzle swizzle;
    tl_l2_promotion l2_promotion;
    tl_oob_fill oob_fill;
    bool has_tile_major;
    tl_tile_major tile_major;                  /* meaningful when has_tile_major */
} tl_tensor_params;

/** An opaque value object, copied freely; 64-byte alignment matters only to hardware that fetches it. */
typedef struct tl_tensor_map {
    uint64_t word[TL_TENSOR_MAP_WORDS];
} tl_tensor_map;

/** Bytes of one element: 1, 2, 4 or 8; 0 for packed sub-byte and unknown types. */
uint32_t tl_element_bytes(tl_data_type type);

/** Swizzle span in bytes: 32, 64 or 128; 0 without swizzle. */
uint32_t tl_swizzle_span_bytes(tl_swizzle swizzle);

/** Elements loaded along one dimension, n_d = ceil(box_dim / element_stride); dimension 0 has stride 1. */
uint32_t tl_box_count(const tl_tensor_params *params, uint32_t dim);

/**
 * Check every encode rule in the order of status.h and build the map.
 * @return TL_OK, or the first broken rule; then *map is left untouched.
 */
tl_status tl_tensor_map_encode(tl_tensor_map *map, const tl_tensor_params *params);

/** As tl_tensor_map_encode; *bad_dim is the dimension of the broken rule, or -1 where it concerns none. */
tl_status tl_tensor_map_encode_dim(tl_tensor_map *map, const tl_tensor_params *params, int *bad_dim);

/**
 * cuTensorMapEncodeTiled, argument by argument; tileMajor is null for a plain map.
 * globalStrides has tensorRank-1 entries, the other arrays tensorRank.
 */
tl_status tl_tensor_map_encode_tiled(tl_tensor_map *tensorMap, tl_data_type tensorDataType, uint32_t tensorRank,
                                     uint64_t globalAddress, const uint64_t *globalDim, const uint64_t *globalStrides,
                                     const uint32_t *boxDim, const uint32_t *elementStrides,
                                     tl_interleave interleave, tl_swizzle swizzle, tl_l2_promotion l2Promotion,
                                     tl_oob_fill oobFill, const tl_tile_major *tileMajor);

/**
 * Unpack a map and check it whole: every encode rule, every derived field, every reserved bit.
 * @return TL_OK; TL_ERR_MAP_INVALID when the bits are no map that encode could have made; or the broken rule.
 */
tl_status tl_tensor_map_decode(const tl_tensor_map *map, tl_tensor_params *params);

/** Fields of `tensormap.replace`, and TileLens' own. `dim` counts from 0 (global_stride: dimension 1 is dim 0). */
typedef enum tl_map_field {
    TL_FIELD_GLOBAL_ADDRESS = 0, TL_FIELD_RANK /* value: rank - 1 */, TL_FIELD_BOX_DIM, TL_FIELD_GLOBAL_DIM,
    TL_FIELD_GLOBAL_STRIDE /* bytes */, TL_FIELD_ELEMENT_STRIDE,
    TL_FIELD_ELEMENT_TYPE /* PTX codes: 8 f32.ftz, 9 f64, 10 bf16, 11 tf32, 12 tf32.ftz; others as tl_data_type */,
    TL_FIELD_INTERLEAVE, TL_FIELD_SWIZZLE_MODE /* 0 none 1 32B 2 64B 3 128B */,
    TL_FIELD_SWIZZLE_ATOMICITY /* 0 16B, 1 32B, 2 32B+8B flip, 3 64B; of 128B */, TL_FIELD_FILL_MODE,
    TL_FIELD_LEADING_STRIDE /* bytes */, TL_FIELD_MEMORY_TILE /* dim 0: a, dim 1: b */, TL_FIELD_MATRIX_ADDRESS,
    TL_FIELD_COUNT
} tl_map_field;

/**
 * Replace one field and every derived field that depends on it, as `tensormap.replace` does: rules are not
 * checked here, since a map passes through illegal states between two replaces; the launch check
 * (tl_launch_check, load.h) refuses a map that broke a rule.
 *
 * Fields may be replaced in any order, and a legal end state equals a fresh encode of the same parameters, but:
 *   - Swizzle mode before swizzle atomicity: only mode 128B has an atomicity; leaving that mode sets it to 16B.
 *   - A lower rank clears the dimensions that it drops. Dimensions beyond the rank may be filled in before it grows.
 *   - Leading stride 0 makes the map plain and clears memory tile and matrix address. These two may be given before
 *     the leading stride; until then the map is refused. A tile-major map that never got them has matrix address 0
 *     and the memory tile (65536, 1), which is column-major.
 *   - A memory tile is kept in elements when the element type changes; a is 2..65536, b is 1..32768.
 *
 * @return TL_OK, TL_ERR_FIELD (no such field or dimension, value not representable; map untouched), TL_ERR_NULL.
 */
tl_status tl_tensor_map_replace(tl_tensor_map *map, tl_map_field field, uint32_t dim, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
