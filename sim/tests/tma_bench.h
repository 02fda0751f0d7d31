// SPDX-License-Identifier: Apache-2.0
// One TMA between random targets, with a monitor on each of its sockets, and what the oracle says that shared memory
// must hold after each command.
#ifndef TILELENS_SIM_TESTS_TMA_BENCH_H
#define TILELENS_SIM_TESTS_TMA_BENCH_H

#include <functional>
#include <string>
#include <vector>

#include "../tma/tma_module.h"
#include "oracle.h"
#include "tlm_monitor.h"
#include "tma_memories.h"
#include "tma_target.h"

namespace tilelens
{

// A command and the parameters that its tensor map was made of; legal: none of the launch rules is broken.
struct tma_job {
    tma_command command;
    tl_tensor_params params;
    bool legal;
};

class tma_bench final : public sc_core::sc_module
{
public:
    tma_bench(const sc_core::sc_module_name &name, const tma_config &config, uint64_t seed, uint64_t late_ps)
        : sc_module(name), dut("tma", config), m_global_target("global_target", seed, late_ps,
                                                               [this](auto &trans) { return global.perform(trans); }),
          m_shared_target("shared_target", seed + 1, late_ps / 4,
                          [this](auto &trans) { return shared.perform(trans); }),
          m_global_monitor("global_monitor"), m_shared_monitor("shared_monitor"), m_listener(*this)
    {
        dut.global.bind(m_global_monitor.in);
        m_global_monitor.out.bind(m_global_target.socket);
        dut.shared.bind(m_shared_monitor.in);
        m_shared_monitor.out.bind(m_shared_target.socket);
        dut.completions.bind(m_listener);
        m_global_target.on_request = [this](const auto &trans) {
            const access_record record{trans.get_address(), trans.get_data_length()};
            (global_memory::is_map(record.address) ? map_reads : reads).push_back(record);
            on_request(trans);
        };
        SC_METHOD(issue);
        sensitive << m_more << dut.room();
    }
    SC_HAS_PROCESS(tma_bench);

    global_memory global;
    shared_memory shared;
    tma dut;
    std::vector<tma_completion> completions; // by ticket - 1
    std::vector<access_record> reads;        // of boxes, in the order of their requests
    std::vector<access_record> map_reads;    // of tensor maps
    std::string fault;                       // the first difference; empty: none
    bool check_data = true;
    std::function<void(const tma_completion &)> on_completion = [](const tma_completion &) {};

    std::function<void(const tlm::tlm_generic_payload &)> on_request = [](const auto &) {}; // to global memory

    random_target &global_target() { return m_global_target; }

    // To be issued as soon as there is room.
    void add(const tma_job &job)
    {
        m_jobs.push_back(job);
        m_more.notify(sc_core::SC_ZERO_TIME);
    }

    // To be issued by somebody else, in this order.
    void expect(const tma_job &job)
    {
        m_jobs.push_back(job);
        m_issued++;
    }

    // At the end of a simulation: what is wrong; empty: nothing.
    std::string verdict()
    {
        if (fault.empty() && completions.size() != m_jobs.size()) {
            fault = "deadlock: " + std::to_string(completions.size()) + " of " + std::to_string(m_jobs.size()) +
                    " commands are over";
        }
        for (tlm_monitor *monitor : {&m_global_monitor, &m_shared_monitor}) {
            monitor->expect_all_ended();
            if (fault.empty() && !monitor->violations().empty()) {
                fault = monitor->violations().front().text;
            }
        }
        return fault;
    }

private:
    struct listener final : tlm::tlm_analysis_if<tma_completion> {
        explicit listener(tma_bench &of) : bench(of) {}
        void write(const tma_completion &done) override { bench.completed(done); }
        tma_bench &bench;
    };

    void issue()
    {
        for (; m_issued < m_jobs.size() && dut.has_room(); m_issued++) {
            dut.issue(m_jobs[m_issued].command);
        }
    }

    void completed(const tma_completion &done)
    {
        if (completions.size() < done.ticket) {
            completions.resize(done.ticket);
        }
        if (completions[done.ticket - 1].ticket != 0) {
            note("command " + std::to_string(done.ticket) + " is over twice");
        }
        completions[done.ticket - 1] = done;
        const tma_job &job = m_jobs[done.ticket - 1];
        if (check_data) {
            check(job, done);
        }
        on_completion(done);
    }

