/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of memory merged to pages, or to requests of whole sectors. */
#include "access_merger.h"
#include "gpu_fixture.h"

enum { PAGE_BYTES = 4096 };

static void check_access(const tl_access_merger *merger, uint32_t index, uint64_t address, uint32_t bytes,
                         uint32_t useful_bytes)
{
    ck_assert_uint_lt(index, merger->count);
    ck_assert_uint_eq(merger->accesses[index].address, address);
    ck_assert_uint_eq(merger->accesses[index].bytes, bytes);
    ck_assert_uint_eq(merger->accesses[index].useful_bytes, useful_bytes);
}

START_TEST(merger_of_requests)
{
    tl_access_merger merger;
    ck_assert(tl_access_merger_init(&merger, 512, false, 16));
    tl_access_merger_add(&merger, 1024, 64);
    tl_access_merger_add(&merger, 1088, 64);  /* goes on */
    tl_access_merger_add(&merger, 1500, 100); /* inside two sectors, over the edge of a block */
    tl_access_merger_add(&merger, 1280, 32);  /* the first block again, behind a hole */
    tl_access_merger_add(&merger, 1312, 16);  /* half a sector after it */
    tl_access_merger_add(&merger, 1328, 16);  /* the other half */
    ck_assert_uint_eq(merger.count, 4);
    check_access(&merger, 0, 1024, 128, 128);
    check_access(&merger, 1, 1472, 64, 36);
    check_access(&merger, 2, 1536, 64, 64);
    check_access(&merger, 3, 1280, 64, 64);
    tl_access_merger_free(&merger);
}
END_TEST

START_TEST(merger_of_pages)
{
    tl_access_merger merger;
    ck_assert(tl_access_merger_init(&merger, PAGE_BYTES, true, 16));
    tl_access_merger_add(&merger, 3 * PAGE_BYTES + 16, 16);
    tl_access_merger_add(&merger, PAGE_BYTES, 16);
    tl_access_merger_add(&merger, 4 * PAGE_BYTES - 32, 64); /* over the edge */
    ck_assert_uint_eq(merger.count, 3);
    check_access(&merger, 0, 3 * PAGE_BYTES, PAGE_BYTES, 48);
    check_access(&merger, 1, PAGE_BYTES, PAGE_BYTES, 16);
    check_access(&merger, 2, 4 * PAGE_BYTES, PAGE_BYTES, 32);
    tl_access_merger_free(&merger);
}
END_TEST

/* Entries of an old tile never show up in a new one, not even when the generations start again. */
START_TEST(merger_forgets)
{
    tl_access_merger merger;
    ck_assert(tl_access_merger_init(&merger, PAGE_BYTES, true, 16));
    for (unsigned k = 0; k < 4; k++) {
        tl_access_merger_add(&merger, 7 * PAGE_BYTES, 32);
        tl_access_merger_add(&merger, (k + 10ull) * PAGE_BYTES, 32);
        tl_access_merger_add(&merger, 7 * PAGE_BYTES, 32);
        ck_assert_uint_eq(merger.count, 2);
        check_access(&merger, 0, 7 * PAGE_BYTES, PAGE_BYTES, 64);
        if (k == 1)
            merger.generation = UINT32_MAX;
        tl_access_merger_reset(&merger);
    }
    tl_access_merger_free(&merger);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("access_merger");
    tcase_add_test(tcase, merger_of_requests);
    tcase_add_test(tcase, merger_of_pages);
    tcase_add_test(tcase, merger_forgets);
    return run_case(tcase, "access_merger");
}
