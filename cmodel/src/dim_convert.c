/* SPDX-License-Identifier: Apache-2.0 */
/* Stage dim_convert. Mirrors rtl/tma_dim_convert.sv. */
#include "tilelens/dim_convert.h"

#include <string.h>

/* What all dimensions below the current one have walked: negative, and its column part mod b. */
typedef struct rewound {
    uint64_t units;
    uint32_t column;
} rewound;

/* Eq. 5: the split dimension walks u inside a memory tile, then b*KL to the next one. */
static void split_dimension(const tl_fields *fields, unsigned d, rewound *below, tl_levels *levels)
{
    const uint64_t row_units = fields->row_bytes / TL_UNIT_BYTES;
    const uint32_t mask_b = (uint32_t)fields->mask_b;
    const uint32_t limit = fields->limit[d];

    levels->advance[d] = row_units;
    levels->delta[d] = tl_wrap_units(below->units + levels->advance[d]);
    levels->delta_tile = tl_multiply(below->units, -(int64_t)mask_b, row_units);
    levels->delta_tile = tl_multiply(levels->delta_tile, 1, fields->tile_column);
    levels->rewind[d] = tl_multiply(0, -(int64_t)(limit >> fields->log2_b), fields->tile_column);
    levels->rewind[d] = tl_multiply(levels->rewind[d], -(int64_t)(limit & mask_b), row_units);
    below->units = tl_wrap_units(below->units + levels->rewind[d]);
}

static void plain_dimension(const tl_fields *fields, unsigned d, rewound *below, tl_levels *levels)
{
    uint32_t column = 0;
    if (fields->variant == TL_GENERAL && fields->tile_major) {
        const uint32_t mask_b = (uint32_t)fields->mask_b;
        levels->column_advance[d] = (fields->step[d] * fields->column_step[d]) & 0xFFF;
        levels->column_rewind[d] = (fields->limit[d] * fields->column_step[d]) & 0xFFF;
        column = ((uint32_t)levels->column_advance[d] - below->column) & mask_b;
        below->column = (below->column + (uint32_t)levels->column_rewind[d]) & mask_b;
        levels->advance[d] = tl_multiply(0, -(int64_t)column, fields->leading);
    }
    levels->advance[d] = tl_multiply(levels->advance[d], fields->step[d], fields->stride[d]);
    levels->delta[d] = tl_wrap_units(below->units + levels->advance[d]) | column;
    levels->rewind[d] = tl_multiply(0, -(int64_t)fields->limit[d], fields->stride[d]);
    below->units = tl_wrap_units(below->units + levels->rewind[d]);
}

void tl_dim_convert(const tl_fields *fields, tl_levels *levels)
{
    memset(levels, 0, sizeof *levels);
    rewound below = {0, 0};
    for (unsigned d = 1; d < fields->rank; d++) {
        if (d == fields->split_dim) {
            split_dimension(fields, d, &below, levels);
        } else {
            plain_dimension(fields, d, &below, levels);
        }
    }
}
