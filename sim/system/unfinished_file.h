// SPDX-License-Identifier: Apache-2.0
// A file that is only of use when it is whole.
#ifndef TILELENS_SIM_SYSTEM_UNFINISHED_FILE_H
#define TILELENS_SIM_SYSTEM_UNFINISHED_FILE_H

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace tilelens
{

// Removes the file unless it was finished, also when a signal ends the program. One at a time; devices and pipes stay.
class unfinished_file
{
public:
    explicit unfinished_file(std::string path) : m_path(std::move(path))
    {
        struct stat found;
        if (lstat(m_path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) {
            return;
        }
        s_path = m_path.c_str();
        for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction before;
            if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
                std::signal(number, remove_and_end);
            }
        }
    }
    unfinished_file(const unfinished_file &) = delete;
    unfinished_file &operator=(const unfinished_file &) = delete;
    ~unfinished_file()
    {
        if (s_path != nullptr) {
            unlink(s_path);
        }
        finish();
    }

    void finish() { s_path = nullptr; }

private:
    static void remove_and_end(int number)
    {
        if (s_path != nullptr) {
            unlink(s_path);
        }
        std::signal(number, SIG_DFL);
        std::raise(number);
    }

    static inline const char *volatile s_path = nullptr;
    const std::string m_path;
};

} // namespace tilelens
#endif
