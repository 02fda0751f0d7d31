/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct law {
    const char *counter;
    uint64_t found;
    uint64_t expected;
    const char *why;
} law;

bool tl_statistics_check(const tl_statistics *statistics, char broken[TL_STATISTICS_BROKEN_BYTES])
{
    const tl_byte_counts *bytes = &statistics->bytes;
    const law laws[] = {
        {"refused_requests", statistics->refused_requests, 0, "channels are sent legal addresses in order of time"},
        {"hbf_writes_after_load", statistics->flash.writes_after_load, 0, "flash is written at load time only"},
        {"requests_answered", statistics->answered.count, statistics->sent.count, "requests_sent"},
        {"tiles_delivered", statistics->tiles.delivered, statistics->tiles.issued, "tiles_issued"},
        {"tma_delivered_bytes", bytes->tma_delivered, bytes->tma_asked, "tma_asked_bytes"},
        {"channel_read_bytes", bytes->channels_read, bytes->l2_filled + bytes->sram_filled + bytes->bypassed,
         "l2_filled_bytes + sram_filled_bytes + bypassed_bytes"},
        {"channel_reads", statistics->channel_reads, statistics->channel_latency.count, "reads answered"},
    };
    for (size_t n = 0; n < sizeof laws / sizeof laws[0]; n++) {
        if (laws[n].found != laws[n].expected) {
            (void)snprintf(broken, TL_STATISTICS_BROKEN_BYTES, "%s: found %" PRIu64 ", expected %" PRIu64 " (%s)",
                           laws[n].counter, laws[n].found, laws[n].expected, laws[n].why);
            return false;
        }
    }
    if (statistics->sent.fingerprint != statistics->answered.fingerprint) {
        (void)snprintf(broken, TL_STATISTICS_BROKEN_BYTES,
                       "requests_answered: found another request twice for each lost one, expected each exactly once");
        return false;
    }
    return true;
}
