#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
set -eu

usage()
{
    cat <<'END'
usage: bootstrap.sh demo | test

  demo   build, check the RTL against the golden model, estimate gates, print one table
  test   build and run the test suite

Installs what is missing from Debian (12 or later), then runs the CMake workflow preset of
the same name. Output goes to build/. Exit status: 0 success, 1 failure, 2 bad usage or a
package that cannot be installed.
END
}

# package:probe; a package is installed only where its probe fails, so tools from elsewhere are left alone.
requirements="
build-essential:command -v cc && command -v c++ && command -v make
cmake:command -v cmake
ninja-build:command -v ninja
pkg-config:command -v pkg-config
check:pkg-config --exists check
libcyaml-dev:pkg-config --exists libcyaml
libyaml-dev:pkg-config --exists yaml-0.1
zlib1g-dev:echo '#include <zlib.h>' | cc -E -
verilator:command -v verilator
yosys:command -v yosys
iverilog:command -v iverilog
libsystemc-dev:pkg-config --exists systemc
parallel:parallel --version | grep -q GNU
gnuplot-nox:command -v gnuplot
"

missing_packages()
{
    echo "$requirements" | while IFS=: read -r package probe; do
        [ -z "$package" ] || sh -c "$probe" >/dev/null 2>&1 || printf ' %s' "$package"
    done
}

as_root()
{
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        give_up "needs root (or sudo) to install:$missing"
    fi
}

give_up()
{
    echo "bootstrap.sh: $1" >&2
    exit 2
}

install_missing()
{
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || give_up "no apt-get here; install by hand:$missing"
    echo "Installing:$missing"
    as_root apt-get update -q
    # shellcheck disable=SC2086 # one word per package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
    missing=$(missing_packages)
    [ -z "$missing" ] || give_up "still missing after installation:$missing"
}

case "$#:${1-}" in
1:demo | 1:test) ;;
1:--help | 1:-h) usage; exit 0 ;;
*) usage >&2; exit 2 ;;
esac

cd "$(dirname "$0")"
install_missing
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL-$(nproc)}
CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL CTEST_PARALLEL_LEVEL
cmake --workflow --preset "$1" || exit 1
