#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh SOURCE_DIR BUILD_DIR: sums up the coverage that the tests recorded in BUILD_DIR: lines, functions and
# branches of the C model and of the command (gcov), lines of the RTL and all its coverage points, toggles included
# (verilator --coverage). Leaves c.info, rtl.info and the annotated RTL in BUILD_DIR/coverage.
# Works with lcov 1.16 and 2.0.
set -eu

source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
command -v lcov >/dev/null || { echo "coverage.sh: lcov is not installed (Debian package: lcov)" >&2; exit 2; }

# lcov 2 renamed the option and stops at what 1.16 lets pass.
case $(lcov --version) in
*" 1."*) options="--rc lcov_branch_coverage=1" ;;
*) options="--rc branch_coverage=1 --ignore-errors mismatch,inconsistent,unused" ;;
esac

quiet_lcov() # lcov 1.16 makes perl complain of itself
{
    # shellcheck disable=SC2086 # one word per option
    lcov -q $options "$@" 2>lcov.log || { cat lcov.log >&2; exit 1; }
}

summary() # summary TITLE FILE
{
    echo "$1:"
    # shellcheck disable=SC2086 # one word per option
    lcov $options --summary "$2" 2>&1 | grep '%'
}

cd "$build/coverage"
quiet_lcov --capture --base-directory "$source" --directory "$build/cmodel" --output-file c.info
quiet_lcov --extract c.info "$source/cmodel/src/*" --output-file model.info
quiet_lcov --extract c.info "$source/cmodel/tools/*" --output-file tools.info
verilator_coverage --write-info rtl.info ./*.dat
summary "C model" model.info
summary "tilelens command" tools.info
summary "RTL" rtl.info
verilator_coverage --annotate annotated ./*.dat | sed -n 's/^Total coverage/  points......:/p'
