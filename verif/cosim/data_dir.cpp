// SPDX-License-Identifier: Apache-2.0
#include "data_dir.h"

#include <algorithm>
#include <filesystem>

#include "paths.h"

namespace cosim
{

namespace fs = std::filesystem;

namespace
{

fs::path program_dir()
{
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path();
}

bool in_build_tree()
{
    std::error_code error;
    return fs::exists(program_dir() / TL_DATA_DIR_BUILD / "rtl/rtl.f", error);
}

} // namespace

std::string data_dir()
{
    return (program_dir() / (in_build_tree() ? TL_DATA_DIR_BUILD : TL_DATA_DIR_INSTALL)).lexically_normal().string();
}

std::string include_dir()
{
    if (in_build_tree())
        return data_dir() + "/cmodel/include";
    return (program_dir() / "../include").lexically_normal().string();
}

std::vector<std::string> default_cases()
{
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(fs::path(data_dir()) / "configs/cases", error)) {
        if (entry.path().extension() == ".yaml")
            paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

} // namespace cosim
