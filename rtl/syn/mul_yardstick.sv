// SPDX-License-Identifier: Apache-2.0
// mul_yardstick - what the gate report measures the extension by: a 32 x 32 multiplier, low half (ProductWidth = 32)
//                 or full product (64). Purely combinational, so that no register enters the comparison.
`default_nettype none

module mul_yardstick #(
  parameter int ProductWidth = 32
) (
  input  wire logic             [31:0] multiplicand_i,
  input  wire logic             [31:0] multiplier_i,
  output logic      [ProductWidth-1:0] product_o
);

  assign product_o = ProductWidth'(multiplicand_i) * ProductWidth'(multiplier_i);

endmodule

`default_nettype wire
