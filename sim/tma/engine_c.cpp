// SPDX-License-Identifier: Apache-2.0
#include "request_engine.h"

namespace tilelens
{

namespace
{

// A request in every cycle. Set-up takes no cycle of its own: the module's set-up time stands for it.
class c_engine final : public request_engine
{
public:
    explicit c_engine(tl_variant variant) : m_variant(variant) {}

    bool has_room() const override { return !m_loaded; }

    void offer(uint64_t, const tl_tensor_map &map, const tl_load &load) override
    {
        m_status = tl_engine_start(&m_engine, &map, &load, m_variant);
        m_loaded = true;
    }

    uint64_t take(uint64_t cycle, request_beat &beat) override
    {
        beat.status = m_status;
        beat.request.last = true; // of a refusal
        if (m_status == TL_OK) {
            tl_engine_next(&m_engine, &beat.request);
        }
        m_loaded = !beat.request.last;
        return cycle;
    }

private:
    const tl_variant m_variant;
    tl_engine m_engine{};
    tl_status m_status = TL_OK;
    bool m_loaded = false;
};

} // namespace

std::unique_ptr<request_engine> make_c_engine(tl_variant variant)
{
    return std::make_unique<c_engine>(variant);
}

} // namespace tilelens
