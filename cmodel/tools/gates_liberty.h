/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the gate report needs to know of a Liberty file before Yosys and abc read it.
 */
#ifndef TILELENS_GATES_LIBERTY_H
#define TILELENS_GATES_LIBERTY_H

enum { TL_LIBERTY_NAME_BYTES = 128 };

typedef struct tl_liberty {
    char name[TL_LIBERTY_NAME_BYTES];
    char nand2[TL_LIBERTY_NAME_BYTES];    /* the smallest cell with the function !(A*B): one gate equivalent */
    double nand2_area;                    /* in the file's unit */
    double nand2_input_ff;                /* mean capacitance of its inputs */
    char inverter[TL_LIBERTY_NAME_BYTES]; /* the smallest one */
    double inverter_area;
} tl_liberty;

/** Read a Liberty file. @return 0, or 2 after a line on stderr that says what is wrong with it */
int tl_liberty_read(const char *path, tl_liberty *out);

#endif
