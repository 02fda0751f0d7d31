// SPDX-License-Identifier: Apache-2.0
// tma_synth - tma_top between registers, as the gate report synthesizes it: a register slice takes the command and
//             another one gives the requests, so that every path that counts starts and ends in a flip-flop.
//   The command register is the descriptor register of the TMA. Bits of the tensor map that a variant never reads are
//   swept by synthesis: a descriptor bit counts where it is used.
//   Timing: full throughput at both ends; one more cycle of latency each.
`default_nettype none

module tma_synth #(
  /// 0: baseline. 1: paper. 2: general. See tma_top.
  parameter int TileMajor = 2
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,  // synchronous, active low

  input  wire logic          load_valid_i,
  output logic               load_ready_o,
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

  // ---- command -----------------------------------------------------------------------------------------------------
  logic          load_valid_q;
  logic [1023:0] load_tensor_map_q;
  logic          load_same_map_q;
  logic  [159:0] load_coordinates_q;
  logic   [31:0] load_shared_address_q;
  logic          core_load_ready;

  assign load_ready_o = !load_valid_q || core_load_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)           load_valid_q <= 1'b0;
    else if (load_ready_o) load_valid_q <= load_valid_i;

    if (load_ready_o) begin
      load_tensor_map_q     <= load_tensor_map_i;
      load_same_map_q       <= load_same_map_i;
      load_coordinates_q    <= load_coordinates_i;
      load_shared_address_q <= load_shared_address_i;
    end
  end

  // ---- requests ----------------------------------------------------------------------------------------------------
  logic        core_req_valid;
  logic        core_req_ready;
  logic [63:0] core_req_src_address;
  logic [31:0] core_req_dst_address;
  logic  [6:0] core_req_swizzle_xor;
  logic [11:0] core_req_bytes;
  logic        core_req_fill;
  logic        core_req_last;
  logic  [3:0] core_req_status;

  assign core_req_ready = !req_valid_o || req_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)             req_valid_o <= 1'b0;
    else if (core_req_ready) req_valid_o <= core_req_valid;

    if (core_req_ready) begin
      req_src_address_o <= core_req_src_address;
      req_dst_address_o <= core_req_dst_address;
      req_swizzle_xor_o <= core_req_swizzle_xor;
      req_bytes_o       <= core_req_bytes;
      req_fill_o        <= core_req_fill;
      req_last_o        <= core_req_last;
      req_status_o      <= core_req_status;
    end
  end

  tma_top #(.TileMajor(TileMajor)) u_tma_top (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .load_valid_i         (load_valid_q),
    .load_ready_o         (core_load_ready),
    .load_tensor_map_i    (load_tensor_map_q),
    .load_same_map_i      (load_same_map_q),
    .load_coordinates_i   (load_coordinates_q),
    .load_shared_address_i(load_shared_address_q),
    .req_valid_o          (core_req_valid),
    .req_ready_i          (core_req_ready),
    .req_src_address_o    (core_req_src_address),
    .req_dst_address_o    (core_req_dst_address),
    .req_swizzle_xor_o    (core_req_swizzle_xor),
    .req_bytes_o          (core_req_bytes),
    .req_fill_o           (core_req_fill),
    .req_last_o           (core_req_last),
    .req_status_o         (core_req_status)
  );

endmodule

`default_nettype wire
