/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_case SECONDS SEED FILE...: mutate case files and load them, best with sanitizers on.
 *
 * Every mutant is either refused with one line, or its requests agree with the oracle in every variant that must
 * accept it. The first mutant that breaks this is printed, and the exit status is 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case_file.h"
#include "oracle.h"
#include "random_load.h"

enum {
    TEXT_BYTES = 8192,
    FILES_MAX = 512,
    MUTATIONS_MAX = 4,
    ELEMENTS_MAX = 2048, /* compared for each load */
    RUNS_BETWEEN_CLOCKS = 64
};

typedef struct text {
    size_t bytes;
    uint8_t byte[TEXT_BYTES];
} text;

typedef struct tally {
    uint64_t runs, accepted, elements;
} tally;

/* Words that make a valid file another valid file, or break it where a rule is. */
/* clang-format off */
static const char *const words[] = {
    "0", "1", "2", "3", "4", "7", "8", "9", "16", "32", "48", "64", "96", "128", "192", "256", "257", "384", "512",
    "528", "1024", "4096", "8192", "65536", "0x80", "0x400", "0xffffff80", "-1", "-8", "-64", "-128", "0x1000",
    "2147483647", "-2147483648", "4294967295", "4294967296", "1099511627776", "18446744073709551600",
    "18446744073709551616", "0x7f0000000000", "none", "32B", "64B", "128B", "128B_atom_32B", "128B_atom_32B_flip_8B",
    "128B_atom_64B", "nan", "uint8", "int32", "float16", "float64", "bfloat16", "16u4_align8b", "[]", "[1]", "{}",
    "~", "", "*a", "&a 1", "tile_major:", "element_strides: [1, 2]", "\n", "---\n", "\t", "\"", "#", "? ", "- ", "[",
    "]", "0x", "1e3", "\xff",
};
/* clang-format on */

enum { WORD_COUNT = sizeof words / sizeof words[0] };

static bool is_word_byte(uint8_t byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '-';
}

/* Replace `length` bytes at `at` by `insert_bytes` others; a text that would grow too long stays as it is. */
static void splice(text *out, size_t at, size_t length, const void *insert, size_t insert_bytes)
{
    if (out->bytes - length + insert_bytes > TEXT_BYTES) {
        return;
    }
    memmove(out->byte + at + insert_bytes, out->byte + at + length, out->bytes - at - length);
    memcpy(out->byte + at, insert, insert_bytes);
    out->bytes += insert_bytes - length;
}

static void replace_word(text *out, tl_random *random)
{
    size_t start = tl_random_below(random, out->bytes);
    while (start < out->bytes && !is_word_byte(out->byte[start])) {
        start++;
    }
    while (start > 0 && is_word_byte(out->byte[start - 1])) {
        start--;
    }
    size_t end = start;
    while (end < out->bytes && is_word_byte(out->byte[end])) {
        end++;
    }
    const char *word = words[tl_random_below(random, WORD_COUNT)];
    splice(out, start, end - start, word, strlen(word));
}

static void copy_line(text *out, const text *from, tl_random *random)
{
    uint8_t line[TEXT_BYTES];
    size_t start = tl_random_below(random, from->bytes);
    while (start > 0 && from->byte[start - 1] != '\n') {
        start--;
    }
    size_t end = start;
    while (end < from->bytes && from->byte[end++] != '\n') {}
    size_t at = tl_random_below(random, out->bytes);
    while (at > 0 && out->byte[at - 1] != '\n') {
        at--;
    }
    memcpy(line, from->byte + start, end - start);
    splice(out, at, 0, line, end - start);
}

static void mutate(text *out, const text *other, tl_random *random)
{
    if (out->bytes == 0) {
        return;
    }
    const size_t at = tl_random_below(random, out->bytes);
    const uint8_t byte = (uint8_t)tl_random_next(random);
    switch (tl_random_below(random, 8)) {
    case 0:
        out->byte[at] ^= (uint8_t)(1u << (byte & 7));
        break;
    case 1:
        splice(out, at, 0, &byte, 1);
        break;
    case 2:
        splice(out, at, 1 + tl_random_below(random, out->bytes - at), &byte, 0);
        break;
    case 3:
        copy_line(out, other, random);
        break;
    default:
        replace_word(out, random);
        break;
    }
}

