/* SPDX-License-Identifier: Apache-2.0 */
/* The K-loops of one SM: who issues, computes and retires when, and the two waits of a tile. */
#include "gpu_fixture.h"
#include "sm.h"

enum { SLOTS = 3, STAGES = 4, RANDOM_RUNS = 100 };

static tl_sm *make_sm(void)
{
    const tl_sm_config config = {.max_slots = SLOTS, .max_stages = STAGES};
    tl_sm *sm = tl_sm_create(&config);
    ck_assert_ptr_nonnull(sm);
    return sm;
}

static void expect_decision(tl_sm *sm, uint64_t now_ps, tl_sm_decision_kind kind, uint32_t slot, uint32_t step)
{
    tl_sm_decision decision;
    ck_assert(tl_sm_decide(sm, now_ps, &decision));
    ck_assert_int_eq(decision.kind, kind);
    ck_assert_uint_eq(decision.slot, slot);
    ck_assert_uint_eq(decision.step, step);
}

static void expect_nothing(tl_sm *sm, uint64_t now_ps)
{
    tl_sm_decision decision;
    ck_assert(!tl_sm_decide(sm, now_ps, &decision));
}

/* One buffer: loading and computing alternate. */
/* An access arrives now; a tile that is whole has landed. */
static bool arrive(tl_sm *sm, uint32_t slot, uint32_t step, uint64_t now_ps, tl_tile_times *times)
{
    const bool whole = tl_sm_access_arrived(sm, slot, step, true, now_ps, times);
    if (whole) {
        tl_sm_tile_landed(sm, slot, step, now_ps);
    }
    return whole;
}

/* An activation is there first; the weights are timed by themselves as well. */
START_TEST(weights_are_timed_by_themselves)
{
    const tl_sm_cta cta = {.cta = 9, .step_count = 1, .stages = 1, .tiles_in_flight = 1, .compute_ps = 50};
    tl_sm *sm = make_sm();
    tl_tile_times times;
    tl_sm_start_cta(sm, 0, &cta);
    expect_decision(sm, 0, TL_SM_ISSUE, 0, 0);
    ck_assert(!tl_sm_tile_issued(sm, 0, 0, 10, 4));
    ck_assert(!tl_sm_access_arrived(sm, 0, 0, false, 40, &times));
    ck_assert(!tl_sm_access_arrived(sm, 0, 0, true, 100, &times));
    ck_assert(!tl_sm_access_arrived(sm, 0, 0, true, 130, &times));
    ck_assert(tl_sm_access_arrived(sm, 0, 0, false, 150, &times));
    ck_assert_uint_eq(times.first_arrival_ps, 40);
    ck_assert_uint_eq(times.last_arrival_ps, 150);
    ck_assert_uint_eq(times.first_weight_ps, 100);
    ck_assert_uint_eq(times.last_weight_ps, 130);
    tl_sm_destroy(sm);
}
END_TEST

START_TEST(one_stage)
{
    const tl_sm_cta cta = {.cta = 9, .step_count = 2, .stages = 1, .tiles_in_flight = 1, .compute_ps = 50};
    tl_sm *sm = make_sm();
    tl_tile_times times;
    tl_sm_decision decision;
    tl_sm_start_cta(sm, 1, &cta);
    expect_decision(sm, 0, TL_SM_ISSUE, 1, 0);
    expect_nothing(sm, 0); /* decided, not issued yet */
    ck_assert(!tl_sm_tile_issued(sm, 1, 0, 10, 2));
    expect_nothing(sm, 10);
    ck_assert(!arrive(sm, 1, 0, 100, &times));
    expect_nothing(sm, 100);
    ck_assert(arrive(sm, 1, 0, 170, &times));
    ck_assert_uint_eq(tl_tile_queue_ps(&times), 90);
    ck_assert_uint_eq(tl_tile_straggler_ps(&times), 70);
    ck_assert(tl_sm_decide(sm, 170, &decision));
    ck_assert_int_eq(decision.kind, TL_SM_COMPUTE);
    ck_assert_uint_eq(decision.cta, 9);
    ck_assert_uint_eq(decision.end_ps, 220);
    expect_nothing(sm, 170); /* the buffer is in use until the tile is computed */
    tl_sm_compute_ended(sm, 220);
    expect_decision(sm, 220, TL_SM_ISSUE, 1, 1);
    ck_assert(tl_sm_tile_issued(sm, 1, 1, 220, 0)); /* nothing to read: whole at once */
    expect_decision(sm, 220, TL_SM_COMPUTE, 1, 1);
    tl_sm_compute_ended(sm, 270);
    expect_decision(sm, 270, TL_SM_RETIRE, 1, 2);
    expect_nothing(sm, 270);
    ck_assert_uint_eq(tl_sm_compute_busy_ps(sm), 100);
    tl_sm_destroy(sm);
}
END_TEST

