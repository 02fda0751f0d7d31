// SPDX-License-Identifier: Apache-2.0
// The command socket: registers by b_transport and by nb_transport, what the base protocol allows and refuses there.
#include "tlm_suite.h"

#include "../tlm/sim_time.h"
#include "tma_bench.h"
#include "tma_processor.h"

using namespace tilelens;

namespace
{

tma_job small_job()
{
    tma_job job{{}, {}, true};
    tl_tensor_params &params = job.params;
    params.data_type = TL_UINT8;
    params.rank = 2;
    params.global_address = 0x10000;
    params.global_dim[0] = 256;
    params.global_dim[1] = 64;
    params.global_strides[0] = 256;
    params.box_dim[0] = 64;
    params.box_dim[1] = 8;
    params.element_strides[0] = params.element_strides[1] = 1;
    params.swizzle = TL_SWIZZLE_64B;
    ck_assert_int_eq(tl_tensor_map_encode(&job.command.map, &params), TL_OK);
    job.command.load = {{16, -3}, 0x400};
    job.command.mbarrier_address = 0x40;
    job.command.map_address = global_memory::map_address(3);
    return job;
}

// The program runs, its accesses and those of the TMA keep the protocol, and the loads that the jobs say arrive.
void run(const std::vector<tma_job> &jobs, const std::function<void(processor &, tma_bench &)> &program,
         const tma_config &config = {})
{
    tma_bench bench("bench", config, 5, 100000);
    tlm_monitor monitor("monitor");
    processor cpu("cpu", [&](processor &of) { program(of, bench); });
    cpu.socket.bind(monitor.in);
    monitor.out.bind(bench.dut.commands);
    for (const tma_job &job : jobs) {
        bench.global.put_map(job.command.map_address, job.command.map);
        bench.expect(job);
    }
    sc_core::sc_start();
    ck_assert_msg(cpu.at_end, "the program hangs");
    const std::string verdict = bench.verdict();
    ck_assert_msg(verdict.empty(), "%s", verdict.c_str());
    monitor.expect_all_ended();
    ck_assert_msg(monitor.violations().empty(), "%s", monitor.violations().front().text.c_str());
}

tma_job with(tma_job job, bool inline_map)
{
    job.command.inline_map = inline_map;
    return job;
}

START_TEST(registers_start_a_load)
{
    const bool inline_map = _i == 1;
    const tma_job job = with(small_job(), inline_map);
    run({job}, [&](processor &cpu, tma_bench &bench) {
        cpu.write_load(job.command);
        cpu.ring(inline_map ? tma_doorbell::load_inline : tma_doorbell::load);
        ck_assert_uint_eq(cpu.read(tma_register::issued, 8), 1);
        cpu.wait_for(1);
        ck_assert_uint_eq(cpu.read(tma_register::failed, 8), 0);
        ck_assert_uint_eq(cpu.read(tma_register::fault, 4), 0);
        ck_assert_uint_eq(bench.map_reads.size(), inline_map ? 0 : 1);
        ck_assert_uint_eq(bench.shared.barriers.size(), 1);
        ck_assert_uint_eq(bench.shared.barrier_addresses[0], 0x40);
        ck_assert_uint_eq(bench.shared.barriers[0].bytes, 64 * 8);
    });
}
END_TEST

// One burst over all registers, the doorbell last.
START_TEST(one_write_starts_a_load)
{
    const tma_job job = with(small_job(), true);
    run({job}, [&](processor &cpu, tma_bench &) {
        uint8_t bytes[tma_register::write_end];
        cpu.write_load(job.command);
        ck_assert_int_eq(cpu.access(tlm::TLM_READ_COMMAND, 0, bytes, sizeof bytes), tlm::TLM_OK_RESPONSE);
        cpu.write(tma_register::coordinates, uint32_t{0});
        bytes[tma_register::doorbell] = static_cast<uint8_t>(tma_doorbell::load_inline);
        ck_assert_int_eq(cpu.access(tlm::TLM_WRITE_COMMAND, 0, bytes, sizeof bytes), tlm::TLM_OK_RESPONSE);
        cpu.wait_for(1);
    });
}
END_TEST

START_TEST(other_doorbells_do_what_they_say)
{
    const tma_job job = small_job();
    tma_job prefetch = job;
    prefetch.command.operation = tma_operation::prefetch;
    run({prefetch, job, job}, [&](processor &cpu, tma_bench &bench) {
        cpu.write_load(job.command);
        cpu.ring(tma_doorbell::prefetch);
        cpu.wait_for(1);
        ck_assert_uint_gt(bench.reads.size(), 0);
        ck_assert_uint_eq(bench.shared.barriers.size(), 0);
        cpu.ring(tma_doorbell::load);
        cpu.wait_for(2);
        ck_assert_uint_eq(bench.map_reads.size(), 1);
        cpu.ring(tma_doorbell::invalidate_map);
        cpu.ring(tma_doorbell::load);
        cpu.wait_for(3);
        ck_assert_uint_eq(bench.map_reads.size(), 2);
    });
}
END_TEST

START_TEST(fault_registers_keep_the_first_fault)
{
    tma_job bad = small_job(), worse = small_job();
    bad.legal = worse.legal = false;
    bad.command.load.coordinates[0] = 3;
    worse.command.load.shared_address = 8;
    run({bad, worse, worse}, [&](processor &cpu, tma_bench &) {
        cpu.write_load(bad.command);
        cpu.ring(tma_doorbell::load);
        cpu.write_load(worse.command);
        cpu.ring(tma_doorbell::load);
        cpu.wait_for(2);
        ck_assert_uint_eq(cpu.read(tma_register::failed, 8), 2);
        ck_assert_uint_eq(cpu.read(tma_register::fault, 4), static_cast<uint32_t>(tma_fault::refused));
        ck_assert_uint_eq(cpu.read(tma_register::fault_status, 4), TL_ERR_COORDINATE_ALIGN);
        ck_assert_uint_eq(cpu.read(tma_register::fault_ticket, 8), 1);
        cpu.ring(tma_doorbell::clear_fault);
        ck_assert_uint_eq(cpu.read(tma_register::fault, 4), 0);
        cpu.ring(tma_doorbell::load);
        cpu.wait_for(3);
        ck_assert_uint_eq(cpu.read(tma_register::fault_status, 4), TL_ERR_SHARED_ADDRESS_ALIGN);
        ck_assert_uint_eq(cpu.read(tma_register::fault_ticket, 8), 3);
    });
}
END_TEST

START_TEST(failed_read_is_in_the_registers)
{
    run({small_job()}, [&](processor &cpu, tma_bench &bench) {
        bench.global.failing = {128, 1};
        cpu.write_load(small_job().command);
        cpu.ring(tma_doorbell::load);
        cpu.wait_for(1);
        ck_assert_uint_eq(cpu.read(tma_register::fault, 4), static_cast<uint32_t>(tma_fault::data_read));
        ck_assert_int_eq(static_cast<int32_t>(cpu.read(tma_register::fault_response, 4)),
                         tlm::TLM_GENERIC_ERROR_RESPONSE);
        ck_assert_uint_eq(cpu.read(tma_register::fault_address, 8), 0x10000);
        ck_assert_uint_eq(bench.shared.barriers.size(), 0);
    });
}
END_TEST

START_TEST(refused_accesses)
{
    run({}, [&](processor &cpu, tma_bench &) {
        uint8_t bytes[16] = {};
        ck_assert_int_eq(cpu.access(tlm::TLM_READ_COMMAND, tma_register::read_end, bytes, 4),
                         tlm::TLM_ADDRESS_ERROR_RESPONSE);
        ck_assert_int_eq(cpu.access(tlm::TLM_READ_COMMAND, tma_register::read_end - 4, bytes, 8),
                         tlm::TLM_ADDRESS_ERROR_RESPONSE);
        ck_assert_int_eq(cpu.access(tlm::TLM_READ_COMMAND, UINT64_MAX, bytes, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        ck_assert_int_eq(cpu.access(tlm::TLM_WRITE_COMMAND, tma_register::issued, bytes, 8),
                         tlm::TLM_COMMAND_ERROR_RESPONSE);
        ck_assert_int_eq(cpu.access(tlm::TLM_IGNORE_COMMAND, 0, bytes, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
        const uint32_t unknown = 99;
        std::memcpy(bytes, &unknown, sizeof unknown);
        ck_assert_int_eq(cpu.access(tlm::TLM_WRITE_COMMAND, tma_register::doorbell, bytes, 4),
                         tlm::TLM_GENERIC_ERROR_RESPONSE);
        ck_assert_uint_eq(cpu.read(tma_register::issued, 8), 0);
    });
}
END_TEST

START_TEST(byte_enables_and_streaming_are_honoured)
{
    run({}, [&](processor &cpu, tma_bench &) {
        uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        uint8_t enables[2] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
        cpu.write(tma_register::map_address, uint64_t{0});
        ck_assert_int_eq(cpu.access(tlm::TLM_WRITE_COMMAND, tma_register::map_address, bytes, 8, 0, enables, 2),
                         tlm::TLM_OK_RESPONSE);
        ck_assert_uint_eq(cpu.read(tma_register::map_address, 8), 0x0007000500030001);
        ck_assert_int_eq(cpu.access(tlm::TLM_WRITE_COMMAND, tma_register::map_address, bytes, 8, 4),
                         tlm::TLM_OK_RESPONSE);
        ck_assert_uint_eq(cpu.read(tma_register::map_address, 8), 0x0007000508070605);
    });
}
END_TEST

START_TEST(debug_access_has_no_effect)
{
    run({}, [&](processor &cpu, tma_bench &) {
        tlm::tlm_generic_payload trans;
        auto value = static_cast<uint32_t>(tma_doorbell::load);
        processor::set_up(trans, tlm::TLM_WRITE_COMMAND, tma_register::doorbell, &value, 4);
        ck_assert_uint_eq(cpu.socket->transport_dbg(trans), 4);
        ck_assert_uint_eq(cpu.read(tma_register::issued, 8), 0);
        ck_assert_uint_eq(cpu.read(tma_register::doorbell, 4), value);
    });
}
END_TEST

// A doorbell that is rung while the queue is full waits, and nothing is lost.
START_TEST(full_queue_holds_the_doorbell)
{
    tma_config config;
    config.queue_entries = 2;
    const tma_job job = with(small_job(), true);
    std::vector<tma_job> jobs(6, job);
    for (uint32_t k = 0; k < 6; k++) {
        jobs[k].command.load.shared_address = 0x800 * k;
    }
    run(
        jobs,
        [&](processor &cpu, tma_bench &) {
            cpu.delay = sc_core::sc_time(_i * 10, sc_core::SC_NS);
            for (const tma_job &each : jobs) {
                cpu.write_load(each.command);
                cpu.ring(tma_doorbell::load_inline);
            }
            ck_assert_uint_gt(now_ps(), 0);
            cpu.wait_for(6);
        },
        config);
}
END_TEST

// By phases: at once; after an annotated delay; and held by a full queue; the response ended in each legal way.
START_TEST(phases_of_the_command_socket)
{
    const tlm::tlm_sync_enum answers[] = {tlm::TLM_COMPLETED, tlm::TLM_UPDATED, tlm::TLM_ACCEPTED};
    tma_config config;
    config.queue_entries = 1;
    std::vector<tma_job> jobs(2, with(small_job(), true));
    jobs[1].command.load.shared_address = 0x1000;
    run(
        jobs,
        [&](processor &cpu, tma_bench &) {
            cpu.answer_to_response = answers[_i];
            uint64_t value = 0;
            info_payload &at_once = cpu.pool.take(), &late = cpu.pool.take();
            processor::set_up(at_once, tlm::TLM_READ_COMMAND, tma_register::issued, &value, 8);
            ck_assert(cpu.send(at_once, sc_core::SC_ZERO_TIME));
            processor::set_up(late, tlm::TLM_READ_COMMAND, tma_register::queue_free, &value, 4);
            const uint64_t begin = now_ps();
            ck_assert(!cpu.send(late, sc_core::sc_time(30, sc_core::SC_NS)));
            ck_assert_uint_ge(now_ps(), begin + 30000);
            ck_assert_uint_eq(value, 1);
            at_once.release();
            late.release();
            for (unsigned k = 0; k < 2; k++) {
                auto ring = static_cast<uint32_t>(tma_doorbell::load_inline);
                info_payload &bell = cpu.pool.take();
                cpu.write_load(jobs[k].command);
                processor::set_up(bell, tlm::TLM_WRITE_COMMAND, tma_register::doorbell, &ring, 4);
                ck_assert_int_eq(cpu.send(bell, sc_core::SC_ZERO_TIME), k == 0);
                ck_assert_int_eq(bell.get_response_status(), tlm::TLM_OK_RESPONSE);
                bell.release();
            }
            cpu.wait_for(2);
        },
        config);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("registers");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, registers_start_a_load, 0, 2);
    tcase_add_test(tests, one_write_starts_a_load);
    tcase_add_test(tests, other_doorbells_do_what_they_say);
    tcase_add_test(tests, fault_registers_keep_the_first_fault);
    tcase_add_test(tests, failed_read_is_in_the_registers);
    tcase_add_test(tests, refused_accesses);
    tcase_add_test(tests, byte_enables_and_streaming_are_honoured);
    tcase_add_test(tests, debug_access_has_no_effect);
    tcase_add_loop_test(tests, full_queue_holds_the_doorbell, 0, 2);
    tcase_add_loop_test(tests, phases_of_the_command_socket, 0, 3);
    return tests;
}
