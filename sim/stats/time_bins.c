/* SPDX-License-Identifier: Apache-2.0 */
#include "time_bins.h"

#include <stddef.h>
#include <string.h>

void tl_time_bins_widen(tl_time_bins *bins, uint64_t now_ps)
{
    while (now_ps / TL_TIME_BIN_PS >> bins->doublings >= TL_TIME_BINS) {
        for (size_t n = 0; n < TL_TIME_BINS / 2; n++) {
            bins->amount[n] = bins->amount[2 * n] + bins->amount[2 * n + 1];
        }
        memset(&bins->amount[TL_TIME_BINS / 2], 0, sizeof bins->amount / 2);
        bins->used = (bins->used + 1) / 2;
        bins->doublings++;
    }
}
