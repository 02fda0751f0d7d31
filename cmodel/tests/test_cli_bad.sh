#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_cli_bad.sh TILELENS: every wrong case file gives one line on stderr that names the file and what is wrong,
# nothing on stdout, and exit status 2.
#
# The files of bad_cases/ say what they expect in their first lines:
#   # expect: TEXT that the line contains
#   # run: COMMAND [OPTION...], once for each; without it map, trace and encode
set -u
LC_ALL=C
export LC_ALL

program=${1:?usage: test_cli_bad.sh TILELENS}
tilelens=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
cases=$(dirname "$0")/bad_cases
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checks=0
failures=0

# bad FILE TEXT COMMAND...: run the command on FILE and check all there is to check.
bad()
{
    file=$1
    text=$2
    shift 2
    "$tilelens" "$@" "$file" >"$folder/stdout" 2>"$folder/stderr"
    status=$?
    checks=$((checks + 1))
    wrong=
    [ "$status" = 2 ] || wrong="exit status $status"
    [ ! -s "$folder/stdout" ] || wrong="$wrong; output on stdout"
    [ "$(wc -l <"$folder/stderr")" = 1 ] || wrong="$wrong; $(wc -l <"$folder/stderr") lines on stderr"
    line=$(cat "$folder/stderr")
    case $line in
    "tilelens: $file: "*": found "*", expected "*) ;;
    *) wrong="$wrong; not of the form FILE: PATH: found, expected" ;;
    esac
    case $line in
    *"$text"*) ;;
    *) wrong="$wrong; no '$text'" ;;
    esac
    if [ -n "$wrong" ]; then
        echo "FAIL $* $file: ${wrong#; }: $line"
        failures=$((failures + 1))
    fi
}

# bad_everywhere FILE TEXT: for every command that reads a case.
bad_everywhere()
{
    for command in map trace encode; do
        bad "$1" "$2" "$command"
    done
}

for file in "$cases"/*.yaml; do
    text=$(sed -n '1s/^# expect: //p' "$file")
    if [ -z "$text" ]; then
        echo "FAIL $file: no '# expect:' in its first line"
        failures=$((failures + 1))
        continue
    fi
    runs=$(sed -n 's/^# run: //p' "$file")
    if [ -z "$runs" ]; then
        bad_everywhere "$file" "$text"
    else
        while read -r run; do
            # shellcheck disable=SC2086 # one word per argument
            bad "$file" "$text" $run
        done <<END
$runs
END
    fi
done

# What no committed file can hold.
good="$folder/good.yaml"
cat >"$good" <<'END'
tensor:
  data_type: uint8
  global_address: 0x1000
  global_dim: [64]
  box_dim: [32]
load:
  coordinates: [0]
  shared_address: 0
END
"$tilelens" encode "$good" >/dev/null || { echo "FAIL: the good case is refused"; failures=$((failures + 1)); }

bad_everywhere "$folder" "file: found Is a directory"
bad_everywhere "$folder/missing.yaml" "file: found No such file or directory"
bad_everywhere "$good/below.yaml" "file: found Not a directory"
bad_everywhere "$folder/$(printf '%0300d' 0)" "file: found File name too long"
: >"$folder/empty.yaml"
bad_everywhere "$folder/empty.yaml" "found no content"
printf '# nothing but a comment\n' >"$folder/comment.yaml"
bad_everywhere "$folder/comment.yaml" "found no content"
{ cat "$good"; printf '\000\001\002\377\376'; } >"$folder/binary_tail.yaml"
bad_everywhere "$folder/binary_tail.yaml" "found no YAML"
printf '\177ELF\002\001\001\000\000\000\000' >"$folder/elf.yaml"
bad_everywhere "$folder/elf.yaml" "found no YAML"
sed 's/uint8/\xff\xfe/' "$good" >"$folder/no_utf8.yaml"
bad_everywhere "$folder/no_utf8.yaml" "found no YAML"
{ cat "$good"; yes '# filler' | head -c 70000; } >"$folder/long.yaml"
bad_everywhere "$folder/long.yaml" "found a longer file"
yes '[' | head -c 5000 >"$folder/deep.yaml"
bad_everywhere "$folder/deep.yaml" "expected"

# A file name that would break the line.
odd="$folder/odd
name.yaml"
"$tilelens" map "$odd" 2>"$folder/stderr"
[ "$(wc -l <"$folder/stderr")" = 1 ] || { echo "FAIL: a newline in the file name"; failures=$((failures + 1)); }
checks=$((checks + 1))

# No permission: root may read everything, so this one runs as somebody else.
# A coverage build writes its counters beside the sources, where nobody may not write.
mkdir -m 777 "$folder/gcov"
GCOV_PREFIX=$folder/gcov
export GCOV_PREFIX
chmod 755 "$folder"
chmod 000 "$good"
if [ "$(id -u)" != 0 ]; then
    bad_everywhere "$good" "file: found Permission denied"
elif command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups "$tilelens" --version \
        >/dev/null 2>&1; then
    as_nobody=$tilelens
    tilelens=setpriv
    for command in map trace encode; do
        bad "$good" "file: found Permission denied" \
            --reuid=65534 --regid=65534 --clear-groups "$as_nobody" "$command"
    done
else
    echo "skipped: no permission (runs as root, and nobody cannot run $tilelens)"
fi

echo "test_cli_bad: $checks checks, $failures failures"
[ "$failures" = 0 ] && [ "$checks" -ge 300 ]
