#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# results_page.sh OUT: puts the tables of a sweep, OUT/NAME.md, between `<!-- NAME -->` and `<!-- end -->` in docs/11-results.md.
set -eu

[ $# = 1 ] || { echo "usage: results_page.sh OUT" >&2; exit 2; }
page=$(cd "$(dirname "$0")/../../docs" && pwd)/11-results.md
work=$(mktemp)
trap 'rm -f "$work"' EXIT

for name in $(sed -n 's/^<!-- \([a-z0-9_]*\) -->$/\1/p' "$page" | grep -v '^end$'); do
    [ -r "$1/$name.md" ] || { echo "results_page.sh: $1/$name.md: found no table, expected one of a sweep" >&2; exit 2; }
    awk -v name="$name" -v table="$1/$name.md" '
        $0 == "<!-- " name " -->" { print; while ((getline line < table) > 0) print line; inside = 1; next }
        $0 == "<!-- end -->" { inside = 0 }
        !inside { print }' "$page" >"$work"
    cp "$work" "$page"
done
