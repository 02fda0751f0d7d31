// SPDX-License-Identifier: Apache-2.0
#include "user_rtl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "data_dir.h"

namespace cosim
{

namespace fs = std::filesystem;

namespace
{

// Run a program with its output in a file. Returns its exit status; 127 when it is not there.
int run(const std::vector<std::string> &arguments, const std::string &log)
{
    std::vector<char *> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string &argument : arguments)
        argv.push_back(const_cast<char *>(argument.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return 126;
    return WEXITSTATUS(status);
}

// The line of a build log that says why.
std::string first_error(const std::string &log)
{
    std::ifstream file(log);
    std::string line, last;
    while (std::getline(file, line)) {
        if (line.find("rror") != std::string::npos)
            return line;
        if (!line.empty())
            last = line;
    }
    return last;
}

} // namespace

UserRtl::~UserRtl()
{
    if (library_ != nullptr)
        dlclose(library_);
    std::error_code ignored;
    if (!folder_.empty())
        fs::remove_all(folder_, ignored);
}

std::vector<std::string> UserRtl::build_command() const
{
    const std::string harness = data_dir() + "/verif/cosim";
    std::string flags = "-std=c++17 -fPIC -I" + harness + " -I" + include_dir();
    if (options_.taps)
        flags += " -DTILELENS_COSIM_TAPS";
    // clang-format off
    std::vector<std::string> command = {
        "verilator", "--cc", "--exe", "--build", "-O3", "--assert", "--x-assign", "fast", "--x-initial", "fast",
        "-Wno-fatal", "--prefix", "Vtma_user", "--top-module", options_.top,
        "-GTileMajor=" + std::to_string(variant_), "-F", options_.rtl, "--Mdir", folder_, "-LDFLAGS", "-shared",
        "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "-o", "user.so", harness + "/user/user_dut.cpp"};
    // clang-format on
    if (options_.fst.empty())
        flags += " -DTILELENS_COSIM_NO_TRACE";
    else
        command.push_back("--trace-fst");
    command.insert(command.end(), {"-CFLAGS", flags});
    return command;
}

bool UserRtl::build()
{
    std::string pattern = (fs::temp_directory_path() / "tilelens-check-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        error_ = pattern + ": " + std::strerror(errno);
        return false;
    }
    folder_ = pattern;
    const std::string log = folder_ + "/build.log";
    const int status = run(build_command(), log);
    if (status == 127)
        error_ = options_.rtl + ": found no program verilator, expected it on PATH (Debian package verilator)";
    else if (status != 0)
        error_ = options_.rtl + ": verilator: " + first_error(log) + ", expected a top module " + options_.top +
                 " with the ports and the parameter of tma_top";
    return status == 0;
}

std::unique_ptr<Dut> UserRtl::load()
{
    library_ = dlopen((folder_ + "/user.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    auto *make =
        library_ == nullptr ? nullptr : reinterpret_cast<Dut *(*)()>(dlsym(library_, "tilelens_make_user_dut"));
    if (make == nullptr) {
        error_ = options_.rtl + ": " + dlerror();
        return nullptr;
    }
    return std::unique_ptr<Dut>(make());
}

std::unique_ptr<Dut> UserRtl::make()
{
    std::error_code ignored;
    if (!fs::is_regular_file(options_.rtl, ignored)) {
        error_ = options_.rtl + ": found no such file, expected a Verilator file list";
        return nullptr;
    }
    return build() ? load() : nullptr;
}

} // namespace cosim
