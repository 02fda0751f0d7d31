// SPDX-License-Identifier: Apache-2.0
// The monitor of the other tests: silent on every legal order of phases, and it names each rule that is broken.
#include "tlm_suite.h"

#include <functional>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <utility>

#include "../tlm/payload_pool.h"
#include "tlm_monitor.h"

using namespace tilelens;

namespace
{

const sc_core::sc_time none = sc_core::SC_ZERO_TIME;
const sc_core::sc_time ns(1, sc_core::SC_NS);

// An initiator and a target whose hands the test moves, with the monitor between.
struct bench final : sc_core::sc_module {
    explicit bench(const sc_core::sc_module_name &name)
        : sc_module(name), initiator("initiator"), target("target"), monitor("monitor")
    {
        initiator.register_nb_transport_bw(this, &bench::answer_of_initiator);
        target.register_nb_transport_fw(this, &bench::answer_of_target);
        initiator.bind(monitor.in);
        monitor.out.bind(target);
    }

    struct answer {
        tlm::tlm_sync_enum result;
        tlm::tlm_phase phase;
        sc_core::sc_time delay;
    };

    info_payload &take()
    {
        info_payload &trans = pool.take();
        trans.set_read();
        trans.set_address(0x1000);
        trans.set_data_length(64);
        trans.set_streaming_width(64);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        return trans;
    }

    // A phase of the initiator; `by_return` is what the target returns.
    void forward(tlm::tlm_generic_payload &trans, tlm::tlm_phase phase, sc_core::sc_time delay = none,
                 answer by_return = {tlm::TLM_ACCEPTED, tlm::UNINITIALIZED_PHASE, none})
    {
        next = by_return;
        initiator->nb_transport_fw(trans, phase, delay);
    }
    void backward(tlm::tlm_generic_payload &trans, tlm::tlm_phase phase, sc_core::sc_time delay = none,
                  answer by_return = {tlm::TLM_ACCEPTED, tlm::UNINITIALIZED_PHASE, none})
    {
        next = by_return;
        target->nb_transport_bw(trans, phase, delay);
    }

    tlm::tlm_sync_enum apply(tlm::tlm_phase &phase, sc_core::sc_time &delay) const
    {
        if (next.result != tlm::TLM_ACCEPTED) {
            phase = next.phase;
            delay = next.delay;
        }
        return next.result;
    }
    tlm::tlm_sync_enum answer_of_target(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        std::exchange(before_answer, [] {})();
        return apply(phase, delay);
    }
    tlm::tlm_sync_enum answer_of_initiator(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        std::exchange(before_answer, [] {})();
        return apply(phase, delay);
    }

    void expect_only(tlm_rule rule)
    {
        monitor.expect_all_ended();
        ck_assert_uint_ge(monitor.violations().size(), 1);
        for (const tlm_monitor::violation &found : monitor.violations()) {
            ck_assert_msg(found.rule == rule, "%s", found.text.c_str());
        }
    }
    void expect_none(uint64_t transactions)
    {
        monitor.expect_all_ended();
        ck_assert_msg(monitor.violations().empty(), "%s", monitor.violations().front().text.c_str());
        ck_assert_uint_eq(monitor.ended(), transactions);
    }

