// SPDX-License-Identifier: Apache-2.0
// A progress bar on stderr, for runs of more than two seconds on a terminal.
#ifndef TILELENS_SIM_SYSTEM_PROGRESS_H
#define TILELENS_SIM_SYSTEM_PROGRESS_H

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace tilelens
{

class progress
{
public:
    explicit progress(std::string name) : m_name(std::move(name)), m_terminal(isatty(STDERR_FILENO) != 0) {}

    void update(uint64_t done, uint64_t total)
    {
        if (!m_terminal || clock::now() < m_next) {
            return;
        }
        constexpr uint64_t width = 40;
        const uint64_t filled = done * width / total;
        m_next = clock::now() + std::chrono::milliseconds(200);
        m_drawn = true;
        std::fprintf(stderr, "\r%s [%s%s] %3u %%", m_name.c_str(), std::string(filled, '#').c_str(),
                     std::string(width - filled, ' ').c_str(), static_cast<unsigned>(done * 100 / total));
        std::fflush(stderr);
    }

    void clear()
    {
        if (m_drawn) {
            std::fputs("\r\033[K", stderr);
        }
        m_drawn = false;
    }

private:
    using clock = std::chrono::steady_clock;

    std::string m_name;
    bool m_terminal, m_drawn = false;
    clock::time_point m_next = clock::now() + std::chrono::seconds(2);
};

} // namespace tilelens
#endif
