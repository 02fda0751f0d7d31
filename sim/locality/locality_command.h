/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command `tilelens locality`.
 */
#ifndef TILELENS_LOCALITY_COMMAND_H
#define TILELENS_LOCALITY_COMMAND_H

/** @return the exit status: 0, or 2 after a line on stderr and nothing on stdout */
int tl_locality_command(int argc, char **argv);

#endif
