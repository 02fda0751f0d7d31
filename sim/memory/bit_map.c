/* SPDX-License-Identifier: Apache-2.0 */
#include "bit_map.h"

#include <stdio.h>
#include <string.h>

static const char field_letters[TL_BIT_FIELDS + 1] = "cpgbsrH";

tl_mem_status tl_bit_map_check(const tl_bit_map *map)
{
    if (map->address_bits == 0 || map->address_bits > TL_MAP_ADDRESS_BITS) {
        return TL_MEM_BAD_MAP;
    }
    uint64_t used = 0;
    for (unsigned f = 0; f < TL_BIT_FIELDS; f++) {
        if (map->fields[f].count > TL_BIT_FIELD_BITS) {
            return TL_MEM_BAD_MAP;
        }
        for (unsigned i = 0; i < map->fields[f].count; i++) {
            const unsigned bit = map->fields[f].bits[i];
            if (bit >= map->address_bits || (used >> bit & 1) != 0) {
                return TL_MEM_BAD_MAP;
            }
            used |= UINT64_C(1) << bit;
        }
    }
    return used == (UINT64_C(1) << map->address_bits) - 1 ? TL_MEM_OK : TL_MEM_BAD_MAP;
}

void tl_bit_map_compile(const tl_bit_map *map, tl_bit_decoder *decoder)
{
    decoder->run_count = 0;
    for (unsigned f = 0; f < TL_BIT_FIELDS; f++) {
        const tl_bit_list *list = &map->fields[f];
        for (unsigned i = 0; i < list->count; i++) {
            if (i > 0 && list->bits[i] == list->bits[i - 1] + 1) {
                tl_bit_run *run = &decoder->runs[decoder->run_count - 1];
                run->mask = run->mask << 1 | 1;
            } else {
                decoder->runs[decoder->run_count++] = (tl_bit_run){1, list->bits[i], (uint8_t)i, (uint8_t)f};
            }
        }
    }
}

void tl_bit_map_decode(const tl_bit_decoder *decoder, uint64_t address, uint32_t fields[TL_BIT_FIELDS])
{
    memset(fields, 0, TL_BIT_FIELDS * sizeof *fields);
    for (unsigned i = 0; i < decoder->run_count; i++) {
        const tl_bit_run *run = &decoder->runs[i];
        fields[run->field] |= ((uint32_t)(address >> run->address_bit) & run->mask) << run->field_bit;
    }
}

uint64_t tl_bit_map_encode(const tl_bit_decoder *decoder, const uint32_t fields[TL_BIT_FIELDS])
{
    uint64_t address = 0;
    for (unsigned i = 0; i < decoder->run_count; i++) {
        const tl_bit_run *run = &decoder->runs[i];
        address |= (uint64_t)(fields[run->field] >> run->field_bit & run->mask) << run->address_bit;
    }
    return address;
}

void tl_bit_map_without_channel(const tl_bit_map *map, tl_bit_map *local)
{
    const tl_bit_list *channel = &map->fields[TL_BIT_CHANNEL];
    *local = *map;
    local->address_bits = (uint8_t)(map->address_bits - channel->count);
    local->fields[TL_BIT_CHANNEL].count = 0;
    for (unsigned f = 0; f < TL_BIT_CHANNEL; f++) {
        for (unsigned i = 0; i < map->fields[f].count; i++) {
            unsigned below = 0;
            for (unsigned c = 0; c < channel->count; c++) {
                below += channel->bits[c] < map->fields[f].bits[i];
            }
            local->fields[f].bits[i] = (uint8_t)(map->fields[f].bits[i] - below);
        }
    }
}

uint64_t tl_bit_map_row_run_bytes(const tl_bit_map *map)
{
    const tl_bit_list *column = &map->fields[TL_BIT_COLUMN];
    unsigned run = 0;
    while (run < column->count && column->bits[run] == run) {
        run++;
    }
    return UINT64_C(1) << run;
}

static char bit_letter(const tl_bit_map *map, unsigned bit)
{
    unsigned uses = 0;
    char letter = '?';
    for (unsigned f = 0; f < TL_BIT_FIELDS; f++) {
        for (unsigned i = 0; i < map->fields[f].count; i++) {
            if (map->fields[f].bits[i] == bit) {
                letter = field_letters[f];
                uses++;
            }
        }
    }
    return (char)(uses > 1 ? '!' : letter);
}

int tl_bit_map_ruler(const tl_bit_map *map, char *text, size_t text_bytes)
{
    char tens[TL_MAP_ADDRESS_BITS + 1] = "", ones[TL_MAP_ADDRESS_BITS + 1] = "", letters[TL_MAP_ADDRESS_BITS + 1] = "";
    const unsigned bits = map->address_bits < TL_MAP_ADDRESS_BITS ? map->address_bits : TL_MAP_ADDRESS_BITS;
    for (unsigned i = 0; i < bits; i++) {
        const unsigned bit = bits - 1 - i;
        tens[i] = (char)('0' + bit / 10);
        ones[i] = (char)('0' + bit % 10);
        letters[i] = bit_letter(map, bit);
    }
    return snprintf(text, text_bytes, "bit   %s\n      %s\nfield %s\n", tens, ones, letters);
}

tl_mem_status tl_bit_map_parse(const char *letters, tl_bit_map *map)
{
    memset(map, 0, sizeof *map);
    const size_t bits = strlen(letters);
    if (bits == 0 || bits > TL_MAP_ADDRESS_BITS) {
        return TL_MEM_BAD_MAP;
    }
    map->address_bits = (uint8_t)bits;
    for (unsigned bit = 0; bit < bits; bit++) {
        const char *letter = strchr(field_letters, letters[bits - 1 - bit]);
        if (letter == NULL || map->fields[letter - field_letters].count == TL_BIT_FIELD_BITS) {
            return TL_MEM_BAD_MAP;
        }
        tl_bit_list *list = &map->fields[letter - field_letters];
        list->bits[list->count++] = (uint8_t)bit;
    }
    return TL_MEM_OK;
}
