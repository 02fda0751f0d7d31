/* SPDX-License-Identifier: Apache-2.0 */
#include "case_values.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "case_names.h"

enum { PATH_BYTES = 64, NAMES_BYTES = 256 };

/* Digits of `base` up to the end of `text`, at most `max`. A leading zero is refused: YAML 1.1 reads it as octal. */
static bool read_digits(const char *text, unsigned base, uint64_t max, uint64_t *out)
{
    if (text[0] == '\0' || (base == 10 && text[0] == '0' && text[1] != '\0')) {
        return false;
    }
    uint64_t value = 0;
    for (const char *c = text; *c != '\0'; c++) {
        unsigned digit;
        if (*c >= '0' && *c <= '9') {
            digit = (unsigned)(*c - '0');
        } else if (base == 16 && *c >= 'a' && *c <= 'f') {
            digit = (unsigned)(*c - 'a') + 10;
        } else if (base == 16 && *c >= 'A' && *c <= 'F') {
            digit = (unsigned)(*c - 'A') + 10;
        } else {
            return false;
        }
        if (digit > max || value > (max - digit) / base) {
            return false;
        }
        value = value * base + digit;
    }
    *out = value;
    return true;
}

static bool read_unsigned(const char *text, uint64_t max, uint64_t *out)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    return hex ? read_digits(text + 2, 16, max, out) : read_digits(text, 10, max, out);
}

static const char *found_text(const char *text)
{
    return text == NULL || text[0] == '\0' ? "nothing" : text;
}

static int need_unsigned(const char *path, const char *text, uint64_t max, uint64_t *out, const tl_complaint *to)
{
    if (text != NULL && read_unsigned(text, max, out)) {
        return 0;
    }
    return tl_complain(to, path, found_text(text), "a number from 0 to %" PRIu64 ", decimal or 0x hex", max);
}

static int need_coordinate(const char *path, const char *text, int32_t *out, const tl_complaint *to)
{
    const bool negative = text[0] == '-';
    uint64_t magnitude = 0;
    if (read_unsigned(text + negative, negative ? UINT64_C(1) << 31 : INT32_MAX, &magnitude)) {
        *out = (int32_t)(negative ? -(int64_t)magnitude : (int64_t)magnitude);
        return 0;
    }
    return tl_complain(to, path, found_text(text), "a number from -2147483648 to 2147483647, decimal or 0x hex");
}

/* Names of an enumeration. Those from offered_count on are known but refused by encode, so no line offers them. */
typedef struct name_set {
    const char *const *names;
    int name_count;
    int offered_count;
} name_set;

static int need_name(const char *path, const char *text, const name_set *set, int *out, const tl_complaint *to)
{
    const int value = text == NULL ? -1 : tl_name_find(set->names, set->name_count, text);
    if (value < 0) {
        char list[NAMES_BYTES];
        tl_name_list(set->names, set->offered_count, list, sizeof list);
        return tl_complain(to, path, found_text(text), set->offered_count == 1 ? "%s" : "one of %s", list);
    }
    *out = value;
    return 0;
}

static int need_length(const char *path, unsigned found, unsigned expected, const char *why, const tl_complaint *to)
{
    if (found == expected) {
        return 0;
    }
    char text[32];
    (void)snprintf(text, sizeof text, "%u %s", found, found == 1 ? "entry" : "entries");
    return tl_complain(to, path, found == 0 ? "nothing" : text, "%u %s (%s)", expected,
                       expected == 1 ? "entry" : "entries", why);
}

static int need_list(const char *path, char *const entries[], unsigned count, uint64_t max, uint64_t *out,
                     const tl_complaint *to)
{
    int status = 0;
    for (unsigned n = 0; n < count && status == 0; n++) {
        char entry_path[PATH_BYTES];
        (void)snprintf(entry_path, sizeof entry_path, "%s[%u]", path, n);
        status = need_unsigned(entry_path, entries[n], max, &out[n], to);
    }
    return status;
}

static int need_list_u32(const char *path, char *const entries[], unsigned count, uint32_t *out, const tl_complaint *to)
{
    uint64_t wide[TL_MAX_RANK] = {0};
    const int status = need_list(path, entries, count, UINT32_MAX, wide, to);
    for (unsigned n = 0; n < count && status == 0; n++) {
        out[n] = (uint32_t)wide[n];
    }
    return status;
}

static int read_rank(const tl_tensor_text *text, tl_tensor_params *params, const tl_complaint *to)
{
    const unsigned count = text->global_dim_count;
    if (count >= 1 && count <= TL_MAX_RANK) {
        params->rank = count;
        return 0;
    }
    char found[32];
    (void)snprintf(found, sizeof found, "%u entries", count);
    return tl_complain(to, "tensor.global_dim", count == 0 ? "nothing" : found, "1 to %d entries (the rank)",
                       TL_MAX_RANK);
}

