/* SPDX-License-Identifier: Apache-2.0 */
#include "stride_prefetcher.h"

#include <assert.h>
#include <stdlib.h>

/* What the filter knows of a page, one byte a page. */
typedef enum page_state {
    PAGE_UNKNOWN = 0,    /* not asked for, or evicted */
    PAGE_DEMANDED,       /* read by a demand, without a prefetch */
    PAGE_NEAR_IN_FLIGHT, /* prefetched, no demand yet */
    PAGE_FAR_IN_FLIGHT,
    PAGE_USED_IN_FLIGHT, /* prefetched, and a demand waits for it */
    PAGE_IN_L2,          /* prefetched, no demand yet */
    PAGE_IN_BUFFER,
    PAGE_USED /* prefetched, and a demand has read it */
} page_state;

typedef struct tensor {
    tl_prefetch_tensor at;
    uint8_t *pages; /* page_state */
} tensor;

/* The search that the latest demand started. */
typedef struct search {
    const tensor *of;
    uint64_t offset;   /* of the demanded byte, from the tensor's base */
    uint64_t room;     /* bytes from there to the end of the run */
    uint32_t distance; /* the next one */
    tl_degree degree;
} search;

struct tl_prefetcher {
    tensor *tensors; /* by base address */
    uint32_t tensor_count;
    uint32_t log2_page;
    tl_prefetch_trigger trigger;
    tl_prefetch_distances distances;
    search search;
    tl_prefetcher_counters counters;
};

static const tensor *tensor_of(const tl_prefetcher *prefetcher, uint64_t address)
{
    uint32_t low = 0, high = prefetcher->tensor_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const tl_prefetch_tensor *at = &prefetcher->tensors[middle].at;
        if (address < at->base_address) {
            high = middle;
        } else if (address - at->base_address >= at->bytes) {
            low = middle + 1;
        } else {
            return &prefetcher->tensors[middle];
        }
    }
    return NULL;
}

static uint8_t *page_of(const tl_prefetcher *prefetcher, uint64_t address)
{
    const tensor *t = tensor_of(prefetcher, address);
    return t == NULL ? NULL : &t->pages[(address - t->at.base_address) >> prefetcher->log2_page];
}

/* ---- demands ---- */

/* A demand meets a page: what it met, and the page's next state. */
static tl_prefetch_met meet(tl_prefetcher_counters *counters, uint8_t *page)
{
    const page_state state = (page_state)*page;
    const bool in_flight = state == PAGE_NEAR_IN_FLIGHT || state == PAGE_FAR_IN_FLIGHT || state == PAGE_USED_IN_FLIGHT;
    if (state == PAGE_UNKNOWN || state == PAGE_DEMANDED) {
        *page = PAGE_DEMANDED;
        return TL_MET_NOTHING;
    }
    const bool first = state != PAGE_USED_IN_FLIGHT && state != PAGE_USED;
    *page = in_flight ? PAGE_USED_IN_FLIGHT : PAGE_USED;
    counters->used += first;
    counters->covered++;
    counters->late += in_flight;
    counters->promotions += first && in_flight;
    switch (state) {
    case PAGE_FAR_IN_FLIGHT:
        return TL_MET_FAR_IN_FLIGHT;
    case PAGE_IN_BUFFER:
        return TL_MET_IN_BUFFER;
    default:
        return in_flight ? TL_MET_NEAR_IN_FLIGHT : TL_MET_IN_L2;
    }
}

static void start_search(tl_prefetcher *prefetcher, const tensor *t, uint64_t address, tl_degree degree)
{
    const uint64_t offset = address - t->at.base_address;
    prefetcher->counters.triggers++;
    prefetcher->search = (search){t, offset, t->at.run_bytes - offset % t->at.run_bytes, 1, degree};
    if (prefetcher->distances == TL_PREFETCH_NEWEST) {
        prefetcher->search.distance = degree.near > 0 ? degree.near : degree.far;
    }
}

tl_prefetch_met tl_prefetcher_demand(tl_prefetcher *prefetcher, uint64_t address, tl_demand_outcome outcome,
                                     tl_degree degree)
{
    prefetcher->search.of = NULL;
    const tensor *t = tensor_of(prefetcher, address);
    if (t == NULL) {
        return TL_MET_NOTHING;
    }
    prefetcher->counters.demands++;
    const tl_prefetch_met met =
        meet(&prefetcher->counters, &t->pages[(address - t->at.base_address) >> prefetcher->log2_page]);
    if (degree.far > 0 && (prefetcher->trigger == TL_PREFETCH_ON_DEMAND || outcome != TL_DEMAND_HIT)) {
        start_search(prefetcher, t, address, degree);
    }
    return met;
}

