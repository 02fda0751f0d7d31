// SPDX-License-Identifier: Apache-2.0
// A bus that translates addresses and leaves the translated one in the payload, as it may; grants of every kind behind
// it; and tensor maps at the end of the address space.
#include "tlm_suite.h"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "../tlm/sparse_memory.h"
#include "../tma/tma_module.h"
#include "tlm_monitor.h"
#include "tma_memories.h"

using namespace tilelens;

namespace
{

constexpr uint64_t far = 0x1000'0000'0000, matrix = 0x5000'0000'0000, map_at = 0x5100'0000'0000;
constexpr uint32_t rows = 32, row_bytes = 128, shared_at = 0x1000, mbarrier_at = 0x8000;

// Addresses behind it are lower by a distance.
class translating_bus final : public sc_core::sc_module
{
public:
    translating_bus(const sc_core::sc_module_name &name, uint64_t distance)
        : sc_module(name), in("in"), out("out"), m_distance(distance)
    {
        in.register_b_transport(this, &translating_bus::b_transport);
        in.register_nb_transport_fw(this, &translating_bus::nb_transport_fw);
        in.register_get_direct_mem_ptr(this, &translating_bus::get_direct_mem_ptr);
        out.register_nb_transport_bw(this, &translating_bus::nb_transport_bw);
        out.register_invalidate_direct_mem_ptr(this, &translating_bus::invalidate);
    }
    tlm_utils::simple_target_socket<translating_bus> in;
    tlm_utils::simple_initiator_socket<translating_bus> out;

private:
    void translate(tlm::tlm_generic_payload &trans) const { trans.set_address(trans.get_address() - m_distance); }

    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        translate(trans);
        out->b_transport(trans, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        if (phase == tlm::BEGIN_REQ) {
            translate(trans);
        }
        return out->nb_transport_fw(trans, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        return in->nb_transport_bw(trans, phase, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        translate(trans);
        const bool granted = out->get_direct_mem_ptr(trans, dmi);
        dmi.set_start_address(dmi.get_start_address() + m_distance);
        dmi.set_end_address(dmi.get_end_address() + m_distance);
        return granted;
    }
    void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end)
    {
        in->invalidate_direct_mem_ptr(begin + m_distance, end + m_distance);
    }

    const uint64_t m_distance;
};

enum class grant { none, page, part, reads };

// Answers at once. Grants pages of 4096 bytes, or parts that are shorter than an access, or pages for reads alone.
class memory final : public sc_core::sc_module
{
public:
    memory(const sc_core::sc_module_name &name, grant grants) : sc_module(name), socket("socket"), m_grants(grants)
    {
        socket.register_b_transport(this, &memory::b_transport);
        socket.register_get_direct_mem_ptr(this, &memory::get_direct_mem_ptr);
    }
    tlm_utils::simple_target_socket<memory> socket;
    sparse_memory contents;
    uint64_t bad_address = 1; // of an access that fails
    unsigned calls = 0, writes = 0, asked = 0;
    bool silent = false; // no hint any more that it would grant

private:
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
    {
        calls++;
        writes += trans.is_write();
        contents.perform(trans);
        delay += sc_core::sc_time(10, sc_core::SC_NS);
        if (!silent) {
            trans.set_dmi_allowed(m_grants != grant::none);
        }
        trans.set_response_status(trans.get_address() == bad_address ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                                     : tlm::TLM_OK_RESPONSE);
    }

