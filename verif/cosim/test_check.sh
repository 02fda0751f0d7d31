#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_check.sh TILELENS_CHECK: what `tilelens check` promises on its command line: 20,000 random loads in every variant
# without a mismatch, JSON, replay of a part of a run, one load's values, waveform, and bad input.
set -u

check=${1:?usage: test_check.sh TILELENS_CHECK}
root=$(cd "$(dirname "$0")/../.." && pwd)
case_file=$root/configs/cases/r01_deepgemm_b_k_tail.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool_path=$PATH
failures=0

fail()
{
    echo "FAIL $*"
    failures=$((failures + 1))
}

# run STATUS ARGUMENT...: compare the exit status, keep stdout and stderr.
run()
{
    wanted=$1
    shift
    PATH=$tool_path "$check" "$@" >"$work/stdout" 2>"$work/stderr"
    status=$?
    [ "$status" = "$wanted" ] || fail "$*: exit status $status, not $wanted: $(cat "$work/stdout" "$work/stderr")"
}

# bad TEXT ARGUMENT...: exit status 2, one line on stderr that contains TEXT, nothing on stdout.
bad()
{
    text=$1
    shift
    run 2 "$@"
    [ ! -s "$work/stdout" ] || fail "$*: bad input, yet something on stdout"
    [ "$(wc -l <"$work/stderr")" = 1 ] || fail "$*: stderr is not one line"
    grep -q "^tilelens: .*$text" "$work/stderr" || fail "$*: no '$text' in: $(cat "$work/stderr")"
}

# value VARIANT KEY: a number of the JSON; VARIANT is total, baseline, paper or general.
value()
{
    awk -v variant="$1" -v key="\"$2\":" '
        BEGIN { inside = variant == "total" }
        $2 == "{" { inside = $1 == "\"" variant "\":" }
        inside && $1 == key { sub(",", "", $2); print $2; exit }' "$work/check.json"
}

# A dimension of extent 1 whose stride is no multiple of the leading stride, but whose step is one of b columns.
cat >"$work/step.yaml" <<END
tensor: {data_type: uint8, global_address: 0x100000, global_dim: [128, 1], global_strides: [192], box_dim: [16, 9],
         element_strides: [1, 8]}
tile_major: {leading_stride: 128, memory_tile: [128, 4]}
load: {coordinates: [0, 0], shared_address: 0}
END
run 0 "$work/step.yaml"
bad "file" --random 1 --rtl "$work" --top tma_top

run 0 --random 20000 --seed 2 --json "$work/check.json"
head -1 "$work/stdout" | grep -qx 'seed 2' || fail "the first line is not the seed"
tail -1 "$work/stdout" | grep -q '^PASS seed=2 ' || fail "the last line has no verdict and seed"
for variant in baseline paper general; do
    [ "$(value $variant loads)" = 20000 ] || fail "$variant: loads"
    [ "$(value $variant mismatches)" = 0 ] || fail "$variant: mismatches"
    [ $(($(value $variant accepted) + $(value $variant refused))) = 20000 ] || fail "$variant: accepted + refused"
    [ "$(value $variant requests)" -gt 10000 ] || fail "$variant: requests"
    [ "$(value $variant cycles)" -gt "$(value $variant requests)" ] || fail "$variant: cycles"
    case $variant in # classes with at least one accepted load
    baseline) classes=7 ;;
    paper) classes=22 ;;
    *) classes=28 ;;
    esac
    [ "$(value $variant classes)" = "$classes" ] || fail "$variant: classes accepted"
done
[ "$(value total loads)" = 60000 ] || fail "loads in all"
[ "$(value paper accepted)" -gt $(($(value baseline accepted) + 2000)) ] || fail "paper accepts too few tile-major loads"
[ "$(value total seed)" = 2 ] || fail "seed in JSON"

# A run is a function of its seed.
"$check" --random 300 --seed 7 >"$work/first"
"$check" --random 300 --seed 7 >"$work/second"
cmp -s "$work/first" "$work/second" || fail "two runs with one seed differ"
for same in 10 010 0xa; do
    "$check" --random 1 --seed $same | head -1 | grep -qx 'seed 10' || fail "--seed $same"
done

run 0 "$case_file" --variant general --dump
for stage in desc_decode coord_mul split_sum dim_convert counters permute req_gen; do
    grep -q "^$stage " "$work/stdout" || fail "--dump shows nothing of $stage"
done
# The case that --dump prints is the case that was read.
sed -n '/^tensor:/,/shared_address/p' "$work/stdout" >"$work/printed.yaml"
run 0 "$work/printed.yaml" --variant general --dump
sed -n '/^tensor:/,/shared_address/p' "$work/stdout" | cmp -s - "$work/printed.yaml" || fail "--dump prints another case"

run 0 --random 50 --variant paper --fst "$work/paper.fst"
[ -s "$work/paper.fst" ] || fail "--fst wrote nothing"

run 0 --help
grep -q '^examples:' "$work/stdout" || fail "--help has no examples"

bad 'found cubic, expected baseline, paper or general' --variant cubic
bad 'found 0, expected a number of loads' --random 0
bad 'found -1, expected a number of loads' --random -1
bad 'found 12x, expected a number of at most 64 bits' --seed 12x
bad 'unknown option' --nonsense
bad 'expected both' --rtl "$root/rtl/rtl.f"
bad 'expected both' --taps
bad 'expected --variant too' --random 1 --fst "$work/x.fst"
bad 'nowhere.yaml' "$work/nowhere.yaml"
bad 'expected a Verilator file list' --random 1 --rtl "$work/nowhere.f" --top tma_top
tool_path=/nonexistent
bad 'no program verilator' --random 1 --rtl "$root/rtl/rtl.f" --top tma_top
tool_path=$PATH
bad 'expected a path for JSON' --random 1 --json "$work/no/such/folder.json"
bad 'expected a path for a waveform' --random 1 --variant paper --fst "$work/no/such/folder.fst"

[ $failures = 0 ] && echo "all as promised"
[ $failures = 0 ]