/* ---- prefetches ---- */

/* Whether a page in this state is to be prefetched in this class, and from where. */
static bool wanted(page_state state, tl_mem_class mem_class, tl_prefetch_source *source)
{
    if (state == PAGE_UNKNOWN) {
        *source = TL_PREFETCH_FROM_MEMORY;
        return true;
    }
    *source = state == PAGE_FAR_IN_FLIGHT ? TL_PREFETCH_FROM_FLIGHT : TL_PREFETCH_FROM_BUFFER;
    return mem_class == TL_MEM_PREFETCH_NEAR && (state == PAGE_FAR_IN_FLIGHT || state == PAGE_IN_BUFFER);
}

static uint32_t next_distance(const tl_prefetcher *prefetcher, const search *s)
{
    if (prefetcher->distances == TL_PREFETCH_ALL) {
        return s->distance + 1;
    }
    return s->distance < s->degree.far ? s->degree.far : s->distance + 1;
}

static void issue(tl_prefetcher *prefetcher, uint8_t *page, tl_mem_class mem_class, tl_prefetch_source source)
{
    const bool is_near = mem_class == TL_MEM_PREFETCH_NEAR;
    *page = is_near ? PAGE_NEAR_IN_FLIGHT : PAGE_FAR_IN_FLIGHT;
    if (source == TL_PREFETCH_FROM_MEMORY) {
        prefetcher->counters.issued[is_near ? TL_TIER_L2 : TL_TIER_BUFFER]++;
    } else {
        prefetcher->counters.moved_near++;
    }
}

bool tl_prefetcher_next(tl_prefetcher *prefetcher, tl_prefetch *prefetch)
{
    search *s = &prefetcher->search;
    if (s->of == NULL) {
        return false;
    }
    while (s->distance <= s->degree.far) {
        const uint64_t ahead = s->distance * s->of->at.stride_bytes;
        if (ahead >= s->room || s->offset + ahead >= s->of->at.bytes) {
            prefetcher->counters.outside += s->degree.far - s->distance + 1;
            break;
        }
        const uint64_t number = (s->offset + ahead) >> prefetcher->log2_page;
        const tl_mem_class mem_class = s->distance <= s->degree.near ? TL_MEM_PREFETCH_NEAR : TL_MEM_PREFETCH_FAR;
        uint8_t *page = &s->of->pages[number];
        tl_prefetch_source source;
        s->distance = next_distance(prefetcher, s);
        if (wanted((page_state)*page, mem_class, &source)) {
            issue(prefetcher, page, mem_class, source);
            *prefetch = (tl_prefetch){s->of->at.base_address + (number << prefetcher->log2_page), mem_class, source};
            return true;
        }
        prefetcher->counters.filtered++;
    }
    s->of = NULL;
    return false;
}

void tl_prefetcher_drop(tl_prefetcher *prefetcher, const tl_prefetch *prefetch)
{
    uint8_t *page = page_of(prefetcher, prefetch->page_address);
    assert(page != NULL);
    prefetcher->counters.dropped++;
    switch (prefetch->source) {
    case TL_PREFETCH_FROM_MEMORY:
        *page = PAGE_UNKNOWN;
        prefetcher->counters.issued[prefetch->mem_class == TL_MEM_PREFETCH_NEAR ? TL_TIER_L2 : TL_TIER_BUFFER]--;
        return;
    case TL_PREFETCH_FROM_FLIGHT:
        *page = PAGE_FAR_IN_FLIGHT;
        break;
    case TL_PREFETCH_FROM_BUFFER:
        *page = PAGE_IN_BUFFER;
        break;
    }
    prefetcher->counters.moved_near--;
}

/* ---- fills and evictions ---- */

void tl_prefetcher_filled(tl_prefetcher *prefetcher, uint64_t address)
{
    uint8_t *page = page_of(prefetcher, address);
    if (page == NULL) {
        return;
    }
    switch ((page_state)*page) {
    case PAGE_NEAR_IN_FLIGHT:
        *page = PAGE_IN_L2;
        break;
    case PAGE_FAR_IN_FLIGHT:
        *page = PAGE_IN_BUFFER;
        break;
    case PAGE_USED_IN_FLIGHT:
        *page = PAGE_USED;
        break;
    default:
        break;
    }
}

