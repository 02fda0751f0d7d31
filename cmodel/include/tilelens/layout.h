/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Where a K x N matrix keeps its elements: linear (column- or row-major) and tile-major layouts.
 *
 * One struct holds both, since Eq. 2 with a 1 x 1 memory tile is the linear layout. Indices are (row, column) of
 * the matrix; `order` says which of the two runs along memory, the contiguous dimension. A row-major K x N matrix
 * is a column-major N x K one with the roles of row and column exchanged, and so is its memory tile: a always lies
 * along the contiguous dimension, b along the other.
 *
 *                           order             leading              memory_tile
 *   column-major            TL_COLUMN_MAJOR   >= K                 1, 1
 *   row-major               TL_ROW_MAJOR      >= N                 1, 1
 *   tile-major (original)   of the original   >=, multiple of a    a, b
 *
 * The functions are pure and check their arguments; matrices stay where the caller keeps them. Ranges: K and N
 * 1..2^32; element size 1, 2, 4, 8; leading at least the extent of the contiguous dimension; the whole image below
 * 2^63 bytes. A tile-major layout keeps rule 1 of the tensor map (docs/02-tensor-map.md): a and b powers of two,
 * a*s >= 16, a*b*s 512 B..64 KiB, leading a multiple of a, leading * s below 2^40.
 */
#ifndef TILELENS_LAYOUT_H
#define TILELENS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "tilelens/load.h"
#include "tilelens/status.h"
#include "tilelens/tensor_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which index runs along memory: the row index (a column is contiguous) or the column index (a row is). */
typedef enum tl_order { TL_COLUMN_MAJOR = 0, TL_ROW_MAJOR = 1 } tl_order;

typedef struct tl_layout {
    uint64_t rows;           /* K */
    uint64_t columns;        /* N */
    uint64_t leading;        /* KL: elements from one column to the next (row-major: from one row to the next) */
    uint32_t memory_tile[2]; /* a, b; 1, 1 when linear */
    uint32_t element_bytes;  /* s */
    tl_order order;
} tl_layout;

/** A column-major or row-major layout without padding. Not checked; change leading to pad. */
tl_layout tl_layout_linear(tl_order order, uint64_t rows, uint64_t columns, uint32_t element_bytes);

/** The same matrix tile-major: leading is rounded up to a multiple of a. Not checked. */
tl_layout tl_layout_tile_major(tl_order order, uint64_t rows, uint64_t columns, uint32_t element_bytes,
                               uint32_t a, uint32_t b);

/** @return TL_OK; TL_ERR_NULL; TL_ERR_LAYOUT, or the part of rule 1 (TL_ERR_TILE_SHAPE...) that is broken. */
tl_status tl_layout_check(const tl_layout *layout);

/** Bytes of the whole image: leading times the other extent, the latter rounded up to b. 0 for an illegal layout. */
uint64_t tl_layout_bytes(const tl_layout *layout);

/**
 * Eq. 1-2: offset of element (row, column) from the start of the image, in elements.
 * @return TL_OK; the status of tl_layout_check; TL_ERR_LAYOUT when the matrix has no such element.
 */
tl_status tl_layout_offset(const tl_layout *layout, uint64_t row, uint64_t column, uint64_t *offset);

/** The inverse. @return as tl_layout_offset; TL_ERR_LAYOUT when the offset lies in padding or beyond the image. */
tl_status tl_layout_index(const tl_layout *layout, uint64_t offset, uint64_t *row, uint64_t *column);

/** Eq. 3: a tile-major matrix as a four-dimensional linear tensor, in elements. */
typedef struct tl_tile_view {
    uint64_t shape[4];  /* a, b, KL/a, ceil(N/b) */
    uint64_t stride[4]; /* 1, a, a*b, KL*b */
} tl_tile_view;

/** @return TL_OK; the status of tl_layout_check; TL_ERR_VIEW for a linear layout. */
tl_status tl_layout_tile_view(const tl_layout *layout, tl_tile_view *view);

