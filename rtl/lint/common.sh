# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # variables for the lint scripts, which read this file
# The RTL in the order of rtl.f, and what the lint scripts share.
# Exit status of every script: 0 clean, 1 findings, 77 the tool is not installed.
set -eu

rtl=$(cd "$(dirname "$0")/.." && pwd)
files=$(sed -e 's,//.*,,' "$rtl/rtl.f" | tr '\n' ' ')
variants="0 1 2" # TileMajor: baseline, paper, general
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cd "$rtl"

need() # need COMMAND PACKAGE
{
    command -v "$1" >/dev/null && return
    echo "$0: skipped, $1 is not installed (Debian package: $2)"
    exit 77
}

findings() # findings VARIANT: shows the log and ends
{
    echo "$0: TileMajor=$1:" >&2
    cat "$log" >&2
    exit 1
}
