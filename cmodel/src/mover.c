/* SPDX-License-Identifier: Apache-2.0 */
#include "tilelens/mover.h"

#include <string.h>

#include "tensor_map_internal.h"

/* Float types have 2, 4 or 8 bytes; the first entry completes the table for patterns of the caller's own. */
const tl_nan_patterns TL_NAN_DEFAULT = {{0x7F, 0x7FFF, 0x7FFFFFFF, UINT64_C(0x7FFFFFFFFFFFFFFF)}};

/** Piece of a request that stays contiguous in shared memory after swizzle. */
typedef struct run_piece {
    uint32_t offset; /* from the start of the request, bytes */
    uint32_t bytes;
    uint64_t address; /* in shared memory after swizzle, bytes */
} run_piece;

/** The byte at `address`, when `bytes` bytes from there lie inside the image; else null. */
static uint8_t *image_at(const tl_image *image, uint64_t address, uint64_t bytes)
{
    const uint64_t offset = address - image->base;
    if (address < image->base || offset > image->bytes || bytes > image->bytes - offset) {
        return NULL;
    }
    return image->data + offset;
}

/**
 * The piece at `offset`: XOR with a constant moves blocks as large as the mask's lowest bit and leaves each whole.
 * @return false at the end of the request.
 */
static bool piece_at(const tl_request *request, uint32_t offset, run_piece *out)
{
    if (offset >= request->bytes) {
        return false;
    }
    const uint32_t mask = request->swizzle_xor;
    const uint32_t block_bytes = mask & (~mask + 1);
    const uint64_t address = (uint64_t)request->dst_address + offset;
    const uint32_t left_bytes = request->bytes - offset;
    uint32_t bytes = left_bytes;
    if (block_bytes != 0) {
        const uint32_t block_left_bytes = block_bytes - (uint32_t)(address % block_bytes);
        bytes = block_left_bytes < left_bytes ? block_left_bytes : left_bytes;
    }
    *out = (run_piece){.offset = offset, .bytes = bytes, .address = address ^ mask};
    return true;
}

/** Little-endian copies of the pattern. Pieces begin at element boundaries, as blocks are no smaller than elements. */
static void write_fill(uint8_t *destination, uint32_t bytes, uint64_t pattern, uint32_t element_bytes)
{
    for (uint32_t k = 0; k < bytes; k++) {
        destination[k] = (uint8_t)(pattern >> (8 * (k % element_bytes)));
    }
}

static tl_status move_request(const tl_request *request, const tl_image *global, const tl_image *shared,
                              uint64_t pattern, uint32_t element_bytes)
{
    const uint8_t *source = request->fill ? NULL : image_at(global, request->src_address, request->bytes);
    if (!request->fill && source == NULL) {
        return TL_ERR_GLOBAL_IMAGE;
    }
    run_piece piece;
    for (uint32_t offset = 0; piece_at(request, offset, &piece); offset += piece.bytes) {
        if (image_at(shared, piece.address, piece.bytes) == NULL) {
            return TL_ERR_SHARED_IMAGE;
        }
    }
    for (uint32_t offset = 0; piece_at(request, offset, &piece); offset += piece.bytes) {
        uint8_t *destination = image_at(shared, piece.address, piece.bytes);
        if (request->fill) {
            write_fill(destination, piece.bytes, pattern, element_bytes);
        } else {
            memcpy(destination, source + piece.offset, piece.bytes);
        }
    }
    return TL_OK;
}

tl_status tl_load_execute(const tl_tensor_map *map, const tl_load *load, tl_variant variant, const tl_image *global,
                          const tl_image *shared, const tl_nan_patterns *nan, uint64_t *mbarrier_bytes)
{
    tl_status status = tl_launch_check(map, load);
    if (status != TL_OK) {
        return status;
    }
    if (global == NULL || shared == NULL) {
        return TL_ERR_NULL;
    }
    tl_tensor_params params;
    tl_tensor_map_unpack(map, &params);
    const uint32_t element_bytes = tl_element_bytes(params.data_type);
    const tl_nan_patterns *patterns = nan != NULL ? nan : &TL_NAN_DEFAULT;
    const uint64_t pattern = params.oob_fill == TL_OOB_NAN ? patterns->pattern[tl_log2(element_bytes)] : 0;

    tl_engine engine;
    status = tl_engine_start(&engine, map, load, variant);
    if (status != TL_OK) {
        return status;
    }
    uint64_t moved_bytes = 0;
    tl_request request;
    while (tl_engine_next(&engine, &request)) {
        status = move_request(&request, global, shared, pattern, element_bytes);
        if (status != TL_OK) {
            return status;
        }
        moved_bytes += request.bytes;
    }
    if (mbarrier_bytes != NULL) {
        *mbarrier_bytes = moved_bytes;
    }
    return TL_OK;
}
