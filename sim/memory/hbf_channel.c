/* SPDX-License-Identifier: Apache-2.0 */
#include "hbf_channel.h"

#include <stdlib.h>

#include "page_pool.h"

/* Every list but the queues and `ready` is in order of the time at which its entries' state ends: one latency each. */
typedef struct plane_group {
    page_list queue[TL_PAGE_RANKS];
    uint32_t arrays_busy; /* reading, programming, or holding a finished page */
    uint32_t stalled;     /* of these, holding a finished page */
    uint32_t held;        /* finished pages in registers */
} plane_group;

struct tl_hbf {
    tl_hbf_config config;
    tl_hbf_counters counters;
    tl_address_map map;
    plane_group *groups;
    page_pool pool;
    page_list reading, programming;
    page_list ready[TL_PAGE_RANKS]; /* waiting for the bus */
    uint32_t moving;                /* on the bus; TL_NO_SLOT: none */
    tl_bus own_bus, *bus;
    uint32_t stalled; /* of all groups */
    uint64_t stalled_since_ps;
    uint32_t *block_programs;
    uint64_t blocks_per_group;
    bool load_ended;
    uint64_t now_ps;
};

/* The last group's planes are rounded to a full group, to the nearest. */
static uint32_t group_count(const tl_hbf_config *config)
{
    const uint32_t planes = config->planes != 0 ? config->planes : tl_hbf_planes(config);
    const uint32_t groups = (planes + config->overlap / 2) / config->overlap;
    return groups != 0 ? groups : 1;
}

static bool init_groups(tl_hbf *hbf)
{
    const tl_hbf_config *config = &hbf->config;
    const uint32_t groups = group_count(config);
    const uint64_t pages = config->capacity_bytes / config->page_bytes;
    const tl_address_map_config map = {
        .kind = config->group_map,
        .targets = groups,
        .unit_bytes = config->page_bytes,
        .access_bytes = config->page_bytes,
        .units_per_target = (pages + groups - 1) / groups,
        .seed = config->map_seed,
    };
    if (tl_address_map_init(&hbf->map, &map) != TL_MEM_OK) {
        return false;
    }
    hbf->blocks_per_group = (map.units_per_target + config->pages_per_block - 1) / config->pages_per_block;
    hbf->block_programs = calloc(hbf->blocks_per_group * groups, sizeof *hbf->block_programs);
    hbf->groups = calloc(groups, sizeof *hbf->groups);
    if (hbf->block_programs == NULL || hbf->groups == NULL) {
        return false;
    }
    for (uint32_t g = 0; g < groups; g++) {
        for (unsigned rank = 0; rank < TL_PAGE_RANKS; rank++) {
            page_list_init(&hbf->groups[g].queue[rank]);
        }
    }
    return true;
}

tl_hbf *tl_hbf_create(const tl_hbf_config *config)
{
    if (tl_hbf_config_check(config) != NULL) {
        return NULL;
    }
    tl_hbf *hbf = calloc(1, sizeof *hbf);
    if (hbf == NULL) {
        return NULL;
    }
    hbf->config = *config;
    hbf->bus = config->shared_bus != NULL ? config->shared_bus : &hbf->own_bus;
    hbf->moving = TL_NO_SLOT;
    page_list_init(&hbf->reading);
    page_list_init(&hbf->programming);
    for (unsigned rank = 0; rank < TL_PAGE_RANKS; rank++) {
        page_list_init(&hbf->ready[rank]);
    }
    if (!page_pool_create(&hbf->pool, config->queue) || !init_groups(hbf)) {
        tl_hbf_destroy(hbf);
        return NULL;
    }
    return hbf;
}

void tl_hbf_destroy(tl_hbf *hbf)
{
    if (hbf != NULL) {
        page_pool_destroy(&hbf->pool);
        free(hbf->block_programs);
        free(hbf->groups);
        free(hbf);
    }
}

/* ---- what happens at one moment ---------------------------------------------------------------------------------- */

static void change_stalled(tl_hbf *hbf, plane_group *group, uint64_t now_ps, bool more)
{
    hbf->counters.plane_stall_ps += hbf->stalled * (now_ps - hbf->stalled_since_ps);
    hbf->stalled_since_ps = now_ps;
    hbf->stalled = more ? hbf->stalled + 1 : hbf->stalled - 1;
    group->stalled = more ? group->stalled + 1 : group->stalled - 1;
}

static void make_ready(tl_hbf *hbf, uint32_t at, uint64_t now_ps)
{
    page_entry *entry = &hbf->pool.entries[at];
    entry->state = PAGE_READY;
    entry->time_ps = now_ps;
    page_list_append(&hbf->pool, &hbf->ready[entry->rank], at);
}

