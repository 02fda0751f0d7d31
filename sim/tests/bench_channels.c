/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests per CPU-second of the memory channels, driven by an event loop: a tournament of the channels. Each
 * channel is kept full. Prints the best of three runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../memory/hash.h"
#include "channel_ops.h"

enum { MAX_CHANNELS = 128, RUNS = 3 };

/* Addresses of one channel: in order, each anywhere, or 4 KB blocks anywhere, each read in order. */
typedef enum access_pattern { STREAM, RANDOM, BLOCKS } access_pattern;

enum { BLOCK_BYTES = 4096 };

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
    access_pattern pattern;
    uint64_t requests; /* of all channels */
} bench_case;

/*
 * A tournament of the channels: key[1] is the smallest due time x MAX_CHANNELS + channel. It costs a few ns an event,
 * and no branches, which could not be predicted.
 */
typedef struct event_loop {
    uint32_t leaves;                /* a power of two */
    uint64_t key[2 * MAX_CHANNELS]; /* node n: the smaller of nodes 2n and 2n + 1; channel c: leaf leaves + c */
    bench_channel channels[MAX_CHANNELS];
} event_loop;

static void set_due(event_loop *loop, uint32_t channel, uint64_t due_ps)
{
    uint64_t key = due_ps == TL_NEVER_PS ? TL_NEVER_PS : due_ps * MAX_CHANNELS + channel;
    for (uint32_t at = loop->leaves + channel; at > 0; at /= 2) {
        loop->key[at] = key;
        key = loop->key[at ^ 1] < key ? loop->key[at ^ 1] : key;
    }
}

static void start_loop(event_loop *loop, uint32_t channels)
{
    loop->leaves = 1;
    while (loop->leaves < channels) {
        loop->leaves *= 2;
    }
    memset(loop->key, 0xff, sizeof loop->key);
}

static void *create(const bench_case *bench)
{
    if (bench->ops == &hbm_ops) {
        return tl_hbm_create(bench->config);
    }
    return bench->ops == &hbf_ops ? (void *)tl_hbf_create(bench->config) : (void *)tl_rome_create(bench->config);
}

static uint64_t address_of(const bench_case *bench, const bench_channel *channel)
{
    const uint64_t unit_bytes = bench->pattern == BLOCKS ? BLOCK_BYTES : bench->bytes;
    const uint64_t units = bench->capacity_bytes / unit_bytes;
    const uint64_t per_unit = unit_bytes / bench->bytes;
    const uint64_t number = channel->issued / per_unit, part = channel->issued % per_unit;
    const uint64_t unit = bench->pattern == STREAM ? number : tl_mix64(number + channel->seed);
    return unit % units * unit_bytes + part * bench->bytes;
}

static void offer(const bench_case *bench, bench_channel *channel, uint64_t now_ps)
{
    while (channel->left != 0) {
        const tl_mem_request request = {channel->issued, address_of(bench, channel), bench->bytes, false,
                                        TL_MEM_DEMAND};
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
    start_loop(&loop, channels);
    for (uint32_t c = 0; c < channels; c++) {
        loop.channels[c] = (bench_channel){create(bench), 0, bench->requests / channels, (uint64_t)c << 40};
    }
    const clock_t start = clock();
    for (uint32_t c = 0; c < channels; c++) {
        offer(bench, &loop.channels[c], 0);
        set_due(&loop, c, bench->ops->next_ps(loop.channels[c].self));
    }
    while (loop.key[1] != TL_NEVER_PS) {
        const uint32_t c = (uint32_t)(loop.key[1] % MAX_CHANNELS);
        bench_channel *channel = &loop.channels[c];
        const uint64_t before = result.done;
        tl_mem_completion completion;
        result.end_ps = loop.key[1] / MAX_CHANNELS;
        while (bench->ops->pop(channel->self, result.end_ps, &completion)) {
            result.done++;
        }
        if (result.done != before) {
            offer(bench, channel, result.end_ps);
        }
        result.events++;
        set_due(&loop, c, bench->ops->next_ps(channel->self));
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
    printf("%-20s %5u B %4u channels  %6.2f M requests/s  %4.0f ns  %4.2f events each  %6.2f GB/s a channel\n",
           bench->name, bench->bytes, channels, (double)best.done / best.seconds / 1e6,
           best.seconds * 1e9 / (double)best.done, (double)best.events / (double)best.done,
           (double)best.done * bench->bytes * 1e3 / channels / (double)best.end_ps);
}

/* Without arguments everything; else the cases whose name begins with the first. */
int main(int argc, char **argv)
{
    const char *prefix = argc > 1 ? argv[1] : "";
    static const uint32_t counts[] = {1, 8, 96};
    tl_hbm_config simple, full, bus;
    tl_hbf_config hbf;
    tl_rome_config rome;
    tl_hbm_config_simple(&simple);
    tl_hbm_config_full(&full);
    tl_hbm_config_bus(&bus);
    tl_hbf_config_default(&hbf);
    hbf.queue = 128;
    tl_rome_config_default(&rome);
    const bench_case cases[] = {
        {"hbm simple stream", &hbm_ops, &simple, simple.capacity_bytes, 64, STREAM, 4000000},
        {"hbm simple stream", &hbm_ops, &simple, simple.capacity_bytes, 512, STREAM, 2000000},
        {"hbm simple random", &hbm_ops, &simple, simple.capacity_bytes, 64, RANDOM, 1000000},
        {"hbm simple blocks", &hbm_ops, &simple, simple.capacity_bytes, 128, BLOCKS, 2000000},
        {"hbm simple blocks", &hbm_ops, &simple, simple.capacity_bytes, 512, BLOCKS, 1000000},
        {"hbm bus blocks", &hbm_ops, &bus, bus.capacity_bytes, 128, BLOCKS, 4000000},
        {"hbm bus blocks", &hbm_ops, &bus, bus.capacity_bytes, 512, BLOCKS, 4000000},
        {"hbm full stream", &hbm_ops, &full, full.capacity_bytes, 64, STREAM, 2000000},
        {"hbm full random", &hbm_ops, &full, full.capacity_bytes, 64, RANDOM, 1000000},
        {"hbf stream", &hbf_ops, &hbf, hbf.capacity_bytes, 4096, STREAM, 2000000},
        {"hbf random", &hbf_ops, &hbf, hbf.capacity_bytes, 4096, RANDOM, 2000000},
        {"rome stream", &rome_ops, &rome, rome.capacity_bytes, 4096, STREAM, 2000000},
        {"rome random", &rome_ops, &rome, rome.capacity_bytes, 4096, RANDOM, 2000000},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool chosen = strncmp(cases[i].name, prefix, strlen(prefix)) == 0;
        for (unsigned k = 0; chosen && k < sizeof counts / sizeof *counts; k++) {
            run(&cases[i], counts[k]);
        }
    }
    return EXIT_SUCCESS;
}
