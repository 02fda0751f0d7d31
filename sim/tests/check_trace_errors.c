/* SPDX-License-Identifier: Apache-2.0 */
/* Bad traces, refused by the number of the line. */
#include <zlib.h>

#include "trace_fixture.h"

#define START "tilelens-trace 1\nkernel k 2 1 100 1 2 2\n"
#define READS "read 0 0 0 weight 0 64\nread 0 1 0 weight 64 64\n"

typedef struct bad_trace {
    const char *text;
    const char *path;
    const char *found; /* begins with */
} bad_trace;

static const bad_trace BAD_TRACES[] = {
    {"", "line 1", "an empty file"},
    {"tilelens-trace 2\n", "line 1", "tilelens-trace 2"},
    {"LD 0\n", "line 1", "LD 0"},
    {START, "line 3", "the end of the file"},
    {START "end 0\n", "trace", "no load"},
    {START READS, "line 5", "the end of the file"},
    {START READS "end 3\n", "line 5", "3"},
    {START READS "end 2\nend 2\n", "line 6", "end"},
    {START "read 0 0 0 weight 0 64\nend 1\n", "trace", "1 loads for 2 tiles"},
    {START "read 0 0 0 weight 0 64\nread 0 0 0 weight 64 64\nend 2\n", "trace", "no load: kernel 0, CTA 1, step 0"},
    {START "store 0 0 0 weight 0 64\n", "line 3", "store"},
    {START "read 0 0 0 weight 0\n", "line 3", "6 fields"},
    {START "read 0 0 0 weight zz 64\n", "line 3", "zz"},
    {START "read 0 0 0 weight -4 64\n", "line 3", "-4"},
    {START "read 0 0 0 weight 0x 64\n", "line 3", "0x"},
    {START "read 0 0 0 weight 0xffffffffffffffff 64\n", "line 3", "0xffffffffffffffff"},
    {START "read 0 0 0 weight 18446744073709551617 64\n", "line 3", "18446744073709551617"},
    {START "read 0 0 0 weight 0 0\n", "line 3", "0"},
    {START "read 0 0 0 weight 0 65537\n", "line 3", "65537"},
    {START "read 0 0 0 weights 0 64\n", "line 3", "weights"},
    {START "read 1 0 0 weight 0 64\n", "line 3", "kernel 1"},
    {START "read 0 2 0 weight 0 64\n", "line 3", "CTA 2"},
    {START "read 0 0 1 weight 0 64\n", "line 3", "step 1"},
    {START "load 0 0 0 0 0 0 0\n", "line 3", "map 0"},
    {START "load 0 0 0 0 0\n", "line 3", "6 fields"},
    {START "map weight 00\n", "line 3", "another text"},
    {START "kernel l 0 1 100 1 1 1\n", "line 3", "0"},
    {START "kernel l 1 1 100 1 1 2\n", "line 3", "2"},
    {START "kernel l 1 1 100 33 1 1\n", "line 3", "33"},
    {START "kernel l 1 1 18446744073709551615 1 1 1\n", "line 3", "18446744073709551615"},
    {START "kernel a_name_of_very_many_letters 1 1 100 1 1 1\n", "line 3", "a_name"},
    {START "kernel l 4294967294 4294967294 100 1 1 1\n", "line 3", "more"},
};
enum { BAD_TRACE_COUNT = sizeof BAD_TRACES / sizeof BAD_TRACES[0] };

static void check_refused(const char *file, const char *path, const char *found)
{
    tl_input_error error = {.path = ""};
    ck_assert_ptr_null(tl_trace_open(file, &error));
    ck_assert_str_eq(error.path, path);
    ck_assert_msg(strncmp(error.found, found, strlen(found)) == 0, "found %s, not %s", error.found, found);
    ck_assert_str_ne(error.expected, "");
    ck_assert_ptr_null(strstr(error.expected, "expected"));
}

START_TEST(bad_traces)
{
    write_file(plain_path, BAD_TRACES[_i].text, strlen(BAD_TRACES[_i].text));
    check_refused(plain_path, BAD_TRACES[_i].path, BAD_TRACES[_i].found);
}
END_TEST

