// SPDX-License-Identifier: Apache-2.0
#include "channel_module.h"

namespace tilelens
{

namespace
{

// The functions tl_X_* of one type of channel under the names that are the same for all.
#define CHANNEL_FUNCTIONS(type)                                                                                        \
    struct type##_functions {                                                                                          \
        using channel = tl_##type;                                                                                     \
        static constexpr auto destroy = tl_##type##_destroy;                                                           \
        static constexpr auto admit = tl_##type##_admit;                                                               \
        static constexpr auto push = tl_##type##_push;                                                                 \
        static constexpr auto next_ps = tl_##type##_next_ps;                                                           \
        static constexpr auto pop = tl_##type##_pop;                                                                   \
        static constexpr auto promote = tl_##type##_promote;                                                           \
        static constexpr auto advance = tl_##type##_advance;                                                           \
        static constexpr auto counters = tl_##type##_counters_of;                                                      \
        static constexpr auto pending = tl_##type##_pending;                                                           \
    }

CHANNEL_FUNCTIONS(hbm);
CHANNEL_FUNCTIONS(hbf);
CHANNEL_FUNCTIONS(rome);

template <typename Functions> class channel_of : public channel_model
{
public:
    explicit channel_of(typename Functions::channel *channel) : m_channel(channel) {}
    ~channel_of() override { Functions::destroy(m_channel); }
    channel_of(const channel_of &) = delete;
    channel_of &operator=(const channel_of &) = delete;

    tl_mem_status admit(uint64_t now_ps, const tl_mem_request &request) const override
    {
        return Functions::admit(m_channel, now_ps, &request);
    }
    bool push(uint64_t now_ps, const tl_mem_request &request) override
    {
        return Functions::push(m_channel, now_ps, &request);
    }
    uint64_t next_ps() override { return Functions::next_ps(m_channel); }
    bool pop(uint64_t now_ps, tl_mem_completion &completion) override
    {
        return Functions::pop(m_channel, now_ps, &completion);
    }
    bool promote(uint64_t now_ps, uint64_t tag) override { return Functions::promote(m_channel, now_ps, tag); }
    void advance(uint64_t now_ps) override { Functions::advance(m_channel, now_ps); }
    const tl_mem_counters &counters() const override { return Functions::counters(m_channel)->mem; }
    uint32_t pending() const override { return Functions::pending(m_channel); }

protected:
    typename Functions::channel *m_channel;
};

class hbm_model final : public channel_of<hbm_functions>
{
public:
    using channel_of::channel_of;
    uint64_t row_hits() const override { return tl_hbm_counters_of(m_channel)->row_hits; }
    uint64_t row_misses() const override { return tl_hbm_counters_of(m_channel)->row_misses; }
};

class hbf_model final : public channel_of<hbf_functions>
{
public:
    using channel_of::channel_of;
    const tl_hbf_counters *flash() const override { return tl_hbf_counters_of(m_channel); }
    void end_load() override { tl_hbf_end_load(m_channel); }
};

template <typename Model, typename Channel> std::unique_ptr<channel_model> wrap(Channel *channel)
{
    return channel == nullptr ? nullptr : std::make_unique<Model>(channel);
}

} // namespace

std::unique_ptr<channel_model> make_channel(const tl_hbm_config &config)
{
    return wrap<hbm_model>(tl_hbm_create(&config));
}

std::unique_ptr<channel_model> make_channel(const tl_hbf_config &config)
{
    return wrap<hbf_model>(tl_hbf_create(&config));
}

std::unique_ptr<channel_model> make_channel(const tl_rome_config &config)
{
    return wrap<channel_of<rome_functions>>(tl_rome_create(&config));
}

} // namespace tilelens
