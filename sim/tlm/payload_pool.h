// SPDX-License-Identifier: Apache-2.0
// Memory manager of one initiator: payloads of its own type, which carry what the initiator wants to know when the
// response comes. They are reused, never freed before the pool.
#ifndef TILELENS_SIM_TLM_PAYLOAD_POOL_H
#define TILELENS_SIM_TLM_PAYLOAD_POOL_H

#include <deque>
#include <tlm>
#include <vector>

#include "memory_info.h"

namespace tilelens
{

// A payload with its extension inside.
struct info_payload : tlm::tlm_generic_payload {
    explicit info_payload(tlm::tlm_mm_interface *pool) : tlm::tlm_generic_payload(pool) { set_extension(&info); }
    ~info_payload() override { clear_extension(&info); } // not the base's to free
    info_payload(const info_payload &) = delete;
    info_payload &operator=(const info_payload &) = delete;

    memory_info info;
};

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
        payload->acquire();
        return *payload;
    }

    void free(tlm::tlm_generic_payload *payload) override { m_free.push_back(static_cast<Payload *>(payload)); }

private:
    std::deque<Payload> m_all;
    std::vector<Payload *> m_free;
};

} // namespace tilelens
#endif