static page_list *first_list(page_list lists[TL_PAGE_RANKS])
{
    for (unsigned rank = 0; rank < TL_PAGE_RANKS; rank++) {
        if (lists[rank].head != TL_NO_SLOT) {
            return &lists[rank];
        }
    }
    return NULL;
}

/* Free arrays of the group take up work: a read starts, a write asks for the bus first. */
static void start_arrays(tl_hbf *hbf, plane_group *group, uint64_t now_ps)
{
    page_list *queue;
    while (group->arrays_busy < hbf->config.overlap && (queue = first_list(group->queue)) != NULL) {
        const uint32_t at = queue->head;
        page_entry *entry = &hbf->pool.entries[at];
        page_list_remove(&hbf->pool, queue, at);
        group->arrays_busy++;
        if (entry->write) {
            make_ready(hbf, at, now_ps);
            continue;
        }
        entry->state = PAGE_READING;
        entry->time_ps = now_ps + hbf->config.read_latency_ps;
        page_list_append(&hbf->pool, &hbf->reading, at);
        hbf->counters.plane_busy_ps += hbf->config.read_latency_ps;
    }
}

static void start_transfer(tl_hbf *hbf, uint64_t now_ps)
{
    page_list *ready = first_list(hbf->ready);
    if (hbf->moving != TL_NO_SLOT || ready == NULL) {
        return;
    }
    const uint32_t at = ready->head;
    page_list_remove(&hbf->pool, ready, at);
    page_pool_moving(&hbf->pool, at);
    hbf->pool.entries[at].time_ps = tl_bus_reserve(hbf->bus, now_ps, hbf->config.transfer_ps) + hbf->config.transfer_ps;
    hbf->moving = at;

    tl_mem_counters *counters = &hbf->counters.mem;
    counters->bus_busy_ps += hbf->config.transfer_ps;
    if (hbf->pool.entries[at].write) {
        counters->writes++;
        counters->write_bytes += hbf->config.page_bytes;
    } else {
        counters->reads++;
        counters->read_bytes += hbf->config.page_bytes;
    }
}

static void end_read(tl_hbf *hbf, uint64_t now_ps)
{
    const uint32_t at = hbf->reading.head;
    plane_group *group = &hbf->groups[hbf->pool.entries[at].bank];
    page_list_remove(&hbf->pool, &hbf->reading, at);
    make_ready(hbf, at, now_ps);
    if (group->held == hbf->config.register_pages) {
        change_stalled(hbf, group, now_ps, true);
        return;
    }
    group->held++;
    group->arrays_busy--;
    start_arrays(hbf, group, now_ps);
}

static void count_program(tl_hbf *hbf, uint32_t block)
{
    const uint64_t programs = ++hbf->block_programs[block];
    tl_hbf_counters *counters = &hbf->counters;
    counters->worst_block_programs =
        programs > counters->worst_block_programs ? programs : counters->worst_block_programs;
    counters->worn_blocks += programs == hbf->config.endurance_cycles * hbf->config.pages_per_block + 1;
}

static void end_transfer(tl_hbf *hbf, uint64_t now_ps)
{
    const uint32_t at = hbf->moving;
    page_entry *entry = &hbf->pool.entries[at];
    plane_group *group = &hbf->groups[entry->bank];
    hbf->moving = TL_NO_SLOT;
    if (entry->write) {
        entry->time_ps = now_ps + hbf->config.program_ps;
        page_list_append(&hbf->pool, &hbf->programming, at);
        hbf->counters.plane_busy_ps += hbf->config.program_ps;
        count_program(hbf, entry->block);
        return;
    }
    page_pool_finish(&hbf->pool, at, now_ps);
    /* A page that was held in an array moves up into the register this one has left (or was this one). */
    if (group->stalled != 0) {
        change_stalled(hbf, group, now_ps, false);
        group->arrays_busy--;
        start_arrays(hbf, group, now_ps);
    } else {
        group->held--;
    }
}

static void end_program(tl_hbf *hbf, uint64_t now_ps)
{
    const uint32_t at = hbf->programming.head;
    plane_group *group = &hbf->groups[hbf->pool.entries[at].bank];
    page_list_remove(&hbf->pool, &hbf->programming, at);
    page_pool_finish(&hbf->pool, at, now_ps);
    group->arrays_busy--;
    start_arrays(hbf, group, now_ps);
}

