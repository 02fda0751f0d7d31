#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_simulate.sh TILELENS-SIMULATE: the command line; the same bytes from the same configuration; traces; every memory, layout
# and prefetch mode on a small model; bad input.
set -u
LC_ALL=C
export LC_ALL

program=${1:?usage: test_simulate.sh TILELENS-SIMULATE}
simulate=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
configs=$(cd "$(dirname "$0")/../../configs" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checks=0
failures=0

fail()
{
    echo "FAIL $*"
    failures=$((failures + 1))
}

# A layer of 8 experts with tiles that stick out of the matrices, on few SMs.
cat >"$folder/small.yaml" <<END_OF_FILE
system_file: $configs/system/h200_hbf.yaml
system:
  gpu: {sm_count: 6}
  hbf: {read_latency_us: 1}
workload:
  {name: small, hidden: 400, intermediate: 176, experts: 8, top_k: 2, batch: 12, tile_m: 16, tile_n: 64, tile_k: 64,
   ctas_per_sm: 2, stages: 2, tiles_in_flight: 2, memory_tile: [64, 32]}
END_OF_FILE

# good ARGUMENT...: success without a word on stderr.
good()
{
    checks=$((checks + 1))
    (cd "$folder" && exec "$simulate" "$@") >"$folder/stdout" 2>"$folder/stderr" || fail "$*: exit status $?"
    [ ! -s "$folder/stderr" ] || fail "$*: $(cat "$folder/stderr")"
}

# bad TEXT ARGUMENT...: exit status 2, one line on stderr that contains TEXT, nothing on stdout, no file left behind.
bad()
{
    text=$1
    shift
    checks=$((checks + 1))
    files=$(ls "$folder")
    (cd "$folder" && exec "$simulate" "$@") >"$folder/stdout" 2>"$folder/stderr"
    status=$?
    [ "$status" = 2 ] || fail "$*: exit status $status, not 2"
    [ ! -s "$folder/stdout" ] || fail "$*: output on stdout"
    [ "$(wc -l <"$folder/stderr")" = 1 ] || fail "$*: $(wc -l <"$folder/stderr") lines on stderr"
    case $(cat "$folder/stderr") in
    "tilelens: "*"$text"*) ;;
    *) fail "$*: no '$text' in: $(cat "$folder/stderr")" ;;
    esac
    [ "$(ls "$folder")" = "$files" ] || fail "$*: left a file behind"
}

# equal WHAT FOUND EXPECTED
equal()
{
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1: found $2, expected $3"
}

value() # value FILE KEY: of a top-level key
{
    sed -n "s/^  \"$2\": \([^,]*\),*$/\1/p" "$1"
}

results() # everything that must not differ between two runs
{
    grep -v '"seconds"' "$1"
}

# --- help ---
good --help
grep -q 'tilelens simulate configs' "$folder/stdout" || fail "--help: no example"
grep -q 'system.hbf.read_latency_us' "$folder/stdout" || fail "--help: no keys"
grep -q 'read_amplification' "$folder/stdout" || fail "--help: no results"

# Keys of the JSON are those that --help defines, in that order, but for two lists at the end; inner objects are on one
# line.
sed -n '/^Results:$/,$ s/^  \([a-z0-9_.]*\).*: .*/\1/p' "$folder/stdout" >"$folder/defined"
equal "lists of the JSON" "$(tail -n 2 "$folder/defined")" "latency_cdf
bandwidth_over_time"
sed -i '$d' "$folder/defined"
sed -i '$d' "$folder/defined"
good small.yaml --json r.json
sed -n 's/^  "\([a-z0-9_]*\)": \(.*\)/\1 \2/p' "$folder/r.json" | while read -r key rest; do
    case $rest in
    "{"*) printf '%s\n' "$rest" | grep -o '"[a-z0-9_]*":' | sed "s/\"\(.*\)\":/$key.\1/" ;;
    *) echo "$key" ;;
    esac
