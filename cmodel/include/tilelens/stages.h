/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The seven stages of a load, each the mirror of rtl/tma_<stage>.sv: same steps, same widths, same wrap.
 *
 *   tensor map -> desc_decode -> coord_mul -> split_sum -> dim_convert -> counters -> permute -> req_gen
 *
 * Units: addresses and strides inside the stages are 16-byte units, 60 bits (TL_UNIT_BITS), wrapping; positions
 * inside a box row are bytes. `a16` is the width of a memory tile in units, a*s/16.
 *
 * The packed accumulator (general variant): X = floor(j/b)*b*KL + i*b + (j mod b), in units, relative to memory
 * (the matrix address is part of it). Its low log2 b bits hold j mod b, the next log2 a16 bits hold i mod a, the
 * rest is the memory-tile number (Eq. 2 read as bits; Eq. 4 plus j mod b). The paper variant keeps Eq. 4's
 * K*j + i*b on a u x b sub-tile instead; plain maps have b = 1 and X is the address.
 */
#ifndef TILELENS_STAGES_H
#define TILELENS_STAGES_H

#include "tilelens/counters.h"
#include "tilelens/coord_mul.h"
#include "tilelens/desc_decode.h"
#include "tilelens/dim_convert.h"
#include "tilelens/permute.h"
#include "tilelens/req_gen.h"
#include "tilelens/split_sum.h"

#endif
