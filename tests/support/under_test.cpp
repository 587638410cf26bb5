#include "tests/support/under_test.h"

#include <cstdlib>

// Defined where the address sanitizer is linked.
extern "C" void __asan_init() __attribute__((weak));

bool sanitized() { return &__asan_init != nullptr; }

const char* program_under_test(const char* built) {
    const char* named = std::getenv("ATTENSCOPE_UNDER_TEST");
    return named && *named ? named : built;
}
