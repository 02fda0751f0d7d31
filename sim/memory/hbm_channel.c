/* SPDX-License-Identifier: Apache-2.0 */
/* The HBM channel's front: admission, queue entries, completions. Commands: hbm_command.c, hbm_bus.c. */
#include "hbm_channel.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "hbm_internal.h"

/* Whether any distance is set for which it matters in which bank a request is. */
static bool has_banks(const tl_hbm_config *config)
{
    const tl_hbm_timing bus_only = {.cl_ps = config->timing.cl_ps, .cwl_ps = config->timing.cwl_ps};
    return config->burst_bytes != 0 || memcmp(&config->timing, &bus_only, sizeof bus_only) != 0;
}

/* The fields of an address that the channel looks at: without banks none but the PC. */
static void init_geometry(tl_hbm *hbm)
{
    tl_bit_map map = hbm->config.map;
    hbm->row_run_bytes = tl_bit_map_row_run_bytes(&map);
    hbm->banked = has_banks(&hbm->config);
    map.fields[TL_BIT_COLUMN].count = 0;
    if (!hbm->banked) {
        map.fields[TL_BIT_BANK_GROUP].count = map.fields[TL_BIT_BANK].count = 0;
        map.fields[TL_BIT_STACK_ID].count = map.fields[TL_BIT_ROW].count = 0;
    }
    hbm->bank_groups = UINT32_C(1) << map.fields[TL_BIT_BANK_GROUP].count;
    hbm->banks_per_group = UINT32_C(1) << map.fields[TL_BIT_BANK].count;
    hbm->bank_count = hbm->banks_per_group * hbm->bank_groups << map.fields[TL_BIT_STACK_ID].count;
    tl_bit_map_compile(&map, &hbm->decoder);
}

/* Tiles are read at one offset of many pages: without a hash these would all fall on one PC and bank group. */
static void init_hash(tl_hbm *hbm)
{
    static const tl_bit_field hashed[] = {TL_BIT_PSEUDO_CHANNEL, TL_BIT_BANK_GROUP};
    for (size_t f = 0; f < sizeof hashed / sizeof hashed[0] && hbm->config.hash_banks; f++) {
        const tl_bit_list *field = &hbm->config.map.fields[hashed[f]];
        for (unsigned k = 0; k < field->count; k++) {
            hbm->hash_mask |= UINT64_C(1) << field->bits[k];
            hbm->hash_shift = hbm->hash_shift > field->bits[k] ? hbm->hash_shift : field->bits[k] + 1u;
        }
    }
}

static void init_pc(tl_hbm *hbm, hbm_pc *pc, uint8_t number)
{
    const tl_refresh_config *refresh = &hbm->config.refresh;
    const bool refreshed = refresh->mode == TL_REFRESH_ALL_BANK || (refresh->mode != TL_REFRESH_NONE && hbm->banked);
    pc->number = number;
    pc->done_head = pc->done_tail = TL_HBM_NONE;
    pc->refresh_due_ps = refreshed ? refresh->phase_ps : TL_NEVER_PS;
    for (uint32_t b = 0; b < hbm->bank_count; b++) {
        hbm_bank *bank = &pc->banks[b];
        bank->open_row = TL_HBM_CLOSED;
        bank->target = TL_HBM_NONE;
        bank->group = (uint8_t)(b / hbm->banks_per_group);
        bank->stack_id = (uint8_t)(bank->group / hbm->bank_groups);
        for (unsigned list = 0; list < HBM_LISTS; list++) {
            bank->head[list] = bank->tail[list] = bank->hit[list] = TL_HBM_NONE;
        }
    }
}

/* Channel, banks and entries in one piece, in whole cache lines: many channels are in use at once. */
static tl_hbm *allocate(size_t banks, size_t entries)
{
    const size_t line = sizeof(hbm_bank);
    const size_t head_bytes = (sizeof(tl_hbm) + line - 1) / line * line;
    const size_t bank_bytes = banks * sizeof(hbm_bank);
    const size_t entries_at = head_bytes + TL_HBM_PSEUDO_CHANNELS * bank_bytes;
    const size_t bytes = (entries_at + entries * sizeof(hbm_entry) + line - 1) / line * line;
    char *block = aligned_alloc(line, bytes);
    if (block == NULL) {
        return NULL;
    }
    memset(block, 0, bytes);
    tl_hbm *hbm = (tl_hbm *)(void *)block;
    for (size_t p = 0; p < TL_HBM_PSEUDO_CHANNELS; p++) {
        hbm->pcs[p].banks = (hbm_bank *)(void *)(block + head_bytes + p * bank_bytes);
    }
    hbm->entries = (hbm_entry *)(void *)(block + entries_at);
    return hbm;
}

