/* SPDX-License-Identifier: Apache-2.0 */
/* The block scheduler: order of slots, list scheduling against a plain reference, wave statistics. */
#include "cta_scheduler.h"
#include "gpu_fixture.h"

enum { SMS = 5, CTAS_PER_SM = 3, SLOTS = SMS * CTAS_PER_SM, RANDOM_KERNELS = 40, MAX_CTAS = 200 };

static tl_cta_scheduler *make_scheduler(void)
{
    tl_cta_scheduler *scheduler = tl_cta_scheduler_create(SMS, CTAS_PER_SM);
    ck_assert_ptr_nonnull(scheduler);
    return scheduler;
}

START_TEST(breadth_first)
{
    tl_cta_scheduler *scheduler = make_scheduler();
    tl_cta_assignment at;
    tl_cta_scheduler_launch(scheduler, 0, 100, CTAS_PER_SM);
    for (uint32_t k = 0; k < SLOTS; k++) {
        ck_assert(tl_cta_scheduler_next(scheduler, 0, &at));
        ck_assert_uint_eq(at.cta, k);
        ck_assert_uint_eq(at.sm, k % SMS);
        ck_assert_uint_eq(at.slot_in_sm, k / SMS);
        ck_assert_uint_eq(tl_cta_scheduler_active(scheduler), k + 1);
    }
    ck_assert(!tl_cta_scheduler_next(scheduler, 0, &at));
    tl_cta_scheduler_destroy(scheduler);
}
END_TEST

START_TEST(next_goes_to_the_slot_that_freed_first)
{
    tl_cta_scheduler *scheduler = make_scheduler();
    tl_cta_assignment at;
    tl_cta_scheduler_launch(scheduler, 0, 100, CTAS_PER_SM);
    while (tl_cta_scheduler_next(scheduler, 0, &at))
        continue;
    tl_cta_scheduler_retire(scheduler, 10, 3, 1);
    tl_cta_scheduler_retire(scheduler, 11, 0, 2);
    ck_assert_uint_eq(tl_cta_scheduler_active(scheduler), SLOTS - 2);
    ck_assert(tl_cta_scheduler_next(scheduler, 12, &at));
    ck_assert_uint_eq(at.cta, SLOTS);
    ck_assert_uint_eq(at.sm, 3);
    ck_assert_uint_eq(at.slot_in_sm, 1);
    ck_assert(tl_cta_scheduler_next(scheduler, 12, &at));
    ck_assert_uint_eq(at.sm, 0);
    ck_assert_uint_eq(at.slot_in_sm, 2);
    ck_assert(!tl_cta_scheduler_next(scheduler, 12, &at));
    tl_cta_scheduler_destroy(scheduler);
}
END_TEST

/* Six CTAs of 10 ns and one of 30 ns on one slot an SM: the last wave has two, and four slots end idle at 10 ns. */
START_TEST(wave_statistics)
{
    tl_cta_scheduler *scheduler = make_scheduler();
    tl_cta_assignment at;
    tl_cta_scheduler_launch(scheduler, 1000, 7, 1);
    while (tl_cta_scheduler_next(scheduler, 1000, &at))
        continue;
    ck_assert_uint_eq(tl_cta_scheduler_active(scheduler), SMS);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        tl_cta_scheduler_retire(scheduler, 11000, sm, 0);
        ck_assert_int_eq(tl_cta_scheduler_next(scheduler, 11000, &at), sm < 2);
    }
    tl_cta_scheduler_retire(scheduler, 21000, 0, 0);
    ck_assert(!tl_cta_scheduler_finished(scheduler));
    tl_cta_scheduler_retire(scheduler, 41000, 1, 0);
    ck_assert(tl_cta_scheduler_finished(scheduler));
    const tl_wave_stats stats = tl_cta_scheduler_stats(scheduler);
    ck_assert_uint_eq(stats.waves, 2);
    ck_assert_uint_eq(stats.last_wave_ctas, 2);
    ck_assert_uint_eq(stats.duration_ps, 40000);
    ck_assert_uint_eq(stats.first_idle_ps, 10000);
    ck_assert_double_eq_tol(stats.occupancy, (5 * 10 + 10 + 30) / (5.0 * 40), 1e-12);
    tl_cta_scheduler_destroy(scheduler);
}
END_TEST

