/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A tensor in memory, its tensor map, and the boxes in which a tile of it is loaded.
 */
#ifndef TILELENS_SIM_TENSOR_H
#define TILELENS_SIM_TENSOR_H

#include "load_source.h"
#include "tilelens/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A stack of equal matrices, one an expert. Index 0 of a pair is the contiguous dimension, 1 the other. */
typedef struct tl_tensor {
    tl_layout layout;     /* of one image */
    uint64_t address;
    uint64_t image_bytes; /* from one image to the next, padding included */
    uint32_t images;
    uint32_t tile[2];     /* what a CTA loads for one K-step, elements */
    uint32_t box[2];      /* what one TMA load moves, elements; divides the tile */
} tl_tensor;

/** Bytes of all images. */
uint64_t tl_tensor_bytes(const tl_tensor *tensor);

/**
 * Choose the box: one swizzle span (at most 128 bytes) along the contiguous dimension, at most `max_rows` and 256 along
 * the other. Boxes of a single row are not swizzled and may be 256 elements wide. layout and tile are given; tile
 * extents are powers of two.
 */
void tl_tensor_choose_box(tl_tensor *tensor, uint32_t max_rows);

/** Encode the tensor map: rank 3 with the image as dimension 2, or rank 2 for one image. */
tl_status tl_tensor_encode(const tl_tensor *tensor, tl_tensor_map *map);

/** Loads of one tile when every box is a load of its own. */
uint32_t tl_tensor_tile_boxes(const tl_tensor *tensor);

/** Shared memory of one box: whole multiples of 128 bytes, where the next may start. */
uint32_t tl_tensor_box_bytes(const tl_tensor *tensor);

/**
 * The boxes of the tile at `origin` (elements), the contiguous dimension outermost: one swizzle span after the other,
 * as the matrix unit reads them.
 * @return loads written: tl_tensor_tile_boxes(tensor)
 */
uint32_t tl_tensor_tile_loads(const tl_tensor *tensor, uint32_t map, tl_operand operand, const uint64_t origin[2],
                              uint32_t image, uint32_t shared_address, tl_tile_load *loads);

#ifdef __cplusplus
}
#endif
#endif