tl_hbm *tl_hbm_create(const tl_hbm_config *config)
{
    if (tl_hbm_config_check(config) != NULL) {
        return NULL;
    }
    const tl_bit_list *fields = config->map.fields;
    const unsigned bank_bits =
        (unsigned)fields[TL_BIT_STACK_ID].count + fields[TL_BIT_BANK_GROUP].count + fields[TL_BIT_BANK].count;
    const uint32_t capacity = config->read_queue + config->write_queue;
    tl_hbm *hbm = allocate(UINT64_C(1) << bank_bits, capacity);
    if (hbm == NULL) {
        return NULL;
    }
    hbm->config = *config;
    init_geometry(hbm);
    init_hash(hbm);
    hbm->bus = config->shared_bus != NULL ? config->shared_bus : &hbm->own_bus;
    const tl_hbm_timing *timing = &config->timing;
    hbm->least_latency_ps = (timing->cl_ps < timing->cwl_ps ? timing->cl_ps : timing->cwl_ps) + config->access_ps / 2;
    if (!tl_key_index_create(&hbm->prefetches, config->read_queue)) {
        tl_hbm_destroy(hbm);
        return NULL;
    }
    for (uint32_t i = 0; i < capacity; i++) {
        hbm->entries[i].next = i + 1 < capacity ? (uint16_t)(i + 1) : TL_HBM_NONE;
    }
    for (uint8_t p = 0; p < TL_HBM_PSEUDO_CHANNELS; p++) {
        init_pc(hbm, &hbm->pcs[p], p);
    }
    return hbm;
}

void tl_hbm_destroy(tl_hbm *hbm)
{
    if (hbm != NULL) {
        tl_key_index_destroy(&hbm->prefetches);
        free(hbm);
    }
}

tl_mem_status tl_hbm_admit(const tl_hbm *hbm, uint64_t now_ps, const tl_mem_request *request)
{
    if (now_ps < hbm->now_ps) {
        return TL_MEM_TIME_BACKWARD;
    }
    const tl_mem_status status = tl_mem_check_range(request->address, request->bytes, TL_HBM_ACCESS_BYTES,
                                                    hbm->row_run_bytes, hbm->config.capacity_bytes);
    if (status != TL_MEM_OK) {
        return status;
    }
    if (request->bytes > hbm->config.request_bytes) {
        return TL_MEM_BAD_SIZE;
    }
    const bool full = request->write ? hbm->writes_accepted == hbm->config.write_queue
                                     : hbm->reads_accepted == hbm->config.read_queue;
    return full ? TL_MEM_FULL : TL_MEM_OK;
}

void tl_hbm_advance(tl_hbm *hbm, uint64_t now_ps)
{
    if (now_ps <= hbm->now_ps) {
        return;
    }
    hbm->now_ps = now_ps;
    for (unsigned p = 0; p < TL_HBM_PSEUDO_CHANNELS; p++) {
        (hbm->banked ? hbm_pc_advance : hbm_bus_advance)(hbm, &hbm->pcs[p], now_ps);
    }
}

static hbm_list list_of(const tl_mem_request *request)
{
    if (request->write) {
        return HBM_WRITE;
    }
    return request->mem_class == TL_MEM_DEMAND ? HBM_DEMAND : HBM_PREFETCH;
}

static void fill_entry(const tl_hbm *hbm, hbm_entry *entry, const tl_mem_request *request)
{
    uint32_t fields[TL_BIT_FIELDS];
    const uint64_t twist = hbm->hash_mask == 0 ? 0 : tl_mix64(request->address >> hbm->hash_shift) & hbm->hash_mask;
    tl_bit_map_decode(&hbm->decoder, request->address ^ twist, fields);
    entry->tag = request->tag;
    entry->queued_ps = hbm->now_ps;
    entry->order = hbm->next_order;
    entry->row = fields[TL_BIT_ROW];
    entry->bytes = entry->remaining_bytes = (uint16_t)request->bytes;
    entry->pc = (uint8_t)fields[TL_BIT_PSEUDO_CHANNEL];
    entry->bank =
        (uint8_t)((fields[TL_BIT_STACK_ID] * hbm->bank_groups + fields[TL_BIT_BANK_GROUP]) * hbm->banks_per_group +
                  fields[TL_BIT_BANK]);
    entry->list = (uint8_t)list_of(request);
    entry->activated = false;
}

