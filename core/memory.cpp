#include "core/memory.h"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace attn {

void keep_freed_memory() {
#if defined(__GLIBC__)
    constexpr int kKept = 256 << 20, kAtOnce = 16 << 20;
    constexpr int kMapped = 32 << 20;  // what is larger is mapped by itself; the library allows no more
    mallopt(M_MMAP_THRESHOLD, kMapped);
    mallopt(M_TRIM_THRESHOLD, kKept);
    mallopt(M_TOP_PAD, kAtOnce);
#endif
}

void ask_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
    const auto from = reinterpret_cast<std::uintptr_t>(begin), first = (from + kPage - 1) / kPage * kPage, past = (from + bytes) / kPage * kPage;
    if (past > first) madvise(reinterpret_cast<void*>(first), past - first, MADV_HUGEPAGE);
#endif
}

}  // namespace attn