    bool get_direct_mem_ptr(tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        const uint64_t bytes = m_grants == grant::part ? 32 : 4096, begin = trans.get_address() / bytes * bytes;
        asked++;
        m_granted[begin].resize(bytes);
        contents.read(begin, m_granted[begin].data(), bytes);
        dmi.init();
        dmi.set_dmi_ptr(m_granted[begin].data());
        dmi.set_start_address(begin);
        dmi.set_end_address(begin + bytes - 1);
        dmi.set_granted_access(m_grants == grant::reads ? tlm::tlm_dmi::DMI_ACCESS_READ
                                                        : tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
        return true;
    }

    const grant m_grants;
    std::map<uint64_t, std::vector<unsigned char>> m_granted;
};

tl_tensor_map matrix_map()
{
    const uint64_t dims[] = {1024, 512}, strides[] = {1024};
    const uint32_t box[] = {row_bytes, rows}, steps[] = {1, 1};
    tl_tensor_map map;
    ck_assert_int_eq(tl_tensor_map_encode_tiled(&map, TL_UINT8, 2, matrix, dims, strides, box, steps, TL_INTERLEAVE_NONE,
                                                TL_SWIZZLE_NONE, TL_L2_NONE, TL_OOB_ZERO, nullptr),
                     TL_OK);
    return map;
}

struct bench final : sc_core::sc_module, tlm::tlm_analysis_if<tma_completion> {
    bench(const sc_core::sc_module_name &name, const tma_config &config, grant grants = grant::none,
          uint64_t distance = far)
        : sc_module(name), dut("dut", config), global_bus("global_bus", distance), shared_bus("shared_bus", 0),
          global_monitor("global_monitor"), shared_monitor("shared_monitor"), global("global", grants),
          shared("shared", grants), m_distance(distance)
    {
        dut.global.bind(global_bus.in);
        global_bus.out.bind(global_monitor.in);
        global_monitor.out.bind(global.socket);
        dut.shared.bind(shared_bus.in);
        shared_bus.out.bind(shared_monitor.in);
        shared_monitor.out.bind(shared.socket);
        dut.completions.bind(*this);
        for (uint32_t k = 0; k < 1024 * rows; k++) {
            const auto byte = static_cast<unsigned char>(k * 13 + k / 1000);
            global.contents.write(matrix - distance + k, &byte, 1);
        }
    }

    // address: of the tensor map; 0: inline.
    void issue(uint64_t address)
    {
        tma_command command;
        command.map = matrix_map();
        command.inline_map = address == 0;
        command.map_address = address;
        command.load = {{0, 0}, shared_at};
        command.mbarrier_address = mbarrier_at;
        const auto bytes = bytes_of_map(command.map);
        global.contents.write(address - m_distance, bytes.data(), bytes.size());
        dut.issue(command);
    }

    void run()
    {
        sc_core::sc_start();
        for (tlm_monitor *monitor : {&global_monitor, &shared_monitor}) {
            monitor->expect_all_ended();
            ck_assert_msg(monitor->violations().empty(), "%s", monitor->violations().front().text.c_str());
        }
    }

    void expect_box() const
    {
        for (uint32_t k = 0; k < rows; k++) {
            unsigned char expected[row_bytes], found[row_bytes];
            global.contents.read(matrix - m_distance + 1024 * k, expected, row_bytes);
            shared.contents.read(shared_at + row_bytes * k, found, row_bytes);
            ck_assert_mem_eq(found, expected, row_bytes);
        }
    }

    void write(const tma_completion &completion) override { done.push_back(completion); }

