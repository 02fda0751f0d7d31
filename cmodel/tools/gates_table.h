/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the gate report measures, and how it prints it.
 */
#ifndef TILELENS_GATES_TABLE_H
#define TILELENS_GATES_TABLE_H

#include "gates_liberty.h"
#include "output.h"
#include "tilelens/desc_decode.h"

enum { TL_ORDERINGS_MAX = 25, TL_STAGE_COUNT = 8, TL_TOOLS_BYTES = 128 };

/** rtl/tma_NAME.sv, in the order in which a load passes them. */
extern const char *const tl_gates_stages[TL_STAGE_COUNT];

/** One quantity, measured once per ordering. */
typedef struct tl_series {
    double value[TL_ORDERINGS_MAX];
} tl_series;

/** All measurements with one library; areas in gate equivalents, delays in ns. */
typedef struct tl_gates_table {
    const char *liberty_path;
    tl_liberty liberty;
    char tools[TL_TOOLS_BYTES];
    unsigned orderings;
    tl_series area[TL_VARIANT_COUNT];       /* tma_synth, flattened, mapped for area */
    tl_series speed_area[TL_VARIANT_COUNT]; /* mapped, buffered and sized for speed */
    tl_series delay[TL_VARIANT_COUNT];
    tl_series stage_area[TL_STAGE_COUNT][TL_VARIANT_COUNT];
    tl_series mul32_area, mul64_area;
} tl_gates_table;

void tl_gates_print(tl_output *output, const tl_gates_table *table);

/** @return 0, or 2 after a line on stderr */
int tl_gates_write_json(const char *path, const tl_gates_table *table);

#endif