    tlm_utils::simple_initiator_socket<bench> initiator;
    tlm_utils::simple_target_socket<bench> target;
    tlm_monitor monitor;
    payload_pool<info_payload> pool;
    answer next{};
    std::function<void()> before_answer = [] {}; // once
};

using answer = bench::answer;

void respond_ok(bench &bench, tlm::tlm_generic_payload &trans, sc_core::sc_time delay = none)
{
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    bench.backward(trans, tlm::BEGIN_RESP, delay);
}

// ---- legal orders ----

START_TEST(all_legal_orders_pass)
{
    bench bench("bench");
    sc_core::sc_start(none);
    for (int returned_request = 0; returned_request < 3; returned_request++) {
        for (int returned_response = 0; returned_response < 3; returned_response++) {
            info_payload &trans = bench.take();
            // END_REQ by a call, by the return, or by BEGIN_RESP
            bench.forward(trans, tlm::BEGIN_REQ, ns,
                          returned_request == 1 ? answer{tlm::TLM_UPDATED, tlm::END_REQ, 2 * ns}
                                                : answer{tlm::TLM_ACCEPTED, tlm::BEGIN_REQ, none});
            if (returned_request == 0) {
                bench.backward(trans, tlm::END_REQ, 2 * ns);
            }
            // END_RESP by a call, by the return, or by TLM_COMPLETED
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            bench.backward(trans, tlm::BEGIN_RESP, 3 * ns,
                           returned_response == 1   ? answer{tlm::TLM_UPDATED, tlm::END_RESP, 3 * ns}
                           : returned_response == 2 ? answer{tlm::TLM_COMPLETED, tlm::BEGIN_RESP, 3 * ns}
                                                    : answer{tlm::TLM_ACCEPTED, tlm::BEGIN_RESP, none});
            if (returned_response == 0) {
                bench.forward(trans, tlm::END_RESP, 4 * ns, {tlm::TLM_COMPLETED, tlm::END_RESP, 4 * ns});
            }
            trans.release();
        }
    }
    bench.expect_none(9);
}
END_TEST

START_TEST(early_completion_and_other_phases_pass)
{
    bench bench("bench");
    sc_core::sc_start(none);
    info_payload &first = bench.take(), &second = bench.take();
    first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    bench.forward(first, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    bench.forward(first, promote);
    bench.forward(second, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none}); // pipelined
    respond_ok(bench, second);
    bench.forward(second, tlm::END_RESP);
    respond_ok(bench, first);
    bench.forward(first, tlm::END_RESP);
    bench.expect_none(2);
}
END_TEST

// ---- seeded violations: each gives its own rule and no other ----

void whole_transaction(bench &bench, info_payload &trans)
{
    bench.forward(trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    respond_ok(bench, trans);
    bench.forward(trans, tlm::END_RESP);
}

void end_of_a_request_twice(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ);
    bench.backward(trans, tlm::END_REQ);
    bench.backward(trans, tlm::END_REQ);
    respond_ok(bench, trans);
    bench.forward(trans, tlm::END_RESP);
}

void end_of_a_response_before_it_begins(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ);
    bench.forward(trans, tlm::END_RESP);
}

void response_to_nothing(bench &bench)
{
    info_payload &trans = bench.take();
    whole_transaction(bench, trans);
    bench.backward(trans, tlm::BEGIN_RESP);
}

void promotion_of_nothing(bench &bench)
{
    bench.forward(bench.take(), promote);
}

void return_of_a_later_phase(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_RESP, none});
    respond_ok(bench, trans);
    bench.forward(trans, tlm::END_RESP);
}

void two_requests_at_once(bench &bench)
{
    info_payload &first = bench.take(), &second = bench.take();
    bench.forward(first, tlm::BEGIN_REQ);
    bench.forward(second, tlm::BEGIN_REQ);
    for (info_payload *trans : {&first, &second}) {
        respond_ok(bench, *trans);
        bench.forward(*trans, tlm::END_RESP);
    }
}

void two_responses_at_once(bench &bench)
{
    info_payload &first = bench.take(), &second = bench.take();
    for (info_payload *trans : {&first, &second}) {
        bench.forward(*trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    }
    respond_ok(bench, first);
    respond_ok(bench, second);
    bench.forward(first, tlm::END_RESP);
    bench.forward(second, tlm::END_RESP);
}

void payload_in_flight_sent_again(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    whole_transaction(bench, trans);
}

void address_changed_by_the_target(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    trans.set_address(0x2000);
    respond_ok(bench, trans);
    trans.set_address(0x1000);
    bench.forward(trans, tlm::END_RESP);
}

void length_changed_by_the_initiator(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    respond_ok(bench, trans);
    trans.set_data_length(32);
    bench.forward(trans, tlm::END_RESP);
}

void response_without_a_status(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ);
    bench.backward(trans, tlm::BEGIN_RESP);
    bench.forward(trans, tlm::END_RESP);
}

void completion_without_a_status(bench &bench)
{
    bench.forward(bench.take(), tlm::BEGIN_REQ, none, {tlm::TLM_COMPLETED, tlm::BEGIN_REQ, none});
}

void request_with_the_status_of_its_last_use(bench &bench)
{
    info_payload &trans = bench.take();
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    whole_transaction(bench, trans);
}

