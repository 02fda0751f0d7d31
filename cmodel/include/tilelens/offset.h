/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tile-major element offset for kernels that use neither a TMA nor a layout DSL (Eq. 1-2).
 *
 * Header only, for C11, C++, CUDA, HIP and OpenCL C. Shifts and masks replace every division; the one product,
 * column times leading stride, is the one that a column-major kernel already has. To port a kernel, replace
 *
 *     matrix[j * leading + i]   by   matrix[tl_tile_major_offset(i, j, leading, log2_a, log2_b)]
 *
 * For a row-major original i is the column and j the row: i always runs along the contiguous dimension.
 */
#ifndef TILELENS_OFFSET_H
#define TILELENS_OFFSET_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
typedef ulong tl_offset;
typedef uint tl_log2;
#else
#include <stdint.h>
typedef uint64_t tl_offset;
typedef uint32_t tl_log2;
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TL_OFFSET_FUNCTION __host__ __device__ static inline
#else
#define TL_OFFSET_FUNCTION static inline
#endif

/**
 * Offset of element (i, j) from the start of a tile-major matrix, in elements.
 *
 * @param i        index along the contiguous dimension
 * @param j        index along the other dimension
 * @param leading  leading stride in elements, a multiple of a (rows of the matrix, padding included)
 * @param log2_a   log2 of the memory tile's extent along i
 * @param log2_b   log2 of the memory tile's extent along j
 */
TL_OFFSET_FUNCTION tl_offset tl_tile_major_offset(tl_offset i, tl_offset j, tl_offset leading, tl_log2 log2_a,
                                                  tl_log2 log2_b)
{
    const tl_offset i_in_tile = i & (((tl_offset)1 << log2_a) - 1);
    const tl_offset j_in_tile = j & (((tl_offset)1 << log2_b) - 1);
    const tl_offset tile_base = (j - j_in_tile) * leading + ((i - i_in_tile) << log2_b);
    return tile_base + (j_in_tile << log2_a) + i_in_tile;
}

#endif
