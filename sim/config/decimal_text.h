/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Numbers as all configuration files of sim/ write them. In a header, so that locality/ needs no other part of sim/.
 */
#ifndef TILELENS_SIM_DECIMAL_TEXT_H
#define TILELENS_SIM_DECIMAL_TEXT_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t tl_power_of_ten(unsigned exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

/**
 * Decimal text times 10^decimals, exactly. A leading zero is refused (YAML 1.1 reads 010 as octal), and so are more
 * decimals than the unit has, signs and exponents.
 */
static inline bool tl_decimal_read(const char *text, unsigned decimals, uint64_t *out)
{
    if (text[0] == '0' && text[1] >= '0' && text[1] <= '9') {
        return false;
    }
    uint64_t value = 0;
    unsigned digits = 0;
    unsigned missing = decimals; /* decimals of the unit that the text has not reached */
    bool after_point = false;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '.' && !after_point && digits > 0 && c[1] != '\0') {
            after_point = true;
            continue;
        }
        if (*c < '0' || *c > '9') {
            return false;
        }
        digits++;
        if (after_point && missing == 0) {
            if (*c != '0') {
                return false;
            }
            continue;
        }
        missing -= after_point;
        const unsigned digit = (unsigned)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    const uint64_t scale = tl_power_of_ten(missing);
    if (digits == 0 || value > UINT64_MAX / scale) {
        return false;
    }
    *out = value * scale;
    return true;
}

#endif
