// SPDX-License-Identifier: Apache-2.0
// A processor programs the TMA through its registers; memory is an array; a box arrives swizzled and is checked.
#include <tilelens/sim/tma/tma_module.h>
#include <tlm_utils/simple_initiator_socket.h>
using namespace tilelens;
struct array : sc_core::sc_module { // answers at once
    SC_CTOR(array) { in.register_b_transport(this, &array::move); }
    void move(tlm::tlm_generic_payload &trans, sc_core::sc_time &)
    {
        unsigned char *at = &bytes.at(trans.get_address()), *data = trans.get_data_ptr();
        std::memcpy(trans.is_read() ? data : at, trans.is_read() ? at : data, trans.get_data_length());
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm_utils::simple_target_socket<array> in;
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1 << 16);
};
struct processor : sc_core::sc_module {
    SC_CTOR(processor) { SC_THREAD(run); }
    void run()
    {
        const uint64_t dims[] = {256, 32}, strides[] = {256}; // a matrix of 256 x 32 bytes at 0x1000
        const uint32_t box[] = {64, 8}, steps[] = {1, 1};
        struct { // the register window up to the doorbell, in one write
            tl_tensor_map map;
            uint64_t map_address = 0;
            uint32_t shared_address = 0x400, mbarrier_address = 0, coordinates[5] = {128, 4};
            tma_doorbell doorbell = tma_doorbell::load_inline;
        } window;
        tl_tensor_map_encode_tiled(&window.map, TL_UINT8, 2, 0x1000, dims, strides, box, steps, TL_INTERLEAVE_NONE,
                                   TL_SWIZZLE_64B, TL_L2_NONE, TL_OOB_ZERO, nullptr);
        tlm::tlm_generic_payload trans;
        sc_core::sc_time delay;
        trans.set_write();
        trans.set_data_ptr(reinterpret_cast<unsigned char *>(&window));
        trans.set_data_length(sizeof window);
        trans.set_streaming_width(sizeof window);
        socket->b_transport(trans, delay);
    }
    tlm_utils::simple_initiator_socket<processor> socket;
};
int sc_main(int, char **)
{
    processor cpu("cpu");
    tma dma("dma", tma_config());
    array memory("memory"), shared("shared");
    cpu.socket.bind(dma.commands);
    dma.global.bind(memory.in);
    dma.shared.bind(shared.in);
    for (size_t k = 0; k < memory.bytes.size(); k++)
        memory.bytes[k] = static_cast<unsigned char>(k * 7 + k / 256);
    sc_core::sc_start();
    unsigned right = 0;
    for (unsigned k = 0; k < 512; k++) { // swizzle: address bits 5:4 ^= bits 8:7
        const unsigned at = 0x400 + k, from = 0x1000 + 256 * (4 + k / 64) + 128 + k % 64;
        right += shared.bytes[at ^ (at >> 3 & 0x30)] == memory.bytes[from];
    }
    std::cout << right << " bytes right, complete_tx counts " << shared.bytes[0] + 256 * shared.bytes[1] << "\n";
    return right != 512;
}
