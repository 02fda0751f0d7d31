#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mirror.sh [ROOT]: every stage has the same name in the RTL, the C model, its header, its test and its page,
# and nothing in those places carries a stage-like name without being a stage.
set -eu

root=${1:-$(dirname "$0")/..}
stages="desc_decode coord_mul split_sum dim_convert counters permute req_gen"
rtl_only="pkg top setup"
failed=0

fail()
{
    echo "mirror: $1" >&2
    failed=1
}

listed() # listed NAME LIST: is NAME a word of LIST?
{
    case " $2 " in *" $1 "*) return 0 ;; esac
    return 1
}

for stage in $stages; do
    for file in "rtl/tma_$stage.sv" "cmodel/src/$stage.c" "cmodel/include/tilelens/$stage.h" \
                "cmodel/tests/check_$stage.c" "docs/modules/$stage.md"; do
        [ -f "$root/$file" ] || fail "stage $stage has no $file"
    done
done

for file in "$root"/rtl/tma_*.sv; do
    name=$(basename "$file" .sv)
    name=${name#tma_}
    listed "$name" "$stages $rtl_only" || fail "rtl/tma_$name.sv is neither a stage nor one of: $rtl_only"
done
for file in "$root"/docs/modules/*.md; do
    name=$(basename "$file" .md)
    listed "$name" "$stages" || fail "docs/modules/$name.md is the page of no stage"
done
for file in "$root"/cmodel/include/tilelens/*.h; do
    name=$(basename "$file" .h)
    grep -q "rtl/tma_$name\.sv" "$file" || continue
    listed "$name" "$stages" || fail "cmodel/include/tilelens/$name.h mirrors rtl/tma_$name.sv, which is no stage"
done

# The file list names every module once.
for file in "$root"/rtl/tma_*.sv; do
    name=$(basename "$file")
    [ "$(grep -cx "$name" "$root/rtl/rtl.f")" = 1 ] || fail "rtl/rtl.f does not list $name once"
done

[ $failed = 0 ] && echo "mirror: $(echo "$stages" | wc -w) stages, each in five places"
exit $failed
