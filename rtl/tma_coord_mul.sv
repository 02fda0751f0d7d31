// SPDX-License-Identifier: Apache-2.0
// tma_coord_mul - the multiplier: coordinate x stride products, most significant digit first.
//   Paper:   Fig. 11a
//   In:      a signed 9-bit digit and a 36-bit multiplicand each cycle; first_i starts a product, shift_i moves the
//            digits so far up by 8 bits, neither adds to what is there
//   Out:     product_o, 60 bits, wrapping, one cycle after its last digit
//   Timing:  one digit a cycle; a 32-bit coordinate takes 4
//   C model: cmodel/src/coord_mul.c (tl_multiply)
`default_nettype none

module tma_coord_mul (
  input  wire logic        clk_i,
  input  wire logic        enable_i,
  input  wire logic        first_i,
  input  wire logic        shift_i,
  input  wire logic  [8:0] digit_i,         // signed, -256..255
  input  wire logic [35:0] multiplicand_i,  // unsigned
  output logic      [59:0] product_o
);

  logic        [59:0] product_q;
  logic        [59:0] base;
  logic signed [45:0] partial;

  assign partial = $signed(digit_i) * $signed({1'b0, multiplicand_i});

  always_comb begin
    if (first_i)      base = '0;
    else if (shift_i) base = {product_q[51:0], 8'd0};
    else              base = product_q;
  end

  always_ff @(posedge clk_i) begin
    if (enable_i) product_q <= base + {{14{partial[45]}}, partial};
  end

  assign product_o = product_q;

endmodule

`default_nettype wire
