#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_cli.sh TILELENS: the command line where nothing is wrong with the case: help, options, exit status, and the
# exact output of map, trace and encode for one small load.
set -u
LC_ALL=C
export LC_ALL

program=${1:?usage: test_cli.sh TILELENS}
tilelens=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checks=0
failures=0

# run STATUS COMMAND...: run it, compare the exit status, keep stdout and stderr in the folder.
run()
{
    wanted=$1
    shift
    "$@" >"$folder/stdout" 2>"$folder/stderr"
    status=$?
    checks=$((checks + 1))
    [ "$status" = "$wanted" ] || fail "$*: exit status $status, not $wanted: $(cat "$folder/stderr")"
}

fail()
{
    echo "FAIL $*"
    failures=$((failures + 1))
}

# good COMMAND...: success, without a word on stderr.
good()
{
    run 0 "$@"
    [ ! -s "$folder/stderr" ] || fail "$*: $(cat "$folder/stderr")"
}

# bad TEXT COMMAND...: bad input; one line on stderr that contains TEXT, nothing on stdout.
bad()
{
    text=$1
    shift
    run 2 "$@"
    [ ! -s "$folder/stdout" ] || fail "$*: output on stdout"
    [ "$(wc -l <"$folder/stderr")" = 1 ] || fail "$*: $(wc -l <"$folder/stderr") lines on stderr"
    case $(cat "$folder/stderr") in
    "tilelens: "*"$text"*) ;;
    *) fail "$*: no '$text' in: $(cat "$folder/stderr")" ;;
    esac
}

# prints TEXT: the last command's stdout contains TEXT.
prints()
{
    grep -q -F -e "$1" "$folder/stdout" || fail "no '$1' in: $(cat "$folder/stdout")"
}

# same FILE: the last command's stdout is FILE.
same()
{
    cmp -s "$1" "$folder/stdout" || {
        fail "not the expected output:"
        diff "$1" "$folder/stdout"
    }
}

# A view that begins inside its matrix (row 16, column 3), partly out of bounds, across an edge between memory tiles.
cat >"$folder/load.yaml" <<'END'
tensor:
  data_type: float32
  global_address: 0x20340
  global_dim: [40, 20]
  global_strides: [256]
  box_dim: [16, 3]
  element_strides: [1, 2]
  swizzle: 64B
tile_major:
  leading_stride: 256
  memory_tile: [32, 8]
  matrix_address: 0x20000
load:
  coordinates: [12, -2]
  shared_address: 0x80
END

# Column -2 of the view is out of bounds. Column 0 is column 3 of the matrix: Eq. 2 with KL = 64, a = 32, b = 8 puts
# row 28 at 3*32 + 28 = 124 elements and row 32 at 256 + 3*32 = 352. The swizzle XORs address bits 8:7 onto bits 5:4.
cat >"$folder/map.csv" <<'END'
element,src_address,dst_address
0,fill,0x90
1,fill,0x94
2,fill,0x98
3,fill,0x9c
4,fill,0x80
5,fill,0x84
6,fill,0x88
7,fill,0x8c
8,fill,0xb0
9,fill,0xb4
10,fill,0xb8
11,fill,0xbc
12,fill,0xa0
13,fill,0xa4
14,fill,0xa8
15,fill,0xac
16,0x201f0,0xd0
17,0x201f4,0xd4
18,0x201f8,0xd8
19,0x201fc,0xdc
20,0x20580,0xc0
21,0x20584,0xc4
22,0x20588,0xc8
23,0x2058c,0xcc
24,0x20590,0xf0
25,0x20594,0xf4
26,0x20598,0xf8
27,0x2059c,0xfc
28,0x205a0,0xe0
29,0x205a4,0xe4
30,0x205a8,0xe8
31,0x205ac,0xec
END
cat >"$folder/trace.csv" <<'END'
request,src_address,dst_address,swizzle_xor,bytes
0,fill,0x80,0x10,64
1,0x201f0,0xc0,0x10,16
2,0x20580,0xd0,0x10,48
END
cat >"$folder/encode.txt" <<'END'
4003020000000000000002000000000027000000130000000000000000000000000000000f0200000008001d423328540001000000020100000000000000000000000000000000000000000000000000100000000000000000000000000000000000000050200000000000001000000000800000000003000000000000000000
END

good "$tilelens" map "$folder/load.yaml"
same "$folder/map.csv"
good "$tilelens" trace "$folder/load.yaml"
same "$folder/trace.csv"
good "$tilelens" encode "$folder/load.yaml"
same "$folder/encode.txt"

# Options before and after the case, and a case whose name looks like an option.
good "$tilelens" trace --variant general "$folder/load.yaml"
same "$folder/trace.csv"
good "$tilelens" trace "$folder/load.yaml" --variant=general
same "$folder/trace.csv"
cp "$folder/load.yaml" "$folder/--help"
# shellcheck disable=SC2016 # the inner shell expands them
good sh -c 'cd "$1" && "$2" trace -- --help' sh "$folder" "$tilelens"
same "$folder/trace.csv"

