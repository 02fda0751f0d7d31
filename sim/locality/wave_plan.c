/* SPDX-License-Identifier: Apache-2.0 */
#include "wave_plan.h"

#include <stdlib.h>
#include <string.h>

/* Where a wave being made has a panel: by operand and panel, valid if the stamp is that of the wave. */
typedef struct place {
    uint32_t stamp, index;
} place;

typedef struct maker {
    const tl_cta_schedule *schedule;
    tl_wave_plan *plan;
    place *places[TL_OPERANDS];
    uint32_t kept[TL_OPERANDS]; /* panels that the wave before had too */
    uint32_t *panel_at;         /* of the wave: panel by the time of its last reading, + 1; 0: none */
    uint64_t panels_used, ctas_used;
} maker;

/* The stamp of wave n is n + 1. */
static uint32_t read_panel(maker *m, tl_wave *wave, uint32_t operand, uint32_t panel, uint32_t when)
{
    place *at = &m->places[operand][panel];
    const uint32_t stamp = m->plan->wave_count + 1;
    if (at->stamp != stamp) {
        m->kept[operand] += at->stamp != 0 && at->stamp == stamp - 1;
        *at = (place){stamp, wave->panel_count++};
        m->plan->panel_store[m->panels_used++] = (tl_wave_panel){operand, panel, when};
        wave->operand_count[operand]++;
    }
    m->plan->panel_store[m->panels_used - wave->panel_count + at->index].last = when;
    return at->index;
}

static void order_by_last(maker *m, const tl_wave *wave, uint32_t *by_last)
{
    const uint32_t times = 2 * wave->cta_count;
    memset(m->panel_at, 0, times * sizeof *m->panel_at);
    for (uint32_t n = 0; n < wave->panel_count; n++) {
        m->panel_at[wave->panels[n].last] = n + 1;
    }
    for (uint32_t time = times; time-- > 0;) {
        if (m->panel_at[time] != 0) {
            *by_last++ = m->panel_at[time] - 1;
        }
    }
}

static void sort_by_operand(tl_wave *wave, uint32_t *store)
{
    uint32_t *next[TL_OPERANDS] = {store, store + wave->operand_count[TL_OPERAND_A]};
    wave->operand_panels[TL_OPERAND_A] = next[TL_OPERAND_A];
    wave->operand_panels[TL_OPERAND_B] = next[TL_OPERAND_B];
    for (uint32_t n = 0; n < wave->panel_count; n++) {
        *next[wave->panels[n].operand]++ = wave->panels[n].panel;
    }
}

static void end_wave(maker *m, tl_wave *wave)
{
    tl_wave_plan *plan = m->plan;
    if (wave->cta_count > 0) {
        const uint64_t start = m->panels_used - wave->panel_count;
        wave->panels = &plan->panel_store[start];
        wave->by_last = &plan->last_store[start];
        wave->ctas = &plan->cta_store[m->ctas_used - 2 * (uint64_t)wave->cta_count];
        order_by_last(m, wave, &plan->last_store[start]);
        sort_by_operand(wave, &plan->operand_store[start]);
        for (unsigned n = 0; n < TL_OPERANDS && plan->wave_count > 0; n++) {
            wave->same_panels[n] = m->kept[n] == wave->operand_count[n] &&
                                   wave->operand_count[n] == plan->waves[plan->wave_count - 1].operand_count[n];
        }
        plan->panels_max = wave->panel_count > plan->panels_max ? wave->panel_count : plan->panels_max;
        plan->waves[plan->wave_count++] = *wave;
    }
    *wave = (tl_wave){.panel_count = 0};
    memset(m->kept, 0, sizeof m->kept);
}

