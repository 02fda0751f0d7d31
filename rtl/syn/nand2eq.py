#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes nand2eq.lib, the library in which a cell's area is its size in NAND2 gate equivalents.

    python3 rtl/syn/nand2eq.py > rtl/syn/nand2eq.lib

The delay model is the textbook one of logical effort and belongs to no process:

    delay = TAU * (parasitic + load / (INPUT_CAP * strength)),   input capacitance = INPUT_CAP * effort * strength

Delays serve to compare designs with each other, never to state a clock frequency.
"""

TAU_NS = 0.005       # one unit of effort delay; a fanout-of-four inverter takes 5 TAU
INPUT_CAP_FF = 1.0   # input pin of an inverter of strength 1
STRENGTHS = (1, 2, 4, 8)

# Sample points of the linear delay planes; abc estimates a slope from the last load but one, so it needs three.
TABLE_SLEWS_NS = (0.0, 1.0)
TABLE_LOADS_FF = (0.0, 10.0, 100.0)

# name: (area of strength 1 in GE, function, {pin: (logical effort, parasitic delay in TAU, timing sense)})
# A gate of two stages has the effort of its first stage and the delay of both as parasitic delay.
NEG, POS, NON = "negative_unate", "positive_unate", "non_unate"
GATES = {
    "INV":   (0.67, "!A", {"A": (1.00, 1, NEG)}),
    "BUF":   (1.00, "A", {"A": (0.50, 4, POS)}),
    "NAND2": (1.00, "!(A*B)", {"A": (1.33, 2, NEG), "B": (1.33, 2, NEG)}),
    "NAND3": (1.33, "!(A*B*C)", {"A": (1.67, 3, NEG), "B": (1.67, 3, NEG), "C": (1.67, 3, NEG)}),
    "NOR2":  (1.00, "!(A+B)", {"A": (1.67, 2, NEG), "B": (1.67, 2, NEG)}),
    "NOR3":  (1.33, "!(A+B+C)", {"A": (2.33, 3, NEG), "B": (2.33, 3, NEG), "C": (2.33, 3, NEG)}),
    "AND2":  (1.33, "A*B", {"A": (0.67, 5, POS), "B": (0.67, 5, POS)}),
    "OR2":   (1.33, "A+B", {"A": (0.83, 5, POS), "B": (0.83, 5, POS)}),
    "AOI21": (1.33, "!((A*B)+C)", {"A": (2.00, 3, NEG), "B": (2.00, 3, NEG), "C": (1.67, 2, NEG)}),
    "OAI21": (1.33, "!((A+B)*C)", {"A": (2.00, 3, NEG), "B": (2.00, 3, NEG), "C": (1.33, 2, NEG)}),
    "AOI22": (1.67, "!((A*B)+(C*D))", {p: (2.00, 4, NEG) for p in "ABCD"}),
    "OAI22": (1.67, "!((A+B)*(C+D))", {p: (2.00, 4, NEG) for p in "ABCD"}),
    "XOR2":  (2.00, "(A*!B)+(!A*B)", {"A": (2.00, 6, NON), "B": (2.00, 6, NON)}),
    "XNOR2": (2.00, "!((A*!B)+(!A*B))", {"A": (2.00, 6, NON), "B": (2.00, 6, NON)}),
    "MUX2":  (2.33, "(A*!S)+(B*S)", {"A": (1.00, 6, POS), "B": (1.00, 6, POS), "S": (2.00, 7, NON)}),
}

DFF_AREA_GE = 5.67
DFF_CLOCK_TO_OUTPUT_TAU = 10
DFF_SETUP_TAU = 6


def area(area_x1, strength):
    """Half of a cell (its output stage) grows with its strength."""
    return area_x1 * (strength + 1) / 2


def delay_tables(parasitic_tau, strength):
    """Delay and output slew over (input slew, output load); the input slew does not matter."""
    def plane(at_no_load, scale):
        row = ", ".join(f"{at_no_load + scale * load * TAU_NS / (INPUT_CAP_FF * strength):.5f}" for load in TABLE_LOADS_FF)
        return f'values ("{row}", "{row}");'
    delay = plane(parasitic_tau * TAU_NS, 1)
    slew = plane(TAU_NS, 2)
    return "\n".join(f"        {name} (plane) {{ {table} }}" for name, table in (
        ("cell_rise", delay), ("cell_fall", delay), ("rise_transition", slew), ("fall_transition", slew)))


def combinational_cell(name, strength):
    area_x1, function, pins = GATES[name]
    print(f"\n  cell ({name}_X{strength}) {{")
    print(f"    area : {area(area_x1, strength):.2f};")
    for pin, (effort, _, _) in pins.items():
        print(f"    pin ({pin}) {{ direction : input; capacitance : {INPUT_CAP_FF * effort * strength:.2f}; }}")
    print(f'    pin (Y) {{\n      direction : output; function : "{function}";')
    for pin, (_, parasitic, sense) in pins.items():
        print(f'      timing () {{\n        related_pin : "{pin}"; timing_sense : {sense};')
        print(delay_tables(parasitic, strength))
        print("      }")
    print("    }\n  }")


def flip_flop():
    setup = f"{DFF_SETUP_TAU * TAU_NS:.5f}"
    print(f"""
  cell (DFF_X1) {{
    area : {DFF_AREA_GE};
    ff (IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; }}
    pin (CK) {{ direction : input; clock : true; capacitance : {INPUT_CAP_FF:.2f}; }}
    pin (D) {{
      direction : input; capacitance : {INPUT_CAP_FF:.2f};
      timing () {{
        related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (scalar) {{ values ("{setup}"); }}
        fall_constraint (scalar) {{ values ("{setup}"); }}
      }}
    }}
    pin (Q) {{
      direction : output; function : "IQ";
      timing () {{
        related_pin : "CK"; timing_type : rising_edge; timing_sense : non_unate;
{delay_tables(DFF_CLOCK_TO_OUTPUT_TAU, 1)}
      }}
    }}
  }}""")


def main():
    print(f"""/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAND2-equivalent library: the area of a cell is its size in gate equivalents, NAND2 = 1.
 * Written by nand2eq.py, which holds the table and the made-up delay model; edit there.
 * No process, no wires, no leakage: for counting gates and for comparing delays, nothing else.
 */
library (nand2eq) {{
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1mA";
  pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW";
  capacitive_load_unit (1, ff);
  nom_process : 1; nom_temperature : 25; nom_voltage : 1;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_rise : 80; slew_upper_threshold_pct_fall : 80;
  lu_table_template (plane) {{
    variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance;
    index_1 ("{', '.join(map(str, TABLE_SLEWS_NS))}");
    index_2 ("{', '.join(map(str, TABLE_LOADS_FF))}");
  }}""")
    for name in GATES:
        for strength in STRENGTHS:
            combinational_cell(name, strength)
    flip_flop()
    print("}")


if __name__ == "__main__":
    main()
