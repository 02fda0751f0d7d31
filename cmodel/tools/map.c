/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilelens map`: where each element of a load comes from and goes to. The general variant accepts every legal
 * load, so its requests, cut into elements, are the mapping itself, and they come with dimension 0 fastest.
 */
#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "tilelens/load.h"

static const tl_case_command command = {
    .name = "map",
    .help = "usage: tilelens map CASE\n"
            "\n"
            "Print the mapping of a load as CSV: one row per element, dimension 0 fastest.\n"
            "\n"
            "  element      number of the element, from 0\n"
            "  src_address  its byte address in global memory; fill where it is out of bounds\n"
            "  dst_address  its byte address in shared memory, after swizzle\n"
            "\n"
            "CASE is a YAML file of one TMA load, as in configs/cases.\n"
            "\n"
            "example: tilelens map load.yaml | head\n",
};

static uint64_t print_elements(tl_output *output, const tl_request *request, uint32_t element_bytes, uint64_t element)
{
    for (uint32_t offset = 0; offset < request->bytes; offset += element_bytes) {
        tl_output_decimal(output, element++);
        tl_output_text(output, ",");
        if (request->fill) {
            tl_output_text(output, "fill");
        } else {
            tl_output_hex(output, request->src_address + offset);
        }
        tl_output_text(output, ",");
        tl_output_hex(output, (request->dst_address + offset) ^ request->swizzle_xor);
        tl_output_text(output, "\n");
    }
    return element;
}

int tl_cmd_map(int argc, char **argv)
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
    const uint32_t element_bytes = tl_element_bytes(load_case.params.data_type);
    tl_output output;
    tl_output_start(&output);
    tl_output_text(&output, "element,src_address,dst_address\n");
    uint64_t element = 0;
    tl_request request;
    while (output.error == 0 && tl_engine_next(&engine, &request)) {
        element = print_elements(&output, &request, element_bytes, element);
    }
    return tl_output_end(&output);
}
