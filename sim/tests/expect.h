/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion that costs nothing when it passes (Check sends a message for each): for loops over long traces. */
#ifndef TILELENS_TESTS_EXPECT_H
#define TILELENS_TESTS_EXPECT_H

#include <check.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg("line %d: %s", __LINE__, #condition);                                                         \
        }                                                                                                              \
    } while (0)

#endif