/* True when `error` is one line that begins with the name of the file. */
static bool is_one_line(const char *error)
{
    return strncmp(error, "fuzz: ", 6) == 0 && strchr(error, '\n') == NULL && strstr(error, ": found ") != NULL &&
           strstr(error, ", expected ") != NULL;
}

static bool agrees(const tl_case *in, tl_engine *engine, tally *count)
{
    const uint32_t element_bytes = tl_element_bytes(in->params.data_type);
    const uint64_t total = tl_oracle_count(&in->params);
    uint64_t element = 0;
    tl_request request;
    while (element < ELEMENTS_MAX && tl_engine_next(engine, &request)) {
        for (uint32_t offset = 0; offset < request.bytes; offset += element_bytes, element++) {
            tl_oracle_element expected;
            if (element >= total) {
                return false;
            }
            tl_oracle_map(&in->params, &in->load, element, &expected);
            const uint64_t dst_address = (request.dst_address + offset) ^ request.swizzle_xor;
            if (request.fill != expected.fill || dst_address != expected.dst_address ||
                (!request.fill && request.src_address + offset != expected.src_address)) {
                return false;
            }
            count->elements++;
        }
    }
    return element == total || element >= ELEMENTS_MAX;
}

static bool must_accept(const tl_case *in, tl_variant variant)
{
    if (!in->params.has_tile_major || variant == TL_GENERAL) {
        return true;
    }
    return variant == TL_PAPER && tl_oracle_paper_accepts(&in->params, &in->load);
}

static bool try_variants(const tl_case *in, tally *count)
{
    char error[TL_CASE_ERROR_BYTES] = "";
    tl_tensor_map map;
    if (tl_case_launch("fuzz", in, &map, error, sizeof error) != 0) {
        return is_one_line(error);
    }
    count->accepted++;
    for (int variant = 0; variant < TL_VARIANT_COUNT; variant++) {
        tl_engine engine;
        const bool runs = tl_case_start("fuzz", in, (tl_variant)variant, &engine, error, sizeof error) == 0;
        if (runs != must_accept(in, (tl_variant)variant) ||
            (runs ? !agrees(in, &engine, count) : !is_one_line(error))) {
            return false;
        }
    }
    return true;
}

static bool try_text(const text *in, tally *count)
{
    char error[TL_CASE_ERROR_BYTES] = "";
    tl_case parsed;
    count->runs++;
    const int status = tl_case_parse("fuzz", in->byte, in->bytes, &parsed, error, sizeof error);
    return status == 0 ? try_variants(&parsed, count) : status == 2 && is_one_line(error);
}

static bool read_text(const char *path, text *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    out->bytes = fread(out->byte, 1, sizeof out->byte, file);
    const bool whole = !ferror(file);
    (void)fclose(file);
    return whole;
}

int main(int argc, char **argv)
{
    static text files[FILES_MAX];
    if (argc < 4 || argc - 3 > FILES_MAX) {
        (void)fprintf(stderr, "usage: fuzz_case SECONDS SEED FILE...\n");
        return 2;
    }
    const double seconds = strtod(argv[1], NULL);
    const uint64_t seed = strtoull(argv[2], NULL, 0);
    const uint64_t file_count = (uint64_t)argc - 3;
    for (uint64_t n = 0; n < file_count; n++) {
        if (!read_text(argv[3 + n], &files[n])) {
            (void)fprintf(stderr, "fuzz_case: cannot read %s\n", argv[3 + n]);
            return 2;
        }
    }
    tl_random random = tl_random_from(seed);
    tally count = {0};
    bool good = true;
    while (good && (count.runs % RUNS_BETWEEN_CLOCKS != 0 || (double)clock() / CLOCKS_PER_SEC < seconds)) {
        text mutant = files[tl_random_below(&random, file_count)];
        for (uint64_t n = tl_random_below(&random, MUTATIONS_MAX + 1); n > 0; n--) {
            mutate(&mutant, &files[tl_random_below(&random, file_count)], &random);
        }
        good = try_text(&mutant, &count);
        if (!good) {
            (void)fwrite(mutant.byte, 1, mutant.bytes, stderr);
        }
    }
    (void)printf("fuzz_case: seed %" PRIu64 ", %" PRIu64 " mutants, %" PRIu64 " accepted, %" PRIu64
                 " elements compared%s\n",
                 seed, count.runs, count.accepted, count.elements, good ? "" : ": FAILED on the mutant above");
    return good && count.elements > 0 ? 0 : 1;
}
