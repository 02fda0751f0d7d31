/* SPDX-License-Identifier: Apache-2.0 */
/* Stage split_sum. Mirrors rtl/tma_split_sum.sv. */
#include "tilelens/split_sum.h"

#include <string.h>

/* Eq. 4 holds only on the boundary of a u x b sub-tile: the paper variant refuses every other box origin. */
static tl_status check_paper_origin(const tl_fields *fields, const tl_tile_base *base)
{
    const uint64_t row_units = fields->row_bytes / TL_UNIT_BYTES;
    if (base->column != 0) {
        return TL_ERR_PAPER_COLUMN_ALIGN;
    }
    if (((base->x >> fields->log2_b) & (row_units - 1)) != 0) {
        return TL_ERR_PAPER_ROW_ALIGN;
    }
    return TL_OK;
}

tl_status tl_split_sum(const tl_fields *fields, const tl_products *products, tl_tile_base *base)
{
    memset(base, 0, sizeof *base);
    uint64_t sum = fields->origin;
    uint32_t column = fields->origin_column;
    for (unsigned d = 0; d < fields->rank; d++) {
        sum += products->linear[d];
        column += (uint32_t)products->column[d];
    }
    base->column = column & (uint32_t)fields->mask_b;
    base->x = tl_wrap_units(sum);
    if (!fields->tile_major) {
        return TL_OK;
    }
    if (fields->variant == TL_PAPER) {
        return check_paper_origin(fields, base);
    }
    /* K*j = KL*(j - j') + KL*j': take the second part away, and j' fits into the zero bits below i*b. */
    base->column_product = tl_multiply(0, -(int64_t)base->column, fields->leading);
    base->x = tl_wrap_units(base->x + base->column_product) | base->column;
    return TL_OK;
}