static int read_shape(const tl_tensor_text *text, tl_tensor_params *params, const tl_complaint *to)
{
    static const char RANK[] = "the rank, the length of global_dim";
    int status = read_rank(text, params, to);
    if (status != 0) {
        return status;
    }
    const unsigned rank = params->rank;
    status = need_list("tensor.global_dim", text->global_dim, rank, UINT64_MAX, params->global_dim, to);
    if (status != 0) {
        return status;
    }
    status = need_length("tensor.global_strides", text->global_strides_count, rank - 1, "rank - 1", to);
    if (status != 0) {
        return status;
    }
    status = need_list("tensor.global_strides", text->global_strides, rank - 1, UINT64_MAX, params->global_strides, to);
    if (status != 0) {
        return status;
    }
    status = need_length("tensor.box_dim", text->box_dim_count, rank, RANK, to);
    if (status != 0) {
        return status;
    }
    status = need_list_u32("tensor.box_dim", text->box_dim, rank, params->box_dim, to);
    if (status != 0) {
        return status;
    }
    for (unsigned d = 0; d < rank; d++) {
        params->element_strides[d] = 1;
    }
    if (text->element_strides == NULL) {
        return 0;
    }
    status = need_length("tensor.element_strides", text->element_strides_count, rank, RANK, to);
    if (status != 0) {
        return status;
    }
    return need_list_u32("tensor.element_strides", text->element_strides, rank, params->element_strides, to);
}

static int read_data_type(const tl_tensor_text *text, tl_tensor_params *params, const tl_complaint *to)
{
    static const name_set data_types = {tl_data_type_names, TL_DATA_TYPE_COUNT, TL_16U4_ALIGN8B};
    int value = TL_UINT8;
    const int status = need_name("tensor.data_type", text->data_type, &data_types, &value, to);
    params->data_type = (tl_data_type)value;
    return status;
}

static int read_modes(const tl_tensor_text *text, tl_tensor_params *params, const tl_complaint *to)
{
    int interleave = TL_INTERLEAVE_NONE;
    int swizzle = TL_SWIZZLE_NONE;
    int l2_promotion = TL_L2_NONE;
    int oob_fill = TL_OOB_ZERO;
    const struct {
        const char *path, *text;
        name_set set;
        int *value;
    } modes[] = {
        {"tensor.interleave", text->interleave, {tl_interleave_names, TL_INTERLEAVE_COUNT, 1}, &interleave},
        {"tensor.swizzle", text->swizzle, {tl_swizzle_names, TL_SWIZZLE_COUNT, TL_SWIZZLE_COUNT}, &swizzle},
        {"tensor.l2_promotion",
         text->l2_promotion,
         {tl_l2_promotion_names, TL_L2_PROMOTION_COUNT, TL_L2_PROMOTION_COUNT},
         &l2_promotion},
        {"tensor.oob_fill", text->oob_fill, {tl_oob_fill_names, TL_OOB_FILL_COUNT, TL_OOB_FILL_COUNT}, &oob_fill},
    };
    for (size_t n = 0; n < sizeof modes / sizeof modes[0]; n++) {
        if (modes[n].text != NULL && need_name(modes[n].path, modes[n].text, &modes[n].set, modes[n].value, to) != 0) {
            return 2;
        }
    }
    params->interleave = (tl_interleave)interleave;
    params->swizzle = (tl_swizzle)swizzle;
    params->l2_promotion = (tl_l2_promotion)l2_promotion;
    params->oob_fill = (tl_oob_fill)oob_fill;
    return 0;
}

static int read_tensor(const tl_tensor_text *text, tl_tensor_params *params, const tl_complaint *to)
{
    int status = read_data_type(text, params, to);
    if (status == 0) {
        status = need_unsigned("tensor.global_address", text->global_address, UINT64_MAX, &params->global_address, to);
    }
    if (status == 0) {
        status = read_shape(text, params, to);
    }
    return status != 0 ? status : read_modes(text, params, to);
}

static int read_tile_major(const tl_tile_major_text *text, tl_tensor_params *params, const tl_complaint *to)
{
    tl_tile_major *tile = &params->tile_major;
    params->has_tile_major = true;
    tile->matrix_address = params->global_address;
    int status =
        need_unsigned("tile_major.leading_stride", text->leading_stride, UINT64_MAX, &tile->leading_stride_bytes, to);
    if (status == 0) {
        status = need_length("tile_major.memory_tile", text->memory_tile_count, 2, "a and b", to);
    }
    if (status == 0) {
        status = need_list_u32("tile_major.memory_tile", text->memory_tile, 2, tile->memory_tile, to);
    }
    if (status == 0 && text->matrix_address != NULL) {
        status =
            need_unsigned("tile_major.matrix_address", text->matrix_address, UINT64_MAX, &tile->matrix_address, to);
    }
    return status;
}

static int read_load(const tl_load_text *text, uint32_t rank, tl_load *load, const tl_complaint *to)
{
    int status =
        need_length("load.coordinates", text->coordinates_count, rank, "the rank, the length of global_dim", to);
    for (unsigned d = 0; d < rank && status == 0; d++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof path, "load.coordinates[%u]", d);
        status = need_coordinate(path, text->coordinates[d], &load->coordinates[d], to);
    }
    uint64_t shared_address = 0;
    if (status == 0) {
        status = need_unsigned("load.shared_address", text->shared_address, UINT32_MAX, &shared_address, to);
    }
    load->shared_address = (uint32_t)shared_address;
    return status;
}

int tl_case_values(const tl_case_text *text, tl_case *out, const tl_complaint *to)
{
    *out = (tl_case){.params = {.rank = 0}};
    if (text->tensor == NULL) {
        return tl_complain(to, "tensor", "nothing", "a mapping");
    }
    if (text->load == NULL) {
        return tl_complain(to, "load", "nothing", "a mapping");
    }
    int status = read_tensor(text->tensor, &out->params, to);
    if (status == 0 && text->tile_major != NULL) {
        status = read_tile_major(text->tile_major, &out->params, to);
    }
    return status != 0 ? status : read_load(text->load, out->params.rank, &out->load, to);
}
