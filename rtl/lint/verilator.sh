#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Verilator: no warning under -Wall, in any variant.
. "$(dirname "$0")/common.sh"
need verilator verilator

for variant in $variants; do
    # shellcheck disable=SC2086 # one word per file
    verilator --lint-only -Wall --top-module tma_top -GTileMajor="$variant" $files >"$log" 2>&1 || findings "$variant"
    ! grep -q '^%' "$log" || findings "$variant"
done