START_TEST(fewer_ctas_than_slots)
{
    tl_cta_scheduler *scheduler = make_scheduler();
    tl_cta_assignment at;
    for (unsigned launch = 0; launch < 3; launch++) { /* kernels one after the other start alike */
        const uint64_t now = 100 * launch;
        tl_cta_scheduler_launch(scheduler, now, 2, 2);
        ck_assert(tl_cta_scheduler_next(scheduler, now, &at));
        ck_assert(tl_cta_scheduler_next(scheduler, now, &at));
        ck_assert_uint_eq(at.sm, 1);
        ck_assert(!tl_cta_scheduler_next(scheduler, now, &at));
        tl_cta_scheduler_retire(scheduler, now + 50, 1, 0);
        tl_cta_scheduler_retire(scheduler, now + 60, 0, 0);
        ck_assert(tl_cta_scheduler_finished(scheduler));
        const tl_wave_stats stats = tl_cta_scheduler_stats(scheduler);
        ck_assert_uint_eq(stats.waves, 1);
        ck_assert_uint_eq(stats.last_wave_ctas, 2);
        ck_assert_uint_eq(stats.first_idle_ps, 0);
        ck_assert_uint_eq(stats.duration_ps, 60);
    }
    tl_cta_scheduler_destroy(scheduler);
}
END_TEST

START_TEST(kernel_without_ctas)
{
    tl_cta_scheduler *scheduler = make_scheduler();
    tl_cta_assignment at;
    tl_cta_scheduler_launch(scheduler, 5, 0, 1);
    ck_assert(!tl_cta_scheduler_next(scheduler, 5, &at));
    ck_assert(tl_cta_scheduler_finished(scheduler));
    ck_assert_uint_eq(tl_cta_scheduler_stats(scheduler).waves, 0);
    ck_assert_double_eq(tl_cta_scheduler_stats(scheduler).occupancy, 0);
    tl_cta_scheduler_destroy(scheduler);
}
END_TEST

/* Random durations against list scheduling: each CTA starts when the earliest slot is free; busy time adds up. */
START_TEST(list_scheduling)
{
    uint64_t state = (uint64_t)_i + 1;
    const uint32_t ctas = 1 + random_below(&state, MAX_CTAS), per_sm = 1 + random_below(&state, CTAS_PER_SM);
    const uint32_t slots = SMS * per_sm;
    uint64_t duration[MAX_CTAS], ends[SLOTS] = {0}, end_of[SLOTS] = {0}, busy = 0, makespan = 0;
    bool running[SLOTS] = {false};
    for (uint32_t k = 0; k < ctas; k++) {
        uint32_t first = 0;
        duration[k] = 1 + random_below(&state, 1000);
        busy += duration[k];
        for (uint32_t slot = 1; slot < slots; slot++)
            if (ends[slot] < ends[first])
                first = slot;
        ends[first] += duration[k];
        makespan = ends[first] > makespan ? ends[first] : makespan;
    }

    tl_cta_scheduler *scheduler = make_scheduler();
    tl_cta_assignment at;
    uint64_t now = 0;
    tl_cta_scheduler_launch(scheduler, 0, ctas, per_sm);
    for (;;) {
        while (tl_cta_scheduler_next(scheduler, now, &at)) {
            const uint32_t slot = at.slot_in_sm * SMS + at.sm;
            ck_assert(!running[slot]);
            running[slot] = true;
            end_of[slot] = now + duration[at.cta];
        }
        uint32_t first = SLOTS;
        for (uint32_t slot = 0; slot < slots; slot++)
            if (running[slot] && (first == SLOTS || end_of[slot] < end_of[first]))
                first = slot;
        if (first == SLOTS)
            break;
        now = end_of[first];
        running[first] = false;
        tl_cta_scheduler_retire(scheduler, now, first % SMS, first / SMS);
    }
    ck_assert(tl_cta_scheduler_finished(scheduler));
    const tl_wave_stats stats = tl_cta_scheduler_stats(scheduler);
    ck_assert_uint_eq(stats.duration_ps, makespan);
    ck_assert_double_eq_tol(stats.occupancy, (double)busy / ((double)makespan * slots), 1e-12);
    tl_cta_scheduler_destroy(scheduler);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("cta_scheduler");
    tcase_add_test(tcase, breadth_first);
    tcase_add_test(tcase, next_goes_to_the_slot_that_freed_first);
    tcase_add_test(tcase, wave_statistics);
    tcase_add_test(tcase, fewer_ctas_than_slots);
    tcase_add_test(tcase, kernel_without_ctas);
    tcase_add_loop_test(tcase, list_scheduling, 0, RANDOM_KERNELS);
    return run_case(tcase, "cta_scheduler");
}