bool tl_hbm_push(tl_hbm *hbm, uint64_t now_ps, const tl_mem_request *request)
{
    const tl_mem_status status = tl_hbm_admit(hbm, now_ps, request);
    if (status != TL_MEM_OK) {
        tl_mem_count_refusal(&hbm->counters.mem, status);
        return false;
    }
    tl_hbm_advance(hbm, now_ps);
    tl_mem_occupancy_at(&hbm->occupancy, now_ps, &hbm->counters.mem);
    if (++hbm->occupancy.count > hbm->counters.mem.queue_peak) {
        hbm->counters.mem.queue_peak = hbm->occupancy.count;
    }
    *(request->write ? &hbm->writes_accepted : &hbm->reads_accepted) += 1;

    const uint16_t at = hbm->free_head;
    hbm_entry *entry = &hbm->entries[at];
    hbm->free_head = entry->next;
    fill_entry(hbm, entry, request);
    hbm->next_order++;
    if (entry->list == HBM_PREFETCH) {
        tl_key_index_insert(&hbm->prefetches, entry->tag, at);
    }
    (hbm->banked ? hbm_pc_enter : hbm_bus_enter)(hbm, &hbm->pcs[entry->pc], at);
    return true;
}

/*
 * Commands between two answers need no event of their own: a request whose command is still to come cannot end before
 * that command + latency + one burst. A shared bus does need them, for reservations must be made in order of time.
 */
uint64_t tl_hbm_next_ps(tl_hbm *hbm)
{
    const bool shared = hbm->config.shared_bus != NULL;
    uint64_t next_ps = TL_NEVER_PS;
    for (unsigned p = 0; p < TL_HBM_PSEUDO_CHANNELS; p++) {
        hbm_pc *pc = &hbm->pcs[p];
        uint64_t pc_ps = pc->done_head != TL_HBM_NONE ? hbm->entries[pc->done_head].done_ps : TL_NEVER_PS;
        if (pc->reads + pc->writes != 0 && (shared || pc_ps == TL_NEVER_PS)) {
            const uint64_t command_ps = hbm->banked ? hbm_pc_wake_ps(hbm, pc) : hbm_bus_wake_ps(hbm, pc);
            const uint64_t wake_ps = command_ps + (shared ? 1 : hbm->least_latency_ps);
            pc_ps = wake_ps < pc_ps ? wake_ps : pc_ps;
        }
        next_ps = pc_ps < next_ps ? pc_ps : next_ps;
    }
    return next_ps > hbm->now_ps ? next_ps : hbm->now_ps;
}

static hbm_pc *earliest_done(tl_hbm *hbm)
{
    hbm_pc *best = NULL;
    for (unsigned p = 0; p < TL_HBM_PSEUDO_CHANNELS; p++) {
        hbm_pc *pc = &hbm->pcs[p];
        if (pc->done_head != TL_HBM_NONE &&
            (best == NULL || hbm->entries[pc->done_head].done_ps < hbm->entries[best->done_head].done_ps)) {
            best = pc;
        }
    }
    return best;
}

bool tl_hbm_pop(tl_hbm *hbm, uint64_t now_ps, tl_mem_completion *completion)
{
    if (now_ps < hbm->now_ps) {
        hbm->counters.mem.refused_time++;
        return false;
    }
    tl_hbm_advance(hbm, now_ps);
    hbm_pc *pc = earliest_done(hbm);
    if (pc == NULL || hbm->entries[pc->done_head].done_ps > now_ps) {
        return false;
    }
    const uint16_t at = pc->done_head;
    hbm_entry *entry = &hbm->entries[at];
    *completion = (tl_mem_completion){entry->tag, entry->done_ps, entry->queued_ps, !entry->activated};
    tl_mem_occupancy_at(&hbm->occupancy, now_ps, &hbm->counters.mem);
    hbm->occupancy.count--;
    *(entry->list == HBM_WRITE ? &hbm->writes_accepted : &hbm->reads_accepted) -= 1;

    pc->done_head = entry->next;
    if (pc->done_head == TL_HBM_NONE) {
        pc->done_tail = TL_HBM_NONE;
    }
    entry->next = hbm->free_head;
    hbm->free_head = at;
    return true;
}

bool tl_hbm_promote(tl_hbm *hbm, uint64_t now_ps, uint64_t tag)
{
    tl_hbm_advance(hbm, now_ps);
    const uint32_t at = tl_key_index_find(&hbm->prefetches, tag);
    if (at == TL_NO_SLOT) {
        return false;
    }
    tl_key_index_remove(&hbm->prefetches, tag, at);
    (hbm->banked ? hbm_pc_promote : hbm_bus_promote)(hbm, &hbm->pcs[hbm->entries[at].pc], (uint16_t)at);
    hbm->counters.mem.promotions++;
    return true;
}

const tl_hbm_counters *tl_hbm_counters_of(const tl_hbm *hbm)
{
    return &hbm->counters;
}

uint32_t tl_hbm_pending(const tl_hbm *hbm)
{
    return hbm->reads_accepted + hbm->writes_accepted;
}