done | grep -v -e '^latency_cdf$' -e '^bandwidth_over_time\.' >"$folder/written"
equal "keys of the JSON" "$(cat "$folder/written")" "$(cat "$folder/defined")"

# --- every memory, layout and prefetch mode: a run that loses a byte or stands still does not succeed ---
# With this seed 6 of the 8 experts are asked for.
weights=$((6 * (400 * 352 + 176 * 400) * 2))
for system in h200_hbm h200_hbf h200_hbf_sram h200_hbf_strict h200_rome; do
    for layout in column_major row_major tile_major; do
        for prefetch in none adaptive forced; do
            case $system-$prefetch in h200_hbm-forced | h200_rome-forced) continue ;; esac
            good small.yaml --set "system_file=$configs/system/$system.yaml" --set "layout=$layout" \
                --set "prefetch=$prefetch" --set forced_degree=3 --json r.json
            equal "useful bytes of $system $layout $prefetch" "$(value "$folder/r.json" useful_bytes)" "$weights"
        done
    done
done
for setting in system.mshr.page_entries=3 system.mshr.line_entries=4 system.hbf.queue_entries=1 system.l2.slices=7 \
    system.hbm.read_queue_entries=1 system.noc.gbytes_per_s=100 system.l2.slice_bytes_per_clock=8 system.l2.ways=1 \
    system.hbm.timing=full system.hbm.timing=bus system.prefetch.promote=false system.prefetch.trigger=miss_or_merge \
    system.prefetch.distances=newest system.placement.page_map=modulo system.placement.page_map=hashed \
    system.refresh.mode=none workload.down_split_k=3 workload.batch=1; do
    good small.yaml --set "$setting" --json r.json
done

# --- the same configuration, the same bytes ---
good small.yaml --json a.json
good small.yaml --json b.json
equal "second run" "$(results "$folder/b.json")" "$(results "$folder/a.json")"
good small.yaml --set system.hbf.read_latency_us=2 --json slow.json
[ "$(value "$folder/slow.json" time_ns)" != "$(value "$folder/a.json" time_ns)" ] || fail "the read latency has no effect"

# --- traces ---
for trace in t.txt t.txt.gz; do
    good small.yaml --record $trace --json recorded.json
    equal "results while recording $trace" "$(results "$folder/recorded.json")" "$(results "$folder/a.json")"
    good small.yaml --replay $trace --json replayed.json
    equal "replay of $trace" "$(results "$folder/replayed.json")" "$(results "$folder/a.json")"
done
gzip -t "$folder/t.txt.gz" || fail "t.txt.gz is not compressed"
head -n 20 "$folder/t.txt" >"$folder/cut.txt"
head -c -30 "$folder/t.txt" >"$folder/cut_end.txt"
head -c 700 "$folder/t.txt.gz" >"$folder/cut.txt.gz"
: >"$folder/empty.txt"
for trace in cut.txt cut_end.txt cut.txt.gz empty.txt; do
    bad $trace small.yaml --replay $trace
done
bad nothing.txt small.yaml --replay nothing.txt
echo 'tilelens-trace 1
kernel k 1 1 zz 1 1 1' >"$folder/zz.txt"
bad 'line 2' small.yaml --replay zz.txt

echo 'tilelens-trace 1
kernel k 2 1 1000 1 1 1
read 0 0 0 weight 0x7ffffffff000 64
read 0 1 0 weight 0x7ffffffff000 64
end 2' >"$folder/beyond.txt"
bad 'beyond.txt: line 3: found weights at 0x7ffffffff' small.yaml --replay beyond.txt --json beyond.json

# A trace is one of a system: weights in HBM are not those of flash, and the other way round.
hbm=system_file=$configs/system/h200_hbm.yaml
good small.yaml --set "$hbm" --record hbm.txt
bad 'hbm.txt: line 4: found weights at 0x' small.yaml --replay hbm.txt
bad 't.txt: line 6: found weights at 0x' small.yaml --set "$hbm" --replay t.txt

