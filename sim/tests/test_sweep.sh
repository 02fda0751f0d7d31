#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_sweep.sh TILELENS-SWEEP: figures from runs of a stand-in program. What is written; that a run is made once, and
# again only when what makes it has changed; going on after a kill; what is said when a run fails.
set -u
LC_ALL=C
export LC_ALL

program=${1:?usage: test_sweep.sh TILELENS-SWEEP}
sweep=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checks=0
failures=0

fail()
{
    echo "FAIL $*"
    failures=$((failures + 1))
}

# run STATUS COMMAND...: run it in the folder, compare the exit status, keep stdout and stderr.
run()
{
    wanted=$1
    shift
    (cd "$folder" && exec "$@") >"$folder/stdout" 2>"$folder/stderr"
    status=$?
    checks=$((checks + 1))
    [ "$status" = "$wanted" ] || fail "$*: exit status $status, not $wanted: $(cat "$folder/stderr")"
}

# good ARGUMENT...: success without a word on stderr.
good()
{
    run 0 "$sweep" "$@"
    [ ! -s "$folder/stderr" ] || fail "$*: $(cat "$folder/stderr")"
}

# bad STATUS TEXT ARGUMENT...: one line on stderr that contains TEXT, nothing on stdout.
bad()
{
    wanted_status=$1
    text=$2
    shift 2
    run "$wanted_status" "$sweep" "$@"
    [ ! -s "$folder/stdout" ] || fail "$*: output on stdout"
    [ "$(wc -l <"$folder/stderr")" = 1 ] || fail "$*: $(wc -l <"$folder/stderr") lines on stderr"
    case $(cat "$folder/stderr") in
    "tilelens: "*"$text"*) ;;
    *) fail "$*: no '$text' in: $(cat "$folder/stderr")" ;;
    esac
}

# equal WHAT FOUND EXPECTED
equal()
{
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1: found $2, expected $3"
}

# contains FILE TEXT
contains()
{
    checks=$((checks + 1))
    grep -q -F -e "$2" "$folder/$1" || fail "no '$2' in $1: $(cat "$folder/$1")"
}

runs_made()
{
    wc -l <"$folder/calls" | tr -d ' '
}

# The stand-in: its time is that of layout x latency; it notes each call, and fails, stops or waits on request.
mkdir "$folder/bin" "$folder/in"
: >"$folder/calls"
cat >"$folder/bin/tilelens-stand-in" <<'END'
#!/bin/sh
echo "$*" >>"$STAND_IN_CALLS"
config=$1
shift
layout=tile
latency=1
while [ $# -gt 0 ]; do
    case $1:$2 in
    --set:layout=*) layout=${2#layout=} ;;
    --set:latency=*) latency=${2#latency=} ;;
    --json:*) json=$2 ;;
    esac
    shift 2
done
[ -r "$config" ] || { echo "tilelens: $config: file: found none, expected one" >&2; exit 2; }
[ "$layout" != wrong ] || { echo "tilelens: --set: layout: found wrong, expected a layout" >&2; exit 2; }
[ "$layout" != crash ] || { echo "tilelens: bytes: found a leak, expected none" >&2; exit 1; }
[ ! -e "$STAND_IN_CALLS.slow" ] || sleep 1
case $layout in column) time=600 ;; row) time=150 ;; *) time=100 ;; esac
cat >"$json" <<JSON
{"time_ns": $((time * latency)), "queue_ns_mean": $time, "straggler_ns_mean": 50, "latency_ns": {"p50": 40, "max": 80},
 "latency_cdf": [[10, 0.5], [20, 1]], "bandwidth_over_time": {"bin_ns": 10, "utilization": [0.5, 0.25]},
 "seconds": $$}
JSON
END
chmod +x "$folder/bin/tilelens-stand-in"
PATH=$folder/bin:$PATH
STAND_IN_CALLS=$folder/calls
export PATH STAND_IN_CALLS
echo 'system: {file: part.yaml}' >"$folder/in/run.yaml"
echo 'a: 1' >"$folder/in/part.yaml"

