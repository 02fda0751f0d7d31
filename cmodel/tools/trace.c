/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens trace`: the requests of a load, in the order in which the RTL issues them. */
#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "tilelens/load.h"

static const tl_case_command command = {
    .name = "trace",
    .help = "usage: tilelens trace CASE [--variant baseline|paper|general]\n"
            "\n"
            "Print the requests of a load as CSV, in the order in which the RTL issues them. A request is one\n"
            "contiguous piece of one box row inside one memory tile.\n"
            "\n"
            "  request      number of the request, from 0\n"
            "  src_address  its first byte in global memory; fill where it is out of bounds\n"
            "  dst_address  its first byte in shared memory, before swizzle\n"
            "  swizzle_xor  mask that the swizzle XORs onto each of its destination byte addresses\n"
            "  bytes        its length\n"
            "\n"
            "CASE is a YAML file of one TMA load, as in configs/cases.\n"
            "\n"
            "  --variant V  which RTL: baseline (plain tensors only), paper (the paper's mechanism and no more) or\n"
            "               general (every legal load; the default). A load that the variant refuses is bad input.\n"
            "\n"
            "example: tilelens trace load.yaml --variant paper\n",
    .takes_variant = true,
};

static void print_request(tl_output *output, uint64_t number, const tl_request *request)
{
    tl_output_decimal(output, number);
    tl_output_text(output, ",");
    if (request->fill) {
        tl_output_text(output, "fill");
    } else {
        tl_output_hex(output, request->src_address);
    }
    tl_output_text(output, ",");
    tl_output_hex(output, request->dst_address);
    tl_output_text(output, ",");
    tl_output_hex(output, request->swizzle_xor);
    tl_output_text(output, ",");
    tl_output_decimal(output, request->bytes);
    tl_output_text(output, "\n");
}

int tl_cmd_trace(int argc, char **argv)
{
    tl_case_arguments arguments;
    int status = tl_case_arguments_read(&command, argc, argv, &arguments);
    if (status >= 0) {
        return status;
    }
    tl_case load_case;
    tl_engine engine;
    status = tl_case_arguments_start(&arguments, &load_case, &engine);
    if (status != 0) {
        return status;
    }
    tl_output output;
    tl_output_start(&output);
    tl_output_text(&output, "request,src_address,dst_address,swizzle_xor,bytes\n");
    uint64_t number = 0;
    tl_request request;
    while (output.error == 0 && tl_engine_next(&engine, &request)) {
        print_request(&output, number++, &request);
    }
    return tl_output_end(&output);
}
