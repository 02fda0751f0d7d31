// SPDX-License-Identifier: Apache-2.0
// A whole machine from settings, with the monitors of tlm_links.h on all its sockets.
#ifndef TILELENS_SIM_TESTS_TLM_MACHINE_H
#define TILELENS_SIM_TESTS_TLM_MACHINE_H

#include <memory>
#include <string>
#include <vector>

#include "../config/config_file.h"
#include "../gpu/workload.h"
#include "../system/run_check.h"
#include "tlm_links.h"
#include "tlm_suite.h"

namespace tilelens
{

using settings = std::vector<std::string>;

inline settings operator+(settings left, const settings &right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

// Of the system, from the folder of the tests.
inline settings system_named(const std::string &name)
{
    return {"system_file=../../configs/system/" + name + ".yaml"};
}

// 4 SMs, 3 channels of each memory, 5 slices, an L2 of 1 MiB: counts that divide nothing.
inline const settings small_machine = {
    "system.gpu.sm_count=4",
    "system.l2.slices=5",
    "system.l2.capacity_mib=1",
    "system.hbm.stacks=1",
    "system.hbf.stacks=1",
    "system.rome.stacks=1",
    "system.sram.capacity_mib_per_stack=1",
    "system.hbm.channels_per_stack=3",
    "system.hbf.channels_per_stack=3",
    "system.rome.channels_per_stack=3",
};

// Five experts with tiles that stick out of their matrices on every side.
inline const settings small_workload = {
    "workload.hidden=400", "workload.intermediate=176", "workload.experts=5", "workload.top_k=2",
    "workload.batch=7",    "workload.tile_n=64",        "workload.tile_k=64",
};

inline tl_config load_config(const settings &keys)
{
    std::vector<const char *> texts;
    for (const std::string &key : keys) {
        texts.push_back(key.c_str());
    }
    tl_config config;
    char error[TL_CONFIG_ERROR_BYTES];
    const int status =
        tl_config_load("../../configs/figure/base/run.yaml", texts.data(), texts.size(), &config, error, sizeof error);
    ck_assert_msg(status == 0, "%s", error);
    return config;
}

class machine
{
public:
    explicit machine(const settings &keys) : machine(keys, [this](auto &from, auto &to) { links.connect(from, to); }) {}

    // With links of the test's own.
    machine(const settings &keys, const socket_link &link)
        : config(load_config(keys)), workload(make_workload()),
          system("system", config, *tl_workload_source(workload), nullptr, link)
    {
    }
    ~machine() { tl_workload_destroy(workload); }
    machine(const machine &) = delete;
    machine &operator=(const machine &) = delete;

    const tl_statistics &run()
    {
        sc_core::sc_start();
        return system.settle();
    }

    const tl_config config;
    tl_workload *const workload;
    monitored_links links;
    gpu_system system;

private:
    tl_workload *make_workload() const
    {
        const tl_tensor_rate rate = {config.system.gpu.tensor_tflop_per_s * 1e12, config.system.gpu.sm_count,
                                     config.system.gpu.tensor_efficiency};
        const tl_placement placement = placement_of(config.system);
        tl_input_error error = {};
        tl_workload *made = tl_workload_create(&config.workload.model, &rate, &placement, &error);
        ck_assert_msg(made != nullptr, "%s: %s, %s", error.path, error.found, error.expected);
        return made;
    }
};

} // namespace tilelens
#endif
