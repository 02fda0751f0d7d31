// SPDX-License-Identifier: Apache-2.0
// The slices: transactions in, answers out. What happens to their parts is in l2_reads.cpp.
#include "l2_module.h"

#include <algorithm>
#include <array>

namespace tilelens
{

namespace
{

constexpr size_t lookahead = 8; // free accesses that are fetched before they are needed

// What the base protocol allows and the L2 does not do.
tlm::tlm_response_status unsupported(const tlm::tlm_generic_payload &trans)
{
    if (!trans.is_read() && !trans.is_write()) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    if (trans.get_byte_enable_ptr() != nullptr) {
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
    return trans.get_data_length() == 0 || trans.get_streaming_width() < trans.get_data_length()
               ? tlm::TLM_BURST_ERROR_RESPONSE
               : tlm::TLM_OK_RESPONSE;
}

} // namespace

l2::l2(const sc_core::sc_module_name &name, const l2_config &config, tl_statistics &statistics)
    : sc_module(name), slices("slices", config.slices), channels("channels", config.channels),
      prefetches("prefetches"), pages("pages"), m_config(config), m_statistics(statistics),
      m_cache(tl_cache_create(&config.cache, on_evict, this)), m_mshr(tl_mshr_create(&config.mshr)),
      m_controller(
          channels, [this](channel_request &request) { on_answer(request); },
          [this](uint32_t channel) {
              m_now_ps = now_ps();
              m_freed_channels.push_back(channel);
              schedule_edge();
          }),
      m_slice_rate(config.slice_bytes_per_clock, config.clock_khz),
      m_half_latency(time_of(config.latency_ps / 2)), m_responses(config.slices),
      m_slice_free_ps(config.slices), m_held(config.slices), m_arriving(config.slices),
      m_arrivals(byte_rate(1, config.clock_khz).ps(1)), m_slice_of_channel(config.channels), m_channels_of_slice(config.slices)
{
    if (m_cache == nullptr || m_mshr == nullptr) {
        SC_REPORT_FATAL("tilelens/l2", "cache or MSHRs outside their ranges, or memory is short");
    }
    for (unsigned slice = 0; slice < slices.size(); slice++) {
        slices[slice].register_nb_transport_fw(this, &l2::nb_transport_fw, static_cast<int>(slice));
        slices[slice].register_transport_dbg(this, &l2::transport_dbg, static_cast<int>(slice));
    }
    prefetches.register_nb_transport_fw(this, &l2::nb_prefetch_fw);
    for (const l2_memory &memory : m_config.memories) {
        for (uint32_t target = 0; target < memory.map.config.targets; target++) {
            const uint32_t slice = target % m_config.slices, channel = memory.first_channel + target;
            m_slice_of_channel[channel] = slice;
            m_channels_of_slice[slice].push_back(channel);
        }
    }
    SC_METHOD(on_clock);
    sensitive << m_wake;
    dont_initialize();
}

l2::~l2()
{
    tl_cache_destroy(m_cache);
    tl_mshr_destroy(m_mshr);
}

tlm::tlm_sync_enum l2::nb_transport_fw(int tag, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay)
{
    const auto slice = static_cast<uint32_t>(tag);
    if (phase == tlm::END_RESP) {
        m_responses[slice].end_response(slices[slice], trans);
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) {
        return tlm::TLM_ACCEPTED;
    }
    m_now_ps = now_ps();
    trans.acquire();
    if (is_backed_up(slice)) {
        m_held[slice] = {&trans, m_now_ps + delay.value()};
        return tlm::TLM_ACCEPTED;
    }
    accept(trans, slice, m_now_ps + delay.value());
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

unsigned l2::transport_dbg(int, tlm::tlm_generic_payload &trans)
{
    if (m_config.contents == nullptr || memory_of(trans.get_address(), trans.get_data_length()) == nullptr) {
        return 0;
    }
    m_config.contents->perform(trans);
    return trans.get_data_length();
}

void l2::accept(tlm::tlm_generic_payload &trans, uint32_t slice, uint64_t at_ps)
{
    const memory_info *info = m_info_of(trans);
    const uint32_t bytes = trans.get_data_length();
    m_pending++;
    m_arriving[slice]++;
    m_arrivals.push(m_now_ps, at_ps + m_config.latency_ps / 2,
                    {&trans, memory_of(trans.get_address(), bytes), trans.get_address(), bytes, info != nullptr ? info->useful_bytes : bytes,
                     static_cast<uint16_t>(slice), trans.is_write(), info != nullptr && info->resident,
                     static_cast<int8_t>(unsupported(trans))});
    schedule();
}

uint32_t l2::slice_of(uint64_t address) const
{
    const l2_memory *memory = memory_of(address, 1);
    tl_location location = {0, 0};
    if (memory != nullptr) {
        const uint64_t offset = address - memory->base_address;
        tl_address_map_locate(&memory->map, offset - offset % memory->map.config.access_bytes,
                              memory->map.config.access_bytes, &location);
    }
    return location.target % m_config.slices;
}

bool l2::is_backed_up(uint32_t slice) const
{
    uint32_t waiting = m_arriving[slice];
    for (const uint32_t channel : m_channels_of_slice[slice]) {
        waiting += m_controller.waiting(channel);
    }
    return waiting >= max_waiting;
}

// The channels of the slice have taken requests: so may the slice.
void l2::resume(uint32_t slice)
{
    const held_request held = m_held[slice];
    if (held.trans == nullptr || is_backed_up(slice)) {
        return;
    }
    const uint64_t at_ps = std::max(held.at_ps, m_now_ps);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = time_of(at_ps - m_now_ps); // END_REQ is not before BEGIN_REQ
    m_held[slice].trans = nullptr;
    accept(*held.trans, slice, at_ps);
    slices[slice]->nb_transport_bw(*held.trans, phase, delay);
}

uint32_t l2::take_access(const access &started)
{
    if (m_free_accesses.empty()) {
        m_accesses.push_back(started);
        return static_cast<uint32_t>(m_accesses.size() - 1);
    }
    const uint32_t number = m_free_accesses.back();
    m_free_accesses.pop_back();
    if (m_free_accesses.size() > lookahead) {
        __builtin_prefetch(&m_accesses[m_free_accesses[m_free_accesses.size() - lookahead]], 1);
    }
    m_accesses[number] = started;
    return number;
}

void l2::wake_by(uint64_t time_ps)
{
    if (time_ps < m_wake_ps) {
        m_wake_ps = time_ps;
        m_wake.notify(time_of(time_ps - m_now_ps));
    }
}

void l2::schedule()
{
    wake_by(m_arrivals.next_ps());
}

void l2::schedule_edge()
{
    wake_by(m_arrivals.edge_ps(m_now_ps));
}

void l2::on_clock()
{
    m_now_ps = now_ps();
    m_wake_ps = 0; // what comes from inside need not schedule
    take_answers();
    for (const tl_mshr_partition partition : {TL_MSHR_LINES, TL_MSHR_PAGES}) {
        if (m_entries_freed[partition]) {
            m_entries_freed[partition] = false;
            resume_parked(partition);
        }
    }
    for (size_t n = 0; n < m_freed_channels.size(); n++) { // it may grow on the way
        m_controller.issue_waiting(m_freed_channels[n]);
        resume(m_slice_of_channel[m_freed_channels[n]]);
    }
    m_freed_channels.clear();
    take_arrivals();
    m_wake_ps = TL_NEVER_PS;
    if (!m_arrivals.empty()) {
        schedule();
    }
    if (!m_answers.empty() || !m_freed_channels.empty() || m_entries_freed[TL_MSHR_LINES] || m_entries_freed[TL_MSHR_PAGES]) {
        schedule_edge(); // a channel has answered by return
    }
}

// What is due comes in batches, for the machine that simulates to wait for its memory once a batch.
void l2::take_arrivals()
{
    std::array<arrival, 16> batch;
    size_t count;
    do {
        for (count = 0; count < batch.size() && m_arrivals.pop(m_now_ps, batch[count]); count++) {
            prefetch_tags(batch[count]);
        }
        for (size_t n = 0; n < count; n++) {
            m_statistics.events++;
            m_arriving[batch[n].slice]--;
            start(batch[n]);
            resume(batch[n].slice);
        }
    } while (count != 0);
}

void l2::prefetch_tags(const arrival &arrived) const
{
    const l2_memory *memory = arrived.memory;
    if (memory != nullptr && !arrived.resident && arrived.bytes != 0) {
        const auto to_page_end = static_cast<uint32_t>(TL_CACHE_PAGE_BYTES - arrived.address % TL_CACHE_PAGE_BYTES);
        tl_cache_prefetch(m_cache, arrived.address, memory->pages ? 1 : std::min(arrived.bytes, to_page_end));
        tl_mshr_prefetch(m_mshr, memory->pages ? TL_MSHR_PAGES : TL_MSHR_LINES, arrived.address);
    }
}

const l2_memory *l2::memory_of(uint64_t address, uint64_t bytes) const
{
    for (const l2_memory &memory : m_config.memories) {
        const uint64_t offset = address - memory.base_address; // wraps below the base
        if (offset < memory.map.capacity_bytes && bytes <= memory.map.capacity_bytes - offset) {
            return &memory;
        }
    }
    return nullptr;
}

void l2::start(const arrival &arrived)
{
    access started = {arrived.trans, arrived.slice, 0, arrived.useful_bytes,
                      static_cast<tlm::tlm_response_status>(arrived.status)};

    if (arrived.memory == nullptr && started.status == tlm::TLM_OK_RESPONSE) {
        started.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    if (started.status == tlm::TLM_OK_RESPONSE && m_config.contents != nullptr) {
        m_config.contents->perform(*arrived.trans);
    }
    if (started.status != tlm::TLM_OK_RESPONSE || arrived.resident) {
        finish(started);
    } else {
        start_parts(take_access(started), arrived, *arrived.memory);
    }
}

// One part for each page or longest request that the transaction touches.
void l2::start_parts(uint32_t number, const arrival &arrived, const l2_memory &memory)
{
    const uint64_t unit = memory.pages ? uint64_t{TL_CACHE_PAGE_BYTES} : memory.request_bytes, in_unit = unit - 1;
    const uint64_t begin = arrived.address, end = begin + arrived.bytes;
    const bool whole = (begin & in_unit) == 0 && end - begin == unit; // its useful bytes are those of the part

    m_accesses[number].parts = static_cast<uint32_t>(((end - 1) | in_unit) - (begin | in_unit)) / static_cast<uint32_t>(unit) + 1;
    for (uint64_t at = begin, next; at < end; at = next) {
        next = std::min(end, (at | in_unit) + 1);
        const auto bytes = static_cast<uint32_t>(next - at);
        if (arrived.write) {
            write_part(memory, at, bytes, number);
        } else if (memory.pages) {
            demand_page(memory, at, whole ? arrived.useful_bytes : bytes, number);
        } else {
            demand_lines(memory, at, bytes, number);
        }
    }
}

void l2::part_done(uint32_t number)
{
    if (--m_accesses[number].parts == 0) {
        const access done = m_accesses[number];
        m_free_accesses.push_back(number);
        finish(done);
    }
}

void l2::finish(const access &done)
{
    sc_core::sc_time delay = m_half_latency;

    if (m_slice_rate.limited()) {
        uint64_t &free_ps = m_slice_free_ps[done.slice];
        const uint64_t leaves = std::max(m_now_ps + m_config.latency_ps / 2, free_ps);
        free_ps = leaves + m_slice_rate.ps(done.useful_bytes);
        delay = time_of(leaves - m_now_ps);
    }
    done.trans->set_response_status(done.status);
    m_pending--;
    m_responses[done.slice].respond(slices[done.slice], *done.trans, delay);
}

void l2::settle()
{
    const tl_cache_counters *cache = tl_cache_get_counters(m_cache);
    tl_mshr_counts *const counts[] = {&m_statistics.line_mshr, &m_statistics.page_mshr};
    m_statistics.caches.l2_hits = cache->hits;
    m_statistics.caches.l2_misses = cache->misses;
    m_statistics.caches.l2_thrash = cache->thrash;
    for (const tl_mshr_partition partition : {TL_MSHR_LINES, TL_MSHR_PAGES}) {
        const tl_mshr_counters *from = tl_mshr_get_counters(m_mshr, partition);
        *counts[partition] = {from->occupancy_entry_ps, from->peak, from->allocated, from->merged,
                              from->refused_demands + from->refused_prefetches};
    }
}

} // namespace tilelens
