// SPDX-License-Identifier: Apache-2.0
// tma_desc_decode - 128-byte tensor map to the fields that the later stages use, and whether they can run it.
//   Paper:   Fig. 8 (descriptor), sec. 4.3 (the two added fields)
//   In:      tensor map, coordinate 0 and shared address of the load (launch rules)
//   Out:     fields, in elements, bytes or 16-byte units as named; status_o, StatusOk when the load may start
//   Timing:  combinational; the load is held stable until it is taken
//   C model: cmodel/src/desc_decode.c
//   Not here: encode rules (checked by the host), i mod u and j mod b of the box origin (tma_split_sum)
`default_nettype none

module tma_desc_decode #(
  /// 0 baseline, 1 paper, 2 general.
  parameter int TileMajor = 2
) (
  input  wire logic [1023:0] tensor_map_i,
  input  wire logic   [31:0] coordinate_0_i,
  input  wire logic    [6:0] shared_address_low_i,
  output logic    [3:0] status_o,
  output logic    [2:0] rank_o,            // 1..5
  output logic    [1:0] log2_s_o,          // element size 1, 2, 4, 8 bytes
  output logic    [2:0] swizzle_o,
  output logic          tile_major_o,
  output logic    [3:0] log2_a16_o,        // memory tile width in units
  output logic    [3:0] log2_b_o,
  output logic   [11:0] row_bytes_o,       // B_0 * s, 16..2048
  output logic   [11:0] pitch_bytes_o,     // row pitch in shared memory
  output logic   [59:0] origin_o,          // units
  output logic   [11:0] origin_column_o,   // j0 mod b
  output logic  [159:0] dim_minus_1_o,     // 5 x 32
  output logic   [15:0] step_o,            // 4 x 4, dimensions 1..4: E_d, 1..8
  output logic   [31:0] limit_o,           // 4 x 8, dimensions 1..4: (n_d - 1) * E_d
  output logic  [143:0] stride_o,          // 4 x 36, dimensions 1..4, units
  output logic   [47:0] column_step_o,     // 4 x 12, dimensions 1..4: q_d mod b
  output logic   [35:0] leading_o,         // KL, units
  output logic   [35:0] tile_column_o,     // b * KL, units
  output logic    [2:0] split_dim_o        // paper: dimension of Eq. 5's split counter, 0 none
);

  logic [3:0] data_type;
  logic [8:0] box_0;
  logic       map_tile_major;
  logic       is_a_map;
  logic       coordinate_off_grid;

  assign data_type      = tensor_map_i[tma_pkg::MapDataType +: 4];
  assign rank_o         = tensor_map_i[tma_pkg::MapRank +: 3];
  assign swizzle_o      = tensor_map_i[tma_pkg::MapSwizzle +: 3];
  assign map_tile_major = tensor_map_i[tma_pkg::MapTileMajor];
  assign origin_o       = tensor_map_i[tma_pkg::MapOrigin +: 60];
  assign dim_minus_1_o  = tensor_map_i[tma_pkg::MapDimMinus1 +: 160];

  always_comb begin
    case (data_type)
      4'd0:             log2_s_o = 2'd0;  // u8
      4'd1, 4'd6, 4'd9: log2_s_o = 2'd1;  // u16 f16 bf16
      4'd4, 4'd5, 4'd8: log2_s_o = 2'd3;  // u64 s64 f64
      default:          log2_s_o = 2'd2;
    endcase
  end

  assign box_0       = {1'b0, tensor_map_i[tma_pkg::MapBoxMinus1 +: 8]} + 9'd1;
  assign row_bytes_o = {3'd0, box_0} << log2_s_o;

  always_comb begin
    case (swizzle_o)
      tma_pkg::SwizzleNone: pitch_bytes_o = row_bytes_o;
      tma_pkg::Swizzle32B:  pitch_bytes_o = 12'd32;
      tma_pkg::Swizzle64B:  pitch_bytes_o = 12'd64;
      default:              pitch_bytes_o = 12'd128;
    endcase
  end

  for (genvar d = 1; d < 5; d++) begin : gen_dim
    assign step_o[4*(d-1) +: 4]       = {1'b0, tensor_map_i[tma_pkg::MapStepMinus1 + 3*d +: 3]} + 4'd1;
    assign limit_o[8*(d-1) +: 8]      = tensor_map_i[tma_pkg::MapLimit + 64*(d-1) +: 8];
    assign stride_o[36*(d-1) +: 36]   = tensor_map_i[tma_pkg::MapStride + 40*(d-1) +: 36];
  end

  if (TileMajor == tma_pkg::Baseline) begin : gen_plain
    assign tile_major_o    = 1'b0;
    assign log2_a16_o      = '0;
    assign log2_b_o        = '0;
    assign origin_column_o = '0;
    assign column_step_o   = '0;
    assign leading_o       = '0;
    assign tile_column_o   = '0;
  end else begin : gen_tile_major
    assign tile_major_o    = map_tile_major;
    assign log2_a16_o      = tensor_map_i[tma_pkg::MapLog2A16 +: 4];
    assign log2_b_o        = tensor_map_i[tma_pkg::MapLog2B +: 4];
    assign origin_column_o = tensor_map_i[tma_pkg::MapOriginColumn +: 12];
    for (genvar d = 1; d < 5; d++) begin : gen_dim
      assign column_step_o[12*(d-1) +: 12] = tensor_map_i[tma_pkg::MapColumnStep + 64*(d-1) +: 12];
    end
    assign leading_o       = tensor_map_i[tma_pkg::MapLeading +: 36];
    assign tile_column_o   = tensor_map_i[tma_pkg::MapTileColumn +: 36];
  end

  if (TileMajor == tma_pkg::Paper) begin : gen_paper
    assign split_dim_o = tensor_map_i[tma_pkg::MapSplitDim +: 3];
  end else begin : gen_no_split
    assign split_dim_o = '0;
  end

  assign is_a_map = tensor_map_i[tma_pkg::MapVersion +: 8] == tma_pkg::Version
                    && rank_o != 3'd0 && rank_o <= 3'd5
                    && data_type <= tma_pkg::LastDataType
                    && tensor_map_i[tma_pkg::MapInterleave +: 2] == 2'd0
                    && swizzle_o <= tma_pkg::SwizzleAtom64B;

  // coordinate 0 * element size must lie on the 16-byte grid.
  always_comb begin
    case (log2_s_o)
      2'd0:    coordinate_off_grid = coordinate_0_i[3:0] != 4'd0;
      2'd1:    coordinate_off_grid = coordinate_0_i[2:0] != 3'd0;
      2'd2:    coordinate_off_grid = coordinate_0_i[1:0] != 2'd0;
      default: coordinate_off_grid = coordinate_0_i[0];
    endcase
  end

  always_comb begin
    if (!is_a_map)                          status_o = tma_pkg::StatusMapInvalid;
    else if (coordinate_off_grid)           status_o = tma_pkg::StatusCoordinateAlign;
    else if (shared_address_low_i != 7'd0)  status_o = tma_pkg::StatusSharedAddressAlign;
    else if (!map_tile_major)               status_o = tma_pkg::StatusOk;
    else if (TileMajor == tma_pkg::Baseline) status_o = tma_pkg::StatusTileMajorUnsupported;
    else if (TileMajor == tma_pkg::Paper)   status_o = tensor_map_i[tma_pkg::MapPaperRefusal +: 4];
    else                                    status_o = tma_pkg::StatusOk;
  end

  // The rest of the map is the host's: addresses and strides as given, hints, fill pattern.
  logic unused_map;
  assign unused_map = ^{tensor_map_i, coordinate_0_i};

endmodule

`default_nettype wire
