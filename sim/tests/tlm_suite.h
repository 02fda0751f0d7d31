// SPDX-License-Identifier: Apache-2.0
// The main of a Check suite on SystemC. SystemC elaborates once in a process, so every test runs in its own: it builds
// its modules, starts the simulation and looks at what came out.
#ifndef TILELENS_SIM_TESTS_TLM_SUITE_H
#define TILELENS_SIM_TESTS_TLM_SUITE_H

#include <systemc>
#include <tlm>

#include <check.h>
#include <cstdlib>
#undef fail // a macro of Check, and a name of ours

// Defined by each program.
TCase *make_tests();

int sc_main(int, char **argv)
{
    TCase *tests = make_tests();
    Suite *suite = suite_create(argv[0]);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}

#endif
