/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Traces: a run's loads as a text file, one load a line, optionally compressed with gzip.
 *
 *   tilelens-trace 1
 *   kernel NAME CTAS STEPS COMPUTE_PS CTAS_PER_SM STAGES TILES_IN_FLIGHT
 *   map    OPERAND HEX                                  a tensor map, 256 hex digits as `tilelens encode` prints them
 *   load   KERNEL CTA STEP MAP SHARED_ADDRESS C0 [C1..] a TMA load; coordinates, as many as the map has dimensions
 *   read   KERNEL CTA STEP OPERAND ADDRESS BYTES        a plain read of a kernel without TMA
 *   end    LINES                                        how many loads and reads there were
 *
 * Kernels and maps are counted from 0 in the order of their lines, and are declared before they are used. OPERAND is
 * weight or activation. Numbers are decimal, or hexadecimal after 0x. A # begins a comment; empty lines are skipped.
 * Loads of one tile keep their order; tiles may come in any order, and each has at least one load. compute_ps is the
 * duration of one K-step.
 */
#ifndef TILELENS_SIM_TRACE_H
#define TILELENS_SIM_TRACE_H

#include "input_error.h"
#include "load_source.h"
#include "tilelens/layout.h"
#include "weight_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- record --- */

typedef struct tl_trace_recorder tl_trace_recorder;

/** Begin a trace of a source's run; compressed when the path ends in .gz. @return null and *error */
tl_trace_recorder *tl_trace_record_open(const char *path, const tl_load_source *source, tl_input_error *error);

/** Write the loads of one tile, in program order. */
void tl_trace_record_tile(tl_trace_recorder *recorder, uint32_t kernel, uint32_t cta, uint32_t step,
                          const tl_tile_load *loads, uint32_t load_count);

/** End the trace. @return false and *error when anything could not be written */
bool tl_trace_record_close(tl_trace_recorder *recorder, tl_input_error *error);

/* --- replay --- */

typedef struct tl_trace tl_trace;

/** Read a trace whole, compressed or not. @return null and *error; its path is the line's number */
tl_trace *tl_trace_open(const char *path, tl_input_error *error);
void tl_trace_close(tl_trace *trace);

/** The trace as a source of loads; valid as long as the trace. */
const tl_load_source *tl_trace_source(const tl_trace *trace);

/**
 * Whether an operand's maps and plain reads lie in the memory that has it.
 * @return false and *error for the first line or the last byte outside
 */
bool tl_trace_check_addresses(const tl_trace *trace, tl_operand operand, tl_byte_range memory, tl_input_error *error);

/* --- rewrite --- */

/** A matrix whose plain reads move from its linear layout to a tile-major one, as an instrumented binary would read. */
typedef struct tl_trace_rewriting {
    tl_operand operand;      /* of the reads */
    tl_layout linear;        /* 1 x 1 memory tile */
    uint64_t linear_address; /* where the trace has the matrix */
    uint64_t tiled_address;  /* where the tile-major one lies */
    uint32_t memory_tile[2]; /* a (along the contiguous dimension), b; elements */
} tl_trace_rewriting;

/**
 * Copy a trace; reads inside the matrix become reads of its tile-major image, one for each run that is contiguous
 * there. All other lines are copied.
 *
 * @param[out] rewritten  reads that were inside the matrix
 * @return false and *error: a bad line, a layout that cannot be tiled so, a read that leaves the matrix halfway
 */
bool tl_trace_rewrite(const char *from_path, const char *to_path, const tl_trace_rewriting *rewriting,
                      uint64_t *rewritten, tl_input_error *error);

#ifdef __cplusplus
}
#endif
#endif
