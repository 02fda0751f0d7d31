/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One set under LRU, in atoms: lines that are always read together and in one piece.
 *
 * Between two readings of an atom each of its lines sees the same other lines, so the whole atom hits exactly if those
 * lines and its own fit the ways. The stack holds the atoms for which that can still happen, newest first: their sizes
 * add up to at most the ways. Below an atom that no longer fits nothing fits.
 */
#ifndef TILELENS_LRU_STACK_H
#define TILELENS_LRU_STACK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "locality_config.h"

typedef struct tl_lru_stack {
    uint32_t atom[TL_WAYS_MAX + 1]; /* newest first; one more than can stay */
    uint32_t lines[TL_WAYS_MAX + 1];
    uint32_t count, total, ways;
} tl_lru_stack;

static inline void tl_lru_clear(tl_lru_stack *stack)
{
    stack->count = 0;
    stack->total = 0;
}

/** Read an atom. @return true if it hits */
static inline bool tl_lru_touch(tl_lru_stack *stack, uint32_t atom, uint32_t lines)
{
    const uint32_t count = stack->count;
    uint32_t at = 0;
    while (at < count && stack->atom[at] != atom) {
        at++;
    }
    const bool hit = at < count;
    memmove(stack->atom + 1, stack->atom, at * sizeof *stack->atom);
    memmove(stack->lines + 1, stack->lines, at * sizeof *stack->lines);
    stack->atom[0] = atom;
    stack->lines[0] = lines;
    if (!hit) {
        stack->count++;
        stack->total += lines;
        while (stack->total > stack->ways) {
            stack->total -= stack->lines[--stack->count];
        }
    }
    return hit;
}

/** Add an atom below all others, while it fits. @return false when it does not */
static inline bool tl_lru_append(tl_lru_stack *stack, uint32_t atom, uint32_t lines)
{
    for (uint32_t n = 0; n < stack->count; n++) {
        if (stack->atom[n] == atom) {
            return true;
        }
    }
    if (stack->total + lines > stack->ways) {
        return false;
    }
    stack->atom[stack->count] = atom;
    stack->lines[stack->count++] = lines;
    stack->total += lines;
    return true;
}

#endif