# figure NAME PLOT [EXTRA-POINT]: six runs, of which two are the same.
figure()
{
    cat >"$folder/in/$1.yaml" <<END
title: "It's $1"
command: stand-in
config: run.yaml
axes:
  latency:
    l1: {label: "1", set: {latency: 1}}
    l2: {label: "2", set: {latency: 2}, cost: 3}
  layout:
    column: {label: Column, set: {layout: column}, cost: 10}
    row: {label: Row, set: {layout: row}}
    tile: {set: {layout: tile, odd: "it's [1, 2]"}}
    ${3-}
cases:
  - {at: {layout: column}, set: {latency: 1}}
  - {at: {layout: tile}, set: {odd: }}
metrics:
  slowdown: {key: time_ns, over: {layout: tile}}
  wait: {key: [queue_ns_mean, straggler_ns_mean], minus: {layout: tile}, scale: 0.1}
  tail: {key: latency_ns.max, per: latency_ns.p50}
plot: {$2}
paper:
  - {what: Row, of: slowdown, at: {layout: row}, as: geomean, value: 1.5, reason: not shown}
  - {what: Column, of: slowdown, at: {layout: column}, as: range, value: [3, 12], reason: as it is}
  - {what: Wait, of: wait, at: {layout: row, latency: l1}, value: 10, reason: the reason}
END
}

bars='kind: bars, x: latency, series: layout, y: slowdown, geomean: true'

# ---- what is written
figure one "$bars"
good in/one.yaml --jobs 1 --out out
equal 'runs made' "$(runs_made)" 5
cat >"$folder/expected" <<'END'
It's one

| what   | paper   | ours         | ratio      | reason |
|--------|---------|--------------|------------|--------|
| Row    | 1.5     | 1.50         | 1.00       | |
| Column | 3 to 12 | 3.00 to 6.00 | 1.00, 0.50 | |
| Wait   | 10      | 5.00         | 0.50       | the reason |

END
cmp -s "$folder/expected" "$folder/stdout" || fail "table: $(cat "$folder/stdout")"
cmp -s "$folder/expected" "$folder/out/one.md" || fail "one.md: $(cat "$folder/out/one.md")"
cut -d, -f1-5 "$folder/out/one.csv" >"$folder/columns"
cat >"$folder/expected" <<'END'
latency,layout,slowdown,wait,tail
l1,column,6,50,2
l1,row,1.5,5,2
l1,tile,1,0,2
l2,column,3,50,2
l2,row,1.5,5,2
l2,tile,1,0,2
END
cmp -s "$folder/expected" "$folder/columns" || fail "one.csv: $(cat "$folder/out/one.csv")"
contains out/one.svg '</svg>'
contains out/one.svg "It's one"
contains out/one.svg 'geomean'
equal 'first run' "$(sed -n 's/ --json.*//p' "$folder/calls" | sed -n 1p)" 'run.yaml --set latency=1 --set layout=column'
equal 'results' "$(find "$folder/out/runs" -type f | wc -l | tr -d ' ')" 5

for plot in 'kind: stacked_bars, x: layout, panels: latency, series: metric, y: [slowdown, wait]' \
            'kind: lines, x: latency, series: layout, y: tail, x_label: Latency' \
            'kind: cdf, series: layout, panels: latency, curve: latency_cdf, x_scale: 0.1, x_max: 3' \
            'kind: timeline, series: layout, at: {latency: l1}, curve: bandwidth_over_time'; do
    figure plot "$plot"
    good in/plot.yaml --out out
    contains out/plot.svg '</svg>'
done
equal 'runs shared by figures' "$(runs_made)" 5
sed -n 2,3p "$folder/out/plot_curve.csv" >"$folder/columns"
equal 'curve' "$(paste -s -d' ' "$folder/columns")" 'l1,column,0,0.5 l1,column,10,0.25'

# ---- the same in any order, on any number of processors
figure two "$bars"
good in/two.yaml in/one.yaml --jobs 3 --out other
for ending in md csv svg gnuplot; do
    equal "one.$ending of both" "$(cmp "$folder/out/one.$ending" "$folder/other/one.$ending" 2>&1)" ''
done
equal 'csv of another name' "$(cmp "$folder/out/one.csv" "$folder/other/two.csv" 2>&1)" ''
equal 'runs of two figures' "$(runs_made)" 10