/* Three buffers, two tiles in flight: the third tile is issued when the first has arrived, the fourth when a buffer
 * is free. */
START_TEST(stages_and_tiles_in_flight)
{
    const tl_sm_cta cta = {.cta = 0, .step_count = 5, .stages = 3, .tiles_in_flight = 2, .compute_ps = 50};
    tl_sm *sm = make_sm();
    tl_tile_times times;
    tl_sm_start_cta(sm, 0, &cta);
    for (uint32_t step = 0; step < 2; step++) {
        expect_decision(sm, 0, TL_SM_ISSUE, 0, step);
        tl_sm_tile_issued(sm, 0, step, 0, 1);
    }
    expect_nothing(sm, 0);
    ck_assert(arrive(sm, 0, 1, 10, &times)); /* out of order: tile 1 waits for tile 0 */
    expect_decision(sm, 10, TL_SM_ISSUE, 0, 2);
    tl_sm_tile_issued(sm, 0, 2, 10, 1);
    expect_nothing(sm, 10);
    ck_assert(arrive(sm, 0, 2, 11, &times));
    expect_nothing(sm, 11); /* one in flight, but no buffer */
    ck_assert(arrive(sm, 0, 0, 20, &times));
    expect_decision(sm, 20, TL_SM_COMPUTE, 0, 0);
    expect_nothing(sm, 20);
    tl_sm_compute_ended(sm, 70);
    expect_decision(sm, 70, TL_SM_ISSUE, 0, 3);
    tl_sm_tile_issued(sm, 0, 3, 70, 1);
    expect_decision(sm, 70, TL_SM_COMPUTE, 0, 1);
    tl_sm_destroy(sm);
}
END_TEST

/* Two CTAs share the tensor cores: first ready, first served. */
START_TEST(tensor_cores_are_shared)
{
    const tl_sm_cta first = {.cta = 1, .step_count = 1, .stages = 1, .tiles_in_flight = 1, .compute_ps = 50};
    const tl_sm_cta second = {.cta = 2, .step_count = 1, .stages = 1, .tiles_in_flight = 1, .compute_ps = 30};
    tl_sm *sm = make_sm();
    tl_tile_times times;
    tl_sm_start_cta(sm, 0, &first);
    tl_sm_start_cta(sm, 2, &second);
    tl_sm_start_cta(sm, 1, &first);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        expect_decision(sm, 0, TL_SM_ISSUE, slot, 0);
        tl_sm_tile_issued(sm, slot, 0, 0, 1);
    }
    ck_assert(arrive(sm, 1, 0, 100, &times));
    expect_decision(sm, 100, TL_SM_COMPUTE, 1, 0);
    ck_assert(arrive(sm, 2, 0, 110, &times));
    ck_assert(arrive(sm, 0, 0, 120, &times));
    expect_nothing(sm, 120);
    tl_sm_compute_ended(sm, 150);
    expect_decision(sm, 150, TL_SM_RETIRE, 1, 1);
    tl_sm_decision decision;
    ck_assert(tl_sm_decide(sm, 150, &decision));
    ck_assert_int_eq(decision.kind, TL_SM_COMPUTE);
    ck_assert_uint_eq(decision.slot, 2);
    ck_assert_uint_eq(decision.end_ps, 180);
    tl_sm_compute_ended(sm, 180);
    expect_decision(sm, 180, TL_SM_RETIRE, 2, 1);
    expect_decision(sm, 180, TL_SM_COMPUTE, 0, 0);
    tl_sm_destroy(sm);
}
END_TEST

