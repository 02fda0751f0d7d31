#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Yosys: reads every variant, finds no driver conflict, loop or undriven wire, and declares no wire by itself.
. "$(dirname "$0")/common.sh"
need yosys yosys

for variant in $variants; do
    yosys -q -p "read_verilog -sv $files; hierarchy -check -top tma_top -chparam TileMajor $variant;
                 proc; check -assert; opt; check -assert" >"$log" 2>&1 || findings "$variant"
    ! grep -q 'implicitly declared' "$log" || findings "$variant"
done