/**
 * The layout in CuTe notation, mode 0 = row, mode 1 = column: ((a,KL/a),(b,N/b)):((1,ab),(a,KLb)), as in
 * ((64,64),(32,48)):((1,2048),(64,131072)); row-major originals have the two modes exchanged; linear layouts give
 * (K,N):(1,KL) or (K,N):(KL,1). Padding columns count: N/b is rounded up.
 *
 * @param[out] text  receives at most `size` bytes including the terminating 0; 128 bytes hold every layout
 * @return TL_OK; the status of tl_layout_check; TL_ERR_LAYOUT when the text does not fit.
 */
tl_status tl_layout_cute(const tl_layout *layout, char *text, size_t size);

/**
 * The two-dimensional load of a box of a matrix: dimension 0 is the contiguous one. Fills in everything but
 * swizzle, L2 promotion and fill, which start as none; the caller may change them, and encodes the map.
 *
 * @param address  of the matrix, bytes
 * @param box      rows and columns of the box
 * @param origin   row and column of its first element; may be negative or beyond the matrix
 * @return TL_OK; the status of tl_layout_check; TL_ERR_DATA_TYPE when the type's size is not the layout's.
 */
tl_status tl_layout_load(const tl_layout *layout, tl_data_type data_type, uint64_t address, const uint32_t box[2],
                         const int32_t origin[2], tl_tensor_params *params, tl_load *load);

/**
 * The Eq. 3 view of a tile-major load (TileLens-SW): a plain tensor map, box and coordinates that move the same
 * bytes to the same places. Dimensions are ordered (a, K/a, b, N/b) with strides (1, ab, a, KLb).
 *
 * The view exists under these conditions, with u x v the box and (c_0, c_1) its coordinates:
 *   - a tile-major map of rank 2 whose dimension 1 has the leading stride and element stride 1;
 *   - the view starts on a memory tile of the matrix, and its extents are multiples of a and b;
 *   - the box stays inside one memory tile along a dimension (c_0 mod a + u <= a; c_1 mod b + v <= b), or covers
 *     whole ones (c_0 and u multiples of a; c_1 and v multiples of b);
 *   - u <= a, or no swizzle: a swizzled box row cannot be wider than the memory tile.
 *
 * @return TL_OK; the encode rule that the map breaks; TL_ERR_VIEW when the view does not exist.
 */
tl_status tl_tile_view_load(const tl_tensor_params *params, const tl_load *load, tl_tensor_params *view_params,
                            tl_load *view_load);

/**
 * A default memory tile for a kernel: the a x b of `granularity_bytes` that lies inside the compute tile
 * (compute_tile[0] along the contiguous dimension) with a*s as near to 128 bytes as possible, the width of a cache
 * line and of the widest swizzle span. Where none lies inside, the flattest one that divides compute_tile[0].
 *
 * @return TL_OK; TL_ERR_TILE_GRANULARITY; TL_ERR_LAYOUT: element size, or an empty compute tile;
 *         TL_ERR_TILE_ROW_BYTES: compute_tile[0] * s is no multiple of 16 bytes.
 */
tl_status tl_default_memory_tile(uint32_t element_bytes, uint32_t granularity_bytes, const uint32_t compute_tile[2],
                                 uint32_t memory_tile[2]);

/**
 * Pack: copy a whole matrix from a linear layout to a tile-major one; padding is written as zero. Both layouts may
 * have either order; where the orders differ, packing transposes. The images must not overlap.
 *
 * @param linear, linear_image  source, tl_layout_bytes(linear) bytes
 * @param tiled, tiled_image    destination, tl_layout_bytes(tiled) bytes
 * @return TL_OK; the status of tl_layout_check; TL_ERR_LAYOUT when the matrices differ in shape or element size, the
 *         first layout is not linear, or the second not tile-major.
 */
tl_status tl_pack(const tl_layout *linear, const void *linear_image, const tl_layout *tiled, void *tiled_image);

/** The inverse: tile-major to linear. Padding of the linear image is left untouched. */
tl_status tl_unpack(const tl_layout *tiled, const void *tiled_image, const tl_layout *linear, void *linear_image);

#ifdef __cplusplus
}
#endif
#endif
