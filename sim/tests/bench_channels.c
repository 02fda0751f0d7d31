/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests per CPU-second of the memory channels, driven by an event loop: a binary heap over the channels. Each
 * channel is kept full. Prints the best of three runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../memory/hash.h"
#include "channel_ops.h"

enum { MAX_CHANNELS = 128, RUNS = 3 };

typedef struct bench_channel {
    void *self;
    uint64_t issued, left;
    uint64_t seed;
} bench_channel;

typedef struct bench_case {
    const char *name;
    const channel_ops *ops;
    const void *config;
    uint64_t capacity_bytes;
    uint32_t bytes;
    bool random;
    uint64_t requests; /* of all channels */
} bench_case;

typedef struct event_loop {
    uint32_t count;
    uint32_t heap[MAX_CHANNELS];
    uint64_t due_ps[MAX_CHANNELS]; /* by channel */
    bench_channel channels[MAX_CHANNELS];
} event_loop;

static void sift_down(event_loop *loop, uint32_t at)
{
    const uint32_t moving = loop->heap[at];
    for (uint32_t child; (child = 2 * at + 1) < loop->count; at = child) {
        if (child + 1 < loop->count && loop->due_ps[loop->heap[child + 1]] < loop->due_ps[loop->heap[child]]) {
            child++;
        }
        if (loop->due_ps[loop->heap[child]] >= loop->due_ps[moving]) {
            break;
        }
        loop->heap[at] = loop->heap[child];
    }
    loop->heap[at] = moving;
}

static void *create(const bench_case *bench)
{
    if (bench->ops == &hbm_ops) {
        return tl_hbm_create(bench->config);
    }
    return bench->ops == &hbf_ops ? (void *)tl_hbf_create(bench->config) : (void *)tl_rome_create(bench->config);
}

static void offer(const bench_case *bench, bench_channel *channel, uint64_t now_ps)
{
    const uint64_t units = bench->capacity_bytes / bench->bytes;
    while (channel->left != 0) {
        const uint64_t unit =
            bench->random ? tl_mix64(channel->issued + channel->seed) % units : channel->issued % units;
        const tl_mem_request request = {channel->issued, unit * bench->bytes, bench->bytes, false, TL_MEM_DEMAND};
        if (!bench->ops->push(channel->self, now_ps, &request)) {
            break;
        }
        channel->issued++;
        channel->left--;
    }
}

typedef struct bench_result {
    double seconds;
    uint64_t done, events, end_ps;
} bench_result;

static bench_result run_once(const bench_case *bench, uint32_t channels)
{
    static event_loop loop;
    bench_result result = {0};
    loop.count = channels;
    for (uint32_t c = 0; c < channels; c++) {
        loop.channels[c] = (bench_channel){create(bench), 0, bench->requests / channels, (uint64_t)c << 40};
        loop.heap[c] = c;
    }
    const clock_t start = clock();
    for (uint32_t c = channels; c-- > 0;) {
        offer(bench, &loop.channels[c], 0);
        loop.due_ps[c] = bench->ops->next_ps(loop.channels[c].self);
    }
    for (uint32_t at = channels; at-- > 0;) {
        sift_down(&loop, at);
    }
    while (loop.due_ps[loop.heap[0]] != TL_NEVER_PS) {
        const uint32_t c = loop.heap[0];
        bench_channel *channel = &loop.channels[c];
        const uint64_t before = result.done;
        tl_mem_completion completion;
        result.end_ps = loop.due_ps[c];
        while (bench->ops->pop(channel->self, result.end_ps, &completion)) {
            result.done++;
        }
        if (result.done != before) {
            offer(bench, channel, result.end_ps);
        }
        result.events++;
        loop.due_ps[c] = bench->ops->next_ps(channel->self);
        sift_down(&loop, 0);
    }
    result.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (uint32_t c = 0; c < channels; c++) {
        bench->ops->destroy(loop.channels[c].self);
    }
    return result;
}

static void run(const bench_case *bench, uint32_t channels)
{
    bench_result best = run_once(bench, channels);
    for (unsigned i = 1; i < RUNS; i++) {
        const bench_result result = run_once(bench, channels);
        best = result.seconds < best.seconds ? result : best;
    }
    printf("%-20s %5u B %4u channels  %6.2f M requests/s  %4.2f events each  %6.2f GB/s a channel\n", bench->name,
           bench->bytes, channels, (double)best.done / best.seconds / 1e6, (double)best.events / (double)best.done,
           (double)best.done * bench->bytes * 1e3 / channels / (double)best.end_ps);
}

int main(void)
{
    static const uint32_t counts[] = {1, 8, 96};
    tl_hbm_config simple, full;
    tl_hbf_config hbf;
    tl_rome_config rome;
    tl_hbm_config_simple(&simple);
    tl_hbm_config_full(&full);
    tl_hbf_config_default(&hbf);
    hbf.queue = 128;
    tl_rome_config_default(&rome);
    const bench_case cases[] = {
        {"hbm simple stream", &hbm_ops, &simple, simple.capacity_bytes, 64, false, 4000000},
        {"hbm simple stream", &hbm_ops, &simple, simple.capacity_bytes, 512, false, 2000000},
        {"hbm simple random", &hbm_ops, &simple, simple.capacity_bytes, 64, true, 1000000},
        {"hbm full stream", &hbm_ops, &full, full.capacity_bytes, 64, false, 2000000},
        {"hbm full random", &hbm_ops, &full, full.capacity_bytes, 64, true, 1000000},
        {"hbf stream", &hbf_ops, &hbf, hbf.capacity_bytes, 4096, false, 2000000},
        {"hbf random", &hbf_ops, &hbf, hbf.capacity_bytes, 4096, true, 2000000},
        {"rome stream", &rome_ops, &rome, rome.capacity_bytes, 4096, false, 2000000},
        {"rome random", &rome_ops, &rome, rome.capacity_bytes, 4096, true, 2000000},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
            run(&cases[i], counts[k]);
        }
    }
    return EXIT_SUCCESS;
}
