#include "core/memory.h"

#include <cstdlib>

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

}  // namespace attn
