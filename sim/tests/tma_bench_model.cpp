// SPDX-License-Identifier: Apache-2.0
#include "tma_bench_model.h"

#include <Vbare_tma_top.h>

namespace tilelens
{

uint64_t run_bare_model(const tl_tensor_map &map, tl_load (*load)(uint32_t number), uint64_t requests)
{
    VerilatedContext context;
    Vbare_tma_top model(&context, "");
    uint32_t number = 0;
    const auto offer = [&] {
        const tl_load next = load(number);
        for (unsigned d = 0; d < TL_MAX_RANK; d++) {
            model.load_coordinates_i[d] = static_cast<uint32_t>(next.coordinates[d]);
        }
        model.load_shared_address_i = next.shared_address;
        model.load_same_map_i = number++ != 0;
    };
    for (unsigned k = 0; k < 2 * TL_TENSOR_MAP_WORDS; k++) {
        model.load_tensor_map_i[k] = static_cast<uint32_t>(map.word[k / 2] >> (k % 2 * 32));
    }
    model.req_ready_i = 1;
    offer();
    uint64_t sum = 0;
    for (uint64_t cycle = 0; requests != 0; cycle++) {
        model.rst_ni = cycle != 0;
        model.load_valid_i = cycle != 0;
        model.clk_i = 0;
        model.eval();
        const bool load_taken = model.load_valid_i && model.load_ready_o;
        if (cycle != 0 && model.req_valid_o) {
            requests--;
            sum += model.req_src_address_o + model.req_dst_address_o + model.req_bytes_o + model.req_swizzle_xor_o;
        }
        model.clk_i = 1;
        model.eval();
        if (load_taken) {
            offer();
        }
    }
    model.final();
    return sum;
}

} // namespace tilelens
