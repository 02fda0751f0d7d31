/* SPDX-License-Identifier: Apache-2.0 */
/* `tilelens locality`: one GEMM on a GPU of several chiplets. */
#include "locality_command.h"

int main(int argc, char **argv)
{
    return tl_locality_command(argc, argv);
}
