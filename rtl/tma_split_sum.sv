// SPDX-License-Identifier: Apache-2.0
// tma_split_sum - row products and column products to the tile base.
//   Paper:   sec. 4.3 "split and sum", Fig. 11b, Eq. 4: tileBase = K*j + i*b
//   In:      finished products of tma_coord_mul; row-side strides arrive scaled by b, so that i*b and K*j share one sum
//   Out:     x_o, units: origin + sum of products; general: the packed form, X = floor(j/b)*b*KL + i*b + (j mod b);
//            column_o = j mod b of the box origin; status_o: paper only, origin on a u x b boundary
//   Timing:  a product is in the sums one cycle after product_valid_i
//   C model: cmodel/src/split_sum.c
`default_nettype none

module tma_split_sum #(
  /// 0 baseline, 1 paper, 2 general.
  parameter int TileMajor = 2
) (
  input  wire logic        clk_i,
  input  wire logic        start_i,          // load the origin
  input  wire logic [59:0] origin_i,         // units
  input  wire logic [11:0] origin_column_i,  // j0 mod b
  input  wire logic        tile_major_i,
  input  wire logic  [3:0] log2_b_i,
  input  wire logic [11:0] row_bytes_i,
  input  wire logic        product_valid_i,
  input  wire logic  [2:0] product_step_i,   // tma_pkg::Step*
  input  wire logic [59:0] product_i,
  output logic      [59:0] x_o,
  output logic      [11:0] column_o,
  output logic       [3:0] status_o
);

  logic [59:0] sum_q;
  logic        add_to_sum;

  assign add_to_sum = product_valid_i
                      && (product_step_i == tma_pkg::StepLinear || product_step_i == tma_pkg::StepColumnProduct);

  always_ff @(posedge clk_i) begin
    if (start_i)         sum_q <= origin_i;
    else if (add_to_sum) sum_q <= sum_q + product_i;
  end

  if (TileMajor == tma_pkg::Baseline) begin : gen_no_column
    assign column_o = '0;
    logic unused_column;
    assign unused_column = ^{origin_column_i, log2_b_i};
  end else begin : gen_column
    logic [11:0] column_q;
    logic [11:0] mask_b;

    assign mask_b = ~(12'hFFF << log2_b_i);

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        column_q <= origin_column_i;
      end else if (product_valid_i && product_step_i == tma_pkg::StepColumn) begin
        column_q <= (column_q + product_i[11:0]) & mask_b;
      end
    end
    assign column_o = column_q;
  end

  if (TileMajor == tma_pkg::General) begin : gen_packed
    // i*b leaves the low log2 b bits of the sum 0.
    assign x_o = {sum_q[59:12], sum_q[11:0] | column_o};
  end else begin : gen_linear
    assign x_o = sum_q;
  end

  if (TileMajor == tma_pkg::Paper) begin : gen_paper_origin
    logic [6:0] row_mask;  // u - 1 in units; u is a power of two
    logic [6:0] row_index;

    assign row_mask  = row_bytes_i[10:4] - 7'd1;
    assign row_index = 7'(sum_q[18:0] >> log2_b_i);

    always_comb begin
      if (!tile_major_i)                        status_o = tma_pkg::StatusOk;
      else if (column_o != '0)                  status_o = tma_pkg::StatusPaperColumnAlign;
      else if ((row_index & row_mask) != '0)    status_o = tma_pkg::StatusPaperRowAlign;
      else                                      status_o = tma_pkg::StatusOk;
    end
    logic unused_row;
    assign unused_row = ^{row_bytes_i[11], row_bytes_i[3:0]};
  end else begin : gen_any_origin
    assign status_o = tma_pkg::StatusOk;
    logic unused_row;
    assign unused_row = ^{row_bytes_i, tile_major_i};
  end

endmodule

`default_nettype wire