START_TEST(bad_files)
{
    char line[2000];
    memset(line, 'x', sizeof line);
    memcpy(line, START, sizeof START - 1);
    write_file(plain_path, line, sizeof line);
    check_refused(plain_path, "line 3", "a longer line");
    write_file(plain_path, START "read 0\0", sizeof START + 7);
    check_refused(plain_path, "line 3", "");
    check_refused("no_such_trace", "trace", "a file that cannot be opened");
}
END_TEST

/* A recorded load, and one thing wrong with it. */
START_TEST(bad_loads)
{
    static const struct {
        const char *tail, *found;
    } BAD[] = {
        {"0 0x400 0 0", "2 coordinates"},
        {"0 0x400 4 0 0", "coordinate 0 off the 16-byte grid"},
        {"0 0x410 0 0 0", "an unaligned shared address"},
        {"0 0x400 0 0 9999999999", "9999999999"},
        {"0 0x400 0 0 1.5", "1.5"},
        {"4 0x400 0 0 0", "map 4"},
        {"0 0x400 0 -2147483649 0", "-2147483649"},
    };
    const tl_model model = qwen_model(1, TL_WEIGHT_COLUMN_MAJOR);
    tl_workload *workload = make_workload(&model);
    tl_input_error error;
    char *text;
    tl_trace_recorder *recorder = tl_trace_record_open(plain_path, tl_workload_source(workload), &error);
    ck_assert(tl_trace_record_close(recorder, &error));
    read_file(plain_path, &text); /* header, two kernels, four maps */
    char *end = strstr(text, "end 0\n");
    ck_assert_ptr_nonnull(end);
    snprintf(end, 100, "load 0 0 0 %s\n", BAD[_i].tail);
    write_file(plain_path, text, strlen(text));
    check_refused(plain_path, "line 8", BAD[_i].found);
    /* A map whose bits are none. */
    char *map = strstr(text, "map weight ");
    memset(map + 11, 'f', 256);
    write_file(plain_path, text, strlen(text));
    check_refused(plain_path, "line 4", "bits that no encode makes");
    free(text);
    tl_workload_destroy(workload);
}
END_TEST

/* Maps and plain reads of weights, in a memory of 2^20..2^21 that lacks the first byte, has all, or lacks the last. */
START_TEST(addresses_outside_the_memory)
{
    static const char TEXT[] = START "read 0 0 0 weight 0x100000 64\nread 0 1 0 activation 0xffffffff 64\n"
                                     "read 0 0 0 weight 0x1fff00 256\nread 0 0 0 weight 0x180000 64\nend 4\n";
    static const tl_byte_range all = {0x100000, 0x200000}, cut[] = {{0x100001, 0x200000}, {0x100000, 0x1fffff}};
    static const char *const lines[] = {"line 3", "line 5"};
    static const char *const founds[] = {"weights at 0x100000", "weights at 0x1fffff"};
    tl_input_error error;
    write_file(plain_path, TEXT, sizeof TEXT - 1);
    tl_trace *trace = open_trace(plain_path);
    ck_assert(tl_trace_check_addresses(trace, TL_OPERAND_WEIGHT, all, &error));
    for (unsigned k = 0; k < 2; k++) {
        ck_assert(!tl_trace_check_addresses(trace, TL_OPERAND_WEIGHT, cut[k], &error));
        ck_assert_str_eq(error.path, lines[k]);
        ck_assert_str_eq(error.found, founds[k]);
    }
    ck_assert(!tl_trace_check_addresses(trace, TL_OPERAND_ACTIVATION, all, &error));
    ck_assert_str_eq(error.path, "line 4");
    tl_trace_close(trace);

    const tl_model model = qwen_model(1, TL_WEIGHT_COLUMN_MAJOR);
    tl_workload *workload = make_workload(&model);
    const tl_byte_range maps = tl_operand_range(tl_workload_source(workload), TL_OPERAND_WEIGHT);
    record(plain_path, tl_workload_source(workload), false); /* header, two kernels, weights in maps 0 and 2 */
    trace = open_trace(plain_path);
    ck_assert(tl_trace_check_addresses(trace, TL_OPERAND_WEIGHT, maps, &error));
    ck_assert(!tl_trace_check_addresses(trace, TL_OPERAND_WEIGHT, (tl_byte_range){maps.begin + 1, maps.end}, &error));
    ck_assert_str_eq(error.path, "line 4");
    ck_assert(!tl_trace_check_addresses(trace, TL_OPERAND_WEIGHT, (tl_byte_range){maps.begin, maps.end - 1}, &error));
    ck_assert_str_eq(error.path, "line 6");
    tl_trace_close(trace);
    tl_workload_destroy(workload);
}
END_TEST

