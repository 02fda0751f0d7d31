/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that join keys of a locality file, after every value is in its own range. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "gemm_operand.h"
#include "locality_key.h"

#define ADDRESS_MAX       ((uint64_t)1 << 62)
#define TILES_MAX         ((uint64_t)1 << 25)
#define L2_LINES_MAX      ((uint64_t)1 << 25) /* 128 MB of tags */
#define OPERAND_TILES_MAX ((uint64_t)1 << 31)

typedef struct rules {
    const tl_locality_config *config;
    tl_complaint to;
} rules;

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Refuse the value that the key `path` has. */
__attribute__((format(printf, 3, 4))) static int refuse(const rules *r, const char *path, const char *expected, ...)
{
    char found[64];
    char text[256];
    tl_locality_value_text(tl_locality_key_find(path), r->config, found, sizeof found);
    va_list arguments;
    va_start(arguments, expected);
    (void)vsnprintf(text, sizeof text, expected, arguments);
    va_end(arguments);
    return tl_complain(&r->to, path, found, "%s", text);
}

static int check_given(const rules *r)
{
    const struct {
        const char *path;
        uint64_t value;
    } needed[] = {{"gemm.m", r->config->gemm.m}, {"gemm.n", r->config->gemm.n}, {"gemm.k", r->config->gemm.k}};
    for (unsigned n = 0; n < sizeof needed / sizeof needed[0]; n++) {
        if (needed[n].value == 0) {
            char expected[128];
            tl_locality_value_expected(tl_locality_key_find(needed[n].path), expected, sizeof expected);
            return tl_complain(&r->to, needed[n].path, "nothing", "%s", expected);
        }
    }
    return 0;
}

static int check_machine(const rules *r)
{
    const tl_locality_machine *machine = &r->config->machine;
    const uint64_t set_bytes = (uint64_t)machine->l2_ways * machine->line_bytes;
    if (!is_power_of_two(r->config->gemm.element_bytes)) {
        return refuse(r, "gemm.element_bytes", "1, 2, 4 or 8");
    }
    if (!is_power_of_two(machine->line_bytes)) {
        return refuse(r, "machine.line_bytes", "a power of two from 16 to 4096");
    }
    if (machine->l2_bytes % set_bytes != 0 || !is_power_of_two(machine->l2_bytes / set_bytes)) {
        return refuse(r, "machine.l2_bytes", "%" PRIu64 ", the bytes of a set, times a power of two", set_bytes);
    }
    if (machine->l2_bytes / machine->line_bytes > L2_LINES_MAX) {
        return refuse(r, "machine.l2_bytes", "at most %" PRIu64 ", 2^25 lines", machine->line_bytes * L2_LINES_MAX);
    }
    if (r->config->placement.page_bytes % machine->line_bytes != 0) {
        return refuse(r, "placement.page_bytes", "a multiple of machine.line_bytes");
    }
    if (r->config->placement.cta == TL_CTA_GRID && !is_power_of_two(machine->chiplets)) {
        return refuse(r, "machine.chiplets", "a power of two, for placement.cta grid");
    }
    return 0;
}

/* The engines number tiles of C with 32 bits, and have a list of them for each chiplet. */
static int check_tiles(const rules *r)
{
    const tl_locality_config *config = r->config;
    const uint64_t rows = tl_ceil_div(config->gemm.m, config->tile.m);
    const uint64_t columns = tl_ceil_div(config->gemm.n, config->tile.n);
    if (rows > TILES_MAX / columns) {
        return refuse(r, rows > columns ? "gemm.m" : "gemm.n", "at most %" PRIu64 " tiles of C", TILES_MAX);
    }
    return 0;
}

/* One of A, B and C, and where its keys are. */
typedef struct shape {
    const char *layout_path, *leading_path, *extent_path, *tile_path;
    int layout;
    uint64_t rows, columns, leading, tile_panel;
} shape;

static int check_tile_major(const rules *r, const shape *s)
{
    const tl_locality_config *config = r->config;
    if (s->tile_path == NULL) {
        return refuse(r, s->layout_path, "row_major or column_major: only A and B may be tile-major");
    }
    if (s->leading != 0) {
        return refuse(r, s->leading_path, "0, for a tile-major layout has none");
    }
    if (s->tile_panel % TL_MEMORY_TILE_PANEL != 0) {
        return refuse(r, s->tile_path, "a multiple of %d, for a tile-major layout", TL_MEMORY_TILE_PANEL);
    }
    if (config->tile.k % TL_MEMORY_TILE_K != 0) {
        return refuse(r, "tile.k", "a multiple of %d, for a tile-major layout", TL_MEMORY_TILE_K);
    }
    const uint32_t bytes = TL_MEMORY_TILE_PANEL * TL_MEMORY_TILE_K * config->gemm.element_bytes;
    if (bytes % config->machine.line_bytes != 0) {
        return refuse(r, "machine.line_bytes", "a divisor of %" PRIu32 ", the bytes of a memory tile", bytes);
    }
    return 0;
}

