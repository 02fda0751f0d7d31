// SPDX-License-Identifier: Apache-2.0
// tma_counters - the odometer over the box, out-of-bounds windows, shared-memory offset, and the cut of rows into runs.
//   Paper:   Fig. 10 (counters), Eq. 5 (split counter of the paper variant)
//   In:      a finished set-up (take it when load_valid_i && load_ready_o)
//   Out:     one run a cycle: cursor x (units), shared-memory address, bytes (1..2048), fill, last; a refused load is
//            one run of 0 bytes with run_status_o != 0
//   Timing:  no bubble between runs, rows or loads; the next load is taken in the cycle of the last run
//   C model: cmodel/src/counters.c
//   Not here: bit permutation (tma_permute), swizzle and byte addresses (tma_req_gen)
`default_nettype none

module tma_counters #(
  /// 0 baseline, 1 paper, 2 general.
  parameter int TileMajor = 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  // windows of the next load, while tma_setup walks its coordinates
  input  wire logic         window_low_i,
  input  wire logic         window_high_i,
  input  wire logic   [2:0] window_dim_i,
  input  wire logic  [31:0] window_coordinate_i,
  input  wire logic [159:0] dim_minus_1_i,
  // the next load
  input  wire logic         load_valid_i,
  output logic              load_ready_o,
  input  wire logic   [3:0] load_status_i,
  input  wire logic   [1:0] log2_s_i,
  input  wire logic         tile_major_i,
  input  wire logic   [3:0] log2_a16_i,
  input  wire logic   [3:0] log2_b_i,
  input  wire logic  [11:0] row_bytes_i,
  input  wire logic  [11:0] pitch_bytes_i,
  input  wire logic   [2:0] swizzle_i,
  input  wire logic  [15:0] step_i,
  input  wire logic  [31:0] limit_i,
  input  wire logic  [35:0] tile_column_i,
  input  wire logic   [2:0] split_dim_i,
  input  wire logic  [59:0] base_i,
  input  wire logic [239:0] delta_i,
  input  wire logic  [59:0] delta_tile_i,
  input  wire logic  [31:0] shared_address_i,
  // runs
  output logic              run_valid_o,
  input  wire logic         run_ready_i,
  output logic       [59:0] run_x_o,
  output logic       [11:0] run_row_index_o,  // general: i mod a, units
  output logic       [31:0] run_address_o,
  output logic       [11:0] run_bytes_o,
  output logic              run_fill_o,
  output logic              run_last_o,
  output logic        [3:0] run_status_o,
  // facts of the current load for the stages behind
  output logic              run_tile_major_o,
  output logic        [3:0] run_log2_a16_o,
  output logic        [3:0] run_log2_b_o,
  output logic       [11:0] run_row_bytes_o,
  output logic        [2:0] run_swizzle_o
);

  localparam bit HasTiles  = TileMajor != tma_pkg::Baseline;
  localparam bit HasPacked = TileMajor == tma_pkg::General;

  // ---- windows of the next load: steps t with 0 <= coordinate + t <= dim_minus_1, clamped to 0..256 ----------------

  logic [31:0] window_dim_minus_1;
  logic [33:0] distance;  // signed: to the first step inside, or to the last one
  logic  [8:0] window_bound;

  always_comb begin
    case (window_dim_i)
      3'd0:    window_dim_minus_1 = dim_minus_1_i[31:0];
      3'd1:    window_dim_minus_1 = dim_minus_1_i[63:32];
      3'd2:    window_dim_minus_1 = dim_minus_1_i[95:64];
      3'd3:    window_dim_minus_1 = dim_minus_1_i[127:96];
      default: window_dim_minus_1 = dim_minus_1_i[159:128];
    endcase
    distance = (window_low_i ? 34'd0 : {2'd0, window_dim_minus_1})
               - {{2{window_coordinate_i[31]}}, window_coordinate_i};
    if (distance[33])                window_bound = 9'd0;
    else if (distance[32:8] != '0)   window_bound = 9'd256;
    else                             window_bound = {1'b0, distance[7:0]} + {8'd0, window_high_i};
  end

  logic [44:0] next_low_q;   // 5 x 9
  logic [44:0] next_high_q;
  logic        load_taken;

  for (genvar d = 0; d < 5; d++) begin : gen_next_window
    always_ff @(posedge clk_i) begin
      if (!rst_ni || load_taken) begin
        // A dimension at or above the rank is never out of bounds.
        next_low_q[9*d +: 9]  <= 9'd0;
        next_high_q[9*d +: 9] <= 9'd256;
      end else if (window_dim_i == 3'(d)) begin
        if (window_low_i)  next_low_q[9*d +: 9]  <= window_bound;
        if (window_high_i) next_high_q[9*d +: 9] <= window_bound;
      end
    end
  end

  // Row bytes inside the tensor; low = row_bytes when there are none.
  logic [11:0] row_low_bytes, row_high_bytes;
  logic [11:0] next_inside_low, next_inside_high;

  assign row_low_bytes  = {3'd0, next_low_q[8:0]} << log2_s_i;
  assign row_high_bytes = {3'd0, next_high_q[8:0]} << log2_s_i;

  always_comb begin
    next_inside_high = row_high_bytes < row_bytes_i ? row_high_bytes : row_bytes_i;
    next_inside_low  = row_low_bytes < next_inside_high ? row_low_bytes : row_bytes_i;
  end

  // ---- the current load --------------------------------------------------------------------------------------------

  logic         valid_q;
  logic   [3:0] status_q;
  logic  [59:0] x_q;            // cursor at the start of the row
  logic  [11:0] position_q;     // bytes of the row already passed
  logic  [31:0] row_address_q;
  logic  [31:0] t_q;            // 4 x 8: position along dimensions 1..4
  logic  [31:0] limit_q;        // 4 x 8
  logic  [15:0] step_q;         // 4 x 4
  logic  [35:0] low_q, high_q;  // 4 x 9
  logic  [11:0] inside_low_q, inside_high_q;
  logic  [11:0] row_bytes_q, pitch_bytes_q;
  logic   [2:0] swizzle_q;
  logic [239:0] delta_q;

  logic         run_taken, row_done, box_done;

  assign run_taken    = valid_q && run_ready_i;
  assign load_ready_o = !valid_q || (run_taken && run_last_o);
  assign load_taken   = load_valid_i && load_ready_o;

  // ---- run: the next piece of the row ------------------------------------------------------------------------------

  logic        row_inside;
  logic [11:0] inside_low;
  logic        is_below, is_inside;
  logic [11:0] inside_end, run_end;
  logic [59:0] passed_units;

  always_comb begin
    row_inside = 1'b1;
    for (int d = 0; d < 4; d++) begin
      if ({1'b0, t_q[8*d +: 8]} < low_q[9*d +: 9] || {1'b0, t_q[8*d +: 8]} >= high_q[9*d +: 9]) row_inside = 1'b0;
    end
  end

  assign inside_low = row_inside ? inside_low_q : row_bytes_q;
  assign is_below      = position_q < inside_low;
  assign is_inside    = position_q < inside_high_q;
  assign run_x_o    = x_q + passed_units;

  always_comb begin
    if (is_below)      run_end = inside_low;
    else if (is_inside) run_end = inside_end;
    else             run_end = row_bytes_q;
  end

  assign row_done      = run_end == row_bytes_q;
  assign run_valid_o   = valid_q;
  assign run_address_o = row_address_q + {20'd0, position_q};
  assign run_bytes_o   = status_q == tma_pkg::StatusOk ? run_end - position_q : '0;
  assign run_fill_o    = is_below || !is_inside || status_q != tma_pkg::StatusOk;
  assign run_last_o    = (row_done && box_done) || status_q != tma_pkg::StatusOk;
  assign run_status_o  = status_q;

  // ---- odometer ----------------------------------------------------------------------------------------------------

  logic  [3:0] at_limit;
  logic  [2:0] level;   // lowest dimension with steps left, 1..4
  logic [59:0] delta;
  logic [59:0] x_next;
  logic [31:0] t_next;

  always_comb begin
    for (int d = 0; d < 4; d++) at_limit[d] = t_q[8*d +: 8] == limit_q[8*d +: 8];
    box_done = &at_limit;
    if (!at_limit[0])      level = 3'd1;
    else if (!at_limit[1]) level = 3'd2;
    else if (!at_limit[2]) level = 3'd3;
    else                   level = 3'd4;
    for (int d = 0; d < 4; d++) begin
      if (3'(d) + 3'd1 < level)       t_next[8*d +: 8] = 8'd0;
      else if (3'(d) + 3'd1 == level) t_next[8*d +: 8] = t_q[8*d +: 8] + {4'd0, step_q[4*d +: 4]};
      else                            t_next[8*d +: 8] = t_q[8*d +: 8];
    end
  end

  logic [59:0] level_delta;
  always_comb begin
    case (level)
      3'd1:    level_delta = delta_q[59:0];
      3'd2:    level_delta = delta_q[119:60];
      3'd3:    level_delta = delta_q[179:120];
      default: level_delta = delta_q[239:180];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)         valid_q <= 1'b0;
    else if (load_taken) valid_q <= 1'b1;
    else if (run_taken && run_last_o) valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (load_taken) begin
      status_q      <= load_status_i;
      limit_q       <= limit_i;
      step_q        <= step_i;
      low_q         <= next_low_q[44:9];
      high_q        <= next_high_q[44:9];
      inside_low_q  <= next_inside_low;
      inside_high_q <= next_inside_high;
      row_bytes_q   <= row_bytes_i;
      pitch_bytes_q <= pitch_bytes_i;
      swizzle_q     <= swizzle_i;
      delta_q       <= delta_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_taken) begin
      x_q           <= base_i;
      position_q    <= '0;
      row_address_q <= shared_address_i;
      t_q           <= '0;
    end else if (run_taken && row_done) begin
      x_q           <= x_next;
      position_q    <= '0;
      row_address_q <= row_address_q + {20'd0, pitch_bytes_q};
      t_q           <= t_next;
    end else if (run_taken) begin
      position_q    <= run_end;
    end
  end

  assign run_row_bytes_o = row_bytes_q;
  assign run_swizzle_o   = swizzle_q;

  // ---- tile-major --------------------------------------------------------------------------------------------------

  if (HasTiles) begin : gen_tiles
    logic       tile_major_q;
    logic [3:0] log2_a16_q, log2_b_q;

    always_ff @(posedge clk_i) begin
      if (load_taken) begin
        tile_major_q <= tile_major_i;
        log2_a16_q   <= log2_a16_i;
        log2_b_q     <= log2_b_i;
      end
    end
    assign run_tile_major_o = tile_major_q;
    assign run_log2_a16_o   = log2_a16_q;
    assign run_log2_b_o     = log2_b_q;
  end else begin : gen_no_tiles
    assign run_tile_major_o = 1'b0;
    assign run_log2_a16_o   = '0;
    assign run_log2_b_o     = '0;
    logic unused_tiles;
    assign unused_tiles = ^{tile_major_i, log2_a16_i, log2_b_i};
  end

  if (HasPacked) begin : gen_packed
    logic [35:0] tile_column_q;
    logic [11:0] mask_a16, mask_b;
    logic [11:0] column_delta, column_cursor;
    logic [12:0] column;
    logic        next_tile;
    logic [59:0] high_cursor, high_delta;
    logic [12:0] edge_units;

    always_ff @(posedge clk_i) begin
      if (load_taken) tile_column_q <= tile_column_i;
    end

    assign mask_a16 = ~(12'hFFF << run_log2_a16_o);
    assign mask_b   = ~(12'hFFF << run_log2_b_o);

    // A step: the carry out of j mod b does not enter i but moves one column of memory tiles on.
    assign column_cursor = x_q[11:0] & mask_b;
    assign column_delta  = delta[11:0] & mask_b;
    assign column        = {1'b0, column_cursor} + {1'b0, column_delta};
    assign next_tile     = (column & ~{1'b0, mask_b}) != '0;
    assign high_cursor   = {x_q[59:12], x_q[11:0] & ~mask_b};
    assign high_delta    = {delta[59:12], delta[11:0] & ~mask_b};
    assign x_next        = (high_cursor + high_delta + {24'd0, next_tile ? tile_column_q : 36'd0})
                           | {48'd0, column[11:0] & mask_b};

    // A row crosses a memory-tile edge where i mod a wraps; x carries i there by itself.
    assign passed_units    = {53'd0, position_q[10:4]} << run_log2_b_o;
    assign run_row_index_o = (run_x_o[11:0] >> run_log2_b_o) & mask_a16;
    assign edge_units      = {6'd0, position_q[10:4]} + {1'b0, ~run_row_index_o & mask_a16} + 13'd1;

    // Compared in units: a rest of less than a unit beyond the edge is cut off too.
    assign inside_end = run_tile_major_o && edge_units <= {5'd0, inside_high_q[11:4]}
                        ? {edge_units[7:0], 4'd0} : inside_high_q;
  end else begin : gen_linear
    assign x_next          = x_q + delta;
    assign passed_units    = {53'd0, position_q[10:4]};
    assign run_row_index_o = '0;
    assign inside_end      = inside_high_q;
    logic unused_tile_column;
    assign unused_tile_column = ^tile_column_i;
  end

  if (TileMajor == tma_pkg::Paper) begin : gen_split
    // Eq. 5: b steps of u inside a memory tile, then one to the next memory tile.
    logic  [2:0] split_dim_q;
    logic [59:0] delta_tile_q;
    logic [11:0] inner_q;
    logic [11:0] mask_b;
    logic        tile_done;

    assign mask_b    = ~(12'hFFF << run_log2_b_o);
    assign tile_done = inner_q == mask_b;
    assign delta     = level == split_dim_q && tile_done ? delta_tile_q : level_delta;

    always_ff @(posedge clk_i) begin
      if (load_taken) begin
        split_dim_q  <= split_dim_i;
        delta_tile_q <= delta_tile_i;
        inner_q      <= '0;
      end else if (run_taken && row_done) begin
        if (level > split_dim_q)       inner_q <= '0;
        else if (level == split_dim_q) inner_q <= tile_done ? '0 : inner_q + 12'd1;
      end
    end
  end else begin : gen_no_split
    assign delta = level_delta;
    logic unused_split;
    assign unused_split = ^{split_dim_i, delta_tile_i};
  end

endmodule

`default_nettype wire
