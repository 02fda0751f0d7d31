/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Every way in which a tensor map or a load can be refused, each with a name and a one-line text.
 *
 * Values 0..15 are the codes of the RTL port `req_status_o` (4 bits, rtl/tma_pkg.sv); the others are found
 * on the host, before a load is issued. Nothing that cannot be done is ever executed wrongly.
 */
#ifndef TILELENS_STATUS_H
#define TILELENS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tl_status {
    TL_OK = 0,

    /* Reported by hardware, before the first request of a load (tma_desc_decode, tma_split_sum). */
    TL_ERR_MAP_INVALID = 1,             /* not a tensor map of this layout version */
    TL_ERR_COORDINATE_ALIGN = 2,        /* coordinate[0] * element size is no multiple of 16 bytes */
    TL_ERR_SHARED_ADDRESS_ALIGN = 3,    /* shared address is no multiple of 128 bytes */
    TL_ERR_TILE_MAJOR_UNSUPPORTED = 4,  /* tile-major map in the baseline variant */
    TL_ERR_PAPER_ORIGIN = 5,            /* paper variant: the view does not start at the matrix */
    TL_ERR_PAPER_BOX = 6,               /* paper variant: box_dim[0] is no power of two or exceeds a */
    TL_ERR_PAPER_ROW_STRIDE = 7,        /* paper variant: a row-side step is no multiple of box_dim[0] */
    TL_ERR_PAPER_COLUMN_STRIDE = 8,     /* paper variant: column-side steps beyond one split counter */
    TL_ERR_PAPER_ROW_ALIGN = 9,         /* paper variant: i mod u != 0 at the box origin */
    TL_ERR_PAPER_COLUMN_ALIGN = 10,     /* paper variant: j mod b != 0 at the box origin */

    /* Encode rules of cuTensorMapEncodeTiled. */
    TL_ERR_NULL = 16,                   /* a required pointer is null */
    TL_ERR_DATA_TYPE,                   /* unknown data type */
    TL_ERR_RANK,                        /* rank outside 1..5 */
    TL_ERR_GLOBAL_ADDRESS_NULL,         /* global address is 0 */
    TL_ERR_GLOBAL_ADDRESS_ALIGN,        /* global address no multiple of 16 (32: interleave 32B, 16-byte packed types) */
    TL_ERR_GLOBAL_DIM,                  /* extent outside 1..2^32 */
    TL_ERR_GLOBAL_DIM_PACKED,           /* packed sub-byte type: extent 0 no multiple of 2 or 128 */
    TL_ERR_GLOBAL_STRIDE_ALIGN,         /* stride no multiple of 16 (or 32) bytes */
    TL_ERR_GLOBAL_STRIDE_RANGE,         /* stride of 2^40 bytes or more */
    TL_ERR_BOX_DIM,                     /* box extent outside 1..256 */
    TL_ERR_BOX_INNER_ALIGN,             /* box_dim[0] * element size no multiple of 16 bytes */
    TL_ERR_BOX_INNER_SPAN,              /* box_dim[0] * element size wider than the swizzle span */
    TL_ERR_BOX_INNER_PACKED,            /* packed sub-byte type: box_dim[0] is not 128 */
    TL_ERR_ELEMENT_STRIDE,              /* element stride outside 1..8 */
    TL_ERR_INTERLEAVE,                  /* unknown interleave */
    TL_ERR_INTERLEAVE_RANK,             /* interleaved layouts need rank >= 3 */
    TL_ERR_INTERLEAVE_SWIZZLE,          /* interleave 32B needs swizzle 32B */
    TL_ERR_SWIZZLE,                     /* unknown swizzle */
    TL_ERR_L2_PROMOTION,                /* unknown L2 promotion */
    TL_ERR_OOB_FILL,                    /* unknown out-of-bounds fill */
    TL_ERR_OOB_FILL_TYPE,               /* NaN fill needs a floating-point type */

    /* Legal for the driver, not modelled. */
    TL_ERR_INTERLEAVE_UNSUPPORTED,      /* interleave 16B or 32B */
    TL_ERR_DATA_TYPE_UNSUPPORTED,       /* packed sub-byte data type */

    /* Encode rules of the tile-major extension (docs/02-tensor-map.md). */
    TL_ERR_TILE_SHAPE,                  /* rule 1: a or b is no power of two */
    TL_ERR_TILE_ROW_BYTES,              /* rule 1: a * element size is below 16 bytes */
    TL_ERR_TILE_GRANULARITY,            /* rule 1: a * b * element size outside 512 B..64 KiB */
    TL_ERR_LEADING_STRIDE_ALIGN,        /* rule 1: leading stride is 0, or no multiple of 16 bytes and of a rows */
    TL_ERR_LEADING_STRIDE_RANGE,        /* rule 1: leading stride of 2^40 bytes or more */
    TL_ERR_MATRIX_ADDRESS_ALIGN,        /* rule 1: matrix address not aligned to the granularity */
    TL_ERR_MATRIX_ADDRESS_ORDER,        /* rule 1: matrix address above the global address */
    TL_ERR_DIAGONAL_VIEW,               /* rule 2: a column-side stride is no multiple of the leading stride */
    TL_ERR_SHEARED_VIEW,                /* rule 3: row-side extents reach the leading stride */
    TL_ERR_WRAPPING_VIEW,               /* rule 4: addresses wrap at 2^64, leading stride no power of two */
    TL_ERR_TILE_COLUMN_RANGE,           /* rule 5: b * leading stride of 2^40 bytes or more */
    TL_ERR_COLUMN_INDEX_RANGE,          /* rule 5: column index of 2^31 or more, leading stride no power of two */

    /* Launch-time rule found on the host only. */
    TL_ERR_SHARED_ADDRESS_RANGE,        /* the box does not fit below 2^32 in shared memory */

    /* Replace, data mover and layout functions. */
    TL_ERR_FIELD,                       /* tensormap.replace: unknown field or dimension */
    TL_ERR_GLOBAL_IMAGE,                /* a source byte lies outside the global memory image */
    TL_ERR_SHARED_IMAGE,                /* a destination byte lies outside the shared memory image */
    TL_ERR_LAYOUT,                      /* layout shape out of range (layout.h states the ranges) */
    TL_ERR_VIEW,                        /* the Eq. 3 view of this load does not exist (layout.h states the condition) */

    TL_STATUS_COUNT
} tl_status;

/** One line of text: what was found wrong and what is expected. Never null; unknown values give "unknown status". */
const char *tl_status_str(tl_status status);

/** The enumerator without its prefix, in lower case, e.g. "sheared_view". Never null. */
const char *tl_status_name(tl_status status);

#ifdef __cplusplus
}
#endif
#endif
