#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: test_examples.sh BUILD
# Installs a build into an empty prefix, then builds and runs each example with nothing but that prefix.
set -eu

build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
for example in platform full_system; do
    cp -r "$here/$example" "$work/$example" # away from our headers
    cmake -S "$work/$example" -B "$work/$example/build" -DCMAKE_BUILD_TYPE=Release \
          -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/$example.log"
    cmake --build "$work/$example/build" >>"$work/$example.log" || { cat "$work/$example.log"; exit 1; }
    "$work/$example/build/$example"
done

# The same without CMake. SystemC links with the C++ standard it was built with.
PKG_CONFIG_PATH=$(find "$work/prefix" -name pkgconfig)
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
c++ -std=c++17 ${CXXFLAGS:-} "$here/platform/platform.cpp" -o "$work/platform_pc" $(pkg-config --cflags --libs tilelens-tlm)
"$work/platform_pc"