START_TEST(what_a_cta_waits_for)
{
    const tl_sm_cta cta = {.cta = 7, .step_count = 2, .stages = 2, .tiles_in_flight = 2, .compute_ps = 50};
    tl_sm *sm = make_sm();
    tl_sm_wait wait;
    tl_tile_times times;
    ck_assert(!tl_sm_waiting(sm, 0, &wait));
    tl_sm_start_cta(sm, 0, &cta);
    ck_assert(tl_sm_waiting(sm, 0, &wait));
    ck_assert(!wait.issued);
    expect_decision(sm, 0, TL_SM_ISSUE, 0, 0);
    tl_sm_tile_issued(sm, 0, 0, 0, 5);
    arrive(sm, 0, 0, 1, &times);
    ck_assert(tl_sm_waiting(sm, 0, &wait));
    ck_assert(wait.issued);
    ck_assert_uint_eq(wait.cta, 7);
    ck_assert_uint_eq(wait.step, 0);
    ck_assert_uint_eq(wait.missing_accesses, 4);
    tl_sm_destroy(sm);
}
END_TEST

/* With every tile arriving `latency` after its issue, one CTA alone takes a time known in closed form. */
START_TEST(closed_form)
{
    uint64_t state = (uint64_t)_i + 1;
    const uint32_t stages = 1 + random_below(&state, STAGES);
    const uint64_t latency = 1 + random_below(&state, 1000), compute = 1 + random_below(&state, 300);
    const uint32_t steps = stages * (1 + random_below(&state, 20));
    const tl_sm_cta cta = {.step_count = steps, .stages = stages, .tiles_in_flight = stages, .compute_ps = compute};
    /* Each round of `stages` tiles computes back to back; tile k + stages arrives one latency after tile k ends. */
    const uint64_t round = latency + compute > stages * compute ? latency + compute : stages * compute;
    const uint64_t expected = latency + stages * compute + (steps / stages - 1) * round;

    tl_sm *sm = make_sm();
    uint64_t arrival[STAGES] = {0}, compute_end = UINT64_MAX, now = 0;
    bool in_flight[STAGES] = {false}, retired = false;
    uint32_t step_of[STAGES] = {0};
    tl_sm_start_cta(sm, 0, &cta);
    while (!retired) {
        tl_sm_decision decision;
        tl_tile_times times;
        while (tl_sm_decide(sm, now, &decision)) {
            if (decision.kind == TL_SM_ISSUE) {
                const uint32_t buffer = decision.step % stages;
                tl_sm_tile_issued(sm, 0, decision.step, now, 1);
                in_flight[buffer] = true;
                step_of[buffer] = decision.step;
                arrival[buffer] = now + latency;
            } else if (decision.kind == TL_SM_COMPUTE) {
                compute_end = decision.end_ps;
            } else {
                retired = true;
            }
        }
        if (retired)
            break;
        uint64_t next = compute_end;
        for (uint32_t buffer = 0; buffer < stages; buffer++)
            if (in_flight[buffer] && arrival[buffer] < next)
                next = arrival[buffer];
        ck_assert_uint_ne(next, UINT64_MAX);
        now = next;
        if (compute_end == now) {
            compute_end = UINT64_MAX;
            tl_sm_compute_ended(sm, now);
        }
        for (uint32_t buffer = 0; buffer < stages; buffer++) {
            if (in_flight[buffer] && arrival[buffer] == now) {
                in_flight[buffer] = false;
                ck_assert(arrive(sm, 0, step_of[buffer], now, &times));
                ck_assert_uint_eq(tl_tile_queue_ps(&times), latency);
                ck_assert_uint_eq(tl_tile_straggler_ps(&times), 0);
            }
        }
    }
    ck_assert_uint_eq(now, expected);
    ck_assert_uint_eq(tl_sm_compute_busy_ps(sm), steps * compute);
    tl_sm_destroy(sm);
}
END_TEST

/* What a random run must keep: counted here from the events alone. */
typedef struct slot_view {
    bool occupied;
    tl_sm_cta cta;
    uint32_t issued, computed, retired;
    uint32_t missing[STAGES];
    uint32_t in_flight;
} slot_view;