    void note(const std::string &text)
    {
        if (fault.empty()) {
            fault = text;
        }
    }

    bool may_run(const tma_job &job) const
    {
        const tl_variant variant = dut.config().variant;
        return job.legal && (!job.params.has_tile_major || variant == TL_GENERAL ||
                             (variant == TL_PAPER && tl_oracle_paper_accepts(&job.params, &job.command.load)));
    }

    void check(const tma_job &job, const tma_completion &done)
    {
        const std::string name = "command " + std::to_string(done.ticket) + ", " + name_of(done.fault) + ": ";
        const bool map_fails = !job.command.inline_map && global.failing_maps.hit(job.command.map_address);
        if (map_fails || !may_run(job)) {
            if (done.fault != (map_fails ? tma_fault::map_read : tma_fault::refused)) {
                note(name + "expected a refusal or a map that cannot be read");
            }
            return;
        }
        const bool good = check_box(job, name);
        const bool failed = done.fault == tma_fault::data_read || done.fault == tma_fault::shared_write;
        if (good ? done.fault != tma_fault::none : !failed) {
            note(name + (good ? "nothing is missing" : "bytes are missing"));
        }
        const bool is_load = job.command.operation == tma_operation::load;
        if (barrier_of(done) != (is_load && done.fault == tma_fault::none)) {
            note(name + "complete_tx");
        }
    }

    bool barrier_of(const tma_completion &done)
    {
        for (const complete_tx_info &barrier : shared.barriers) {
            if (barrier.ticket == done.ticket && barrier.bytes == done.bytes) {
                return true;
            }
        }
        return false;
    }

    // Whether no access of the box fails. Of a load, every byte must be there but those behind a failed access.
    bool check_box(const tma_job &job, const std::string &name)
    {
        const tl_load &load = job.command.load;
        const bool is_load = job.command.operation == tma_operation::load;
        const uint64_t begin = load.shared_address, footprint = tl_load_footprint_bytes(&job.command.map);
        const uint32_t s = tl_element_bytes(job.params.data_type);
        std::vector<bool> expected(footprint);
        uint64_t missing = 0;
        for (uint64_t element = 0; element < tl_oracle_count(&job.params); element++) {
            tl_oracle_element at;
            tl_oracle_map(&job.params, &load, element, &at);
            for (uint64_t k = 0; k < s; k++) {
                const uint64_t to = at.dst_address + k;
                const bool fails = (!at.fill && global.failing.hit(at.src_address + k)) ||
                                   (is_load && shared.failing.hit(to));
                const shared_memory::cell cell = is_load ? shared.at(to) : shared_memory::cell{};
                if (is_load) { // a prefetch may have any shared address
                    expected[to - begin] = true;
                }
                missing += fails;
                if (cell.writes != (is_load && !fails)) {
                    note(name + std::to_string(cell.writes) + " writes of byte " + std::to_string(to));
                } else if (is_load && !fails && cell.byte != byte_of(job.params, at, k)) {
                    note(name + "wrong byte at " + std::to_string(to));
                }
            }
        }
        for (uint64_t offset = 0; is_load && offset < footprint; offset++) {
            if (!expected[offset] && shared.at(begin + offset).writes != 0) {
                note(name + "a write of a byte outside the box");
            }
        }
        if (is_load) {
            shared.forget(begin, footprint);
        }
        return missing == 0;
    }

    static uint8_t byte_of(const tl_tensor_params &params, const tl_oracle_element &element, uint64_t k)
    {
        if (!element.fill) {
            return global_memory::byte_at(element.src_address + k);
        }
        const uint32_t s = tl_element_bytes(params.data_type);
        return params.oob_fill == TL_OOB_ZERO ? 0 : k + 1 == s ? 0x7f : 0xff;
    }

    random_target m_global_target, m_shared_target;
    tlm_monitor m_global_monitor, m_shared_monitor;
    listener m_listener;
    std::vector<tma_job> m_jobs;
    size_t m_issued = 0;
    sc_core::sc_event m_more;
};

} // namespace tilelens
#endif
