/* SPDX-License-Identifier: Apache-2.0 */
/* tl_status -> the line that names the field at fault, its value, what the rule expects and the rule. */
#include <inttypes.h>
#include <stdio.h>

#include "case_file.h"
#include "case_names.h"
#include "complaint.h"

typedef enum case_field {
    IN_FILE,
    IN_DATA_TYPE,
    IN_GLOBAL_ADDRESS,
    IN_GLOBAL_DIM,
    IN_GLOBAL_STRIDES,
    IN_BOX_DIM,
    IN_ELEMENT_STRIDES,
    IN_INTERLEAVE,
    IN_SWIZZLE,
    IN_OOB_FILL,
    IN_TILE_MAJOR,
    IN_LEADING_STRIDE,
    IN_MEMORY_TILE,
    IN_MATRIX_ADDRESS,
    IN_COORDINATES,
    IN_SHARED_ADDRESS
} case_field;

/* Where in the file, and the value there. */
typedef struct quote {
    char path[64];
    char found[128];
} quote;

typedef struct rule {
    case_field field;
    const char *expected; /* null: no rule that a case can break */
} rule;

static const rule rules[TL_STATUS_COUNT] = {
    [TL_ERR_COORDINATE_ALIGN] = {IN_COORDINATES, "coordinate 0 times the element size to be a multiple of 16 bytes"},
    [TL_ERR_SHARED_ADDRESS_ALIGN] = {IN_SHARED_ADDRESS, "a multiple of 128"},
    [TL_ERR_SHARED_ADDRESS_RANGE] = {IN_SHARED_ADDRESS, "an address from which the box fits below 2^32"},

    [TL_ERR_TILE_MAJOR_UNSUPPORTED] = {IN_TILE_MAJOR, "a plain tensor in the baseline variant"},
    [TL_ERR_PAPER_ORIGIN] = {IN_GLOBAL_ADDRESS, "the matrix address in the paper variant"},
    [TL_ERR_PAPER_BOX] = {IN_BOX_DIM, "a power of two of at most memory_tile[0] in the paper variant"},
    [TL_ERR_PAPER_ROW_STRIDE] = {IN_GLOBAL_STRIDES,
                                 "row-side steps that are multiples of box_dim[0] elements in the paper variant"},
    [TL_ERR_PAPER_COLUMN_STRIDE] = {IN_GLOBAL_STRIDES,
                                    "column-side steps of whole memory tiles, but for one of a single column whose "
                                    "count is below memory_tile[1] or a multiple of it, in the paper variant"},
    [TL_ERR_PAPER_ROW_ALIGN] = {IN_COORDINATES, "a first row that is a multiple of box_dim[0] in the paper variant"},
    [TL_ERR_PAPER_COLUMN_ALIGN] = {IN_COORDINATES,
                                   "a first column that is a multiple of memory_tile[1] in the paper variant"},

    [TL_ERR_GLOBAL_ADDRESS_NULL] = {IN_GLOBAL_ADDRESS, "an address other than 0"},
    [TL_ERR_GLOBAL_ADDRESS_ALIGN] = {IN_GLOBAL_ADDRESS, "a multiple of 16 bytes"},
    [TL_ERR_GLOBAL_DIM] = {IN_GLOBAL_DIM, "an extent from 1 to 2^32"},
    [TL_ERR_GLOBAL_DIM_PACKED] = {IN_GLOBAL_DIM, "a multiple of 2 for 16u4_align8b, of 128 for the 16-byte packed "
                                                 "data types"},
    [TL_ERR_GLOBAL_STRIDE_ALIGN] = {IN_GLOBAL_STRIDES, "a multiple of 16 bytes"},
    [TL_ERR_GLOBAL_STRIDE_RANGE] = {IN_GLOBAL_STRIDES, "a stride below 2^40 bytes"},
    [TL_ERR_BOX_DIM] = {IN_BOX_DIM, "a box extent from 1 to 256"},
    [TL_ERR_BOX_INNER_ALIGN] = {IN_BOX_DIM, "a box row that is a multiple of 16 bytes"},
    [TL_ERR_BOX_INNER_SPAN] = {IN_BOX_DIM, "a box row no wider than the swizzle span"},
    [TL_ERR_BOX_INNER_PACKED] = {IN_BOX_DIM, "128 for the 16-byte packed data types"},
    [TL_ERR_ELEMENT_STRIDE] = {IN_ELEMENT_STRIDES, "an element stride from 1 to 8"},
    [TL_ERR_INTERLEAVE_RANK] = {IN_INTERLEAVE, "none below rank 3"},
    [TL_ERR_INTERLEAVE_SWIZZLE] = {IN_SWIZZLE, "32B with interleave 32B"},
    [TL_ERR_OOB_FILL_TYPE] = {IN_OOB_FILL, "none for a data type that is not floating-point"},
    [TL_ERR_INTERLEAVE_UNSUPPORTED] = {IN_INTERLEAVE, "none, the only interleave that is modelled"},
    [TL_ERR_DATA_TYPE_UNSUPPORTED] = {IN_DATA_TYPE, "a data type of whole bytes; packed ones are not modelled"},

    [TL_ERR_TILE_SHAPE] = {IN_MEMORY_TILE, "two powers of two"},
    [TL_ERR_TILE_ROW_BYTES] = {IN_MEMORY_TILE, "memory_tile[0] of at least 16 bytes"},
    [TL_ERR_TILE_GRANULARITY] = {IN_MEMORY_TILE, "a memory tile of 512 to 65536 bytes"},
    [TL_ERR_LEADING_STRIDE_ALIGN] = {IN_LEADING_STRIDE,
                                     "a multiple, not 0, of 16 bytes and of memory_tile[0] elements"},
    [TL_ERR_LEADING_STRIDE_RANGE] = {IN_LEADING_STRIDE, "a stride below 2^40 bytes"},
    [TL_ERR_MATRIX_ADDRESS_ALIGN] = {IN_MATRIX_ADDRESS, "a multiple of the bytes of a memory tile"},
    [TL_ERR_MATRIX_ADDRESS_ORDER] = {IN_MATRIX_ADDRESS, "an address at or below global_address"},
    [TL_ERR_DIAGONAL_VIEW] = {IN_GLOBAL_STRIDES, "a stride below leading_stride, or a multiple of it"},
    [TL_ERR_SHEARED_VIEW] = {IN_LEADING_STRIDE, "a stride beyond the last row that the view reaches"},
    [TL_ERR_WRAPPING_VIEW] = {IN_LEADING_STRIDE, "a power of two, as addresses of the view wrap at 2^64"},
    [TL_ERR_TILE_COLUMN_RANGE] = {IN_LEADING_STRIDE, "leading_stride times memory_tile[1] to be below 2^40 bytes"},
    [TL_ERR_COLUMN_INDEX_RANGE] = {IN_LEADING_STRIDE, "a power of two, as the view reaches column 2^31 or beyond"},
};