/* Whatever the C model says has two parts. */
START_TEST(every_status_has_parts)
{
    for (int status = TL_OK + 1; status < TL_STATUS_COUNT; status++) {
        tl_input_error error;
        if (strcmp(tl_status_name((tl_status)status), "unknown") == 0)
            continue; /* a gap between the numbers */
        ck_assert(!tl_input_error_status(&error, "p", (tl_status)status));
        char text[sizeof error.found + sizeof error.expected + 32];
        snprintf(text, sizeof text, "found %s, expected %s", error.found, error.expected);
        ck_assert_str_eq(text, tl_status_str((tl_status)status));
    }
}
END_TEST

START_TEST(damaged_gzip)
{
    const tl_model model = qwen_model(1, TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    tl_input_error error;
    char *text;
    record(gzip_path, tl_workload_source(workload), false);
    const size_t length = read_file(gzip_path, &text);
    write_file(gzip_path, text, length / 2);
    ck_assert_ptr_null(tl_trace_open(gzip_path, &error));
    text[length / 2] = (char)(text[length / 2] ^ 0x55);
    write_file(gzip_path, text, length);
    ck_assert_ptr_null(tl_trace_open(gzip_path, &error));
    ck_assert_int_eq(strncmp(error.path, "line ", 5), 0);
    free(text);
    tl_workload_destroy(workload);
}
END_TEST

/* A gzip file may have several members, one behind the other, and nothing else; a member may end anywhere. */
START_TEST(gzip_members)
{
    const tl_model model = qwen_model(1, TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    tl_input_error error;
    char *text, *plain;
    record(gzip_path, tl_workload_source(workload), false);
    const size_t length = read_file(gzip_path, &text);
    memcpy(text + length, "garbage", 7);
    write_file(gzip_path, text, length + 7);
    ck_assert_ptr_null(tl_trace_open(gzip_path, &error));
    ck_assert_msg(strncmp(error.found, "damaged", 7) == 0, "%s", error.found);

    record(plain_path, tl_workload_source(workload), false);
    const size_t plain_length = read_file(plain_path, &plain), first = plain_length / 3;
    const size_t parts[] = {0, first, plain_length};
    remove(gzip_path);
    for (unsigned part = 0; part < 2; part++) {
        gzFile file = gzopen(gzip_path, "ab");
        const unsigned bytes = (unsigned)(parts[part + 1] - parts[part]);
        ck_assert_int_eq(gzwrite(file, plain + parts[part], bytes), (int)bytes);
        ck_assert_int_eq(gzclose(file), Z_OK);
    }
    tl_trace_close(open_trace(gzip_path));
    free(plain);
    free(text);
    tl_workload_destroy(workload);
}
END_TEST

START_TEST(recorder_cannot_write)
{
    const tl_model model = qwen_model(1, TL_WEIGHT_TILE_MAJOR);
    tl_workload *workload = make_workload(&model);
    tl_input_error error;
    ck_assert_ptr_null(tl_trace_record_open("no_such_folder/trace", tl_workload_source(workload), &error));
    tl_trace_recorder *recorder = tl_trace_record_open("/dev/full", tl_workload_source(workload), &error);
    ck_assert_ptr_nonnull(recorder);
    ck_assert(!tl_trace_record_close(recorder, &error));
    tl_workload_destroy(workload);
}
END_TEST

int main(void)
{
    TCase *tcase = trace_case("trace_errors");
    tcase_add_loop_test(tcase, bad_traces, 0, BAD_TRACE_COUNT);
    tcase_add_test(tcase, bad_files);
    tcase_add_loop_test(tcase, bad_loads, 0, 7);
    tcase_add_test(tcase, addresses_outside_the_memory);
    tcase_add_test(tcase, every_status_has_parts);
    tcase_add_test(tcase, damaged_gzip);
    tcase_add_test(tcase, gzip_members);
    tcase_add_test(tcase, recorder_cannot_write);
    return run_case(tcase, "trace_errors");
}
