/* SPDX-License-Identifier: Apache-2.0 */
/* Stage coord_mul. Mirrors rtl/tma_coord_mul.sv. */
#include "tilelens/coord_mul.h"

#include <string.h>

void tl_coord_mul(const tl_fields *fields, const int32_t coordinates[TL_MAX_RANK], tl_products *products)
{
    memset(products, 0, sizeof *products);
    /* desc_decode has refused a coordinate 0 off the 16-byte grid, so that the division is exact. */
    const int32_t elements_per_unit = TL_UNIT_BYTES >> fields->log2_s;
    products->linear[0] = tl_multiply(0, coordinates[0] / elements_per_unit, fields->stride[0]);
    for (unsigned d = 1; d < fields->rank; d++) {
        products->column[d] = tl_multiply(0, coordinates[d], fields->column_step[d]) & 0xFFF;
        products->linear[d] = tl_multiply(0, coordinates[d], fields->stride[d]);
    }
}
