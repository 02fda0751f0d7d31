/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address maps as bit lists: for every field the address bits that make it up, least significant first. A map is legal
 * when each address bit is in exactly one list; then it is a bijection by construction.
 */
#ifndef TL_SIM_MEMORY_BIT_MAP_H
#define TL_SIM_MEMORY_BIT_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "channel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tl_bit_field {
    TL_BIT_COLUMN, /* byte within the row */
    TL_BIT_PSEUDO_CHANNEL,
    TL_BIT_BANK_GROUP,
    TL_BIT_BANK,
    TL_BIT_STACK_ID,
    TL_BIT_ROW,
    TL_BIT_CHANNEL,
    TL_BIT_FIELDS
} tl_bit_field;

#define TL_MAP_ADDRESS_BITS 48
#define TL_BIT_FIELD_BITS   32

typedef struct tl_bit_list {
    uint8_t count;
    uint8_t bits[TL_BIT_FIELD_BITS]; /* address bit numbers; bits[0] is the field's bit 0 */
} tl_bit_list;

typedef struct tl_bit_map {
    uint8_t address_bits;
    tl_bit_list fields[TL_BIT_FIELDS];
} tl_bit_map;

/* A map compiled into runs of neighbouring bits. */
typedef struct tl_bit_run {
    uint32_t mask; /* of its width */
    uint8_t address_bit, field_bit, field;
} tl_bit_run;

typedef struct tl_bit_decoder {
    unsigned run_count;
    tl_bit_run runs[TL_MAP_ADDRESS_BITS];
} tl_bit_decoder;

/* TL_MEM_BAD_MAP unless every bit below address_bits is in exactly one list. */
tl_mem_status tl_bit_map_check(const tl_bit_map *map);

void tl_bit_map_compile(const tl_bit_map *map, tl_bit_decoder *decoder);
void tl_bit_map_decode(const tl_bit_decoder *decoder, uint64_t address, uint32_t fields[TL_BIT_FIELDS]);
uint64_t tl_bit_map_encode(const tl_bit_decoder *decoder, const uint32_t fields[TL_BIT_FIELDS]);

/* The map of one channel's own addresses: the channel bits taken out, the bits above them moved down. */
void tl_bit_map_without_channel(const tl_bit_map *map, tl_bit_map *local);

/* Bytes of an aligned block that stays in one row: the column bits that follow each other from bit 0. */
uint64_t tl_bit_map_row_run_bytes(const tl_bit_map *map);

/*
 * Prints the map as a ruler, one letter a bit, most significant first (c column, p pseudo-channel, g bank group, b
 * bank, s stack ID, r row, H channel; '?' no field, '!' several). Returns the length as snprintf does.
 */
int tl_bit_map_ruler(const tl_bit_map *map, char *text, size_t text_bytes);

/* Parses the letters of a ruler, most significant bit first; the order within a field is the order of the address bits.
 */
tl_mem_status tl_bit_map_parse(const char *letters, tl_bit_map *map);

#ifdef __cplusplus
}
#endif

#endif
