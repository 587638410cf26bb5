#pragma once
// What is tested, as far as a test must know it: the tests' own code may be compiled otherwise than the program's.

/// Whether sanitizers and assertions are in the code that is tested.
bool sanitized();

/// The program that is started where a test starts one: the one that the build made (`built`), unless
/// ATTENSCOPE_UNDER_TEST in the environment names another.
const char* program_under_test(const char* built);
