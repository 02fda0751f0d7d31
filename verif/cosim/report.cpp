// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <cinttypes>
#include <cstdio>
#include <utility>

#include "case_names.h"
#include "case_text.h"
#include "random_load.h"

namespace cosim
{

namespace
{

// A mismatch may need what the loads before left behind: replay starts a few loads earlier.
constexpr uint64_t ReplayLoads = 3;

Tally total_of(const std::vector<Result> &results)
{
    Tally total;
    for (const Result &result : results) {
        total.loads += result.tally.loads;
        total.accepted += result.tally.accepted;
        total.refused += result.tally.refused;
        total.requests += result.tally.requests;
        total.checks += result.tally.checks;
        total.mismatches += result.tally.mismatches;
        total.cycles += result.tally.cycles;
        total.seconds += result.tally.seconds;
        for (unsigned k = 0; k < TL_RANDOM_CLASS_COUNT; k++) {
            total.class_loads[k] += result.tally.class_loads[k];
            total.class_accepted[k] += result.tally.class_accepted[k];
        }
    }
    return total;
}

// A word of a shell command.
std::string quoted(const std::string &word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=,:@%";
    return word.find_first_not_of(plain) == std::string::npos ? word : "'" + word + "'";
}

std::string replay_line(const Options &options, const Result &result)
{
    const Stimulus &stimulus = result.first.stimulus;
    std::string line = std::string("tilelens check --variant ") + tl_variant_names[result.variant];
    if (!options.rtl.empty())
        line += " --rtl " + quoted(options.rtl) + " --top " + quoted(options.top) + (options.taps ? " --taps" : "");
    char numbers[96];
    if (stimulus.is_case) {
        std::snprintf(numbers, sizeof numbers, " --seed %#" PRIx64 " ", stimulus.seed);
        return line + numbers + quoted(stimulus.label);
    }
    const uint64_t number = stimulus.index - options.cases.size();
    const uint64_t before = number < ReplayLoads - 1 ? number : ReplayLoads - 1;
    std::snprintf(numbers, sizeof numbers, " --seed %#" PRIx64 " --random %" PRIu64,
                  tl_random_load_seed(stimulus.seed, -before), before + 1);
    return line + numbers;
}

void print_row(const char *name, const Tally &tally)
{
    std::printf("%-9s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %12" PRIu64 " %11" PRIu64 "\n", name, tally.loads,
                tally.accepted, tally.refused, tally.requests, tally.mismatches);
}

void write_class_loads(std::FILE *file, const Tally &tally, const char *indent)
{
    unsigned classes = 0;
    std::fprintf(file, "%s\"class_loads\": {", indent);
    for (unsigned k = 0; k < TL_RANDOM_CLASS_COUNT; k++) {
        classes += tally.class_accepted[k] > 0;
        std::fprintf(file, "%s\"%s\": %" PRIu64, k == 0 ? "" : ", ",
                     tl_random_class(static_cast<tl_random_class_index>(k))->id, tally.class_loads[k]);
    }
    std::fprintf(file, "},\n%s\"classes\": %u", indent, classes);
}

void write_tally(std::FILE *file, const Tally &tally, uint64_t seed, const char *indent)
{
    const std::pair<const char *, uint64_t> counts[] = {
        {"loads", tally.loads},
        {"accepted", tally.accepted},
        {"refused", tally.refused},
        {"requests", tally.requests},
        {"mismatches", tally.mismatches},
        {"checks", tally.checks},
        {"seed", seed},
        {"cycles", tally.cycles},
    };
    for (const auto &[key, value] : counts)
        std::fprintf(file, "%s\"%s\": %" PRIu64 ",\n", indent, key, value);
    std::fprintf(file, "%s\"seconds\": %.3f,\n", indent, tally.seconds);
    write_class_loads(file, tally, indent);
}

void print_details(const Options &options, const Result &result)
{
    const char *variant = tl_variant_names[result.variant];
    if (result.tally.mismatches > 0)
        std::printf("\n%s\n  replay: %s\n", result.first.text.c_str(), replay_line(options, result).c_str());
    if (result.tally.checks == 0)
        std::printf("\n%s: nothing was compared\n", variant);
    if (!result.log.empty())
        std::printf("\n%s, load %" PRIu64 " (%s)\n%s\n%s\n", variant, result.shown.index, result.shown.label,
                    case_text(result.shown).c_str(), result.log.c_str());
}

} // namespace

void print_results(const Options &options, const std::vector<Result> &results)
{
    std::printf("%-9s %10s %10s %10s %12s %11s\n", "variant", "loads", "accepted", "refused", "requests", "mismatches");
    for (const Result &result : results)
        print_row(tl_variant_names[result.variant], result.tally);
    const Tally total = total_of(results);
    if (results.size() > 1)
        print_row("total", total);
    for (const Result &result : results)
        print_details(options, result);
    std::printf(
        "%s seed=%" PRIu64 " loads=%" PRIu64 " requests=%" PRIu64 " checks=%" PRIu64 " mismatches=%" PRIu64 "\n",
        passed(results) ? "PASS" : "FAIL", options.seed, total.loads, total.requests, total.checks, total.mismatches);
}

bool write_json(const Options &options, const std::vector<Result> &results)
{
    std::FILE *file = std::fopen(options.json.c_str(), "w");
    if (file == nullptr)
        return false;
    std::fprintf(file, "{\n");
    write_tally(file, total_of(results), options.seed, "  ");
    for (const Result &result : results) {
        std::fprintf(file, ",\n  \"%s\": {\n", tl_variant_names[result.variant]);
        write_tally(file, result.tally, options.seed, "    ");
        std::fprintf(file, "\n  }");
    }
    std::fprintf(file, "\n}\n");
    const bool written = std::ferror(file) == 0;
    return std::fclose(file) == 0 && written;
}

bool passed(const std::vector<Result> &results)
{
    for (const Result &result : results) {
        if (result.tally.mismatches > 0 || result.tally.checks == 0)
            return false;
    }
    return true;
}

} // namespace cosim
