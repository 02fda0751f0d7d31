// SPDX-License-Identifier: Apache-2.0
// A progress bar on stderr, for runs of more than two seconds on a terminal.
#ifndef TILELENS_COSIM_PROGRESS_H
#define TILELENS_COSIM_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace cosim
{

class Progress
{
  public:
    Progress(std::string name, uint64_t total);
    ~Progress(); // clears the line
    void update(uint64_t done);

  private:
    using Clock = std::chrono::steady_clock;

    std::string name_;
    uint64_t total_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::seconds(2);
};

} // namespace cosim

#endif
