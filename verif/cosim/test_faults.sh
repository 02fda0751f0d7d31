#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_faults.sh TILELENS_CHECK [FAULT...]: break one thing in the RTL at a time. The check must fail and name the broken
# stage, or the broken rule of the handshake; the last replay line must fail too. Without FAULT: all of them.
set -eu

check=$1
shift
faults=${*:-desc_decode coord_mul split_sum dim_convert counters permute req_gen bubble idle handshake endless hang}
rtl=$(cd "$(dirname "$0")/../../rtl" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# describe FAULT: sets the stage whose file is broken, the sed command that does it, and what the report must say.
describe()
{
    stage=$1
    says="^general: stage $1,"
    case $1 in
    desc_decode) edit="s/^  assign row_bytes_o = {3'd0, box_0} << log2_s_o;/  assign row_bytes_o = {3'd0, box_0} << 1;/" ;;
    coord_mul) edit="s/{product_q\[51:0\], 8'd0}/{product_q[50:0], 9'd0}/" ;;
    split_sum) edit="s/sum_q <= sum_q + product_i/sum_q <= sum_q - product_i/" ;;
    dim_convert) edit="s/below_q <= sum;/below_q <= product_i;/" ;;
    counters) edit="s/row_address_q + {20'd0, pitch_bytes_q}/row_address_q + {20'd0, row_bytes_q}/" ;;
    permute) edit="s/^\(    assign mask_b *= \)~(12'hFFF << log2_b_i);/\1~(12'hFFE << log2_b_i);/" ;;
    req_gen) edit="s/line\[1:0\], 2'd0}/line[0], line[1], 2'd0}/" ;;
    bubble)
        stage=req_gen
        edit="s/assign run_ready_o = !valid_q || req_ready_i;/assign run_ready_o = !valid_q;/
              s/else if (run_ready_o) valid_q <= run_valid_i;/else valid_q <= valid_q ? !req_ready_i : run_valid_i;/"
        says="throughput: a cycle without a request inside a load"
        ;;
    idle)
        stage=counters
        edit="s/assign load_ready_o = !valid_q || (run_taken \&\& run_last_o);/assign load_ready_o = !valid_q;/"
        says="throughput: an idle cycle between two loads"
        ;;
    handshake)
        stage=req_gen
        edit="s/^    if (run_ready_o) begin/    if (run_valid_i) begin/"
        says="handshake: a request changed before it was taken"
        ;;
    endless)
        stage=req_gen
        edit="s/assign run_ready_o = !valid_q || req_ready_i;/assign run_ready_o = !valid_q;/"
        says="a request that the mirror does not have"
        ;;
    hang)
        stage=setup
        edit="s/^      Drain:   state_d = Done;/      Drain:   state_d = Drain;/"
        says="hang: no progress"
        ;;
    *)
        echo "test_faults: no fault $1" >&2
        exit 2
        ;;
    esac
}

for fault in $faults; do
    describe "$fault"
    rm -rf "$work/rtl"
    cp -r "$rtl" "$work/rtl"
    sed "$edit" "$rtl/tma_$stage.sv" >"$work/rtl/tma_$stage.sv"
    if cmp -s "$rtl/tma_$stage.sv" "$work/rtl/tma_$stage.sv"; then
        echo "test_faults: $fault: the line to break is not there" >&2
        failed=1
        continue
    fi
    status=0
    "$check" --random 500 --variant general --rtl "$work/rtl/rtl.f" --top tma_top --taps >"$work/log" 2>&1 || status=$?
    if [ "$status" != 1 ] || ! grep -q "$says" "$work/log"; then
        echo "test_faults: $fault: exit status $status, expected 1 and '$says'" >&2
        cat "$work/log" >&2
        failed=1
        continue
    fi
    grep "^general: stage" "$work/log"
done

# The replay line of the last fault, as a user would paste it.
replay=$(sed -n 's/^  replay: tilelens check //p' "$work/log")
status=0
# shellcheck disable=SC2086 # one word per option
"$check" $replay >"$work/log" 2>&1 || status=$?
if [ "$status" != 1 ]; then
    echo "test_faults: exit status $status of the replay, expected 1: $replay" >&2
    failed=1
fi
exit $failed
