/* SPDX-License-Identifier: Apache-2.0 */
#include "tilelens/status.h"

typedef struct status_text {
    const char *name;
    const char *text; /* what was found, what is expected */
} status_text;

static const status_text STATUS[TL_STATUS_COUNT] = {
    [TL_OK] = {"ok", "ok"},

    [TL_ERR_MAP_INVALID] = {"map_invalid",
                            "found bits that no encode makes, expected a tensor map of layout version 1"},
    [TL_ERR_COORDINATE_ALIGN] = {"coordinate_align",
                                 "found coordinate 0 off the 16-byte grid, expected coordinate[0] * element size to be "
                                 "a multiple of 16 bytes"},
    [TL_ERR_SHARED_ADDRESS_ALIGN] = {"shared_address_align",
                                     "found an unaligned shared address, expected a multiple of 128 bytes"},
    [TL_ERR_TILE_MAJOR_UNSUPPORTED] = {"tile_major_unsupported",
                                       "found a tile-major map, expected a plain map in the baseline variant"},
    [TL_ERR_PAPER_ORIGIN] = {"paper_origin", "found a view that starts inside the matrix, expected global_address = "
                                             "matrix_address in the paper variant"},
    [TL_ERR_PAPER_BOX] = {"paper_box", "found a box_dim[0] that does not divide the memory tile, expected a power of "
                                       "two of at most memory_tile[0] in the paper variant"},
    [TL_ERR_PAPER_ROW_STRIDE] = {"paper_row_stride", "found a row-side step off the box grid, expected a multiple of "
                                                     "box_dim[0] elements in the paper variant"},
    [TL_ERR_PAPER_COLUMN_STRIDE] = {"paper_column_stride",
                                    "found column steps beyond one split counter, expected whole tile columns but for "
                                    "one dimension of step 1 whose count is below or a multiple of memory_tile[1]"},
    [TL_ERR_PAPER_ROW_ALIGN] = {"paper_row_align", "found a box that starts off the box grid in its row, expected "
                                                   "i mod box_dim[0] = 0 in the paper variant"},
    [TL_ERR_PAPER_COLUMN_ALIGN] = {"paper_column_align", "found a box that starts inside a tile column, expected "
                                                         "j mod memory_tile[1] = 0 in the paper variant"},

    [TL_ERR_NULL] = {"null", "found a null pointer, expected every required argument"},
    [TL_ERR_DATA_TYPE] = {"data_type", "found an unknown data_type, expected a value of CUtensorMapDataType (0..15)"},
    [TL_ERR_RANK] = {"rank", "found a rank out of range, expected 1..5"},
    [TL_ERR_GLOBAL_ADDRESS_NULL] = {"global_address_null", "found global_address 0, expected an address"},
    [TL_ERR_GLOBAL_ADDRESS_ALIGN] = {"global_address_align",
                                     "found an unaligned global_address, expected a multiple of 16 bytes (32 for "
                                     "interleave 32B and 16-byte packed types)"},
    [TL_ERR_GLOBAL_DIM] = {"global_dim", "found a global_dim out of range, expected 1..2^32"},
    [TL_ERR_GLOBAL_DIM_PACKED] = {"global_dim_packed", "found a global_dim[0] that splits a packed group, expected a "
                                                       "multiple of 2 (16u4_align8b) or 128 (16-byte packed types)"},
    [TL_ERR_GLOBAL_STRIDE_ALIGN] = {"global_stride_align",
                                    "found an unaligned global_strides entry, expected a multiple of 16 bytes (32 for "
                                    "interleave 32B and 16-byte packed types)"},
    [TL_ERR_GLOBAL_STRIDE_RANGE] = {"global_stride_range",
                                    "found a global_strides entry out of range, expected less than 2^40 bytes"},
    [TL_ERR_BOX_DIM] = {"box_dim", "found a box_dim out of range, expected 1..256"},
    [TL_ERR_BOX_INNER_ALIGN] = {"box_inner_align", "found an unaligned box row, expected box_dim[0] * element size to "
                                                   "be a multiple of 16 bytes"},
    [TL_ERR_BOX_INNER_SPAN] = {"box_inner_span", "found a box row wider than the swizzle span, expected box_dim[0] * "
                                                 "element size of at most 32, 64 or 128 bytes"},
    [TL_ERR_BOX_INNER_PACKED] = {"box_inner_packed",
                                 "found a box_dim[0] unfit for a 16-byte packed type, expected 128"},
    [TL_ERR_ELEMENT_STRIDE] = {"element_stride", "found an element_strides entry out of range, expected 1..8"},
    [TL_ERR_INTERLEAVE] = {"interleave", "found an unknown interleave, expected none, 16B or 32B"},
    [TL_ERR_INTERLEAVE_RANK] = {"interleave_rank", "found an interleaved tensor of rank 1 or 2, expected rank 3..5"},
    [TL_ERR_INTERLEAVE_SWIZZLE] = {"interleave_swizzle",
                                   "found interleave 32B with another swizzle, expected swizzle 32B"},
    [TL_ERR_SWIZZLE] = {"swizzle", "found an unknown swizzle, expected a value of CUtensorMapSwizzle (0..6)"},
    [TL_ERR_L2_PROMOTION] = {"l2_promotion", "found an unknown l2_promotion, expected none, 64B, 128B or 256B"},
    [TL_ERR_OOB_FILL] = {"oob_fill", "found an unknown oob_fill, expected none (zeros) or nan"},
    [TL_ERR_OOB_FILL_TYPE] = {"oob_fill_type",
                              "found NaN fill of an integer type, expected a floating-point data_type"},

    [TL_ERR_INTERLEAVE_UNSUPPORTED] = {"interleave_unsupported",
                                       "found interleave 16B or 32B, which is not modelled, expected none"},
    [TL_ERR_DATA_TYPE_UNSUPPORTED] = {"data_type_unsupported", "found a packed sub-byte data_type, which is not "
                                                               "modelled, expected elements of 1, 2, 4 or 8 bytes"},

    [TL_ERR_TILE_SHAPE] = {"tile_shape", "found a memory_tile that is no power of two, expected powers of two"},
    [TL_ERR_TILE_ROW_BYTES] = {"tile_row_bytes", "found a memory tile narrower than 16 bytes, expected memory_tile[0] "
                                                 "* element size of at least 16"},
    [TL_ERR_TILE_GRANULARITY] = {"tile_granularity", "found a memory tile out of range, expected memory_tile[0] * "
                                                     "memory_tile[1] * element size of 512 B..64 KiB"},
    [TL_ERR_LEADING_STRIDE_ALIGN] = {"leading_stride_align",
                                     "found a leading_stride off the memory tile, expected a nonzero multiple of "
                                     "memory_tile[0] * element size"},
    [TL_ERR_LEADING_STRIDE_RANGE] = {"leading_stride_range",
                                     "found a leading_stride out of range, expected less than 2^40 bytes"},
    [TL_ERR_MATRIX_ADDRESS_ALIGN] = {"matrix_address_align",
                                     "found an unaligned matrix_address, expected a multiple of memory_tile[0] * "
                                     "memory_tile[1] * element size"},
    [TL_ERR_MATRIX_ADDRESS_ORDER] = {"matrix_address_order",
                                     "found a matrix_address above global_address, expected at most global_address"},
    [TL_ERR_DIAGONAL_VIEW] = {"diagonal_view", "found a diagonal view, expected every stride from leading_stride on to "
                                               "be a multiple of leading_stride"},
    [TL_ERR_SHEARED_VIEW] = {"sheared_view", "found row-side extents that reach the next column, expected them to end "
                                             "within leading_stride"},
    [TL_ERR_WRAPPING_VIEW] = {"wrapping_view",
                              "found a view that wraps at 2^64, expected no wrap unless leading_stride "
                              "is a power of two"},
    [TL_ERR_TILE_COLUMN_RANGE] = {"tile_column_range",
                                  "found a tile column out of range, expected memory_tile[1] * leading_stride of less "
                                  "than 2^40 bytes"},
    [TL_ERR_COLUMN_INDEX_RANGE] = {"column_index_range",
                                   "found a column index of 2^31 or more, expected less unless leading_stride is a "
                                   "power of two"},

    [TL_ERR_SHARED_ADDRESS_RANGE] = {"shared_address_range",
                                     "found a box that ends beyond shared memory, expected its end at or below 2^32"},

    [TL_ERR_FIELD] = {"field", "found an unknown field or dimension or a value wider than the field, expected one that "
                               "tensormap.replace can store"},
    [TL_ERR_GLOBAL_IMAGE] = {"global_image", "found a source byte outside the global memory image, expected an image "
                                             "that covers the box"},
    [TL_ERR_SHARED_IMAGE] = {"shared_image", "found a destination byte outside the shared memory image, expected an "
                                             "image that covers the box"},
    [TL_ERR_LAYOUT] = {"layout", "found a layout shape out of range, expected the ranges of layout.h"},
    [TL_ERR_VIEW] = {"view", "found a load without an Eq. 3 view, expected one that meets the condition of layout.h"},
};

static int is_known(tl_status status)
{
    return (unsigned)status < TL_STATUS_COUNT && STATUS[status].name != 0;
}

const char *tl_status_str(tl_status status)
{
    return is_known(status) ? STATUS[status].text : "unknown status";
}

const char *tl_status_name(tl_status status)
{
    return is_known(status) ? STATUS[status].name : "unknown";
}
