// SPDX-License-Identifier: Apache-2.0
// The data of the memory system: initiators at the slices and at a channel read what was written.
#include <cstring>

#include "tlm_traffic.h"

using namespace tilelens;

namespace
{

const settings base = small_machine + settings{"prefetch=none", "system.refresh.mode=none"} + system_named("h200_hbf");

// Writes and reads bytes of its own range by b_transport, and knows what they must be.
struct owner final : sc_core::sc_module {
    static constexpr unsigned range_bytes = 50000, accesses = 400;

    owner(const sc_core::sc_module_name &name, uint64_t begin, uint64_t seed)
        : sc_module(name), socket("socket"), m_begin(begin), m_random(seed), bytes(range_bytes)
    {
        SC_THREAD(run);
    }
    SC_HAS_PROCESS(owner);

    void run()
    {
        for (unsigned n = 0; n < accesses; n++) {
            const auto at = next_random(m_random) % range_bytes;
            const auto count = std::min(1 + next_random(m_random) % (n % 16 == 0 ? 9000 : 100), range_bytes - at);
            const bool write = next_random(m_random) % 2 == 0;
            std::vector<unsigned char> data(count);
            for (unsigned char &byte : data) {
                byte = static_cast<unsigned char>(next_random(m_random));
            }
            const std::vector<unsigned char> before = data;
            ck_assert_int_eq(transport(write, at, data), tlm::TLM_OK_RESPONSE);
            const auto mine = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            if (write) {
                ck_assert(data == before);
                std::copy(data.begin(), data.end(), mine);
            } else {
                ck_assert(std::equal(data.begin(), data.end(), mine));
            }
        }
        done = true;
    }

    tlm::tlm_response_status transport(bool write, uint64_t at, std::vector<unsigned char> &data)
    {
        tlm::tlm_generic_payload trans;
        sc_core::sc_time delay;
        set_payload(trans, {m_begin + at, static_cast<uint32_t>(data.size())});
        trans.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        trans.set_data_ptr(data.data());
        socket->b_transport(trans, delay);
        return trans.get_response_status();
    }

    tlm_utils::simple_initiator_socket<owner> socket;
    bool done = false;

private:
    const uint64_t m_begin;
    uint64_t m_random;

public:
    std::vector<unsigned char> bytes;
};

// One at each slice, in HBM and in flash; at the end transport_dbg and contents agree with all of them.
START_TEST(slices_keep_data)
{
    memory_bench bench(base);
    std::deque<owner> owners;
    for (uint32_t slice = 0; slice < bench.config.system.l2.slices; slice++) {
        const uint64_t begin = (slice % 2 == 0 ? flash_base_address : 0) + 100 + slice * 60000;
        owners.emplace_back(sc_core::sc_gen_unique_name("owner"), begin, 77 + slice);
        bench.use(slice, owners.back().socket);
    }
    sc_core::sc_start();
    bench.expect_clean();
    for (uint32_t slice = 0; slice < owners.size(); slice++) {
        const uint64_t begin = (slice % 2 == 0 ? flash_base_address : 0) + 100 + slice * 60000;
        owner &each = owners[slice];
        std::vector<unsigned char> found(owner::range_bytes);
        ck_assert(each.done);
        tlm::tlm_generic_payload trans;
        set_payload(trans, {begin, owner::range_bytes});
        trans.set_data_ptr(found.data());
        ck_assert_uint_eq(each.socket->transport_dbg(trans), owner::range_bytes);
        ck_assert(found == each.bytes);
        bench.contents.read(begin, found.data(), found.size());
        ck_assert(found == each.bytes);
        trans.set_address(UINT64_MAX - 5);
        ck_assert_uint_eq(each.socket->transport_dbg(trans), 0);
    }
}
END_TEST

// What a channel answers with an error does not stay in the L2: the second read asks again, and is right.
START_TEST(an_error_is_not_kept)
{
    const uint64_t address = _i == 0 ? 1 << 21 : flash_base_address + (1 << 21);
    const settings keys = base + settings{"system.hbm.channels_per_stack=1", "system.hbf.channels_per_stack=1",
                                          "system.hbm.stacks=1", "system.hbf.stacks=1", "system.l2.slices=1"};
    faulty_link fault("fault", fault_kind::error_response, 0);
    memory_bench bench(keys, _i == 0 ? "system.l2.channels_1" : "system.l2.channels_0", &fault);
    std::vector<test_access> list(3, read_at(address, 64));
    listed_requester user("user", list, 1);
    bench.use(0, user.initiator.socket);
    sc_core::sc_start();
    bench.expect_clean();
    ck_assert(fault.happened());
    ck_assert_int_eq(user.answers[0].status, tlm::TLM_GENERIC_ERROR_RESPONSE);
    ck_assert_int_eq(user.answers[1].status, tlm::TLM_OK_RESPONSE);
    ck_assert_int_eq(user.answers[2].status, tlm::TLM_OK_RESPONSE);
    const tl_statistics &statistics = bench.system.settle();
    ck_assert_uint_eq(statistics.sent.count, 2);
    ck_assert_uint_eq(statistics.caches.l2_hits, 1);
    ck_assert_uint_eq(statistics.caches.l2_misses, 2);
    ck_assert_uint_eq(statistics.bytes.l2_filled, _i == 0 ? 64 : 4096);
}
END_TEST

// Writes an access and reads it back.
struct writer final : sc_core::sc_module {
    SC_CTOR(writer) : socket("socket") { SC_THREAD(run); }

    void run()
    {
        for (unsigned k = 0; k < sizeof out; k++) {
            out[k] = static_cast<unsigned char>(3 * k + 1);
        }
        for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
            tlm::tlm_generic_payload trans;
            sc_core::sc_time delay;
            set_payload(trans, {640, sizeof out, command});
            trans.set_data_ptr(command == tlm::TLM_WRITE_COMMAND ? out : in);
            socket->b_transport(trans, delay);
            ck_assert(trans.is_response_ok());
        }
    }

    tlm_utils::simple_initiator_socket<writer> socket;
    unsigned char out[64] = {0}, in[64] = {0};
};

START_TEST(a_channel_keeps_data)
{
    tl_hbm_config config;
    tl_hbm_config_simple(&config);
    sparse_memory contents;
    memory_channel channel("channel", make_channel(config), &contents);
    writer user("user");
    user.socket.bind(channel.socket);
    sc_core::sc_start();
    unsigned char found[64];
    contents.read(640, found, sizeof found);
    ck_assert_uint_eq(found[63], 3 * 63 + 1);
    ck_assert_mem_eq(user.in, user.out, sizeof found);
    ck_assert_mem_eq(user.in, found, sizeof found);
}
END_TEST

} // namespace

TCase *make_tests()
{
    TCase *tests = tcase_create("contents");
    tcase_add_test(tests, slices_keep_data);
    tcase_add_loop_test(tests, an_error_is_not_kept, 0, 2);
    tcase_add_test(tests, a_channel_keeps_data);
    return tests;
}
