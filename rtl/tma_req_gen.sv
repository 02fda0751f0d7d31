// SPDX-License-Identifier: Apache-2.0
// tma_req_gen - contiguous runs to requests: byte addresses, swizzle mask, valid/ready.
//   Paper:   sec. 4.1 (issue of memory requests)
//   In:      runs of tma_counters with the permuted source of tma_permute
//   Out:     req_*: source (bytes, 0 for fill), destination before swizzle (bytes), the bits 3..6 that the swizzle XORs
//            onto it (constant over a row), bytes (0 in the refusal beat)
//   Timing:  one register; one request a cycle; req_* is stable while req_valid_o && !req_ready_i
//   C model: cmodel/src/req_gen.c
`default_nettype none

module tma_req_gen (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        run_valid_i,
  output logic             run_ready_o,
  input  wire logic [59:0] source_i,
  input  wire logic [31:0] address_i,
  input  wire logic [11:0] bytes_i,
  input  wire logic        fill_i,
  input  wire logic        last_i,
  input  wire logic  [3:0] status_i,
  input  wire logic  [2:0] swizzle_i,
  output logic             req_valid_o,
  input  wire logic        req_ready_i,
  output logic      [63:0] req_src_address_o,
  output logic      [31:0] req_dst_address_o,
  output logic       [6:0] req_swizzle_xor_o,
  output logic      [11:0] req_bytes_o,
  output logic             req_fill_o,
  output logic             req_last_o,
  output logic       [3:0] req_status_o
);

  logic        valid_q;
  logic [59:0] source_q;
  logic [31:0] address_q;
  logic  [3:0] swizzle_xor_d, swizzle_xor_q;  // bits 6..3
  logic [11:0] bytes_q;
  logic        fill_q, last_q;
  logic  [3:0] status_q;
  logic  [2:0] line;  // number of the 128-byte shared-memory line

  assign line = address_i[9:7];

  always_comb begin
    case (swizzle_i)
      tma_pkg::Swizzle32B:     swizzle_xor_d = {2'd0, line[0], 1'b0};
      tma_pkg::Swizzle64B:     swizzle_xor_d = {1'b0, line[1:0], 1'b0};
      tma_pkg::Swizzle128B:    swizzle_xor_d = {line, 1'b0};
      tma_pkg::SwizzleAtom32B: swizzle_xor_d = {line[1:0], 2'd0};
      tma_pkg::SwizzleFlip8B:  swizzle_xor_d = {line[1:0], 1'b0, line[0]};
      tma_pkg::SwizzleAtom64B: swizzle_xor_d = {line[0], 3'd0};
      default:                 swizzle_xor_d = '0;
    endcase
  end

  assign run_ready_o = !valid_q || req_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          valid_q <= 1'b0;
    else if (run_ready_o) valid_q <= run_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (run_ready_o) begin
      source_q      <= fill_i ? '0 : source_i;
      address_q     <= address_i;
      swizzle_xor_q <= swizzle_xor_d;
      bytes_q       <= bytes_i;
      fill_q        <= fill_i;
      last_q        <= last_i;
      status_q      <= status_i;
    end
  end

  assign req_valid_o       = valid_q;
  assign req_src_address_o = {source_q, 4'd0};
  assign req_dst_address_o = address_q;
  assign req_swizzle_xor_o = {swizzle_xor_q, 3'd0};
  assign req_bytes_o       = bytes_q;
  assign req_fill_o        = fill_q;
  assign req_last_o        = last_q;
  assign req_status_o      = status_q;

endmodule

`default_nettype wire
