/* SPDX-License-Identifier: Apache-2.0 */
#include "channel.h"

#include <stddef.h>

static const char *const status_names[TL_MEM_STATUS_COUNT] = {
    [TL_MEM_OK] = "ok",
    [TL_MEM_FULL] = "queue full",
    [TL_MEM_MISALIGNED] = "misaligned address",
    [TL_MEM_BAD_SIZE] = "bad size",
    [TL_MEM_OUT_OF_RANGE] = "address out of range",
    [TL_MEM_TIME_BACKWARD] = "time goes backwards",
    [TL_MEM_BAD_MAP] = "address map is not a bijection",
};

const char *tl_mem_status_str(tl_mem_status status)
{
    return (unsigned)status < TL_MEM_STATUS_COUNT ? status_names[status] : "unknown status";
}

void tl_refresh_all_bank(tl_refresh_config *refresh, uint32_t channel, uint32_t channels)
{
    refresh->mode = TL_REFRESH_ALL_BANK;
    refresh->interval_ps = 3900000;
    refresh->duration_ps = 260000;
    refresh->phase_ps = refresh->interval_ps * (channel + 1) / channels;
}

const char *tl_refresh_check(const tl_refresh_config *refresh, uint32_t banks, uint64_t access_ps)
{
    if (refresh->mode == TL_REFRESH_NONE) {
        return NULL;
    }
    if (refresh->interval_ps == 0 || refresh->phase_ps == 0) {
        return "refresh: interval_ps and phase_ps at least 1";
    }
    const uint64_t turns = refresh->mode == TL_REFRESH_PER_BANK ? banks : 1;
    return (refresh->duration_ps + access_ps) / turns < refresh->interval_ps
               ? NULL
               : "refresh: interval of a bank longer than its refresh and one access together";
}
