// SPDX-License-Identifier: Apache-2.0
#include "case_text.h"

#include <cinttypes>
#include <cstdio>

#include "case_names.h"

namespace cosim
{

namespace
{

std::string hex(uint64_t value)
{
    char text[32];
    std::snprintf(text, sizeof text, "0x%" PRIx64, value);
    return text;
}

template <typename Number> std::string list(const Number *values, uint32_t count)
{
    std::string text = "[";
    for (uint32_t k = 0; k < count; k++)
        text += (k == 0 ? "" : ", ") + std::to_string(values[k]);
    return text + "]";
}

} // namespace

std::string case_text(const Stimulus &stimulus)
{
    const tl_tensor_params &p = stimulus.params;
    std::string text = "tensor:\n";
    const auto line = [&text](const char *key, const std::string &value) {
        text += std::string("  ") + key + ": " + value + "\n";
    };
    line("data_type", tl_data_type_names[p.data_type]);
    line("global_address", hex(p.global_address));
    line("global_dim", list(p.global_dim, p.rank));
    line("global_strides", list(p.global_strides, p.rank - 1));
    line("box_dim", list(p.box_dim, p.rank));
    line("element_strides", list(p.element_strides, p.rank));
    line("interleave", tl_interleave_names[p.interleave]);
    line("swizzle", tl_swizzle_names[p.swizzle]);
    line("l2_promotion", tl_l2_promotion_names[p.l2_promotion]);
    line("oob_fill", tl_oob_fill_names[p.oob_fill]);
    if (p.has_tile_major) {
        text += "tile_major:\n";
        line("leading_stride", std::to_string(p.tile_major.leading_stride_bytes));
        line("memory_tile", list(p.tile_major.memory_tile, 2));
        line("matrix_address", hex(p.tile_major.matrix_address));
    }
    text += "load:\n";
    line("coordinates", list(stimulus.load.coordinates, p.rank));
    line("shared_address", hex(stimulus.load.shared_address));
    return text;
}

} // namespace cosim