# Defaults: what is left out equals what the case format says it is.
sed '/element_strides/d; /swizzle/d' "$folder/load.yaml" >"$folder/short.yaml"
sed 's/\[1, 2\]/[1, 1]/; s/swizzle: 64B/swizzle: none\n  interleave: none\n  l2_promotion: none\n  oob_fill: none/' \
    "$folder/load.yaml" >"$folder/long.yaml"
for command in map trace encode; do
    good "$tilelens" "$command" "$folder/short.yaml"
    cp "$folder/stdout" "$folder/short.txt"
    good "$tilelens" "$command" "$folder/long.yaml"
    same "$folder/short.txt"
done

# Numbers in decimal and hex, block lists, anchors, CRLF.
sed 's/0x20340/131904/; s/\[256\]/[0X100]/; s/, -2\]/, -0x2]/' "$folder/load.yaml" >"$folder/numbers.yaml"
sed 's/box_dim: \[16, 3\]/box_dim:\n  - 16\n  - 3/; s/\[256\]/[\&k 256]/; s/stride: 256/stride: *k/; s/$/\r/' \
    "$folder/load.yaml" >"$folder/style.yaml"
for file in numbers style; do
    good "$tilelens" encode "$folder/$file.yaml"
    same "$folder/encode.txt"
done

# Rank 1 needs no strides; launch rules are not encode's.
cat >"$folder/rank_1.yaml" <<'END'
tensor:
  data_type: uint8
  global_address: 0x1000
  global_dim: [64]
  global_strides: []
  box_dim: [32]
load:
  coordinates: [1]
  shared_address: 1
END
good "$tilelens" encode "$folder/rank_1.yaml"
bad "coordinate_align" "$tilelens" map "$folder/rank_1.yaml"
sed 's/\[1\]/[16]/' "$folder/rank_1.yaml" >"$folder/rank_1_shared.yaml"
bad "shared_address_align" "$tilelens" trace "$folder/rank_1_shared.yaml"
sed '/global_strides/d; s/\[1\]/[-16]/; s/shared_address: 1/shared_address: 128/' "$folder/rank_1.yaml" >"$folder/fill.yaml"
good "$tilelens" trace "$folder/fill.yaml" --variant baseline
prints "0,fill,0x80,0x0,16"
prints "1,0x1000,0x90,0x0,16"

# Help, version, and what is not a command line.
good "$tilelens" --help
for command in map trace encode check gates; do
    prints "  $command "
done
prints "example: "
good "$tilelens" --version
prints "tilelens "
for command in map trace encode gates; do
    good "$tilelens" "$command" --help
    prints "usage: tilelens $command"
    prints "example: "
done
bad "found no command" "$tilelens"
bad "unknown command mapp" "$tilelens" mapp
bad "unknown command --mapp" "$tilelens" --mapp
bad "unknown command a?b" "$tilelens" "a
b"
for command in map trace encode; do
    bad "$command: found no case file" "$tilelens" "$command"
    bad "$command: found unknown option --fast" "$tilelens" "$command" --fast "$folder/load.yaml"
    bad "$command: found a second case file" "$tilelens" "$command" "$folder/load.yaml" "$folder/load.yaml"
done
bad "map: found unknown option --variant" "$tilelens" map --variant paper "$folder/load.yaml"
bad "--variant: found nothing, expected one of baseline, paper, general" "$tilelens" trace "$folder/load.yaml" --variant
bad "--variant: found fast, expected one of" "$tilelens" trace --variant fast "$folder/load.yaml"
bad "--variant: found , expected one of" "$tilelens" trace --variant= "$folder/load.yaml"

# Output that cannot be written.
for command in map trace encode; do
    run 2 sh -c '"$@" >&-' sh "$tilelens" "$command" "$folder/load.yaml"
    [ "$(wc -l <"$folder/stderr")" = 1 ] || fail "$command: stdout closed without a line"
    if [ -c /dev/full ]; then
        run 2 sh -c '"$@" >/dev/full' sh "$tilelens" "$command" "$folder/load.yaml"
        grep -q "^tilelens: standard output: " "$folder/stderr" || fail "$command: disk full without a line"
    fi
done

# A subcommand of its own is found beside the executable, then in PATH; arguments and exit status pass through.
mkdir "$folder/bin" "$folder/path"
cp "$tilelens" "$folder/bin/tilelens"
bad "check: found no program tilelens-check, expected a build with" \
    env PATH="$folder/path" "$folder/bin/tilelens" check --help
bad "verilator" env PATH="$folder/path" "$folder/bin/tilelens" check
for place in path bin; do
    printf '#!/bin/sh\necho "%s $*"\nexit 1\n' "$place" >"$folder/$place/tilelens-check"
    chmod +x "$folder/$place/tilelens-check"
    run 1 env PATH="$folder/path:$PATH" "$folder/bin/tilelens" check one --two
    prints "$place one --two"
done
chmod -x "$folder/bin/tilelens-check"
bad "check: cannot run" "$folder/bin/tilelens" check

echo "test_cli: $checks checks, $failures failures"
[ "$failures" = 0 ] && [ "$checks" -ge 45 ]
