// SPDX-License-Identifier: Apache-2.0
// From a part of a transaction to the channels and back: tags, MSHRs, fills, prefetches.
#include "l2_module.h"

namespace tilelens
{

namespace
{

constexpr uint32_t access_bytes = 64; // the smallest read of a line memory

constexpr uint32_t entry_number(uint32_t entry)
{
    return entry & 0x7fffffffu; // without the bit that tells the partition
}

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
        const tl_mshr_answer answer = tl_mshr_submit(m_mshr, now_ps(), &request);
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
            upgrade(answer.entry, request.mem_class);
        }
        return true;
    }
    channel_request &read = new_read(memory, request.address, TL_CACHE_PAGE_BYTES, answer.entry, 1);
    read.info.mem_class = request.mem_class;
    if (entry_number(answer.entry) >= m_page_reads.size()) {
        m_page_reads.resize(2 * (entry_number(answer.entry) + 1));
    }
    m_page_reads[entry_number(answer.entry)] = &read;
    m_controller.send(read);
    return true;
}

// A read on its way is wanted sooner, or nearer, than it was asked for.
void l2::upgrade(uint32_t entry, tl_mem_class mem_class)
{
    channel_request &read = *m_page_reads[entry_number(entry)];
    read.info.mem_class = mem_class;
    if (mem_class == TL_MEM_DEMAND && m_config.promote_queued) {
        m_controller.promote_request(read);
    }
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
    miss_lines(memory, request, tl_mshr_submit(m_mshr, now_ps(), &request));
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
        m_controller.send(new_read(memory, begin, bytes, answer.entry, static_cast<uint32_t>(run)));
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
            const tl_mshr_answer answer = tl_mshr_resubmit(m_mshr, now_ps(), &request);
            page ? static_cast<void>(miss_page(memory, request, answer)) : miss_lines(memory, request, answer);
        }
        if (page) {
            pages.write({page_event::demand, request.address, TL_DEMAND_MISS, TL_TIER_L2});
        }
    }
}

void l2::write_part(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t number)
{
    channel_request &request = new_request(memory, address, bytes);
    request.set_command(tlm::TLM_WRITE_COMMAND);
    request.entry = number;
    m_controller.send(request);
}

// ---- prefetches ----

