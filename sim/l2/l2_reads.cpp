// SPDX-License-Identifier: Apache-2.0
// From a part of a transaction to the channels and back: tags, MSHRs, fills, prefetches.
#include "l2_module.h"

#include <algorithm>
#include <array>

namespace tilelens
{

namespace
{

constexpr uint32_t access_bytes = 64; // the smallest read of a line memory

} // namespace

// ---- demands ----

void l2::demand_page(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number)
{
    const uint64_t page = address / TL_CACHE_PAGE_BYTES * TL_CACHE_PAGE_BYTES;
    tl_demand_outcome outcome = TL_DEMAND_HIT;

    if (tl_cache_lookup_page(m_cache, address, bytes)) {
        part_done(number);
    } else {
        const tl_mshr_request request = {page, bytes, TL_MSHR_PAGES, TL_MEM_DEMAND, number};
        const tl_mshr_answer answer = tl_mshr_submit(m_mshr, m_now_ps, &request);
        outcome = answer.status == TL_MSHR_MERGED ? TL_DEMAND_MERGE : TL_DEMAND_MISS;
        if (!miss_page(memory, request, answer)) {
            return; // parked: the prefetcher is told when it comes back
        }
    }
    pages.write({page_event::demand, page, outcome, TL_TIER_L2});
}

// A page that is not there: asks its channel for it, unless it is on its way. False: parked for want of an MSHR.
bool l2::miss_page(const l2_memory &memory, const tl_mshr_request &request, const tl_mshr_answer &answer)
{
    if (answer.status == TL_MSHR_FULL) {
        if (request.mem_class == TL_MEM_DEMAND) {
            tl_mshr_park(m_mshr, &request);
        }
        return false;
    }
    if (answer.status == TL_MSHR_MERGED) {
        if (answer.promoted) {
            upgrade(memory, request.address, answer.entry, request.mem_class);
        }
        return true;
    }
    m_controller.send(new_read(memory, request.address, TL_CACHE_PAGE_BYTES, request.mem_class, answer.entry, 1));
    return true;
}

// A read on its way is wanted sooner, or nearer, than it was asked for.
void l2::upgrade(const l2_memory &memory, uint64_t page, uint32_t entry, tl_mem_class mem_class)
{
    m_controller.reclassify(location_of(memory, page, TL_CACHE_PAGE_BYTES).channel, entry, mem_class,
                            mem_class == TL_MEM_DEMAND && m_config.promote_queued);
}

void l2::demand_lines(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number)
{
    tl_cache_lookup_result found;
    tl_cache_lookup(m_cache, address, bytes, &found);
    if (found.miss_bytes == 0) {
        part_done(number);
        return;
    }
    const tl_mshr_request request = {address, bytes, TL_MSHR_LINES, TL_MEM_DEMAND, number};
    miss_lines(memory, request, tl_mshr_submit(m_mshr, m_now_ps, &request));
}

// Asks the channel for what of the block is neither there nor on its way: a read for each run of sectors.
void l2::miss_lines(const l2_memory &memory, const tl_mshr_request &request, const tl_mshr_answer &answer)
{
    if (answer.status == TL_MSHR_FULL) {
        tl_mshr_park(m_mshr, &request);
        return;
    }
    const uint64_t block = tl_mshr_address(m_mshr, answer.entry);
    for (uint64_t left = answer.fetch_sectors; left != 0;) {
        const auto first = static_cast<unsigned>(__builtin_ctzll(left));
        const auto count = static_cast<unsigned>(__builtin_ctzll(~(left >> first)));
        const uint64_t run = ((uint64_t{1} << count) - 1) << first;
        const uint64_t begin = (block + uint64_t{first} * TL_CACHE_SECTOR_BYTES) / access_bytes * access_bytes;
        const uint64_t end = block + uint64_t{first + count} * TL_CACHE_SECTOR_BYTES;
        const auto bytes = static_cast<uint32_t>((end - begin + access_bytes - 1) / access_bytes * access_bytes);
        left &= ~run;
        m_controller.send(
            new_read(memory, begin, bytes, TL_MEM_DEMAND, answer.entry, static_cast<uint32_t>(run)));
    }
}

// Demands that are parked come back at the next clock edge.
void l2::entries_freed(tl_mshr_partition partition)
{
    if (tl_mshr_has_parked(m_mshr, partition)) {
        m_entries_freed[partition] = true;
        schedule_edge();
    }
}

void l2::resume_parked(tl_mshr_partition partition)
{
    tl_mshr_request request;
    while (tl_mshr_unpark(m_mshr, partition, &request)) {
        const l2_memory &memory = *memory_of(request.address, request.bytes);
        const auto number = static_cast<uint32_t>(request.waiter);
        const bool page = partition == TL_MSHR_PAGES;
        if (page ? tl_cache_contains(m_cache, request.address, TL_CACHE_PAGE_BYTES)
                 : tl_cache_contains(m_cache, request.address, request.bytes)) {
            tl_cache_consume(m_cache, request.address, request.bytes);
            part_done(number);
        } else {
            const tl_mshr_answer answer = tl_mshr_resubmit(m_mshr, m_now_ps, &request);
            page ? static_cast<void>(miss_page(memory, request, answer)) : miss_lines(memory, request, answer);
        }
        if (page) {
            pages.write({page_event::demand, request.address, TL_DEMAND_MISS, TL_TIER_L2});
        }
    }
}

void l2::write_part(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number)
{
    const uint64_t unit = memory.pages ? uint64_t{TL_CACHE_PAGE_BYTES} : access_bytes;
    const uint64_t begin = address / unit * unit, end = (address + bytes + unit - 1) / unit * unit;
    pending_request request = new_request(memory, begin, static_cast<uint32_t>(end - begin));
    request.write = true;
    request.origin.entry = number;
    m_controller.send(request);
}

// ---- prefetches ----

tlm::tlm_sync_enum l2::nb_prefetch_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &)
{
    if (phase != tlm::BEGIN_REQ) {
        return tlm::TLM_ACCEPTED;
    }
    m_now_ps = now_ps();
    const memory_info *info = m_info_of(trans);
    const l2_memory *memory = memory_of(trans.get_address(), TL_CACHE_PAGE_BYTES);
    bool taken = false;
    if (info != nullptr && info->mem_class != TL_MEM_DEMAND && memory != nullptr && memory->pages) {
        const tl_mshr_request request = {trans.get_address(), TL_CACHE_PAGE_BYTES, TL_MSHR_PAGES, info->mem_class, 0};
        taken = miss_page(*memory, request, tl_mshr_submit(m_mshr, m_now_ps, &request));
    }
    trans.set_response_status(taken ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
}

// ---- requests to channels and their answers ----

// The channel, and the address there.
l2::channel_location l2::location_of(const l2_memory &memory, uint64_t address, uint32_t bytes)
{
    tl_location location = {0, address - memory.base_address};
    tl_address_map_locate(&memory.map, location.local_address, bytes, &location);
    return {memory.first_channel + location.target, location.local_address};
}

pending_request l2::new_request(const l2_memory &memory, uint64_t address, uint32_t bytes)
{
    const channel_location location = location_of(memory, address, bytes);
    pending_request request{};
    request.origin.system_address = address;
    request.origin.created_ps = m_now_ps;
    request.origin.number = static_cast<uint32_t>(m_statistics.sent.count);
    request.origin.channel = static_cast<uint16_t>(location.channel);
    request.origin.memory = static_cast<uint8_t>(&memory - m_config.memories.data());
    request.local_address = location.address;
    request.bytes = bytes;
    request.mem_class = TL_MEM_DEMAND;
    tl_statistics_sent(&m_statistics, request.origin.number);
    return request;
}

pending_request l2::new_read(const l2_memory &memory, uint64_t address, uint32_t bytes, tl_mem_class mem_class,
                             uint32_t entry, uint32_t sectors)
{
    pending_request read = new_request(memory, address, bytes);
    read.mem_class = mem_class;
    read.origin.entry = entry;
    read.origin.sectors = sectors;
    return read;
}

void l2::on_answer(channel_request &request)
{
    m_now_ps = now_ps();
    m_statistics.events++;
    tl_statistics_answered(&m_statistics, request.origin.number);
    if (request.origin.answered) {
        return; // answered before: counted, so that the run fails, and otherwise without effect
    }
    request.origin.answered = true;
    m_answers.push_back({&request, m_now_ps});
    schedule_edge();
}

// In batches, for the machine that simulates to wait for its memory once a batch.
void l2::take_answers()
{
    constexpr size_t batch = 32;
    for (size_t first = 0; first < m_answers.size(); first += batch) { // it may grow on the way
        const size_t end = std::min(first + batch, m_answers.size());
        prefetch_fills(&m_answers[first], end - first);
        for (size_t n = first; n < end; n++) {
            const channel_answer answered = m_answers[n];
            take_answer(answered);
        }
    }
    m_answers.clear();
}

// Hints that change nothing: what fills will touch, in the order in which one thing leads to the next.
void l2::prefetch_fills(const channel_answer *batch, size_t count) const
{
    for (size_t n = 0; n < count; n++) {
        const channel_request &request = *batch[n].request;
        if (request.is_read()) {
            tl_mshr_prefetch_entry(m_mshr, request.origin.entry);
            tl_mshr_prefetch(m_mshr, tl_mshr_partition_of(request.origin.entry), request.origin.system_address);
            tl_cache_prefetch(m_cache, request.origin.system_address, request.get_data_length());
        }
    }
    std::array<uint64_t, 32> waiters;
    size_t waiting = 0;
    for (size_t n = 0; n < count; n++) {
        const channel_request &request = *batch[n].request;
        if (request.is_read() && tl_mshr_first_waiter(m_mshr, request.origin.entry, &waiters[waiting])) {
            __builtin_prefetch(&m_accesses[waiters[waiting++]], 1);
        }
    }
    for (size_t n = 0; n < waiting; n++) {
        prefetch_payload(m_accesses[waiters[n]].trans);
    }
}

void l2::take_answer(const channel_answer &answered)
{
    channel_request &request = *answered.request;
    const request_origin &origin = request.origin;
    const l2_memory &memory = m_config.memories[origin.memory];
    if (!request.is_response_ok()) {
        m_statistics.refused_requests++;
    }
    if (request.is_write()) {
        m_statistics.bytes.*memory.moved += request.get_data_length();
        note_status(origin.entry, request);
        part_done(origin.entry);
    } else {
        if (request.is_response_ok()) {
            count_read(answered, memory);
        }
        memory.pages ? filled_page(request) : filled_lines(request);
    }
    m_controller.done(request);
}

// An error of one part is the error of the whole.
void l2::note_status(uint32_t number, const channel_request &request)
{
    if (!request.is_response_ok()) {
        m_accesses[number].status = request.get_response_status();
    }
}

void l2::count_read(const channel_answer &answered, const l2_memory &memory)
{
    const channel_request &read = *answered.request;
    tl_byte_counts &bytes = m_statistics.bytes;
    const uint64_t length = read.get_data_length();
    if (read.info.from_buffer) {
        m_statistics.caches.sram_hits++;
        bytes.sram_moved += length;
        return;
    }
    const bool far = memory.pages && tl_mshr_class(m_mshr, read.origin.entry) == TL_MEM_PREFETCH_FAR;
    bytes.channels_read += length;
    bytes.*memory.moved += length;
    (far ? bytes.sram_filled : bytes.l2_filled) += length;
    bytes.sram_moved += far ? length : 0;
    bytes.weights_fetched += read.origin.system_address - m_config.weight_base < m_config.weight_bytes ? length : 0;
    tl_statistics_read(&m_statistics, read.origin.created_ps, answered.time_ps);
}

void l2::filled_page(const channel_request &read)
{
    const request_origin &origin = read.origin;
    const tl_mem_class mem_class = tl_mshr_class(m_mshr, origin.entry);
    const bool far = mem_class == TL_MEM_PREFETCH_FAR;
    if (!far && read.is_response_ok()) {
        tl_cache_insert_page(m_cache, origin.system_address, mem_class != TL_MEM_DEMAND);
    }
    pages.write({page_event::filled, origin.system_address, TL_DEMAND_MISS, TL_TIER_L2});
    if (!read.is_response_ok()) {
        pages.write({page_event::evicted, origin.system_address, TL_DEMAND_MISS, far ? TL_TIER_BUFFER : TL_TIER_L2});
    }
    serve(tl_mshr_complete(m_mshr, m_now_ps, origin.entry, 1), read);
    entries_freed(TL_MSHR_PAGES);
}

void l2::filled_lines(const channel_request &read)
{
    const request_origin &origin = read.origin;
    if (read.is_response_ok()) {
        tl_cache_insert_lines(m_cache, origin.system_address, read.get_data_length(), false);
    }
    serve(tl_mshr_complete(m_mshr, m_now_ps, origin.entry, origin.sectors), read);
    entries_freed(TL_MSHR_LINES);
}

// The demands that have now got all they asked for. The machine that simulates waits for its memory once a batch.
void l2::serve(tl_mshr_waiters waiters, const channel_request &read)
{
    std::array<tl_mshr_waiter, 32> batch;
    size_t count;
    do {
        for (count = 0; count < batch.size() && tl_mshr_next_waiter(m_mshr, &waiters, &batch[count]); count++) {
            __builtin_prefetch(&m_accesses[batch[count].waiter], 1);
        }
        for (size_t n = 0; n < count; n++) {
            prefetch_payload(m_accesses[batch[n].waiter].trans);
        }
        for (size_t n = 0; n < count; n++) {
            const auto number = static_cast<uint32_t>(batch[n].waiter);
            tl_cache_consume(m_cache, batch[n].address, batch[n].bytes);
            note_status(number, read);
            part_done(number);
        }
    } while (count == batch.size());
}

void l2::on_evict(void *self, const tl_cache_eviction *eviction)
{
    if (eviction->page) {
        static_cast<l2 *>(self)->pages.write({page_event::evicted, eviction->address, TL_DEMAND_MISS, TL_TIER_L2});
    }
}

} // namespace tilelens
