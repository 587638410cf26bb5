#include "tests/support/refusing.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local int left_here = 0;        // allocations until the one that fails; 0: none fails
thread_local bool is_spared = false;   // this thread makes the other threads' allocations fail
std::atomic<int> left_elsewhere = 0;

void* allocate(std::size_t size) {
    if (left_here > 0 && --left_here == 0) throw std::bad_alloc();
    if (!is_spared && left_elsewhere.load(std::memory_order_relaxed) > 0 && left_elsewhere.fetch_sub(1) == 1) throw std::bad_alloc();
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

}  // namespace

// Not inlined: a compiler that sees malloc on one side and delete on the other warns that they do not match.
#define ATTN_APART __attribute__((noinline))
ATTN_APART void* operator new(std::size_t size) { return allocate(size); }
ATTN_APART void* operator new[](std::size_t size) { return allocate(size); }
ATTN_APART void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size == 0 ? 1 : size); }
ATTN_APART void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size == 0 ? 1 : size); }
ATTN_APART void operator delete(void* memory) noexcept { std::free(memory); }
ATTN_APART void operator delete[](void* memory) noexcept { std::free(memory); }
ATTN_APART void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
ATTN_APART void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace test_support {

Refusing::Refusing(int which, Of of) : of_(of) {
    if (of == Of::ThisThread) {
        left_here = which;
    } else {
        is_spared = true;
        left_elsewhere = which;
    }
}

Refusing::~Refusing() {
    left_here = 0;
    left_elsewhere = 0;
    is_spared = false;
}

bool Refusing::came() const { return of_ == Of::ThisThread ? left_here == 0 : left_elsewhere <= 0; }

}  // namespace test_support
