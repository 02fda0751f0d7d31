/* SPDX-License-Identifier: Apache-2.0 */
#include "step_lines.h"

/* Written so that a compiler makes vectors of it: no branches, 16 bits. */
static inline __attribute__((always_inline)) unsigned most(const tl_step_lines *a, const tl_step_lines *b,
                                                           uint32_t steps)
{
    int16_t result = 0;
    for (uint32_t step = 0; step < steps; step++) {
        const int16_t fresh = (int16_t)(a->fresh[step] + b->fresh[step]);
        const int16_t total = (int16_t)(a->total[step] + b->total[step]);
        const int16_t before = (int16_t)(a->total[(int64_t)step - 1] + b->total[(int64_t)step - 1]);
        const int16_t carried = (int16_t) - (total != fresh);
        const int16_t together = (int16_t)(fresh + (before & carried));
        result = together > result ? together : result;
    }
    return (unsigned)result;
}

unsigned tl_step_lines_most_portable(const tl_step_lines *a, const tl_step_lines *b, uint32_t steps)
{
    return most(a, b, steps);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static unsigned most_avx2(const tl_step_lines *a, const tl_step_lines *b,
                                                          uint32_t steps)
{
    return most(a, b, steps);
}

unsigned tl_step_lines_most(const tl_step_lines *a, const tl_step_lines *b, uint32_t steps)
{
    return __builtin_cpu_supports("avx2") ? most_avx2(a, b, steps) : most(a, b, steps);
}
#else
unsigned tl_step_lines_most(const tl_step_lines *a, const tl_step_lines *b, uint32_t steps)
{
    return most(a, b, steps);
}
#endif