static void check_decision(slot_view *views, const tl_sm_decision *decision, bool computing)
{
    slot_view *view = &views[decision->slot];
    ck_assert(view->occupied);
    ck_assert_uint_eq(decision->cta, view->cta.cta);
    if (decision->kind == TL_SM_ISSUE) {
        ck_assert_uint_eq(decision->step, view->issued);
        ck_assert_uint_lt(view->issued, view->cta.step_count);
        ck_assert_uint_lt(view->in_flight, view->cta.tiles_in_flight);
        ck_assert_uint_lt(view->issued, view->computed + view->cta.stages);
    } else if (decision->kind == TL_SM_COMPUTE) {
        ck_assert(!computing);
        ck_assert_uint_eq(decision->step, view->computed);
        ck_assert_uint_lt(view->computed, view->issued);
        ck_assert_uint_eq(view->missing[decision->step % view->cta.stages], 0);
    } else {
        ck_assert_uint_eq(view->computed, view->cta.step_count);
    }
}

static tl_sm_cta random_cta(uint64_t *state, uint32_t cta)
{
    const uint32_t stages = 1 + random_below(state, STAGES);
    return (tl_sm_cta){
        .cta = cta,
        .step_count = 1 + random_below(state, 12),
        .stages = stages,
        .tiles_in_flight = 1 + random_below(state, stages),
        .compute_ps = 1 + random_below(state, 100),
    };
}

/* Accesses arrive in random order; every CTA must come to its end, and every decision must be allowed. */
START_TEST(random_runs)
{
    uint64_t state = (uint64_t)_i + 1;
    slot_view views[SLOTS] = {{false}};
    tl_sm *sm = make_sm();
    uint32_t started = 0, retired = 0, computing_slot = SLOTS;
    uint64_t now = 0;
    while (retired < 20) {
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            if (!views[slot].occupied && started < 20 && random_below(&state, 2) != 0) {
                views[slot] = (slot_view){.occupied = true, .cta = random_cta(&state, started++)};
                tl_sm_start_cta(sm, slot, &views[slot].cta);
            }
        }
        tl_sm_decision decision;
        while (tl_sm_decide(sm, now, &decision)) {
            slot_view *view = &views[decision.slot];
            check_decision(views, &decision, computing_slot != SLOTS);
            if (decision.kind == TL_SM_ISSUE) {
                const uint32_t accesses = random_below(&state, 4);
                ck_assert_int_eq(tl_sm_tile_issued(sm, decision.slot, decision.step, now, accesses), accesses == 0);
                view->missing[decision.step % view->cta.stages] = accesses;
                view->issued++;
                view->in_flight += accesses != 0;
            } else if (decision.kind == TL_SM_COMPUTE) {
                computing_slot = decision.slot;
                ck_assert_uint_eq(decision.end_ps, now + view->cta.compute_ps);
            } else {
                view->occupied = false;
                retired++;
            }
        }
        now += 1 + random_below(&state, 50);
        if (computing_slot != SLOTS && random_below(&state, 2) != 0) {
            tl_sm_compute_ended(sm, now);
            views[computing_slot].computed++;
            computing_slot = SLOTS;
            continue;
        }
        slot_view *view = &views[random_below(&state, SLOTS)];
        const uint32_t buffer = random_below(&state, STAGES);
        if (view->occupied && view->missing[buffer] != 0) {
            uint32_t step = view->issued - 1; /* the newest step in that buffer */
            while (step % view->cta.stages != buffer)
                step--;
            tl_tile_times times;
            const bool whole = arrive(sm, (uint32_t)(view - views), step, now, &times);
            ck_assert_int_eq(whole, --view->missing[buffer] == 0);
            view->in_flight -= whole;
        }
    }
    tl_sm_destroy(sm);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("sm");
    tcase_add_test(tcase, weights_are_timed_by_themselves);
    tcase_add_test(tcase, one_stage);
    tcase_add_test(tcase, stages_and_tiles_in_flight);
    tcase_add_test(tcase, tensor_cores_are_shared);
    tcase_add_test(tcase, what_a_cta_waits_for);
    tcase_add_loop_test(tcase, closed_form, 0, RANDOM_RUNS);
    tcase_add_loop_test(tcase, random_runs, 0, RANDOM_RUNS);
    return run_case(tcase, "sm");
}