void tl_prefetcher_evicted(tl_prefetcher *prefetcher, uint64_t address, tl_prefetch_tier tier)
{
    uint8_t *page = page_of(prefetcher, address);
    if (page == NULL) {
        return;
    }
    const page_state state = (page_state)*page;
    const bool held = tier == TL_TIER_BUFFER ? state == PAGE_IN_BUFFER
                                             : state == PAGE_IN_L2 || state == PAGE_USED || state == PAGE_DEMANDED;
    if (held) {
        prefetcher->counters.evicted_unused += state == PAGE_IN_L2 || state == PAGE_IN_BUFFER;
        *page = PAGE_UNKNOWN;
    }
}

/* ---- statistics ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

double tl_prefetcher_accuracy(const tl_prefetcher *prefetcher)
{
    const tl_prefetcher_counters *counters = &prefetcher->counters;
    return ratio(counters->used, counters->issued[TL_TIER_L2] + counters->issued[TL_TIER_BUFFER]);
}

double tl_prefetcher_coverage(const tl_prefetcher *prefetcher)
{
    return ratio(prefetcher->counters.covered, prefetcher->counters.demands);
}

double tl_prefetcher_lateness(const tl_prefetcher *prefetcher)
{
    return ratio(prefetcher->counters.late, prefetcher->counters.covered);
}

const tl_prefetcher_counters *tl_prefetcher_get_counters(const tl_prefetcher *prefetcher)
{
    return &prefetcher->counters;
}

/* ---- creation ---- */

static int by_base(const void *left, const void *right)
{
    const uint64_t a = ((const tensor *)left)->at.base_address, b = ((const tensor *)right)->at.base_address;
    return (a > b) - (a < b);
}

static bool tensors_are_valid(const tensor *tensors, uint32_t count, uint64_t page_bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        const tl_prefetch_tensor *at = &tensors[i].at;
        if (at->base_address % page_bytes != 0 || at->bytes == 0 || at->run_bytes == 0 || at->stride_bytes == 0) {
            return false;
        }
        const uint64_t last_page = (at->bytes - 1) / page_bytes;
        if (i + 1 < count && tensors[i + 1].at.base_address - at->base_address <= last_page * page_bytes) {
            return false;
        }
    }
    return true;
}

static bool allocate_pages(tl_prefetcher *prefetcher)
{
    for (uint32_t i = 0; i < prefetcher->tensor_count; i++) {
        const uint64_t pages = ((prefetcher->tensors[i].at.bytes - 1) >> prefetcher->log2_page) + 1;
        prefetcher->tensors[i].pages = calloc(pages, 1);
        if (prefetcher->tensors[i].pages == NULL) {
            return false;
        }
    }
    return true;
}

tl_prefetcher *tl_prefetcher_create(const tl_prefetcher_config *config)
{
    tl_prefetcher *prefetcher = calloc(1, sizeof *prefetcher);
    if (prefetcher == NULL) {
        return NULL;
    }
    prefetcher->tensors = calloc((size_t)config->tensor_count + 1, sizeof *prefetcher->tensors);
    prefetcher->trigger = config->trigger;
    prefetcher->distances = config->distances;
    while (UINT32_C(1) << prefetcher->log2_page != config->page_bytes && prefetcher->log2_page < 31) {
        prefetcher->log2_page++;
    }
    bool valid = prefetcher->tensors != NULL && UINT32_C(1) << prefetcher->log2_page == config->page_bytes;
    if (valid) {
        prefetcher->tensor_count = config->tensor_count;
        for (uint32_t i = 0; i < config->tensor_count; i++) {
            prefetcher->tensors[i].at = config->tensors[i];
        }
        qsort(prefetcher->tensors, config->tensor_count, sizeof *prefetcher->tensors, by_base);
        valid = tensors_are_valid(prefetcher->tensors, config->tensor_count, config->page_bytes) &&
                allocate_pages(prefetcher);
    }
    if (!valid) {
        tl_prefetcher_destroy(prefetcher);
        return NULL;
    }
    return prefetcher;
}

void tl_prefetcher_destroy(tl_prefetcher *prefetcher)
{
    if (prefetcher == NULL) {
        return;
    }
    for (uint32_t i = 0; i < prefetcher->tensor_count; i++) {
        free(prefetcher->tensors[i].pages);
    }
    free(prefetcher->tensors);
    free(prefetcher);
}
