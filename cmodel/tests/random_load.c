/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A load is drawn from the features of its class. What comes out illegal is drawn again, after the oracle and encode
 * have been asked whether they agree that it is illegal.
 */
#include "random_load.h"

#include <string.h>

#include "oracle.h"
#include "random_draft.h"
#include "tilelens/tensor_map_bits.h"

typedef struct random_class {
    tl_random_class_info info;
    unsigned features;
} random_class;

#define TM F_TILE_MAJOR
static const random_class CLASSES[TL_RANDOM_CLASS_COUNT] = {
    [TL_RANDOM_PLAIN_RANK] = {{"PL-RANK", "plain map of rank 1..5, any element size", 40}, 0},
    [TL_RANDOM_PLAIN_SWIZZLE] = {{"PL-SWIZZLE", "plain map, every swizzle mode, rows up to the span", 35}, F_SWIZZLE},
    [TL_RANDOM_PLAIN_STEP] = {{"PL-STEP", "plain map, element strides 2..8", 25}, F_STEP},
    [TL_RANDOM_PLAIN_EDGE] = {{"PL-EDGE", "plain map, box over the tensor's edges, NaN fill", 35},
                              F_NEGATIVE | F_BEYOND | F_NAN},
    [TL_RANDOM_PLAIN_OUTSIDE] = {{"PL-OUTSIDE", "plain map, no element in bounds", 15}, F_OUTSIDE},
    [TL_RANDOM_PLAIN_DEGENERATE] = {{"PL-DEGENERATE", "plain map, extents of 1, strides of 0, equal strides", 25},
                                    F_DEGENERATE | F_BIG_BOX},
    [TL_RANDOM_PLAIN_HUGE] = {{"PL-HUGE", "plain map, extents to 2^32, strides to 2^40, any coordinate", 25}, F_HUGE},
    [TL_RANDOM_PAPER] = {{"TM-PAPER", "what the paper variant accepts: Cases 1 and 2", 150}, TM | F_PAPER},
    [TL_RANDOM_PAPER_MISS] = {{"TM-PAPER-MISS", "one condition of the paper variant broken", 50},
                              TM | F_PAPER | F_MISS_ANY},
    [TL_RANDOM_UNALIGNED_I] = {{"TM-I", "box origin off the row grid: i mod u != 0", 40}, TM | F_PAPER | F_I_MISS},
    [TL_RANDOM_UNALIGNED_J] = {{"TM-J", "box origin off the column grid: j mod b != 0", 40}, TM | F_PAPER | F_J_MISS},
    [TL_RANDOM_V_TAIL] = {{"TM-V-TAIL", "v > b and no multiple of b", 40}, TM | F_PAPER | F_V_MISS | F_J_MISS},
    [TL_RANDOM_V_NARROW] = {{"TM-V-NARROW", "v < b at any column", 30}, TM | F_PAPER | F_NARROW | F_J_MISS},
    [TL_RANDOM_WIDE_ROW] = {{"TM-WIDE", "a box row spans several memory tiles: a < u", 40}, TM | F_WIDE},
    [TL_RANDOM_ODD_ROW] = {{"TM-ODD-ROW", "u no power of two", 25}, TM | F_ODD_ROW},
    [TL_RANDOM_COLUMN_DIMS] = {{"TM-COLUMNS", "several column dimensions with n > 1", 40}, TM | F_COLUMNS},
    [TL_RANDOM_ROW_DIMS] = {{"TM-ROWS", "row-side dimensions with n > 1, reordered views", 40}, TM | F_ROWS},
    [TL_RANDOM_NEGATIVE] = {{"TM-NEGATIVE", "negative coordinates", 30}, TM | F_NEGATIVE | F_NAN},
    [TL_RANDOM_OUTSIDE] = {{"TM-OUTSIDE", "no element in bounds", 15}, TM | F_OUTSIDE},
    [TL_RANDOM_VIEW] = {{"TM-VIEW", "view that begins inside the matrix", 35}, TM | F_VIEW},
    [TL_RANDOM_DEGENERATE] = {{"TM-DEGENERATE", "extents of 1, strides of 0, equal strides", 25}, TM | F_DEGENERATE},
    [TL_RANDOM_STEP] = {{"TM-STEP", "element strides on row and column dimensions", 30}, TM | F_STEP},
    [TL_RANDOM_BIG_BOX] = {{"TM-BIG-BOX", "box larger than the tensor", 20}, TM | F_BIG_BOX},
    [TL_RANDOM_PAGED] = {{"TM-PAGED", "pages whose stride is no multiple of b columns", 20}, TM | F_PAGED},
    [TL_RANDOM_WRAP] = {{"TM-WRAP", "ragged view: addresses wrap at 2^64, leading stride a power of two", 15},
                        TM | F_WRAP},
    [TL_RANDOM_GRANULARITY] = {{"TM-GRANULARITY", "512 B and 64 KiB, extreme memory tiles", 25}, TM | F_EDGE_TILE},
    [TL_RANDOM_HUGE] = {{"TM-HUGE", "extents to 2^32, strides to 2^40, any coordinate", 25}, TM | F_HUGE},
    [TL_RANDOM_MIX] = {{"TM-MIX", "anything together", 40}, TM | F_MIX},
    [TL_RANDOM_BAD_COORDINATE] = {{"BAD-COORDINATE", "coordinate 0 off the 16-byte grid", 8}, F_MIX},
    [TL_RANDOM_BAD_SHARED_ADDRESS] = {{"BAD-SHARED", "shared address off the 128-byte grid", 8}, TM | F_PAPER},
    [TL_RANDOM_BAD_MAP] = {{"BAD-MAP", "bits that are no tensor map", 9}, TM | F_MIX},
};
#undef TM