static void make_waves(maker *m, unsigned chiplet)
{
    const tl_cta_schedule *schedule = m->schedule;
    tl_wave wave = {.panel_count = 0};
    for (uint64_t index = 0; index < schedule->rows * schedule->columns; index++) {
        const tl_cta cta = tl_cta_at(schedule, index);
        if (tl_cta_chiplet(schedule, index, cta) != chiplet) {
            continue;
        }
        m->plan->cta_store[m->ctas_used++] = read_panel(m, &wave, TL_OPERAND_A, cta.i, 2 * wave.cta_count);
        m->plan->cta_store[m->ctas_used++] = read_panel(m, &wave, TL_OPERAND_B, cta.j, 2 * wave.cta_count + 1);
        wave.cta_count++;
        if (wave.cta_count == schedule->wave) {
            end_wave(m, &wave);
        }
    }
    end_wave(m, &wave);
}

static uint64_t count_ctas(const tl_cta_schedule *schedule, unsigned chiplet)
{
    uint64_t count = 0;
    for (uint64_t index = 0; index < schedule->rows * schedule->columns; index++) {
        count += tl_cta_chiplet(schedule, index, tl_cta_at(schedule, index)) == chiplet;
    }
    return count;
}

bool tl_wave_plan_make(const tl_cta_schedule *schedule, unsigned chiplet, tl_wave_plan *out)
{
    const uint64_t ctas = count_ctas(schedule, chiplet) + 1;
    *out = (tl_wave_plan){.waves = malloc((ctas / schedule->wave + 2) * sizeof *out->waves),
                          .panel_store = malloc(2 * ctas * sizeof *out->panel_store),
                          .last_store = malloc(2 * ctas * sizeof *out->last_store),
                          .operand_store = malloc(2 * ctas * sizeof *out->operand_store),
                          .cta_store = malloc(2 * ctas * sizeof *out->cta_store)};
    maker m = {.schedule = schedule,
               .plan = out,
               .places = {calloc(schedule->rows, sizeof(place)), calloc(schedule->columns, sizeof(place))},
               .panel_at = malloc(2 * schedule->wave * sizeof *m.panel_at)};
    const bool ready = out->waves != NULL && out->panel_store != NULL && out->last_store != NULL &&
                       out->operand_store != NULL && out->cta_store != NULL && m.places[TL_OPERAND_A] != NULL &&
                       m.places[TL_OPERAND_B] != NULL && m.panel_at != NULL;
    if (ready) {
        make_waves(&m, chiplet);
    } else {
        tl_wave_plan_free(out);
    }
    free(m.places[TL_OPERAND_A]);
    free(m.places[TL_OPERAND_B]);
    free(m.panel_at);
    return ready;
}

void tl_wave_plan_free(tl_wave_plan *plan)
{
    free(plan->waves);
    free(plan->panel_store);
    free(plan->last_store);
    free(plan->operand_store);
    free(plan->cta_store);
    *plan = (tl_wave_plan){.wave_count = 0};
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_ctas(const tl_wave *wave)
{
    uint64_t hash = wave->cta_count;
    for (uint32_t n = 0; n < 2 * wave->cta_count; n++) {
        hash = (hash ^ wave->ctas[n]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 31;
    }
    return hash;
}

static bool same_ctas(const tl_wave *a, const tl_wave *b)
{
    return a->cta_count == b->cta_count && memcmp(a->ctas, b->ctas, 2 * a->cta_count * sizeof *a->ctas) == 0;
}

bool tl_wave_shapes_number(tl_wave_plan *plans, unsigned plan_count)
{
    uint64_t waves = 1;
    for (unsigned n = 0; n < plan_count; n++) {
        waves += plans[n].wave_count;
    }
    const uint64_t mask = ((uint64_t)2 << tl_log2(waves)) - 1;
    const tl_wave **slots = calloc(mask + 1, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    uint32_t shapes = 0;
    for (unsigned n = 0; n < plan_count; n++) {
        for (uint32_t w = 0; w < plans[n].wave_count; w++) {
            tl_wave *wave = &plans[n].waves[w];
            uint64_t slot = hash_ctas(wave) & mask;
            while (slots[slot] != NULL && !same_ctas(slots[slot], wave)) {
                slot = (slot + 1) & mask;
            }
            wave->shape = slots[slot] != NULL ? slots[slot]->shape : shapes++;
            slots[slot] = wave;
        }
    }
    free(slots);
    return true;
}
