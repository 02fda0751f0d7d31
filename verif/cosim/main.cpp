// SPDX-License-Identifier: Apache-2.0
// tilelens-check: the RTL against the golden model.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <tuple>

#include "case_file.h"
#include "case_names.h"
#include "driver.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "scoreboard.h"
#include "user_rtl.h"

namespace cosim
{

namespace
{

// Returns 0, or 2 after a line on stderr.
int read_cases(const Options &options, std::vector<CaseLoad> &out)
{
    for (const std::string &path : options.cases) {
        char error[TL_CASE_ERROR_BYTES];
        tl_case from;
        CaseLoad to{path, {}, {}, {}};
        if (tl_case_load(path.c_str(), &from, error, sizeof error) != 0 ||
            tl_case_launch(path.c_str(), &from, &to.map, error, sizeof error) != 0)
            return fail(error);
        to.params = from.params;
        to.load = from.load;
        out.push_back(to);
    }
    return 0;
}

// Whether a file can be made there; it is left empty.
bool can_write(const std::string &path)
{
    std::FILE *file = std::fopen(path.c_str(), "w");
    return file != nullptr && std::fclose(file) == 0;
}

int check_outputs(const Options &options)
{
    if (!options.json.empty() && !can_write(options.json))
        return fail(options.json + ": found a file that cannot be written, expected a path for JSON");
    if (!options.fst.empty() && !can_write(options.fst))
        return fail(options.fst + ": found a file that cannot be written, expected a path for a waveform");
    return 0;
}

Result check(const Options &options, const std::vector<CaseLoad> &cases, tl_variant variant, Dut &dut)
{
    Scoreboard scoreboard(dut, variant);
    Driver driver(dut, &scoreboard);
    LoadSource source(cases, options.seed, options.random_loads);
    Progress progress(tl_variant_names[variant], source.size());

    if (options.dump)
        scoreboard.keep_logs();
    if (!options.fst.empty())
        dut.open_trace(options.fst);
    driver.on_progress([&progress](uint64_t done) { progress.update(done); });
    const auto start = std::chrono::steady_clock::now();
    driver.run(source);

    Result result{variant, scoreboard.tally(), scoreboard.first(), {}, {}};
    result.tally.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.tally.cycles = driver.cycles();
    if (result.tally.mismatches > 0 || source.size() == 1)
        std::tie(result.shown, result.log) = scoreboard.shown();
    return result;
}

int run(const Options &options)
{
    std::vector<CaseLoad> cases;
    std::vector<Result> results;
    if (read_cases(options, cases) != 0 || check_outputs(options) != 0)
        return 2;
    // Everything that can be bad input comes before the first line on stdout.
    std::vector<std::unique_ptr<UserRtl>> users;
    std::vector<std::unique_ptr<Dut>> duts;
    for (const tl_variant variant : options.variants) {
        if (options.rtl.empty()) {
            duts.push_back(make_dut(variant));
            continue;
        }
        users.push_back(std::make_unique<UserRtl>(options, variant));
        duts.push_back(users.back()->make());
        if (duts.back() == nullptr)
            return fail(users.back()->error());
    }
    std::printf("seed %" PRIu64 "\n", options.seed);
    for (size_t k = 0; k < duts.size(); k++)
        results.push_back(check(options, cases, options.variants[k], *duts[k]));
    print_results(options, results);
    if (!options.json.empty() && !write_json(options, results))
        return fail(options.json + ": found no room for the results, expected a file that can be written");
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        return fail("standard output: found no room for the results, expected an output that can be written");
    return passed(results) ? 0 : 1;
}

} // namespace

} // namespace cosim

int main(int argc, char **argv)
{
    cosim::Options options;
    const int status = cosim::read_options(argc, argv, options);
    return status >= 0 ? status : cosim::run(options);
}
