// SPDX-License-Identifier: Apache-2.0
// tilelens-simulate: one run of the memory system.
#include <cstdlib>
#include <ctime>
#include <optional>
#include <systemc>

#include "../config/config_file.h"
#include "../gpu/workload.h"
#include "../stats/report.h"
#include "command_line.h"
#include "gpu_system.h"
#include "large_pages.h"
#include "progress_bar.h"
#include "run_check.h"
#include "simulate_options.h"
#include "unfinished_file.h"
#include "whole_file.h"

namespace tilelens
{

namespace
{

int refuse(const std::string &file, const char *group, const tl_input_error &error)
{
    return tl_fail("%s: %s%s: found %s, expected %s", file.c_str(), group, error.path, error.found, error.expected);
}

// Kernels and loads: a workload, or a trace in its place.
class load_input
{
public:
    ~load_input()
    {
        tl_workload_destroy(m_workload);
        tl_trace_close(m_trace);
    }

    // Returns 0, or 2 after a line on stderr.
    int open(const simulate_options &options, const tl_config &config)
    {
        tl_input_error error = {};
        if (!options.replay.empty()) {
            m_trace = tl_trace_open(options.replay.c_str(), &error);
            return m_trace != nullptr && is_in_memory(*m_trace, config.system, error)
                       ? 0
                       : refuse(options.replay, "", error);
        }
        const tl_tensor_rate rate = {config.system.gpu.tensor_tflop_per_s * 1e12, config.system.gpu.sm_count,
                                     config.system.gpu.tensor_efficiency};
        const tl_placement placement = placement_of(config.system);
        m_workload = tl_workload_create(&config.workload.model, &rate, &placement, &error);
        if (m_workload == nullptr) {
            return refuse(options.config, "workload.", error);
        }
        const std::string missing = missing_room(config.system, source());
        return missing.empty() ? 0 : tl_fail("%s: %s", options.config.c_str(), missing.c_str());
    }

    const tl_load_source &source() const
    {
        return m_trace != nullptr ? *tl_trace_source(m_trace) : *tl_workload_source(m_workload);
    }

private:
    static bool is_in_memory(const tl_trace &trace, const tl_system_config &system, tl_input_error &error)
    {
        return tl_trace_check_addresses(&trace, TL_OPERAND_WEIGHT, home_of(system, TL_OPERAND_WEIGHT), &error) &&
               tl_trace_check_addresses(&trace, TL_OPERAND_ACTIVATION, home_of(system, TL_OPERAND_ACTIVATION), &error);
    }

    tl_workload *m_workload = nullptr;
    tl_trace *m_trace = nullptr;
};

int cannot_write(const std::string &path)
{
    return tl_fail("%s: file: found one that cannot be written, expected a path for the output", path.c_str());
}

int write_results(const simulate_options &options, const tl_statistics &statistics)
{
    tl_report report;
    tl_report_make(&statistics, &report);
    if (!options.json.empty()) {
        tl_whole_file json;
        if (tl_whole_file_open(&json, options.json.c_str()) != 0) {
            return 2;
        }
        tl_report_write_json(&report, &statistics, json.file);
        if (tl_whole_file_close(&json) != 0 || tl_whole_file_keep(&json) != 0) {
            return 2;
        }
    }
    tl_report_print_table(&report, stdout);
    return std::fflush(stdout) == 0 ? 0 : cannot_write("standard output");
}

int simulate(const simulate_options &options, const tl_config &config, const tl_load_source &source)
{
    tl_input_error error = {};
    tl_trace_recorder *recorder = nullptr;
    std::optional<unfinished_file> trace;
    if (!options.json.empty() && tl_whole_file_check(options.json.c_str()) != 0) {
        return 2;
    }
    if (!options.record.empty()) {
        recorder = tl_trace_record_open(options.record.c_str(), &source, &error);
        if (recorder == nullptr) {
            return refuse(options.record, "", error);
        }
        trace.emplace(options.record);
    }
    gpu_system system("system", config, source, recorder);
    tl_progress_bar bar;
    tl_progress_bar_start(&bar, "simulate");
    system.processors().on_progress([&bar](uint64_t done, uint64_t total) {
        tl_progress_bar_tell(&bar, static_cast<double>(done) / static_cast<double>(total));
    });
    sc_core::sc_start();
    tl_progress_bar_end(&bar);

    tl_statistics statistics = system.settle();
    statistics.seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    if (recorder != nullptr && !tl_trace_record_close(recorder, &error)) {
        return refuse(options.record, "", error);
    }
    const int status = check_run(options.replay.empty() ? options.config : options.replay, system, statistics);
    if (status != 0) {
        return status;
    }
    if (trace.has_value()) {
        trace->finish();
    }
    return write_results(options, statistics);
}

int run(int argc, char **argv)
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING); // results alone on stdout
    simulate_options options;
    const int status = read_options(argc, argv, options);
    if (status >= 0) {
        return status;
    }
    std::vector<const char *> settings;
    for (const std::string &setting : options.settings) {
        settings.push_back(setting.c_str());
    }
    tl_config config;
    char error[TL_CONFIG_ERROR_BYTES];
    if (tl_config_load(options.config.c_str(), settings.data(), settings.size(), &config, error, sizeof error) != 0) {
        return tl_fail("%s", error);
    }
    load_input input;
    const int bad = input.open(options, config);
    return bad != 0 ? bad : simulate(options, config, input.source());
}

} // namespace

} // namespace tilelens

int sc_main(int argc, char **argv)
{
    try {
        return tilelens::run(argc, argv);
    } catch (const sc_core::sc_report &report) {
        return tl_fail("simulate: %s: found %s, expected a configuration that can be built", report.get_msg_type(),
                       report.get_msg());
    }
}

// Ours, so that SystemC prints no banner between our lines.
int main(int argc, char **argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
    tilelens::use_large_pages();
    return sc_core::sc_elab_and_sim(argc, argv);
}