static void quote_word(quote *out, const char *path, const char *found)
{
    (void)snprintf(out->path, sizeof out->path, "%s", path);
    (void)snprintf(out->found, sizeof out->found, "%s", found);
}

static void quote_bytes(quote *out, const char *path, uint64_t bytes)
{
    (void)snprintf(out->path, sizeof out->path, "%s", path);
    (void)snprintf(out->found, sizeof out->found, "%" PRIu64, bytes);
}

static void quote_address(quote *out, const char *path, uint64_t address)
{
    (void)snprintf(out->path, sizeof out->path, "%s", path);
    (void)snprintf(out->found, sizeof out->found, "0x%" PRIx64, address);
}

/* One entry, or the whole list when `index` is negative. Two's complement when `is_signed`. */
static void quote_list(quote *out, const char *path, const uint64_t entries[], uint32_t count, int index,
                       bool is_signed)
{
    *out = (quote){.path = ""};
    const uint32_t first = index < 0 ? 0 : (uint32_t)index;
    const uint32_t last = index < 0 ? count : first + 1;
    tl_append(out->path, sizeof out->path, index < 0 ? "%s" : "%s[%d]", path, index);
    tl_append(out->found, sizeof out->found, "%s", index < 0 ? "[" : "");
    for (uint32_t n = first; n < last; n++) {
        tl_append(out->found, sizeof out->found, "%s", n == first ? "" : ", ");
        if (is_signed) {
            tl_append(out->found, sizeof out->found, "%" PRId64, (int64_t)entries[n]);
        } else {
            tl_append(out->found, sizeof out->found, "%" PRIu64, entries[n]);
        }
    }
    tl_append(out->found, sizeof out->found, "%s", index < 0 ? "]" : "");
}