tlm::tlm_sync_enum l2::nb_prefetch_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &)
{
    if (phase != tlm::BEGIN_REQ) {
        return tlm::TLM_ACCEPTED;
    }
    const memory_info *info = trans.get_extension<memory_info>();
    const l2_memory *memory = memory_of(trans.get_address(), TL_CACHE_PAGE_BYTES);
    bool taken = false;
    if (info != nullptr && info->mem_class != TL_MEM_DEMAND && memory != nullptr && memory->pages) {
        const tl_mshr_request request = {trans.get_address(), TL_CACHE_PAGE_BYTES, TL_MSHR_PAGES, info->mem_class, 0};
        taken = miss_page(*memory, request, tl_mshr_submit(m_mshr, now_ps(), &request));
    }
    trans.set_response_status(taken ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
}

// ---- requests to channels and their answers ----

channel_request &l2::new_request(const l2_memory &memory, uint64_t address, uint32_t bytes)
{
    static unsigned char no_data[TL_CACHE_PAGE_BYTES]; // timing alone is modelled
    channel_request &request = m_controller.take();
    tl_location location = {0, address - memory.base_address};

    tl_address_map_locate(&memory.map, location.local_address, bytes, &location);
    request.memory = &memory;
    request.system_address = address;
    request.created_ps = now_ps();
    request.number = m_statistics.sent.count;
    request.channel = memory.first_channel + location.target;
    request.set_address(location.local_address);
    request.set_data_length(bytes);
    request.set_streaming_width(bytes);
    request.set_data_ptr(no_data);
    request.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    request.info.mem_class = TL_MEM_DEMAND;
    request.info.useful_bytes = bytes;
    request.info.from_buffer = false;
    tl_statistics_sent(&m_statistics, request.number);
    return request;
}

channel_request &l2::new_read(const l2_memory &memory, uint64_t address, uint32_t bytes, uint32_t entry,
                              uint32_t sectors)
{
    channel_request &read = new_request(memory, address, bytes);
    read.set_command(tlm::TLM_READ_COMMAND);
    read.entry = entry;
    read.sectors = sectors;
    return read;
}

void l2::on_answer(channel_request &request)
{
    m_statistics.events++;
    tl_statistics_answered(&m_statistics, request.number);
    if (!request.in_flight) {
        return; // answered before: counted, so that the run fails, and otherwise without effect
    }
    if (!request.is_response_ok()) {
        m_statistics.refused_requests++;
    }
    if (request.is_write()) {
        m_statistics.bytes.*request.memory->moved += request.get_data_length();
        note_status(request.entry, request);
        part_done(request.entry);
        resume((request.channel - request.memory->first_channel) % m_config.slices);
        return;
    }
    count_read(request);
    if (request.memory->pages) {
        filled_page(request);
    } else {
        filled_lines(request);
    }
    resume((request.channel - request.memory->first_channel) % m_config.slices);
}

// An error of one part is the error of the whole.
void l2::note_status(uint32_t number, const channel_request &request)
{
    if (!request.is_response_ok()) {
        m_accesses[number].status = request.get_response_status();
    }
}

void l2::count_read(const channel_request &read)
{
    tl_byte_counts &bytes = m_statistics.bytes;
    const uint64_t length = read.get_data_length();
    if (read.info.from_buffer) {
        m_statistics.caches.sram_hits++;
        bytes.sram_moved += length;
        return;
    }
    const bool far = read.memory->pages && tl_mshr_class(m_mshr, read.entry) == TL_MEM_PREFETCH_FAR;
    bytes.channels_read += length;
    bytes.*read.memory->moved += length;
    (far ? bytes.sram_filled : bytes.l2_filled) += length;
    bytes.sram_moved += far ? length : 0;
    bytes.weights_fetched += read.system_address - m_config.weight_base < m_config.weight_bytes ? length : 0;
    tl_statistics_read(&m_statistics, read.created_ps, now_ps());
}

void l2::filled_page(const channel_request &read)
{
    const tl_mem_class mem_class = tl_mshr_class(m_mshr, read.entry);
    if (mem_class != TL_MEM_PREFETCH_FAR) {
        tl_cache_insert_page(m_cache, read.system_address, mem_class != TL_MEM_DEMAND);
    }
    pages.write({page_event::filled, read.system_address, TL_DEMAND_MISS, TL_TIER_L2});
    serve(tl_mshr_complete(m_mshr, now_ps(), read.entry, 1), read);
    resume_parked(TL_MSHR_PAGES);
}

void l2::filled_lines(const channel_request &read)
{
    tl_cache_insert_lines(m_cache, read.system_address, read.get_data_length(), false);
    serve(tl_mshr_complete(m_mshr, now_ps(), read.entry, read.sectors), read);
    resume_parked(TL_MSHR_LINES);
}

// The demands that have now got all they asked for.
void l2::serve(tl_mshr_waiters waiters, const channel_request &read)
{
    tl_mshr_waiter waiter;
    while (tl_mshr_next_waiter(m_mshr, &waiters, &waiter)) {
        const auto number = static_cast<uint32_t>(waiter.waiter);
        tl_cache_consume(m_cache, waiter.address, waiter.bytes);
        note_status(number, read);
        part_done(number);
    }
}

void l2::on_evict(void *self, const tl_cache_eviction *eviction)
{
    if (eviction->page) {
        static_cast<l2 *>(self)->pages.write({page_event::evicted, eviction->address, TL_DEMAND_MISS, TL_TIER_L2});
    }
}

} // namespace tilelens
