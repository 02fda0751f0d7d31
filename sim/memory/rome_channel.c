/* SPDX-License-Identifier: Apache-2.0 */
#include "rome_channel.h"

#include <stdlib.h>

#include "page_pool.h"

typedef struct rome_plan {
    uint64_t time_ps;
    uint32_t at; /* TL_NO_SLOT: nothing to do */
    bool waits, bypasses;
} rome_plan;

struct tl_rome {
    tl_rome_config config;
    tl_rome_counters counters;
    tl_address_map map;
    page_pool pool;
    page_list queue[TL_PAGE_RANKS];
    uint64_t vba_ready_ps[TL_ROME_MAX_VBAS];
    uint64_t distance_ps[2][2][2]; /* [last a write][next a write][other stack ID] */
    uint64_t least_distance_ps;
    uint64_t quiet_ps; /* no row command before this, whatever comes */
    uint64_t last_ps;
    bool any, last_write;
    uint32_t last_stack;
    uint64_t clock_ps; /* no command before this */
    uint64_t refresh_due_ps;
    uint32_t refresh_vba, refresh_step;
    rome_plan plan;
    bool plan_valid;
    uint64_t now_ps;
};

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Refresh walks the VBAs in large steps: next to each other they would get in the way of a stream, which then follows
 * the refresh at its pace. */
static uint32_t refresh_step(uint32_t vbas)
{
    uint32_t step = vbas * 5 / 8 + 1;
    while (common_divisor(step, vbas) != 1) {
        step++;
    }
    return step % vbas;
}

tl_rome *tl_rome_create(const tl_rome_config *config)
{
    if (tl_rome_config_check(config) != NULL) {
        return NULL;
    }
    tl_rome *rome = calloc(1, sizeof *rome);
    if (rome == NULL) {
        return NULL;
    }
    const tl_rome_timing *t = &config->timing;
    const uint64_t distances[2][2][2] = {{{t->r2rs_ps, t->r2rr_ps}, {t->r2ws_ps, t->r2wr_ps}},
                                         {{t->w2rs_ps, t->w2rr_ps}, {t->w2ws_ps, t->w2wr_ps}}};
    const tl_address_map_config map = {
        .kind = config->vba_map,
        .targets = config->vbas,
        .unit_bytes = config->row_bytes,
        .access_bytes = config->row_bytes,
        .units_per_target = config->capacity_bytes / config->row_bytes / config->vbas,
        .seed = config->map_seed,
    };
    rome->config = *config;
    rome->least_distance_ps = UINT64_MAX;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t distance_ps = distances[i / 4][i / 2 % 2][i % 2];
        rome->distance_ps[i / 4][i / 2 % 2][i % 2] = distance_ps;
        rome->least_distance_ps = distance_ps < rome->least_distance_ps ? distance_ps : rome->least_distance_ps;
    }
    rome->refresh_step = refresh_step(config->vbas);
    rome->refresh_due_ps = config->refresh.mode == TL_REFRESH_NONE ? TL_NEVER_PS : config->refresh.phase_ps;
    for (unsigned rank = 0; rank < TL_PAGE_RANKS; rank++) {
        page_list_init(&rome->queue[rank]);
    }
    if (!page_pool_create(&rome->pool, config->queue) || tl_address_map_init(&rome->map, &map) != TL_MEM_OK) {
        tl_rome_destroy(rome);
        return NULL;
    }
    return rome;
}

