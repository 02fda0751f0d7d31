/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plain engine: for each chiplet, each wave, each K-step, each CTA of the wave, the lines of its A tile and then of
 * its B tile, one at a time. A set is a list of tags, the newest first.
 */
#include <stdlib.h>
#include <string.h>

#include "cta_schedule.h"
#include "locality_engines.h"

typedef struct l2 {
    uint32_t *tags; /* by set, `ways` each */
    unsigned set_bits, ways;
    int set_index;
} l2;

enum { NO_HOME = 0xff, TOLD_TILES = 64 };
#define KNOWN_LINES_MAX ((uint64_t)1 << 26)

/* Homes of an operand's lines, found once each; of the lines below `count`. */
typedef struct homes {
    uint8_t *known; /* by line - first line */
    uint64_t first_line, count;
} homes;

typedef struct run {
    const tl_gemm_operand *operands;
    homes *homes;
    l2 cache;
    tl_chiplet_counters *counters;
    uint64_t *tiles_read; /* of all chiplets: A and B of a CTA in a K-step count as one */
    uint64_t tiles;
    const tl_progress *progress;
} run;

/* Make a tag the newest of its set: each one above its old place moves down. @return true if it was there */
static inline __attribute__((always_inline)) bool renew(uint32_t *tags, uint32_t tag, unsigned ways)
{
    uint32_t moved = tag;
    for (unsigned way = 0; way < ways; way++) {
        const uint32_t old = tags[way];
        tags[way] = moved;
        if (old == tag) {
            return true;
        }
        moved = old;
    }
    return false;
}

/* @return true on a hit */
static inline bool touch(const l2 *cache, uint64_t line)
{
    uint32_t *tags = &cache->tags[(size_t)tl_line_set(line, cache->set_bits, cache->set_index) * cache->ways];
    const uint32_t tag = (uint32_t)(line >> cache->set_bits);
    return cache->ways == 16 ? renew(tags, tag, 16) : renew(tags, tag, cache->ways); /* 16: a loop of known length */
}

static unsigned home_of(const run *r, unsigned which, uint64_t line)
{
    const homes *known = &r->homes[which];
    const uint64_t n = line - known->first_line;
    if (n >= known->count) {
        return tl_line_home(&r->operands[which], line);
    }
    if (known->known[n] == NO_HOME) {
        known->known[n] = (uint8_t)tl_line_home(&r->operands[which], line);
    }
    return known->known[n];
}

static void read_tile(const run *r, unsigned which, uint64_t panel, uint64_t step)
{
    const tl_gemm_operand *operand = &r->operands[which];
    const tl_tile_runs runs = tl_gemm_tile(operand, panel, step);
    for (uint64_t outer = 0; outer < runs.outer_count; outer++) {
        for (uint64_t inner = 0; inner < runs.inner_count; inner++) {
            const uint64_t start = runs.start + outer * runs.outer_pitch + inner * runs.inner_pitch;
            const uint64_t last = (start + runs.bytes - 1) >> operand->line_shift;
            for (uint64_t line = start >> operand->line_shift; line <= last; line++) {
                r->counters->accesses[which]++;
                if (!touch(&r->cache, line)) {
                    r->counters->misses[which][home_of(r, which, line)]++;
                }
            }
        }
    }
}

static void run_wave(const run *r, const tl_cta *ctas, uint64_t count)
{
    for (uint64_t step = 0; step < r->operands[TL_OPERAND_A].steps; step++) {
        for (uint64_t n = 0; n < count; n++) {
            read_tile(r, TL_OPERAND_A, ctas[n].i, step);
            read_tile(r, TL_OPERAND_B, ctas[n].j, step);
            if (++*r->tiles_read % TOLD_TILES == 0) {
                tl_progress_tell(r->progress, (double)*r->tiles_read / (double)r->tiles);
            }
        }
    }
}

static void run_chiplet(const run *r, const tl_cta_schedule *schedule, unsigned chiplet, tl_cta *wave)
{
    uint64_t count = 0;
    for (uint64_t index = 0; index < schedule->rows * schedule->columns; index++) {
        const tl_cta cta = tl_cta_at(schedule, index);
        if (tl_cta_chiplet(schedule, index, cta) != chiplet) {
            continue;
        }
        wave[count++] = cta;
        if (count == schedule->wave) {
            run_wave(r, wave, count);
            count = 0;
        }
    }
    run_wave(r, wave, count);
}

static bool make_homes(const tl_gemm_operand *operand, homes *out)
{
    const uint64_t lines = tl_last_line(operand) - tl_first_line(operand) + 1;
    *out = (homes){.first_line = tl_first_line(operand), .count = tl_least(lines, KNOWN_LINES_MAX)};
    out->known = malloc(out->count);
    if (out->known != NULL) {
        memset(out->known, NO_HOME, out->count);
    }
    return out->known != NULL;
}

bool tl_reference_run(const tl_locality_config *config, const tl_progress *progress, tl_locality_counters *out)
{
    tl_gemm_operand operands[TL_OPERANDS];
    homes known[TL_OPERANDS];
    tl_cta_schedule schedule;
    tl_gemm_operands(config, operands);
    tl_cta_schedule_make(config, &schedule);
    const unsigned set_bits = tl_set_bits(&config->machine);
    const size_t tag_bytes = sizeof(uint32_t) * config->machine.l2_ways << set_bits;
    uint32_t *tags = malloc(tag_bytes);
    tl_cta *wave = malloc(schedule.wave * sizeof *wave);
    bool ready = tags != NULL && wave != NULL;
    uint64_t tiles_read = 0;
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        ready = make_homes(&operands[n], &known[n]) && ready;
    }
    for (unsigned chiplet = 0; chiplet < config->machine.chiplets && ready; chiplet++) {
        const run r = {operands,
                       known,
                       {tags, set_bits, config->machine.l2_ways, config->machine.set_index},
                       &out->chiplet[chiplet],
                       &tiles_read,
                       schedule.rows * schedule.columns * operands[TL_OPERAND_A].steps,
                       progress};
        memset(tags, 0xff, tag_bytes); /* no line: the rules keep real tags below UINT32_MAX */
        run_chiplet(&r, &schedule, chiplet, wave);
    }
    for (unsigned n = 0; n < TL_OPERANDS; n++) {
        free(known[n].known);
    }
    free(wave);
    free(tags);
    return ready;
}