static const uint64_t GOLDEN_GAMMA = UINT64_C(0x9E3779B97F4A7C15);

/* ---- Random numbers ---- */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

tl_random tl_random_from(uint64_t seed)
{
    return (tl_random){mix(seed ^ UINT64_C(0x6A09E667F3BCC909))};
}

uint64_t tl_random_next(tl_random *random)
{
    random->state += GOLDEN_GAMMA;
    return mix(random->state);
}

uint64_t tl_random_below(tl_random *random, uint64_t bound)
{
    return tl_random_next(random) % bound;
}

uint64_t tl_random_load_seed(uint64_t seed, uint64_t index)
{
    return seed + index * GOLDEN_GAMMA;
}

/* ---- Loads that hardware must refuse ---- */

static void spoil_map(tl_random *random, tl_tensor_map *map)
{
    switch (tl_random_below(random, 6)) {
    case 0:
        tl_map_set(map, TL_MAP_VERSION_LSB, TL_MAP_VERSION_BITS, TL_MAP_VERSION ^ (1 + tl_random_below(random, 255)));
        break;
    case 1:
        tl_map_set(map, TL_MAP_RANK_LSB, TL_MAP_RANK_BITS, (6 + tl_random_below(random, 3)) % 8);
        break;
    case 2:
        tl_map_set(map, TL_MAP_DATA_TYPE_LSB, TL_MAP_DATA_TYPE_BITS, 13 + tl_random_below(random, 3));
        break;
    case 3:
        tl_map_set(map, TL_MAP_INTERLEAVE_LSB, TL_MAP_INTERLEAVE_BITS, 1 + tl_random_below(random, 3));
        break;
    case 4:
        tl_map_set(map, TL_MAP_SWIZZLE_LSB, TL_MAP_SWIZZLE_BITS, TL_SWIZZLE_COUNT);
        break;
    default:
        for (unsigned k = 0; k < TL_TENSOR_MAP_WORDS; k++)
            map->word[k] = tl_random_next(random);
        tl_map_set(map, TL_MAP_VERSION_LSB, TL_MAP_VERSION_BITS, 0);
        break;
    }
}

static void spoil(tl_draft *d, tl_random_load *out)
{
    const tl_random_class_index index = out->class_index;
    out->legal = index < TL_RANDOM_BAD_COORDINATE;
    if (out->legal)
        return;
    if (index == TL_RANDOM_BAD_MAP) {
        spoil_map(&d->random, &out->map);
        out->same_map = false;
    }
    /* Some break several rules: the first one must be named. */
    if (index == TL_RANDOM_BAD_COORDINATE || tl_random_below(&d->random, 4) == 0)
        out->load.coordinates[0] += 1 + (int32_t)tl_random_below(&d->random, d->unit - 1);
    if (index == TL_RANDOM_BAD_SHARED_ADDRESS || tl_random_below(&d->random, 4) == 0)
        out->load.shared_address += 1 + (uint32_t)tl_random_below(&d->random, 127);
}

/* ---- A whole load ---- */

static tl_random_class_index draw_class(tl_random *random)
{
    uint64_t ticket = tl_random_below(random, 1000);
    unsigned index = 0;
    while (ticket >= CLASSES[index].info.weight) {
        ticket -= CLASSES[index].info.weight;
        index = (index + 1) % TL_RANDOM_CLASS_COUNT;
    }
    return (tl_random_class_index)index;
}

static bool candidate_is_legal(const tl_draft *d, tl_random_load *out)
{
    const bool oracle = tl_oracle_tile_major_legal(&d->p) && d->p.global_address != 0;
    const bool encode = tl_tensor_map_encode(&out->map, &d->p) == TL_OK;
    if (oracle != encode) {
        out->disagreement = true;
        out->disagreed = d->p;
    }
    return oracle && encode;
}

static void draw_map(tl_draft *d, tl_random_load *out, uint64_t seed)
{
    d->random = tl_random_from(seed);
    /* One load in eight takes the map of the load before it. */
    if (tl_random_below(&d->random, 8) == 0) {
        draw_map(d, out, seed - GOLDEN_GAMMA);
        out->same_map = true;
        d->random = tl_random_from(~seed);
        return;
    }
    out->same_map = false;
    out->class_index = draw_class(&d->random);
    do {
        tl_draft_map(d, CLASSES[out->class_index].features);
    } while (!candidate_is_legal(d, out));
    out->params = d->p;
}

void tl_random_load_make(tl_random_load *out, uint64_t seed, uint64_t index)
{
    tl_draft d;
    memset(out, 0, sizeof *out);
    draw_map(&d, out, tl_random_load_seed(seed, index));
    tl_draft_load(&d, &out->map, &out->load);
    spoil(&d, out);
}

const tl_random_class_info *tl_random_class(tl_random_class_index index)
{
    return &CLASSES[index].info;
}