/* Addresses stay in 62 bits, so that no sum of them overflows. */
static int check_shape(const rules *r, const shape *s)
{
    const bool row_major = s->layout == TL_ROW_MAJOR;
    const uint64_t contiguous = row_major ? s->columns : s->rows;
    const uint64_t strided = row_major ? s->rows : s->columns;
    const bool tile_major = s->layout != TL_ROW_MAJOR && s->layout != TL_COLUMN_MAJOR;
    if (tile_major) {
        const int status = check_tile_major(r, s);
        if (status != 0) {
            return status;
        }
    } else if (s->leading != 0 && s->leading < contiguous) {
        return refuse(r, s->leading_path, "0 or at least %" PRIu64 ", the extent that lies contiguously", contiguous);
    }
    const uint64_t pitch = s->leading != 0 ? s->leading : contiguous;
    if (pitch > ADDRESS_MAX / 16 / r->config->gemm.element_bytes / strided) {
        return refuse(r, s->leading != 0 ? s->leading_path : s->extent_path, "an operand of less than 2^58 bytes");
    }
    return 0;
}

static int check_shapes(const rules *r)
{
    const tl_locality_gemm *gemm = &r->config->gemm;
    const tl_locality_layout *layout = &r->config->layout;
    const tl_locality_tile *tile = &r->config->tile;
    const shape shapes[] = {
        {"layout.a", "layout.a_leading_dimension", "gemm.k", "tile.m", layout->a, gemm->m, gemm->k,
         layout->a_leading_dimension, tile->m},
        {"layout.b", "layout.b_leading_dimension", "gemm.k", "tile.n", layout->b, gemm->k, gemm->n,
         layout->b_leading_dimension, tile->n},
        {"layout.c", "layout.c_leading_dimension", "gemm.m", NULL, layout->c, gemm->m, gemm->n,
         layout->c_leading_dimension, 0},
    };
    int status = 0;
    for (unsigned n = 0; n < sizeof shapes / sizeof shapes[0] && status == 0; n++) {
        status = check_shape(r, &shapes[n]);
    }
    return status;
}

static int check_placement(const rules *r)
{
    const tl_locality_config *config = r->config;
    const bool tile_major = config->layout.a >= TL_TILE_MAJOR_PANEL && config->layout.b >= TL_TILE_MAJOR_PANEL;
    if (config->placement.data == TL_DATA_OWNER && !tile_major) {
        return refuse(r, "placement.data", "interleave, row_split or column_split: owner needs A and B tile-major");
    }
    return 0;
}

/* 32 bits number the tiles of an operand, and tell the lines of a set apart. */
static int check_size(const rules *r)
{
    const tl_locality_config *config = r->config;
    tl_gemm_operand operands[TL_OPERANDS];
    tl_gemm_operands(config, operands);
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        if (operands[n].panels > OPERAND_TILES_MAX / operands[n].steps) {
            return refuse(r, "gemm.k", "at most %" PRIu64 " tiles of A and of B", OPERAND_TILES_MAX);
        }
        if (tl_last_line(&operands[n]) >> tl_set_bits(&config->machine) >= UINT32_MAX) {
            return refuse(r, n == TL_OPERAND_A ? "layout.a_base" : "layout.b_base",
                          "an operand that ends below 2^32 times %" PRIu64 " bytes, one way of L2",
                          config->machine.l2_bytes / config->machine.l2_ways);
        }
    }
    return 0;
}

int tl_locality_check(const tl_locality_config *config, const char *file, char *error, size_t error_bytes)
{
    const rules r = {config, {file, error, error_bytes}};
    int (*const checks[])(const rules *) = {check_given,  check_tiles,     check_machine,
                                            check_shapes, check_placement, check_size};
    int status = 0;
    for (unsigned n = 0; n < sizeof checks / sizeof checks[0] && status == 0; n++) {
        status = checks[n](&r);
    }
    return status;
}
