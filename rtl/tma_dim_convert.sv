// SPDX-License-Identifier: Apache-2.0
// tma_dim_convert - strides and extents of the box to what each counter adds.
//   Paper:   Eq. 5 (nested-counter reconfiguration); row-side strides scaled by b
//   In:      finished products of tma_coord_mul
//   Out:     delta_o[d], units, dimensions 1..4: from the last element of all dimensions below d to the next step
//            along d; general: packed form (low log2 b bits = step of j mod b); delta_tile_o: paper, Eq. 5's outer
//            stride of the split dimension; column_o: j part of the delta under work (general)
//   Timing:  once per tensor map; a delta is complete one cycle after its StepAdvance product
//   C model: cmodel/src/dim_convert.c
`default_nettype none

module tma_dim_convert #(
  /// 0 baseline, 1 paper, 2 general.
  parameter int TileMajor = 2
) (
  input  wire logic         clk_i,
  input  wire logic         start_i,          // a new tensor map: nothing walked yet
  input  wire logic   [3:0] log2_b_i,
  input  wire logic         product_valid_i,
  input  wire logic   [2:0] product_step_i,   // tma_pkg::Step*
  input  wire logic   [2:0] product_dim_i,    // 1..4
  input  wire logic  [59:0] product_i,
  output logic      [239:0] delta_o,          // 4 x 60
  output logic       [59:0] delta_tile_o,
  output logic       [11:0] column_o
);

  logic [59:0] below_q;  // what all dimensions below the current one have walked, negative
  logic [59:0] sum;
  logic [59:0] delta;

  assign sum = below_q + product_i;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      below_q <= '0;
    end else if (product_valid_i && product_step_i == tma_pkg::StepRewind) begin
      below_q <= sum;
    end
  end

  // Deltas of dimensions at and above the rank are never used and never written.
  for (genvar d = 1; d < 5; d++) begin : gen_delta
    logic [59:0] delta_q;
    always_ff @(posedge clk_i) begin
      if (product_valid_i && product_step_i == tma_pkg::StepAdvance && product_dim_i == 3'(d)) delta_q <= delta;
    end
    assign delta_o[60*(d-1) +: 60] = delta_q;
  end

  if (TileMajor == tma_pkg::General) begin : gen_packed
    logic [11:0] column_q;        // j part of the current delta
    logic [11:0] column_below_q;  // j part of what the dimensions below have walked
    logic [11:0] mask_b;

    assign mask_b = ~(12'hFFF << log2_b_i);

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        column_below_q <= '0;
      end else if (product_valid_i && product_step_i == tma_pkg::StepColumnRewind) begin
        column_below_q <= (column_below_q + product_i[11:0]) & mask_b;
      end
      if (start_i) begin
        column_q <= '0;
      end else if (product_valid_i && product_step_i == tma_pkg::StepColumnAdvance) begin
        column_q <= (product_i[11:0] - column_below_q) & mask_b;
      end
    end
    assign column_o = column_q;
    assign delta    = {sum[59:12], sum[11:0] | column_q};
  end else begin : gen_linear
    assign column_o = '0;
    assign delta    = sum;
    logic unused_log2_b;
    assign unused_log2_b = ^log2_b_i;
  end

  if (TileMajor == tma_pkg::Paper) begin : gen_split
    logic [59:0] delta_tile_q;
    always_ff @(posedge clk_i) begin
      if (product_valid_i && product_step_i == tma_pkg::StepTileAdvance) delta_tile_q <= sum;
    end
    assign delta_tile_o = delta_tile_q;
  end else begin : gen_no_split
    assign delta_tile_o = '0;
  end

endmodule

`default_nettype wire
