// SPDX-License-Identifier: Apache-2.0
// Whether a run that has come to its end has results.
#ifndef TILELENS_SIM_SYSTEM_RUN_CHECK_H
#define TILELENS_SIM_SYSTEM_RUN_CHECK_H

#include <cstdio>
#include <string>

#include "command_line.h"
#include "gpu_system.h"

namespace tilelens
{

// 0; or, after lines on stderr that say why: 2 for an input that cannot be run, 1 for a standstill or a counter that is
// not conserved. `name` is that of the input.
inline int check_run(const std::string &name, gpu_system &system, const tl_statistics &statistics)
{
    const std::string error = system.processors().error();
    const std::string waiting = system.deadlock();
    char broken[TL_STATISTICS_BROKEN_BYTES];
    if (!error.empty()) {
        return tl_fail("%s: %s", name.c_str(), error.c_str());
    }
    if (!waiting.empty()) {
        tl_fail("%s: deadlock: found nothing that could happen after %.3f ns, expected the end of all thread blocks",
                name.c_str(), sc_core::sc_time_stamp().to_seconds() * 1e9);
        std::fputs(waiting.c_str(), stderr);
    }
    if (!tl_statistics_check(&statistics, broken)) {
        tl_fail("%s: %s", name.c_str(), broken);
        return 1;
    }
    return waiting.empty() ? 0 : 1;
}

} // namespace tilelens
#endif
