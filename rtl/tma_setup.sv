// SPDX-License-Identifier: Apache-2.0
// tma_setup - the set-up program of a load: which digit of which factor meets which multiplicand in tma_coord_mul.
//   Products in order (dimension d, digits of 8 bits):
//     tile-major        StepColumn         c_d * (q_d mod b)                  d = 1..rank-1, 2 digits
//     always            StepLinear         c_d * stride_d                     d = 0..rank-1, 4 digits
//     general           StepColumnProduct  -j' * KL                           2 digits
//   and, once per tensor map, for d = 1..rank-1:
//     general           StepColumnAdvance  E_d * (q_d mod b)                  1 digit
//                       StepColumnRewind   limit_d * (q_d mod b)              1 digit
//     always            StepAdvance        E_d * stride_d [- j'_d * KL]       1 digit [+ 2]
//     paper, split dim  StepTileAdvance    b*KL - (b-1)*u                     3 digits
//     always            StepRewind         -limit_d * stride_d                1 digit [split dim: 2]
//   Timing:  at most 57 cycles from a load's first cycle to done_o (general, rank 5), so that a load of 57 requests or
//            more hides the set-up of the next one
//   C model: the order in which cmodel/src/engine.c calls coord_mul.c, split_sum.c and dim_convert.c
`default_nettype none

module tma_setup #(
  /// 0 baseline, 1 paper, 2 general.
  parameter int TileMajor = 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         load_valid_i,
  input  wire logic         load_taken_i,       // the counters take the finished set-up
  input  wire logic         load_same_map_i,    // tensor map equals that of the previous load
  input  wire logic [159:0] coordinates_i,
  // from tma_desc_decode
  input  wire logic   [3:0] dec_status_i,
  input  wire logic   [2:0] rank_i,
  input  wire logic   [1:0] log2_s_i,
  input  wire logic         tile_major_i,
  input  wire logic   [3:0] log2_b_i,
  input  wire logic   [7:0] row_units_i,        // B_0 * s / 16
  input  wire logic  [15:0] step_i,
  input  wire logic  [31:0] limit_i,
  input  wire logic [143:0] stride_i,
  input  wire logic  [47:0] column_step_i,
  input  wire logic  [35:0] leading_i,
  input  wire logic  [35:0] tile_column_i,
  input  wire logic   [2:0] split_dim_i,
  // factors that earlier products give
  input  wire logic  [11:0] base_column_i,      // j' of the box origin, from tma_split_sum
  input  wire logic  [11:0] delta_column_i,     // j' of the delta under work, from tma_dim_convert
  // to tma_coord_mul
  output logic              mul_enable_o,
  output logic              mul_first_o,
  output logic              mul_shift_o,
  output logic        [8:0] mul_digit_o,
  output logic       [35:0] mul_multiplicand_o,
  // with the multiplier's output
  output logic              product_valid_o,
  output logic        [2:0] product_step_o,     // tma_pkg::Step*
  output logic        [2:0] product_dim_o,
  // to the sums and to the windows of tma_counters
  output logic              start_base_o,
  output logic              start_levels_o,
  output logic              window_low_o,       // coordinate_o is that of dimension dim_o: take its low bound
  output logic              window_high_o,      // ... its high bound
  output logic        [2:0] dim_o,
  output logic       [31:0] coordinate_o,
  output logic              done_o              // set-up complete, or the load is refused by dec_status_i
);

  localparam logic [3:0] First         = 4'd0;
  localparam logic [3:0] Column        = 4'd1;
  localparam logic [3:0] Linear        = 4'd2;
  localparam logic [3:0] ColumnProduct = 4'd3;
  localparam logic [3:0] ColumnAdvance = 4'd4;
  localparam logic [3:0] ColumnRewind  = 4'd5;
  localparam logic [3:0] AdvanceColumn = 4'd6;   // -j'_d * KL, completed by Advance
  localparam logic [3:0] Advance       = 4'd7;
  localparam logic [3:0] TileColumn    = 4'd8;   // -(b-1) * u, completed by TileAdvance
  localparam logic [3:0] TileAdvance   = 4'd9;
  localparam logic [3:0] RewindTile    = 4'd10;  // split dimension: -(limit / b) * b*KL, completed by Rewind
  localparam logic [3:0] Rewind        = 4'd11;
  localparam logic [3:0] Drain         = 4'd12;  // the last product reaches its sum
  localparam logic [3:0] Done          = 4'd13;

  localparam bit HasColumn = TileMajor != tma_pkg::Baseline;
  localparam bit HasSplit  = TileMajor == tma_pkg::Paper;
  localparam bit HasPacked = TileMajor == tma_pkg::General;

  logic [3:0] state_q, state_d;
  logic [2:0] dim_q, dim_d;
  logic [1:0] digit_q, digit_d;
  logic       levels_valid_q;  // the deltas are those of this tensor map

  logic       column_pass, packed_form, split;
  logic       last_dim;
  logic       levels_needed;
  logic [3:0] after_base, level_first;

  assign column_pass   = HasColumn && tile_major_i;
  assign packed_form   = HasPacked && tile_major_i;
  assign split         = HasSplit && dim_q == split_dim_i;  // dim_q is 1..4 where this matters
  assign last_dim      = dim_q == rank_i - 3'd1;
  assign levels_needed = rank_i != 3'd1 && !levels_valid_q;
  assign level_first   = packed_form ? ColumnAdvance : Advance;
  assign after_base    = levels_needed ? level_first : Drain;

  always_comb begin
    state_d = state_q;
    dim_d   = dim_q;
    digit_d = digit_q - 2'd1;
    case (state_q)
      First: begin
        if (load_valid_i) begin
          if (dec_status_i != tma_pkg::StatusOk)         state_d = Done;
          else if (column_pass && rank_i != 3'd1)        state_d = Column;
          else                                           state_d = Linear;
        end
        dim_d   = {2'd0, state_d == Column};
        digit_d = state_d == Column ? 2'd1 : 2'd3;
      end
      Column: begin
        if (digit_q == 2'd0) begin
          state_d = last_dim ? Linear : Column;
          dim_d   = last_dim ? 3'd0 : dim_q + 3'd1;
          digit_d = last_dim ? 2'd3 : 2'd1;
        end
      end
      Linear: begin
        if (digit_q == 2'd0) begin
          if (!last_dim) begin
            dim_d   = dim_q + 3'd1;
            digit_d = 2'd3;
          end else begin
            state_d = packed_form ? ColumnProduct : after_base;
            dim_d   = 3'd1;
            digit_d = 2'd1;
          end
        end
      end
      ColumnProduct: if (digit_q == 2'd0) state_d = after_base;
      ColumnAdvance: state_d = ColumnRewind;
      ColumnRewind: begin
        state_d = AdvanceColumn;
        digit_d = 2'd1;
      end
      AdvanceColumn: if (digit_q == 2'd0) state_d = Advance;
      Advance: begin
        state_d = split ? TileColumn : Rewind;
        digit_d = 2'd1;
      end
      TileColumn:  if (digit_q == 2'd0) state_d = TileAdvance;
      TileAdvance: state_d = RewindTile;
      RewindTile:  state_d = Rewind;
      Rewind: begin
        state_d = last_dim ? Drain : level_first;
        dim_d   = dim_q + 3'd1;
      end
      Drain:   state_d = Done;
      default: if (load_taken_i) state_d = First;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q        <= First;
      levels_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (start_levels_o)        levels_valid_q <= 1'b0;
      else if (state_q == Drain) levels_valid_q <= 1'b1;
    end
    dim_q   <= dim_d;
    digit_q <= digit_d;
  end

  assign start_base_o   = state_q == First;
  assign start_levels_o = state_q == First && load_valid_i && !(load_same_map_i && levels_valid_q);
  assign window_low_o   = state_q == Linear && digit_q == 2'd3;
  assign window_high_o  = state_q == Linear && digit_q == 2'd2;
  assign dim_o          = dim_q;
  assign done_o         = state_q == Done;

  // ---- factors -----------------------------------------------------------------------------------------------------

  logic [31:0] coordinate;  // of dimension dim_q
  logic  [3:0] step;        // E_d
  logic  [7:0] limit;
  logic [35:0] stride;
  logic [11:0] column_step;

  always_comb begin
    case (dim_q)
      3'd0:    coordinate = coordinates_i[31:0];
      3'd1:    coordinate = coordinates_i[63:32];
      3'd2:    coordinate = coordinates_i[95:64];
      3'd3:    coordinate = coordinates_i[127:96];
      default: coordinate = coordinates_i[159:128];
    endcase
    case (dim_q)
      3'd1: begin
        step        = step_i[3:0];
        limit       = limit_i[7:0];
        stride      = stride_i[35:0];
        column_step = column_step_i[11:0];
      end
      3'd2: begin
        step        = step_i[7:4];
        limit       = limit_i[15:8];
        stride      = stride_i[71:36];
        column_step = column_step_i[23:12];
      end
      3'd3: begin
        step        = step_i[11:8];
        limit       = limit_i[23:16];
        stride      = stride_i[107:72];
        column_step = column_step_i[35:24];
      end
      default: begin
        step        = step_i[15:12];
        limit       = limit_i[31:24];
        stride      = stride_i[143:108];
        column_step = column_step_i[47:36];
      end
    endcase
  end
  assign coordinate_o = coordinate;

  // Coordinate 0 counts units; desc_decode has refused one off the grid.
  logic signed [31:0] coordinate_units;
  logic        [31:0] coordinate_factor;
  always_comb begin
    case (log2_s_i)
      2'd0:    coordinate_units = $signed(coordinate) >>> 4;
      2'd1:    coordinate_units = $signed(coordinate) >>> 3;
      2'd2:    coordinate_units = $signed(coordinate) >>> 2;
      default: coordinate_units = $signed(coordinate) >>> 1;
    endcase
  end
  assign coordinate_factor = dim_q == 3'd0 ? coordinate_units : coordinate;

  // Every other factor has at most 12 bits and may be negated.
  logic [11:0] small_factor;
  logic        negate;
  logic [12:0] signed_factor;
  logic [11:0] mask_b;

  assign mask_b = HasSplit ? ~(12'hFFF << log2_b_i) : '0;

  always_comb begin
    case (state_q)
      ColumnProduct:          small_factor = HasPacked ? base_column_i : '0;
      AdvanceColumn:          small_factor = HasPacked ? delta_column_i : '0;
      ColumnAdvance, Advance: small_factor = {8'd0, step};
      TileColumn:             small_factor = mask_b;
      TileAdvance:            small_factor = {11'd0, HasSplit};
      RewindTile:             small_factor = HasSplit ? {4'd0, limit >> log2_b_i} : '0;
      default:                small_factor = split ? {4'd0, limit & mask_b[7:0]} : {4'd0, limit};
    endcase
    negate        = state_q == ColumnProduct || state_q == AdvanceColumn || state_q == TileColumn
                    || state_q == RewindTile || state_q == Rewind;
    signed_factor = negate ? 13'd0 - {1'b0, small_factor} : {1'b0, small_factor};
  end

  // ---- digit and multiplicand --------------------------------------------------------------------------------------

  always_comb begin
    case (state_q)
      Column, Linear: begin
        case (digit_q)
          2'd0:    mul_digit_o = {1'b0, coordinate_factor[7:0]};
          2'd1:    mul_digit_o = {1'b0, coordinate_factor[15:8]};
          2'd2:    mul_digit_o = {1'b0, coordinate_factor[23:16]};
          default: mul_digit_o = {coordinate_factor[31], coordinate_factor[31:24]};
        endcase
      end
      ColumnProduct, AdvanceColumn, TileColumn: begin
        if (digit_q == 2'd0) mul_digit_o = {1'b0, signed_factor[7:0]};
        else                 mul_digit_o = {{4{signed_factor[12]}}, signed_factor[12:8]};
      end
      default: mul_digit_o = signed_factor[8:0];
    endcase
  end

  always_comb begin
    case (state_q)
      Column, ColumnAdvance, ColumnRewind: mul_multiplicand_o = {24'd0, column_step};
      ColumnProduct, AdvanceColumn:        mul_multiplicand_o = HasPacked ? leading_i : '0;
      TileColumn:                          mul_multiplicand_o = HasSplit ? {28'd0, row_units_i} : '0;
      TileAdvance, RewindTile:             mul_multiplicand_o = HasSplit ? tile_column_i : '0;
      default: begin
        if (dim_q == 3'd0) mul_multiplicand_o = 36'd1 << log2_b_i;
        else if (split && state_q != Linear) mul_multiplicand_o = {28'd0, row_units_i};
        else               mul_multiplicand_o = stride;
      end
    endcase
  end

  always_comb begin
    case (state_q)
      Linear:                                              mul_first_o = digit_q == 2'd3;
      Column, ColumnProduct, AdvanceColumn, TileColumn:    mul_first_o = digit_q == 2'd1;
      Advance:                                             mul_first_o = !packed_form;
      TileAdvance:                                         mul_first_o = 1'b0;
      Rewind:                                              mul_first_o = !split;
      default:                                             mul_first_o = 1'b1;
    endcase
    mul_shift_o  = state_q == Linear || state_q == Column || state_q == ColumnProduct || state_q == AdvanceColumn
                   || state_q == TileColumn;
    mul_enable_o = state_q != First && state_q != Drain && state_q != Done;
  end

  // ---- which product the multiplier holds in the next cycle --------------------------------------------------------

  logic       product_valid_q;
  logic [2:0] product_step_q, product_step_d;
  logic [2:0] product_dim_q;

  always_comb begin
    case (state_q)
      Column:        product_step_d = tma_pkg::StepColumn;
      Linear:        product_step_d = tma_pkg::StepLinear;
      ColumnProduct: product_step_d = tma_pkg::StepColumnProduct;
      ColumnAdvance: product_step_d = tma_pkg::StepColumnAdvance;
      ColumnRewind:  product_step_d = tma_pkg::StepColumnRewind;
      Advance:       product_step_d = tma_pkg::StepAdvance;
      TileAdvance:   product_step_d = tma_pkg::StepTileAdvance;
      default:       product_step_d = tma_pkg::StepRewind;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      product_valid_q <= 1'b0;
    end else begin
      case (state_q)
        Column, Linear, ColumnProduct:                                  product_valid_q <= digit_q == 2'd0;
        ColumnAdvance, ColumnRewind, Advance, TileAdvance, Rewind:      product_valid_q <= 1'b1;
        default:                                                        product_valid_q <= 1'b0;
      endcase
    end
    product_step_q <= product_step_d;
    product_dim_q  <= dim_q;
  end

  assign product_valid_o = product_valid_q;
  assign product_step_o  = product_step_q;
  assign product_dim_o   = product_dim_q;

endmodule

`default_nettype wire
