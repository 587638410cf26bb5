#pragma once
// Facts about the code under test: the tests' own code may be compiled with other options.

/// Whether the code under test has sanitizers and assertions.
bool sanitized();

/// The program that tests start: the one that the build made (`built`), unless the environment variable
/// ATTENSCOPE_UNDER_TEST names another.
const char* program_under_test(const char* built);