static void quote_list_u32(quote *out, const char *path, const uint32_t entries[], uint32_t count, int index)
{
    uint64_t wide[TL_MAX_RANK] = {0};
    for (uint32_t n = 0; n < count; n++) {
        wide[n] = entries[n];
    }
    quote_list(out, path, wide, count, index, false);
}

static void quote_coordinates(quote *out, const tl_case *in, int index)
{
    uint64_t wide[TL_MAX_RANK] = {0};
    for (uint32_t n = 0; n < in->params.rank; n++) {
        wide[n] = (uint64_t)in->load.coordinates[n];
    }
    quote_list(out, "load.coordinates", wide, in->params.rank, index, true);
}

static void quote_field(quote *out, const tl_case *in, case_field field, int dim)
{
    const tl_tensor_params *params = &in->params;
    switch (field) {
    case IN_FILE:
        quote_word(out, "file", "a load that cannot run");
        break;
    case IN_DATA_TYPE:
        quote_word(out, "tensor.data_type", tl_data_type_names[params->data_type]);
        break;
    case IN_GLOBAL_ADDRESS:
        quote_address(out, "tensor.global_address", params->global_address);
        break;
    case IN_GLOBAL_DIM:
        quote_list(out, "tensor.global_dim", params->global_dim, params->rank, dim, false);
        break;
    case IN_GLOBAL_STRIDES: /* entry 0 is the stride of dimension 1; dimension 0 has none */
        quote_list(out, "tensor.global_strides", params->global_strides, params->rank - 1, dim < 1 ? -1 : dim - 1,
                   false);
        break;
    case IN_BOX_DIM:
        quote_list_u32(out, "tensor.box_dim", params->box_dim, params->rank, dim);
        break;
    case IN_ELEMENT_STRIDES:
        quote_list_u32(out, "tensor.element_strides", params->element_strides, params->rank, dim);
        break;
    case IN_INTERLEAVE:
        quote_word(out, "tensor.interleave", tl_interleave_names[params->interleave]);
        break;
    case IN_SWIZZLE:
        quote_word(out, "tensor.swizzle", tl_swizzle_names[params->swizzle]);
        break;
    case IN_OOB_FILL:
        quote_word(out, "tensor.oob_fill", tl_oob_fill_names[params->oob_fill]);
        break;
    case IN_TILE_MAJOR:
        quote_word(out, "tile_major", "a tile-major tensor");
        break;
    case IN_LEADING_STRIDE:
        quote_bytes(out, "tile_major.leading_stride", params->tile_major.leading_stride_bytes);
        break;
    case IN_MEMORY_TILE:
        quote_list_u32(out, "tile_major.memory_tile", params->tile_major.memory_tile, 2, dim);
        break;
    case IN_MATRIX_ADDRESS:
        quote_address(out, "tile_major.matrix_address", params->tile_major.matrix_address);
        break;
    case IN_COORDINATES:
        quote_coordinates(out, in, dim);
        break;
    case IN_SHARED_ADDRESS:
        quote_address(out, "load.shared_address", in->load.shared_address);
        break;
    }
}

/* The rules of alignment are stricter where 32-byte pieces are copied. */
static const char *expected_text(const rule *broken, const tl_tensor_params *params, tl_status status)
{
    const bool is_alignment = status == TL_ERR_GLOBAL_ADDRESS_ALIGN || status == TL_ERR_GLOBAL_STRIDE_ALIGN;
    const bool is_packed_16b = params->data_type == TL_16U4_ALIGN16B || params->data_type == TL_16U6_ALIGN16B;
    if (is_alignment && params->interleave == TL_INTERLEAVE_32B) {
        return "a multiple of 32 bytes with interleave 32B";
    }
    if (is_alignment && is_packed_16b) {
        return "a multiple of 32 bytes with a 16-byte packed data type";
    }
    return broken->expected;
}

int tl_case_refusal(const char *name, const tl_case *in, tl_status status, int dim, char *error, size_t error_bytes)
{
    const tl_complaint to = {name, error, error_bytes};
    const bool listed = (unsigned)status < TL_STATUS_COUNT && rules[status].expected != NULL;
    const rule broken = listed ? rules[status] : (rule){IN_FILE, tl_status_str(status)};
    const bool inner = status == TL_ERR_COORDINATE_ALIGN || status == TL_ERR_PAPER_BOX;
    quote at;
    quote_field(&at, in, broken.field, inner ? 0 : dim);
    return tl_complain(&to, at.path, at.found, "%s (%s)", expected_text(&broken, &in->params, status),
                       tl_status_name(status));
}
