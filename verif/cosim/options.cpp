// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <getopt.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "case_names.h"
#include "data_dir.h"

namespace cosim
{

namespace
{

constexpr uint64_t DefaultRandomLoads = 10000;

const char Help[] =
    R"(usage: tilelens check [CASE...] [options]

Run the RTL and the golden C model on the same loads and compare them request by request; with this project's RTL
also stage by stage, so that the first mismatch names the stage. The C model is compared with the definition, element
by element, on the way. Both ends are stalled at random.

Without CASE and --random: every case of configs/cases and 10,000 random loads.

  CASE             case file, one load each
  --random N       N random loads of every class
  --seed S         seed of the random loads and of the stalls (default 1; decimal or 0x hex)
  --variant V      baseline, paper or general (default: all three)
  --rtl FILE.f     check your RTL in place of ours: Verilator file list, paths in it relative to the list
  --top NAME       its top module: ports and parameter TileMajor of tma_top
  --taps           your RTL also has the signals between the stages of tma_top: compare them too
  --fst FILE       write a waveform of the run; one variant only
  --dump           print every value compared for the first load that mismatches, or for the only load
  --json FILE      write the table as JSON
  --help           this text

Prints the seed first and last, a table, and for the first mismatch of each variant a line that replays it.
Exit status: 0 all equal, 1 a mismatch or nothing compared, 2 bad input.

examples:
  tilelens check
  tilelens check configs/cases/r07_deepgemm_paged_kv_page0.yaml --variant general --dump
  tilelens check --random 1000000 --seed 42 --variant paper --json paper.json
  tilelens check --random 100 --variant general --fst general.fst
  tilelens check --rtl my_tma.f --top my_tma --variant baseline
)";

enum Option { O_RANDOM = 1, O_SEED, O_VARIANT, O_RTL, O_TOP, O_TAPS, O_FST, O_DUMP, O_JSON, O_HELP };

const option Table[] = {
    {"random", required_argument, nullptr, O_RANDOM},
    {"seed", required_argument, nullptr, O_SEED},
    {"variant", required_argument, nullptr, O_VARIANT},
    {"rtl", required_argument, nullptr, O_RTL},
    {"top", required_argument, nullptr, O_TOP},
    {"taps", no_argument, nullptr, O_TAPS},
    {"fst", required_argument, nullptr, O_FST},
    {"dump", no_argument, nullptr, O_DUMP},
    {"json", required_argument, nullptr, O_JSON},
    {"help", no_argument, nullptr, O_HELP},
    {nullptr, 0, nullptr, 0},
};

// Decimal, or hexadecimal after 0x.
bool read_number(const char *text, uint64_t &out)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end = nullptr;
    if (!std::isdigit(static_cast<unsigned char>(text[0])))
        return false;
    errno = 0;
    out = std::strtoull(text, &end, hex ? 16 : 10);
    return errno == 0 && *end == '\0';
}

int read_variant(const char *text, Options &out)
{
    const int variant = tl_name_find(tl_variant_names, TL_VARIANT_COUNT, text);
    if (variant >= 0) {
        out.variants = {static_cast<tl_variant>(variant)};
        return -1;
    }
    return fail("check: --variant: found " + std::string(text) + ", expected baseline, paper or general");
}

int read_option(int kind, Options &out)
{
    switch (kind) {
    case O_RANDOM:
        if (!read_number(optarg, out.random_loads) || out.random_loads == 0)
            return fail("check: --random: found " + std::string(optarg) + ", expected a number of loads, 1 or more");
        break;
    case O_SEED:
        if (!read_number(optarg, out.seed))
            return fail("check: --seed: found " + std::string(optarg) + ", expected a number of at most 64 bits");
        break;
    case O_VARIANT:
        return read_variant(optarg, out);
    case O_RTL:
        out.rtl = optarg;
        break;
    case O_TOP:
        out.top = optarg;
        break;
    case O_TAPS:
        out.taps = true;
        break;
    case O_FST:
        out.fst = optarg;
        break;
    case O_DUMP:
        out.dump = true;
        break;
    case O_JSON:
        out.json = optarg;
        break;
    case O_HELP:
        std::fputs(Help, stdout);
        return 0;
    default:
        return fail("check: unknown option or missing value, see tilelens check --help");
    }
    return -1;
}

int check_together(const Options &options)
{
    if (options.rtl.empty() != options.top.empty())
        return fail("check: found one of --rtl and --top, expected both or none");
    if (options.taps && options.rtl.empty())
        return fail("check: found --taps without --rtl, expected both");
    if (!options.fst.empty() && options.variants.size() != 1)
        return fail("check: --fst: found all three variants, expected --variant too");
    return -1;
}

} // namespace

int fail(const std::string &text)
{
    std::fprintf(stderr, "tilelens: %s\n", text.c_str());
    return 2;
}

int read_options(int argc, char **argv, Options &out)
{
    out.variants = {TL_BASELINE, TL_PAPER, TL_GENERAL};
    opterr = 0;
    int kind;
    while ((kind = getopt_long(argc, argv, "", Table, nullptr)) != -1) {
        const int status = read_option(kind, out);
        if (status >= 0)
            return status;
    }
    out.cases.assign(argv + optind, argv + argc);
    if (out.cases.empty() && out.random_loads == 0) {
        out.random_loads = DefaultRandomLoads;
        out.cases = default_cases();
        if (out.cases.empty())
            return fail("check: found no case in " + data_dir() + "/configs/cases, expected *.yaml");
    }
    return check_together(out);
}

} // namespace cosim
