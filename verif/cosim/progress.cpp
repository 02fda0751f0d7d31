// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <unistd.h>

#include <cstdio>

namespace cosim
{

Progress::Progress(std::string name, uint64_t total)
    : name_(std::move(name)), total_(total), terminal_(isatty(STDERR_FILENO) != 0)
{
}

Progress::~Progress()
{
    if (drawn_)
        std::fputs("\r\033[K", stderr);
}

void Progress::update(uint64_t done)
{
    // The clock is read now and then only: a load takes microseconds.
    if (!terminal_ || done % 256 != 0 || Clock::now() < next_)
        return;
    next_ = Clock::now() + std::chrono::milliseconds(200);
    drawn_ = true;
    constexpr unsigned width = 40;
    const unsigned filled = static_cast<unsigned>(width * done / total_);
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double left = seconds * static_cast<double>(total_ - done) / static_cast<double>(done);
    std::fprintf(stderr, "\r%-9s [%-*s] %3u %%  %.0f s left \033[K", name_.c_str(), static_cast<int>(width),
                 std::string(filled, '#').c_str(), static_cast<unsigned>(100 * done / total_), left);
}

} // namespace cosim
