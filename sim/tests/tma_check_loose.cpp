// SPDX-License-Identifier: Apache-2.0
// Loosely timed: DMI where it is granted, revoked or denied, and time ahead by the global quantum at most.
#include "tlm_suite.h"

#include <tlm_utils/simple_target_socket.h>

#include "../tlm/sim_time.h"
#include "../tma/tma_module.h"
#include "tlm_monitor.h"

using namespace tilelens;

namespace
{

constexpr uint64_t memory_bytes = 1 << 20, clock_ps = 1000, read_ps = 100000;
constexpr uint32_t row_bytes = 128, rows = 32;

// An array that grants DMI to all of itself, or to reads of its lower half.
class array final : public sc_core::sc_module
{
public:
    array(const sc_core::sc_module_name &name, bool grants) : sc_module(name), socket("socket"), m_grants(grants)
    {
        socket.register_b_transport(this, &array::b_transport);
        socket.register_get_direct_mem_ptr(this, &array::get_direct_mem_ptr);
    }

    tlm_utils::simple_target_socket<array> socket;
    std::vector<unsigned char> bytes = std::vector<unsigned char>(memory_bytes);
    uint64_t calls = 0, latest_ps = 0, furthest_ahead_ps = 0;

private:
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        unsigned char *at = &bytes.at(trans.get_address());
        calls++;
        furthest_ahead_ps = std::max<uint64_t>(furthest_ahead_ps, delay.value());
        latest_ps = std::max<uint64_t>(latest_ps, now_ps() + delay.value());
        std::memcpy(trans.is_read() ? trans.get_data_ptr() : at, trans.is_read() ? at : trans.get_data_ptr(),
                    trans.get_data_length());
        delay += time_of(read_ps);
        trans.set_dmi_allowed(m_grants);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &dmi)
    {
        dmi.set_dmi_ptr(bytes.data());
        dmi.set_start_address(0);
        dmi.set_end_address(memory_bytes - 1);
        dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
        dmi.set_read_latency(time_of(read_ps));
        dmi.set_write_latency(time_of(read_ps));
        return m_grants;
    }

    const bool m_grants;
};

class loose_bench final : public sc_core::sc_module, public tlm::tlm_analysis_if<tma_completion>
{
public:
    loose_bench(const sc_core::sc_module_name &name, bool grants, uint64_t quantum_ps)
        : sc_module(name), memory("memory", grants), shared("shared", grants), memory_monitor("memory_monitor"),
          shared_monitor("shared_monitor"), dut("tma", config())
    {
        tlm::tlm_global_quantum::instance().set(time_of(quantum_ps));
        dut.global.bind(memory_monitor.in);
        memory_monitor.out.bind(memory.socket);
        dut.shared.bind(shared_monitor.in);
        shared_monitor.out.bind(shared.socket);
        dut.completions.bind(*this);
        for (uint64_t k = 0; k < memory_bytes; k++) {
            memory.bytes[k] = static_cast<unsigned char>(k * 13 + k / 1000);
        }
    }

    void issue(int32_t row)
    {
        const uint64_t dims[] = {1024, 512}, strides[] = {1024};
        const uint32_t box[] = {row_bytes, rows}, steps[] = {1, 1};
        tma_command command;
        ck_assert_int_eq(tl_tensor_map_encode_tiled(&command.map, TL_UINT8, 2, 0x8000, dims, strides, box, steps,
                                                    TL_INTERLEAVE_NONE, TL_SWIZZLE_NONE, TL_L2_NONE, TL_OOB_ZERO,
                                                    nullptr),
                         TL_OK);
        command.inline_map = true;
        command.load = {{0, row}, static_cast<uint32_t>(row) * row_bytes};
        command.mbarrier_address = memory_bytes - 64;
        dut.issue(command);
    }

    void run()
    {
        sc_core::sc_start();
        for (const tlm_monitor *monitor : {&memory_monitor, &shared_monitor}) {
            ck_assert_msg(monitor->violations().empty(), "%s", monitor->violations().front().text.c_str());
        }
    }

    void expect_box(int32_t row) const
    {
        for (uint32_t k = 0; k < rows; k++) {
            const uint64_t from = 0x8000 + 1024 * (static_cast<uint64_t>(row) + k);
            const uint64_t to = (static_cast<uint64_t>(row) + k) * row_bytes;
            ck_assert_int_eq(std::memcmp(&memory.bytes[from], &shared.bytes[to], row_bytes), 0);
        }
    }

    void write(const tma_completion &done) override
    {
        ck_assert_int_eq(static_cast<int>(done.fault), static_cast<int>(tma_fault::none));
        end_ps.push_back(now_ps());
        on_completion();
    }

    array memory, shared;
    tlm_monitor memory_monitor, shared_monitor;
    tma dut;
    std::vector<uint64_t> end_ps;
    std::function<void()> on_completion = [] {};

private:
    static tma_config config()
    {
        tma_config out;
        out.timing = tma_timing::loose;
        out.clock_period = time_of(clock_ps);
        return out;
    }
};

START_TEST(dmi_replaces_calls)
{
    loose_bench bench("bench", _i == 1, 10000000);
    bench.issue(0);
    bench.issue(64);
    bench.run();
    bench.expect_box(0);
    bench.expect_box(64);
    ck_assert_uint_eq(bench.memory.calls, _i == 1 ? 1 : 2 * rows);
    ck_assert_uint_eq(bench.shared.calls, _i == 1 ? 1 : 2 * rows + 2);
}
END_TEST

START_TEST(revoked_dmi_is_not_used)
{
    loose_bench bench("bench", true, 0);
    bench.on_completion = [&] {
        if (bench.end_ps.size() == 1) {
            bench.memory.socket->invalidate_direct_mem_ptr(0x8000, 0x8000);
            bench.issue(64);
        }
    };
    bench.issue(0);
    bench.run();
    bench.expect_box(64);
    ck_assert_uint_eq(bench.memory.calls, 2);
}
END_TEST

// Set-up, a read each cycle, then a read's, a write's and the complete_tx's latency: with DMI or without, whatever the
// quantum.
START_TEST(time_is_that_of_the_targets)
{
    const uint64_t quanta_ps[] = {0, 50000, 1000000000};
    loose_bench bench("bench", _i / 3 == 1, quanta_ps[_i % 3]);
    bench.issue(0);
    bench.issue(64);
    bench.run();
    const uint64_t first_ps = (170 + rows - 1) * clock_ps + 3 * read_ps;
    ck_assert_uint_eq(bench.end_ps.size(), 2);
    ck_assert_uint_eq(bench.end_ps[0], first_ps);
    if (_i % 3 == 2) { // they overlap where the quantum is longer than a load
        ck_assert_uint_eq(bench.end_ps[1], first_ps + rows * clock_ps);
    } else {
        ck_assert_uint_le(bench.end_ps[1], 2 * first_ps);
    }
}
END_TEST

START_TEST(thread_runs_ahead_by_the_quantum)
{
    loose_bench bench("bench", false, 150000);
    bench.issue(0);
    bench.run();
    ck_assert_uint_le(bench.memory.furthest_ahead_ps, 150000);
    ck_assert_uint_gt(bench.memory.furthest_ahead_ps + bench.shared.furthest_ahead_ps, 0);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("loose");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, dmi_replaces_calls, 0, 2);
    tcase_add_test(tests, revoked_dmi_is_not_used);
    tcase_add_loop_test(tests, time_is_that_of_the_targets, 0, 6);
    tcase_add_test(tests, thread_runs_ahead_by_the_quantum);
    return tests;
}
