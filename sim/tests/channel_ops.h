/* SPDX-License-Identifier: Apache-2.0 */
/* Any memory channel behind one set of functions, for tests and benchmarks. */
#ifndef TL_SIM_TESTS_CHANNEL_OPS_H
#define TL_SIM_TESTS_CHANNEL_OPS_H

#include "../memory/hbf_channel.h"
#include "../memory/hbm_channel.h"
#include "../memory/rome_channel.h"

typedef struct channel_ops {
    bool (*push)(void *self, uint64_t now_ps, const tl_mem_request *request);
    uint64_t (*next_ps)(void *self);
    bool (*pop)(void *self, uint64_t now_ps, tl_mem_completion *completion);
    void (*destroy)(void *self);
} channel_ops;

#define CHANNEL_OPS(type)                                                                                              \
    static inline bool type##_push(void *self, uint64_t now_ps, const tl_mem_request *request)                         \
    {                                                                                                                  \
        return tl_##type##_push(self, now_ps, request);                                                                \
    }                                                                                                                  \
    static inline uint64_t type##_next_ps(void *self)                                                                  \
    {                                                                                                                  \
        return tl_##type##_next_ps(self);                                                                              \
    }                                                                                                                  \
    static inline bool type##_pop(void *self, uint64_t now_ps, tl_mem_completion *completion)                          \
    {                                                                                                                  \
        return tl_##type##_pop(self, now_ps, completion);                                                              \
    }                                                                                                                  \
    static inline void type##_destroy(void *self)                                                                      \
    {                                                                                                                  \
        tl_##type##_destroy(self);                                                                                     \
    }                                                                                                                  \
    static const channel_ops type##_ops = {type##_push, type##_next_ps, type##_pop, type##_destroy}

CHANNEL_OPS(hbm);
CHANNEL_OPS(hbf);
CHANNEL_OPS(rome);

#endif
