/* SPDX-License-Identifier: Apache-2.0 */
/* The table of random classes in docs/05-verification.md. */
#include <stdio.h>

#include "random_load.h"

int main(void)
{
    printf("| class | what it exercises | share |\n|---|---|---|\n");
    for (int k = 0; k < TL_RANDOM_CLASS_COUNT; k++) {
        const tl_random_class_info *info = tl_random_class((tl_random_class_index)k);
        printf("| %s | %s | %.1f %% |\n", info->id, info->description, info->weight / 10.0);
    }
    return 0;
}
