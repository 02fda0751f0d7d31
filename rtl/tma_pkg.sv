// SPDX-License-Identifier: Apache-2.0
// tma_pkg - widths, tensor-map bit offsets and status codes shared by the tma_* modules.
//   C model: cmodel/include/tilelens/tensor_map_bits.h (same offsets; check_desc_decode compares the two files),
//            cmodel/include/tilelens/status.h (same codes)
`default_nettype none

package tma_pkg;

  // Widths used throughout: addresses and strides are 16-byte units, so that a 64-bit byte address is 60 bits and a
  // stride below 2^40 is 36; j mod b and i mod a are 12 bits (a granule is at most 64 KiB = 2^12 units); a byte position
  // in a box row is 12 bits (0..2048).

  // TileMajor parameter values.
  localparam int Baseline = 0;
  localparam int Paper    = 1;
  localparam int General  = 2;

  // Tensor map, version 0x54: least significant bit of each field.
  localparam int MapDimMinus1    = 128;  // + 32*d, 32 bits
  localparam int MapBoxMinus1    = 288;  // 8 bits, dimension 0
  localparam int MapStepMinus1   = 328;  // + 3*d, 3 bits
  localparam int MapRank         = 343;  // 3 bits
  localparam int MapDataType     = 346;  // 4 bits
  localparam int MapInterleave   = 350;  // 2 bits
  localparam int MapSwizzle      = 352;  // 3 bits
  localparam int MapTileMajor    = 358;  // 1 bit
  localparam int MapLog2A16      = 360;  // 4 bits
  localparam int MapLog2B        = 364;  // 4 bits
  localparam int MapSplitDim     = 368;  // 3 bits
  localparam int MapPaperRefusal = 371;  // 4 bits
  localparam int MapVersion      = 376;  // 8 bits
  localparam int MapLimit        = 424;  // + 64*(d-1), 8 bits
  localparam int MapColumnStep   = 432;  // + 64*(d-1), 12 bits
  localparam int MapStride       = 640;  // + 40*(d-1), 36 bits
  localparam int MapOrigin       = 800;  // 60 bits
  localparam int MapLeading      = 864;  // 36 bits
  localparam int MapTileColumn   = 904;  // 36 bits
  localparam int MapOriginColumn = 944;  // 12 bits

  localparam logic [7:0] Version = 8'h54;

  // Data types (CUtensorMapDataType): the last legal one.
  localparam logic [3:0] LastDataType = 4'd12;

  // Swizzle modes (CUtensorMapSwizzle).
  localparam logic [2:0] SwizzleNone    = 3'd0;
  localparam logic [2:0] Swizzle32B     = 3'd1;
  localparam logic [2:0] Swizzle64B     = 3'd2;
  localparam logic [2:0] Swizzle128B    = 3'd3;
  localparam logic [2:0] SwizzleAtom32B = 3'd4;
  localparam logic [2:0] SwizzleFlip8B  = 3'd5;
  localparam logic [2:0] SwizzleAtom64B = 3'd6;

  // req_status_o.
  localparam logic [3:0] StatusOk                   = 4'd0;
  localparam logic [3:0] StatusMapInvalid           = 4'd1;
  localparam logic [3:0] StatusCoordinateAlign      = 4'd2;
  localparam logic [3:0] StatusSharedAddressAlign   = 4'd3;
  localparam logic [3:0] StatusTileMajorUnsupported = 4'd4;
  localparam logic [3:0] StatusPaperRowAlign        = 4'd9;
  localparam logic [3:0] StatusPaperColumnAlign     = 4'd10;

  // Steps of the set-up program (tma_setup), one finished product of the multiplier each.
  localparam logic [2:0] StepColumn        = 3'd0;  // c_d * (q_d mod b)
  localparam logic [2:0] StepLinear        = 3'd1;  // c_d * stride_d
  localparam logic [2:0] StepColumnProduct = 3'd2;  // -j' * KL
  localparam logic [2:0] StepColumnAdvance = 3'd3;  // E_d * (q_d mod b)
  localparam logic [2:0] StepColumnRewind  = 3'd4;  // limit_d * (q_d mod b)
  localparam logic [2:0] StepAdvance       = 3'd5;  // E_d * stride_d - j'_d * KL
  localparam logic [2:0] StepRewind        = 3'd6;  // -limit_d * stride_d
  localparam logic [2:0] StepTileAdvance   = 3'd7;  // paper: b*KL - (b-1)*u

endpackage

`default_nettype wire
