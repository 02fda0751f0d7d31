// SPDX-License-Identifier: Apache-2.0
// A machine with one module that breaks the law: the run must fail, with exit status 1 and the name of what is wrong.
#include <unistd.h>

#include "tlm_machine.h"

using namespace tilelens;

namespace
{

const settings base = small_machine + small_workload + settings{"layout=row_major"};

// The machine with a faulty link behind one initiator.
struct faulty_machine {
    faulty_machine(const settings &keys, const std::string &initiator, fault_kind kind, uint64_t at)
        : fault("fault", kind, at), built(keys, [this, initiator](auto &from, auto &to) {
              if (from.name() == initiator) {
                  from.bind(fault.in);
                  fault.out.bind(to);
              } else {
                  from.bind(to);
              }
          })
    {
    }

    faulty_link fault;
    machine built;
};

struct verdict {
    int status;
    std::string text;
};

// check_run() and what it writes.
verdict judge(machine &machine)
{
    const tl_statistics &statistics = machine.run();
    char path[] = "/tmp/tlm_check_faults_XXXXXX";
    const int file = mkstemp(path), terminal = dup(STDERR_FILENO);
    ck_assert_int_ge(file, 0);
    std::remove(path);
    dup2(file, STDERR_FILENO);
    const int status = check_run("run.yaml", machine.system, statistics);
    dup2(terminal, STDERR_FILENO);
    char text[8192] = "";
    ck_assert_int_ge(pread(file, text, sizeof text - 1, 0), 0);
    return {status, text};
}

void expect_text(const verdict &found, const std::string &text)
{
    ck_assert_msg(found.text.find(text) != std::string::npos, "no '%s' in '%s'", text.c_str(), found.text.c_str());
}

void expect_one_line(const verdict &found)
{
    ck_assert_msg(found.text.find('\n') == found.text.size() - 1, "%s", found.text.c_str());
}

START_TEST(a_machine_without_a_fault_is_in_order)
{
    faulty_machine machine(base + system_named("h200_hbf"), "nobody", fault_kind::silent, 0);
    machine.fault.in.bind(machine.fault.out);
    const verdict found = judge(machine.built);
    ck_assert_int_eq(found.status, 0);
    ck_assert_str_eq(found.text.c_str(), "");
}
END_TEST

// ---- standstill ----

START_TEST(a_silent_channel_is_a_deadlock)
{
    static const char *const systems[] = {"h200_hbm", "h200_rome", "h200_hbf", "h200_hbf_sram"};
    faulty_machine machine(base + system_named(systems[_i]), "system.l2.channels_1", fault_kind::silent, 0);
    const verdict found = judge(machine.built);
    ck_assert_int_eq(found.status, 1);
    expect_text(found, "tilelens: run.yaml: deadlock: found nothing that could happen after ");
    expect_text(found, "SM 0, thread block 0, K-step ");
    expect_text(found, " reads of its tile\n");
    expect_text(found, "L2: ");
    expect_text(found, " requests to channels, which hold 0\n");
    expect_text(found, "requests_answered: found ");
}
END_TEST

START_TEST(a_silent_slice_is_a_deadlock)
{
    faulty_machine machine(base + system_named("h200_hbf"), "system.gpu.slices_2", fault_kind::silent, 0);
    const verdict found = judge(machine.built);
    ck_assert_int_eq(found.status, 1);
    expect_text(found, " reads of its tile\n");
    expect_text(found, "L2: 0 transactions wait for 0 requests to channels");
    expect_text(found, "tiles_delivered: found ");
}
END_TEST

// ---- one response too few, too many, or from the wrong hand; of the first, a middle, a late request ----

const uint64_t positions[] = {0, 7, 30};
constexpr int position_count = std::size(positions);

START_TEST(a_lost_answer_of_a_channel_is_missed)
{
    faulty_machine machine(base + system_named("h200_hbf"), "system.l2.channels_0", fault_kind::lost_response,
                           positions[_i]);
    const verdict found = judge(machine.built);
    ck_assert(machine.fault.happened());
    ck_assert_int_eq(found.status, 1);
    const tl_statistics &statistics = machine.built.system.settle();
    expect_text(found, "requests_answered: found " + std::to_string(statistics.sent.count - 1) + ", expected " +
                           std::to_string(statistics.sent.count));
}
END_TEST

START_TEST(a_second_answer_of_a_channel_is_counted)
{
    faulty_machine machine(base + system_named("h200_hbf"), "system.l2.channels_0", fault_kind::second_response,
                           positions[_i]);
    const verdict found = judge(machine.built);
    ck_assert(machine.fault.happened());
    ck_assert_int_eq(found.status, 1);
    expect_one_line(found);
    const tl_statistics &statistics = machine.built.system.settle();
    expect_text(found, "requests_answered: found " + std::to_string(statistics.sent.count + 1) + ", expected " +
                           std::to_string(statistics.sent.count));
}
END_TEST

START_TEST(an_answer_without_a_read_is_counted)
{
    faulty_machine machine(base + system_named("h200_hbf"), "system.l2.channels_0", fault_kind::own_answer,
                           positions[_i]);
    const verdict found = judge(machine.built);
    ck_assert(machine.fault.happened());
    ck_assert_int_eq(found.status, 1);
    expect_one_line(found);
    expect_text(found, "channel_reads: found ");
}
END_TEST

START_TEST(an_error_of_a_channel_ends_the_run)
{
    faulty_machine machine(base + system_named("h200_hbf") + settings{"prefetch=none"}, "system.l2.channels_0",
                           fault_kind::error_response, positions[_i]);
    const verdict found = judge(machine.built);
    ck_assert_int_eq(found.status, 2);
    expect_one_line(found);
    expect_text(found, "tilelens: run.yaml: address ");
    expect_text(found, "found TLM_GENERIC_ERROR_RESPONSE, expected a read that the memory system can serve");
}
END_TEST

// Nobody waits for a prefetch: its error is found at the end.
START_TEST(an_error_of_a_prefetch_fails_the_run)
{
    faulty_machine machine(base + system_named("h200_hbf") + settings{"prefetch=forced", "forced_degree=4"},
                           "system.l2.channels_0", fault_kind::error_response, 12);
    const verdict found = judge(machine.built);
    ck_assert_int_eq(found.status, 1);
    expect_one_line(found);
    expect_text(found, "refused_requests: found 1, expected 0");
}
END_TEST

START_TEST(a_lost_answer_of_the_l2_is_missed)
{
    faulty_machine machine(base + system_named("h200_hbm"), "system.gpu.slices_0", fault_kind::lost_response,
                           positions[_i]);
    const verdict found = judge(machine.built);
    ck_assert(machine.fault.happened());
    ck_assert_int_eq(found.status, 1);
    expect_text(found, "waits for 1 reads of its tile\n");
    expect_text(found, "tiles_delivered: found ");
}
END_TEST

START_TEST(a_second_answer_of_the_l2_is_counted)
{
    faulty_machine machine(base + system_named("h200_hbm"), "system.gpu.slices_0", fault_kind::second_response,
                           positions[_i]);
    const verdict found = judge(machine.built);
    ck_assert(machine.fault.happened());
    ck_assert_int_eq(found.status, 1);
    expect_text(found, "tma_delivered_bytes: found ");
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("faults");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_machine_without_a_fault_is_in_order);
    tcase_add_loop_test(tests, a_silent_channel_is_a_deadlock, 0, 4);
    tcase_add_test(tests, a_silent_slice_is_a_deadlock);
    tcase_add_loop_test(tests, a_lost_answer_of_a_channel_is_missed, 0, position_count);
    tcase_add_loop_test(tests, a_second_answer_of_a_channel_is_counted, 0, position_count);
    tcase_add_loop_test(tests, an_answer_without_a_read_is_counted, 0, position_count);
    tcase_add_loop_test(tests, an_error_of_a_channel_ends_the_run, 0, position_count);
    tcase_add_test(tests, an_error_of_a_prefetch_fails_the_run);
    tcase_add_loop_test(tests, a_lost_answer_of_the_l2_is_missed, 0, position_count);
    tcase_add_loop_test(tests, a_second_answer_of_the_l2_is_counted, 0, position_count);
    return tests;
}
