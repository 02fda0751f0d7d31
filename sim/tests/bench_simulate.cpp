// SPDX-License-Identifier: Apache-2.0
// Events and requests per CPU-second of whole runs, and as ratios to what SystemC itself can do: four-phase transactions
// between two modules that do nothing, 16 at a time, and timed notifications.
// Usage: bench_simulate CONFIG
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include "../config/config_file.h"
#include "../gpu/workload.h"
#include "../system/gpu_system.h"
#include "../tlm/payload_pool.h"

namespace
{

constexpr uint64_t ping_pongs = 4000000, notifications = 10000000;

double cpu_seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct echo final : sc_core::sc_module {
    tlm_utils::simple_target_socket<echo> socket;
    tlm_utils::peq_with_cb_and_phase<echo> queue;

    explicit echo(const sc_core::sc_module_name &name) : sc_module(name), socket("socket"), queue(this, &echo::on_phase)
    {
        socket.register_nb_transport_fw(this, &echo::nb_transport_fw);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        queue.notify(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    void on_phase(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase)
    {
        if (phase != tlm::BEGIN_REQ) {
            return;
        }
        send(trans, tlm::END_REQ);
        send(trans, tlm::BEGIN_RESP);
    }
    void send(tlm::tlm_generic_payload &trans, tlm::tlm_phase phase)
    {
        sc_core::sc_time delay(1, sc_core::SC_NS);
        socket->nb_transport_bw(trans, phase, delay);
    }
};

struct pinger final : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<pinger> socket;
    tlm_utils::peq_with_cb_and_phase<pinger> queue;
    tilelens::payload_pool<tilelens::info_payload> pool;
    uint64_t left = ping_pongs;

    explicit pinger(const sc_core::sc_module_name &name)
        : sc_module(name), socket("socket"), queue(this, &pinger::on_phase)
    {
        socket.register_nb_transport_bw(this, &pinger::nb_transport_bw);
    }
    void start_of_simulation() override
    {
        for (int n = 0; n < 16; n++) {
            ping();
        }
    }
    void ping()
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay(1, sc_core::SC_NS);
        left--;
        socket->nb_transport_fw(pool.take(), phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        queue.notify(trans, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    void on_phase(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &phase)
    {
        if (phase != tlm::BEGIN_RESP) {
            return;
        }
        tlm::tlm_phase end = tlm::END_RESP;
        sc_core::sc_time delay;
        socket->nb_transport_fw(trans, end, delay);
        trans.release();
        if (left != 0) {
            ping();
        }
    }
};

struct ticker final : sc_core::sc_module {
    sc_core::sc_event tick;
    uint64_t left = notifications;

    SC_HAS_PROCESS(ticker);
    explicit ticker(const sc_core::sc_module_name &name) : sc_module(name)
    {
        SC_METHOD(on_tick);
        sensitive << tick;
    }
    void on_tick()
    {
        if (left-- != 0) {
            tick.notify(1, sc_core::SC_NS);
        }
    }
};

struct rates {
    double per_second, requests_per_second, time_ns;
};

rates measure_ping_pong(const char *)
{
    pinger from("from");
    echo to("to");
    from.socket.bind(to.socket);
    const double start = cpu_seconds();
    sc_core::sc_start();
    return {static_cast<double>(ping_pongs) / (cpu_seconds() - start), 0, 0};
}

rates measure_notifications(const char *)
{
    ticker one("one");
    const double start = cpu_seconds();
    sc_core::sc_start();
    return {static_cast<double>(notifications) / (cpu_seconds() - start), 0, 0};
}

rates measure_run(const char *path, const std::vector<const char *> &settings)
{
    tl_config config;
    char error[TL_CONFIG_ERROR_BYTES];
    tl_input_error input_error;
    if (tl_config_load(path, settings.data(), settings.size(), &config, error, sizeof error) != 0) {
        std::fprintf(stderr, "%s\n", error);
        std::exit(2);
    }
    const tl_tensor_rate rate = {config.system.gpu.tensor_tflop_per_s * 1e12, config.system.gpu.sm_count,
                                 config.system.gpu.tensor_efficiency};
    const tl_placement placement = tilelens::placement_of(config.system);
    tl_workload *workload = tl_workload_create(&config.workload.model, &rate, &placement, &input_error);
    if (workload == nullptr) {
        std::exit(2);
    }
    tilelens::gpu_system system("system", config, *tl_workload_source(workload), nullptr);
    const double start = cpu_seconds();
    sc_core::sc_start();
    const double seconds = cpu_seconds() - start;
    const tl_statistics &statistics = system.settle();
    return {static_cast<double>(statistics.events) / seconds,
            static_cast<double>(statistics.channel_latency.count) / seconds,
            static_cast<double>(statistics.time_ps) / 1000};
}

// SystemC elaborates once in a process: every measurement has its own.
template <typename Measurement> rates in_child(Measurement measurement)
{
    int ends[2];
    rates result{};
    if (pipe(ends) != 0) {
        std::exit(1);
    }
    const pid_t child = fork();
    if (child == 0) {
        result = measurement();
        std::_Exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    }
    close(ends[1]); // so that a child that fails ends the reading
    if (child < 0 || read(ends[0], &result, sizeof result) != sizeof result) {
        std::exit(1);
    }
    waitpid(child, nullptr, 0);
    return result;
}

} // namespace

int sc_main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_simulate CONFIG\n");
        return 2;
    }
    const struct {
        const char *name;
        std::vector<const char *> settings;
    } runs[] = {
        {"HBF, tile-major", {}},
        {"HBF, row-major", {"layout=row_major"}},
        {"HBF, column-major, batch 4", {"layout=column_major", "workload.batch=4"}},
        {"HBM, column-major, batch 4",
         {"layout=column_major", "workload.batch=4", "system_file=configs/system/h200_hbm.yaml"}},
    };
    const rates ping = in_child([&] { return measure_ping_pong(argv[1]); });
    const rates tick = in_child([&] { return measure_notifications(argv[1]); });
    std::printf("SystemC: %.1f M four-phase transactions/s, %.1f M timed notifications/s (CPU)\n",
                ping.per_second / 1e6, tick.per_second / 1e6);
    for (const auto &run : runs) {
        const rates found = in_child([&] { return measure_run(argv[1], run.settings); });
        std::printf("%-28s %6.2f M events/s, %6.2f M requests/s: %.3f of four-phase, %.3f of notifications\n", run.name,
                    found.per_second / 1e6, found.requests_per_second / 1e6, found.per_second / ping.per_second,
                    found.per_second / tick.per_second);
    }
    return 0;
}

int main(int argc, char **argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
