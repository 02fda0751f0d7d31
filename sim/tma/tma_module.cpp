// SPDX-License-Identifier: Apache-2.0
// Construction, the command socket, and the life of a command from issue to completion.
#include "tma_module.h"

#include <algorithm>
#include <string>

namespace tilelens
{

namespace
{

constexpr uint64_t map_align_bytes = 64;
constexpr uint32_t mbarrier_align_bytes = 8;

const tma_config &checked(const tma_config &config)
{
    if (const char *field = tma_config_check(config)) {
        SC_REPORT_FATAL("tilelens/tma", (std::string("configuration: ") + field + " is out of its range").c_str());
    }
    return config;
}

// The default clock is no multiple of a coarse time resolution, and would be another one without a word.
void check_resolution(const tma_config &config)
{
    const double wanted_ps = 1000.0 / 1.83, ps = config.clock_period.to_seconds() * 1e12;
    if (config.clock_period == tma_config().clock_period && (ps < 0.99 * wanted_ps || ps > 1.01 * wanted_ps)) {
        SC_REPORT_WARNING("tilelens/tma", ("configuration: clock_period: found the default, expected a period that is a "
                                           "multiple of the time resolution, " +
                                           sc_core::sc_get_time_resolution().to_string())
                                              .c_str());
    }
}

std::unique_ptr<request_engine> make_engine(const tma_config &config)
{
    auto engine = config.engine == tma_engine::c ? make_c_engine(config.variant) : make_rtl_engine(config.variant);
    if (engine == nullptr) {
        SC_REPORT_FATAL("tilelens/tma", "engine rtl: built without Verilator");
    }
    return engine;
}

} // namespace

tma::tma(const sc_core::sc_module_name &name, const tma_config &config)
    : sc_module(name), m_clock(checked(config).clock_period), m_global("global", m_clock), m_shared("shared", m_clock),
      commands("commands"), completions("completions"), m_config(config), m_registers(*this),
      m_annotated(this, &tma::on_annotated), m_engine(make_engine(config)),
      m_builder(config.access_bytes, config.sector_bytes, config.merge_entries), m_maps(config.map_cache_entries)
{
    check_resolution(config);
    commands.register_b_transport(this, &tma::b_transport);
    commands.register_nb_transport_fw(this, &tma::nb_transport_fw);
    commands.register_transport_dbg(this, &tma::transport_dbg);
    if (config.timing == tma_timing::approximate) {
        SC_METHOD(work);
        sensitive << m_clock.event;
        dont_initialize();
    } else {
        SC_THREAD(run);
        SC_METHOD(finish_commands);
        sensitive << m_finish;
        dont_initialize();
    }
}

tma::~tma() = default;

// ---- the command socket ----

void tma::b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
{
    while (!m_registers.access(trans, delay)) {
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        if (!has_room()) {
            sc_core::wait(m_room);
        }
    }
}

tlm::tlm_sync_enum tma::nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                        sc_core::sc_time &delay)
{
    if (phase != tlm::BEGIN_REQ && phase != tlm::END_RESP) {
        return tlm::TLM_ACCEPTED;
    }
    if (delay != sc_core::SC_ZERO_TIME) {
        if (phase == tlm::BEGIN_REQ) {
            trans.acquire();
        }
        m_annotated.notify(trans, phase, delay);
        return phase == tlm::BEGIN_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
    }
    if (phase == tlm::END_RESP || m_registers.access(trans, delay)) {
        if (phase == tlm::END_RESP) {
            m_responses.end_response(commands, trans);
        }
        return tlm::TLM_COMPLETED;
    }
    trans.acquire();
    m_held = &trans;
    return tlm::TLM_ACCEPTED;
}

// A phase whose annotated delay has passed.
void tma::on_annotated(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase)
{
    if (phase == tlm::END_RESP) {
        m_responses.end_response(commands, trans);
    } else {
        m_held = &trans;
        access_held();
    }
}

void tma::access_held()
{
    if (m_held != nullptr && m_registers.access(*m_held, sc_core::SC_ZERO_TIME)) {
        tlm::tlm_generic_payload &trans = *m_held;
        m_held = nullptr;
        m_responses.respond(commands, trans, sc_core::SC_ZERO_TIME);
    }
}

// ---- commands ----

tma::command_state &tma::take_state()
{
    if (m_free_states.empty()) {
        m_free_states.push_back(&m_states.emplace_back());
    }
    command_state &state = *m_free_states.back();
    m_free_states.pop_back();
    state = {};
    return state;
}

uint64_t tma::issue_at(const tma_command &command, const sc_core::sc_time &delay)
{
    if (!has_room()) {
        SC_REPORT_ERROR("tilelens/tma", "command issued to a full queue");
        return 0;
    }
    command_state &state = take_state();
    state.command = command;
    state.ticket = ++m_issued;
    state.result.ticket = state.ticket;
    if (command.operation != tma_operation::load) {
        state.command.load.shared_address = 0; // of no meaning, and to break no rule
    } else if (command.mbarrier_address % mbarrier_align_bytes != 0) {
        state.result.fault = tma_fault::mbarrier;
        state.result.response = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        state.result.address = command.mbarrier_address;
    }
    if (!command.inline_map && command.map_address % map_align_bytes != 0) {
        state.result.fault = tma_fault::map_read;
        state.result.response = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        state.result.address = command.map_address;
    }
    state.start_cycle = std::max(m_clock.cycle_at((sc_core::sc_time_stamp() + delay).value()), m_next_start);
    m_next_start = state.start_cycle + m_config.issue_gap_cycles;
    m_counters.commands++;
    m_order.push_back(&state);
    m_clock.wake();
    return state.ticket;
}

// The requests of the oldest command have all been generated.
void tma::leave_order()
{
    m_order.front()->is_generated = true;
    m_order.pop_front();
    m_started--;
    m_offered--;
    m_room.notify(sc_core::SC_ZERO_TIME);
    access_held();
}

void tma::complete(command_state &state)
{
    const tma_completion result = state.result;
    m_completed++;
    if (result.fault != tma_fault::none) {
        m_counters.failed++;
        m_registers.note(result);
    }
    m_free_states.push_back(&state);
    completions.write(result);
}

} // namespace tilelens
