// SPDX-License-Identifier: Apache-2.0
// Memory manager of one initiator: payloads of its own type, which carry what the initiator wants to know when the
// response comes. They are reused, never freed before the pool.
#ifndef TILELENS_SIM_TLM_PAYLOAD_POOL_H
#define TILELENS_SIM_TLM_PAYLOAD_POOL_H

#include <deque>
#include <tlm>
#include <typeinfo>
#include <vector>

#include "memory_info.h"

namespace tilelens
{

constexpr size_t host_line_bytes = 64; // of the cache of the machine that simulates

// A payload with its extension inside.
struct alignas(host_line_bytes) info_payload : tlm::tlm_generic_payload {
    explicit info_payload(tlm::tlm_mm_interface *pool) : tlm::tlm_generic_payload(pool) { set_extension(&info); }
    ~info_payload() override { clear_extension(&info); } // not the base's to free
    info_payload(const info_payload &) = delete;
    info_payload &operator=(const info_payload &) = delete;

    memory_info info;
};

// Finds the extension of payloads. The array of extensions, memory of its own, is read for foreign payloads only; of
// others the type that was met last is remembered, which spares most dynamic casts.
class info_finder
{
public:
    // Null: the payload has none.
    memory_info *operator()(tlm::tlm_generic_payload &trans)
    {
        const std::type_info *type = &typeid(trans);
        if (type != m_own) {
            if (dynamic_cast<info_payload *>(&trans) == nullptr) {
                return trans.get_extension<memory_info>();
            }
            m_own = type;
        }
        return &static_cast<info_payload &>(trans).info;
    }

private:
    const std::type_info *m_own = nullptr; // derived from info_payload
};

// A hint that changes nothing: the payload's response is near. A run has more payloads under way than fit in a cache.
inline void prefetch_payload(const tlm::tlm_generic_payload *trans)
{
    const auto *bytes = reinterpret_cast<const unsigned char *>(trans);
    for (size_t at = 0; at < sizeof(info_payload); at += host_line_bytes) {
        __builtin_prefetch(bytes + at, 1);
    }
}

template <typename Payload> class payload_pool final : public tlm::tlm_mm_interface
{
public:
    // With one reference; the other attributes are those of the last use.
    Payload &take()
    {
        if (m_free.empty()) {
            m_all.emplace_back(this);
            m_free.push_back(&m_all.back());
        }
        Payload *payload = m_free.back();
        m_free.pop_back();
        if (m_free.size() >= lookahead) {
            prefetch_payload(m_free[m_free.size() - lookahead]);
        }
        payload->acquire();
        return *payload;
    }

    void free(tlm::tlm_generic_payload *payload) override
    {
        payload->reset(); // extensions that others have added for its lifetime end here
        m_free.push_back(static_cast<Payload *>(payload));
    }

private:
    static constexpr size_t lookahead = 4;

    std::deque<Payload> m_all;
    std::vector<Payload *> m_free;
};

} // namespace tilelens
#endif
