// SPDX-License-Identifier: Apache-2.0
// A processor that programs the registers of a TMA, by b_transport and by phases.
#ifndef TILELENS_SIM_TESTS_TMA_PROCESSOR_H
#define TILELENS_SIM_TESTS_TMA_PROCESSOR_H

#include <functional>
#include <systemc>
#include <tlm>

#include "../tlm/payload_pool.h"
#include "../tma/register_window.h"

namespace tilelens
{

// A processor: a thread of the test's own, with registers behind functions.
class processor final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<>
{
public:
    processor(const sc_core::sc_module_name &name, std::function<void(processor &)> program)
        : sc_module(name), socket("socket"), m_program(std::move(program))
    {
        socket.bind(*this);
        SC_THREAD(run);
    }
    SC_HAS_PROCESS(processor);

    tlm::tlm_initiator_socket<> socket;
    bool at_end = false;

    tlm::tlm_response_status access(tlm::tlm_command command, uint64_t address, void *data, unsigned bytes,
                                    unsigned streaming_width = 0, unsigned char *enables = nullptr,
                                    unsigned enable_bytes = 0)
    {
        tlm::tlm_generic_payload trans;
        set_up(trans, command, address, data, bytes);
        trans.set_streaming_width(streaming_width == 0 ? bytes : streaming_width);
        trans.set_byte_enable_ptr(enables);
        trans.set_byte_enable_length(enable_bytes);
        socket->b_transport(trans, delay);
        return trans.get_response_status();
    }
    template <typename Value> void write(uint64_t address, Value value)
    {
        ck_assert_int_eq(access(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value), tlm::TLM_OK_RESPONSE);
    }
    uint64_t read(uint64_t address, unsigned bytes)
    {
        uint64_t value = 0;
        ck_assert_int_eq(access(tlm::TLM_READ_COMMAND, address, &value, bytes), tlm::TLM_OK_RESPONSE);
        return value;
    }

    void write_load(const tma_command &command)
    {
        tma_command at = command;
        access(tlm::TLM_WRITE_COMMAND, tma_register::map, at.map.word, sizeof at.map);
        write(tma_register::map_address, command.map_address);
        write(tma_register::shared_address, command.load.shared_address);
        write(tma_register::mbarrier_address, command.mbarrier_address);
        access(tlm::TLM_WRITE_COMMAND, tma_register::coordinates, at.load.coordinates, sizeof at.load.coordinates);
    }
    void ring(tma_doorbell value) { write(tma_register::doorbell, static_cast<uint32_t>(value)); }
    void wait_for(uint64_t commands)
    {
        while (read(tma_register::completed, 8) < commands) {
            sc_core::wait(sc_core::sc_time(100, sc_core::SC_NS));
        }
    }

    // ---- by phases ----

    payload_pool<info_payload> pool;
    tlm::tlm_sync_enum answer_to_response = tlm::TLM_COMPLETED;
    sc_core::sc_event responded;

    static void set_up(tlm::tlm_generic_payload &trans, tlm::tlm_command command, uint64_t address, void *data,
                       unsigned bytes)
    {
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(static_cast<unsigned char *>(data));
        trans.set_data_length(bytes);
        trans.set_streaming_width(bytes);
        trans.set_byte_enable_ptr(nullptr);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }

    // Sends BEGIN_REQ and returns when the response is there. True: it came in the return.
    bool send(info_payload &trans, sc_core::sc_time at)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        const tlm::tlm_sync_enum result = socket->nb_transport_fw(trans, phase, at);
        if (result == tlm::TLM_COMPLETED) {
            return true;
        }
        sc_core::wait(responded);
        if (answer_to_response == tlm::TLM_ACCEPTED) {
            sc_core::wait(sc_core::sc_time(5, sc_core::SC_NS));
            phase = tlm::END_RESP;
            at = sc_core::SC_ZERO_TIME;
            ck_assert_int_eq(socket->nb_transport_fw(trans, phase, at), tlm::TLM_COMPLETED);
        }
        return false;
    }

    sc_core::sc_time delay;

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        if (phase == tlm::BEGIN_RESP) {
            responded.notify(sc_core::SC_ZERO_TIME);
            if (answer_to_response == tlm::TLM_UPDATED) {
                phase = tlm::END_RESP;
            }
            return answer_to_response;
        }
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void run()
    {
        m_program(*this);
        at_end = true;
    }

    const std::function<void(processor &)> m_program;
};

} // namespace tilelens
#endif
