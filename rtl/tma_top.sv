// SPDX-License-Identifier: Apache-2.0
// tma_top - TMA address generator for loads in tiled mode, with the tile-major extension: wiring of the seven stages.
//
//   load_* -> desc_decode -> coord_mul -> split_sum -> dim_convert -> counters -> permute -> req_gen -> req_*
//
//   Load:     tensor map (bit n = bit n mod 64 of word n / 64), coordinates (5 x s32, dimension 0 lowest, elements),
//             shared address (bytes, multiple of 128). Held stable while load_valid_i && !load_ready_o; taken when the
//             previous load's last request leaves the counters. load_same_map_i: the tensor map equals that of the
//             previous load, so that its converted strides are kept; may always be 0.
//   Requests: one contiguous source run each; req_last_o ends a load. A refused load is one beat with req_status_o != 0,
//             req_bytes_o = 0 and req_last_o = 1.
//   Timing:   one request a cycle; set-up of the next load overlaps (at most 57 cycles, tma_setup)
//   C model:  cmodel/src/engine.c
`default_nettype none

module tma_top #(
  /// 0: baseline, plain TMA. 1: the paper's mechanism and no more. 2: every legal tile-major load. Set by the user.
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
  output logic        [63:0] req_src_address_o,  // bytes; 0 for a fill request
  output logic        [31:0] req_dst_address_o,  // bytes, before swizzle
  output logic         [6:0] req_swizzle_xor_o,  // bits 3..6, XORed onto every destination byte address
  output logic        [11:0] req_bytes_o,        // 1..2048
  output logic               req_fill_o,
  output logic               req_last_o,
  output logic         [3:0] req_status_o        // tma_pkg::Status*
);

`ifndef SYNTHESIS
  initial if (TileMajor < 0 || TileMajor > 2) $fatal(1, "tma_top: TileMajor %0d, expected 0, 1 or 2", TileMajor);
