/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens COMMAND`: finds the subcommand, a function here or a program of its own. */
#include <stdio.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"
#include "complaint.h"
#include "paths.h"

typedef struct subcommand {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* null: the program tilelens-NAME */
    const char *missing;               /* what would add that program */
} subcommand;

#define FROM_SYSTEMC "a build with Debian package libsystemc-dev and CMake option TILELENS_TLM=ON"
#define FROM_SIM "a build with CMake option TILELENS_SIM=ON"
#define FROM_VERILATOR "a build with Debian package verilator and CMake option TILELENS_RTL=ON"

static const subcommand subcommands[] = {
    {"map", "where each element of a load comes from and goes to", tl_cmd_map, NULL},
    {"trace", "the requests of a load, in the order of the RTL", tl_cmd_trace, NULL},
    {"encode", "the 128-byte tensor map of a load", tl_cmd_encode, NULL},
    {"check", "RTL against the golden model", NULL, FROM_VERILATOR},
    {"gates", "gate equivalents per stage and variant", tl_cmd_gates, NULL},
    {"simulate", "one run of the GPU memory system", NULL, FROM_SYSTEMC},
    {"sweep", "figures: runs, plots and a table beside the paper's numbers", NULL, FROM_SIM},
    {"locality", "L2 hits and remote traffic of a GEMM on several chiplets", NULL, FROM_SIM},
};

enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static int print_help(void)
{
    char text[2048] = "usage: tilelens COMMAND [ARGUMENT...]\n\n";
    for (unsigned n = 0; n < SUBCOMMAND_COUNT; n++) {
        tl_append(text, sizeof text, "  %-10s%s\n", subcommands[n].name, subcommands[n].summary);
    }
    tl_append(text, sizeof text,
              "\n"
              "tilelens COMMAND --help explains a command, tilelens --version prints the version.\n"
              "Exit status: 0 success, 1 a check failed, 2 bad input, with one line on stderr.\n"
              "\n"
              "example: tilelens map load.yaml\n");
    return tl_print(text);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name == NULL) {
        return tl_fail("found no command, expected one of those that tilelens --help lists");
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return print_help();
    }
    if (strcmp(name, "--version") == 0) {
        return tl_print("tilelens " TL_VERSION_STRING "\n");
    }
    for (unsigned n = 0; n < SUBCOMMAND_COUNT; n++) {
        if (strcmp(name, subcommands[n].name) == 0) {
            return subcommands[n].run != NULL ? subcommands[n].run(argc - 1, argv + 1)
                                              : tl_run_program(subcommands[n].missing, argv + 1);
        }
    }
    return tl_fail("found unknown command %s, expected one of those that tilelens --help lists", name);
}
