// SPDX-License-Identifier: Apache-2.0
#include "gpu_system.h"

#include <algorithm>

#include "../config/module_config.h"

namespace tilelens
{

namespace
{

constexpr uint64_t first_address = uint64_t{1} << 21; // address 0 is no address for a TMA

uint64_t capacity_bytes(const tl_address_map_config &map)
{
    return map.units_per_target * map.targets * map.unit_bytes;
}

// Page to channel of one of the memories, whichever holds the weights.
tl_address_map_config map_of(const tl_system_config &system, int memory)
{
    tl_system_config as = system;
    tl_address_map_config map;
    as.placement.weights = memory;
    tl_config_page_map(&as, &map);
    return map;
}

uint32_t channels_of(const tl_system_config &system, int memory)
{
    return memory == TL_CONFIG_MEMORY_HBM   ? tl_config_hbm_channels(&system)
           : memory == TL_CONFIG_MEMORY_HBF ? tl_config_hbf_channels(&system)
                                            : tl_config_rome_channels(&system);
}

// The memories of a system, the one with the weights first.
std::vector<int> memories_of(const tl_system_config &system)
{
    const int weights = system.placement.weights, activations = tl_config_activation_memory(&system);
    return weights == activations ? std::vector<int>{weights} : std::vector<int>{weights, activations};
}

l2_memory l2_memory_of(const tl_system_config &system, int memory, uint32_t first_channel)
{
    const tl_address_map_config config = map_of(system, memory);
    l2_memory out{};
    out.base_address = memory == TL_CONFIG_MEMORY_HBF ? flash_base_address : 0;
    out.pages = memory != TL_CONFIG_MEMORY_HBM;
    out.request_bytes = system.hbm.request_bytes;
    out.first_channel = first_channel;
    out.moved = memory == TL_CONFIG_MEMORY_HBM   ? &tl_byte_counts::hbm_moved
                : memory == TL_CONFIG_MEMORY_HBF ? &tl_byte_counts::hbf_moved
                                                 : &tl_byte_counts::rome_moved;
    if (tl_address_map_init(&out.map, &config) != TL_MEM_OK) {
        SC_REPORT_FATAL("tilelens/gpu_system", "page map outside its ranges");
    }
    return out;
}

l2_config l2_config_of(const tl_config &config, const tl_load_source &source, sparse_memory *contents)
{
    const tl_system_config &system = config.system;
    const tl_byte_range weights = tl_operand_range(&source, TL_OPERAND_WEIGHT);
    l2_config out{};
    tl_config_cache(&system, &out.cache);
    tl_config_mshr(&system, &out.mshr);
    out.slices = system.l2.slices;
    out.latency_ps = system.l2.latency_ps;
    out.clock_khz = system.gpu.clock_khz;
    out.slice_bytes_per_clock = system.l2.slice_bytes_per_clock;
    out.promote_queued = system.prefetch.promote;
    for (const int memory : memories_of(system)) {
        out.memories.push_back(l2_memory_of(system, memory, out.channels));
        out.channels += channels_of(system, memory);
    }
    const l2_memory &home = out.memories.front();
    const bool mapped = weights.begin != weights.end; // else a trace of plain reads: all of the weights' memory
    out.weight_base = mapped ? weights.begin : home.base_address;
    out.weight_bytes = mapped ? weights.end - weights.begin : home.map.capacity_bytes;
    out.contents = contents;
    return out;
}

gpu_config gpu_config_of(const tl_system_config &system)
{
    const bool pages = system.placement.weights != TL_CONFIG_MEMORY_HBM;
    return {system.gpu.sm_count,
            system.gpu.clock_khz,
            system.gpu.sm_port_bytes_per_clock,
            system.gpu.tma_issue_bytes_per_clock,
            system.gpu.tma_setup_clocks,
            system.noc.latency_ps,
            system.noc.gbytes_per_s,
            system.l2.slices,
            {pages ? uint32_t{TL_CACHE_PAGE_BYTES} : 0, system.hbm.request_bytes, false}};
}

std::string channel_name(const char *memory, uint32_t channel)
{
    return std::string(memory) + "_" + std::to_string(channel);
}

std::string capacity_key(int memory)
{
    return memory == TL_CONFIG_MEMORY_HBM   ? "system.hbm.capacity_mib_per_channel"
           : memory == TL_CONFIG_MEMORY_HBF ? "system.hbf.capacity_gib_per_channel"
                                            : "system.rome.capacity_mib_per_channel";
}

} // namespace

tl_placement placement_of(const tl_system_config &system)
{
    if (system.placement.weights == TL_CONFIG_MEMORY_HBF) {
        return {flash_base_address, first_address};
    }
    const uint64_t half = capacity_bytes(map_of(system, system.placement.weights)) / 2;
    return {std::max(half / first_address * first_address, 2 * first_address), first_address};
}

tl_byte_range home_of(const tl_system_config &system, tl_operand operand)
{
    const int memory = operand == TL_OPERAND_WEIGHT ? system.placement.weights : tl_config_activation_memory(&system);
    const uint64_t begin = memory == TL_CONFIG_MEMORY_HBF ? flash_base_address : 0;
    return {begin, begin + capacity_bytes(map_of(system, memory))};
}

std::string missing_room(const tl_system_config &system, const tl_load_source &source)
{
    const int memories[] = {system.placement.weights, tl_config_activation_memory(&system)};
    const tl_placement placement = placement_of(system);
    const uint64_t bases[] = {placement.weight_base, placement.activation_base};
    static const char *const names[] = {"weights", "activations"};
    for (const tl_operand operand : {TL_OPERAND_WEIGHT, TL_OPERAND_ACTIVATION}) {
        const bool shared = operand == TL_OPERAND_ACTIVATION && memories[0] == memories[1];
        const uint64_t end = shared ? placement.weight_base : home_of(system, operand).end;
        const uint64_t base = bases[operand], used_end = tl_operand_range(&source, operand).end;
        if (used_end > end) {
            return capacity_key(memories[operand]) + ": found room for " + std::to_string(std::max(end, base) - base) +
                   " bytes of " + names[operand] + ", expected " + std::to_string(used_end - base);
        }
    }
    return "";
}

gpu_system::gpu_system(const sc_core::sc_module_name &name, const tl_config &config, const tl_load_source &source,
                       tl_trace_recorder *recorder, socket_link link, sparse_memory *contents)
    : sc_module(name), m_config(config), m_link(std::move(link)),
      m_timer("timer", byte_rate(1, config.system.gpu.clock_khz).ps(1)),
      m_gpu("gpu", gpu_config_of(config.system), source, m_statistics, recorder,
            [this](uint64_t address) { return m_l2.slice_of(address); }),
      m_l2("l2", l2_config_of(config, source, contents), m_statistics)
{
    for (uint32_t slice = 0; slice < config.system.l2.slices; slice++) {
        m_link(m_gpu.slices[slice], m_l2.slices[slice]);
    }
    const std::vector<int> memories = memories_of(config.system);
    m_buses.resize(std::max(channels_of(config.system, memories.front()), channels_of(config.system, memories.back())));
    for (const int memory : memories) {
        add_memory(memory);
    }
    add_prefetcher(source);
    m_statistics.scale = {tl_config_weight_bytes_per_s(&config.system), config.system.hbm.energy_fj_per_bit,
                          config.system.hbf.energy_fj_per_bit, config.system.rome.energy_fj_per_bit,
                          config.system.sram.energy_fj_per_bit};
}

void gpu_system::add_memory(int memory)
{
    const tl_system_config &system = m_config.system;
    const auto first = static_cast<uint32_t>(m_channels.size());
    for (uint32_t channel = 0; channel < channels_of(system, memory); channel++) {
        if (memory == TL_CONFIG_MEMORY_HBM) {
            tl_hbm_config hbm;
            tl_config_hbm(&system, channel, &hbm);
            hbm.shared_bus = is_daisy_chained() ? &m_buses[channel] : nullptr;
            add_channel("hbm", channel, make_channel(hbm));
        } else if (memory == TL_CONFIG_MEMORY_ROME) {
            tl_rome_config rome;
            tl_config_rome(&system, channel, &rome);
            add_channel("rome", channel, make_channel(rome));
        } else {
            tl_hbf_config hbf;
            tl_config_hbf(&system, &hbf);
            hbf.shared_bus = &m_buses[channel];
            add_channel("hbf", channel, make_channel(hbf));
            m_channels.back()->end_load();
        }
    }
    if (memory == TL_CONFIG_MEMORY_HBF && system.sram.enabled) {
        add_buffers(first);
        return;
    }
    for (auto channel = first; channel < m_channels.size(); channel++) {
        m_link(m_l2.channels[channel], m_channels[channel]->socket);
    }
}

bool gpu_system::is_daisy_chained() const
{
    return m_config.system.placement.weights == TL_CONFIG_MEMORY_HBF;
}

void gpu_system::add_channel(const char *memory, uint32_t number, std::unique_ptr<channel_model> model)
{
    if (model == nullptr) {
        SC_REPORT_FATAL("tilelens/gpu_system", "channel outside its ranges, or memory is short");
    }
    m_channels.push_back(
        std::make_unique<memory_channel>(channel_name(memory, number).c_str(), std::move(model), nullptr, &m_timer));
}

// An SRAM buffer for each stack, between the L2 and the stack's flash channels.
void gpu_system::add_buffers(uint32_t first)
{
    const tl_system_config &system = m_config.system;
    const uint32_t channels = system.hbf.channels_per_stack;
    tl_hbf_config hbf;
    tl_config_hbf(&system, &hbf);
    for (uint32_t stack = 0; stack < system.hbf.stacks; stack++) {
        sram_buffer_config config;
        tl_config_sram(&system, &config.sram);
        config.map = m_l2.map_at(flash_base_address);
        config.base_address = flash_base_address;
        config.first_channel = stack * channels;
        config.channels = channels;
        config.transfer_ps = hbf.transfer_ps;
        for (uint32_t channel = 0; channel < channels; channel++) {
            config.buses.push_back(&m_buses[config.first_channel + channel]);
        }
        m_buffers.push_back(std::make_unique<sram_buffer>(channel_name("sram", stack).c_str(), config));
        for (uint32_t channel = 0; channel < channels; channel++) {
            const uint32_t at = first + config.first_channel + channel;
            m_link(m_l2.channels[at], m_buffers.back()->targets[channel]);
            m_link(m_buffers.back()->initiators[channel], m_channels[at]->socket);
        }
    }
}

void gpu_system::add_prefetcher(const tl_load_source &source)
{
    if (m_config.prefetch == TL_CONFIG_PREFETCH_NONE) {
        return;
    }
    std::vector<tl_prefetch_tensor> tensors(source.kernel_count);
    tl_prefetcher_config config;
    tl_degree_config degree;
    tl_config_prefetcher(&m_config.system, &config);
    tl_config_degree(&m_config, &degree);
    config.tensor_count = tl_weight_walks(&source, m_gpu.loads(), config.page_bytes, tensors.data());
    config.tensors = tensors.data();
    m_prefetcher = std::make_unique<prefetcher>("prefetcher", config, degree);
    m_link(m_prefetcher->socket, m_l2.prefetches);
    m_l2.pages.bind(m_prefetcher->pages);
    m_gpu.waves.bind(m_prefetcher->waves);
    for (const auto &buffer : m_buffers) {
        buffer->evictions.bind(m_prefetcher->pages);
    }
}

const tl_statistics &gpu_system::settle()
{
    m_l2.settle();
    for (const auto &channel : m_channels) {
        channel->settle();
        const channel_model &model = channel->model();
        m_statistics.channel_reads += model.counters().reads;
        m_statistics.refused_requests += model.counters().refused_address + model.counters().refused_time;
        m_statistics.caches.row_hits += model.row_hits();
        m_statistics.caches.row_misses += model.row_misses();
        if (const tl_hbf_counters *flash = model.flash()) {
            tl_flash_counts &counts = m_statistics.flash;
            counts.writes_after_load += flash->writes_after_load;
            counts.worst_block_programs = std::max(counts.worst_block_programs, flash->worst_block_programs);
            counts.worn_blocks += flash->worn_blocks;
        }
    }
    if (m_prefetcher != nullptr) {
        const tl_prefetcher_counters &from = m_prefetcher->counters();
        m_statistics.prefetch = {from.demands, from.issued[TL_TIER_L2] + from.issued[TL_TIER_BUFFER],
                                 from.used,    from.covered,
                                 from.late,    m_prefetcher->late_ps(),
                                 from.evicted_unused};
    }
    return m_statistics;
}

std::string gpu_system::deadlock() const
{
    constexpr unsigned lines = 8;
    if (m_gpu.finished() && m_l2.pending() == 0 && m_l2.reads_in_flight() == 0) {
        return "";
    }
    uint32_t accepted = 0;
    for (const auto &channel : m_channels) {
        accepted += channel->model().pending();
    }
    return m_gpu.waiting(lines) + "L2: " + std::to_string(m_l2.pending()) + " transactions wait for " +
           std::to_string(m_l2.reads_in_flight()) + " requests to channels, which hold " + std::to_string(accepted) +
           "\n";
}

} // namespace tilelens
