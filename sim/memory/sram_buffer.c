/* SPDX-License-Identifier: Apache-2.0 */
#include "sram_buffer.h"

#include <stdlib.h>

#include "key_index.h"

typedef struct sram_page {
    uint64_t number;
    uint32_t next, previous; /* in order of replacement; `next` also links free pages */
    bool used;
} sram_page;

struct tl_sram {
    tl_sram_config config;
    tl_sram_counters counters;
    sram_page *pages;
    uint32_t page_count, held;
    uint32_t oldest, youngest, free;
    tl_key_index index; /* page number -> page */
};

void tl_sram_config_default(tl_sram_config *config)
{
    *config = (tl_sram_config){UINT64_C(40) << 20, 4096, 100000, TL_SRAM_LRU};
}

const char *tl_sram_config_check(const tl_sram_config *config)
{
    if (config->page_bytes < 512 || config->page_bytes > 65536 ||
        (config->page_bytes & (config->page_bytes - 1)) != 0) {
        return "page_bytes: a power of two, 512 to 65536";
    }
    if (config->capacity_bytes < config->page_bytes || config->capacity_bytes % config->page_bytes != 0 ||
        config->capacity_bytes / config->page_bytes > UINT64_C(1) << 24) {
        return "capacity_bytes: 1 to 2^24 whole pages";
    }
    return NULL;
}

tl_sram *tl_sram_create(const tl_sram_config *config)
{
    if (tl_sram_config_check(config) != NULL) {
        return NULL;
    }
    tl_sram *sram = calloc(1, sizeof *sram);
    if (sram == NULL) {
        return NULL;
    }
    sram->config = *config;
    sram->page_count = (uint32_t)(config->capacity_bytes / config->page_bytes);
    sram->oldest = sram->youngest = TL_NO_SLOT;
    sram->pages = calloc(sram->page_count, sizeof *sram->pages);
    if (!tl_key_index_create(&sram->index, sram->page_count) || sram->pages == NULL) {
        tl_sram_destroy(sram);
        return NULL;
    }
    for (uint32_t p = 0; p < sram->page_count; p++) {
        sram->pages[p].next = p + 1 < sram->page_count ? p + 1 : TL_NO_SLOT;
    }
    return sram;
}

void tl_sram_destroy(tl_sram *sram)
{
    if (sram != NULL) {
        tl_key_index_destroy(&sram->index);
        free(sram->pages);
        free(sram);
    }
}

static void unlink_page(tl_sram *sram, uint32_t p)
{
    const sram_page *page = &sram->pages[p];
    *(page->previous == TL_NO_SLOT ? &sram->oldest : &sram->pages[page->previous].next) = page->next;
    *(page->next == TL_NO_SLOT ? &sram->youngest : &sram->pages[page->next].previous) = page->previous;
}

static void link_youngest(tl_sram *sram, uint32_t p)
{
    sram_page *page = &sram->pages[p];
    page->next = TL_NO_SLOT;
    page->previous = sram->youngest;
    *(sram->youngest == TL_NO_SLOT ? &sram->oldest : &sram->pages[sram->youngest].next) = p;
    sram->youngest = p;
}

static void release(tl_sram *sram, uint32_t p)
{
    unlink_page(sram, p);
    tl_key_index_remove(&sram->index, sram->pages[p].number, p);
    sram->pages[p].next = sram->free;
    sram->free = p;
    sram->held--;
}

bool tl_sram_lookup(tl_sram *sram, uint64_t address)
{
    const uint32_t p = tl_key_index_find(&sram->index, address / sram->config.page_bytes);
    sram->counters.lookups++;
    if (p == TL_NO_SLOT) {
        return false;
    }
    sram->counters.hits++;
    sram->pages[p].used = true;
    if (sram->config.replacement == TL_SRAM_LRU) {
        unlink_page(sram, p);
        link_youngest(sram, p);
    }
    return true;
}

bool tl_sram_contains(const tl_sram *sram, uint64_t address)
{
    return tl_key_index_find(&sram->index, address / sram->config.page_bytes) != TL_NO_SLOT;
}

bool tl_sram_fill(tl_sram *sram, uint64_t address, tl_mem_class mem_class, uint64_t *evicted_address)
{
    tl_sram_counters *counters = &sram->counters;
    *evicted_address = TL_SRAM_NO_ADDRESS;
    if (mem_class == TL_MEM_DEMAND) {
        counters->refused_demand++;
        return false;
    }
    if (tl_sram_contains(sram, address)) {
        counters->duplicate_fills++;
        return false;
    }
    if (sram->free == TL_NO_SLOT) {
        counters->evictions++;
        counters->unused_evictions += !sram->pages[sram->oldest].used;
        *evicted_address = sram->pages[sram->oldest].number * sram->config.page_bytes;
        release(sram, sram->oldest);
    }
    const uint32_t p = sram->free;
    sram_page *page = &sram->pages[p];
    sram->free = page->next;
    page->number = address / sram->config.page_bytes;
    page->used = false;
    link_youngest(sram, p);
    tl_key_index_insert(&sram->index, page->number, p);
    sram->held++;
    counters->fills++;
    return true;
}

bool tl_sram_remove(tl_sram *sram, uint64_t address)
{
    const uint32_t p = tl_key_index_find(&sram->index, address / sram->config.page_bytes);
    if (p == TL_NO_SLOT) {
        return false;
    }
    release(sram, p);
    sram->counters.removals++;
    return true;
}

uint32_t tl_sram_pages(const tl_sram *sram)
{
    return sram->held;
}

uint64_t tl_sram_hit_latency_ps(const tl_sram *sram)
{
    return sram->config.hit_latency_ps;
}

const tl_sram_counters *tl_sram_counters_of(const tl_sram *sram)
{
    return &sram->counters;
}
