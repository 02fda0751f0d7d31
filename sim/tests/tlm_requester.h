// SPDX-License-Identifier: Apache-2.0
// An initiator of the base protocol for tests: sends what a function gives it, one request at a time and a bounded
// number in flight, and ends its responses in one of the legal ways.
#ifndef TILELENS_SIM_TESTS_TLM_REQUESTER_H
#define TILELENS_SIM_TESTS_TLM_REQUESTER_H

#include <functional>
#include <queue>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

#include "../tlm/payload_pool.h"
#include "../tlm/sim_time.h"

namespace tilelens
{

enum class end_style { completed, returned, called_later };

struct test_access {
    uint64_t address;
    uint32_t bytes;
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    uint64_t at_ps = 0;           // not before
    uint64_t delay_ps = 0;        // annotated
    uint32_t streaming_width = 0; // 0: the length
    bool byte_enables = false;
    tl_mem_class mem_class = TL_MEM_DEMAND;
};

inline test_access read_at(uint64_t address, uint32_t bytes)
{
    return {address, bytes};
}

inline test_access write_at(uint64_t address, uint32_t bytes)
{
    return {address, bytes, tlm::TLM_WRITE_COMMAND};
}

inline void set_payload(tlm::tlm_generic_payload &trans, const test_access &access)
{
    static unsigned char data[1 << 16], enables[1] = {TLM_BYTE_ENABLED};
    trans.set_command(access.command);
    trans.set_address(access.address);
    trans.set_data_ptr(data);
    trans.set_data_length(access.bytes);
    trans.set_streaming_width(access.streaming_width == 0 ? access.bytes : access.streaming_width);
    trans.set_byte_enable_ptr(access.byte_enables ? enables : nullptr);
    trans.set_byte_enable_length(access.byte_enables ? 1 : 0);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

class requester final : public sc_core::sc_module
{
public:
    // The n-th access; false: there are no more.
    using source = std::function<bool(uint64_t n, test_access &access)>;
    struct answer {
        uint64_t number;
        uint64_t time_ps; // of BEGIN_RESP, delay included
        uint32_t bytes;
        tlm::tlm_response_status status;
    };

    requester(const sc_core::sc_module_name &name, source accesses, uint64_t in_flight,
              end_style style = end_style::completed, uint64_t late_ps = 0)
        : sc_module(name), socket("socket"), m_source(std::move(accesses)), m_window(in_flight), m_style(style),
          m_late(time_of(late_ps)), m_ends(this, &requester::on_end)
    {
        socket.register_nb_transport_bw(this, &requester::nb_transport_bw);
        SC_METHOD(on_send);
        sensitive << m_send;
    }
    SC_HAS_PROCESS(requester);

    tlm_utils::simple_initiator_socket<requester> socket;
    std::function<void(const answer &)> on_answer = [](const answer &) {};

private:
    struct payload final : info_payload {
        using info_payload::info_payload;
        uint64_t number = 0;
    };

    void on_send()
    {
        while (m_in_request == nullptr && has_room()) {
            test_access access{};
            if (!m_source(m_sent, access)) {
                return;
            }
            if (access.at_ps > now_ps()) {
                m_send.notify(time_of(access.at_ps - now_ps()));
                return;
            }
            send(access);
        }
    }

    // Whether one more may be in flight; else waits for a response that has begun and whose delay has not passed.
    bool has_room()
    {
        for (; !m_response_ps.empty() && m_response_ps.front() <= now_ps(); m_response_ps.pop()) {
            m_in_flight--;
        }
        if (m_in_flight >= m_window && !m_response_ps.empty()) {
            m_send.notify(time_of(m_response_ps.front() - now_ps()));
        }
        return m_in_flight < m_window;
    }

    void send(const test_access &access)
    {
        payload &trans = m_pool.take();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = time_of(access.delay_ps);
        set_payload(trans, access);
        trans.number = m_sent++;
        trans.info.useful_bytes = access.bytes;
        trans.info.mem_class = access.mem_class;
        m_in_request = &trans;
        m_in_flight++;
        const tlm::tlm_sync_enum result = socket->nb_transport_fw(trans, phase, delay);
        if (result == tlm::TLM_COMPLETED) {
            m_in_request = nullptr;
            take(trans, delay);
            trans.release();
        } else if (result == tlm::TLM_UPDATED) {
            m_in_request = nullptr;
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        if (m_in_request == &trans) {
            m_in_request = nullptr;
        }
        m_send.notify(sc_core::SC_ZERO_TIME);
        if (phase != tlm::BEGIN_RESP) {
            return tlm::TLM_ACCEPTED;
        }
        take(static_cast<payload &>(trans), delay);
        if (m_style == end_style::called_later) {
            m_ends.notify(trans, tlm::END_RESP, delay + m_late);
            return tlm::TLM_ACCEPTED;
        }
        trans.release();
        if (m_style == end_style::completed) {
            return tlm::TLM_COMPLETED;
        }
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
    }

    void take(const payload &trans, const sc_core::sc_time &delay)
    {
        const uint64_t time_ps = now_ps() + delay.value();
        m_response_ps.push(time_ps);
        on_answer({trans.number, time_ps, trans.get_data_length(), trans.get_response_status()});
    }

    void on_end(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase)
    {
        tlm::tlm_phase end = phase;
        sc_core::sc_time none = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(trans, end, none);
        trans.release();
    }

    const source m_source;
    const uint64_t m_window;
    const end_style m_style;
    const sc_core::sc_time m_late;
    payload_pool<payload> m_pool;
    tlm_utils::peq_with_cb_and_phase<requester> m_ends;
    sc_core::sc_event m_send;
    const tlm::tlm_generic_payload *m_in_request = nullptr;
    uint64_t m_sent = 0, m_in_flight = 0;
    std::queue<uint64_t> m_response_ps; // of responses that still count as in flight
};

// What a list of accesses got.
class listed_requester
{
public:
    listed_requester(const char *name, std::vector<test_access> accesses, uint64_t in_flight = UINT64_MAX,
                     end_style style = end_style::completed, uint64_t late_ps = 0)
        : answers(accesses.size()), counts(accesses.size()), m_accesses(std::move(accesses)),
          initiator(
              name,
              [this](uint64_t n, test_access &access) {
                  if (n == m_accesses.size()) {
                      return false;
                  }
                  access = m_accesses[n];
                  return true;
              },
              in_flight, style, late_ps)
    {
        initiator.on_answer = [this](const requester::answer &answer) {
            answers[answer.number] = answer;
            counts[answer.number]++;
        };
    }

    // Each exactly once, all with this status.
    bool all_answered(tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) const
    {
        for (size_t n = 0; n < counts.size(); n++) {
            if (counts[n] != 1 || answers[n].status != status) {
                return false;
            }
        }
        return true;
    }
    uint64_t last_ps() const
    {
        uint64_t last = 0;
        for (const requester::answer &answer : answers) {
            last = answer.time_ps > last ? answer.time_ps : last;
        }
        return last;
    }

    std::vector<requester::answer> answers;
    std::vector<unsigned> counts;

private:
    const std::vector<test_access> m_accesses;

public:
    requester initiator;
};

// A thread that reads and writes by b_transport.
class blocking_requester final : public sc_core::sc_module
{
public:
    blocking_requester(const sc_core::sc_module_name &name, std::vector<test_access> accesses)
        : sc_module(name), socket("socket"), m_accesses(std::move(accesses))
    {
        SC_THREAD(run);
    }
    SC_HAS_PROCESS(blocking_requester);

    tlm_utils::simple_initiator_socket<blocking_requester> socket;
    std::vector<requester::answer> answers;

private:
    void run()
    {
        for (const test_access &access : m_accesses) {
            tlm::tlm_generic_payload trans;
            sc_core::sc_time delay = time_of(access.delay_ps);
            set_payload(trans, access);
            socket->b_transport(trans, delay);
            answers.push_back({answers.size(), now_ps() + delay.value(), access.bytes, trans.get_response_status()});
        }
    }

    const std::vector<test_access> m_accesses;
};

} // namespace tilelens
#endif
