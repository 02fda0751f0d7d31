// SPDX-License-Identifier: Apache-2.0
// From the tensor map over the engine's requests to reads, and from what they bring to writes of shared memory.
#include "tma_module.h"

#include <algorithm>

#include "tilelens/tensor_map.h"

namespace tilelens
{

namespace
{

// What every byte of a fill repeats, and over how many bytes.
uint64_t fill_pattern_of(const tl_tensor_params &params, const tl_nan_patterns &nan)
{
    uint32_t index = 0;
    while (1u << index < tl_element_bytes(params.data_type)) {
        index++;
    }
    return params.oob_fill == TL_OOB_NAN ? nan.pattern[index] : 0;
}

void set_up(port_payload &trans, tlm::tlm_command command, uint64_t address, unsigned char *data, uint32_t bytes)
{
    trans.set_command(command);
    trans.set_address(address);
    trans.sent_address = address;
    trans.set_data_ptr(data);
    trans.set_data_length(bytes);
    trans.set_streaming_width(bytes);
    trans.set_byte_enable_ptr(nullptr);
    trans.info.useful_bytes = bytes;
}

} // namespace

// The tensor map is in state.tensor_map, or could not be read. From here on the set-up takes its time.
void tma::map_arrived(command_state &state, uint64_t cycle)
{
    tma_completion &result = state.result;
    uint32_t setup_cycles = 0;
    if (result.fault == tma_fault::none && state.command.operation != tma_operation::prefetch_map) {
        setup_cycles = m_config.setup_cycles;
        result.status = tl_launch_check(&state.tensor_map, &state.command.load);
        if (result.status != TL_OK) {
            result.fault = tma_fault::refused;
        } else {
            tl_tensor_params params;
            tl_tensor_map_decode(&state.tensor_map, &params);
            state.element_bytes = tl_element_bytes(params.data_type);
            state.fill_pattern = fill_pattern_of(params, m_config.nan);
            result.bytes = tl_load_bytes(&state.tensor_map);
            setup_cycles += params.has_tile_major ? m_config.tile_major_setup_cycles : 0;
        }
    }
    state.map = nullptr;
    state.is_ready = true;
    state.ready_cycle = cycle + setup_cycles;
}

// Commands go to the engine in their order, as soon as their tensor map is known and the engine has room.
void tma::offer_loads(uint64_t cycle)
{
    for (; m_offered < m_started && m_order[m_offered]->is_ready; m_offered++) {
        command_state &state = *m_order[m_offered];
        if (state.result.fault != tma_fault::none || state.command.operation == tma_operation::prefetch_map) {
            continue;
        }
        if (!m_engine->has_room()) {
            return;
        }
        m_engine->offer(cycle, state.tensor_map, state.command.load);
        state.is_offered = true;
    }
}

// The next source request, taken in `cycle` or later. False: there is none; a fill, a refusal or the end.
bool tma::take_request(command_state &state, uint64_t &cycle, request_beat &beat)
{
    cycle = m_engine->take(cycle, beat);
    const tl_request &request = beat.request;
    state.last_taken = request.last;
    if (beat.status != TL_OK) {
        state.result.fault = tma_fault::refused;
        state.result.status = beat.status;
        state.result.bytes = 0;
        return false;
    }
    m_counters.requests++;
    if (request.fill) {
        m_counters.fill_requests++;
        write_fill(state, request);
    }
    return !request.fill;
}

// The next read of a command, made of requests from `cycle` on; `cycle` becomes the one in which it is complete. Null:
// there was a fill, or the command is at its end.
tma::read_payload *tma::build_read(command_state &state, uint64_t &cycle)
{
    if (m_spare == nullptr) {
        m_spare = &m_read_pool.take();
        m_spare->built.pieces.clear();
    }
    read_payload &read = *m_spare;
    request_beat beat;
    uint64_t next_cycle = cycle;
    bool is_built = m_builder.next(read.built);
    while (!is_built && !state.last_taken) {
        const bool is_source = take_request(state, next_cycle, beat);
        cycle = next_cycle++;
        if (is_source) {
            m_builder.add(beat.request);
            is_built = m_builder.next(read.built);
        } else if (m_builder.is_empty()) {
            break;
        }
    }
    is_built = is_built || (state.last_taken && m_builder.flush(read.built));
    state.is_generated = state.last_taken && m_builder.is_empty();
    if (!is_built) {
        return nullptr;
    }
    m_spare = nullptr;
    set_up_read(read, read.built.address, read.built.bytes);
    read.owner = &state;
    read.number = state.accesses++;
    read.info.useful_bytes = 0;
    for (const access_piece &piece : read.built.pieces) {
        read.info.useful_bytes += piece.bytes;
    }
    state.reads_open++;
    m_counters.reads++;
    m_counters.read_bytes += read.built.bytes;
    m_counters.useful_bytes += read.info.useful_bytes;
    return &read;
}

// Of two faults, the one of the earlier access stays, of two writes of one access the lower: it does not depend on who
// answers first.
void tma::note_fault(command_state &state, tma_fault fault, const port_payload &trans, uint32_t number)
{
    const bool is_first = state.result.fault == tma_fault::none || number < state.failed_access ||
                          (number == state.failed_access && trans.sent_address < state.result.address);
    if (is_first) {
        state.failed_access = number;
        state.result.fault = fault;
        state.result.response = trans.get_response_status();
        state.result.address = trans.sent_address;
    }
}

void tma::set_up_read(read_payload &read, uint64_t address, uint32_t bytes)
{
    if (read.data.size() < bytes) {
        read.data.resize(bytes);
    }
    set_up(read, tlm::TLM_READ_COMMAND, address, read.data.data(), bytes);
}

tma::read_payload &tma::new_map_read(uint64_t address, uint32_t bytes)
{
    read_payload &read = m_read_pool.take();
    set_up_read(read, address, bytes);
    return read;
}

tma::write_payload &tma::new_write(command_state &state, uint32_t address, uint32_t bytes)
{
    write_payload &write = m_write_pool.take();
    set_up(write, tlm::TLM_WRITE_COMMAND, address, write.data.data(), bytes);
    write.owner = &state;
    if (write.is_barrier) { // in its last use
        write.is_barrier = false;
        write.clear_extension(&write.barrier);
    }
    state.writes_open++;
    m_counters.shared_writes++;
    m_counters.shared_bytes += bytes;
    m_writes.push_back(&write);
    return write;
}

// The complete_tx of a load whose data are in shared memory.
tma::write_payload &tma::new_barrier(command_state &state)
{
    write_payload &write = new_write(state, state.command.mbarrier_address, sizeof(uint64_t));
    for (unsigned k = 0; k < sizeof(uint64_t); k++) {
        write.data[k] = static_cast<uint8_t>(state.result.bytes >> (8 * k));
    }
    write.number = state.accesses;
    write.is_barrier = true;
    write.barrier.bytes = state.result.bytes;
    write.barrier.ticket = state.ticket;
    write.set_extension(&write.barrier);
    state.barrier_sent = true;
    return write;
}

void tma::write_fill(command_state &state, const tl_request &request)
{
    if (state.command.operation != tma_operation::load) {
        return;
    }
    uint8_t bytes[2048];
    for (uint32_t k = 0; k < request.bytes; k++) {
        bytes[k] = static_cast<uint8_t>(state.fill_pattern >> (8 * (k % state.element_bytes)));
    }
    const uint32_t number = state.accesses++;
    write_swizzled(bytes, request.dst_address, request.bytes, request.swizzle_xor, [&](uint32_t at, uint32_t length) {
        write_payload &write = new_write(state, at, length);
        write.number = number;
        return write.data.data();
    });
}

void tma::write_data(const read_payload &read)
{
    command_state &state = *read.owner;
    if (state.command.operation != tma_operation::load) {
        return;
    }
    for (const access_piece &piece : read.built.pieces) {
        const uint8_t *data = read.data.data() + (piece.source - read.sent_address);
        write_swizzled(data, piece.destination, piece.bytes, piece.swizzle_xor, [&](uint32_t at, uint32_t length) {
            write_payload &write = new_write(state, at, length);
            write.number = read.number;
            return write.data.data();
        });
    }
}

} // namespace tilelens
