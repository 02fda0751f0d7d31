/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From a tile to its memory accesses: every TMA load of the tile runs through the engine of the golden model
 * (tl_engine_start, tl_engine_next), and the requests are merged. No address is computed anywhere else. Tiles that the
 * engine starts in a state it has started in before reuse the requests that followed (tile_patterns.h).
 */
#ifndef TILELENS_SIM_TILE_LOADS_H
#define TILELENS_SIM_TILE_LOADS_H

#include "access_merger.h"
#include "input_error.h"
#include "load_source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_tile_loads_config {
    uint32_t page_bytes;    /* of the memory that holds the weights; 0: it is read in requests like activations */
    uint32_t request_bytes; /* longest request to memory without pages: 64..1024 */
    bool step_every_request; /* reuse nothing: the yardstick */
} tl_tile_loads_config;

typedef struct tl_tile_accesses {
    const tl_tile_access *accesses[TL_OPERAND_COUNT];
    uint32_t count[TL_OPERAND_COUNT];
    uint64_t useful_bytes[TL_OPERAND_COUNT];
    uint64_t fill_bytes; /* out of bounds: nothing is read */
    uint32_t requests;   /* of the TMA, fill included, and plain reads */
} tl_tile_accesses;

typedef struct tl_tile_loads tl_tile_loads;

/** The source must outlive it. @return null and *error when a size is out of range or memory runs out */
tl_tile_loads *tl_tile_loads_create(const tl_load_source *source, const tl_tile_loads_config *config,
                                    tl_input_error *error);
void tl_tile_loads_destroy(tl_tile_loads *loads);

/**
 * Run the loads of one tile.
 * @param[out] out  valid until the next call
 * @return TL_OK, or why the engine refused a load
 */
tl_status tl_tile_loads_run(tl_tile_loads *loads, uint32_t kernel, uint32_t cta, uint32_t step, tl_tile_accesses *out);

/** The loads that the last run executed, in program order, for a recorder. */
const tl_tile_load *tl_tile_loads_last(const tl_tile_loads *loads, uint32_t *count);

/**
 * Bytes from the first weight request of a K-step to that of the next: the stride of a prefetcher, from the engine.
 * @return 0 for a kernel of one K-step or without weight loads
 */
int64_t tl_tile_loads_k_stride_bytes(tl_tile_loads *loads, uint32_t kernel);

#ifdef __cplusplus
}
#endif
#endif
