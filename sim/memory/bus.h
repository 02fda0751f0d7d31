/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data bus of one channel: two halves of 32 pins, one a pseudo-channel. In a daisy-chained stack the HBM channel
 * and the HBF channel behind it share one tl_bus: a burst takes its half, a page takes both. First come, first served.
 */
#ifndef TL_SIM_MEMORY_BUS_H
#define TL_SIM_MEMORY_BUS_H

#include <stdint.h>

#define TL_BUS_HALVES 2

typedef struct tl_bus {
    uint64_t free_ps[TL_BUS_HALVES]; /* end of the last reservation of each half */
} tl_bus;

static inline uint64_t tl_bus_free_ps(const tl_bus *bus)
{
    return bus->free_ps[0] > bus->free_ps[1] ? bus->free_ps[0] : bus->free_ps[1];
}

/* Reserves both halves from the first moment at or after `from_ps`; returns the start. */
static inline uint64_t tl_bus_reserve(tl_bus *bus, uint64_t from_ps, uint64_t duration_ps)
{
    const uint64_t free_ps = tl_bus_free_ps(bus);
    const uint64_t start_ps = free_ps > from_ps ? free_ps : from_ps;
    bus->free_ps[0] = bus->free_ps[1] = start_ps + duration_ps;
    return start_ps;
}

#endif
