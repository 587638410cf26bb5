#include "core/base/memory.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#if defined(__linux__)
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace attn {
namespace {

constexpr std::size_t kMapped = std::size_t{32} << 20;  ///< larger blocks are mapped; the C library allows no more
constexpr std::size_t kHeap = 2 * kMapped;              ///< heaps are aligned to this and no larger (glibc, arena.c)

}  // namespace

void keep_freed_memory() {
#if defined(__GLIBC__)
    constexpr int kRetained = 256 << 20, kAtOnce = 128 << 20;
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(kMapped));
    mallopt(M_TRIM_THRESHOLD, kRetained);
    mallopt(M_TOP_PAD, kAtOnce);
    // What the program makes from its files at the start is at the beginning of this memory, and no later step asks for
    // it.
    void* first = std::malloc(std::size_t{1} << 20);
    if (first) ask_large_pages(first, std::size_t{1} << 20);
    std::free(first);
#endif
}

void ask_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
    constexpr std::size_t kWorthAsking = std::size_t{64} << 10;
    if (bytes < kWorthAsking) return;
    // A matrix of 2.3 MB seldom has a whole huge page to itself, and the heap writes just after the memory that it gave
    // out, which would create small pages there: so the following memory is included. Where nothing is mapped, madvise
    // does nothing.
    const auto from = reinterpret_cast<std::uintptr_t>(begin), first = from / kPage * kPage, heap_end = reinterpret_cast<std::uintptr_t>(sbrk(0));
    const std::uintptr_t whole = bytes < kMapped ? kHeap : kPage, past = (from + bytes + whole - 1) / whole * whole;
    madvise(reinterpret_cast<void*>(first), (from < heap_end ? heap_end : past) - first, MADV_HUGEPAGE);
#endif
}

int with_enough_stack(const std::function<int()>& program) {
#if defined(__GLIBC__)
    constexpr std::size_t kUsual = std::size_t{8} << 20;
    rlimit limit{};
    pthread_attr_t attributes;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kUsual || pthread_attr_init(&attributes) != 0) return program();
    pthread_attr_setstacksize(&attributes, kUsual);
    pthread_setattr_default_np(&attributes);
    struct Call {
        const std::function<int()>& program;
        int status = 0;
    } call{program};
    const auto make = [](void* argument) -> void* {
        Call& made = *static_cast<Call*>(argument);
        made.status = made.program();
        return nullptr;
    };
    pthread_t thread;
    const bool there = pthread_create(&thread, &attributes, make, &call) == 0;
    pthread_attr_destroy(&attributes);
    if (!there) return program();
    pthread_join(thread, nullptr);
    return call.status;
#else
    return program();
#endif
}

double all_memory() { return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)); }

std::optional<double> available_memory() {
    std::ifstream info("/proc/meminfo");
    std::string word;
    double kilobytes = 0;
    while (info >> word)
        if (word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
    return std::nullopt;
}

}  // namespace attn