# A trace that does not come to its end is none.
(cd "$folder" && exec "$simulate" small.yaml --set workload.batch=20000 --record stopped.txt) >"$folder/stdout" 2>&1 &
run=$!
until [ -e "$folder/stopped.txt" ] || ! kill -0 $run 2>/dev/null; do sleep 0.05; done
sleep 0.2
kill -TERM $run
wait $run 2>/dev/null
equal "exit status of a run that was stopped" $? 143
checks=$((checks + 1))
[ ! -e "$folder/stopped.txt" ] || fail "a run that was stopped left its trace behind"

# --- bad input ---
bad CONFIG
bad CONFIG small.yaml small.yaml
bad nothing.yaml nothing.yaml
bad --bad small.yaml --bad
bad --json small.yaml --json
bad no/such/folder small.yaml --json no/such/folder/r.json
bad no/such/folder small.yaml --record no/such/folder/t.txt
bad no/such/folder small.yaml --json no/such/folder/r.json --record refused.txt
bad "$folder" small.yaml --json "$folder"
bad "$folder" small.yaml --record "$folder"
bad /dev/full small.yaml --json /dev/full
bad small.yaml.txt small.yaml --replay small.yaml.txt
bad small.yaml small.yaml --replay small.yaml
cp "$folder/a.json" "$folder/kept.json"
bad layout small.yaml --set layout=diagonal --json kept.json
equal "results of an earlier run" "$(cat "$folder/kept.json")" "$(cat "$folder/a.json")"
bad system.hbf.nothing small.yaml --set system.hbf.nothing=1
bad system.hbf.read_latency_us small.yaml --set system.hbf.read_latency_us=fast
bad system.hbf.read_latency_us small.yaml --set system.hbf.read_latency_us=-1
bad system.gpu.sm_count small.yaml --set system.gpu.sm_count=0
bad system.l2.ways small.yaml --set system.l2.ways=17
bad system.hbm.channel_map small.yaml --set system.hbm.channel_map=rrx
bad system.placement.weights small.yaml --set system.placement.weights=tape
bad layout small.yaml --set layout=diagonal
bad prefetch small.yaml --set prefetch=psychic
bad forced_degree small.yaml --set forced_degree=0
bad workload.memory_tile small.yaml --set 'workload.memory_tile=[64]'
bad workload.memory_tile small.yaml --set 'workload.memory_tile=[60, 32]'
bad workload.top_k small.yaml --set workload.top_k=9
bad workload.tile_k small.yaml --set workload.tile_k=100
bad workload.down_split_k small.yaml --set workload.down_split_k=0
bad workload.ctas_per_sm small.yaml --set workload.stages=64 # shared memory
bad system.l2.slices small.yaml --set system.l2.capacity_mib=1
bad '=VALUE' small.yaml --set nothing
bad nothing.yaml small.yaml --set system_file=nothing.yaml
bad 'system.hbf.capacity_gib_per_channel: found room for ' small.yaml --set system.hbf.capacity_gib_per_channel=1 \
    --set workload.hidden=65536 --set workload.intermediate=65536 --set workload.experts=64
bad 'system.hbm.capacity_mib_per_channel: found room for ' small.yaml --set workload.batch=1000000 \
    --set system.hbm.capacity_mib_per_channel=1
bad 'system.rome.capacity_mib_per_channel: found room for 0 bytes of weights' small.yaml --set system.rome.stacks=1 \
    --set "system_file=$configs/system/h200_rome.yaml" --set system.rome.channels_per_stack=1 \
    --set system.rome.capacity_mib_per_channel=1
printf 'layout: tile_major\nextra: 1\n' >"$folder/extra.yaml"
bad extra extra.yaml
printf 'layout: [\n' >"$folder/broken.yaml"
bad broken.yaml broken.yaml

echo "$checks checks, $failures failures"
[ "$failures" = 0 ]
