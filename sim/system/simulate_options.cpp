// SPDX-License-Identifier: Apache-2.0
#include "simulate_options.h"

#include <getopt.h>

#include <cstdio>

#include "../config/config_file.h"
#include "../stats/report.h"
#include "command_line.h"

namespace tilelens
{

namespace
{

const char help[] =
    R"(usage: tilelens simulate CONFIG [--set KEY=VALUE]... [--record FILE] [--replay FILE] [--json FILE]

One run of the GPU memory system: the kernels of a feed-forward layer, their TMA loads through the golden C model, L2
with MSHRs and prefetcher, and the channels of HBM, HBF or RoMe.

  CONFIG           run file (YAML): system_file, workload_file, layout, prefetch, and any key below
  --set KEY=VALUE  a key of the list below, stronger than the files; a pair is KEY=[A, B]
  --record FILE    write every TMA load of the run as a trace; compressed when FILE ends in .gz
  --replay FILE    run the loads of a trace in place of the workload
  --json FILE      write the results as JSON
  --help           this text

Exit status: 0 success, 1 the run stood still or lost a byte, 2 bad input.

examples:
  tilelens simulate configs/figure/base/run.yaml --json hbf.json
  tilelens simulate configs/figure/base/run.yaml --set system.hbf.read_latency_us=10 --set layout=row_major

Keys:
)";

enum option_number { o_set = 1, o_record, o_replay, o_json, o_help };

const option table[] = {
    {"set", required_argument, nullptr, o_set},       {"record", required_argument, nullptr, o_record},
    {"replay", required_argument, nullptr, o_replay}, {"json", required_argument, nullptr, o_json},
    {"help", no_argument, nullptr, o_help},           {nullptr, 0, nullptr, 0},
};

int print_help()
{
    std::fputs(help, stdout);
    tl_config_print_keys(stdout);
    std::fputs("\nResults:\n", stdout);
    tl_report_print_definitions(stdout);
    return std::fflush(stdout) == 0 ? 0 : tl_fail("standard output: found no room, expected one that can be written");
}

} // namespace

int read_options(int argc, char **argv, simulate_options &out)
{
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, "h", table, nullptr)) != -1;) {
        switch (found) {
        case o_set:
            out.settings.emplace_back(optarg);
            break;
        case o_record:
            out.record = optarg;
            break;
        case o_replay:
            out.replay = optarg;
            break;
        case o_json:
            out.json = optarg;
            break;
        case o_help:
        case 'h':
            return print_help();
        default:
            return tl_fail("simulate: %s: found no such option, or no value, expected one that simulate --help lists",
                           argv[optind - 1]);
        }
    }
    if (argc - optind != 1) {
        return tl_fail("simulate: CONFIG: found %d files, expected one run file", argc - optind);
    }
    out.config = argv[optind];
    return -1;
}

} // namespace tilelens
