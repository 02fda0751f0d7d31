// SPDX-License-Identifier: Apache-2.0
// A user's RTL in place of ours: Verilated at run time into a shared library with the same harness.
#ifndef TILELENS_COSIM_USER_RTL_H
#define TILELENS_COSIM_USER_RTL_H

#include <memory>
#include <string>
#include <vector>

#include "dut.h"
#include "options.h"

namespace cosim
{

class UserRtl
{
  public:
    UserRtl(const Options &options, tl_variant variant) : options_(options), variant_(variant)
    {
    }
    ~UserRtl();
    UserRtl(const UserRtl &) = delete;
    UserRtl &operator=(const UserRtl &) = delete;

    // Build and load. Returns null after setting error().
    std::unique_ptr<Dut> make();
    const std::string &error() const
    {
        return error_;
    }

  private:
    std::vector<std::string> build_command() const;
    bool build();
    std::unique_ptr<Dut> load();

    const Options &options_;
    tl_variant variant_;
    std::string folder_; // temporary, removed at the end
    std::string error_;
    void *library_ = nullptr;
};

} // namespace cosim

#endif
