/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the HBM channel share: its configuration, addresses by bank and row, and single reads. */
#ifndef TL_SIM_TESTS_HBM_FIXTURE_H
#define TL_SIM_TESTS_HBM_FIXTURE_H

#include "channel_fixture.h"

static tl_hbm_config config;

static inline void setup_simple(void)
{
    tl_hbm_config_simple(&config);
}

static inline void setup_full(void)
{
    tl_hbm_config_full(&config);
}

static inline void setup_bus(void)
{
    tl_hbm_config_bus(&config);
}

static inline uint64_t address_of(uint32_t pc, uint32_t group, uint32_t bank, uint32_t row, uint32_t column)
{
    tl_bit_decoder decoder;
    const uint32_t fields[TL_BIT_FIELDS] = {[TL_BIT_PSEUDO_CHANNEL] = pc,
                                            [TL_BIT_BANK_GROUP] = group,
                                            [TL_BIT_BANK] = bank,
                                            [TL_BIT_ROW] = row,
                                            [TL_BIT_COLUMN] = column};
    tl_bit_map_compile(&config.map, &decoder);
    return tl_bit_map_encode(&decoder, fields);
}

static inline tl_hbm *create(void)
{
    tl_hbm *hbm = tl_hbm_create(&config);
    ck_assert_msg(hbm != NULL, "%s", tl_hbm_config_check(&config));
    return hbm;
}

static inline void push_read(tl_hbm *hbm, uint64_t now_ps, uint64_t tag, uint64_t address)
{
    const tl_mem_request request = read_of(tag, address, 64);
    ck_assert(tl_hbm_push(hbm, now_ps, &request));
}

static inline uint64_t one_read_ps(tl_hbm *hbm, uint64_t now_ps, uint64_t address, bool hit)
{
    push_read(hbm, now_ps, 5, address);
    const tl_mem_completion done = pop_next(&hbm_ops, hbm);
    ck_assert_int_eq(done.row_hit, hit);
    return done.time_ps - now_ps;
}

#endif
