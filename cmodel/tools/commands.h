/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The subcommands that are part of `tilelens` itself. argv[0] is the name of the subcommand.
 * Each returns the exit status: 0, 1 when a check fails, 2 on bad input after one line on stderr.
 */
#ifndef TILELENS_COMMANDS_H
#define TILELENS_COMMANDS_H

int tl_cmd_map(int argc, char **argv);
int tl_cmd_trace(int argc, char **argv);
int tl_cmd_encode(int argc, char **argv);
int tl_cmd_gates(int argc, char **argv);

/**
 * Run the program `tilelens-NAME`, found beside this executable or in PATH, in place of this one; argv[0] is NAME.
 * @return only when there is no such program: 2, after a line that says `missing`, what would add it
 */
int tl_run_program(const char *missing, char **argv);

#endif
