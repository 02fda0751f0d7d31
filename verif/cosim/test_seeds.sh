#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_seeds.sh TILELENS_CHECK [FILE]: replay every seed that once failed (verif/seeds/regressions.txt).
set -eu

check=$1
seeds=${2:-$(dirname "$0")/../seeds/regressions.txt}
replayed=0
failed=0

while IFS= read -r line; do
    arguments=${line%%#*}
    [ -n "$(echo "$arguments" | tr -d ' \t')" ] || continue
    replayed=$((replayed + 1))
    # shellcheck disable=SC2086 # one word per option
    if ! "$check" $arguments >/dev/null; then
        echo "test_seeds: failed again: $line" >&2
        failed=1
    fi
done <"$seeds"
echo "$replayed seeds replayed"
exit $failed
