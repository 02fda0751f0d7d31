#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh check|update BIN_DIR: what a program prints stands in docs/ and README.md between `<!-- NAME -->` and
# `<!-- end -->`, tables and code. check: fails when it differs from what the program prints now. update: writes it.
set -eu

mode=$1
bin=$2
docs=$(cd "$(dirname "$0")/../docs" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

table() # table FILE NAME PROGRAM...
{
    file=$docs/$1
    name=$2
    shift 2
    "$@" >"$work/table"
    awk -v name="$name" -v table="$work/table" '
        $0 == "<!-- " name " -->" { print; while ((getline line < table) > 0) print line; inside = 1; seen = 1; next }
        $0 == "<!-- end -->" { inside = 0 }
        !inside { print }
        END { exit !seen }' "$file" >"$work/new" || { echo "docs.sh: $file has no marker $name" >&2; exit 1; }
    if [ "$mode" = update ]; then
        cp "$work/new" "$file"
    elif ! cmp -s "$work/new" "$file"; then
        echo "docs.sh: $file: table $name is not what '$*' prints; run docs.sh update" >&2
        diff "$file" "$work/new" >&2 || true
        failed=1
    fi
}

code() # code FILE: the whole of it
{
    echo '```cpp'
    cat "$docs/../$1"
    echo '```'
}

table 04-holes-in-the-paper.md holes "$bin/paper_holes"
table 05-verification.md classes "$bin/random_classes"
table ../README.md platform code sim/examples/platform/platform.cpp
exit $failed