    tma dut;
    translating_bus global_bus, shared_bus;
    tlm_monitor global_monitor, shared_monitor;
    memory global, shared;
    std::vector<tma_completion> done;

private:
    const uint64_t m_distance;
};

// Timing and engine by two bits, the tensor map by a third.
tma_config config_of(int n)
{
    tma_config config;
    config.timing = n % 2 == 0 ? tma_timing::approximate : tma_timing::loose;
    config.engine = n / 2 % 2 == 1 && make_rtl_engine(TL_GENERAL) != nullptr ? tma_engine::rtl : tma_engine::c;
    config.access_bytes = 64; // a map is two reads
    return config;
}

START_TEST(a_translated_load_arrives)
{
    bench bench("bench", config_of(_i));
    bench.issue(_i / 4 == 0 ? 0 : map_at);
    bench.run();
    ck_assert_uint_eq(bench.done.size(), 1);
    ck_assert_int_eq(static_cast<int>(bench.done[0].fault), static_cast<int>(tma_fault::none));
    bench.expect_box();
}
END_TEST

// The address of a fault is the one that the TMA has sent.
START_TEST(a_translated_fault_keeps_its_address)
{
    bench bench("bench", config_of(_i));
    const uint64_t bad = _i / 4 == 0 ? matrix + 1024 * 3 + 64 : map_at + 64;
    bench.global.bad_address = bad - far;
    bench.issue(map_at);
    bench.run();
    ck_assert_int_eq(static_cast<int>(bench.done[0].fault),
                     static_cast<int>(_i / 4 == 0 ? tma_fault::data_read : tma_fault::map_read));
    ck_assert_int_eq(bench.done[0].response, tlm::TLM_GENERIC_ERROR_RESPONSE);
    ck_assert_uint_eq(bench.done[0].address, bad);
}
END_TEST

// The last map there is, and one that goes on at address 0.
START_TEST(a_map_at_the_end_of_memory_is_read)
{
    bench bench("bench", config_of(_i), grant::none, 0);
    bench.issue(_i / 4 == 0 ? UINT64_C(0xffffffffffffff80) : UINT64_C(0xffffffffffffffc0));
    bench.run();
    ck_assert_uint_eq(bench.done.size(), 1);
    ck_assert_int_eq(static_cast<int>(bench.done[0].fault), static_cast<int>(tma_fault::none));
    bench.expect_box();
}
END_TEST

// ---- grants ----

tma_config loose_config()
{
    tma_config config = config_of(1);
    config.access_bytes = config.sector_bytes = 128;
    return config;
}

constexpr unsigned accesses = 32; // of a load: rows of 128 bytes; as many writes, and one more for the mbarrier

START_TEST(a_translated_grant_is_used)
{
    bench bench("bench", loose_config(), grant::page);
    bench.issue(0);
    bench.issue(0);
    bench.run();
    ck_assert_uint_eq(bench.global.calls, 1024 * rows / 4096); // one a page
    ck_assert_uint_eq(bench.global.asked, bench.global.calls);
    ck_assert_uint_eq(bench.shared.calls, 2); // box and mbarrier
}
END_TEST

// Shorter than an access: of no use, and forgotten.
START_TEST(a_short_grant_is_not_used)
{
    bench bench("bench", loose_config(), grant::part);
    for (unsigned k = 0; k < 3; k++) {
        bench.issue(0);
    }
    bench.run();
    ck_assert_uint_eq(bench.global.calls, 3 * accesses);
    ck_assert_uint_eq(bench.shared.calls, 3 * accesses + 1); // that of the mbarrier is long enough
    bench.expect_box();
}
END_TEST

START_TEST(a_grant_of_reads_is_not_used_for_writes)
{
    bench bench("bench", loose_config(), grant::reads);
    bench.issue(0);
    bench.run();
    ck_assert_uint_eq(bench.global.calls, 1024 * rows / 4096);
    ck_assert_uint_eq(bench.shared.writes, accesses + 1);
    bench.expect_box();
}
END_TEST

// The hint of one transaction is not taken for that of the next one.
START_TEST(without_a_hint_nobody_asks)
{
    bench bench("bench", loose_config(), grant::part);
    bench.global.silent = bench.shared.silent = true;
    bench.issue(0);
    bench.run();
    ck_assert_uint_eq(bench.global.asked + bench.shared.asked, 0);
    bench.global.silent = bench.shared.silent = false;
    bench.issue(0);
    bench.run();
    const unsigned asked = bench.global.asked, asked_shared = bench.shared.asked;
    ck_assert_uint_eq(asked, accesses);
    bench.global.silent = bench.shared.silent = true;
    bench.issue(0);
    bench.run();
    ck_assert_uint_eq(bench.global.asked, asked);
    ck_assert_uint_eq(bench.shared.asked, asked_shared);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("bus");
    tcase_add_loop_test(tests, a_translated_load_arrives, 0, 8);
    tcase_add_loop_test(tests, a_translated_fault_keeps_its_address, 0, 8);
    tcase_add_loop_test(tests, a_map_at_the_end_of_memory_is_read, 0, 8);
    tcase_add_test(tests, a_translated_grant_is_used);
    tcase_add_test(tests, a_short_grant_is_not_used);
    tcase_add_test(tests, a_grant_of_reads_is_not_used_for_writes);
    tcase_add_test(tests, without_a_hint_nobody_asks);
    return tests;
}
