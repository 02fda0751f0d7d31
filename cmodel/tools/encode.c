/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens encode`: the 128-byte tensor map of a case. */
#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "tilelens/tensor_map.h"

static const tl_case_command command = {
    .name = "encode",
    .help = "usage: tilelens encode CASE\n"
            "\n"
            "Print the 128-byte tensor map of a case as 256 hex digits, byte 0 first; words are little-endian.\n"
            "A tensor that breaks a rule is bad input, and the line names the rule. The rules of a launch\n"
            "(coordinates, shared address) are checked by map, trace and check, not here.\n"
            "\n"
            "CASE is a YAML file of one TMA load, as in configs/cases.\n"
            "\n"
            "example: tilelens encode load.yaml\n",
};

enum { MAP_BYTES = TL_TENSOR_MAP_WORDS * 8 };

int tl_cmd_encode(int argc, char **argv)
{
    tl_case_arguments arguments;
    const int status = tl_case_arguments_read(&command, argc, argv, &arguments);
    if (status >= 0) {
        return status;
    }
    tl_case load_case;
    tl_tensor_map map;
    char error[TL_CASE_ERROR_BYTES];
    if (tl_case_load(arguments.path, &load_case, error, sizeof error) != 0 ||
        tl_case_encode(arguments.path, &load_case, &map, error, sizeof error) != 0) {
        return tl_fail("%s", error);
    }
    char digits[2 * MAP_BYTES + 2];
    for (size_t byte = 0; byte < MAP_BYTES; byte++) {
        const unsigned value = (unsigned)(map.word[byte / 8] >> (byte % 8 * 8)) & 0xff;
        digits[2 * byte] = "0123456789abcdef"[value >> 4];
        digits[2 * byte + 1] = "0123456789abcdef"[value & 15];
    }
    digits[sizeof digits - 2] = '\n';
    digits[sizeof digits - 1] = '\0';
    return tl_print(digits);
}
