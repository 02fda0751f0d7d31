/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Data mover: run a load over byte images of global and shared memory, for tests and users.
 */
#ifndef TILELENS_MOVER_H
#define TILELENS_MOVER_H

#include <stddef.h>

#include "tilelens/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A window of memory: data[k] is the byte at address base + k. The caller owns data. */
typedef struct tl_image {
    uint64_t base;
    uint8_t *data;
    size_t bytes;
} tl_image;

/**
 * Bit pattern that a fill writes, by element size: index 0..3 for 1, 2, 4, 8 bytes. Hardware's patterns are not
 * published; TL_NAN_DEFAULT is 0x7FFF for f16/bf16, 0x7FFFFFFF for f32/tf32, 0x7FFFFFFFFFFFFFFF for f64.
 */
typedef struct tl_nan_patterns {
    uint64_t pattern[4];
} tl_nan_patterns;

extern const tl_nan_patterns TL_NAN_DEFAULT;

/**
 * Execute one load: tl_launch_check, then every request of tl_engine_* in order.
 *
 * @param nan  NaN patterns, or null for TL_NAN_DEFAULT; used when the map asks for NaN fill.
 * @param[out] mbarrier_bytes  complete_tx count, prod(n_d)*s; may be null.
 * @return TL_OK; a launch or variant refusal (shared memory untouched); TL_ERR_GLOBAL_IMAGE / TL_ERR_SHARED_IMAGE
 *         when a byte lies outside an image (earlier requests have been written).
 */
tl_status tl_load_execute(const tl_tensor_map *map, const tl_load *load, tl_variant variant, const tl_image *global,
                          const tl_image *shared, const tl_nan_patterns *nan, uint64_t *mbarrier_bytes);

#ifdef __cplusplus
}
#endif
#endif
