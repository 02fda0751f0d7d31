/* SPDX-License-Identifier: Apache-2.0 */
/** What the tests of the configuration share: a folder for their files, and the main of a suite that removes it. */
#ifndef CONFIG_FIXTURE_H
#define CONFIG_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../config/config_file.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char folder[] = "/tmp/check_config_XXXXXX"; /* with an empty folder `sub` */
static char error[TL_CONFIG_ERROR_BYTES];

static inline const char *write_file(const char *name, const char *text)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static inline void remove_folder(void)
{
    static const char *const names[] = {"sub/system.yaml",
                                        "sub/other.yaml",
                                        "sub/workload.yaml",
                                        "sub/run.yaml",
                                        "sub",
                                        "plain.yaml",
                                        "run.yaml",
                                        "wrong.yaml",
                                        ""};
    for (size_t n = 0; n < COUNT(names); n++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[n]);
        (void)remove(path);
    }
}

static inline int run_in_folder(TCase *tcase, const char *name)
{
    char sub[sizeof folder + 8];
    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    (void)snprintf(sub, sizeof sub, "%s/sub", folder);
    if (mkdir(sub, 0700) != 0) {
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_folder();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
