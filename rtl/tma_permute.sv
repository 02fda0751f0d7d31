// SPDX-License-Identifier: Apache-2.0
// tma_permute - the intra-tile bit permutation.
//   Paper:   Case 2, Fig. 12c: (sub-tile | col | row) -> (col | sub-tile | row)
//   In:      cursor x of a run (units); general: its i mod a, already aligned by tma_counters
//   Out:     source_o, units
//            general  (tile | i mod a | j mod b) -> (tile | j mod b | i mod a): Case 1, Case 2 and a < u in one
//            paper    the figure's swap; u is a power of two and at most a
//   Timing:  combinational
//   C model: cmodel/src/permute.c
`default_nettype none

module tma_permute #(
  /// 0 baseline, 1 paper, 2 general.
  parameter int TileMajor = 2
) (
  input  wire logic [59:0] x_i,
  input  wire logic [11:0] row_index_i,
  input  wire logic        tile_major_i,
  input  wire logic  [3:0] log2_a16_i,
  input  wire logic  [3:0] log2_b_i,
  input  wire logic [11:0] row_bytes_i,
  output logic      [59:0] source_o
);

  if (TileMajor == tma_pkg::General) begin : gen_rotate
    logic [11:0] mask_b, mask_granule;
    logic [11:0] column;

    assign mask_b       = ~(12'hFFF << log2_b_i);
    assign mask_granule = ~((12'hFFF << log2_a16_i) << log2_b_i);
    assign column       = (x_i[11:0] & mask_b) << log2_a16_i;
    // Plain maps have a = b = 1 unit: every mask is 0.
    assign source_o     = {x_i[59:12], (x_i[11:0] & ~mask_granule) | column | row_index_i};

    logic unused_row;
    assign unused_row = ^{row_bytes_i, tile_major_i};
  end else if (TileMajor == tma_pkg::Paper) begin : gen_swap
    logic [11:0] mask_b, mask_granule, mask_row;
    logic  [2:0] log2_u16;
    logic [11:0] row, column, sub_tile;

    // Position of the one bit of row_bytes, 16..2048.
    assign log2_u16 = {|row_bytes_i[11:8], |{row_bytes_i[11:10], row_bytes_i[7:6]},
                       |{row_bytes_i[11], row_bytes_i[9], row_bytes_i[7], row_bytes_i[5]}};

    assign mask_b       = ~(12'hFFF << log2_b_i);
    assign mask_granule = ~((12'hFFF << log2_a16_i) << log2_b_i);
    assign mask_row     = ~(12'hFFF << log2_u16);
    assign row          = x_i[11:0] & mask_row;
    assign column       = ((x_i[11:0] >> log2_u16) & mask_b) << log2_a16_i;
    assign sub_tile     = (((x_i[11:0] & mask_granule) >> log2_u16) >> log2_b_i) << log2_u16;
    assign source_o     = tile_major_i ? {x_i[59:12], (x_i[11:0] & ~mask_granule) | column | sub_tile | row} : x_i;

    logic unused_row;
    assign unused_row = ^{row_index_i, row_bytes_i[4:0]};
  end else begin : gen_none
    assign source_o = x_i;

    logic unused_tile;
    assign unused_tile = ^{row_index_i, tile_major_i, log2_a16_i, log2_b_i, row_bytes_i};
  end

endmodule

`default_nettype wire