# ---- again when something changed, and only then
good in/one.yaml --out out
equal 'nothing changed' "$(runs_made)" 10
echo 'a: 2' >"$folder/in/part.yaml"
good in/one.yaml --out out
equal 'a file that the configuration names changed' "$(runs_made)" 15
echo '# other' >>"$folder/bin/tilelens-stand-in"
good in/one.yaml --out out
equal 'the program changed' "$(runs_made)" 20
figure one "$bars" 'new: {set: {layout: new}}'
good in/one.yaml --out out
equal 'two runs more' "$(runs_made)" 22

# ---- on after a kill: what has ended is kept, nothing goes on in the background
figure three "$bars"
touch "$folder/calls.slow"
for signal in TERM KILL; do
    rm -rf "$folder/killed"
    : >"$folder/calls"
    "$sweep" "$folder/in/three.yaml" --jobs 2 --out "$folder/killed" >"$folder/stdout" 2>"$folder/stderr" &
    pid=$!
    tries=0
    while [ "$(find "$folder/killed" -name '*.json' 2>/dev/null | wc -l)" -lt 2 ] && [ $tries -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -$signal $pid
    wait $pid 2>/dev/null
    status=$?
    [ $signal = KILL ] || equal 'status after SIGTERM' $status 143
    [ $signal = KILL ] || equal 'unfinished files' "$(find "$folder/killed/runs" ! -name '*.json' -type f)" ''
    sleep 2 # what was started would have ended
    before=$(runs_made)
    kept=$(find "$folder/killed" -name '*.json' | wc -l)
    [ "$kept" -lt 5 ] || fail "SIG$signal: everything ran on"
    rm -f "$folder/calls.slow"
    good in/three.yaml --out killed
    equal "runs left after SIG$signal" "$(($(runs_made) - before))" "$((5 - kept))"
    touch "$folder/calls.slow"
done
rm -f "$folder/calls.slow"

# ---- what is wrong
figure wrong "$bars" 'bad: {set: {layout: wrong}}'
bad 2 'in/wrong.yaml: latency=l2, layout=bad: --set: layout: found wrong' in/wrong.yaml --jobs 1 --out out
figure wrong "$bars" 'bad: {set: {layout: crash}}'
bad 1 'in/wrong.yaml: latency=l2, layout=bad: bytes: found a leak' in/wrong.yaml --jobs 1 --out out
equal 'files of failures' "$(find "$folder/out/runs" ! -name '*.json' -type f)" ''
figure wrong 'kind: bars, x: latency, series: layout, y: slow'
bad 2 'in/wrong.yaml: plot.y: found slow, expected one of the metrics slowdown, wait, tail' in/wrong.yaml
sed -i 's/key: latency_ns.max/key: latency_ns.min/' "$folder/in/two.yaml"
bad 2 'in/two.yaml: metrics.tail: found latency_ns.min, expected the key of a number' in/two.yaml --out out
sed -i 's/stand-in/no-such/' "$folder/in/two.yaml"
bad 2 'in/two.yaml: command: found no program tilelens-no-such' in/two.yaml --out out
bad 2 'in/one.yaml: file: found a second figure one' in/one.yaml in/one.yaml --out out
bad 2 'missing.yaml: file: found No such file or directory' missing.yaml
bad 2 'sweep: found no figure file'
bad 2 'sweep: found unknown option --job' in/one.yaml --job 3
bad 2 'sweep: --jobs: found 0, expected a number from 1' in/one.yaml --jobs 0
bad 2 'sweep: --jobs: found 2x' in/one.yaml --jobs=2x
bad 2 'sweep: --out: found nothing' in/one.yaml --out
bad 2 'sweep: --out: found in/one.yaml/x' in/one.yaml --out in/one.yaml/x

good --help
contains stdout 'usage: tilelens sweep FILE... [--jobs N] [--out DIR]'
contains stdout 'example: tilelens sweep'
mkdir "$folder/in/base"
echo 'a: 1' >"$folder/in/base/run.yaml"
{ echo 'command: stand-in'; sed -n '/^  title:/,/^More/s/^  //p' "$folder/stdout"; } >"$folder/in/example.yaml"
good in/example.yaml --out out
contains stdout 'Column-major'

echo "$checks checks, $failures failures"
[ "$failures" = 0 ]
