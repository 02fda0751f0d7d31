#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_cli_refused.sh TILELENS: views of real kernels that must be refused, each by the status its first line names.
set -u

tilelens=${1:?usage: test_cli_refused.sh TILELENS}
cases=$(cd "$(dirname "$0")/../../configs/cases/refused" && pwd)
failures=0
seen=0
for file in "$cases"/*.yaml; do
    status=$(sed -n '1s/^# refused: //p' "$file")
    line=$("$tilelens" map "$file" 2>&1)
    code=$?
    case $code:$line in
    2:"tilelens: $file: "*"($status)") ;;
    *)
        echo "FAIL $file: expected a refusal by '$status', exit status $code: $line"
        failures=$((failures + 1))
        ;;
    esac
    seen=$((seen + 1))
done
echo "$seen refused cases, $failures failures"
[ "$seen" -gt 0 ] && [ "$failures" = 0 ]
