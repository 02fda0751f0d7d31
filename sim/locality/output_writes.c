/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes of C: each element once, by its CTA's chiplet, past the L2. Where the CTAs follow a split of C, all of it is
 * local. With CTAs in turn, C lies in pages in turn, and the runs of a tile are cut at pages.
 */
#include "cta_schedule.h"
#include "locality_engines.h"

/* Pages in turn over the chiplets: the home of an address repeats after `period_bytes`. */
typedef struct pages {
    uint64_t page_bytes, chiplets, period_bytes;
} pages;

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void count_run(const pages *p, uint64_t start, uint64_t bytes, uint64_t times, uint64_t by_home[TL_CHIPLETS_MAX])
{
    while (bytes > 0) {
        const uint64_t part = tl_least(bytes, p->page_bytes - start % p->page_bytes);
        by_home[start / p->page_bytes % p->chiplets] += part * times;
        start += part;
        bytes -= part;
    }
}

/* `count` runs, `pitch` apart, whose homes repeat after `period` runs. */
static void count_tile(const pages *p, uint64_t start, uint64_t bytes, uint64_t pitch, uint64_t count,
                       uint64_t by_home[TL_CHIPLETS_MAX])
{
    if (pitch == bytes) {
        count_run(p, start, bytes * count, 1, by_home);
        return;
    }
    const uint64_t period = p->period_bytes / greatest_common_divisor(pitch, p->period_bytes);
    for (uint64_t n = 0; n < tl_least(period, count); n++) {
        count_run(p, start + n * pitch, bytes, (count - n - 1) / period + 1, by_home);
    }
}

void tl_output_count(const tl_locality_config *config, tl_locality_counters *out)
{
    const tl_locality_gemm *gemm = &config->gemm;
    const pages p = {config->placement.page_bytes, config->machine.chiplets,
                     config->placement.page_bytes * config->machine.chiplets};
    uint64_t base;
    uint64_t pitch;
    tl_cta_schedule schedule;
    tl_gemm_output(config, &base, &pitch);
    tl_cta_schedule_make(config, &schedule);
    for (uint64_t index = 0; index < schedule.rows * schedule.columns; index++) {
        const tl_cta cta = tl_cta_at(&schedule, index);
        const unsigned chiplet = tl_cta_chiplet(&schedule, index, cta);
        const uint64_t row = (uint64_t)cta.i * config->tile.m;
        const uint64_t column = (uint64_t)cta.j * config->tile.n;
        const uint64_t rows = tl_least(config->tile.m, gemm->m - row);
        const uint64_t columns = tl_least(config->tile.n, gemm->n - column);
        uint64_t *by_home = out->chiplet[chiplet].c_bytes;
        if (config->placement.cta != TL_CTA_ROUND_ROBIN) {
            by_home[chiplet] += rows * columns * gemm->element_bytes;
        } else if (config->layout.c == TL_ROW_MAJOR) {
            count_tile(&p, base + row * pitch + column * gemm->element_bytes, columns * gemm->element_bytes, pitch,
                       rows, by_home);
        } else {
            count_tile(&p, base + column * pitch + row * gemm->element_bytes, rows * gemm->element_bytes, pitch,
                       columns, by_home);
        }
    }
}
