/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the subcommands share: failing with one line, help, and `COMMAND CASE [--variant V]`.
 */
#ifndef TILELENS_COMMAND_LINE_H
#define TILELENS_COMMAND_LINE_H

#include "case_file.h"
#include "tilelens/desc_decode.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Print `tilelens: ` and the text as one line on stderr. @return 2, the exit status of bad input */
__attribute__((format(printf, 1, 2))) int tl_fail(const char *format, ...);

/** Print text on stdout. @return 0, or 2 when it cannot be written */
int tl_print(const char *text);

typedef struct tl_case_command {
    const char *name;
    const char *help;
    bool takes_variant;
} tl_case_command;

typedef struct tl_case_arguments {
    const char *path;
    tl_variant variant; /* TL_GENERAL without --variant */
} tl_case_arguments;

/** Read the arguments after the command's name, argv[0]. @return -1 to go on, or the exit status of the command */
int tl_case_arguments_read(const tl_case_command *command, int argc, char **argv, tl_case_arguments *out);

/** Load the case and start its engine. @return 0, or 2 after a line on stderr */
int tl_case_arguments_start(const tl_case_arguments *arguments, tl_case *load_case, tl_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
