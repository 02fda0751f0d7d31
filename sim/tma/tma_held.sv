// SPDX-License-Identifier: Apache-2.0
// tma_held - tma_top for a quick simulation: a call of the model is a cycle, and its load is held in registers.
//   Clock: each change of step_i is one rising edge of tma_top's clock
//   Load:  taken into the registers on a rising edge of load_clk_i, between two cycles. Verilator evaluates by clocks:
//          the decoder of a tensor map that comes straight from a port would be evaluated in every call, that of one
//          which is held only when it changes.
//   load_taken_o: tma_top took the load in the cycle before
`default_nettype none

module tma_held #(
  /// That of tma_top.
  parameter int TileMajor = 2
) (
  input  wire logic          step_i,
  input  wire logic          rst_ni,

  input  wire logic          load_clk_i,
  input  wire logic          load_valid_i,
  output logic               load_taken_o,
  input  wire logic [1023:0] load_tensor_map_i,
  input  wire logic          load_same_map_i,
  input  wire logic  [159:0] load_coordinates_i,
  input  wire logic   [31:0] load_shared_address_i,

  output logic               req_valid_o,
  input  wire logic          req_ready_i,
  output logic        [63:0] req_src_address_o,
  output logic        [31:0] req_dst_address_o,
  output logic         [6:0] req_swizzle_xor_o,
  output logic        [11:0] req_bytes_o,
  output logic               req_fill_o,
  output logic               req_last_o,
  output logic         [3:0] req_status_o
);

  logic          clk, step_q, load_ready;
  logic          load_valid_q;
  logic [1023:0] load_tensor_map_q;
  logic          load_same_map_q;
  logic  [159:0] load_coordinates_q;
  logic   [31:0] load_shared_address_q;

  always_ff @(posedge load_clk_i) begin
    load_valid_q          <= load_valid_i;
    load_tensor_map_q     <= load_tensor_map_i;
    load_same_map_q       <= load_same_map_i;
    load_coordinates_q    <= load_coordinates_i;
    load_shared_address_q <= load_shared_address_i;
  end

  assign clk = step_i ^ step_q;

  always_ff @(posedge clk) begin
    step_q       <= step_i;
    load_taken_o <= load_valid_q && load_ready;
  end

  tma_top #(.TileMajor(TileMajor)) u_tma (
    .clk_i                 (clk),
    .rst_ni,
    .load_valid_i          (load_valid_q),
    .load_ready_o          (load_ready),
    .load_tensor_map_i     (load_tensor_map_q),
    .load_same_map_i       (load_same_map_q),
    .load_coordinates_i    (load_coordinates_q),
    .load_shared_address_i (load_shared_address_q),
    .req_valid_o,
    .req_ready_i,
    .req_src_address_o,
    .req_dst_address_o,
    .req_swizzle_xor_o,
    .req_bytes_o,
    .req_fill_o,
    .req_last_o,
    .req_status_o
  );

endmodule

`default_nettype wire