`endif

  // Stage outputs are public to the simulator: the co-simulation compares each with its mirror in the C model.

  // ---- desc_decode -------------------------------------------------------------------------------------------------
  logic   [3:0] dec_status /*verilator public_flat_rd*/;
  logic   [2:0] dec_rank /*verilator public_flat_rd*/;
  logic   [1:0] dec_log2_s;
  logic   [2:0] dec_swizzle;
  logic         dec_tile_major;
  logic   [3:0] dec_log2_a16 /*verilator public_flat_rd*/;
  logic   [3:0] dec_log2_b /*verilator public_flat_rd*/;
  logic  [11:0] dec_row_bytes /*verilator public_flat_rd*/;
  logic  [11:0] dec_pitch_bytes /*verilator public_flat_rd*/;
  logic  [59:0] dec_origin /*verilator public_flat_rd*/;
  logic  [11:0] dec_origin_column /*verilator public_flat_rd*/;
  logic [159:0] dec_dim_minus_1;
  logic  [15:0] dec_step;
  logic  [31:0] dec_limit;
  logic [143:0] dec_stride /*verilator public_flat_rd*/;
  logic  [47:0] dec_column_step;
  logic  [35:0] dec_leading;
  logic  [35:0] dec_tile_column;
  logic   [2:0] dec_split_dim;

  tma_desc_decode #(.TileMajor(TileMajor)) u_desc_decode (
    .tensor_map_i         (load_tensor_map_i),
    .coordinate_0_i       (load_coordinates_i[31:0]),
    .shared_address_low_i (load_shared_address_i[6:0]),
    .status_o             (dec_status),
    .rank_o               (dec_rank),
    .log2_s_o             (dec_log2_s),
    .swizzle_o            (dec_swizzle),
    .tile_major_o         (dec_tile_major),
    .log2_a16_o           (dec_log2_a16),
    .log2_b_o             (dec_log2_b),
    .row_bytes_o          (dec_row_bytes),
    .pitch_bytes_o        (dec_pitch_bytes),
    .origin_o             (dec_origin),
    .origin_column_o      (dec_origin_column),
    .dim_minus_1_o        (dec_dim_minus_1),
    .step_o               (dec_step),
    .limit_o              (dec_limit),
    .stride_o             (dec_stride),
    .column_step_o        (dec_column_step),
    .leading_o            (dec_leading),
    .tile_column_o        (dec_tile_column),
    .split_dim_o          (dec_split_dim)
  );

  // ---- set-up program ----------------------------------------------------------------------------------------------
  logic        set_done /*verilator public_flat_rd*/;  // hand-over to the counters
  logic        set_finished;
  logic        set_start_base, set_start_levels;
  logic        set_window_low, set_window_high;
  logic  [2:0] set_dim;
  logic [31:0] set_coordinate;
  logic        set_mul_enable, set_mul_first, set_mul_shift;
  logic  [8:0] set_mul_digit;
  logic [35:0] set_mul_multiplicand;
  logic        mul_valid /*verilator public_flat_rd*/;
  logic  [2:0] mul_step /*verilator public_flat_rd*/;
  logic  [2:0] mul_dim /*verilator public_flat_rd*/;
  logic [11:0] split_column /*verilator public_flat_rd*/;
  logic [11:0] conv_column;
  logic        cnt_load_ready;

  assign set_done     = set_finished && cnt_load_ready;
  assign load_ready_o = set_done;

  tma_setup #(.TileMajor(TileMajor)) u_setup (
    .clk_i,
    .rst_ni,
    .load_valid_i,
    .load_taken_i       (set_done),
    .load_same_map_i,
    .coordinates_i      (load_coordinates_i),
    .dec_status_i       (dec_status),
    .rank_i             (dec_rank),
    .log2_s_i           (dec_log2_s),
    .tile_major_i       (dec_tile_major),
    .log2_b_i           (dec_log2_b),
    .row_units_i        (dec_row_bytes[11:4]),
    .step_i             (dec_step),
    .limit_i            (dec_limit),
    .stride_i           (dec_stride),
    .column_step_i      (dec_column_step),
    .leading_i          (dec_leading),
    .tile_column_i      (dec_tile_column),
    .split_dim_i        (dec_split_dim),
    .base_column_i      (split_column),
    .delta_column_i     (conv_column),
    .mul_enable_o       (set_mul_enable),
    .mul_first_o        (set_mul_first),
    .mul_shift_o        (set_mul_shift),
    .mul_digit_o        (set_mul_digit),
    .mul_multiplicand_o (set_mul_multiplicand),
    .product_valid_o    (mul_valid),
    .product_step_o     (mul_step),
    .product_dim_o      (mul_dim),
    .start_base_o       (set_start_base),
    .start_levels_o     (set_start_levels),
    .window_low_o       (set_window_low),
    .window_high_o      (set_window_high),
    .dim_o              (set_dim),
    .coordinate_o       (set_coordinate),
    .done_o             (set_finished)
  );

  // ---- coord_mul ---------------------------------------------------------------------------------------------------
  logic [59:0] mul_product /*verilator public_flat_rd*/;

  tma_coord_mul u_coord_mul (
    .clk_i,
    .enable_i       (set_mul_enable),
    .first_i        (set_mul_first),
    .shift_i        (set_mul_shift),
    .digit_i        (set_mul_digit),
    .multiplicand_i (set_mul_multiplicand),
    .product_o      (mul_product)
  );

  // ---- split_sum ---------------------------------------------------------------------------------------------------
  logic [59:0] split_x /*verilator public_flat_rd*/;
  logic  [3:0] split_status /*verilator public_flat_rd*/;

  tma_split_sum #(.TileMajor(TileMajor)) u_split_sum (
    .clk_i,
    .start_i         (set_start_base),
    .origin_i        (dec_origin),
    .origin_column_i (dec_origin_column),
    .tile_major_i    (dec_tile_major),
    .log2_b_i        (dec_log2_b),
    .row_bytes_i     (dec_row_bytes),
    .product_valid_i (mul_valid),
    .product_step_i  (mul_step),
    .product_i       (mul_product),
    .x_o             (split_x),
    .column_o        (split_column),
    .status_o        (split_status)
  );

  // ---- dim_convert -------------------------------------------------------------------------------------------------
  logic [239:0] conv_delta /*verilator public_flat_rd*/;
  logic  [59:0] conv_delta_tile /*verilator public_flat_rd*/;

  tma_dim_convert #(.TileMajor(TileMajor)) u_dim_convert (
    .clk_i,
    .start_i         (set_start_levels),
    .log2_b_i        (dec_log2_b),
    .product_valid_i (mul_valid),
    .product_step_i  (mul_step),
    .product_dim_i   (mul_dim),
    .product_i       (mul_product),
    .delta_o         (conv_delta),
    .delta_tile_o    (conv_delta_tile),
    .column_o        (conv_column)
  );

  // ---- counters ----------------------------------------------------------------------------------------------------
  logic        cnt_valid /*verilator public_flat_rd*/;
  logic        cnt_ready /*verilator public_flat_rd*/;
  logic [59:0] cnt_x /*verilator public_flat_rd*/;
  logic [11:0] cnt_row_index /*verilator public_flat_rd*/;
  logic [31:0] cnt_address /*verilator public_flat_rd*/;
  logic [11:0] cnt_bytes /*verilator public_flat_rd*/;
  logic        cnt_fill /*verilator public_flat_rd*/;
  logic        cnt_last /*verilator public_flat_rd*/;
  logic  [3:0] cnt_status;
  logic        cnt_tile_major;
  logic  [3:0] cnt_log2_a16, cnt_log2_b;
  logic [11:0] cnt_row_bytes;
  logic  [2:0] cnt_swizzle;

  tma_counters #(.TileMajor(TileMajor)) u_counters (
    .clk_i,
    .rst_ni,
    .window_low_i        (set_window_low),
    .window_high_i       (set_window_high),
    .window_dim_i        (set_dim),
    .window_coordinate_i (set_coordinate),
    .dim_minus_1_i       (dec_dim_minus_1),
    .load_valid_i        (set_finished),
    .load_ready_o        (cnt_load_ready),
    .load_status_i       (dec_status != tma_pkg::StatusOk ? dec_status : split_status),
    .log2_s_i            (dec_log2_s),
    .tile_major_i        (dec_tile_major),
    .log2_a16_i          (dec_log2_a16),
    .log2_b_i            (dec_log2_b),
    .row_bytes_i         (dec_row_bytes),
    .pitch_bytes_i       (dec_pitch_bytes),
    .swizzle_i           (dec_swizzle),
    .step_i              (dec_step),
    .limit_i             (dec_limit),
    .tile_column_i       (dec_tile_column),
    .split_dim_i         (dec_split_dim),
    .base_i              (split_x),
    .delta_i             (conv_delta),
    .delta_tile_i        (conv_delta_tile),
    .shared_address_i    (load_shared_address_i),
    .run_valid_o         (cnt_valid),
    .run_ready_i         (cnt_ready),
    .run_x_o             (cnt_x),
    .run_row_index_o     (cnt_row_index),
    .run_address_o       (cnt_address),
    .run_bytes_o         (cnt_bytes),
    .run_fill_o          (cnt_fill),
    .run_last_o          (cnt_last),
    .run_status_o        (cnt_status),
    .run_tile_major_o    (cnt_tile_major),
    .run_log2_a16_o      (cnt_log2_a16),
    .run_log2_b_o        (cnt_log2_b),
    .run_row_bytes_o     (cnt_row_bytes),
    .run_swizzle_o       (cnt_swizzle)
  );

  // ---- permute -----------------------------------------------------------------------------------------------------
  logic [59:0] perm_source /*verilator public_flat_rd*/;

  tma_permute #(.TileMajor(TileMajor)) u_permute (
    .x_i          (cnt_x),
    .row_index_i  (cnt_row_index),
    .tile_major_i (cnt_tile_major),
    .log2_a16_i   (cnt_log2_a16),
    .log2_b_i     (cnt_log2_b),
    .row_bytes_i  (cnt_row_bytes),
    .source_o     (perm_source)
  );

  // ---- req_gen -----------------------------------------------------------------------------------------------------
  tma_req_gen u_req_gen (
    .clk_i,
    .rst_ni,
    .run_valid_i (cnt_valid),
    .run_ready_o (cnt_ready),
    .source_i    (perm_source),
    .address_i   (cnt_address),
    .bytes_i     (cnt_bytes),
    .fill_i      (cnt_fill),
    .last_i      (cnt_last),
    .status_i    (cnt_status),
    .swizzle_i   (cnt_swizzle),
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