void tl_rome_destroy(tl_rome *rome)
{
    if (rome != NULL) {
        page_pool_destroy(&rome->pool);
        free(rome);
    }
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The moment the bus and the stack IDs allow; the VBA may ask for more. */
static uint64_t command_time(const tl_rome *rome, const page_entry *entry)
{
    if (!rome->any) {
        return rome->clock_ps;
    }
    const bool other_stack = entry->stack != rome->last_stack;
    return later(rome->clock_ps, rome->last_ps + rome->distance_ps[rome->last_write][entry->write][other_stack]);
}

static rome_plan make_plan(const tl_rome *rome)
{
    rome_plan earliest = {TL_NEVER_PS, TL_NO_SLOT, true, false};
    uint32_t seen = 0;
    for (unsigned rank = 0; rank < TL_PAGE_RANKS; rank++) {
        for (uint32_t at = rome->queue[rank].head; at != TL_NO_SLOT && seen < rome->config.window; seen++) {
            const page_entry *entry = &rome->pool.entries[at];
            const uint64_t time_ps = command_time(rome, entry);
            const uint64_t vba_ps = rome->vba_ready_ps[entry->bank];
            if (vba_ps <= time_ps) {
                return (rome_plan){time_ps, at, false, seen != 0};
            }
            if (vba_ps < earliest.time_ps) {
                earliest = (rome_plan){vba_ps, at, true, seen != 0};
            }
            at = entry->next;
        }
    }
    return earliest;
}

static void give_row_command(tl_rome *rome, const rome_plan *plan)
{
    const tl_rome_timing *timing = &rome->config.timing;
    page_entry *entry = &rome->pool.entries[plan->at];
    tl_rome_counters *counters = &rome->counters;
    page_list_remove(&rome->pool, &rome->queue[entry->rank], plan->at);
    page_pool_moving(&rome->pool, plan->at);
    counters->row_commands++;
    counters->vba_waits += plan->waits;
    counters->bypasses += plan->bypasses;
    counters->stack_switches += rome->any && entry->stack != rome->last_stack;
    counters->mem.bus_busy_ps += rome->config.transfer_ps;
    if (entry->write) {
        counters->mem.writes++;
        counters->mem.write_bytes += rome->config.row_bytes;
    } else {
        counters->mem.reads++;
        counters->mem.read_bytes += rome->config.row_bytes;
    }
    rome->any = true;
    rome->last_ps = rome->clock_ps = plan->time_ps;
    rome->quiet_ps = plan->time_ps + rome->least_distance_ps;
    rome->last_write = entry->write;
    rome->last_stack = entry->stack;
    rome->vba_ready_ps[entry->bank] = plan->time_ps + (entry->write ? timing->wr_row_ps : timing->rd_row_ps);
    page_pool_finish(&rome->pool, plan->at, plan->time_ps + rome->config.first_data_ps + rome->config.transfer_ps);
}

/* The refresh waits until its VBAs are idle. */
static void give_refresh(tl_rome *rome)
{
    const tl_refresh_config *refresh = &rome->config.refresh;
    const bool all = refresh->mode == TL_REFRESH_ALL_BANK;
    const uint32_t first = all ? 0 : rome->refresh_vba;
    const uint32_t end = all ? rome->config.vbas : first + 1;
    uint64_t start_ps = rome->refresh_due_ps;
    for (uint32_t vba = first; vba < end; vba++) {
        start_ps = later(start_ps, rome->vba_ready_ps[vba]);
    }
    for (uint32_t vba = first; vba < end; vba++) {
        rome->vba_ready_ps[vba] = start_ps + refresh->duration_ps;
    }
    rome->refresh_vba += rome->refresh_step;
    rome->refresh_vba -= rome->refresh_vba >= rome->config.vbas ? rome->config.vbas : 0;
    rome->refresh_due_ps += refresh->interval_ps;
    rome->counters.mem.refreshes++;
}

/* Commands before now_ps; at now_ps itself the caller may still push. */
void tl_rome_advance(tl_rome *rome, uint64_t now_ps)
{
    while (rome->quiet_ps < now_ps || rome->refresh_due_ps < now_ps) {
        if (!rome->plan_valid) {
            rome->plan = make_plan(rome);
            rome->plan_valid = true;
        }
        const bool refresh = rome->refresh_due_ps <= rome->plan.time_ps;
        if ((refresh ? rome->refresh_due_ps : rome->plan.time_ps) >= now_ps) {
            break;
        }
        if (refresh) {
            give_refresh(rome);
        } else {
            give_row_command(rome, &rome->plan);
        }
        rome->plan_valid = false;
    }
    rome->now_ps = later(rome->now_ps, now_ps);
}

tl_mem_status tl_rome_admit(const tl_rome *rome, uint64_t now_ps, const tl_mem_request *request)
{
    if (now_ps < rome->now_ps) {
        return TL_MEM_TIME_BACKWARD;
    }
    const uint32_t row_bytes = rome->config.row_bytes;
    const tl_mem_status status =
        tl_mem_check_range(request->address, request->bytes, row_bytes, row_bytes, rome->config.capacity_bytes);
    if (status != TL_MEM_OK) {
        return status;
    }
    return rome->pool.count == rome->pool.capacity ? TL_MEM_FULL : TL_MEM_OK;
}

bool tl_rome_push(tl_rome *rome, uint64_t now_ps, const tl_mem_request *request)
{
    const tl_mem_status status = tl_rome_admit(rome, now_ps, request);
    if (status != TL_MEM_OK) {
        tl_mem_count_refusal(&rome->counters.mem, status);
        return false;
    }
    tl_rome_advance(rome, now_ps);
    const uint32_t at = page_pool_accept(&rome->pool, now_ps, request, rome->config.far_lowest, &rome->counters.mem);
    page_entry *entry = &rome->pool.entries[at];
    tl_location location = {0, 0};
    (void)tl_address_map_locate(&rome->map, request->address, request->bytes, &location);
    entry->bank = location.target;
    entry->stack = entry->bank / (rome->config.vbas / rome->config.stack_ids);
    page_list_append(&rome->pool, &rome->queue[entry->rank], at);
    rome->clock_ps = later(rome->clock_ps, now_ps);
    rome->plan_valid = false;
    return true;
}

/* An answer not yet scheduled comes at the next command's end of data at the earliest. */
uint64_t tl_rome_next_ps(const tl_rome *rome)
{
    const uint32_t done = rome->pool.done.head;
    if (done != TL_NO_SLOT) {
        return later(rome->pool.entries[done].time_ps, rome->now_ps);
    }
    const uint64_t command_ps = rome->plan_valid ? rome->plan.time_ps : make_plan(rome).time_ps;
    return command_ps == TL_NEVER_PS ? TL_NEVER_PS : command_ps + rome->config.first_data_ps + rome->config.transfer_ps;
}

bool tl_rome_pop(tl_rome *rome, uint64_t now_ps, tl_mem_completion *completion)
{
    if (now_ps < rome->now_ps) {
        rome->counters.mem.refused_time++;
        return false;
    }
    tl_rome_advance(rome, now_ps);
    return page_pool_hand_out(&rome->pool, now_ps, completion, &rome->counters.mem);
}

bool tl_rome_promote(tl_rome *rome, uint64_t now_ps, uint64_t tag)
{
    tl_rome_advance(rome, now_ps);
    const uint32_t at = tl_key_index_find(&rome->pool.prefetches, tag);
    if (at == TL_NO_SLOT) {
        return false;
    }
    page_entry *entry = &rome->pool.entries[at];
    tl_key_index_remove(&rome->pool.prefetches, tag, at);
    page_list_remove(&rome->pool, &rome->queue[entry->rank], at);
    entry->rank = 0;
    page_list_insert(&rome->pool, &rome->queue[0], at, false);
    rome->clock_ps = later(rome->clock_ps, now_ps);
    rome->plan_valid = false;
    rome->counters.mem.promotions++;
    return true;
}

const tl_rome_counters *tl_rome_counters_of(const tl_rome *rome)
{
    return &rome->counters;
}

uint32_t tl_rome_pending(const tl_rome *rome)
{
    return rome->pool.count;
}
