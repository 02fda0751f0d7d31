// SPDX-License-Identifier: Apache-2.0
#include "memory_system.h"

#include "../config/config_file.h"

namespace tilelens
{

namespace
{

tl_config load(const std::string &path, const std::vector<std::string> &settings)
{
    std::vector<const char *> texts;
    for (const std::string &setting : settings) {
        texts.push_back(setting.c_str());
    }
    tl_config config{};
    char error[TL_CONFIG_ERROR_BYTES];
    if (tl_config_load(path.c_str(), texts.data(), texts.size(), &config, error, sizeof error) != 0) {
        SC_REPORT_FATAL("tilelens/memory_system", error);
    }
    return config;
}

} // namespace

memory_system::memory_system(const std::string &config_path, const std::vector<std::string> &settings)
    : m_config(load(config_path, settings)),
      m_system("memory_system", m_config, m_no_work, nullptr, [this](auto &from, auto &to) { link(from, to); },
               &m_contents)
{
}

// The sockets of the GPU end nowhere and leave the slices to the user.
void memory_system::link(tlm::tlm_initiator_socket<> &from, tlm::tlm_base_target_socket_b<> &to)
{
    const auto *socket = dynamic_cast<const l2::target_socket *>(&to);
    if (socket == nullptr) {
        from.bind(to);
        return;
    }
    m_l2 = dynamic_cast<const l2 *>(socket->get_parent_object());
    m_slices.push_back(&to);
    from.bind(m_idle.emplace_back(sc_core::sc_gen_unique_name("idle")));
}

} // namespace tilelens
