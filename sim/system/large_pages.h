// SPDX-License-Identifier: Apache-2.0
// A run has some ten megabytes of requests in flight and reads them all the time, out of order: with pages of 4 KiB the
// machine that simulates spends a tenth of its time on address translation. A hint, where there is glibc on Linux;
// nothing anywhere else, and nothing when it is refused.
#ifndef TILELENS_SIM_SYSTEM_LARGE_PAGES_H
#define TILELENS_SIM_SYSTEM_LARGE_PAGES_H

#if defined(__linux__) && defined(__GLIBC__)
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilelens
{

// Before anything large is allocated: the heap grows once, in address space alone, and may use pages of 2 MiB.
inline void use_large_pages()
{
    constexpr int heap_bytes = 512 << 20, own_mapping_bytes = 32 << 20;
    constexpr uintptr_t page_bytes = 2 << 20;
    mallopt(M_MMAP_THRESHOLD, own_mapping_bytes);
    mallopt(M_TRIM_THRESHOLD, 2 * heap_bytes);
    mallopt(M_TOP_PAD, heap_bytes);
    const auto begin = (reinterpret_cast<uintptr_t>(sbrk(0)) + page_bytes - 1) / page_bytes * page_bytes;
    void *volatile grown = std::malloc(own_mapping_bytes / 2); // volatile: not to be optimized away
    std::free(grown);
    madvise(reinterpret_cast<void *>(begin), reinterpret_cast<uintptr_t>(sbrk(0)) - begin, MADV_HUGEPAGE);
    mallopt(M_TOP_PAD, page_bytes);
}

} // namespace tilelens
#else
namespace tilelens
{

inline void use_large_pages() {}

} // namespace tilelens
#endif
#endif
