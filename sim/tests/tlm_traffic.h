// SPDX-License-Identifier: Apache-2.0
// The memory system of a machine with initiators of the test's at the slices of its L2; the GPU has nothing to do.
#ifndef TILELENS_SIM_TESTS_TLM_TRAFFIC_H
#define TILELENS_SIM_TESTS_TLM_TRAFFIC_H

#include <deque>

#include "../config/module_config.h"
#include "tlm_machine.h"
#include "tlm_requester.h"

namespace tilelens
{

inline uint64_t next_random(uint64_t &state)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

class memory_bench
{
public:
    // Behind the link named `faulty` something goes wrong.
    explicit memory_bench(const settings &keys, std::string faulty = "", faulty_link *fault = nullptr)
        : config(load_config(keys)), m_users(config.system.l2.slices), m_faulty(std::move(faulty)), m_fault(fault),
          system("system", config, m_no_work, nullptr, [this](auto &from, auto &to) { link(from, to); }, &contents)
    {
    }

    // The initiator socket of the test that is to be bound to a slice; every slice needs one, and only one.
    void use(uint32_t slice, tlm::tlm_initiator_socket<> &user) { links.connect(user, *m_users[slice]); }

    // No rule was broken and nothing waits.
    void expect_clean()
    {
        const std::string violation = links.violation(), waiting = system.deadlock();
        ck_assert_msg(violation.empty(), "%s", violation.c_str());
        ck_assert_msg(waiting.empty(), "%s", waiting.c_str());
    }

    const tl_config config;

private:
    void link(tlm::tlm_initiator_socket<> &from, tlm::tlm_base_target_socket_b<> &to)
    {
        if (from.name() == m_faulty) {
            from.bind(m_fault->in);
            m_fault->out.bind(to);
            return;
        }
        if (std::string(from.name()).find("gpu.slices") == std::string::npos) {
            links.connect(from, to);
            return;
        }
        m_users[m_bound++] = &to;
        m_idle.emplace_back(sc_core::sc_gen_unique_name("idle"));
        from.bind(m_idle.back());
    }

    const tl_load_source m_no_work{};
    std::vector<tlm::tlm_base_target_socket_b<> *> m_users; // of the slices
    uint32_t m_bound = 0;
    const std::string m_faulty;
    faulty_link *const m_fault;
    struct nothing;
    std::deque<tlm_utils::simple_target_socket<nothing>> m_idle;

public:
    monitored_links links;
    sparse_memory contents;
    gpu_system system;
};

} // namespace tilelens
#endif
