/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shared by the tensor_map_*.c files; not part of the API.
 *
 *   encode  = check + pack + derive
 *   decode  = unpack + check, then encode again and compare
 *   replace = change packed fields + derive
 */
#ifndef TILELENS_TENSOR_MAP_INTERNAL_H
#define TILELENS_TENSOR_MAP_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "tilelens/desc_decode.h"
#include "tilelens/tensor_map.h"
#include "tilelens/tensor_map_bits.h"

__extension__ typedef unsigned __int128 tl_uint128;

enum { TL_LOG2_UNIT_BYTES = 4, TL_LOG2_A16_MASK = (1 << TL_MAP_LOG2_A16_BITS) - 1 };

static inline bool tl_is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/** Floor of log2; 0 for 0. */
static inline uint32_t tl_log2(uint64_t value)
{
    uint32_t log2 = 0;
    while (value >>= 1) {
        log2++;
    }
    return log2;
}

/** log2 of the element size; 0 for packed sub-byte and unknown types, so that derived fields always exist. */
static inline uint32_t tl_log2_element_bytes(tl_data_type type)
{
    return tl_log2(tl_element_bytes(type));
}

/** Every encode rule in the order of status.h. @return the first broken one; *bad_dim as tl_tensor_map_encode_dim. */
tl_status tl_tensor_map_check(const tl_tensor_params *params, int *bad_dim);

/** Write what the caller gave; all other bits are 0. The parameters must be legal. */
void tl_tensor_map_pack(tl_tensor_map *map, const tl_tensor_params *params);

/** The inverse of pack, for any bits whatsoever; the whole of *params is written. */
void tl_tensor_map_unpack(const tl_tensor_map *map, tl_tensor_params *params);

/** Compute every derived field from the packed ones, for any bits whatsoever. */
void tl_tensor_map_derive(tl_tensor_map *map);

#endif
