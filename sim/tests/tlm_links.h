// SPDX-License-Identifier: Apache-2.0
// What tests put between the sockets of a machine: a monitor everywhere, and a module with one fault.
#ifndef TILELENS_SIM_TESTS_TLM_LINKS_H
#define TILELENS_SIM_TESTS_TLM_LINKS_H

#include <deque>
#include <string>

#include "tlm_monitor.h"

namespace tilelens
{

// A monitor on every link made through connect().
class monitored_links
{
public:
    void connect(tlm::tlm_initiator_socket<> &from, tlm::tlm_base_target_socket_b<> &to)
    {
        const std::string name = "monitor_" + std::to_string(m_links.size());
        m_links.emplace_back(name, from.name());
        from.bind(m_links.back().monitor.in);
        m_links.back().monitor.out.bind(to);
    }

    // Transactions that have ended behind the initiators whose name contains `part`.
    uint64_t ended(const std::string &part = "") const
    {
        uint64_t count = 0;
        for (const link &at : m_links) {
            count += at.initiator.find(part) == std::string::npos ? 0 : at.monitor.ended();
        }
        return count;
    }

    // At the end of a run: the first broken rule, or nothing.
    std::string violation()
    {
        for (link &at : m_links) {
            at.monitor.expect_all_ended();
            if (!at.monitor.violations().empty()) {
                return at.initiator + ": " + at.monitor.violations().front().text;
            }
        }
        return "";
    }

private:
    struct link {
        link(const std::string &name, std::string from) : monitor(name.c_str()), initiator(std::move(from)) {}
        tlm_monitor monitor;
        std::string initiator;
    };
    std::deque<link> m_links;
};

enum class fault_kind {
    silent,          // takes every request and answers none
    lost_response,   // of one request
    second_response, // to one request, at once
    error_response,  // to one request, in place of its target's
    own_answer,      // to one request, which its target never sees
};

// Passes everything on but for one fault, at the request with the given number.
class faulty_link final : public sc_core::sc_module,
                          public tlm::tlm_fw_transport_if<>,
                          public tlm::tlm_bw_transport_if<>
{
public:
    faulty_link(const sc_core::sc_module_name &name, fault_kind kind, uint64_t at)
        : sc_module(name), in("in"), out("out"), m_kind(kind), m_at(at)
    {
        in.bind(*this);
        out.bind(*this);
    }

    tlm::tlm_target_socket<> in;
    tlm::tlm_initiator_socket<> out;

    bool happened() const { return m_count > m_at; }

private:
    using payload = tlm::tlm_generic_payload;

    tlm::tlm_sync_enum nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::BEGIN_REQ && m_count++ == m_at) {
            m_victim = &trans;
        }
        if (m_kind == fault_kind::silent) {
            return tlm::TLM_ACCEPTED;
        }
        if (m_kind == fault_kind::own_answer && m_victim == &trans && phase == tlm::BEGIN_REQ) {
            m_victim = nullptr;
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        return out->nb_transport_fw(trans, phase, delay);
    }

    tlm::tlm_sync_enum nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase != tlm::BEGIN_RESP || &trans != m_victim) {
            return in->nb_transport_bw(trans, phase, delay);
        }
        m_victim = nullptr;
        if (m_kind == fault_kind::error_response) {
            trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            return in->nb_transport_bw(trans, phase, delay);
        }
        trans.acquire(); // of a response too few the initiator's reference stays, one too many takes another
        if (m_kind == fault_kind::lost_response) {
            return tlm::TLM_COMPLETED;
        }
        in->nb_transport_bw(trans, phase, delay);
        phase = tlm::BEGIN_RESP;
        return in->nb_transport_bw(trans, phase, delay);
    }

    void b_transport(payload &trans, sc_core::sc_time &delay) override { out->b_transport(trans, delay); }
    bool get_direct_mem_ptr(payload &trans, tlm::tlm_dmi &dmi) override { return out->get_direct_mem_ptr(trans, dmi); }
    unsigned transport_dbg(payload &trans) override { return out->transport_dbg(trans); }
    void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override
    {
        in->invalidate_direct_mem_ptr(begin, end);
    }

    const fault_kind m_kind;
    const uint64_t m_at;
    uint64_t m_count = 0;
    const payload *m_victim = nullptr;
};

} // namespace tilelens
#endif