void no_reference(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
    trans.release();
    respond_ok(bench, trans);
    trans.acquire();
    bench.forward(trans, tlm::END_RESP);
}

void no_memory_manager(bench &bench)
{
    static tlm::tlm_generic_payload trans;
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    bench.forward(trans, tlm::END_RESP);
}

void response_before_its_request_in_time(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, 5 * ns, {tlm::TLM_UPDATED, tlm::END_REQ, 5 * ns});
    respond_ok(bench, trans, 4 * ns);
    bench.forward(trans, tlm::END_RESP, 5 * ns);
}

void delay_made_smaller_by_the_return(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ, 5 * ns, {tlm::TLM_UPDATED, tlm::END_REQ, 4 * ns});
    respond_ok(bench, trans, 6 * ns);
    bench.forward(trans, tlm::END_RESP, 6 * ns);
}

void response_never_ended(bench &bench)
{
    info_payload &trans = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ);
    respond_ok(bench, trans);
}

void request_never_answered(bench &bench)
{
    bench.forward(bench.take(), tlm::BEGIN_REQ, none, {tlm::TLM_UPDATED, tlm::END_REQ, none});
}

void request_out_of_a_response(bench &bench)
{
    info_payload &trans = bench.take(), &other = bench.take();
    bench.forward(trans, tlm::BEGIN_REQ);
    bench.before_answer = [&] { bench.forward(other, tlm::BEGIN_REQ); };
    respond_ok(bench, trans);
    bench.forward(trans, tlm::END_RESP);
    respond_ok(bench, other);
    bench.forward(other, tlm::END_RESP);
}

void end_of_a_request_out_of_it(bench &bench)
{
    info_payload &trans = bench.take();
    bench.before_answer = [&] { bench.backward(trans, tlm::END_REQ); };
    bench.forward(trans, tlm::BEGIN_REQ);
    respond_ok(bench, trans);
    bench.forward(trans, tlm::END_RESP);
}

const struct seed {
    tlm_rule rule;
    void (*break_it)(bench &);
} seeds[] = {
    {tlm_rule::phase_order, end_of_a_request_twice},
    {tlm_rule::phase_order, end_of_a_response_before_it_begins},
    {tlm_rule::phase_order, response_to_nothing},
    {tlm_rule::phase_order, promotion_of_nothing},
    {tlm_rule::return_value, return_of_a_later_phase},
    {tlm_rule::request_exclusion, two_requests_at_once},
    {tlm_rule::response_exclusion, two_responses_at_once},
    {tlm_rule::payload_reuse, payload_in_flight_sent_again},
    {tlm_rule::attribute_changed, address_changed_by_the_target},
    {tlm_rule::attribute_changed, length_changed_by_the_initiator},
    {tlm_rule::response_status, response_without_a_status},
    {tlm_rule::response_status, completion_without_a_status},
    {tlm_rule::response_status, request_with_the_status_of_its_last_use},
    {tlm_rule::reference_count, no_reference},
    {tlm_rule::time_backward, response_before_its_request_in_time},
    {tlm_rule::time_backward, delay_made_smaller_by_the_return},
    {tlm_rule::end_missing, response_never_ended},
    {tlm_rule::end_missing, request_never_answered},
    {tlm_rule::path_crossed, request_out_of_a_response},
    {tlm_rule::path_crossed, end_of_a_request_out_of_it},
};

START_TEST(a_seeded_violation_is_named)
{
    bench bench("bench");
    sc_core::sc_start(none);
    seeds[_i].break_it(bench);
    bench.expect_only(seeds[_i].rule);
}
END_TEST

START_TEST(a_payload_without_memory_manager_is_named)
{
    bench bench("bench");
    sc_core::sc_start(none);
    no_memory_manager(bench);
    ck_assert_int_eq(static_cast<int>(bench.monitor.violations().front().rule),
                     static_cast<int>(tlm_rule::reference_count));
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("monitor");
    tcase_add_test(tests, all_legal_orders_pass);
    tcase_add_test(tests, early_completion_and_other_phases_pass);
    tcase_add_loop_test(tests, a_seeded_violation_is_named, 0, static_cast<int>(std::size(seeds)));
    tcase_add_test(tests, a_payload_without_memory_manager_is_named);
    return tests;
}