static uint64_t time_of(const tl_hbf *hbf, uint32_t at)
{
    return at == TL_NO_SLOT ? TL_NEVER_PS : hbf->pool.entries[at].time_ps;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

void tl_hbf_advance(tl_hbf *hbf, uint64_t now_ps)
{
    for (;;) {
        const uint64_t moved_ps = time_of(hbf, hbf->moving);
        const uint64_t time_ps =
            least(moved_ps, least(time_of(hbf, hbf->programming.head), time_of(hbf, hbf->reading.head)));
        if (time_ps > now_ps) {
            break;
        }
        if (moved_ps == time_ps) {
            end_transfer(hbf, time_ps);
        }
        while (time_of(hbf, hbf->programming.head) == time_ps) {
            end_program(hbf, time_ps);
        }
        while (time_of(hbf, hbf->reading.head) == time_ps) {
            end_read(hbf, time_ps);
        }
        start_transfer(hbf, time_ps);
    }
    hbf->now_ps = now_ps > hbf->now_ps ? now_ps : hbf->now_ps;
}

tl_mem_status tl_hbf_admit(const tl_hbf *hbf, uint64_t now_ps, const tl_mem_request *request)
{
    if (now_ps < hbf->now_ps) {
        return TL_MEM_TIME_BACKWARD;
    }
    const uint32_t page_bytes = hbf->config.page_bytes;
    const tl_mem_status status =
        tl_mem_check_range(request->address, request->bytes, page_bytes, page_bytes, hbf->config.capacity_bytes);
    if (status != TL_MEM_OK) {
        return status;
    }
    return hbf->pool.count == hbf->pool.capacity ? TL_MEM_FULL : TL_MEM_OK;
}

bool tl_hbf_push(tl_hbf *hbf, uint64_t now_ps, const tl_mem_request *request)
{
    const tl_mem_status status = tl_hbf_admit(hbf, now_ps, request);
    if (status != TL_MEM_OK) {
        tl_mem_count_refusal(&hbf->counters.mem, status);
        return false;
    }
    tl_hbf_advance(hbf, now_ps);
    const uint32_t at = page_pool_accept(&hbf->pool, now_ps, request, hbf->config.far_lowest, &hbf->counters.mem);
    page_entry *entry = &hbf->pool.entries[at];
    tl_location location = {0, 0};
    (void)tl_address_map_locate(&hbf->map, request->address, request->bytes, &location);
    entry->bank = location.target;
    entry->block = (uint32_t)(location.target * hbf->blocks_per_group +
                              location.local_address / hbf->config.page_bytes / hbf->config.pages_per_block);
    plane_group *group = &hbf->groups[entry->bank];
    hbf->counters.plane_conflicts += group->arrays_busy == hbf->config.overlap;
    hbf->counters.writes_after_load += entry->write && hbf->load_ended;
    page_list_append(&hbf->pool, &group->queue[entry->rank], at);
    start_arrays(hbf, group, now_ps);
    start_transfer(hbf, now_ps);
    return true;
}

/* A page that leaves the array while the bus is idle can be answered a transfer later at the earliest. A shared bus
 * needs the moment itself, for reservations must be made in order of time. */
uint64_t tl_hbf_next_ps(const tl_hbf *hbf)
{
    if (hbf->pool.done.head != TL_NO_SLOT) {
        return hbf->now_ps;
    }
    uint64_t next_ps = time_of(hbf, hbf->moving);
    if (hbf->moving == TL_NO_SLOT && hbf->reading.head != TL_NO_SLOT) {
        next_ps = time_of(hbf, hbf->reading.head) + (hbf->config.shared_bus != NULL ? 0 : hbf->config.transfer_ps);
    }
    return least(next_ps, time_of(hbf, hbf->programming.head));
}

bool tl_hbf_pop(tl_hbf *hbf, uint64_t now_ps, tl_mem_completion *completion)
{
    if (now_ps < hbf->now_ps) {
        hbf->counters.mem.refused_time++;
        return false;
    }
    tl_hbf_advance(hbf, now_ps);
    return page_pool_hand_out(&hbf->pool, now_ps, completion, &hbf->counters.mem);
}

bool tl_hbf_promote(tl_hbf *hbf, uint64_t now_ps, uint64_t tag)
{
    tl_hbf_advance(hbf, now_ps);
    const uint32_t at = tl_key_index_find(&hbf->pool.prefetches, tag);
    if (at == TL_NO_SLOT) {
        return false;
    }
    page_entry *entry = &hbf->pool.entries[at];
    page_list *lists = entry->state == PAGE_QUEUED ? hbf->groups[entry->bank].queue : hbf->ready;
    tl_key_index_remove(&hbf->pool.prefetches, tag, at);
    if (entry->state == PAGE_READING) {
        entry->rank = 0;
    } else {
        page_list_remove(&hbf->pool, &lists[entry->rank], at);
        entry->rank = 0;
        page_list_insert(&hbf->pool, &lists[0], at, entry->state == PAGE_READY);
    }
    hbf->counters.mem.promotions++;
    return true;
}

void tl_hbf_end_load(tl_hbf *hbf)
{
    hbf->load_ended = true;
}

const tl_hbf_counters *tl_hbf_counters_of(const tl_hbf *hbf)
{
    return &hbf->counters;
}

uint32_t tl_hbf_pending(const tl_hbf *hbf)
{
    return hbf->pool.count;
}
