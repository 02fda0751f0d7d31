// SPDX-License-Identifier: Apache-2.0
// Whole machines: the base protocol on every socket, conservation, and what is said when a response is lost, comes twice or
// never comes.
#include "tlm_suite.h"

#include <memory>
#include <vector>

#include "../config/config_file.h"
#include "../gpu/workload.h"
#include "../system/gpu_system.h"
#include "tlm_monitor.h"

using namespace tilelens;

namespace
{

// Stands between an initiator and a target and spoils the responses of one link.
struct saboteur final : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
    enum crime { loses_one, swallows_all, fails_one };

    explicit saboteur(const sc_core::sc_module_name &name, crime what) : sc_module(name), in("in"), out("out"), m_crime(what)
    {
        in.bind(*this);
        out.bind(*this);
    }
    tlm::tlm_target_socket<> in;
    tlm::tlm_initiator_socket<> out;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        return out->nb_transport_fw(trans, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        const bool first = phase == tlm::BEGIN_RESP && m_responses++ == 0;
        if ((m_crime == loses_one && first) || (m_crime == swallows_all && phase == tlm::BEGIN_RESP)) {
            return tlm::TLM_COMPLETED;
        }
        if (m_crime == fails_one && first) {
            trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        }
        return in->nb_transport_bw(trans, phase, delay);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override { out->b_transport(trans, delay); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    const crime m_crime;
    uint64_t m_responses = 0;
};

constexpr const char *small_model[] = {"workload.hidden=400",       "workload.intermediate=176", "workload.experts=4",
                                       "workload.top_k=2",          "workload.batch=6",          "workload.tile_n=64",
                                       "workload.tile_k=64",        "workload.ctas_per_sm=2",    "workload.stages=2",
                                       "workload.tiles_in_flight=2", "system.gpu.sm_count=5",    "system.hbf.read_latency_us=1"};

// A machine with a small model, a module of the test's in some of its links.
struct machine {
    explicit machine(std::vector<const char *> settings, socket_link link = link_directly)
    {
        char error[TL_CONFIG_ERROR_BYTES];
        tl_input_error input_error;
        settings.insert(settings.end(), std::begin(small_model), std::end(small_model));
        ck_assert_msg(tl_config_load("../../configs/figure/base/run.yaml", settings.data(), settings.size(), &config, error,
                                     sizeof error) == 0,
                      "%s", error);
        const tl_tensor_rate rate = {1e15, config.system.gpu.sm_count, 1};
        const tl_placement placement = placement_of(config.system);
        workload = tl_workload_create(&config.workload.model, &rate, &placement, &input_error);
        ck_assert_ptr_nonnull(workload);
        system = std::make_unique<gpu_system>("system", config, *tl_workload_source(workload), nullptr, std::move(link));
    }
    ~machine()
    {
        system.reset();
        tl_workload_destroy(workload);
    }
    const tl_statistics &run()
    {
        sc_core::sc_start();
        return system->settle();
    }

    tl_config config{};
    tl_workload *workload = nullptr;
    std::unique_ptr<gpu_system> system;
};

struct machine_case {
    const char *system, *layout, *more;
};
constexpr machine_case machine_cases[] = {
    {"h200_hbm", "column_major", "prefetch=none"},
    {"h200_hbm", "tile_major", "system.hbm.read_queue_entries=1"},
    {"h200_hbm", "row_major", "system.mshr.line_entries=8"},
    {"h200_hbf", "tile_major", "prefetch=adaptive"},
    {"h200_hbf", "row_major", "system.hbf.queue_entries=1"},
    {"h200_hbf", "column_major", "system.mshr.page_entries=2"},
    {"h200_hbf_sram", "tile_major", "prefetch=forced"},
    {"h200_hbf_sram", "row_major", "prefetch=adaptive"},
    {"h200_rome", "tile_major", "system.rome.queue_entries=1"},
    {"h200_rome", "column_major", "system.l2.slices=5"},
};

} // namespace

START_TEST(every_socket_keeps_the_base_protocol)
{
    const machine_case &at = machine_cases[_i];
    const std::string system_file = std::string("system_file=../../configs/system/") + at.system + ".yaml";
    const std::string layout = std::string("layout=") + at.layout;
    std::vector<std::unique_ptr<tlm_monitor>> monitors;
    machine under_test({system_file.c_str(), layout.c_str(), at.more}, [&](auto &from, auto &to) {
        monitors.push_back(std::make_unique<tlm_monitor>(sc_core::sc_gen_unique_name("monitor")));
        from.bind(monitors.back()->in);
        monitors.back()->out.bind(to);
    });
    const tl_statistics &statistics = under_test.run();
    char broken[TL_STATISTICS_BROKEN_BYTES] = "";
    uint64_t ended = 0;

    ck_assert_str_eq(under_test.system->deadlock().c_str(), "");
    ck_assert_msg(tl_statistics_check(&statistics, broken), "%s", broken);
    for (const auto &monitor : monitors) {
        monitor->expect_all_ended();
        ck_assert_msg(monitor->violations().empty(), "%s", monitor->violations().front().text.c_str());
        ended += monitor->ended();
    }
    ck_assert_uint_gt(ended, 1000);
    ck_assert_uint_eq(statistics.bytes.tma_delivered, statistics.bytes.tma_asked);
}
END_TEST

// The saboteur stands in front of one channel, number `spoiled` of those that are bound.
static void run_spoiled(saboteur::crime crime, std::string &waiting, std::string &broken, std::string &error)
{
    constexpr unsigned slices = 96, spoiled = slices + 7;
    unsigned bound = 0;
    std::unique_ptr<saboteur> villain;
    machine under_test({"system_file=../../configs/system/h200_hbm.yaml"}, [&](auto &from, auto &to) {
        if (bound++ != spoiled) {
            from.bind(to);
            return;
        }
        villain = std::make_unique<saboteur>("villain", crime);
        from.bind(villain->in);
        villain->out.bind(to);
    });
    const tl_statistics &statistics = under_test.run();
    char text[TL_STATISTICS_BROKEN_BYTES] = "";
    waiting = under_test.system->deadlock();
    error = under_test.system->processors().error();
    if (!tl_statistics_check(&statistics, text)) {
        broken = text;
    }
}

START_TEST(a_lost_response_is_named)
{
    std::string waiting, broken, error;
    run_spoiled(_i == 0 ? saboteur::loses_one : saboteur::swallows_all, waiting, broken, error);
    ck_assert_msg(waiting.find("waits for") != std::string::npos, "%s", waiting.c_str());
    ck_assert_msg(waiting.find("reads of its tile") != std::string::npos, "%s", waiting.c_str());
    ck_assert_msg(broken.find("requests_answered") != std::string::npos, "%s", broken.c_str());
}
END_TEST

START_TEST(an_error_response_ends_the_run)
{
    std::string waiting, broken, error;
    run_spoiled(saboteur::fails_one, waiting, broken, error);
    ck_assert_msg(error.find("TLM_GENERIC_ERROR_RESPONSE") != std::string::npos, "%s", error.c_str());
}
END_TEST

TCase *make_tests()
{
    TCase *tests = tcase_create("system");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_socket_keeps_the_base_protocol, 0,
                        static_cast<int>(sizeof machine_cases / sizeof *machine_cases));
    tcase_add_loop_test(tests, a_lost_response_is_named, 0, 2);
    tcase_add_test(tests, an_error_response_ends_the_run);
    return tests;
}
