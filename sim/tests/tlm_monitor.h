// SPDX-License-Identifier: Apache-2.0
// A monitor of the TLM-2.0 base protocol (IEEE 1666-2011, 15.2). It stands between an initiator socket and a target
// socket, passes everything on unchanged, and notes each rule that either side breaks.
#ifndef TILELENS_SIM_TESTS_TLM_MONITOR_H
#define TILELENS_SIM_TESTS_TLM_MONITOR_H

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace tilelens
{

enum class tlm_rule {
    phase_order,        // BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP; BEGIN_RESP may stand for END_REQ
    return_value,       // TLM_UPDATED with a phase that cannot follow, TLM_COMPLETED where nothing ends
    request_exclusion,  // one request at a time between BEGIN_REQ and its end
    response_exclusion, // one response at a time between BEGIN_RESP and its end
    payload_reuse,      // BEGIN_REQ of a transaction in flight
    attribute_changed,  // command, address, length, pointers or streaming width, from BEGIN_REQ to the end
    response_status,    // TLM_INCOMPLETE_RESPONSE up to BEGIN_RESP, then another that stays
    reference_count,    // a memory manager, and a reference as long as the transaction lives
    time_backward,      // time and annotated delay of a transaction's phases and returns never decrease
    end_missing,        // still in flight when the simulation is over
    path_crossed,       // nb_transport_bw out of nb_transport_fw or the other way round, on any two links
};

inline const char *name_of(tlm_rule rule)
{
    static const char *const names[] = {"phase order",   "return value",      "request exclusion", "response exclusion",
                                        "payload reuse", "attribute changed", "response status",   "reference count",
                                        "time backward", "end missing",  "path crossed"};
    return names[static_cast<int>(rule)];
}

class tlm_monitor final : public sc_core::sc_module,
                          public tlm::tlm_fw_transport_if<>,
                          public tlm::tlm_bw_transport_if<>
{
public:
    using payload = tlm::tlm_generic_payload;

    struct violation {
        tlm_rule rule;
        std::string text;
    };

    explicit tlm_monitor(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.bind(*this);
        out.bind(*this);
    }

    tlm::tlm_target_socket<> in;     // to be bound to the initiator
    tlm::tlm_initiator_socket<> out; // to be bound to the target

    uint64_t ended() const { return m_ended; } // transactions, from the first phase to the last
    const std::vector<violation> &violations() const { return m_violations; }

    // At the end of a simulation.
    void expect_all_ended()
    {
        for (const auto &[trans, state] : m_in_flight) {
            note(tlm_rule::end_missing, *trans, state.phase == tlm::BEGIN_RESP ? "no END_RESP" : "no response");
        }
    }

private:
    struct attributes {
        tlm::tlm_command command;
        uint64_t address;
        unsigned length, streaming_width;
        const unsigned char *data, *byte_enables;

        bool operator==(const attributes &other) const
        {
            return command == other.command && address == other.address && length == other.length &&
                   streaming_width == other.streaming_width && data == other.data && byte_enables == other.byte_enables;
        }
    };
    struct transaction {
        tlm::tlm_phase phase;
        attributes begun_with;
        sc_core::sc_time time; // of the last phase, delay included
        tlm::tlm_response_status status;
    };

    tlm::tlm_sync_enum nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        const tlm::tlm_phase sent = phase;
        expect(s_backward_calls == 0, tlm_rule::path_crossed, trans, "nb_transport_fw");
        pass(trans, phase, delay, true);
        s_forward_calls++;
        const tlm::tlm_sync_enum result = out->nb_transport_fw(trans, phase, delay);
        s_forward_calls--;
        if (sent == tlm::BEGIN_REQ && result == tlm::TLM_COMPLETED) {
            complete(trans, delay);
        } else if (result == tlm::TLM_UPDATED) {
            updated(trans, phase, delay, sent == tlm::BEGIN_REQ && (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP));
        } else if (result == tlm::TLM_COMPLETED && sent != tlm::END_RESP) {
            note(tlm_rule::return_value, trans, "TLM_COMPLETED");
        }
        return result;
    }

    tlm::tlm_sync_enum nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        const tlm::tlm_phase sent = phase;
        expect(s_forward_calls == 0, tlm_rule::path_crossed, trans, "nb_transport_bw");
        pass(trans, phase, delay, false);
        s_backward_calls++;
        const tlm::tlm_sync_enum result = in->nb_transport_bw(trans, phase, delay);
        s_backward_calls--;
        if (sent == tlm::BEGIN_RESP && result == tlm::TLM_COMPLETED) {
            complete(trans, delay);
        } else if (result == tlm::TLM_UPDATED) {
            updated(trans, phase, delay, sent == tlm::BEGIN_RESP && phase == tlm::END_RESP);
        } else if (result == tlm::TLM_COMPLETED) {
            note(tlm_rule::return_value, trans, "TLM_COMPLETED");
        }
        return result;
    }

    void b_transport(payload &trans, sc_core::sc_time &delay) override
    {
        const attributes before = attributes_of(trans);
        const sc_core::sc_time called = sc_core::sc_time_stamp() + delay;
        out->b_transport(trans, delay);
        expect(before == attributes_of(trans), tlm_rule::attribute_changed, trans, "b_transport");
        expect(trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, tlm_rule::response_status, trans,
               "b_transport");
        expect(sc_core::sc_time_stamp() + delay >= called, tlm_rule::time_backward, trans, "b_transport");
        m_ended++;
    }

    bool get_direct_mem_ptr(payload &trans, tlm::tlm_dmi &dmi) override { return out->get_direct_mem_ptr(trans, dmi); }
    unsigned transport_dbg(payload &trans) override { return out->transport_dbg(trans); }
    void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override
    {
        in->invalidate_direct_mem_ptr(begin, end);
    }

    static attributes attributes_of(const payload &trans)
    {
        return {trans.get_command(),         trans.get_address(),  trans.get_data_length(),
                trans.get_streaming_width(), trans.get_data_ptr(), trans.get_byte_enable_ptr()};
    }

    // ---- phases ----

    // A phase as one side sends it, by a call or by its return.
    void pass(payload &trans, const tlm::tlm_phase &phase, const sc_core::sc_time &delay, bool forward)
    {
        expect(trans.has_mm() && trans.get_ref_count() > 0, tlm_rule::reference_count, trans, phase.get_name());
        if (phase == tlm::BEGIN_REQ) {
            expect(forward, tlm_rule::phase_order, trans, "BEGIN_REQ from a target");
            begin_request(trans, delay);
            return;
        }
        const auto found = m_in_flight.find(&trans);
        if (found == m_in_flight.end()) {
            note(tlm_rule::phase_order, trans, std::string(phase.get_name()) + " of no transaction in flight");
            return;
        }
        check_unchanged(trans, found->second, delay, phase.get_name());
        if (phase == tlm::END_REQ) {
            end_request(trans, found->second, forward);
        } else if (phase == tlm::BEGIN_RESP) {
            begin_response(trans, found->second, forward);
        } else if (phase == tlm::END_RESP) {
            end_response(trans, found->second, forward);
        }
    }

    void updated(payload &trans, const tlm::tlm_phase &phase, const sc_core::sc_time &delay, bool may_follow)
    {
        if (may_follow) {
            pass(trans, phase, delay, phase == tlm::END_RESP);
        } else {
            note(tlm_rule::return_value, trans, std::string("TLM_UPDATED with ") + phase.get_name());
        }
    }

    // TLM_COMPLETED stands for all phases that are left.
    void complete(payload &trans, const sc_core::sc_time &delay)
    {
        const auto found = m_in_flight.find(&trans);
        if (found == m_in_flight.end()) {
            note(tlm_rule::return_value, trans, "TLM_COMPLETED of no transaction in flight");
            return;
        }
        check_unchanged(trans, found->second, delay, "TLM_COMPLETED");
        expect(trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, tlm_rule::response_status, trans,
               "TLM_COMPLETED");
        end(trans);
    }

    void begin_request(payload &trans, const sc_core::sc_time &delay)
    {
        expect(m_in_flight.count(&trans) == 0, tlm_rule::payload_reuse, trans, "BEGIN_REQ");
        expect(m_in_request == nullptr, tlm_rule::request_exclusion, trans, "BEGIN_REQ");
        expect(trans.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, tlm_rule::response_status, trans,
               "BEGIN_REQ");
        m_in_request = &trans;
        m_in_flight[&trans] = {tlm::BEGIN_REQ, attributes_of(trans), sc_core::sc_time_stamp() + delay,
                               tlm::TLM_INCOMPLETE_RESPONSE};
    }

    void end_request(payload &trans, transaction &state, bool forward)
    {
        expect(!forward && state.phase == tlm::BEGIN_REQ, tlm_rule::phase_order, trans, "END_REQ");
        state.phase = tlm::END_REQ;
        request_has_ended(trans);
    }

    void begin_response(payload &trans, transaction &state, bool forward)
    {
        expect(!forward && (state.phase == tlm::BEGIN_REQ || state.phase == tlm::END_REQ), tlm_rule::phase_order, trans,
               "BEGIN_RESP");
        expect(m_in_response == nullptr, tlm_rule::response_exclusion, trans, "BEGIN_RESP");
        expect(trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, tlm_rule::response_status, trans,
               "BEGIN_RESP");
        state.phase = tlm::BEGIN_RESP;
        state.status = trans.get_response_status();
        request_has_ended(trans);
        m_in_response = &trans;
    }

    void end_response(payload &trans, const transaction &state, bool forward)
    {
        expect(forward && state.phase == tlm::BEGIN_RESP, tlm_rule::phase_order, trans, "END_RESP");
        end(trans);
    }

    void end(payload &trans)
    {
        request_has_ended(trans);
        if (m_in_response == &trans) {
            m_in_response = nullptr;
        }
        m_in_flight.erase(&trans);
        m_ended++;
    }

    void request_has_ended(const payload &trans)
    {
        if (m_in_request == &trans) {
            m_in_request = nullptr;
        }
    }

    // ---- what must hold at every phase of a transaction in flight ----

    void check_unchanged(payload &trans, transaction &state, const sc_core::sc_time &delay, const char *phase)
    {
        const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
        expect(time >= state.time, tlm_rule::time_backward, trans, phase);
        state.time = time;
        expect(state.begun_with == attributes_of(trans), tlm_rule::attribute_changed, trans, phase);
        expect(state.phase != tlm::BEGIN_RESP || trans.get_response_status() == state.status, tlm_rule::response_status,
               trans, phase);
    }

    void expect(bool holds, tlm_rule rule, const payload &trans, const std::string &where)
    {
        if (!holds) {
            note(rule, trans, where);
        }
    }

    void note(tlm_rule rule, const payload &trans, const std::string &where)
    {
        m_violations.push_back({rule, std::string(name()) + ": " + name_of(rule) + ": " + where + ", address " +
                                          std::to_string(trans.get_address()) + ", " +
                                          sc_core::sc_time_stamp().to_string()});
    }

    static inline unsigned s_forward_calls = 0, s_backward_calls = 0; // under way, on all links
    std::unordered_map<payload *, transaction> m_in_flight;
    const payload *m_in_request = nullptr, *m_in_response = nullptr;
    uint64_t m_ended = 0;
    std::vector<violation> m_violations;
};

} // namespace tilelens
#endif
